/** The words of an interpreter call: which text it runs, with which arguments. */
import { isOption, shapeOf, textOf, type Word } from '../../shell/word.ts';
import type { LanguageName } from './parse-core.ts';

/** How an interpreter is called. Letters without the dash. */
export interface Interpreter {
  language: LanguageName;
  label: string;
  /** Options whose value is a program. */
  code: readonly string[];
  /** Code options end the interpreter's own options: the rest are the program's arguments. */
  codeEnds: boolean;
  /** Other options that take the next word. */
  values: readonly string[];
  /** Options that run something else (`-m pytest`), or nothing. */
  other: readonly string[];
  /** Code follows its letter in a cluster (`-pe CODE`, `-ne`). */
  clusters: boolean;
  /** Subcommands in front: `deno run`, `bun run`. */
  verbs?: Readonly<Record<string, 'file' | 'code' | 'none'>>;
}

const PYTHON: Interpreter = {
  language: 'python',
  label: 'python',
  code: ['c'],
  codeEnds: true,
  values: ['W', 'X', 'Q', 'check-hash-based-pycs'],
  other: ['m', 'V', 'h', 'version', 'help'],
  clusters: true,
};

const NODE: Interpreter = {
  language: 'js',
  label: 'node',
  code: ['e', 'p', 'eval', 'print', 'pe'],
  codeEnds: false,
  values: [
    'r',
    'require',
    'import',
    'loader',
    'experimental-loader',
    'C',
    'conditions',
    'env-file',
    'input-type',
    'title',
    'max-old-space-size',
    'test-name-pattern',
    'stack-trace-limit',
    'watch-path',
  ],
  other: ['v', 'h', 'version', 'help', 'c', 'check'],
  clusters: true,
};

const DENO: Interpreter = {
  ...NODE,
  label: 'deno',
  code: [],
  values: ['c', 'config', 'import-map', 'L', 'log-level', 'ext', 'cert', 'seed'],
  verbs: {
    run: 'file',
    eval: 'code',
    test: 'none',
    task: 'none',
    fmt: 'none',
    lint: 'none',
    check: 'none',
    install: 'none',
    compile: 'none',
    cache: 'none',
    info: 'none',
    repl: 'none',
    add: 'none',
    remove: 'none',
  },
};

const BUN: Interpreter = {
  ...NODE,
  label: 'bun',
  values: ['r', 'preload', 'cwd', 'config', 'env-file', 'define', 'd'],
  verbs: {
    run: 'file',
    test: 'none',
    install: 'none',
    i: 'none',
    add: 'none',
    a: 'none',
    remove: 'none',
    rm: 'none',
    update: 'none',
    x: 'none',
    build: 'none',
    create: 'none',
    init: 'none',
    link: 'none',
    pm: 'none',
    publish: 'none',
    upgrade: 'none',
    exec: 'none',
  },
};

const PERL: Interpreter = {
  language: 'perl',
  label: 'perl',
  code: ['e', 'E'],
  codeEnds: false,
  values: ['I', 'M', 'm', 'C', 'D', 'x'],
  other: ['v', 'V', 'c', 'h'],
  clusters: true,
};

const RUBY: Interpreter = {
  language: 'ruby',
  label: 'ruby',
  code: ['e'],
  codeEnds: false,
  values: ['r', 'I', 'C', 'E', 'K', 'T'],
  other: ['v', 'version', 'help', 'h', 'c'],
  clusters: true,
};

const PHP: Interpreter = {
  language: 'php',
  label: 'php',
  code: ['r', 'B', 'R', 'E'],
  codeEnds: true,
  values: ['d', 'c', 'S', 't', 'z', 'f'],
  other: ['v', 'i', 'm', 'l', 'h', 'version', 'help'],
  clusters: false,
};

const LUA: Interpreter = { language: 'lua', label: 'lua', code: ['e'], codeEnds: false, values: ['l'], other: ['v', 'i'], clusters: false };

const RSCRIPT: Interpreter = {
  language: 'r',
  label: 'Rscript',
  code: ['e'],
  codeEnds: false,
  values: ['f', 'file'],
  other: ['version', 'help'],
  clusters: false,
};

