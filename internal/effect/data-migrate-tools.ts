/**
 * Migration tools and frameworks: the verbs that drop or refill a database. What stands here is data, one line a verb;
 * a rollback of one step and a migration forward are everyday work and are not listed.
 */
import type { Call, Habits } from './infra-words.ts';

/** One verb that loses data. */
export interface Verb {
  /** Subcommand words, see `matchPath`. */
  path: string;
  /** One of these options must be there. */
  needs?: readonly string[];
  /** With one of these options it only shows. */
  unless?: readonly string[];
  /** Only when its question is answered for it. */
  answered?: boolean;
  /** This must hold for the words after the path. */
  rest?: (rest: readonly string[], call: Call) => boolean;
  how?: string;
  what?: string;
}

/** A tool with its verbs. */
export interface Tool extends Habits {
  engine: string;
  verbs: readonly Verb[];
  /** Read-only, shows what is there. */
  preview?: string;
  /** Variables that name the environment, and with it the database. */
  modeVariables?: readonly string[];
  /** Options that name the environment. */
  mode?: readonly string[];
  /** Its database is the one of the workspace's configuration. */
  configured?: boolean;
}

const all = (paths: string, more: Partial<Verb> = {}): Verb[] => paths.split(', ').map((path) => ({ path, ...more }));

const RAILS_VERBS: readonly Verb[] = [{ path: '*', rest: (_rest, call) => call.texts.some(isRailsLoss), how: 'reset' }];

/** Several tasks may stand in one call: `rails db:drop db:create`. */
function isRailsLoss(task: string): boolean {
  return (
    /^(app:)?db:(drop|reset|purge|seed:replant|migrate:reset|truncate_all|schema:load|structure:load)(:|$)/.test(task) &&
    !/:(test|_unsafe)$/.test(task.replace(/^.*:(?=test$)/, ':'))
  );
}

const LARAVEL: Tool = {
  engine: 'artisan',
  modeVariables: ['APP_ENV'],
  verbs: all('migrate:fresh, migrate:refresh, migrate:reset, db:wipe, schema:drop, tenants:migrate-fresh', { how: 'reset' }),
  preview: 'php artisan migrate:status',
  mode: ['env'],
  values: ['env', 'database', 'seeder', 'path'],
  configured: true,
};

