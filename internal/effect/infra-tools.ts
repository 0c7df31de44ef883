/** Infrastructure tools whose losing verbs can be listed: machines, clusters, secret stores, backups, object stores. One line a verb. */
import type { Habits } from './infra-words.ts';

/** One verb of a tool that is plain enough for a table: words, what it loses, how to look first. */
interface Plain {
  path: string;
  needs?: readonly string[];
  unless?: readonly string[];
  preview?: string;
  recoverable?: boolean;
}
export interface PlainTool extends Habits {
  verbs: readonly Plain[];
  /** Emulator or local flags. */
  local?: readonly string[];
}

const v = (paths: string, preview?: string, more: Partial<Plain> = {}): Plain[] =>
  paths.split(', ').map((path) => ({ path, preview, ...more }));

export const TOOLS: Readonly<Record<string, PlainTool>> = {
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
  kamal: {
    verbs: [...v('remove, accessory remove', 'kamal details'), ...v('app remove, proxy remove', 'kamal details', { recoverable: true })],
    values: ['d', 'destination', 'c', 'config-file', 'h', 'hosts', 'r', 'roles', 'v', 'version'],
  },
  dokku: {
    verbs: v(
      'apps:destroy|postgres:destroy|mysql:destroy|mariadb:destroy|redis:destroy|mongo:destroy|elasticsearch:destroy|storage:unmount|postgres:unlink',
      'dokku apps:list',
    ),
  },
  ddev: { verbs: v('delete, clean', 'ddev list') },
  lando: { verbs: v('destroy', 'lando list') },
  'wp-env': { verbs: v('destroy, clean', 'wp-env --help') },
  okteto: { verbs: v('destroy', 'okteto context show') },
  devspace: { verbs: v('purge', 'devspace list deployments') },
  'gitlab-runner': { verbs: v('unregister', 'gitlab-runner list') },
  ansible: { verbs: [] },
};

/** Options whose presence makes a copy delete at the other side. */
export const MIRRORS: Readonly<Record<string, { path: string; options: readonly string[] }>> = {
  mc: { path: 'mirror', options: ['remove'] },
  azcopy: { path: 'sync', options: ['delete-destination'] },
  s3cmd: { path: 'sync', options: ['delete-removed'] },
  s5cmd: { path: 'sync', options: ['delete'] },
};
