/** Interpreters on a command line: which text they run, and what it would do. */
import { isAbsolute, resolve } from 'node:path/posix';
import type { Command } from '../../shell/command.ts';
import { powershellArgs, readCmd, readPowershell } from '../../shell/powershell.ts';
import { isOption, literal, shapeOf, textOf, type Word } from '../../shell/word.ts';
import type { Effect } from '../effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from '../family.ts';
import { awk } from './awk.ts';
import type { LanguageName } from './parse-core.ts';
import { effectsOfProgram } from './program.ts';
import { rebased, valueOfWord, withHoles } from './words.ts';

/** Bytes of a script that are read. */
const SCRIPT_LIMIT = 256 * 1024;

/** How an interpreter is called. Letters without the dash. */
interface Interpreter {
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
interface Found {
  code?: Word;
  file?: Word;
  stdin?: boolean;
  args: readonly Word[];
  /** perl -n, -p, -i. */
  lines?: boolean;
  module?: Word;
}

/** Reads the words of an interpreter's call. Undefined: it runs nothing that could be read. */
function find(words: readonly Word[], how: Interpreter): Found | undefined {
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

const joinCode = (codes: readonly Word[]): Word =>
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

/** A family for one interpreter. */
const interpreter =
  (how: Interpreter): Family =>
  (command, context) => {
    let words = command.args;
    if (how.verbs) {
      const at = words.findIndex((word) => !isOption(word));
      const verb = at < 0 ? undefined : textOf(words[at]);
      const kind = verb === undefined ? undefined : how.verbs[verb];
      if (kind === 'none') return [];
      if (kind === 'code') {
        const code = words.slice(at + 1).find((word) => !isOption(word));
        return code ? run({ code, args: [] }, how, command, context) : [];
      }
      if (kind === 'file') {
        words = words.slice(at + 1);
        const first = words.find((word) => !isOption(word));
        if (how.label === 'bun' && first && !/[./]/.test(shapeOf(first))) return [];
      } else if (verb !== undefined && how.label === 'deno') return [];
    }
    const found = find(words, how);
    return found ? run(found, how, command, context) : [];
  };

function run(found: Found, how: Interpreter, command: Command, context: EffectContext): Effect[] {
  const base = baseOf(command);
  const args = found.args.map(valueOfWord);
  const read = (text: string, cwd: string | undefined) => context.effectsOf(text, cwd);
  const shared = { language: how.language, args, base, look: context.look, read, lines: found.lines };
  if (found.code) {
    const { text, holes } = withHoles(found.code);
    return effectsOfProgram({ ...shared, text, holes, label: how.label });
  }
  if (found.stdin) {
    const { stdin } = command;
    const word = stdin.from === 'text' || stdin.from === 'pipe' ? stdin.text : undefined;
    if (word) {
      const { text, holes } = withHoles(word);
      return effectsOfProgram({ ...shared, text, holes, label: how.label });
    }
    if (stdin.from === 'file') return scriptEffects(stdin.file, how, command, context, shared);
    return [];
  }
  if (found.module) return moduleEffects(found.module, how, command, context, shared);
  return found.file ? scriptEffects(found.file, how, command, context, shared) : [];
}

type Shared = Omit<Parameters<typeof effectsOfProgram>[0], 'text' | 'label' | 'holes' | 'file'>;

/** A script of this machine that the command runs. */
function scriptEffects(file: Word, how: Interpreter, command: Command, context: EffectContext, shared: Shared): Effect[] {
  const path = textOf(file);
  if (path === undefined || command.remote) return [];
  const at = isAbsolute(path) ? path : command.cwd === undefined ? undefined : resolve(command.cwd, path);
  const text = at === undefined ? undefined : context.look.read(at, SCRIPT_LIMIT);
  if (at === undefined || text === undefined) return [];
  return effectsOfProgram({ ...shared, text, file: at, label: `${how.label} ${path}` });
}

/** `python -m package.module` of the workspace. */
function moduleEffects(module: Word, how: Interpreter, command: Command, context: EffectContext, shared: Shared): Effect[] {
  const name = textOf(module);
  if (name === undefined || !/^[\w.]+$/.test(name) || command.cwd === undefined) return [];
  const path = name.replaceAll('.', '/');
  for (const candidate of [`${path}.py`, `${path}/__main__.py`]) {
    const found = scriptEffects(literal(candidate), how, command, context, shared);
    if (found.length > 0) return found;
  }
  return [];
}

/** A program run by its path: its first line names the interpreter. */
export const scripts: Family = (command, context) => {
  const head = command.argv[0];
  const path = textOf(head);
  if (Object.hasOwn(interpreterFamilies, command.name)) return [];
  // `perl5.38`, `node20`: a version in the name.
  const versioned = INTERPRETERS[plainName(command.name)];
  if (versioned && plainName(command.name) !== command.name) return interpreter(versioned)(command, context);
  if (path === undefined || !path.includes('/') || command.remote || command.cwd === undefined) return [];
  const at = resolve(command.cwd, path);
  const info = context.look.stat(at);
  if (!info || info.size > SCRIPT_LIMIT || info.kind === 'dir') return [];
  const text = context.look.read(at, SCRIPT_LIMIT);
  if (!text?.startsWith('#!')) return [];
  const line = text.slice(2, 200).split('\n', 1)[0]!.trim().split(/\s+/);
  const named = /\/env$/.test(line[0] ?? '') ? line.slice(1).find((word) => !word.startsWith('-') && !word.includes('=')) : line[0];
  const name = (named ?? '').slice((named ?? '').lastIndexOf('/') + 1);
  const how = INTERPRETERS[plainName(name)];
  if (!how) return [];
  return scriptEffects(literal(path), how, command, context, {
    language: how.language,
    args: command.args.map(valueOfWord),
    base: baseOf(command),
    look: context.look,
    read: context.effectsOf,
  });
};

/** `python3.12` is `python`. */
const plainName = (name: string): string => name.replace(/^(python|pypy|perl|ruby|lua|php|node|nodejs)[0-9.]*$/, '$1');

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  node: NODE,
  nodejs: NODE,
  tsx: NODE,
  'ts-node': NODE,
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

const powershell: Family = (command, context) => {
  const found = powershellArgs(command.args);
  const base = baseOf(command);
  const { stdin } = command;
  const piped = found.stdin && (stdin.from === 'text' || stdin.from === 'pipe') ? textOf(stdin.text) : undefined;
  const file =
    found.file !== undefined && command.cwd !== undefined
      ? context.look.read(resolve(command.cwd, found.file.replaceAll('\\', '/')), SCRIPT_LIMIT)
      : undefined;
  const text = found.command ?? piped ?? file;
  if (text === undefined) return [];
  const line = readPowershell(text, { cwd: command.cwd, look: context.look });
  const label = file !== undefined && found.command === undefined ? `powershell ${found.file}` : 'powershell';
  return rebased(context.effectsOfRead(line.commands, command.cwd), base, label);
};

const cmd: Family = (command, context) => {
  const words = command.args.map((word) => textOf(word));
  const at = words.findIndex((word) => /^\/\/?[ckr]$/i.test(word ?? ''));
  if (at < 0 || words.slice(at + 1).includes(undefined)) return [];
  const line = readCmd(words.slice(at + 1).join(' '), { cwd: command.cwd, look: context.look });
  return rebased(context.effectsOfRead(line.commands, command.cwd), baseOf(command), 'cmd');
};

/** osascript: AppleScript's `do shell script "…"`, or JavaScript with -l. */
const osascript: Family = (command, context) => {
  const codes: Word[] = [];
  let javascript = false;
  for (let i = 0; i < command.args.length; i++) {
    const text = textOf(command.args[i]);
    if (text === '-e' && command.args[i + 1]) codes.push(command.args[++i]!);
    else if (text === '-l') javascript = /javascript/i.test(textOf(command.args[++i]) ?? '');
  }
  if (codes.length === 0 && (command.stdin.from === 'text' || command.stdin.from === 'pipe') && command.stdin.text)
    codes.push(command.stdin.text);
  if (codes.length === 0) return [];
  const base = baseOf(command);
  const { text, holes } = withHoles(joinCode(codes));
  if (javascript)
    return effectsOfProgram({ text, holes, language: 'js', label: 'osascript', base, look: context.look, read: context.effectsOf });
  const effects: Effect[] = [];
  const script = /\bdo shell script\s+"((?:[^"\\]|\\.)*)"([^\n]*)/gi;
  for (const match of text.matchAll(script)) {
    const line = match[1]!.replace(/\\(.)/g, (_all, c: string) => (c === 'n' ? '\n' : c));
    const root = /with administrator privileges/i.test(match[2] ?? '');
    effects.push(...rebased(context.effectsOf(line, command.cwd), { ...base, root: base.root || root }, 'osascript'));
  }
  const finder = /\bdelete\s+(?:every\s+)?(?:item|file|folder|POSIX file)\b/i.test(text) && /\bFinder\b/.test(text);
  if (finder)
    effects.push({
      ...base,
      kind: 'unknown',
      why: 'dynamic',
      destructive: false,
      detail: 'Finder moves items to the trash',
      command: command.source,
    });
  if (/\b(?:shut down|restart)\b/i.test(text) && /\b(?:System Events|Finder|loginwindow)\b/.test(text))
    effects.push({ ...base, kind: 'system.state', how: 'power', detail: 'shut down or restart', command: command.source });
  return effects;
};

