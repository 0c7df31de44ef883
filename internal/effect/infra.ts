/** Infrastructure tools: terraform and its kin, kubectl, helm, machines, secret stores, backups. */
import type { Command } from '../shell/command.ts';
import { literal, shapeOf, textOf, type Word } from '../shell/word.ts';
import { isAnswered, isThrowawayName } from './data-input.ts';
import { baseOf, type Family, type FamilyTable } from './family.ts';
import { type Call, callOf, commandLine, type Habits, isHelp, isRehearsal, lineOf, matchPath, namesOf, plainName } from './infra-words.ts';
import type { InfraEffect } from './types-outside.ts';

/** One destruction of infrastructure, with the fields every effect has. */
export function infraLoss(
  command: Command,
  tool: string,
  what: string,
  more: Partial<Extract<InfraEffect, { kind: 'infra.destroy' }>> = {},
): InfraEffect {
  return { ...baseOf(command), command: commandLine(command), ...more, kind: 'infra.destroy', tool, what: plainName(what) };
}

/** The command with one word replaced, and some options left out; undefined when that word is not there. */
function withWord(command: Command, from: string, to: readonly string[], without: readonly string[] = []): string | undefined {
  const at = command.argv.findIndex((word, index) => index > 0 && textOf(word) === from);
  if (at < 0) return undefined;
  const words: Word[] = command.argv.flatMap((word, index) =>
    index === at
      ? to.map((text) => literal(text))
      : index > 0 && without.some((name) => shapeOf(word) === name || shapeOf(word).startsWith(`${name}=`))
        ? []
        : [word],
  );
  return lineOf(words);
}

const TERRAFORM_FLAGS = ['-auto-approve', '--auto-approve', '-force', '--force', '-destroy', '--destroy', '-lock', '-no-color'];

/** terraform, tofu, terragrunt: `plan` passes, also with -destroy. */
const terraform: Family = (command, context) => {
  const call = callOf(command, { values: ['var', 'var-file', 'target', 'replace', 'terragrunt-working-dir', 'working-dir'] });
  if (isHelp(call)) return [];
  const words = call.texts[0] === 'run-all' || call.texts[0] === 'run' ? call.texts.slice(1) : call.texts;
  const [verb, second] = words;
  const tool = command.name;
  const plan = `${tool} plan`;
  const approved = call.has('auto-approve') || isAnswered(command, context) || call.has('terragrunt-non-interactive', 'non-interactive');
  const targets = call.options.get('target')?.map((word) => (word ? shapeOf(word) : '')) ?? [];
  const what = targets.length > 0 ? targets.join(' ') : 'every resource of the workspace';
  if (verb === 'destroy')
    return [
      infraLoss(command, tool, what, {
        preview: withWord(command, 'destroy', ['plan', '-destroy'], TERRAFORM_FLAGS) ?? `${plan} -destroy`,
      }),
    ];
  if (verb === 'apply' && call.has('destroy'))
    return [
      infraLoss(command, tool, what, { preview: withWord(command, 'apply', ['plan', '-destroy'], TERRAFORM_FLAGS) ?? `${plan} -destroy` }),
    ];
  if (verb === 'apply' && approved && words.length === 1) {
    return [
      {
        ...baseOf(command),
        kind: 'infra.change',
        tool,
        what: 'whatever the configuration says now, without a plan that was read',
        preview: withWord(command, 'apply', ['plan'], TERRAFORM_FLAGS),
        command: commandLine(command),
      },
    ];
  }
  if (verb === 'state' && second === 'rm' && !isRehearsal(call))
    return [infraLoss(command, tool, `state of ${namesOf(call.words.slice(2))}`, { preview: `${tool} state list` })];
  if (verb === 'state' && second === 'push') return [infraLoss(command, tool, 'the remote state', { preview: `${tool} state list` })];
  if (verb === 'workspace' && second === 'delete')
    return [infraLoss(command, tool, `workspace ${namesOf(call.words.slice(2))}`, { preview: `${tool} workspace list` })];
  if (verb === 'force-unlock')
    return [infraLoss(command, tool, 'the lock another run may hold', { preview: `${tool} workspace show`, recoverable: true })];
  return [];
};

