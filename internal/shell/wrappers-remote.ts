/** Wrappers that run a command elsewhere: on another machine or in a container. */
import { type Grammar, type Parsed, parseOptions } from './options.ts';
import { literal, textOf, type Word } from './word.ts';
import { assignmentsFirst, from, joinWords, leading, type Unwrap } from './wrappers-core.ts';

export const ssh: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: [...'46AaCfGgKkMNnqsTtVvXxYy'],
    values: [...'BbcDEeFIiJLlmOoPpQRSWw'],
    stopAtOperand: true,
    abbreviate: false,
  });
  const [host, ...command] = parsed.operands;
  if (!host) return undefined;
  // Without a command the other machine's shell reads what stands in the line: `ssh host <<EOF`.
  if (command.length === 0)
    return parsed.has('N') || parsed.has('f') || parsed.has('V')
      ? undefined
      : { kind: 'stdin', via: `ssh ${host.raw}`, remote: true, keep: true };
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
  const env = each(parsed, 'e', 'env').flatMap((word) => assignmentsFirst([word]).env);
  return {
    kind: 'argv',
    argv: inner,
    ...(env.length > 0 ? { env } : {}),
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

/** What `docker run` is given: the volumes as written, and the command inside. */
export function runOf(args: readonly Word[]): { volumes: readonly Word[]; inner: readonly Word[] } | undefined {
  const at = args.findIndex((word) => textOf(word) === 'run');
  if (at < 0) return undefined;
  const parsed = parseOptions(args.slice(at + 1), {
    values: CONTAINER_VALUES,
    flags: CONTAINER_FLAGS,
    stopAtOperand: true,
    abbreviate: false,
  });
  const entry = parsed.word('entrypoint');
  const mounted = each(parsed, 'mount').flatMap((word) => {
    const options = new Map((textOf(word) ?? '').split(',').map((part) => [part.split('=', 1)[0]!, part.slice(part.indexOf('=') + 1)]));
    const name = options.get('source') ?? options.get('src');
    const at = options.get('target') ?? options.get('destination') ?? options.get('dst');
    const fixed = options.has('readonly') || options.has('ro');
    return options.get('type') === 'volume' && name && at ? [literal(`${name}:${at}${fixed ? ':ro' : ''}`)] : [];
  });
  return { volumes: [...each(parsed, 'v', 'volume'), ...mounted], inner: [...(entry ? [entry] : []), ...parsed.operands.slice(1)] };
}

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

/** How a tool says what runs on another machine: its verbs, and the option with the line, or `--` before the command. */
interface Away {
  verbs: string;
  options?: readonly string[];
}

/** Tools that run a line on a machine in the cloud or in a virtual machine. */
const AWAY: Readonly<Record<string, readonly Away[]>> = {
  fly: [{ verbs: 'ssh console', options: ['-C', '--command'] }],
  flyctl: [{ verbs: 'ssh console', options: ['-C', '--command'] }],
  gcloud: [{ verbs: 'compute ssh', options: ['--command'] }],
  aws: [{ verbs: 'ecs execute-command', options: ['--command'] }],
  az: [
    { verbs: 'vm run-command', options: ['--scripts'] },
    { verbs: 'containerapp exec', options: ['--command'] },
  ],
  doctl: [{ verbs: 'compute ssh', options: ['--ssh-command'] }],
  eb: [{ verbs: 'ssh', options: ['-c', '--command'] }],
  vagrant: [{ verbs: 'ssh', options: ['-c', '--command'] }],
  railway: [{ verbs: 'ssh' }],
  multipass: [{ verbs: 'exec' }],
  colima: [{ verbs: 'ssh' }],
  minikube: [{ verbs: 'ssh' }],
  lxc: [{ verbs: 'exec' }],
  incus: [{ verbs: 'exec' }],
};

/** A line, or words behind `--`, that run on another machine. */
export const away: Unwrap = (args, name) => {
  const texts = args.map((word) => textOf(word));
  for (const { verbs, options } of AWAY[name] ?? []) {
    const words = verbs.split(' ');
    const at = texts.indexOf(words[0]);
    if (at < 0 || !words.every((word, i) => texts[at + i] === word)) continue;
    const via = `${name} ${verbs}`;
    for (const option of options ?? []) {
      const found = args.findIndex((word) => textOf(word) === option || leading(word).startsWith(`${option}=`));
      const word = args[found];
      const code = word === undefined ? undefined : textOf(word) === option ? args[found + 1] : from(word, option.length + 1);
      if (code) return { kind: 'code', code, via, remote: true, keep: true };
    }
    const dashes = texts.indexOf('--');
    if (options === undefined && dashes >= 0 && dashes + 1 < args.length)
      return { kind: 'argv', argv: args.slice(dashes + 1), via, remote: true, keep: true };
  }
  return undefined;
};

/** `ansible HOSTS -m shell -a LINE`: on every machine of the inventory. Without a module the line is a command. */
export const ansible: Unwrap = (args, name) => {
  const parsed = parseOptions(args, {
    values: ['m', 'module-name', 'a', 'args', 'i', 'inventory', 'u', 'user', 'l', 'limit', 'f', 'forks', 'e', 'extra-vars', 'become-user'],
    abbreviate: false,
  });
  const module = parsed.text('m') ?? parsed.text('module-name') ?? 'command';
  const code = parsed.word('a') ?? parsed.word('args');
  if (!code || parsed.has('C') || parsed.has('check') || !/(^|\.)(?:shell|command|raw|script)$/.test(module)) return undefined;
  return { kind: 'code', code, via: `${name} ${parsed.operands[0]?.raw ?? ''}`.trim(), remote: true, keep: true };
};
