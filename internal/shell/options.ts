/**
 * Options of a program, parsed by that program's own grammar: clusters, values, long and abbreviated forms, `--`.
 * Never guessed: an option that the grammar does not name is kept in `unknown`.
 */
import { isOption, textOf, type Word } from './word.ts';

/** A program's options. Short names without the dash; long names without the dashes. */
export interface Grammar {
  /** Options without a value. */
  flags?: readonly string[];
  /** Options with a value of their own (`-n 3`, `-n3`, `--num 3`, `--num=3`). */
  values?: readonly string[];
  /** Long options whose value is optional and only given with `=`. Short ones only attached. */
  optional?: readonly string[];
  /** Short or old name -> name used in the result. */
  aliases?: Readonly<Record<string, string>>;
  /** The first operand ends the options (git's and most wrappers' global part). */
  stopAtOperand?: boolean;
  /** Long options may be cut to a unique start. Default true. */
  abbreviate?: boolean;
  /** Long options may be written with one dash (find, java, terraform). Clusters are off then. */
  singleDash?: boolean;
}

export interface Parsed {
  /** Name -> values, in order; a flag holds undefined per occurrence. `--no-x` is kept as its own name `no-x` unless the grammar names it. */
  options: ReadonlyMap<string, readonly (Word | undefined)[]>;
  operands: readonly Word[];
  /** Operands that stood after `--`. */
  afterDashes: readonly Word[];
  dashes: boolean;
  /** Options that the grammar does not know, as written. */
  unknown: readonly string[];
  /** Every option in the order it was given, with the word it stands in and its place in a cluster (0 for a long one). */
  order: readonly { name: string; word: number; at: number }[];
  has(name: string): boolean;
  /** The last value of an option, as certain text. */
  text(name: string): string | undefined;
  word(name: string): Word | undefined;
}

/** The names of a grammar, to be looked up. */
interface Table {
  flags: Names;
  values: Names;
  optional: Names;
  aliases: Readonly<Record<string, string>>;
  /** Long names, those of the aliases among them; made when a long option is met. */
  longs: readonly string[] | undefined;
}

type Names = { has(name: string): boolean };

/** More names than this are looked up in a set; fewer are found as fast in their list, which is there already. */
const FEW = 24;
const namesOf = (list: readonly string[] | undefined): Names => {
  if (!list || list.length === 0) return NO_NAMES;
  return list.length > FEW ? new Set(list) : { has: (name) => list.includes(name) };
};
const NO_NAMES: Names = { has: () => false };
const NO_ALIASES = {};

const tables = new WeakMap<Grammar, Table>();

/** Built once for a grammar: curl alone has some 250 options, and a line may call it thousands of times. */
function tableOf(grammar: Grammar): Table {
  let table = tables.get(grammar);
  if (!table) {
    table = {
      flags: namesOf(grammar.flags),
      values: namesOf(grammar.values),
      optional: namesOf(grammar.optional),
      aliases: grammar.aliases ?? NO_ALIASES,
      longs: undefined,
    };
    tables.set(grammar, table);
  }
  return table;
}

const longNames = (grammar: Grammar): readonly string[] =>
  [
    ...new Set([...(grammar.flags ?? []), ...(grammar.values ?? []), ...(grammar.optional ?? []), ...Object.keys(grammar.aliases ?? {})]),
  ].filter((name) => name.length > 1);

/** The full name of a long option that may be cut short; undefined when the grammar has none. */
function fullName(given: string, table: Table, grammar: Grammar): string | undefined {
  table.longs ??= longNames(grammar);
  const { longs, aliases } = table;
  if (longs.includes(given)) return given;
  if (grammar.abbreviate === false) return undefined;
  const fits = [...new Set(longs.filter((name) => name.startsWith(given)).map((name) => aliasOf(name, aliases) ?? name))];
  // Several fit: the one that the others only lengthen (`--forc` before `--force-with-lease`), else it is not known.
  return fits.length === 1 ? fits[0] : fits.find((name) => fits.every((other) => other.startsWith(name)));
}

