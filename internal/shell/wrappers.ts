/**
 * Wrappers: programs that run another command given in their arguments.
 * Each entry reads its own options and says what runs inside and what changes around it.
 */
import { isKnownProgram } from './known-programs.ts';
import { parseOptions } from './options.ts';
import { hasGlob, isOption, literal, shapeOf, textOf, type Word } from './word.ts';
import { assignmentsFirst, type Inner, joinWords, plain, type Unwrap } from './wrappers-core.ts';
import { fd, find, parallel, xargs } from './wrappers-each.ts';
import { afterDashes, ESCAPES } from './wrappers-escape.ts';
import { MANAGERS } from './wrappers-managers.ts';
import { ansible, away, container, kubectl, ssh } from './wrappers-remote.ts';

const env: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: ['i', 'ignore-environment', '0', 'null', 'v', 'debug'],
    values: ['u', 'unset', 'C', 'chdir', 'S', 'split-string', 'P'],
    aliases: { unset: 'u', chdir: 'C', 'split-string': 'S', 'ignore-environment': 'i' },
    stopAtOperand: true,
  });
  const unset = (parsed.options.get('u') ?? []).flatMap((word): [string, undefined][] => {
    const text = textOf(word);
    return text === undefined ? [] : [[text, undefined]];
  });
  const { env: set, argv } = assignmentsFirst(parsed.operands.filter((word) => textOf(word) !== '-'));
  // `env A=1 -u B cmd`: some implementations go on reading options behind assignments; what would run is the same.
  if (set.length > 0 && argv[0] && isOption(argv[0])) {
    const more = env(argv, 'env');
    return more && 'kind' in more ? { ...more, env: [...unset, ...set, ...(more.env ?? [])] } : more;
  }
  const around = { via: 'env', env: [...unset, ...set], chdir: parsed.word('C'), clearEnv: parsed.has('i') || undefined };
  const split = parsed.word('S');
  if (split) return { kind: 'code', code: joinWords([split, ...argv]), ...around };
  return argv.length > 0 ? { kind: 'argv', argv, ...around } : undefined;
};

const sudo: Unwrap = (args, name) => {
  const parsed = parseOptions(args, {
    flags: [
      'A',
      'b',
      'E',
      'e',
      'H',
      'h',
      'i',
      'K',
      'k',
      'l',
      'n',
      'P',
      'S',
      's',
      'V',
      'v',
      'B',
      'N',
      'preserve-env',
      'login',
      'shell',
      'non-interactive',
      'stdin',
      'background',
      'list',
    ],
    values: [
      'u',
      'user',
      'g',
      'group',
      'C',
      'close-from',
      'D',
      'chdir',
      'h',
      'host',
      'p',
      'prompt',
      'r',
      'role',
      'R',
      'chroot',
      't',
      'type',
      'T',
      'command-timeout',
      'U',
      'other-user',
      'a',
    ],
    optional: ['preserve-env'],
    aliases: { user: 'u', chdir: 'D', login: 'i', shell: 's' },
    stopAtOperand: true,
  });
  if (parsed.has('l') || parsed.has('list') || parsed.has('V')) return undefined;
  const { env: set, argv: rest } = assignmentsFirst(parsed.operands);
  const argv = textOf(rest[0]) === '--' ? rest.slice(1) : rest;
  const around = { via: name, env: set, chdir: parsed.word('D'), root: true, keep: true };
  if (argv.length === 0) return undefined;
  return parsed.has('e') ? undefined : { kind: 'argv', argv, ...around };
};

const su: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: ['l', 'login', 'm', 'p', 'P', 'f'],
    values: ['c', 'command', 's', 'shell', 'g', 'G', 'w'],
    aliases: { command: 'c', login: 'l' },
  });
  const code = parsed.word('c');
  return code ? { kind: 'code', code, via: 'su', root: true, keep: true } : undefined;
};

