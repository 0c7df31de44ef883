/**
 * Releases, deployments and migrations as they are meant to be made: nothing refuses them, but how one ended has to be known
 * before it is made again. One line a verb; `status` is the tool's own read-only answer.
 */
import { quoteLine } from '../rule/quote.ts';
import { textOf, type Word } from '../shell/word.ts';
import { baseOf, type Family, type FamilyTable } from './family.ts';
import { type Call, callOf, commandLine, type Habits, isHelp, isRehearsal, matchPath, namesOf, plainName } from './infra-words.ts';

interface Verb {
  path: string;
  status?: string | ((call: Call) => string | undefined);
  unless?: readonly string[];
}

interface Tool extends Habits {
  verbs: readonly Verb[];
}

const v = (paths: string, status?: Verb['status'], unless?: readonly string[]): Verb[] =>
  paths.split(', ').map((path) => ({ path, status, ...(unless ? { unless } : {}) }));

/** Where kubectl and helm look: the flags of the call that say so. */
function placeOf(call: Call, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = call.text(name);
    return value === undefined ? [] : [`${name.length === 1 ? '-' : '--'}${name}`, value];
  });
}

const KUBE_PLACE = ['n', 'namespace', 'context', 'cluster', 'kubeconfig'];

/** `kubectl get -f FILE` for what a file holds, `kubectl get KIND NAME` for what the words name. */
function kubeStatus(call: Call): string {
  const place = placeOf(call, KUBE_PLACE);
  const files = ['f', 'filename', 'k', 'kustomize'].flatMap((name) => {
    const value = call.text(name);
    return value === undefined || value === '-' ? [] : [`${name.length === 1 ? '-' : '--'}${name}`, value];
  });
  if (files.length > 0) return quoteLine(['kubectl', 'get', ...files, ...place]);
  const words = call.words
    .slice(1)
    .map((word) => textOf(word))
    .filter((text): text is string => text !== undefined && !NOT_RESOURCES.has(text));
  return quoteLine(['kubectl', 'get', ...(words.length > 0 ? words.slice(0, 4) : ['all']), ...place]);
}

const NOT_RESOURCES = new Set(['restart', 'undo', 'pause', 'resume', 'status', 'history', 'image', 'env', 'resources']);

const helmStatus = (call: Call): string | undefined => {
  const release = textOf(call.words[1]);
  return release === undefined ? 'helm list' : quoteLine(['helm', 'status', release, ...placeOf(call, ['n', 'namespace', 'kube-context'])]);
};

const KUBE: Tool = {
  values: [
    'f',
    'filename',
    'k',
    'kustomize',
    'n',
    'namespace',
    'context',
    'cluster',
    'kubeconfig',
    'l',
    'selector',
    'p',
    'patch',
    'type',
    'replicas',
  ],
  verbs: v('apply, create, replace, patch, scale, set *, rollout restart|undo, delete *, delete, expose, run', kubeStatus),
};
const TERRAFORM: Tool = {
  values: ['var', 'var-file', 'target', 'replace', 'lock-timeout', 'state'],
  verbs: v('apply, destroy, import, state rm|mv|push', (call) => `${call.command.name} show`),
};
const FLY: Tool = {
  values: ['a', 'app', 'c', 'config'],
  verbs: v('deploy', (call) => quoteLine([call.command.name, 'status', ...placeOf(call, ['a', 'app'])])),
};