/** Of its own: `--constructor` is the name of no option. */
const aliasOf = (name: string, aliases: Table['aliases']): string | undefined => (Object.hasOwn(aliases, name) ? aliases[name] : undefined);
const takesValue = (name: string, { values, aliases }: Table): boolean => values.has(name) || values.has(aliasOf(name, aliases) ?? name);
const takesOptional = (name: string, { optional, aliases }: Table): boolean =>
  optional.has(name) || optional.has(aliasOf(name, aliases) ?? name);
const isFlag = (name: string, { flags, aliases }: Table): boolean => flags.has(name) || flags.has(aliasOf(name, aliases) ?? '');

/** Parses words by a grammar. A word that starts with a hole counts as an operand. */
export function parseOptions(words: readonly Word[], grammar: Grammar): Parsed {
  const options = new Map<string, (Word | undefined)[]>();
  const operands: Word[] = [];
  const afterDashes: Word[] = [];
  const unknown: string[] = [];
  const order: { name: string; word: number; at: number }[] = [];
  let dashes = false;
  let position = 0;
  let letter = 0;
  // Of a grammar that is written where it is used nothing is made until an option is met.
  let known: Table | undefined;

  const add = (name: string, value: Word | undefined) => {
    const full = aliasOf(name, known!.aliases) ?? name;
    order.push({ name: full, word: position, at: letter });
    const list = options.get(full);
    if (list) list.push(value);
    else options.set(full, [value]);
  };

  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const text = shownText(word);
    position = i;
    letter = 0;
    if (dashes) {
      operands.push(word);
      afterDashes.push(word);
      continue;
    }
    if (text === '--') {
      dashes = true;
      continue;
    }
    if (!isOption(word) || text === '-') {
      operands.push(word);
      if (grammar.stopAtOperand) {
        operands.push(...words.slice(i + 1));
        break;
      }
      continue;
    }
    known ??= tableOf(grammar);
    if (text.startsWith('--') || grammar.singleDash) {
      const start = text.startsWith('--') ? 2 : 1;
      const equals = text.indexOf('=');
      const given = text.slice(start, equals < 0 ? undefined : equals);
      const name =
        fullName(given, known, grammar) ?? (given.length === 1 && (isFlag(given, known) || takesValue(given, known)) ? given : undefined);
      if (name === undefined) {
        unknown.push(text);
        add(given, equals < 0 ? undefined : tail(word, equals + 1));
        continue;
      }
      if (equals >= 0) add(name, tail(word, equals + 1));
      else if (takesValue(name, known)) add(name, words[++i]);
      else add(name, undefined);
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const name = text[at]!;
      letter = at;
      if (takesValue(name, known)) {
        add(name, at + 1 < text.length ? tail(word, text[at + 1] === '=' && at + 2 < text.length ? at + 2 : at + 1) : words[++i]);
        break;
      }
      if (takesOptional(name, known)) {
        add(name, at + 1 < text.length ? tail(word, at + 1) : undefined);
        break;
      }
      if (!isFlag(name, known)) unknown.push(`-${name}`);
      add(name, undefined);
    }
  }
  const last = (name: string) => options.get(name)?.at(-1);
  return {
    options,
    operands,
    afterDashes,
    dashes,
    unknown,
    order,
    has: (name) => options.has(name),
    text: (name) => textOf(last(name)),
    word: last,
  };
}

/** The certain leading text of a word, which is what an option's name is read from. */
function shownText(word: Word): string {
  let text = '';
  for (const part of word.parts) {
    if (part.kind === 'hole') break;
    text += part.text;
  }
  return text;
}

/** The word from an offset of its text on. */
function tail(word: Word, from: number): Word {
  const parts = [];
  let skip = from;
  for (const part of word.parts) {
    const length = part.kind === 'hole' ? 0 : part.text.length;
    if (skip >= length && part.kind !== 'hole') {
      skip -= length;
      continue;
    }
    parts.push(part.kind === 'hole' ? part : { ...part, text: part.text.slice(skip) });
    skip = 0;
  }
  return { parts, raw: word.raw };
}
