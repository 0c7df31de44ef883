/** Calls of a task runner inside a recipe: which targets of which runner it starts. */
import { PNPM_VERBS, YARN_VERBS } from '../effect/runners.ts';
import { NPM_LIFECYCLE, NPM_RUN } from '../shell/scripts.ts';
import type { Called } from './commands.ts';
import type { RunnerName } from './profile.ts';

/** Targets that a recipe starts. */
export interface Started {
  runner: RunnerName;
  /** Targets by name; a pattern (`lint:*`) stands as it is written. Empty: the runner's default. */
  targets: readonly string[];
  /** The directory named in the call, as written. */
  dir?: string;
  /** Words for the tool behind the target. */
  extra: readonly string[];
  /** It runs in other packages than the one of the recipe. */
  elsewhere: boolean;
}

interface Grammar {
  /** Words that stand before the target: `run`. '' where none is needed. */
  verbs: readonly string[];
  /** Options with a value of their own. */
  values: readonly string[];
  /** Options that name a directory. */
  dirs?: readonly string[];
  /** Options that send the call to other packages. */
  elsewhere?: readonly string[];
  /** Only the first operand is a target, the rest goes to the tool. */
  one?: boolean;
  /** Its own options may stand behind the target as well. */
  late?: boolean;
  runner: RunnerName;
}

const NPM_VALUES = ['w', 'workspace', 'prefix', 'loglevel', 'script-shell', 'registry'];
const PNPM_VALUES = ['C', 'dir', 'F', 'filter', 'filter-prod', 'workspace-concurrency', 'reporter', 'loglevel', 'resume-from'];

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  npm: {
    runner: 'npm',
    verbs: NPM_RUN,
    late: true,
    values: NPM_VALUES,
    dirs: ['prefix'],
    elsewhere: ['w', 'workspace', 'workspaces', 'ws'],
    one: true,
  },
  pnpm: {
    runner: 'pnpm',
    verbs: ['run', 'run-script'],
    values: PNPM_VALUES,
    dirs: ['C', 'dir'],
    elsewhere: ['F', 'filter', 'filter-prod', 'r', 'recursive'],
    one: true,
  },
  yarn: { runner: 'yarn', verbs: ['run'], values: ['cwd'], dirs: ['cwd'], one: true },
  bun: { runner: 'bun', verbs: ['run'], values: ['cwd', 'F', 'filter'], dirs: ['cwd'], elsewhere: ['F', 'filter'], one: true },
  make: { runner: 'make', verbs: [''], values: ['f', 'file', 'makefile', 'C', 'directory', 'I', 'o', 'W'], dirs: ['C', 'directory'] },
  just: {
    runner: 'just',
    verbs: [''],
    values: ['f', 'justfile', 'd', 'working-directory', 'set', 'shell', 'color'],
    dirs: ['d', 'working-directory'],
  },
  task: {
    runner: 'task',
    verbs: [''],
    values: ['t', 'taskfile', 'd', 'dir', 'o', 'output', 'C', 'concurrency', 'I', 'interval'],
    dirs: ['d', 'dir'],
  },
  turbo: {
    runner: 'turbo',
    verbs: ['run', ''],
    values: ['F', 'filter', 'cwd', 'concurrency', 'output-logs', 'log-order', 'cache-dir'],
    dirs: ['cwd'],
    elsewhere: ['F', 'filter'],
  },
  mise: { runner: 'mise', verbs: ['run', 'r', 'tasks run'], values: ['C', 'cd', 'j', 'jobs'], dirs: ['C', 'cd'] },
  tox: { runner: 'tox', verbs: ['run', 'r', 'run-parallel', 'p', ''], values: ['c', 'conf', 'e', 'env', 'workdir', 'x', 'override'] },
  nox: {
    runner: 'nox',
    verbs: [''],
    values: ['f', 'noxfile', 's', 'session', 'sessions', 'e', 'k', 'keywords', 'p', 'python', 't', 'tags'],
  },
  poe: { runner: 'poetry', verbs: [''], values: ['C', 'directory', 'e', 'executor'], dirs: ['C', 'directory'], one: true },
  'pre-commit': { runner: 'pre-commit', verbs: ['run'], values: ['c', 'config', 'hook-stage', 'from-ref', 'to-ref', 'files'] },
};