/** sh, bash, zsh, dash, ksh, fish: `-c CODE`, a file, or standard input. */
const shell: Unwrap = (args, name) => {
  let i = 0;
  let takesCode = false;
  let readsStdin = false;
  let pipefail: true | undefined;
  for (; i < args.length; i++) {
    const text = textOf(args[i]!);
    if (text === undefined) break;
    if (text === '--') {
      i++;
      break;
    }
    if (text === '-') {
      i++;
      break;
    }
    if (text.startsWith('--')) {
      if (['--rcfile', '--init-file'].includes(text)) i++;
      else if (['--version', '--help'].includes(text)) return undefined;
      else if (text === '--command' && name === 'fish') takesCode = true;
      continue;
    }
    if (!/^[-+][A-Za-z]/.test(text)) break;
    if (text.startsWith('-')) {
      if (text.includes('c')) takesCode = true;
      if (text.includes('s')) readsStdin = true;
      // Only checks the syntax.
      if (/^-[A-Za-z]*n/.test(text)) return undefined;
    }
    if (/[oO]$/.test(text)) {
      if (text.startsWith('-') && textOf(args[i + 1]) === 'pipefail') pipefail = true;
      i++;
    }
  }
  const rest = args.slice(i);
  if (takesCode) {
    const code = rest[0];
    return code ? { kind: 'code', code, zero: rest[1], args: rest.slice(2), via: `${name} -c`, keep: true, pipefail } : undefined;
  }
  if (readsStdin || rest.length === 0 || isStdin(rest[0]!)) return { kind: 'stdin', via: name, keep: true, pipefail };
  return { kind: 'file', file: rest[0]!, args: rest.slice(1), via: name, keep: true, pipefail };
};

/** `bash /dev/stdin`: the file is what comes in. */
const isStdin = (file: Word): boolean => ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(textOf(file) ?? '');

const evalWords: Unwrap = (args) => {
  const words = textOf(args[0]) === '--' ? args.slice(1) : args;
  return words.length > 0 ? { kind: 'code', code: joinWords(words), same: true, via: 'eval', keep: true } : undefined;
};

const source: Unwrap = (args, name) => {
  const [file, ...rest] = textOf(args[0]) === '--' ? args.slice(1) : args;
  if (file && isStdin(file)) return { kind: 'stdin', via: name, keep: true };
  return file ? { kind: 'file', file, args: rest, same: true, via: name, keep: true } : undefined;
};

const flock: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: ['s', 'shared', 'x', 'e', 'exclusive', 'u', 'unlock', 'n', 'nb', 'nonblock', 'o', 'close', 'F', 'no-fork', 'verbose'],
    values: ['w', 'wait', 'timeout', 'E', 'conflict-exit-code'],
    stopAtOperand: true,
  });
  const [, ...rest] = parsed.operands;
  const first = textOf(rest[0]);
  if ((first === '-c' || first === '--command') && rest[1]) return { kind: 'code', code: rest[1], via: 'flock' };
  return rest.length > 0 ? { kind: 'argv', argv: rest, via: 'flock' } : undefined;
};

const watch: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: [
      'b',
      'beep',
      'c',
      'color',
      'd',
      'differences',
      'e',
      'errexit',
      'g',
      'chgexit',
      'p',
      'precise',
      't',
      'no-title',
      'x',
      'exec',
      'w',
      'no-wrap',
      'r',
    ],
    values: ['n', 'interval', 'q', 'equexit'],
    stopAtOperand: true,
  });
  if (parsed.operands.length === 0) return undefined;
  if (parsed.has('x') || parsed.has('exec')) return { kind: 'argv', argv: parsed.operands, via: 'watch', looped: true };
  const line: Inner = { kind: 'code', code: joinWords(parsed.operands), via: 'watch', looped: true };
  // The words are joined without their quotes; what was meant is read too.
  if (!parsed.operands.slice(1).some((word) => /\s/.test(shapeOf(word)))) return line;
  return [line, { kind: 'argv', argv: parsed.operands, via: 'watch', looped: true, perhaps: true }];
};

const exec: Unwrap = (args) => {
  const parsed = parseOptions(args, { flags: ['c', 'l'], values: ['a'], stopAtOperand: true });
  return parsed.operands.length > 0 ? { kind: 'argv', argv: parsed.operands, via: 'exec' } : undefined;
};

const command: Unwrap = (args) => {
  const parsed = parseOptions(args, { flags: ['p', 'v', 'V'], stopAtOperand: true });
  if (parsed.has('v') || parsed.has('V') || parsed.operands.length === 0) return undefined;
  return { kind: 'argv', argv: parsed.operands, via: 'command' };
};

