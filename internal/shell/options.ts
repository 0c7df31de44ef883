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

/** A grammar as sets. */
interface Table {
  flags: ReadonlySet<string>;
  values: ReadonlySet<string>;
  optional: ReadonlySet<string>;
  aliases: Readonly<Record<string, string>>;
  longs: readonly string[];
}

const tables = new WeakMap<Grammar, Table>();

/** Built once for a grammar: curl alone has some 250 options, and a line may call it thousands of times. */
function tableOf(grammar: Grammar): Table {
  let table = tables.get(grammar);
  if (!table) {
    const flags = new Set(grammar.flags ?? []);
    const values = new Set(grammar.values ?? []);
    const optional = new Set(grammar.optional ?? []);
    const aliases = grammar.aliases ?? {};
    table = {
      flags,
      values,
      optional,
      aliases,
      longs: [...flags, ...values, ...optional].concat(Object.keys(aliases)).filter((name) => name.length > 1),
    };
    tables.set(grammar, table);
  }
  return table;
}

/** Parses words by a grammar. A word that starts with a hole counts as an operand. */
export function parseOptions(words: readonly Word[], grammar: Grammar): Parsed {
  const { flags, values, optional, aliases, longs } = tableOf(grammar);
  const options = new Map<string, (Word | undefined)[]>();
  const operands: Word[] = [];
  const afterDashes: Word[] = [];
  const unknown: string[] = [];
  const order: { name: string; word: number; at: number }[] = [];
  let dashes = false;
  let position = 0;
  let letter = 0;

  const add = (name: string, value: Word | undefined) => {
    const known = aliases[name] ?? name;
    order.push({ name: known, word: position, at: letter });
    const list = options.get(known);
    if (list) list.push(value);
    else options.set(known, [value]);
  };
  const takesValue = (name: string) => values.has(name) || values.has(aliases[name] ?? name);
  const takesOptional = (name: string) => optional.has(name) || optional.has(aliases[name] ?? name);
  const isFlag = (name: string) => flags.has(name) || flags.has(aliases[name] ?? '');
  const fullName = (given: string): string | undefined => {
    if (longs.includes(given)) return given;
    if (grammar.abbreviate === false) return undefined;
    const fits = [...new Set(longs.filter((name) => name.startsWith(given)).map((name) => aliases[name] ?? name))];
    // Several fit: the one that the others only lengthen (`--forc` before `--force-with-lease`), else it is not known.
    return fits.length === 1 ? fits[0] : fits.find((name) => fits.every((other) => other.startsWith(name)));
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
    if (text.startsWith('--') || grammar.singleDash) {
      const start = text.startsWith('--') ? 2 : 1;
      const equals = text.indexOf('=');
      const given = text.slice(start, equals < 0 ? undefined : equals);
      const name = fullName(given) ?? (given.length === 1 && (isFlag(given) || takesValue(given)) ? given : undefined);
      if (name === undefined) {
        unknown.push(text);
        add(given, equals < 0 ? undefined : tail(word, equals + 1));
        continue;
      }
      if (equals >= 0) add(name, tail(word, equals + 1));
      else if (takesValue(name)) add(name, words[++i]);
      else add(name, undefined);
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const name = text[at]!;
      letter = at;
      if (takesValue(name)) {
        add(name, at + 1 < text.length ? tail(word, text[at + 1] === '=' && at + 2 < text.length ? at + 2 : at + 1) : words[++i]);
        break;
      }
      if (takesOptional(name)) {
        add(name, at + 1 < text.length ? tail(word, at + 1) : undefined);
        break;
      }
      if (!isFlag(name)) unknown.push(`-${name}`);
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
