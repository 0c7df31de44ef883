import { describe, expect, it } from 'vitest';
import type { Look } from '../shell/command.ts';
import { readLine } from '../shell/read.ts';
import { effectsOfCommands } from './effects.ts';

const look = (files: Record<string, string> = {}, env: Record<string, string> = {}): Look => ({
  env: (name) => env[name],
  home: '/home/dev',
  tmp: '/tmp',
  stat: (path) => (files[path] === undefined ? undefined : { kind: 'file', size: files[path].length }),
  read: (path) => files[path],
  list: () => undefined,
  gitConfig: () => [],
});

const losses = (line: string, files?: Record<string, string>, env?: Record<string, string>): string[] => {
  const view = look(files, env);
  const read = readLine(line, { cwd: '/repo', look: view });
  return effectsOfCommands(read.commands, view, '/repo').flatMap((effect) => {
    if (effect.kind === 'data.destroy') return [`${effect.throwaway ? 'throwaway ' : ''}${effect.how} ${effect.what}`];
    if (effect.kind === 'infra.destroy') return [`${effect.recoverable ? 'recoverable ' : ''}${effect.tool}: ${effect.what}`];
    if (effect.kind === 'infra.change') return [`change ${effect.tool}`];
    if (effect.kind === 'container.purge')
      return [`${effect.throwaway ? 'throwaway ' : ''}${effect.volumes ? 'data' : 'state'}: ${effect.what}`];
    return [];
  });
};

