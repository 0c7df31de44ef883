/**
 * Wrappers: programs that run another command given in their arguments.
 * Each entry reads its own options and says what runs inside and what changes around it.
 */
import { isKnownProgram } from './known-programs.ts';
import { type Grammar, type Parsed, parseOptions } from './options.ts';
import { hasGlob, hasHole, isOption, literal, shapeOf, textOf, type Word } from './word.ts';

/** What runs inside a wrapper. */
export type Inner = (
  | { kind: 'argv'; argv: readonly Word[] }
  /** Text that a shell reads. `zero` and `args` are $0 and $1…; `same`: in the shell itself (eval), not in a new one. */
  | { kind: 'code'; code: Word; zero?: Word; args?: readonly Word[]; same?: boolean }
  /** A shell that reads its commands from standard input. */
  | { kind: 'stdin' }
  /** A shell that runs a file. */
  | { kind: 'file'; file: Word; args: readonly Word[]; same?: boolean }
) & {
  via: string;
  env?: readonly (readonly [string, Word | undefined])[];
  clearEnv?: boolean;
  chdir?: Word;
  root?: boolean;
  remote?: boolean;
  looped?: boolean;
  /** Words of standard input are put behind the arguments, or in place of this text. */
  fromStdin?: { replace?: string; unlessEmpty?: boolean };
  /** The wrapper itself is a command worth judging too. */
  keep?: boolean;
  /** It is not certain that it is a wrapper at all. */
  perhaps?: boolean;
};

type Unwrap = (args: readonly Word[], name: string) => Inner | readonly Inner[] | undefined;

/** Assignments in front, then the command: how env, sudo and doas read their operands. */
function assignmentsFirst(words: readonly Word[]): { env: [string, Word | undefined][]; argv: readonly Word[] } {
  const env: [string, Word | undefined][] = [];
  let i = 0;
  for (; i < words.length; i++) {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(leading(words[i]!));
    if (!match) break;
    env.push([match[1]!, from(words[i]!, match[0].length)]);
  }
  return { env, argv: words.slice(i) };
}

const leading = (word: Word): string => (word.parts[0]?.kind === 'text' ? word.parts[0].text : '');

function from(word: Word, offset: number): Word {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text') return word;
  const text = first.text.slice(offset);
  return { parts: text === '' ? rest : [{ kind: 'text', text }, ...rest], raw: word.raw };
}

/** A wrapper whose options are skipped, with `operands` words of its own before the command. */
const plain =
  (grammar: Grammar, operands = 0, more: Partial<Inner> = {}): Unwrap =>
  (args, name) => {
    const { operands: words } = parseOptions(args, { stopAtOperand: true, ...grammar });
    const argv = words.slice(operands);
    return argv.length > 0 ? ({ kind: 'argv', argv, via: name, ...more } as Inner) : undefined;
  };

/** Words as one line, as `eval`, `ssh` and `watch` join them. */
function joinWords(words: readonly Word[]): Word {
  const parts = words.flatMap((word, i) => [...(i > 0 ? [{ kind: 'text', text: ' ' } as const] : []), ...word.parts]);
  return { parts, raw: words.map((word) => word.raw).join(' ') };
}

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
    if (/[oO]$/.test(text)) i++;
  }
  const rest = args.slice(i);
  if (takesCode) {
    const code = rest[0];
    return code ? { kind: 'code', code, zero: rest[1], args: rest.slice(2), via: `${name} -c`, keep: true } : undefined;
  }
  if (readsStdin || rest.length === 0) return { kind: 'stdin', via: name, keep: true };
  return { kind: 'file', file: rest[0]!, args: rest.slice(1), via: name, keep: true };
};

const evalWords: Unwrap = (args) => {
  const words = textOf(args[0]) === '--' ? args.slice(1) : args;
  return words.length > 0 ? { kind: 'code', code: joinWords(words), same: true, via: 'eval', keep: true } : undefined;
};

const source: Unwrap = (args, name) => {
  const [file, ...rest] = textOf(args[0]) === '--' ? args.slice(1) : args;
  return file ? { kind: 'file', file, args: rest, same: true, via: name, keep: true } : undefined;
};

