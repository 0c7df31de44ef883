/** Secret stores and login helpers: which of their verbs print a credential. One entry a tool; names only is no entry. */
import type { Call, Habits } from './infra-words.ts';

/** What a call prints. `strong`: from a keychain of the person; else printing it is an everyday step. */
export interface Printed {
  what: string;
  strong?: boolean;
  /** The names without the values. */
  instead?: string;
}

interface Store {
  habits?: Habits;
  prints(call: Call): Printed | undefined;
}

const starts = (call: Call, ...paths: string[]): boolean =>
  paths.some((path) => path.split(' ').every((word, at) => word.split('|').includes(call.texts[at] ?? '')));
const store = (what: string, paths: readonly string[], more: Partial<Printed> = {}, habits: Habits = {}): Store => ({
  habits,
  prints: (call) => (starts(call, ...paths) ? { what, ...more } : undefined),
});

/** State and outputs hold the generated passwords in clear; the plain verbs mask what is marked sensitive. */
function infrastructure(program: string): Store {
  return {
    prints: (call) => {
      if (starts(call, 'output') && call.has('json'))
        return { what: 'the outputs, the sensitive ones in clear too', instead: `${program} output` };
      if (starts(call, 'state pull') || (starts(call, 'show') && call.has('json')))
        return { what: 'the state, passwords in clear too', instead: `${program} state list` };
      return undefined;
    },
  };
}

/** The environment of a container, keys included. Other fields are everyday reading. */
function containers(program: string): Store {
  return {
    habits: { values: ['f', 'format', 'H', 'host', 'context'], greedy: false },
    prints: (call) =>
      starts(call, 'inspect') || starts(call, 'container inspect')
        ? /\.Env\b|"Env"/.test(call.text('format', 'f') ?? '')
          ? { what: "the container's environment, keys included", instead: `${program} ps` }
          : undefined
        : undefined,
  };
}