const pulumi: Family = (command, context) => {
  const call = callOf(command, { values: ['s', 'stack', 'C', 'cwd', 'target', 't'] });
  if (isHelp(call) || call.has('preview-only')) return [];
  const [verb, second] = call.texts;
  const stack = call.text('s', 'stack') ?? 'the current stack';
  if (verb === 'destroy' || verb === 'dn') return [infraLoss(command, 'pulumi', stack, { preview: 'pulumi stack --show-urns' })];
  if (verb === 'stack' && second === 'rm')
    return [infraLoss(command, 'pulumi', `stack ${namesOf(call.words.slice(2))}`, { preview: 'pulumi stack ls' })];
  if (verb === 'state' && second === 'delete')
    return [infraLoss(command, 'pulumi', `state of ${namesOf(call.words.slice(2))}`, { preview: 'pulumi stack --show-urns' })];
  if ((verb === 'up' || verb === 'update') && (call.has('y', 'yes', 'skip-preview') || isAnswered(command, context)))
    return [
      { ...baseOf(command), kind: 'infra.change', tool: 'pulumi', what: stack, preview: 'pulumi preview', command: commandLine(command) },
    ];
  return [];
};

/** kubectl: values that turn `--dry-run` round are read; what a controller makes anew is recoverable. */
const kubectl: Family = (command) => {
  const call = callOf(command, {
    greedy: true,
    flags: [
      'force',
      'now',
      'all',
      'A',
      'all-namespaces',
      'dry-run',
      'wait',
      'R',
      'recursive',
      'prune',
      'ignore-not-found',
      'ignore-daemonsets',
      'delete-emptydir-data',
      'disable-eviction',
      'v',
      'insecure-skip-tls-verify',
      'h',
      'help',
      'cascade',
      'show-labels',
      'w',
      'watch',
      'i',
      't',
      'it',
      'server-side',
      'q',
      'quiet',
      'interactive',
    ],
  });
  const dry = call.options.get('dry-run');
  if (isHelp(call) || (dry && !/^(none|false)$/.test(dry.at(-1) ? shapeOf(dry.at(-1)!) : 'client'))) return [];
  const [verb, ...rest] = call.texts;
  const preview = (from: string) =>
    withWord(
      command,
      from,
      ['get'],
      ['--force', '--now', '--grace-period', '--wait', '--cascade', '--dry-run', '--timeout', '--interactive', '-i'],
    );
  if (isLocalCluster(call)) return [];
  switch (verb) {
    case 'delete': {
      const whole = call.has('all', 'A', 'all-namespaces');
      const kinds = rest.flatMap((text) => text.split(',')).map((text) => text.split('/')[0]!.toLowerCase());
      const named = kinds[0] !== undefined && REMADE.has(kinds[0]) && !whole && !call.has('f', 'filename', 'k');
      const what = call.has('f', 'filename', 'k', 'kustomize')
        ? `what ${call.text('f', 'filename', 'k', 'kustomize') ?? 'the manifests'} names`
        : `${namesOf(call.words.slice(1))}${whole ? ' (all)' : ''}`;
      return [infraLoss(command, 'kubectl', what, { preview: preview('delete'), ...(named ? { recoverable: true } : {}) })];
    }
    case 'drain':
      return [
        infraLoss(command, 'kubectl', `the pods of node ${namesOf(call.words.slice(1))}`, {
          preview: `kubectl get pods --all-namespaces --field-selector spec.nodeName=${rest[0] ?? ''}`,
          recoverable: !call.has('delete-emptydir-data', 'disable-eviction'),
        }),
      ];
    case 'scale':
      return call.text('replicas') === '0'
        ? [
            infraLoss(command, 'kubectl', `all replicas of ${namesOf(call.words.slice(1))}`, {
              preview: `kubectl get ${lineOf(call.words.slice(1))}`,
              recoverable: true,
            }),
          ]
        : [];
    case 'replace':
      return call.has('force')
        ? [
            infraLoss(command, 'kubectl', `what ${call.text('f', 'filename') ?? 'the manifest'} names, before it is made again`, {
              preview: withWord(command, 'replace', ['diff'], ['--force', '--grace-period']),
            }),
          ]
        : [];
    case 'apply':
      return call.has('prune')
        ? [
            infraLoss(command, 'kubectl', 'objects that the manifests no longer name', {
              preview: withWord(command, 'apply', ['diff'], ['--force']),
            }),
          ]
        : [];
    case 'taint':
    case 'cordon':
      return [];
    default:
      return [];
  }
};