const script: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: ['a', 'e', 'f', 'q', 'return', 'flush', 'quiet', 'append'],
    values: ['c', 'command', 'E', 'I', 'O', 'B', 'T', 'o', 't'],
    aliases: { command: 'c' },
  });
  const code = parsed.word('c');
  return code ? { kind: 'code', code, via: 'script' } : undefined;
};

/** tmux, screen: the command a new window runs, or keys typed into one. */
const multiplexer: Unwrap = (args, name) => {
  const words = args.map((word) => textOf(word) ?? '');
  if (name === 'screen') {
    const rest = parseOptions(args, { flags: [...'adDimLOqRUvxX'], values: [...'ceghHpSstT'], stopAtOperand: true }).operands;
    // It starts the program itself, without a shell in between.
    return rest.length > 0 ? { kind: 'argv', argv: rest, via: name, keep: true } : undefined;
  }
  const verb = words.find((word) =>
    /^(?:new|new-session|neww|new-window|split-window|splitw|run|run-shell|respawn-pane|respawn-window|send|send-keys|if-shell|popup|display-popup)$/.test(
      word,
    ),
  );
  if (!verb) return undefined;
  const rest = parseOptions(args.slice(words.indexOf(verb) + 1), {
    flags: [...'AdDEPXabhvklRMgNHCKB'],
    values: [...'cefFnstxypteSTw'],
    stopAtOperand: true,
  }).operands;
  const code = verb.startsWith('send') ? rest.filter((word) => !/^(?:Enter|C-m|C-c|Escape|Tab|Space)$/.test(textOf(word) ?? '')) : rest;
  return code.length > 0 ? { kind: 'code', code: joinWords(code), via: `${name} ${verb}`, keep: true } : undefined;
};

const busybox: Unwrap = (args, name) => (args.length > 0 && !hasGlob(args[0]!) ? { kind: 'argv', argv: args, via: name } : undefined);

const runner: Unwrap = (args, name) => {
  const at = args.findIndex((word) => textOf(word) === '--');
  return at >= 0 && at + 1 < args.length ? { kind: 'argv', argv: args.slice(at + 1), via: name, keep: true } : undefined;
};

const nixRun: Unwrap = (args, name) => {
  const parsed = parseOptions(args, { values: ['run', 'command', 'p', 'packages', 'A', 'I'], flags: ['pure'] });
  const code = parsed.word('run') ?? parsed.word('command');
  return code ? { kind: 'code', code, via: name } : undefined;
};

const chroot: Unwrap = (args, name) => {
  const parsed = parseOptions(args, { values: ['userspec', 'groups'], flags: ['skip-chdir'], stopAtOperand: true });
  const [target, ...argv] = parsed.operands;
  if (!target || argv.length === 0) return undefined;
  return {
    kind: 'argv',
    argv,
    via: name,
    remote: true,
    root: true,
    keep: true,
    binds: [{ how: 'root', word: target }],
    inside: literal('/'),
  };
};

const builtin: Unwrap = (args) => (args.length > 0 ? { kind: 'argv', argv: args, via: 'builtin' } : undefined);

/** `timeout 5m CMD`: the limit and the signal go with the command. */
const timeout: Unwrap = (args, name) => {
  const parsed = parseOptions(args, TIMEOUT);
  const [limit, ...argv] = parsed.operands;
  if (!limit || argv.length === 0) return undefined;
  const signal = parsed.text('s') ?? parsed.text('signal');
  const bound = { program: name, ms: duration(textOf(limit) ?? ''), ...(signal === undefined ? {} : { signal }) };
  return { kind: 'argv', argv, via: name, bound };
};

const TIMEOUT = {
  flags: ['foreground', 'preserve-status', 'v', 'verbose', 'f', 'p'],
  values: ['k', 'kill-after', 's', 'signal'],
  stopAtOperand: true,
};

/** Milliseconds in a duration as coreutils write it: `90`, `1.5m`, `2h`. undefined: none, or without a limit (0). */
export function duration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?|\.\d+)([smhd]?)$/.exec(text);
  if (!match) return undefined;
  const ms = Math.round(Number(match[1]) * { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] as '' | 's']);
  return ms > 0 ? ms : undefined;
}

