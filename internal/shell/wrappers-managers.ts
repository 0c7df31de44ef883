/** Package managers and environment tools that start a shell: `npx bash -c …`, `uv run -- sh x.sh`, `bundle exec sh -c …`, `npx -c '…'`, `concurrently 'a' 'b'`. */
import { parseOptions } from './options.ts';
import { textOf, type Word } from './word.ts';
import { type Inner, joinWords, type Unwrap } from './wrappers-core.ts';

/** How a manager starts a program. */
interface Starter {
  /** One of these stands before the program; none: the program is the first operand. */
  verbs?: readonly string[];
  /** Options with a value that stand before the program. */
  values?: readonly string[];
  /** Options whose value is a line for a shell. */
  code?: readonly string[];
  /** Flags with which the operands are one line for a shell. */
  joins?: readonly string[];
}

const NODE = ['p', 'package', 'w', 'workspace', 'registry', 'prefix', 'cache', 'userconfig', 'filter', 'F', 'C', 'dir'];
const PYTHON = [
  'with',
  'with-editable',
  'with-requirements',
  'p',
  'python',
  'project',
  'directory',
  'C',
  'P',
  'env-file',
  'extra',
  'group',
  'from',
  'e',
  'env',
];
const NPX: Starter = { values: NODE, code: ['c', 'call'] };
const RUN: Starter = { verbs: ['run'], values: PYTHON };
const CONDA: Starter = { verbs: ['run'], values: ['n', 'name', 'p', 'prefix', 'cwd'] };

/** Program -> how it starts another one. */
const STARTERS: Readonly<Record<string, Starter>> = {
  npx: NPX,
  pnpx: NPX,
  bunx: NPX,
  npm: { ...NPX, verbs: ['exec', 'x'] },
  pnpm: { values: NODE, verbs: ['exec', 'dlx'], joins: ['c', 'shell-mode'] },
  yarn: { values: NODE, verbs: ['exec', 'dlx'] },
  bun: { values: NODE, verbs: ['x'] },
  uv: RUN,
  uvx: { values: PYTHON },
  poetry: RUN,
  pdm: RUN,
  pipenv: RUN,
  rye: RUN,
  hatch: RUN,
  pixi: RUN,
  conda: CONDA,
  mamba: CONDA,
  micromamba: CONDA,
  bundle: { verbs: ['exec'], values: ['gemfile'] },
  lerna: { verbs: ['exec'], values: ['scope', 'ignore', 'concurrency'] },
  nx: { verbs: ['exec'] },
  nix: { verbs: ['-c', '--command'] },
};

/** What a manager starts that runs other programs in its turn. What else it starts is judged with the call of the manager. */
const GOES_ON = new Set(
  'sh bash zsh dash ksh fish env timeout nice nohup time xargs sudo hyperfine concurrently conc nodemon chokidar cross-env dotenv watchexec'.split(
    ' ',
  ),
);

const starts = (words: readonly Word[], via: string): Inner | undefined => {
  const name = textOf(words[0]) ?? '';
  return GOES_ON.has(name.slice(name.lastIndexOf('/') + 1)) ? { kind: 'argv', argv: words, via, keep: true } : undefined;
};

const starter =
  ({ verbs, values = [], code = [], joins = [] }: Starter): Unwrap =>
  (args, name) => {
    const at = verbs ? args.findIndex((word) => verbs.includes(textOf(word) ?? '')) : -1;
    if (verbs && at < 0) return undefined;
    const parsed = parseOptions(args.slice(at + 1), { values: [...values, ...code], flags: joins, stopAtOperand: true });
    const line = code.map((option) => parsed.word(option)).find((word) => word !== undefined);
    if (line) return { kind: 'code', code: line, via: name, keep: true };
    if (parsed.operands.length === 0) return undefined;
    const joined = joins.some((flag) => parsed.has(flag));
    // `yarn exec 'rm -rf x'`: one word with blanks in it is no program.
    const single = verbs?.includes('exec') && parsed.operands.length === 1 && /\s/.test(textOf(parsed.operands[0]) ?? '');
    if (joined || single) return { kind: 'code', code: joinWords(parsed.operands), via: name, keep: true };
    return starts(parsed.operands, name);
  };

const CONCURRENTLY = {
  values: [
    ...'ncplmti',
    'names',
    'prefix-colors',
    'prefix',
    'prefix-length',
    'max-processes',
    'timestamp-format',
    'success',
    'hide',
    'teardown',
  ].concat(['restart-after', 'restart-tries', 'kill-signal', 'default-input-target', 'name-separator']),
  flags: ['k', 'kill-others', 'kill-others-on-fail', 'r', 'raw', 'no-color', 'g', 'group', 'timings', 'P', 'passthrough-arguments'],
};

/** `concurrently 'npm test' 'tsc -w'`: each operand is a line. */
const concurrently: Unwrap = (args, name) =>
  parseOptions(args, CONCURRENTLY).operands.map((code) => ({ kind: 'code', code, via: name, keep: true }) as const);

/** `nodemon --exec 'CODE'`, `chokidar '**' -c 'CODE'`. */
const onChange =
  (...options: readonly string[]): Unwrap =>
  (args, name) => {
    const code = options.map((option) => parseOptions(args, { values: options }).word(option)).find((word) => word !== undefined);
    return code ? { kind: 'code', code, via: name, keep: true } : undefined;
  };

/** Programs by name. */
export const MANAGERS: Readonly<Record<string, Unwrap>> = {
  ...Object.fromEntries(Object.entries(STARTERS).map(([name, each]) => [name, starter(each)])),
  concurrently,
  conc: concurrently,
  nodemon: onChange('x', 'exec'),
  chokidar: onChange('c', 'command'),
};