const REMADE = new Set([
  'pod',
  'pods',
  'po',
  'replicaset',
  'replicasets',
  'rs',
  'event',
  'events',
  'ev',
  'job',
  'jobs',
  'lease',
  'leases',
  'endpoints',
  'ep',
]);

/** A cluster that runs on this machine for tests: kind, k3d, minikube, docker-desktop. */
const isLocalCluster = (call: Call): boolean =>
  /^(kind-|k3d-|minikube$|docker-desktop$|rancher-desktop$|colima|orbstack$)/.test(call.text('context') ?? '');

const helm: Family = (command) => {
  const call = callOf(command, {
    greedy: true,
    flags: [
      'dry-run',
      'keep-history',
      'no-hooks',
      'wait',
      'debug',
      'ignore-not-found',
      'force',
      'purge',
      'h',
      'help',
      'cleanup-on-fail',
      'recreate-pods',
      'atomic',
      'install',
      'i',
    ],
  });
  if (isHelp(call) || isRehearsal(call)) return [];
  const [verb] = call.texts;
  if (verb === 'uninstall' || verb === 'delete' || verb === 'del' || verb === 'un')
    return [infraLoss(command, 'helm', `release ${namesOf(call.words.slice(1))}`, { preview: `${commandLine(command)} --dry-run` })];
  if (verb === 'rollback')
    return [
      infraLoss(command, 'helm', `the present revision of ${namesOf(call.words.slice(1))}`, {
        preview: `${commandLine(command)} --dry-run`,
        recoverable: true,
      }),
    ];
  return [];
};

/** One verb of a tool that is plain enough for a table: words, what it loses, how to look first. */
interface Plain {
  path: string;
  needs?: readonly string[];
  unless?: readonly string[];
  preview?: string;
  recoverable?: boolean;
}
interface PlainTool extends Habits {
  verbs: readonly Plain[];
  /** Emulator or local flags. */
  local?: readonly string[];
}

const v = (paths: string, preview?: string, more: Partial<Plain> = {}): Plain[] =>
  paths.split(', ').map((path) => ({ path, preview, ...more }));