/** tclsh: `exec rm …`, `file delete -force …` of a script on standard input or in a file. */
const tcl: Family = (command, context) => {
  const file = command.args.find((word) => !isOption(word));
  const path = file && command.cwd !== undefined ? textOf(file) : undefined;
  const text =
    path !== undefined
      ? context.look.read(resolve(command.cwd!, path), SCRIPT_LIMIT)
      : command.stdin.from === 'text' || command.stdin.from === 'pipe'
        ? textOf(command.stdin.text)
        : undefined;
  if (text === undefined) return [];
  const base = baseOf(command);
  const effects: Effect[] = [];
  for (const line of text.split(/[\n;]/).slice(0, 5000)) {
    const words = line.trim();
    const exec = /^\[?(?:catch\s*\{)?\s*exec\s+(?:--\s+)?([^{}[\]]+)/.exec(words);
    if (exec) effects.push(...rebased(context.effectsOf(exec[1]!, command.cwd), base, 'tclsh'));
    const remove = /^file\s+delete\s+(?:-force\s+)?(?:--\s+)?([^{}[\]]+)$/.exec(words);
    if (remove) effects.push(...rebased(context.effectsOf(`rm -rf -- ${remove[1]!}`, command.cwd), base, 'tclsh'));
  }
  return effects;
};

const table: Record<string, Family> = { awk, gawk: awk, mawk: awk, nawk: awk, osascript, tclsh: tcl, powershell, pwsh: powershell, cmd };
for (const [name, how] of Object.entries(INTERPRETERS)) table[name.toLowerCase()] = interpreter(how);
for (const version of ['2', '3', '2.7', ...Array.from({ length: 16 }, (_none, i) => `3.${i}`)]) {
  table[`python${version}`] = table['python']!;
  if (version.length < 3) table[`pypy${version}`] = table['python']!;
}
table['py'] = table['python']!;
table['ipython3'] = table['python']!;
for (const version of ['5.1', '5.2', '5.3', '5.4']) table[`lua${version}`] = table['lua']!;
for (const version of ['7', '8', '7.4', '8.0', '8.1', '8.2', '8.3', '8.4']) table[`php${version}`] = table['php']!;

/** The interpreters by program name. */
export const interpreterFamilies: FamilyTable = table;
