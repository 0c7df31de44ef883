/** What every wrapper is made of: the shape of what runs inside, and how words are put together. */
import type { Bound } from './command.ts';
import { type Grammar, parseOptions } from './options.ts';
import { shapeOf, type Word } from './word.ts';

/** What runs inside a wrapper. */
export type Inner = (
  | { kind: 'argv'; argv: readonly Word[] }
  /** Text that a shell reads. `zero` and `args` are $0 and $1…; `same`: in the shell itself (eval), not in a new one. */
  | { kind: 'code'; code: Word; zero?: Word; args?: readonly Word[]; same?: boolean }
  /** A shell that reads its commands from standard input. */
  | { kind: 'stdin' }
  /** A program that reads commands of its own language, one a line; `escape` gives the line for a shell that is in one. */
  | { kind: 'lines'; escape(command: string): string | undefined }
  /** A shell that runs a file. */
  | { kind: 'file'; file: Word; args: readonly Word[]; same?: boolean }
) & {
  via: string;
  env?: readonly (readonly [string, Word | undefined])[];
  clearEnv?: boolean;
  chdir?: Word;
  /** Behind `remote`: folders of this machine that it sees (`binds` as written), and the directory it starts in. */
  binds?: readonly { how: 'volume' | 'mount' | 'root'; word: Word }[];
  inside?: Word;
  root?: boolean;
  remote?: boolean;
  looped?: boolean;
  /** Words of standard input are put behind the arguments, or in place of this text. */
  fromStdin?: { replace?: string; unlessEmpty?: boolean /** read instead of standard input */; file?: Word };
  /** The wrapper itself is a command worth judging too. */
  keep?: boolean;
  /** A time limit, or a stopwatch, around what runs. */
  bound?: Bound;
  timed?: true;
  /** A shell started with `-o pipefail`. */
  pipefail?: true;
  /** It is not certain that it is a wrapper at all. */
  perhaps?: boolean;
};

export type Unwrap = (args: readonly Word[], name: string) => Inner | readonly Inner[] | undefined;

/** Assignments in front, then the command: how env, sudo and doas read their operands. Any word with `=` is one, whatever its name. */
export function assignmentsFirst(words: readonly Word[]): { env: [string, Word | undefined][]; argv: readonly Word[] } {
  const env: [string, Word | undefined][] = [];
  let i = 0;
  for (; i < words.length; i++) {
    const match = /^([^=]*)=/.exec(leading(words[i]!));
    if (!match) break;
    env.push([match[1]!, from(words[i]!, match[0].length)]);
  }
  return { env, argv: words.slice(i) };
}

export const leading = (word: Word): string => (word.parts[0]?.kind === 'text' ? word.parts[0].text : '');

export function from(word: Word, offset: number): Word {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text') return word;
  const text = first.text.slice(offset);
  return { parts: text === '' ? rest : [{ kind: 'text', text }, ...rest], raw: word.raw };
}

/** A wrapper whose options are skipped, with `operands` words of its own before the command. */
export const plain = (grammar: Grammar, operands = 0, more: Partial<Inner> = {}): Unwrap => {
  const front: Grammar = { stopAtOperand: true, ...grammar };
  return (args, name) => {
    const { operands: words } = parseOptions(args, front);
    const argv = words.slice(operands);
    return argv.length > 0 ? ({ kind: 'argv', argv, via: name, ...more } as Inner) : undefined;
  };
};

/** Words as one line, as `eval`, `ssh` and `watch` join them. */
export function joinWords(words: readonly Word[]): Word {
  const parts = words.flatMap((word, i) => [...(i > 0 ? [{ kind: 'text', text: ' ' } as const] : []), ...word.parts]);
  return { parts, raw: words.map((word) => word.raw).join(' ') };
}

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