describe('databases', () => {
  it.each([
    ["psql -h db -U app shop -c 'DROP TABLE users'", ['drop table users']],
    ["psql postgres://app:x@db/shop_test -c 'DROP TABLE users'", ['throwaway drop table users']],
    ["PGPASSWORD=x psql -tAc 'TRUNCATE a'", ['truncate table a']],
    ["echo 'DROP DATABASE app' | psql", ['drop database app']],
    ["mysql -uroot -psecret -e 'DELETE FROM users'", ['delete-all table users']],
    ["docker exec db psql -c 'DROP SCHEMA public CASCADE'", ['drop schema public']],
    ['sqlite3 dev.db "DELETE FROM t"', ['delete-all table t']],
    ["clickhouse-client -q 'DROP DATABASE logs'", ['drop database logs']],
    ["bq query 'DELETE FROM d.t WHERE true'", ['delete-all table d.t']],
    ["wrangler d1 execute DB --command 'DROP TABLE t' --remote", ['drop table t']],
    ['redis-cli FLUSHALL', ['flush all databases']],
    ['redis-cli --scan --pattern "x:*" | xargs redis-cli DEL', ['delete-all keys from the input']],
    ["mongosh app --eval 'db.users.deleteMany({})'", ['delete-all collection users']],
    ["mongosh app --eval 'db.dropDatabase()'", ['drop database']],
    ['etcdctl del --prefix /app', ['delete-all keys /app']],
    ['dropdb shop', ['drop database shop']],
    ['yes | npx prisma db push', ['reset the database that prisma is set up for']],
    ['pnpm exec prisma migrate reset -f', ['reset the database that prisma is set up for']],
    ['DATABASE_URL=postgres://u:p@db.prod/app npx prisma migrate reset', ['reset database app on db.prod']],
    ['npx dotenv -e .env.local -- prisma db push --force-reset', ['reset the database that prisma is set up for']],
    ['RAILS_ENV=test bin/rails db:drop', ['throwaway reset the database that rails is set up for']],
    ['airflow db reset -y', ['reset the database that airflow is set up for']],
    ['poetry run alembic downgrade base', ['reset the database that alembic is set up for']],
    ['uv run python manage.py flush', ['reset the database that django is set up for']],
    ['./vendor/bin/sail artisan migrate:fresh', ['reset the database that artisan is set up for']],
    ["rails runner 'User.delete_all'", ['delete-all records of User']],
    ["python manage.py shell -c 'from a import User; User.objects.all().delete()'", ['delete-all records of User']],
    ["php artisan tinker --execute='User::truncate()'", ['truncate table of User']],
    ['python3 -c "import psycopg2; c.execute(\'DROP TABLE users\')"', ['drop table users']],
    ['npx tsx -e "prisma.user.deleteMany()"', ['delete-all collection user']],
    ['pg_restore --clean -d app dump.bin', ['overwrite database app']],
    ['curl -X DELETE localhost:9200/logs', ['drop localhost:9200/logs']],
    ['echo FLUSHALL | nc -q1 localhost 6379', ['flush all databases']],
    ["mongosh app --eval 'db.getCollectionNames().forEach(n => db[n].drop())'", ['drop collection']],
    ['npx typeorm-ts-node-commonjs schema:drop -d src/db.ts', ['drop the database that typeorm is set up for']],
    ['fly ssh console -C "bin/rails db:drop"', ['reset the database that rails is set up for']],
    ["aws ecs execute-command --task t --command 'bin/rails db:drop'", ['reset the database that rails is set up for']],
    ['docker compose run -e RAILS_ENV=test app bin/rails db:drop', ['throwaway reset the database that rails is set up for']],
    ['python3 -c "from app import db; db.drop_all()"', ['drop every table of the models']],
    ['node -e "require(\'./models\').sequelize.sync({ force: true })"', ['drop every table of the models']],
    ['php artisan tinker --execute=\'DB::table("users")->delete();\'', ['delete-all a table']],
    ['npx tsx -e "await db.delete(users)"', ['delete-all records of users']],
    ["python3 -c \"import boto3; boto3.client('dynamodb').delete_table(TableName='x')\"", ['drop what delete_table names']],
  ])('%s', (line, expected) => expect(losses(line)).toEqual(expected));

  it.each([
    "psql -c 'SELECT 1'",
    'psql -l',
    "sqlite3 -readonly x.db 'DROP TABLE t'",
    'redis-cli GET x',
    'redis-cli DEL session:1',
    "mongosh --eval 'db.users.find({})'",
    'mongosh --eval \'print("db.dropDatabase()")\'',
    'npx prisma migrate deploy',
    'npx prisma db push',
    'npx prisma generate',
    'node -e "console.log(\'DROP TABLE users\')"',
    'node -e "list.remove(); fs.rm(x)"',
    "python3 -c \"sqlite3.connect(':memory:').execute('DROP TABLE t')\"",
    'rails db:migrate',
    'rails db:rollback',
    'php artisan migrate',
    'python manage.py migrate',
    'alembic downgrade -1',
    'pg_restore --clean -l dump.bin',
    'kafka-topics --bootstrap-server x --list',
    'curl -X DELETE http://localhost:3000/items/1',
    "echo 'DROP TABLE users'",
    'git commit -m "DROP TABLE users"',
    "cat > x.sql <<'E'\nDROP TABLE users;\nE",
    'python3 -c "print(df.drop(columns=[1]).head(), df[[2]].drop(3, axis=1))"',
    'node -e "require(\'./models\').sequelize.sync({ alter: true })"',
    'npx tsx -e "await db.delete(users).where(eq(users.id, 1))"',
    "python3 -c \"import boto3; boto3.client('dynamodb', endpoint_url=u).delete_table(TableName='x')\"",
    'echo PING | nc localhost 6379',
  ])('nothing for %s', (line) => expect(losses(line)).toEqual([]));

  it('reads the script a client is given', () => {
    expect(losses('psql -f down.sql', { '/repo/down.sql': 'DROP TABLE users;' })).toEqual(['drop table users']);
    expect(losses('mysql app < down.sql', { '/repo/down.sql': 'DROP TABLE users;' })).toEqual(['drop table users']);
    expect(losses("psql -c '\\i down.sql'", { '/repo/down.sql': 'DROP TABLE users;' })).toEqual(['drop table users']);
  });

  it('reads what stands on this side of a container', () => {
    const files = { '/repo/seed.sql': 'TRUNCATE users;' };
    expect(losses('docker exec -i db psql app < seed.sql', files)).toEqual(['truncate table users']);
    expect(losses("ssh host 'psql app < seed.sql'", files)).toEqual([]);
    expect(losses('ssh host <<E\ndropdb app\nE')).toEqual(['drop database app']);
  });

  it('takes the environment file of a loader, and a file that is not there for nothing', () => {
    const files = { '/repo/.env.test': 'DATABASE_URL=postgres://h/app_test', '/repo/.env': 'DATABASE_URL=file:./dev.db' };
    expect(losses('dotenv -e .env.test -- npx prisma migrate reset', files)).toEqual(['throwaway reset database app_test on h']);
    expect(losses('npx prisma migrate reset', files)).toEqual(['reset database ./dev.db']);
    expect(losses('npx prisma migrate reset', { ...files, '/repo/prisma/schema.prisma': '' })).toEqual([
      'throwaway reset database ./dev.db',
    ]);
    expect(losses('npx prisma migrate reset', { ...files, '/repo/prisma/schema.prisma': '', '/repo/prisma/dev.db': 'x' })).toEqual([
      'reset database ./dev.db',
    ]);
  });

  it('looks where the command runs', () => {
    const preview = (line: string) => {
      const view = look();
      return effectsOfCommands(readLine(line, { cwd: '/repo', look: view }).commands, view, '/repo').flatMap((effect) =>
        'preview' in effect ? [effect.preview] : [],
      );
    };
    expect(preview('docker exec cache redis-cli FLUSHALL')).toEqual(['docker exec cache redis-cli DBSIZE']);
    expect(preview('ssh host "redis-cli FLUSHALL"')).toEqual(['ssh host "redis-cli DBSIZE"']);
    expect(preview("ssh host 'dropdb app; dropdb b'")).toEqual([]);
    expect(preview('docker exec -i db psql -c "DROP TABLE a" < x.sql')).toEqual(["docker exec -i db psql -c 'SELECT count(*) FROM a'"]);
    expect(preview('kubectl get ns -o name | xargs kubectl delete')).toEqual([]);
    expect(preview('kubectl delete pods --all -n x')).toEqual(['kubectl get pods -n x']);
  });

  it('names the database of the workspace without its login', () => {
    const files = { '/repo/.env': 'DATABASE_URL="postgres://app:hunter2@db.hosted.example:5432/app"' };
    expect(losses('npx prisma db push --force-reset', files)).toEqual(['reset database app on db.hosted.example']);
  });
});