const TOOLS: Readonly<Record<string, PlainTool>> = {
  cdk: { verbs: v('destroy', 'npx cdk list'), values: ['app', 'a', 'c', 'context', 'profile'] },
  cdktf: { verbs: v('destroy', 'npx cdktf list') },
  serverless: { verbs: v('remove', 'npx serverless info'), values: ['stage', 's', 'region', 'r', 'config', 'c'] },
  sls: { verbs: v('remove', 'npx sls info'), values: ['stage', 's', 'region', 'r', 'config', 'c'] },
  sst: { verbs: v('remove', 'npx sst version'), values: ['stage'] },
  sam: { verbs: v('delete', 'sam list resources'), values: ['stack-name', 'region', 'profile'] },
  copilot: { verbs: v('app|env|svc|job delete', 'copilot app ls') },
  eb: { verbs: v('terminate', 'eb status') },
  amplify: { verbs: v('delete, env|remove remove', 'amplify status') },
  eksctl: { verbs: v('delete *', 'eksctl get cluster'), values: ['name', 'region', 'cluster', 'f'] },
  kops: { verbs: v('delete *', 'kops get cluster', { needs: ['yes'] }), values: ['name', 'state'] },
  argocd: { verbs: v('app|appset|proj|cluster|repo delete|rm', 'argocd app list'), values: ['server', 'auth-token', 'grpc-web-root-path'] },
  flux: { verbs: v('uninstall, delete *', 'flux get all'), values: ['n', 'namespace'] },
  velero: {
    verbs: v('backup|schedule|restore|backup-location|snapshot-location delete, delete *, uninstall', 'velero backup get'),
    values: ['n', 'namespace'],
  },
  istioctl: { verbs: v('uninstall', 'istioctl version') },
  linkerd: { verbs: v('uninstall', 'linkerd check') },
  nomad: {
    verbs: [
      ...v('job stop, stop', 'nomad job status', { needs: ['purge'] }),
      ...v('namespace|volume|var delete|purge, system gc', 'nomad status'),
    ],
    values: ['address', 'namespace', 'region'],
  },
  vault: {
    verbs: [
      ...v(
        'secrets|auth disable, kv destroy, kv metadata delete, policy delete, token revoke, lease revoke, operator seal, namespace delete, delete, audit disable',
        'vault secrets list',
      ),
      ...v('kv delete', 'vault secrets list'),
    ],
    values: ['namespace', 'address', 'mount', 'versions', 'ns'],
  },
  op: {
    verbs: v('item|document|vault|group|user delete|rm, connect token|server delete', 'op vault list'),
    values: ['vault', 'account', 'session'],
  },
  doppler: {
    verbs: v('secrets|configs|projects|environments delete', 'doppler projects'),
    values: ['project', 'p', 'config', 'c', 'token'],
  },
  vagrant: { verbs: v('destroy, box remove', 'vagrant status') },
  virsh: {
    verbs: v('undefine, vol-delete, pool-delete, pool-undefine, snapshot-delete, net-undefine', 'virsh list --all'),
    values: ['c', 'connect'],
  },
  vboxmanage: {
    verbs: [
      ...v('unregistervm', 'VBoxManage list vms', { needs: ['delete', 'delete-all'] }),
      ...v('closemedium', 'VBoxManage list hdds', { needs: ['delete'] }),
      ...v('snapshot * delete', 'VBoxManage list vms'),
    ],
  },
  multipass: { verbs: v('delete, purge', 'multipass list') },
  limactl: { verbs: v('delete|rm, factory-reset', 'limactl list') },
  colima: { verbs: v('delete', 'colima list') },
  orb: { verbs: v('delete, reset', 'orb list') },
  lxc: { verbs: v('delete, image|storage|network|profile|project delete', 'lxc list') },
  incus: { verbs: v('delete, image|storage|network|profile|project delete', 'incus list') },
  pct: { verbs: v('destroy', 'pct list') },
  qm: { verbs: v('destroy', 'qm list') },
  restic: {
    verbs: [
      ...v('forget', 'restic snapshots'),
      ...v('prune, key remove, rewrite, repair', 'restic snapshots'),
      ...v('unlock', 'restic list locks', { needs: ['remove-all'] }),
      ...v('cache', 'restic cache', { needs: ['cleanup'], recoverable: true }),
    ],
    values: [
      'o',
      'option',
      'r',
      'repo',
      'p',
      'password-file',
      'host',
      'tag',
      'path',
      'keep-last',
      'keep-daily',
      'keep-weekly',
      'keep-monthly',
      'keep-yearly',
      'l',
    ],
  },
  borg: {
    verbs: v('delete, prune, compact, recreate, break-lock', 'borg list'),
    values: ['rsh', 'remote-path', 'keep-daily', 'keep-weekly', 'keep-monthly', 'keep-within', 'glob-archives', 'a'],
  },
  kopia: { verbs: v('snapshot|policy delete, repository disconnect', 'kopia snapshot list') },
  zfs: { verbs: v('destroy, rollback', 'zfs list -t all') },
  zpool: { verbs: v('destroy, labelclear, remove', 'zpool status') },
  btrfs: { verbs: v('subvolume delete|del, device delete|remove', 'btrfs subvolume list .') },
  rclone: {
    verbs: v('sync, delete, deletefile, purge, cleanup, dedupe, move, moveto, rmdirs', 'rclone listremotes', {
      unless: ['n', 'i', 'interactive'],
    }),
    values: ['config', 'filter', 'include', 'exclude', 'transfers', 'checkers', 'min-age', 'max-age', 'bwlimit'],
  },
  mc: {
    verbs: v('rb, rm, admin bucket delete|remove, admin user|policy|group remove|disable|unset, ilm rule rm, replicate rm', 'mc ls', {
      unless: ['fake'],
    }),
    values: ['config-dir', 'older-than', 'newer-than'],
  },
  s3cmd: { verbs: v('rb, del, rm, expire', 's3cmd ls'), values: ['c', 'config', 'access_key', 'secret_key', 'host'] },
  s5cmd: { verbs: v('rm, rb', 's5cmd ls'), values: ['endpoint-url', 'profile'] },
  azcopy: { verbs: v('remove|rm', 'azcopy jobs list') },
  'gitlab-runner': { verbs: v('unregister', 'gitlab-runner list') },
  ansible: { verbs: [] },
};