/** The stores, by program. */
export const SECRET_STORES: Readonly<Record<string, Store>> = {
  gh: {
    habits: { values: ['hostname', 'h', 'user', 'u'] },
    prints: (call) =>
      starts(call, 'auth token') || (starts(call, 'auth status') && call.has('show-token', 't'))
        ? { what: 'a GitHub token', instead: 'gh auth status' }
        : undefined,
  },
  glab: {
    prints: (call) =>
      starts(call, 'auth status') && call.has('show-token', 't') ? { what: 'a GitLab token', instead: 'glab auth status' } : undefined,
  },
  gcloud: store(
    'a cloud token',
    ['auth print-access-token|print-identity-token', 'auth application-default print-access-token', 'secrets versions access'],
    { instead: 'gcloud auth list' },
    { greedy: true, flags: ['quiet', 'q'] },
  ),
  aws: {
    habits: { greedy: true, flags: ['with-decryption', 'no-cli-pager', 'no-paginate'] },
    prints: (call) => {
      if (starts(call, 'configure get') && /secret|token|key/.test(call.texts[2] ?? ''))
        return { what: 'a cloud key', instead: 'aws configure list' };
      if (
        starts(
          call,
          'configure export-credentials',
          'sts get-session-token|assume-role|get-federation-token',
          'ecr get-login-password|get-authorization-token',
          'ecr-public get-login-password',
          'codeartifact get-authorization-token',
          'iam create-access-key',
        )
      )
        return { what: 'a cloud token', instead: 'aws sts get-caller-identity' };
      if (starts(call, 'secretsmanager get-secret-value|batch-get-secret-value'))
        return { what: 'a stored secret', instead: 'aws secretsmanager list-secrets' };
      return starts(call, 'ssm get-parameter|get-parameters|get-parameters-by-path') && call.has('with-decryption')
        ? { what: 'a stored secret', instead: 'aws ssm describe-parameters' }
        : undefined;
    },
  },
  az: store(
    'a cloud credential',
    [
      'account get-access-token',
      'keyvault secret show|download',
      'acr credential show',
      'storage account keys list',
      'ad sp create-for-rbac',
      'webapp deployment list-publishing-credentials',
    ],
    { instead: 'az account show' },
    { greedy: true },
  ),
  vault: store('a stored secret', ['kv get', 'read', 'token create', 'print token'], { instead: 'vault secrets list' }),
  op: {
    habits: { values: ['vault', 'fields', 'format', 'account'] },
    prints: (call) =>
      starts(call, 'read') || (starts(call, 'item get') && (call.has('reveal') || call.has('fields')))
        ? { what: 'a stored secret', instead: 'op item list' }
        : undefined,
  },
  pass: {
    prints: (call) =>
      call.texts.length > 0 &&
      !['ls', 'list', 'find', 'search', 'insert', 'generate', 'git', 'init', 'edit', 'rm', 'mv', 'cp', 'help', 'version'].includes(
        call.texts[0]!,
      ) &&
      !call.has('c', 'clip')
        ? { what: 'a stored password', strong: true, instead: 'pass ls' }
        : undefined,
  },
  gopass: {
    prints: (call) =>
      starts(call, 'show') && !call.has('c', 'clip') ? { what: 'a stored password', strong: true, instead: 'gopass ls' } : undefined,
  },
  bw: store('a stored password', ['get password|item|totp', 'export'], { strong: true }),
  security: {
    habits: { values: ['a', 's', 'l', 'D', 'c', 'C', 'j', 'G', 'r', 'p'] },
    prints: (call) =>
      (starts(call, 'find-generic-password|find-internet-password') &&
        (call.has('w', 'g') || /[wg]/.test(call.letters.replace(/[aslDcCjGrp]/g, '')))) ||
      (starts(call, 'dump-keychain') && call.has('d')) ||
      starts(call, 'export')
        ? { what: 'a password of the keychain', strong: true }
        : undefined,
  },
  terraform: infrastructure('terraform'),
  tofu: infrastructure('tofu'),
  docker: containers('docker'),
  podman: containers('podman'),
  'secret-tool': store('a password of the keyring', ['lookup', 'search'], { strong: true }),
  keyring: store('a password of the keyring', ['get'], { strong: true }),
  doppler: store('a stored secret', ['secrets get', 'secrets download'], { instead: 'doppler secrets --only-names' }),
  infisical: store('a stored secret', ['secrets get', 'export']),
  chamber: store('a stored secret', ['read', 'export', 'env']),
  sops: { prints: (call) => (call.has('d', 'decrypt') || starts(call, 'decrypt|exec-env') ? { what: 'a decrypted secret' } : undefined) },
  kubectl: {
    habits: { greedy: true, flags: ['A', 'all-namespaces', 'raw', 'show-labels', 'w'] },
    prints: (call) => {
      if (starts(call, 'config view') && call.has('raw')) return { what: 'cluster credentials', instead: 'kubectl config view' };
      const secret = starts(call, 'get') && call.texts.slice(1).some((text) => /^secrets?(\/|$)/.test(text));
      const format = call.text('o', 'output') ?? '';
      return secret &&
        /^(yaml|json|jsonpath|go-template|custom-columns)/.test(format) &&
        !/^(custom-columns=NAME|jsonpath=\{\.(?:items\[\*\]\.)?(?:metadata|type))/.test(format) &&
        !/keys|range \$k, ?_/.test(format)
        ? { what: 'a cluster secret', instead: 'kubectl get secrets' }
        : undefined;
    },
  },
  heroku: store(
    "the application's settings",
    ['config', 'config:get', 'auth:token'],
    { instead: 'heroku apps:info' },
    { values: ['a', 'app', 'r', 'remote'] },
  ),
  npm: {
    prints: (call) =>
      starts(call, 'config|c get') && /_auth|token|password/i.test(call.texts[2] ?? '')
        ? { what: 'a registry token', instead: 'npm whoami' }
        : undefined,
  },
  fly: store('a token', ['tokens create', 'auth token'], {}, { values: ['a', 'app'] }),
  flyctl: store('a token', ['tokens create', 'auth token'], {}, { values: ['a', 'app'] }),
  netlify: store("the site's settings", ['env:list', 'env:get']),
  vercel: {
    prints: (call) => (starts(call, 'env pull') && call.texts[2] === '/dev/stdout' ? { what: "the project's settings" } : undefined),
  },
  dotenv: store('a credential of an environment file', ['get', 'list']),
  dotenvx: store('a credential of an environment file', ['get', 'decrypt']),
  rails: store('the encrypted credentials', ['credentials:show', 'encrypted:show']),
  gpg: {
    prints: (call) =>
      call.has('export-secret-keys', 'export-secret-subkeys')
        ? { what: 'a private key', strong: true, instead: 'gpg --list-secret-keys' }
        : undefined,
  },
};