export const TOOLS: Readonly<Record<string, Tool>> = {
  prisma: {
    engine: 'prisma',
    values: ['schema', 'name', 'n', 'config'],
    verbs: [
      { path: 'migrate reset', how: 'reset' },
      { path: 'db push', needs: ['force-reset', 'accept-data-loss'], how: 'reset' },
      { path: 'db push', answered: true, how: 'reset' },
      { path: 'migrate dev', answered: true, how: 'reset' },
    ],
    preview: 'npx prisma migrate status',
    configured: true,
  },
  'drizzle-kit': {
    engine: 'drizzle',
    verbs: [
      { path: 'push|push:pg|push:mysql|push:sqlite', needs: ['force'], how: 'reset' },
      { path: 'push|push:pg|push:mysql|push:sqlite', answered: true, how: 'reset' },
    ],
    preview: 'npx drizzle-kit check',
    values: ['config', 'dialect', 'url', 'schema'],
    configured: true,
  },
  supabase: {
    engine: 'supabase',
    verbs: [
      { path: 'db reset', how: 'reset' },
      { path: 'stop', needs: ['no-backup'], how: 'drop' },
    ],
    preview: 'npx supabase migration list --local',
  },
  artisan: LARAVEL,
  'manage.py': {
    engine: 'django',
    modeVariables: ['DJANGO_SETTINGS_MODULE'],
    values: ['database', 'settings', 'pythonpath'],
    verbs: [
      { path: 'flush|reset_db|sqlclear|reset_schema', how: 'reset' },
      { path: 'migrate *', rest: (rest) => rest[0] === 'zero', how: 'reset' },
    ],
    preview: 'python manage.py showmigrations',
    mode: ['settings'],
    configured: true,
  },
  alembic: {
    engine: 'alembic',
    verbs: [{ path: 'downgrade base', unless: ['sql'], how: 'reset' }],
    preview: 'alembic current',
    values: ['c', 'config', 'n', 'name', 'x'],
    configured: true,
  },
  airflow: {
    engine: 'airflow',
    verbs: [{ path: 'db reset|resetdb', how: 'reset' }],
    preview: 'airflow db check',
    configured: true,
  },
  flask: {
    engine: 'alembic',
    verbs: [{ path: 'db downgrade base', unless: ['sql'], how: 'reset' }],
    preview: 'flask db current',
    values: ['app', 'd'],
    configured: true,
  },
  knex: {
    engine: 'knex',
    modeVariables: ['NODE_ENV', 'KNEX_ENV'],
    verbs: [{ path: 'migrate:rollback', needs: ['all'], how: 'reset' }],
    preview: 'npx knex migrate:status',
    mode: ['env'],
    values: ['env', 'knexfile'],
    configured: true,
  },
  'sequelize-cli': {
    engine: 'sequelize',
    modeVariables: ['NODE_ENV'],
    verbs: all('db:drop, db:migrate:undo:all, db:seed:undo:all', { how: 'drop' }),
    preview: 'npx sequelize-cli db:migrate:status',
    mode: ['env'],
    values: ['env', 'url', 'config'],
    configured: true,
  },
  typeorm: {
    engine: 'typeorm',
    verbs: all('schema:drop', { how: 'drop' }),
    preview: 'npx typeorm migration:show',
    values: ['d', 'dataSource', 'c', 'connection'],
    configured: true,
  },
  'mikro-orm': {
    engine: 'mikro-orm',
    verbs: [
      { path: 'schema:drop|schema:fresh', needs: ['run', 'r', 'drop-db'], how: 'drop' },
      { path: 'schema:fresh|migration:fresh|database:drop', how: 'drop' },
    ],
    preview: 'npx mikro-orm migration:list',
    configured: true,
  },
  flyway: {
    engine: 'flyway',
    verbs: [{ path: '*', rest: (_rest, call) => call.texts.includes('clean'), how: 'drop' }],
    preview: 'flyway info',
  },
  liquibase: {
    engine: 'liquibase',
    verbs: [{ path: '*', rest: (_rest, call) => call.texts.some((text) => /^(drop-all|dropAll)$/.test(text)), how: 'drop' }],
    preview: 'liquibase status',
    values: ['url', 'username', 'password', 'changelog-file', 'defaults-file'],
  },
  mix: {
    engine: 'ecto',
    modeVariables: ['MIX_ENV'],
    verbs: [
      { path: 'ecto.drop|ecto.reset|ash.reset|ash_postgres.drop', how: 'drop' },
      { path: 'ecto.rollback', needs: ['all'], how: 'reset' },
    ],
    preview: 'mix ecto.migrations',
    values: ['r', 'repo'],
    configured: true,
  },
  console: {
    engine: 'doctrine',
    modeVariables: ['APP_ENV'],
    verbs: [
      { path: 'doctrine:database:drop|d:d:d|doctrine:schema:drop|d:s:d', needs: ['force', 'f', 'full-database'], how: 'drop' },
      { path: 'doctrine:fixtures:load|d:f:l', needs: ['n', 'no-interaction', 'purge-with-truncate'], unless: ['append'], how: 'truncate' },
      { path: 'doctrine:mongodb:schema:drop', how: 'drop' },
      { path: 'doctrine:migrations:migrate|d:m:m', rest: (rest) => rest[0] === 'first' || rest[0] === '0', how: 'reset' },
    ],
    preview: 'php bin/console doctrine:migrations:status',
    mode: ['env', 'e'],
    values: ['env', 'e', 'em', 'connection'],
    configured: true,
  },
  hasura: {
    engine: 'hasura',
    verbs: [
      { path: 'migrate apply', rest: (_rest, call) => call.text('down') === 'all', how: 'reset' },
      { path: 'metadata clear', how: 'reset' },
    ],
    preview: 'hasura migrate status',
    values: ['down', 'up', 'endpoint', 'admin-secret', 'database-name'],
  },
  sqitch: {
    engine: 'sqitch',
    verbs: [
      { path: 'revert|rebase', needs: ['y'], how: 'reset' },
      { path: 'revert', answered: true, how: 'reset' },
    ],
    preview: 'sqitch status',
    values: ['to', 'target', 't', 'h', 'u', 'd'],
  },
  dbmate: {
    engine: 'dbmate',
    verbs: all('drop', { how: 'drop' }),
    preview: 'dbmate status',
    values: ['u', 'url', 'e', 'env', 'd', 'migrations-dir'],
    configured: true,
  },
  goose: {
    engine: 'goose',
    verbs: [
      {
        path: '*',
        rest: (_rest, call) =>
          call.texts.includes('reset') || call.texts.some((text, at) => text === 'down-to' && call.texts[at + 1] === '0'),
        how: 'reset',
      },
    ],
    preview: 'goose status',
    values: ['dir', 'table'],
  },
  migrate: {
    engine: 'migrate',
    verbs: [
      { path: 'drop', how: 'drop' },
      { path: 'down', rest: (rest) => rest.length === 0, how: 'reset' },
    ],
    values: ['path', 'database', 'source'],
    preview: undefined,
  },
  atlas: {
    engine: 'atlas',
    verbs: [
      { path: 'schema clean', how: 'drop' },
      { path: 'schema apply', needs: ['auto-approve'], how: 'reset' },
    ],
    values: ['url', 'u', 'to', 'dev-url', 'env'],
  },
  sqlx: {
    engine: 'sqlx',
    verbs: all('database drop, database reset', { how: 'drop' }),
    preview: 'sqlx migrate info',
    values: ['database-url', 'source'],
    configured: true,
  },
  diesel: {
    engine: 'diesel',
    verbs: all('database reset, database drop', { how: 'drop' }),
    preview: 'diesel migration list',
    values: ['database-url'],
    configured: true,
  },
  'sea-orm-cli': {
    engine: 'sea-orm',
    verbs: all('migrate fresh, migrate refresh, migrate reset', { how: 'reset' }),
    preview: 'sea-orm-cli migrate status',
    values: ['u', 'database-url', 'd', 's'],
    configured: true,
  },
  dotnet: {
    engine: 'entity framework',
    verbs: [
      { path: 'ef database drop', how: 'drop' },
      { path: 'ef database update 0', how: 'reset' },
    ],
    preview: 'dotnet ef migrations list',
    values: ['project', 'p', 'startup-project', 's', 'context', 'c', 'connection'],
  },
  phinx: {
    engine: 'phinx',
    verbs: [{ path: 'rollback', rest: (_rest, call) => call.text('t', 'target') === '0', how: 'reset' }],
    preview: 'phinx status',
    mode: ['e', 'environment'],
    values: ['t', 'target', 'e', 'environment', 'c'],
  },
  ace: {
    engine: 'adonis',
    modeVariables: ['NODE_ENV'],
    verbs: all('migration:fresh, migration:refresh, migration:reset, db:wipe, db:truncate', { how: 'reset' }),
    preview: 'node ace migration:status',
    configured: true,
  },
  payload: {
    engine: 'payload',
    verbs: all('migrate:fresh, migrate:refresh, migrate:reset', { how: 'reset' }),
    preview: 'npx payload migrate:status',
    configured: true,
  },
  spark: {
    engine: 'codeigniter',
    verbs: [
      { path: 'migrate:refresh', how: 'reset' },
      { path: 'migrate:rollback', rest: (_rest, call) => call.text('b') === '0', how: 'reset' },
    ],
    preview: 'php spark migrate:status',
    values: ['b', 'g', 'n'],
  },
  cake: {
    engine: 'cakephp',
    verbs: [{ path: 'migrations rollback', rest: (_rest, call) => call.text('t', 'target') === '0', how: 'reset' }],
    values: ['t', 'target'],
  },
  yii: {
    engine: 'yii',
    verbs: [
      { path: 'migrate/fresh', how: 'reset' },
      { path: 'migrate/down all', how: 'reset' },
    ],
  },
  wp: {
    engine: 'wordpress',
    verbs: [
      { path: 'db reset|drop|clean', how: 'drop' },
      { path: 'site empty|delete', how: 'delete-all' },
    ],
    preview: 'wp db tables',
    values: ['path', 'url'],
  },
  drush: { engine: 'drupal', verbs: [{ path: 'sql:drop|sql-drop|site:install|si', how: 'drop' }], preview: 'drush status' },
  bench: {
    engine: 'frappe',
    verbs: [
      { path: 'drop-site', how: 'drop' },
      { path: 'reinstall', how: 'reset' },
    ],
    values: ['site'],
  },
  convex: { engine: 'convex', verbs: [{ path: 'import', needs: ['replace', 'replace-all'], how: 'overwrite' }], values: ['table'] },
  medusa: { engine: 'medusa', verbs: all('db:rollback', { needs: ['all'], how: 'reset' }) },
  'gitlab-rake': {
    engine: 'gitlab',
    verbs: all('gitlab:backup:restore, db:drop, db:reset, gitlab:setup', { how: 'overwrite' }),
    preview: 'gitlab-rake gitlab:env:info',
  },
  sfdx: { engine: 'salesforce', verbs: all('force:data:bulk:delete, force:org:delete', { how: 'delete-all' }) },
};

export const RAILS: Tool = {
  engine: 'rails',
  modeVariables: ['RAILS_ENV', 'RACK_ENV'],
  verbs: RAILS_VERBS,
  preview: 'bin/rails db:version',
  mode: ['e', 'environment'],
  values: ['e', 'environment', 'f', 'rakefile'],
  configured: true,
};