const xargs: Unwrap = (args, name) => {
  const parsed = parseOptions(args, {
    flags: ['0', 'null', 'r', 'no-run-if-empty', 't', 'verbose', 'p', 'interactive', 'x', 'exit', 'o', 'open-tty'],
    values: [
      'a',
      'arg-file',
      'd',
      'delimiter',
      'E',
      'I',
      'L',
      'max-lines',
      'n',
      'max-args',
      'P',
      'max-procs',
      's',
      'max-chars',
      'R',
      'S',
      'J',
      'process-slot-var',
    ],
    optional: ['i', 'replace', 'l', 'e', 'eof'],
    aliases: { replace: 'i' },
    stopAtOperand: true,
  });
  const replace = parsed.text('I') ?? parsed.text('J') ?? (parsed.has('i') ? parsed.text('i') || '{}' : undefined);
  if (parsed.operands.length === 0) return undefined;
  return {
    kind: 'argv',
    argv: parsed.operands,
    via: name,
    looped: true,
    fromStdin: {
      ...(replace === undefined ? {} : { replace }),
      ...(parsed.has('r') || parsed.has('no-run-if-empty') ? { unlessEmpty: true } : {}),
    },
    keep: true,
  };
};

/** GNU parallel: a command, `{}` or nothing for the input, and the inputs behind `:::`. */
const parallel: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: [
      'k',
      'keep-order',
      'q',
      'quote',
      'u',
      'ungroup',
      'v',
      't',
      'X',
      'm',
      '0',
      'null',
      'bar',
      'progress',
      'dry-run',
      'halt-on-error',
      'line-buffer',
      'lb',
      'will-cite',
    ],
    values: [
      'j',
      'jobs',
      'P',
      'a',
      'arg-file',
      'I',
      'n',
      'N',
      'L',
      'd',
      'C',
      'colsep',
      'S',
      'sshlogin',
      'timeout',
      'retries',
      'delay',
      'halt',
      'results',
      'joblog',
      'tmpdir',
      'workdir',
      'wd',
    ],
    stopAtOperand: true,
  });
  if (parsed.has('dry-run')) return undefined;
  const words = parsed.operands;
  const at = words.findIndex((word) => /^:::\+?$/.test(textOf(word) ?? ''));
  const command = at < 0 ? words : words.slice(0, at);
  const inputs = at < 0 ? [] : words.slice(at + 1).filter((word) => !/^:::\+?$/.test(textOf(word) ?? ''));
  // One word is a line for the shell; several are put together as they stand, which is the stricter reading.
  const inner = (words: readonly Word[]): Inner =>
    words.length === 1
      ? { kind: 'code', code: words[0]!, via: 'parallel', looped: true, keep: true }
      : { kind: 'argv', argv: words, via: 'parallel', looped: true, keep: true };
  if (command.length === 0 && inputs.length === 0) return { kind: 'stdin', via: 'parallel', keep: true };
  if (command.length === 0) return inputs.map((input) => inner([input]));
  if (inputs.length === 0)
    return { ...inner(command), fromStdin: command.some((word) => shapeOf(word).includes('{}')) ? { replace: '{}' } : {} };
  const line = command.length === 1 && /\s/.test(shapeOf(command[0]!));
  return inputs.slice(0, 20).map((input) => {
    const words = replaceIn(command, '{}', [input]);
    return inner(line ? [joinWords(words)] : words);
  });
};

/** Puts words in place of a mark; behind the words when the mark stands nowhere. */
export function replaceIn(words: readonly Word[], mark: string, values: readonly Word[]): Word[] {
  let found = false;
  const out = words.flatMap((word): Word[] => {
    const text = shapeOf(word);
    if (!text.includes(mark)) return [word];
    found = true;
    if (text === mark) return [...values];
    return values.map((value) => ({
      parts: word.parts.flatMap((part) => (part.kind === 'text' ? between(part.text.split(mark), value) : [part])),
      raw: word.raw,
    }));
  });
  return found ? out : [...words, ...values];
}

function between(pieces: readonly string[], value: Word): Word['parts'] {
  return pieces.flatMap((piece, i) => [...(i > 0 ? value.parts : []), ...(piece === '' ? [] : [{ kind: 'text', text: piece } as const])]);
}

const FIND_GLOBAL = new Set(['-H', '-L', '-P', '-D', '-O', '-E', '-X', '-d', '-s', '-x']);

/** What find hits: its roots, narrowed by -name, as glob words. */
export function findTargets(args: readonly Word[]): Word[] {
  let i = 0;
  while (i < args.length && FIND_GLOBAL.has(textOf(args[i]!) ?? '')) i += textOf(args[i]!) === '-D' ? 2 : 1;
  const roots: Word[] = [];
  for (; i < args.length; i++) {
    const text = shapeOf(args[i]!);
    if (text.startsWith('-') || text === '(' || text === '!' || text === ',') break;
    roots.push(args[i]!);
  }
  const tests = args.slice(i);
  const texts = tests.map((word) => textOf(word) ?? '');
  const nameAt = texts.findIndex((text) => ['-name', '-iname'].includes(text));
  const negated = nameAt > 0 && ['!', '-not'].includes(texts[nameAt - 1]!);
  const alternatives = texts.includes('-o') || texts.includes('-or');
  const name = nameAt >= 0 && !negated && !alternatives ? tests[nameAt + 1] : undefined;
  const pattern = name && !hasHole(name) ? shapeOf(name) : undefined;
  const narrowed = pattern !== undefined && pattern !== '*';
  const places = roots.length > 0 ? roots : [literal('.')];
  return places.map((root) => {
    if (!narrowed) return root;
    const slash = shapeOf(root).endsWith('/') ? '' : '/';
    return {
      parts: [...root.parts, { kind: 'text', text: slash }, { kind: 'glob', text: `**/${pattern}` }],
      raw: `${root.raw}${slash}**/${pattern}`,
    };
  });
}