/** `waygate run [OPTIONS] -- CMD`: what it runs is judged as if it stood alone. */
const logged: Unwrap = (args) => {
  const outer = parseOptions(args, { values: ['C'], flags: ['json'], stopAtOperand: true });
  if (textOf(outer.operands[0]) !== 'run') return undefined;
  const own = parseOptions(outer.operands.slice(1), RUN);
  if (own.operands.length === 0 || own.has('help') || own.has('h')) return undefined;
  const chdir = own.word('C') ?? outer.word('C');
  return { kind: 'argv', argv: own.operands, via: 'waygate run', keep: true, ...(chdir ? { chdir } : {}) };
};

/** Options of `waygate run`, up to the program. */
export const RUN = {
  flags: ['failure', 'quiet', 'q', 'json', 'help', 'h', 'yes', 'y'],
  values: ['C', 'timeout', 'tail', 'grep', 'tee', 'tee-all'],
  stopAtOperand: true,
};

/** `node …/waygate.cjs run -- CMD`. */
const loggedScript: Unwrap = (args, name) =>
  /(?:^|\/)waygate\.[cm]?js$/.test(textOf(args[0]) ?? '') ? logged(args.slice(1), name) : undefined;

/** Wrapper name -> how to look inside. */
const WRAPPERS: Readonly<Record<string, Unwrap>> = {
  ...ESCAPES,
  ...MANAGERS,
  npm: (args, name) => afterDashes('explore')(args, name) ?? MANAGERS.npm!(args, name),
  env,
  sudo,
  doas: sudo,
  su,
  runuser: su,
  sh: shell,
  bash: shell,
  zsh: shell,
  dash: shell,
  ksh: shell,
  mksh: shell,
  ash: shell,
  fish: shell,
  nu: shell,
  rbash: shell,
  eval: evalWords,
  source,
  '.': source,
  exec,
  command,
  builtin,
  xargs,
  gxargs: xargs,
  parallel,
  find,
  gfind: find,
  fd,
  fdfind: fd,
  flock,
  watch,
  ssh,
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': container,
  'podman-compose': container,
  kubectl,
  oc: kubectl,
  ansible,
  fly: away,
  flyctl: away,
  gcloud: away,
  aws: away,
  az: away,
  doctl: away,
  eb: away,
  vagrant: away,
  railway: away,
  multipass: away,
  colima: away,
  minikube: away,
  lxc: away,
  incus: away,
  script,
  chroot,
  busybox,
  toybox: busybox,
  shx: busybox,
  rtk: busybox,
  lvm: busybox,
  tmux: multiplexer,
  screen: multiplexer,
  nohup: plain({ flags: ['help', 'version'] }),
  setsid: plain({ flags: ['c', 'ctty', 'f', 'fork', 'w', 'wait'] }),
  nice: plain({ values: ['n', 'adjustment'] }),
  ionice: plain({ values: ['c', 'class', 'n', 'classdata', 'p', 'pid', 'P', 'u'], flags: ['t', 'ignore'] }),
  timeout,
  gtimeout: timeout,
  time: plain({ flags: ['p', 'v', 'a', 'q', 'portability', 'verbose', 'append', 'l', 'h'], values: ['f', 'format', 'o', 'output'] }, 0, {
    timed: true,
  }),
  gtime: plain({ flags: ['p', 'v', 'a', 'q'], values: ['f', 'format', 'o', 'output'] }, 0, { timed: true }),
  waygate: logged,
  node: loggedScript,
  nodejs: loggedScript,
  stdbuf: plain({ values: ['i', 'input', 'o', 'output', 'e', 'error'] }),
  unbuffer: plain({ flags: ['p'] }),
  chrt: plain({ flags: ['a', 'b', 'd', 'f', 'i', 'o', 'r', 'R', 'v'], values: ['D', 'P', 'T'] }, 1),
  taskset: plain({ flags: ['a', 'c', 'p'] }, 1),
  numactl: plain({ values: ['i', 'm', 'N', 'C', 'p', 'l', 'interleave', 'membind', 'cpunodebind', 'physcpubind'] }),
  strace: plain({ flags: [...'cCdfFhiknqrtTvVwxyYzZ'], values: [...'abeEIoOpPsSuUX'] }),
  ltrace: plain({ flags: [...'bcCfhiLrStTV'], values: [...'aAeFlnopsuwxX'] }),
  caffeinate: plain({ flags: [...'dimsu'], values: ['t', 'w'] }),
  proxychains: plain({ flags: ['q'], values: ['f'] }),
  proxychains4: plain({ flags: ['q'], values: ['f'] }),
  torsocks: plain({}),
  torify: plain({}),
  'dbus-run-session': plain({ values: ['config-file', 'dbus-daemon'] }),
  'xvfb-run': plain({ flags: ['a', 'auto-servernum', 'l'], values: ['e', 'f', 'n', 'p', 's', 'w', 'server-args', 'server-num'] }),
  unshare: plain({ flags: [...'mnpuiUrCTfc'], values: ['S', 'G', 'R', 'w'] }),
  nsenter: plain({ flags: [...'amnpuiUCTFre'], values: ['t', 'S', 'G'] }),
  firejail: plain({ flags: ['quiet', 'noprofile'] }),
  catchsegv: plain({}),
  fakeroot: plain({ values: ['l', 's', 'i'] }),
  systemd: plain({}),
  'systemd-run': plain(
    {
      flags: ['user', 'scope', 'wait', 'pty', 'q', 't', 'P', 'pipe', 'quiet', 'collect', 'G'],
      values: ['u', 'unit', 'p', 'property', 'E', 'setenv', 'uid', 'gid', 'slice', 'on-active', 'on-calendar'],
    },
    0,
    { keep: true },
  ),
  'systemd-inhibit': plain({ values: ['what', 'who', 'why', 'mode'] }),
  coproc: plain({}),
  noglob: plain({}),
  nocorrect: plain({}),
  direnv: (args, name) => (textOf(args[0]) === 'exec' && args.length > 2 ? { kind: 'argv', argv: args.slice(2), via: name } : undefined),
  dotenv: runner,
  dotenvx: runner,
  op: runner,
  doppler: runner,
  infisical: runner,
  aws_vault: runner,
  'aws-vault': runner,
  chamber: runner,
  'nix-shell': nixRun,
  hyperfine: (args, name) => {
    const parsed = parseOptions(args, {
      values: [
        'w',
        'warmup',
        'r',
        'runs',
        'm',
        'M',
        'p',
        'prepare',
        'c',
        'cleanup',
        'S',
        'shell',
        'export-json',
        'export-markdown',
        'export-csv',
        'style',
        'n',
        'L',
        'P',
        's',
        'setup',
        'u',
      ],
      flags: ['N', 'i', 'ignore-failure', 'show-output'],
    });
    return parsed.operands.map((code) => ({ kind: 'code', code, via: name, looped: true }) as const);
  },
};

