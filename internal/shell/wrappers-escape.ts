/** Escapes to a shell that editors, debuggers, database shells and pagers have: `vim -c '!…'`, `gdb -ex 'shell …'`, `sqlite3 x.db '.shell …'`. */
import { parseOptions } from './options.ts';
import { literal, textOf, type Word } from './word.ts';
import type { Inner, Unwrap } from './wrappers-core.ts';

/** A line for a shell out of one command of the program's own language; undefined: none in it. */
type Escape = (command: string) => string | undefined;

const first =
  (...patterns: readonly RegExp[]): Escape =>
  (command) => {
    for (const pattern of patterns) {
      const found = pattern.exec(command)?.[1]?.trim();
      if (found) return found;
    }
    return undefined;
  };

/** Ex commands: `!cmd`, `%!cmd`, `r !cmd`, `w !cmd`, after modifiers; a call of system() or a terminal. Vim's documentation, `:!` and system(). */
const ex = first(
  /^[:\s]*(?:(?:sil(?:ent)?|noautocmd|keepalt|vert(?:ical)?)!?\s+)*(?:%|\.|\d+(?:,\s*[\d$]+)?)?\s*(?:r(?:ead)?|w(?:rite)?)?\s*!\s*(.+)$/s,
  /^[:\s]*(?:exe(?:cute)?)\s+['"](?:sil(?:ent)?!?\s+)?!\s*(.+?)['"]\s*$/s,
  /\bsystem(?:list)?\(\s*'([^']*)'/s,
  /\bsystem(?:list)?\(\s*"([^"]*)"/s,
  /\bos\.execute\(\s*['"]([^'"]*)['"]/s,
  /^[:\s]*(?:ter(?:minal)?)\s+(.+)$/s,
);
const debuggers = first(/^\s*(?:!|shell\s|platform\s+shell\s|pipe\s+[^|]*\|)\s*(.+)$/s);
const lisp = first(/\((?:async-)?shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"/s);
const sqlite = first(/^\s*\.(?:shell|system)\s+(.+)$/s, /^\s*\.(?:once|output)\s+['"]?\|(.+?)['"]?$/s);
const psql = first(/^\s*\\!\s*(.+)$/s, /\\(?:o|g|copy\s.*\bprogram)\s+['|]\s*(.+?)'?$/s);
const mysql = first(/^\s*(?:\\!|system\s)\s*(.+)$/s);
const pager = first(/^:?!\s*(.+)$/s);
const spawn = first(/(?:^|[;\n])\s*(?:spawn|exec|system)\s+(.+?)(?:[;\n]|$)/s);

/** The values of options that hold commands of the language, and `+CMD` words. */
const commandsIn =
  (
    options: readonly string[],
    pick: Escape,
    more: { plus?: boolean; long?: boolean; operands?: boolean; flags?: readonly string[]; values?: readonly string[] } = {},
  ): Unwrap =>
  (args, name) => {
    const parsed = parseOptions(args, {
      values: [...options, ...(more.values ?? [])],
      flags: more.flags ?? [],
      abbreviate: false,
      singleDash: more.long === true,
    });
    const words = [
      ...options.flatMap((option) => parsed.options.get(option) ?? []),
      ...(more.plus ? args.filter((word) => textOf(word)?.startsWith('+')).map((word) => literal((textOf(word) ?? '').slice(1))) : []),
      ...(more.operands ? parsed.operands : []),
    ];
    const code = words.flatMap((word) => lineOf(word, name, pick) ?? []);
    // What it reads as input is its language too, one command a line.
    return [...code, { kind: 'lines', escape: pick, via: name, keep: true }];
  };

const lineOf = (word: Word | undefined, name: string, pick: Escape): Inner | undefined => {
  const code = pick(textOf(word) ?? '');
  return code === undefined ? undefined : { kind: 'code', code: literal(code), via: name, keep: true };
};

/** Options that take a whole line for a shell. */
const lineFrom =
  (...options: readonly string[]): Unwrap =>
  (args, name) => {
    const found = parseOptions(args, { values: options, abbreviate: false, singleDash: true });
    return options.flatMap((option) =>
      (found.options.get(option) ?? []).flatMap((code) => (code ? [{ kind: 'code', code, via: name, keep: true } as const] : [])),
    );
  };

const VIM = commandsIn(['c', 'cmd'], ex, { plus: true, flags: [...'eEsvdRnNZmMblL'], values: [...'SutTVwWip'] });

/** `npm explore PKG -- CMD`. */
const afterDashes =
  (verb: string): Unwrap =>
  (args, name) => {
    const at = args.findIndex((word) => textOf(word) === '--');
    const argv = args.slice(at + 1);
    return textOf(args[0]) === verb && at > 0 && argv.length > 0 ? { kind: 'argv', argv, via: name, keep: true } : undefined;
  };

/** `capsh … -- ARGS`: bash with these arguments. */
const capsh: Unwrap = (args, name) => {
  const at = args.findIndex((word) => textOf(word) === '--' || textOf(word) === '==');
  return at < 0 ? undefined : { kind: 'argv', argv: [literal('bash'), ...args.slice(at + 1)], via: name };
};

/** `cmake -E rm …`: the portable tools of cmake, under the names that everybody knows. */
const CMAKE: Readonly<Record<string, readonly string[]>> = {
  rm: ['rm'],
  remove: ['rm', '-f'],
  remove_directory: ['rm', '-rf'],
  copy: ['cp'],
  copy_directory: ['cp', '-r'],
  rename: ['mv'],
  create_symlink: ['ln', '-sf'],
};

const cmake: Unwrap = (args, name) => {
  if (textOf(args[0]) !== '-E') return undefined;
  const tool = textOf(args[1]) ?? '';
  if (tool === 'env') return { kind: 'argv', argv: [literal('env'), ...args.slice(2)], via: name };
  if (tool === 'time') return args.length > 2 ? { kind: 'argv', argv: args.slice(2), via: name } : undefined;
  const known = Object.hasOwn(CMAKE, tool) ? CMAKE[tool]! : undefined;
  return known ? { kind: 'argv', argv: [...known.map((text) => literal(text)), ...args.slice(2)], via: name } : undefined;
};

/** Programs by name. */
export const ESCAPES: Readonly<Record<string, Unwrap>> = {
  vim: VIM,
  nvim: VIM,
  vi: VIM,
  view: VIM,
  gvim: VIM,
  vimdiff: VIM,
  ex: VIM,
  ed: commandsIn([], ex),
  red: commandsIn([], ex),
  emacs: commandsIn(['eval', 'execute'], lisp, { long: true }),
  emacsclient: commandsIn(['e', 'eval'], lisp),
  gdb: commandsIn(['ex', 'iex', 'eval-command', 'init-eval-command'], debuggers, {
    long: true,
    values: ['x', 'p', 'c', 'command'],
    flags: ['batch', 'nx', 'q', 'quiet'],
  }),
  lldb: commandsIn(['o', 'O', 'k', 'one-line'], debuggers, { values: ['s', 'S', 'p', 'n', 'f'], flags: ['b', 'batch', 'Q'] }),
  sqlite3: commandsIn(['cmd'], sqlite, {
    long: true,
    operands: true,
    values: ['init', 'separator', 'newline', 'nullvalue'],
    flags: ['batch', 'json', 'csv', 'line', 'list', 'html', 'box', 'readonly'],
  }),
  psql: commandsIn(['c', 'command'], psql, { values: [...'dhpUfvPFRTL'], flags: [...'AtXqxeEanwWl1'] }),
  mysql: commandsIn(['e', 'execute'], mysql, { values: [...'hPuDS'], flags: [...'BNst'] }),
  mariadb: commandsIn(['e', 'execute'], mysql, { values: [...'hPuDS'], flags: [...'BNst'] }),
  expect: commandsIn(['c'], spawn),
  less: commandsIn([], pager, { plus: true }),
  man: lineFrom('P', 'pager'),
  zip: lineFrom('TT', 'unzip-command'),
  capsh,
  cmake,
};
export { afterDashes };