const ALIASES: Readonly<Record<string, string>> = { gmake: 'make', 'go-task': 'task' };

const BUN_VERBS: ReadonlySet<string> = new Set(
  'run test x repl exec install i add a remove rm update audit outdated link unlink publish patch pm info why build init create c upgrade'.split(
    ' ',
  ),
);

/** Verbs of the package managers: what is none of them, and a script, is run by its bare name. */
const BARE: Readonly<Record<string, ReadonlySet<string>>> = { pnpm: PNPM_VERBS, yarn: YARN_VERBS, bun: BUN_VERBS };

/**
 * The targets that a command of a recipe starts; nothing when it starts none.
 * @param isScript is a word the name of a script of this package: `yarn lint` runs it without `run`
 */
export function startedBy(called: Called, isScript: (name: string) => boolean, own: RunnerName = 'npm'): readonly Started[] {
  const { program, argv } = called.outer;
  const name = ALIASES[program] ?? program;
  if (name === 'npm-run-all' || name === 'run-s' || name === 'run-p' || name === 'npm-run-all2') return [listed(argv, own)];
  if (name === 'concurrently' || name === 'conc') return concurrent(argv, own);
  if (name === 'nx' || called.program === 'nx') return nxCall(name === 'nx' ? argv : called.argv);
  if (name === 'yarn' && (argv[0] === 'workspaces' || argv[0] === 'workspace')) return yarnElsewhere(argv);
  if (name === 'lerna' && argv[0] === 'run' && argv[1]) return [{ runner: own, targets: [argv[1]], extra: [], elsewhere: true }];
  const inner =
    called.program === 'turbo' ||
    called.program === 'poe' ||
    called.program === 'just' ||
    called.program === 'task' ||
    called.program === 'pre-commit';
  const key = inner ? called.program : name;
  const grammar = Object.hasOwn(GRAMMARS, key) ? (GRAMMARS[key] as Grammar) : undefined;
  if (!grammar) return [];
  const read = operandsOf(inner ? called.argv : argv, grammar);
  const taken = targetsOf(read.operands, grammar, key, isScript);
  if (!taken) return [];
  const picked = key === 'tox' || key === 'nox' ? read.picked : taken.targets;
  return [
    {
      runner: grammar.runner,
      targets: picked,
      ...(read.dir === undefined ? {} : { dir: read.dir }),
      extra: [...taken.extra, ...read.after],
      elsewhere: read.elsewhere,
    },
  ];
}

function operandsOf(argv: readonly string[], grammar: Grammar) {
  const operands: string[] = [];
  const picked: string[] = [];
  let dir: string | undefined;
  let elsewhere = false;
  let after: readonly string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (word === '--') {
      after = argv.slice(i + 1);
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    // What stands behind a script's name belongs to the script.
    if (grammar.one && !grammar.late && operands.some((each) => !grammar.verbs.includes(each))) {
      operands.push(word);
      continue;
    }
    const [name = '', given] = word.replace(/^--?/, '').split(/=(.*)/s);
    if (grammar.elsewhere?.includes(name)) elsewhere = true;
    const value = given ?? (grammar.values.includes(name) ? argv[++i] : undefined);
    if (value === undefined) continue;
    if (grammar.dirs?.includes(name)) dir = value;
    if (['e', 'env', 's', 'session', 'sessions'].includes(name)) picked.push(...value.split(',').filter(Boolean));
  }
  return { operands, picked, dir, elsewhere, after };
}

