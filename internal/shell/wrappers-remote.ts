/** Wrappers that run a command elsewhere: on another machine or in a container. */
import { type Grammar, type Parsed, parseOptions } from './options.ts';
import { textOf, type Word } from './word.ts';
import { joinWords, type Unwrap } from './wrappers-core.ts';

export const ssh: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: [...'46AaCfGgKkMNnqsTtVvXxYy'],
    values: [...'BbcDEeFIiJLlmOoPpQRSWw'],
    stopAtOperand: true,
    abbreviate: false,
  });
  const [host, ...command] = parsed.operands;
  if (!host || command.length === 0) return undefined;
  return { kind: 'code', code: joinWords(command), via: `ssh ${host.raw}`, remote: true, keep: true };
};

const CONTAINER_VALUES = [
  'a',
  'attach',
  'add-host',
  'annotation',
  'blkio-weight',
  'cap-add',
  'cap-drop',
  'cgroup-parent',
  'cgroupns',
  'cidfile',
  'c',
  'cpu-shares',
  'cpus',
  'cpuset-cpus',
  'detach-keys',
  'device',
  'dns',
  'domainname',
  'entrypoint',
  'e',
  'env',
  'env-file',
  'expose',
  'gpus',
  'group-add',
  'health-cmd',
  'h',
  'hostname',
  'ip',
  'ipc',
  'isolation',
  'kernel-memory',
  'l',
  'label',
  'label-file',
  'link',
  'log-driver',
  'log-opt',
  'mac-address',
  'm',
  'memory',
  'mount',
  'name',
  'net',
  'network',
  'network-alias',
  'oom-score-adj',
  'pid',
  'pids-limit',
  'platform',
  'p',
  'publish',
  'pull',
  'restart',
  'runtime',
  'security-opt',
  'shm-size',
  'stop-signal',
  'storage-opt',
  'sysctl',
  'tmpfs',
  'ulimit',
  'u',
  'user',
  'userns',
  'uts',
  'v',
  'volume',
  'volume-driver',
  'volumes-from',
  'w',
  'workdir',
  'index',
];

const CONTAINER_FLAGS = [
  'd',
  'detach',
  'i',
  'interactive',
  't',
  'tty',
  'T',
  'rm',
  'init',
  'privileged',
  'P',
  'publish-all',
  'read-only',
  'no-healthcheck',
  'q',
  'quiet',
  'no-deps',
  'build',
  'service-ports',
  'no-TTY',
];

/** docker and podman exec/run, compose exec/run: what runs in the container. */
export const container: Unwrap = (args, name) => {
  const global: Grammar = {
    values: [
      'H',
      'host',
      'c',
      'context',
      'config',
      'l',
      'log-level',
      'f',
      'file',
      'p',
      'project-name',
      'profile',
      'env-file',
      'project-directory',
      'ansi',
    ],
    flags: ['D', 'debug', 'tls', 'compatibility', 'dry-run'],
    stopAtOperand: true,
  };
  let words = parseOptions(args, global).operands;
  let verb = textOf(words[0]);
  let label = name;
  if (verb === 'compose' || verb === 'container') {
    label = `${name} ${verb}`;
    words = parseOptions(words.slice(1), global).operands;
    verb = textOf(words[0]);
  }
  if (verb !== 'exec' && verb !== 'run') return undefined;
  const parsed = parseOptions(words.slice(1), { values: CONTAINER_VALUES, flags: CONTAINER_FLAGS, stopAtOperand: true, abbreviate: false });
  const [target, ...argv] = parsed.operands;
  const entry = parsed.word('entrypoint');
  const inner = entry ? [entry, ...argv] : argv;
  if (!target || inner.length === 0) return undefined;
  const workdir = parsed.word('workdir') ?? parsed.word('w');
  return {
    kind: 'argv',
    argv: inner,
    via: `${label} ${verb} ${target.raw}`,
    remote: true,
    keep: true,
    binds: [
      ...each(parsed, 'v', 'volume').map((word) => ({ how: 'volume' as const, word })),
      ...each(parsed, 'mount').map((word) => ({ how: 'mount' as const, word })),
    ],
    ...(workdir ? { inside: workdir } : {}),
  };
};

/** All values of an option, under each of its names. */
const each = (parsed: Parsed, ...names: readonly string[]): readonly Word[] =>
  names.flatMap((name) => (parsed.options.get(name) ?? []).filter((word) => word !== undefined));

/** kubectl exec POD -- CMD, oc exec. */
export const kubectl: Unwrap = (args, name) => {
  const verb = args.findIndex((word) => textOf(word) === 'exec');
  const dashes = args.findIndex((word) => textOf(word) === '--');
  if (verb < 0 || dashes < verb) return undefined;
  const argv = args.slice(dashes + 1);
  return argv.length > 0 ? { kind: 'argv', argv, via: `${name} exec`, remote: true, keep: true } : undefined;
};

/** `fly ssh console -C CMD`: a line for the machine in the cloud. */
export const fly: Unwrap = (args, name) => {
  const texts = args.map((word) => textOf(word));
  if (texts[0] !== 'ssh' || texts[1] !== 'console') return undefined;
  const at = texts.findIndex((text) => text === '-C' || text === '--command');
  const code = at < 0 ? undefined : args[at + 1];
  return code ? { kind: 'code', code, via: `${name} ssh`, remote: true, keep: true } : undefined;
};