const TOOLS: Readonly<Record<string, Tool>> = {
  kubectl: KUBE,
  oc: KUBE,
  helm: {
    values: ['n', 'namespace', 'f', 'values', 'set', 'version', 'kube-context', 'timeout'],
    verbs: v('install, upgrade, rollback, uninstall', helmStatus),
  },
  helmfile: { verbs: v('apply, sync, destroy', 'helmfile status') },
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  terragrunt: TERRAFORM,
  pulumi: { values: ['s', 'stack', 'C', 'cwd'], verbs: v('up, update, destroy, dn', 'pulumi stack') },
  cdk: { values: ['app', 'a', 'profile'], verbs: v('deploy', 'npx cdk diff') },
  serverless: { values: ['stage', 's', 'region'], verbs: v('deploy', 'npx serverless info') },
  sls: { values: ['stage', 's', 'region'], verbs: v('deploy', 'npx sls info') },
  sam: { values: ['stack-name', 'region'], verbs: v('deploy', 'sam list resources') },
  fly: FLY,
  flyctl: FLY,
  vercel: { values: ['t', 'token', 'scope', 'A'], verbs: v('deploy, promote *, rollback', 'vercel ls') },
  netlify: { values: ['d', 'dir', 's', 'site'], verbs: v('deploy', 'netlify status') },
  wrangler: { values: ['env', 'e', 'config', 'c'], verbs: v('deploy, publish', 'npx wrangler deployments list') },
  firebase: { values: ['only', 'project', 'P'], verbs: v('deploy', 'firebase hosting:channel:list') },
  heroku: {
    values: ['a', 'app'],
    verbs: v('container:release *, releases:rollback', (call) => quoteLine(['heroku', 'releases', ...placeOf(call, ['a', 'app'])])),
  },
  eb: { verbs: v('deploy', 'eb status') },
  docker: { verbs: v('push *, image push *', (call) => statusOfImage(call.words.at(-1))) },
  podman: { verbs: v('push *, image push *', (call) => statusOfImage(call.words.at(-1))) },
  gh: {
    values: ['R', 'repo', 't', 'title', 'n', 'notes', 'b', 'body', 'base', 'head', 'B', 'H', 'F', 'ref', 'f'],
    verbs: [
      ...v('release create *', (call) =>
        quoteLine(['gh', 'release', 'view', textOf(call.words[2]) ?? '', ...placeOf(call, ['R', 'repo'])]),
      ),
      ...v('workflow run *', 'gh run list'),
      ...v('pr merge *', (call) => quoteLine(['gh', 'pr', 'view', textOf(call.words[2]) ?? '', ...placeOf(call, ['R', 'repo'])])),
    ],
  },
  glab: { verbs: v('release create *', (call) => quoteLine(['glab', 'release', 'view', textOf(call.words[2]) ?? ''])) },
  prisma: { values: ['schema'], verbs: v('migrate deploy, db push', 'npx prisma migrate status') },
  alembic: { values: ['c', 'n', 'x'], verbs: v('upgrade *, downgrade *', 'alembic current') },
  flyway: { verbs: v('migrate', 'flyway info') },
  liquibase: { verbs: v('update', 'liquibase status') },
  knex: { verbs: v('migrate:latest, migrate:up, migrate:rollback', 'npx knex migrate:status') },
  sequelize: { verbs: v('db:migrate', 'npx sequelize-cli db:migrate:status') },
  'sequelize-cli': { verbs: v('db:migrate', 'npx sequelize-cli db:migrate:status') },
  rails: { verbs: v('db:migrate, db:rollback', 'bin/rails db:migrate:status') },
  artisan: { verbs: v('migrate, migrate:rollback', 'php artisan migrate:status', ['pretend']) },
  dbmate: { verbs: v('up, migrate, rollback, down', 'dbmate status') },
  goose: { verbs: v('up, down', 'goose status') },
  sqlx: { verbs: v('migrate run, migrate revert', 'sqlx migrate info') },
};

const statusOfImage = (word: Word | undefined): string | undefined => {
  const image = textOf(word);
  return image === undefined ? undefined : quoteLine(['docker', 'manifest', 'inspect', image]);
};

/** Clusters and environments of this machine: making them twice harms nobody. */
const LOCAL = /^(minikube|kind(-.*)?|docker-desktop|k3d(-.*)?|localhost)$/;

const family =
  (tool: Tool): Family =>
  (command) => {
    const call = callOf(command, tool);
    if (isHelp(call) || call.has('h') || isRehearsal(call)) return [];
    if (LOCAL.test(call.text('context', 'kube-context') ?? '')) return [];
    for (const verb of tool.verbs) {
      const taken = matchPath(call.texts, verb.path);
      if (taken === undefined || (verb.unless && call.has(...verb.unless))) continue;
      const status = typeof verb.status === 'function' ? verb.status(call) : verb.status;
      const shown = call.words.length > 0 ? namesOf(call.words) : '';
      const place = placeOf(call, ['f', 'filename', 'k', 'n', 'namespace', 'stage', 's', 'stack', 'a', 'app', 'env']).join(' ');
      return [
        {
          kind: 'external.call',
          ...baseOf(command),
          tool: command.name,
          what: plainName([shown, place].filter(Boolean).join(' ')),
          ...(status ? { status } : {}),
          command: commandLine(command),
        },
      ];
    }
    return [];
  };

/** `python manage.py migrate`. */
const manage: Family = (command) => {
  const words = command.args.map((word) => textOf(word) ?? '');
  const at = words.findIndex((word) => word === 'manage.py' || word.endsWith('/manage.py'));
  if (at < 0 || words[at + 1] !== 'migrate' || words.includes('--plan') || words.includes('--check')) return [];
  const what = plainName(words.slice(at + 1).join(' '));
  const status = quoteLine([command.name, words[at]!, 'showmigrations']);
  return [{ kind: 'external.call', ...baseOf(command), tool: 'manage.py', what, status, command: commandLine(command) }];
};

/** Families of tools that release, deploy and migrate. */
export const EXTERNAL_FAMILIES: FamilyTable = {
  ...Object.fromEntries(Object.entries(TOOLS).map(([name, tool]) => [name, family(tool)])),
  python: manage,
  python3: manage,
};