/** What a command runs besides itself; empty for a program that is no wrapper. */
export function unwrap(name: string, args: readonly Word[]): readonly Inner[] {
  if (!Object.hasOwn(WRAPPERS, name)) return isKnownProgram(name) ? [] : unknownWrapper(name, args);
  const inner = WRAPPERS[name]!(args, name);
  return inner === undefined ? [] : 'kind' in inner ? [inner] : inner;
}

/** Programs that an unknown program in front of them most likely runs. */
const RUN_BY_WRAPPERS = new Set([
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'dd',
  'mv',
  'git',
  'find',
  'sh',
  'bash',
  'zsh',
  'dash',
  'sudo',
  'chmod',
  'chown',
  'truncate',
  'kill',
  'pkill',
  'killall',
  'rsync',
  'terraform',
  'kubectl',
  'docker',
  'psql',
  'mkfs',
  'mkfs.ext4',
  'wipefs',
  'python',
  'python3',
  'node',
  'perl',
  'xargs',
  'env',
  'curl',
  'wget',
  'busybox',
  'dropdb',
  'npx',
  'shutdown',
  'reboot',
]);

/**
 * A program nobody has a table for, with another program's name among its words: `chronic rm -rf x`, `cpulimit -l 50 -- git reset --hard`.
 * What it really does is unknown; what it most likely runs is judged.
 */
function unknownWrapper(name: string, args: readonly Word[]): readonly Inner[] {
  const at = args.findIndex((word) => {
    const text = textOf(word);
    return text !== undefined && word.raw === text && RUN_BY_WRAPPERS.has(text.slice(text.lastIndexOf('/') + 1));
  });
  if (at < 0) return [];
  return [{ kind: 'argv', argv: args.slice(at), via: name || 'an unknown program', keep: true, perhaps: true }];
}

/** Wrappers that are not commands of their own: they vanish from the line. */
export const isTransparent = (inners: readonly Inner[]): boolean => inners.length > 0 && !inners.some((inner) => inner.keep);