describe('infrastructure', () => {
  it.each([
    ['terraform destroy -auto-approve', ['terraform: every resource of the workspace']],
    ['terraform -chdir=x destroy -target=a.b', ['terraform: a.b']],
    ['aws-vault exec prod -- terraform apply -auto-approve', ['change terraform']],
    ['terraform state rm a.b', ['terraform: state of a.b']],
    ['kubectl delete ns prod', ['kubectl: ns prod']],
    ['kubectl delete ns prod --dry-run=none', ['kubectl: ns prod']],
    ['kubectl delete pod x', ['recoverable kubectl: pod x']],
    ['kubectl delete pods --all', ['kubectl: pods (all)']],
    ['kubectl -n prod delete -f app.yaml', ['kubectl: what app.yaml names']],
    ['helm -n x uninstall shop', ['helm: release shop']],
    ['aws s3 rb s3://b --force', ['aws: s3://b']],
    ['aws --profile p rds delete-db-instance --db-instance-identifier x', ['aws: rds db-instance x']],
    ['gcloud memorystore instances delete cache --location=asia-south1 -q', ['gcloud: memorystore instances cache']],
    ['az group delete -n shop -y', ['az: group shop']],
    ['gsutil -m rm -r gs://b', ['gsutil: gs://b']],
    ['fly apps destroy shop -y', ['fly: apps shop']],
    ['restic forget --prune latest', ['restic: forget latest']],
    ['vault kv destroy -versions=1 secret/x', ['vault: kv secret/x']],
    ['curl -X DELETE https://api.example.com/x', ['curl: api.example.com/x']],
    [`curl https://x.example/graphql -d '{"query":"mutation { volumeDelete(id: 1) }"}'`, ['curl: x.example/graphql']],
    ['terraform plan -destroy -out=p && terraform apply p', ['terraform: every resource of the workspace']],
    ['atmos terraform deploy vpc -s prod', ['change terraform']],
    ['gcloud run services delete api -q', ['gcloud: run services api']],
    ['az search service delete -n s -g g --yes', ['az: search service s']],
    ['kubectl config use-context prod && kubectl delete ns x', ['kubectl: ns x']],
    ['kubectl config use-context kind-dev; kubectl delete ns x', ['kubectl: ns x']],
    ['kubectl get ns -o name | xargs kubectl delete', ['kubectl: what the input names']],
    ['kamal accessory remove db -y', ['kamal: accessory db']],
    ['dokku apps:destroy shop', ['dokku: shop']],
  ])('%s', (line, expected) => expect(losses(line)).toEqual(expected));

  it.each([
    'terraform plan -destroy',
    'terraform apply plan.out',
    'terraform destroy -help',
    'kubectl delete ns prod --dry-run=client',
    'kubectl -n delete get pods',
    'kubectl --context kind-dev delete ns x',
    'helm uninstall x --dry-run',
    'aws s3 ls s3://b',
    'aws s3 sync a s3://b --delete --dryrun',
    'aws ec2 terminate-instances help',
    'gcloud compute instances list --filter delete',
    'az --query delete vm show',
    'vault kv get secret/x',
    'nomad job stop x',
    "gh issue create --title 'terraform destroy'",
    'terraform plan -out=p && terraform apply p',
    'kubectl config use-context kind-dev && kubectl delete ns x',
    'minikube kubectl -- delete ns x',
    'AWS_ENDPOINT_URL=http://localhost:4566 aws s3 rb s3://b --force',
    'gcloud run deploy api --source .',
  ])('nothing for %s', (line) => expect(losses(line)).toEqual([]));

  it('asks the kubeconfig which cluster is meant', () => {
    const files = { '/home/dev/.kube/config': 'current-context: minikube\n', '/k': 'current-context: "prod"\n' };
    expect(losses('kubectl delete ns x; helm uninstall y', files)).toEqual([]);
    expect(losses('KUBECONFIG=/k kubectl delete ns x', files)).toEqual(['kubectl: ns x']);
    expect(losses('kubectl --context prod delete ns x', files)).toEqual(['kubectl: ns x']);
    expect(losses('kubectl delete ns x', files, { KUBECONFIG: '/k' })).toEqual(['kubectl: ns x']);
  });
});

