import { defineRule, type Remedy } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'container-purge',
  group: 'outside',
  level: 'deny',
  summary: 'Do not delete volumes and the data in them.',
  why: `
    Images and containers are made again from their files; a volume is where a database lives. \`prune\` reaches over the
    whole machine, also into other projects that happen to be stopped, and \`down -v\` takes the stack's data along.
  `,
  evidence:
    'Public reports of local databases lost to docker system prune --volumes and compose down -v (cases, kind destroys). In about 6,000 real agent calls only plain `docker rm` and ' +
    '`compose down` occur, which pass. Pruning without volumes is advice: it loses stopped containers. Reopen it when a volume can be saved by a checkpoint.',
  on: 'container.purge',
  needs: [],
  category: 'external-effect',
  persistence: 'owner-action',
  quiet: [
    'build caches, networks, dangling images, stopping and restarting',
    'projects and volumes whose name says test, tmp or ci',
    'a compose file that declares no volume',
  ],

  judge(effect) {
    if (effect.throwaway) return;
    const look: Remedy[] = effect.preview
      ? [{ kind: 'run', run: effect.preview, because: 'shows what it would hit and removes nothing' }]
      : [];
    const does = effect.stops ? 'stop' : effect.inside ? 'empty' : 'remove';
    const ask: Remedy = {
      kind: 'ask',
      ask: `May I let \`${effect.tool}\` ${does} ${effect.what}?`,
      because: effect.volumes ? 'the data in a volume does not come back' : 'other work on this machine may need them',
    };
    const [first, ...rest] = [...look, ask];
    return {
      says: `\`${effect.tool}\` would ${does} ${effect.what}${effect.volumes && !effect.inside ? ', with the data in it' : ''}.`,
      person: `The agent wanted to ${does} ${effect.what} with ${effect.tool}.`,
      ...(effect.volumes || (effect.sweep && !effect.stops) ? {} : { level: 'advise' as const }),
      boundary: `container.purge ${effect.what}`,
      remedies: [first as Remedy, ...rest],
    };
  },

  examples: {
    catches: [
      { run: 'docker system prune -a --volumes -f' },
      { run: 'docker system prune -f', gets: 'advise', why: 'stopped containers of every project' },
      { run: 'docker volume rm shop_pgdata' },
      { run: 'docker volume prune -f' },
      { run: 'podman volume rm -f shop_pgdata' },
      {
        run: 'docker compose down -v',
        given: ["printf '%s\\n' 'services:' '  db:' '    image: postgres:16' 'volumes:' '  pgdata: {}' > docker-compose.yml"],
      },
      { run: 'docker-compose -f compose.prod.yml down --volumes' },
      { run: 'docker rm -f db', gets: 'advise', why: 'what it wrote inside itself goes' },
      { run: 'docker rm -fv db' },
      { run: 'docker rm -f $(docker ps -aq)', why: 'containers of every project on this machine' },
      { run: 'docker stop $(docker ps -q)', gets: 'advise', why: 'stops the work of other projects too' },
      { run: 'docker run --rm -v shop_pgdata:/data alpine rm -rf /data/base', why: 'the volume stays, what is in it goes' },
    ],
    allows: [
      { run: 'docker compose down' },
      {
        run: 'docker compose down -v',
        given: ["printf '%s\\n' 'services:' '  web:' '    image: nginx' > compose.yaml"],
        why: 'the file declares no volume',
      },
      { run: 'docker compose -p shop-test down -v' },
      { run: 'docker builder prune -f' },
      { run: 'docker rm old-build' },
      { run: 'docker rmi -f shop:dev' },
      { run: 'docker stop web && docker start web' },
      { run: 'docker volume ls' },
      { run: 'docker run --rm -v shop_pgdata:/data alpine ls -la /data' },
    ],
  },
});
