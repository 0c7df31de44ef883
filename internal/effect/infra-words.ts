/**
 * Subcommand words and options of tools whose whole grammar is not listed here: cloud CLIs, migration tools, consoles.
 * What matters is the verb and what it is pointed at; an option that may take a value must not hide or fake one.
 */

import { quote } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { isOption, prefixOf, shapeOf, textOf, type Word } from '../shell/word.ts';

/** How a tool writes its options. Names without dashes. */
export interface Habits {
  /** Options without a value; only of use with `greedy`. */
  flags?: readonly string[];
  /** Options that take the next word. */
  values?: readonly string[];
  /** Any other option takes the next word as well, as most cloud CLIs have it. */
  greedy?: boolean;
}

/** A call of such a tool, taken apart. */
export interface Call {
  command: Command;
  /** Words that are no options, in order. */
  words: readonly Word[];
  /** The same as text; a word that is not certain shows its shape. */
  texts: readonly string[];
  options: ReadonlyMap<string, readonly (Word | undefined)[]>;
  /** The letters after a single dash, all clusters together: `-af -v` gives `afv`. */
  letters: string;
  has(...names: string[]): boolean;
  /** The last certain value of the first of these options that is there. */
  text(...names: string[]): string | undefined;
}

/** Takes a command apart by its tool's habits. `--x=v` is read everywhere; after `--` all words are operands. */
export function callOf(command: Command, habits: Habits = {}): Call {
  const flags = new Set(habits.flags ?? []);
  const values = new Set(habits.values ?? []);
  const options = new Map<string, (Word | undefined)[]>();
  const words: Word[] = [];
  const { args } = command;
  let dashes = false;
  let letters = '';
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    const shown = prefixOf(word);
    if (dashes || !isOption(word) || shown === '-') {
      words.push(word);
      continue;
    }
    if (shown === '--') {
      dashes = true;
      continue;
    }
    const equals = shown.indexOf('=');
    const name = shown.slice(shown.startsWith('--') ? 2 : 1, equals < 0 ? undefined : equals);
    if (!shown.startsWith('--')) letters += name;
    let value: Word | undefined;
    if (equals >= 0) value = dropText(word, equals + 1);
    else if (values.has(name) || (habits.greedy && !flags.has(name) && !name.startsWith('no-'))) {
      const next = args[i + 1];
      if (next && (values.has(name) || !isOption(next))) {
        value = next;
        i++;
      }
    }
    const list = options.get(name);
    if (list) list.push(value);
    else options.set(name, [value]);
  }
  return {
    command,
    words,
    texts: words.map(shapeOf),
    options,
    letters,
    has: (...names) => names.some((name) => options.has(name)),
    text: (...names) => {
      const name = names.find((each) => options.has(each));
      return name === undefined ? undefined : textOf(options.get(name)?.at(-1));
    },
  };
}

/** A word without the first characters of its certain text. */
export function dropText(word: Word, count: number): Word {
  let left = count;
  const parts = word.parts.flatMap((part) => {
    if (left === 0 || part.kind === 'hole') return [part];
    const cut = Math.min(left, part.text.length);
    left -= cut;
    return cut === part.text.length ? [] : [{ ...part, text: part.text.slice(cut) }];
  });
  return { parts, raw: word.raw };
}

const OFF = new Set(['none', 'false', '0', 'no', 'off']);
const REHEARSALS = ['dry-run', 'dryrun', 'dry_run', 'what-if', 'whatif', 'pretend'];

/** The call only says what it would do: `--dry-run` and its kin, unless the value turns it round. */
export function isRehearsal(call: Call): boolean {
  return REHEARSALS.some((name) => {
    const list = call.options.get(name);
    if (!list) return false;
    const value = list.at(-1);
    return value === undefined || !OFF.has(shapeOf(value).toLowerCase());
  });
}

/** The call only prints help. */
export const isHelp = (call: Call): boolean => call.has('help') || call.texts[0] === 'help' || call.texts.at(-1) === 'help';

/** Words as a line: certain ones quoted anew, others as they were written. */
export const lineOf = (words: readonly Word[]): string =>
  words
    .map((word) => {
      const text = textOf(word);
      return text === undefined ? word.raw : quote(text);
    })
    .join(' ');

/** The command again, as one line, without redirections. */
export const commandLine = (command: Command): string => lineOf(command.argv);

const NAME_LIMIT = 120;

/** A name from outside as it may stand in a sentence: one line, no control characters, cut. */
export function plainName(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069`]+/g, ' ').trim();
  return line.length > NAME_LIMIT ? `${line.slice(0, NAME_LIMIT - 1)}…` : line;
}

/** Words as names for a text, at most `max` of them. */
export function namesOf(words: readonly Word[], max = 6): string {
  const shown = words.slice(0, max).map((word) => textOf(word) ?? (word.raw === '…' ? 'what the input names' : word.raw));
  return words.length > max ? `${shown.join(' ')} …` : shown.join(' ');
}

/**
 * Matches subcommand words against a path: words apart by spaces, `a|b` for either, `*` for any one word.
 * Gives the number of words it took, or undefined.
 */
export function matchPath(texts: readonly string[], path: string): number | undefined {
  const steps = path.split(' ');
  for (let i = 0; i < steps.length; i++) {
    const text = texts[i];
    if (text === undefined) return undefined;
    const step = steps[i]!;
    if (step !== '*' && !step.split('|').includes(text)) return undefined;
  }
  return steps.length;
}