/** Options whose presence makes a copy delete at the other side. */
const MIRRORS: Readonly<Record<string, { path: string; options: readonly string[] }>> = {
  mc: { path: 'mirror', options: ['remove'] },
  azcopy: { path: 'sync', options: ['delete-destination'] },
  s3cmd: { path: 'sync', options: ['delete-removed'] },
  s5cmd: { path: 'sync', options: ['delete'] },
};

const plain =
  (name: string, tool: PlainTool): Family =>
  (command) => {
    const call = callOf(command, tool);
    if (isHelp(call) || call.has('h') || isRehearsal(call) || tool.local?.some((option) => call.has(option))) return [];
    const mirror = MIRRORS[name];
    if (mirror && call.texts[0] === mirror.path && mirror.options.some((option) => call.has(option) && call.text(option) !== 'false'))
      return [infraLoss(command, name, `what the destination ${call.texts.at(-1) ?? ''} has and the source has not`)];
    for (const verb of tool.verbs) {
      const taken = matchPath(call.texts, verb.path);
      if (taken === undefined || (verb.needs && !call.has(...verb.needs)) || (verb.unless && call.has(...verb.unless))) continue;
      const local = call.texts.slice(taken).length > 0 && call.texts.slice(taken).every(isThrowawayName);
      return [
        infraLoss(command, name, namesOf(call.words.slice(verb.path === '*' ? 0 : Math.max(0, taken - 1))) || verb.path, {
          ...(verb.preview ? { preview: verb.preview } : {}),
          ...(verb.recoverable ? { recoverable: true } : {}),
          ...(local ? { local: true } : {}),
        }),
      ];
    }
    return [];
  };

/** Kong's declarative tool: a selective sync deletes what it does not list. */
const deck: Family = (command) => {
  const call = callOf(command, { values: ['select-tag', 's', 'state', 'kong-addr', 'config'] });
  const words = call.texts[0] === 'gateway' ? call.texts.slice(1) : call.texts;
  if (isHelp(call)) return [];
  if (words[0] === 'reset') return [infraLoss(command, 'deck', 'the whole gateway configuration', { preview: 'deck gateway dump' })];
  if (words[0] === 'sync' && call.has('select-tag'))
    return [infraLoss(command, 'deck', 'entities the file does not list', { preview: 'deck gateway diff' })];
  return [];
};

/** Families of infrastructure tools, by program. */
export const INFRA_TOOLS: FamilyTable = {
  ...Object.fromEntries(Object.entries(TOOLS).map(([name, tool]) => [name, plain(name, tool)])),
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  pulumi,
  kubectl,
  oc: kubectl,
  k: kubectl,
  helm,
  helm3: helm,
  deck,
};