describe('containers', () => {
  it.each([
    [
      'docker system prune -af --volumes',
      ['data: all stopped containers and every image no container uses, and all volumes no container uses'],
    ],
    ['docker system prune -f', ['state: all stopped containers and dangling images']],
    ['docker volume rm pg', ['data: volume pg']],
    ['docker volume rm app_test', ['throwaway data: volume app_test']],
    ['docker compose -f a.yml down -v', ['data: the volumes of the compose project']],
    ['docker-compose down --volumes', ['data: the volumes of the compose project']],
    ['docker compose -p x-ci down -v', ['throwaway data: the volumes of the project x-ci']],
    ['docker rm -fv db', ['data: container db']],
    ['docker rm -f $(docker ps -aq)', ['state: every container of this machine']],
    ['docker rm -f $(docker ps -aq -f name=x)', ['state: container $(docker ps -aq -f name=x)']],
    ['podman volume prune', ['data: every volume no container uses']],
    ['docker ps -q | xargs docker kill', ['state: every running container of this machine']],
    ["docker run --rm -v pg:/data alpine sh -c 'rm -rf /data/*'", ['data: volume pg']],
    ['docker run --mount type=volume,source=pg,target=/data alpine find /data -delete', ['data: volume pg']],
    ['sail down -v', ['data: the volumes of the compose project']],
  ])('%s', (line, expected) => expect(losses(line)).toEqual(expected));

  it.each([
    'docker compose down',
    'docker rm x',
    'docker stop x',
    'docker builder prune -af',
    'docker image prune',
    'docker ps',
    'docker compose up -d --env-file x',
    'docker network prune -f',
    'docker run --rm -v pg:/data alpine ls /data',
    'docker run --rm -v pg:/data:ro alpine rm -rf /data',
    'docker run --rm -v pg:/data alpine rm -rf /tmp/x',
    'docker stop $(docker ps -q --filter name=shop)',
  ])('nothing for %s', (line) => expect(losses(line)).toEqual([]));

  it('reads the compose file', () => {
    expect(losses('docker compose down -v', { '/repo/compose.yml': 'services:\n  web: {image: x}\n' })).toEqual([
      'throwaway data: the volumes of the compose project',
    ]);
    expect(losses('docker compose down -v', { '/repo/compose.yml': 'services:\n  db: {image: x}\nvolumes:\n  pg: {}\n' })).toEqual([
      'data: the volumes of the compose project',
    ]);
  });
});
