/** The cloud command lines: how each writes options, which verbs take away, which one looks. */
import type { Habits } from './infra-words.ts';

/** Verbs that only look, for the tools whose verb stands among nouns. */
export const LOOKS = new Set([
  'list',
  'ls',
  'describe',
  'show',
  'get',
  'status',
  'info',
  'logs',
  'create',
  'update',
  'add',
  'set',
  'deploy',
  'run',
  'apply',
  'start',
  'stop',
  'view',
  'inspect',
  'export',
  'import',
  'patch',
  'wait',
  'search',
  'open',
  'login',
  'auth',
  'config',
  'help',
  'version',
  'diff',
  'validate',
  'exec',
  'ssh',
  'scp',
  'copy',
  'cp',
  'mv',
  'move',
  'rename',
  'restart',
  'test',
  'print',
]);

/** A cloud tool: how it writes options, which verbs lose something, and the verb that shows instead. */
export interface CloudTool extends Habits {
  losses: readonly string[];
  /** `VERB` is replaced by this to look first; '' for none. */
  look: string;
  /** Options a look does not know. */
  drop?: readonly string[];
  /** Words that are no loss although a losing verb follows. */
  except?: (texts: readonly string[]) => boolean;
  /** Words that look in other tools and are nouns here: `gcloud run services delete`. */
  groups?: readonly string[];
  preview?: string;
}

const DELETES = ['delete', 'destroy', 'remove', 'purge', 'rm', 'del'];

export const TOOLS: Readonly<Record<string, CloudTool>> = {
  gcloud: {
    greedy: true,
    flags: ['quiet', 'q', 'async', 'recursive', 'r', 'help', 'h', 'all', 'force', 'log-http', 'verbose'],
    losses: ['delete', 'rm', 'destroy', 'undeploy', 'remove-iam-policy-binding', 'disable'],
    look: 'describe',
    groups: ['run', 'deploy', 'auth', 'search'],
    drop: ['quiet', 'q', 'async', 'delete-disks', 'keep-disks'],
    except: (texts) => texts[0] === 'config' || texts[0] === 'components' || texts[0] === 'auth',
  },
  az: {
    greedy: true,
    flags: ['yes', 'y', 'no-wait', 'help', 'h', 'verbose', 'debug', 'only-show-errors', 'force-string', 'force'],
    losses: ['delete', 'purge', 'delete-batch', 'remove', 'untag', 'delete-by-keyword'],
    look: 'show',
    groups: ['config', 'search', 'auth', 'apply'],
    drop: ['yes', 'y', 'no-wait', 'force-deletion-types', 'f'],
    except: (texts) =>
      texts[0] === 'config' || texts[0] === 'extension' || texts[0] === 'cache' || (texts[0] === 'account' && texts[1] === 'clear'),
  },
  doctl: {
    greedy: true,
    flags: ['force', 'f', 'help', 'h', 'verbose', 'v', 'trace', 'interactive'],
    losses: ['delete', 'd', 'rm', 'destroy', 'remove', 'delete-all'],
    look: 'get',
    drop: ['force', 'f'],
    except: (texts) => texts[0] === 'auth',
  },
  oci: {
    greedy: true,
    flags: ['force', 'help', 'h'],
    losses: ['delete', 'terminate', 'bulk-delete', 'purge'],
    look: 'get',
    drop: ['force'],
  },
  aliyun: { greedy: true, losses: [], look: '' },
  hcloud: { values: ['context', 'config'], losses: DELETES, look: 'describe', except: (texts) => texts[0] === 'context' },
  linode: { losses: DELETES, look: '' },
  'linode-cli': { greedy: true, losses: [...DELETES, 'rmdb'], look: 'list' },
  scw: { greedy: true, flags: ['wait', 'force'], losses: [...DELETES, 'terminate'], look: 'get' },
  vultr: { losses: DELETES, look: 'get' },
  ibmcloud: { losses: [...DELETES, 'service-instance-delete', 'cluster-rm'], look: '' },
  exo: { losses: DELETES, look: 'show' },
  civo: { values: ['region'], losses: DELETES, look: 'show' },
  heroku: {
    values: ['a', 'app', 'r', 'remote', 'confirm', 'c'],
    losses: [
      'apps:destroy',
      'apps:delete',
      'destroy',
      'pg:reset',
      'pg:copy',
      'addons:destroy',
      'addons:remove',
      'domains:remove',
      'domains:clear',
      'pipelines:destroy',
      'pg:backups:delete',
      'spaces:destroy',
      'redis:reset',
      'config:unset',
      'releases:rollback',
    ],
    look: '',
    preview: 'heroku apps:info',
  },
  fly: {
    values: ['a', 'app', 'o', 'org', 'c', 'config'],
    losses: ['destroy', 'delete', 'remove', 'detach'],
    look: '',
    preview: 'fly apps list',
  },
  flyctl: {
    values: ['a', 'app', 'o', 'org', 'c', 'config'],
    losses: ['destroy', 'delete', 'remove', 'detach'],
    look: '',
    preview: 'flyctl apps list',
  },
  vercel: { values: ['token', 't', 'scope', 'S', 'cwd'], losses: ['rm', 'remove', 'purge'], look: '', preview: 'vercel ls' },
  netlify: {
    values: ['auth', 'site', 's', 'filter'],
    losses: ['sites:delete', 'env:unset', 'blobs:delete', 'unlink'].filter((verb) => verb !== 'unlink'),
    look: '',
    preview: 'netlify sites:list',
  },
  railway: { values: ['s', 'service', 'e', 'environment'], losses: ['down', 'delete', 'remove'], look: '', preview: 'railway status' },
  render: { losses: ['delete', 'remove'], look: '' },
  firebase: {
    values: ['project', 'P', 'token', 'config'],
    losses: [
      'firestore:delete',
      'database:remove',
      'functions:delete',
      'hosting:disable',
      'hosting:channel:delete',
      'apps:delete',
      'remoteconfig:rollback',
      'firestore:databases:delete',
      'storage:delete',
      'functions:secrets:destroy',
      'projects:delete',
    ],
    look: '',
    preview: 'firebase projects:list',
  },
  wrangler: {
    values: ['name', 'env', 'e', 'config', 'c', 'namespace-id', 'binding', 'account-id'],
    losses: [...DELETES, 'rollback', 'kv:key', 'kv:namespace', 'kv:bulk', 'dns-records'],
    look: '',
    preview: 'npx wrangler whoami',
  },
  supabase: {
    values: ['project-ref', 'experimental'],
    losses: ['delete', 'rm', 'unset', 'delete-all'],
    look: '',
    preview: 'npx supabase projects list',
  },
  neonctl: {
    values: ['project-id', 'api-key', 'branch'],
    losses: DELETES.concat('reset', 'restore'),
    look: '',
    preview: 'neonctl projects list',
  },
  neon: {
    values: ['project-id', 'api-key', 'branch'],
    losses: DELETES.concat('reset', 'restore'),
    look: '',
    preview: 'neon projects list',
  },
  pscale: { values: ['org', 'service-token', 'service-token-id'], losses: ['delete'], look: '', preview: 'pscale database list' },
  turso: { losses: ['destroy'], look: '', preview: 'turso db list' },
  atlas: { losses: ['delete'], look: '', preview: 'atlas clusters list' },
  convex: { losses: [], look: '' },
  gsutil: { flags: ['m', 'q', 'D'], values: ['o', 'h', 'u'], losses: ['rm', 'rb', 'del'], look: '', preview: 'gsutil ls' },
};