function targetsOf(operands: readonly string[], grammar: Grammar, key: string, isScript: (name: string) => boolean) {
  let rest = operands;
  const first = rest[0];
  if (first !== undefined && grammar.verbs.includes(first)) rest = rest.slice(1);
  else if (!grammar.verbs.includes('')) {
    // bun has a test runner of its own.
    const bare =
      first !== undefined &&
      ((key === 'bun' ? undefined : NPM_LIFECYCLE.get(first)) ??
        (Object.hasOwn(BARE, key) && !BARE[key]?.has(first) && isScript(first) ? first : undefined));
    if (!bare) return undefined;
    return { targets: [bare], extra: rest.slice(1) };
  }
  if (grammar.one) return rest[0] ? { targets: [rest[0]], extra: rest.slice(1) } : undefined;
  // Assignments are variables of the call, not targets.
  return { targets: rest.filter((word) => word !== '' && !/^[A-Za-z_]\w*\??:?=/.test(word) && word !== ':::'), extra: [] as string[] };
}

/** npm-run-all: every operand is a script or a pattern; `{@}` and words after `--` are its arguments. */
function listed(argv: readonly string[], runner: RunnerName): Started {
  const until = argv.indexOf('--');
  const words = until === -1 ? argv : argv.slice(0, until);
  const targets = words.filter((word) => word !== '' && !word.startsWith('-')).map((word) => word.split(' ')[0] as string);
  return { runner, targets, extra: [], elsewhere: false };
}

/** `yarn workspaces foreach -A run test`, `yarn workspace web test`. */
function yarnElsewhere(argv: readonly string[]): readonly Started[] {
  const words = argv[0] === 'workspace' ? argv.slice(2) : argv.slice(1).filter((word) => word !== 'foreach' && !word.startsWith('-'));
  const [first, second] = words;
  const target = first === 'run' ? second : argv[0] === 'workspace' ? first : undefined;
  return target === undefined ? [] : [{ runner: 'yarn', targets: [target], extra: [], elsewhere: true }];
}

/** concurrently: `npm:lint`. An operand that is a line is read as one (shell/wrappers-managers.ts). */
function concurrent(argv: readonly string[], own: RunnerName): readonly Started[] {
  const started = argv.flatMap((word) => {
    const short = /^(npm|pnpm|yarn|bun):(.+)$/.exec(word);
    return short ? [short[2] as string] : [];
  });
  return started.length > 0 ? [{ runner: own, targets: started, extra: [], elsewhere: false }] : [];
}

/** nx: `nx run app:build`, `nx run-many -t lint test`, `nx affected -t test`, `nx test app`. */
function nxCall(argv: readonly string[]): readonly Started[] {
  const operands = argv.filter((word) => !word.startsWith('-'));
  const [verb, second] = operands;
  const many = verb === 'run-many' || verb === 'affected' || verb === 'run-many:';
  if (many) return [{ runner: 'nx', targets: optionList(argv, ['-t', '--target', '--targets']), extra: [], elsewhere: true }];
  if (verb === 'run' && second) return [{ runner: 'nx', targets: [second.split(':')[1] ?? second], extra: [], elsewhere: true }];
  if (!verb || NX_VERBS.has(verb)) return [];
  return [{ runner: 'nx', targets: [verb], extra: [], elsewhere: true }];
}

const NX_VERBS = new Set([
  'graph',
  'format',
  'format:check',
  'format:write',
  'generate',
  'g',
  'migrate',
  'reset',
  'report',
  'list',
  'show',
  'release',
  'sync',
  'init',
  'add',
  'connect',
  'daemon',
  'repair',
  'exec',
  'watch',
  'import',
]);

/** The values of an option that takes a list: `-t lint test`, `--targets=lint,test`. */
function optionList(argv: readonly string[], names: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const [name = '', given] = (argv[i] as string).split(/=(.*)/s);
    if (!names.includes(name)) continue;
    if (given !== undefined) found.push(...given.split(','));
    else while (argv[i + 1] !== undefined && !(argv[i + 1] as string).startsWith('-')) found.push(...(argv[++i] as string).split(','));
  }
  return found.filter(Boolean);
}