const find: Unwrap = (args) => {
  const inners: Inner[] = [];
  const targets = findTargets(args);
  for (let i = 0; i < args.length; i++) {
    const text = textOf(args[i]!);
    if (text === undefined || !['-exec', '-execdir', '-ok', '-okdir'].includes(text)) continue;
    const end = args.findIndex((word, at) => at > i && (textOf(word) === ';' || (textOf(word) === '+' && textOf(args[at - 1]!) === '{}')));
    const argv = args.slice(i + 1, end < 0 ? undefined : end);
    if (argv.length > 0) inners.push({ kind: 'argv', argv: shapesReplaced(argv, targets), via: `find ${text}`, looped: true, keep: true });
    i = end < 0 ? args.length : end;
  }
  return inners.length > 0 ? inners : undefined;
};

const shapesReplaced = (argv: readonly Word[], targets: readonly Word[]): readonly Word[] =>
  argv.some((word) => shapeOf(word).includes('{}')) ? replaceIn(argv, '{}', targets) : argv;

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

const ssh: Unwrap = (args) => {
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
const container: Unwrap = (args, name) => {
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
  return { kind: 'argv', argv: inner, via: `${label} ${verb} ${target.raw}`, remote: true, keep: true };
};

/** kubectl exec POD -- CMD, oc exec. */
const kubectl: Unwrap = (args, name) => {
  const verb = args.findIndex((word) => textOf(word) === 'exec');
  const dashes = args.findIndex((word) => textOf(word) === '--');
  if (verb < 0 || dashes < verb) return undefined;
  const argv = args.slice(dashes + 1);
  return argv.length > 0 ? { kind: 'argv', argv, via: `${name} exec`, remote: true, keep: true } : undefined;
};

/** `fly ssh console -C CMD`: a line for the machine in the cloud. */
const fly: Unwrap = (args, name) => {
  const texts = args.map((word) => textOf(word));
  if (texts[0] !== 'ssh' || texts[1] !== 'console') return undefined;
  const at = texts.findIndex((text) => text === '-C' || text === '--command');
  const code = at < 0 ? undefined : args[at + 1];
  return code ? { kind: 'code', code, via: `${name} ssh`, remote: true, keep: true } : undefined;
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
    return rest.length > 0 ? { kind: 'code', code: joinWords(rest), via: name, keep: true } : undefined;
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
  const argv = parsed.operands.slice(1);
  return argv.length > 0 ? { kind: 'argv', argv, via: name, remote: true, root: true, keep: true } : undefined;
};

const builtin: Unwrap = (args) => (args.length > 0 ? { kind: 'argv', argv: args, via: 'builtin' } : undefined);

/** Wrapper name -> how to look inside. */
const WRAPPERS: Readonly<Record<string, Unwrap>> = {
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
  fly,
  flyctl: fly,
  script,
  chroot,
  busybox,
  toybox: busybox,
  rtk: busybox,
  lvm: busybox,
  tmux: multiplexer,
  screen: multiplexer,
  nohup: plain({ flags: ['help', 'version'] }),
  setsid: plain({ flags: ['c', 'ctty', 'f', 'fork', 'w', 'wait'] }),
  nice: plain({ values: ['n', 'adjustment'] }),
  ionice: plain({ values: ['c', 'class', 'n', 'classdata', 'p', 'pid', 'P', 'u'], flags: ['t', 'ignore'] }),
  timeout: plain({ flags: ['foreground', 'preserve-status', 'v', 'verbose', 'f', 'p'], values: ['k', 'kill-after', 's', 'signal'] }, 1),
  gtimeout: plain({ flags: ['foreground', 'preserve-status', 'v', 'verbose', 'f', 'p'], values: ['k', 'kill-after', 's', 'signal'] }, 1),
  time: plain({ flags: ['p', 'v', 'a', 'q', 'portability', 'verbose', 'append', 'l', 'h'], values: ['f', 'format', 'o', 'output'] }),
  gtime: plain({ flags: ['p', 'v', 'a', 'q'], values: ['f', 'format', 'o', 'output'] }),
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

export type { Parsed };