/** A program text of a command, with what it gets. */
export interface Found {
  code?: Word;
  file?: Word;
  stdin?: boolean;
  args: readonly Word[];
  /** perl -n, -p, -i. */
  lines?: boolean;
  module?: Word;
}

/** Reads the words of an interpreter's call. Undefined: it runs nothing that could be read. */
export function find(words: readonly Word[], how: Interpreter): Found | undefined {
  let lines = false;
  const codes: Word[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const text = textOf(word) ?? shapeOf(word);
    if (text === '--') {
      at++;
      break;
    }
    if (text === '-') return { stdin: true, args: words.slice(at + 1), lines };
    if (!isOption(word)) break;
    if (text.startsWith('--')) {
      const equals = text.indexOf('=');
      const name = text.slice(2, equals < 0 ? undefined : equals);
      if (how.code.includes(name)) {
        const value = equals < 0 ? words[++at] : cutWord(word, equals + 1);
        if (value) codes.push(value);
      } else if (how.other.includes(name)) return undefined;
      else if (equals < 0 && how.values.includes(name)) at++;
      continue;
    }
    const letters = text.slice(1);
    // `-pe`, `-lane CODE`, `-c'code'`, `-Mstrict`, `-i.bak`.
    let used = false;
    for (let i = 0; i < letters.length; i++) {
      const letter = letters[i]!;
      const rest = letters.slice(i + 1);
      if (how.code.includes(letter)) {
        // Node takes no attached code: `-pe` is two flags.
        const value = rest !== '' && how.language !== 'js' ? cutWord(word, i + 2) : words[++at];
        if (value) codes.push(value);
        if (how.codeEnds) return { code: joinCode(codes), args: words.slice(at + 1), lines };
        used = true;
        break;
      }
      if (letter === 'm' && how.language === 'python')
        return { module: rest === '' ? words[at + 1] : cutWord(word, i + 2), args: words.slice(at + (rest === '' ? 2 : 1)), lines };
      if (how.other.includes(letter) && letters.length === 1) return undefined;
      if (how.values.includes(letter)) {
        if (rest === '') at++;
        used = true;
        break;
      }
      if ((how.language === 'perl' || how.language === 'ruby') && (letter === 'n' || letter === 'p')) lines = true;
      if ((how.language === 'perl' || how.language === 'ruby') && (letter === 'i' || letter === 'F' || letter === '0')) {
        // The suffix of the backup is the rest of the cluster, unless code follows in it.
        const code = letter === 'i' ? -1 : rest.search(/[eE]/);
        if (letter === 'i' && /^[eE]$/.test(rest)) continue;
        if (code < 0) {
          used = true;
          break;
        }
      }
    }
    if (used) continue;
  }
  if (codes.length > 0) return { code: joinCode(codes), args: words.slice(at), lines };
  const file = words[at];
  if (!file) return { stdin: true, args: [], lines };
  return { file, args: words.slice(at + 1), lines };
}

export const joinCode = (codes: readonly Word[]): Word =>
  codes.length === 1
    ? codes[0]!
    : {
        parts: codes.flatMap((word, i) => (i === 0 ? word.parts : [{ kind: 'text' as const, text: '\n' }, ...word.parts])),
        raw: codes.map((word) => word.raw).join('\n'),
      };

/** The word from an offset of its certain text on. */
function cutWord(word: Word, from: number): Word {
  let skip = from;
  const parts = word.parts.flatMap((part) => {
    if (part.kind === 'hole' || skip === 0) return [part];
    const cut = Math.min(skip, part.text.length);
    skip -= cut;
    const text = part.text.slice(cut);
    return text === '' ? [] : [{ ...part, text }];
  });
  return { parts, raw: word.raw };
}

/** `python3.12` is `python`. */
export const plainName = (name: string): string => name.replace(/^(python|pypy|perl|ruby|lua|php|node|nodejs)[0-9.]*$/, '$1');

export const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  node: NODE,
  nodejs: NODE,
  tsx: NODE,
  'ts-node': NODE,
  zx: NODE,
  deno: DENO,
  bun: BUN,
  perl: PERL,
  ruby: RUBY,
  jruby: RUBY,
  php: PHP,
  lua: LUA,
  luajit: LUA,
  Rscript: RSCRIPT,
  rscript: RSCRIPT,
};
