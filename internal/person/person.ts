/**
 * Is a person there? A terminal of its own, opened directly, a random word typed back, and no agent host above this process
 * or in its environment. This raises the price, it is no proof: what runs as the same user can do what that user can.
 */
import { randomInt } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { chainOf, processes } from '../fact/processes.ts';
import { type Ancestor, agentAmong, agentMarker } from './agents.ts';

export type Answer = 'yes' | 'no' | { refused: string };

/** A line-wise terminal. */
export interface Terminal {
  write(text: string): void;
  /** One line without its end; undefined at the end of input. */
  readLine(): string | undefined;
  close(): void;
}

/** What the check looks at. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** The processes above this one; undefined when they cannot be listed. */
  ancestors(): readonly Ancestor[] | undefined;
  openTerminal(): Terminal | undefined;
  word(): string;
}

/** Asks a person on the terminal of the process to type a word back. `question`: what would happen, one or more lines. */
export async function askPerson(question: string, around: Surroundings = here()): Promise<Answer> {
  const refused = refusal(around);
  if (refused) return { refused };
  const terminal = around.openTerminal();
  if (!terminal) return { refused: 'there is no terminal: run it in a terminal of your own' };
  try {
    const word = around.word();
    terminal.write(`${question}\nType ${word} to go on, anything else to stop: `);
    return terminal.readLine()?.trim() === word ? 'yes' : 'no';
  } finally {
    terminal.close();
  }
}

/** Why nobody is asked; undefined when a person may be there. */
export function refusal(around: Pick<Surroundings, 'env' | 'ancestors'> = here()): string | undefined {
  const marker = agentMarker(around.env);
  if (marker) return `an agent runs this: ${marker} is set. Run it in a terminal of your own`;
  const ancestors = around.ancestors();
  if (!ancestors) return 'the processes above this one cannot be listed';
  const agent = agentAmong(ancestors);
  return agent === undefined ? undefined : `an agent runs this: ${agent} is above this process. Run it in a terminal of your own`;
}

function here(): Surroundings {
  return {
    env: process.env,
    ancestors: () => {
      const all = processes();
      return all && chainOf(process.pid, all).slice(1);
    },
    openTerminal,
    word: randomWord,
  };
}

/** The controlling terminal itself: a pipe to stdin is no answer. */
function openTerminal(): Terminal | undefined {
  if (process.platform === 'win32') return undefined;
  let fd: number;
  try {
    fd = openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
  return {
    write: (text) => void writeSync(fd, text),
    readLine: () => lineFrom(fd),
    close: () => closeSync(fd),
  };
}

/** What a person types at one go. */
const MAX_LINE = 4096;

function lineFrom(fd: number): string | undefined {
  const chunk = Buffer.alloc(MAX_LINE);
  let text = '';
  while (!text.includes('\n') && text.length < MAX_LINE) {
    let got: number;
    try {
      got = readSync(fd, chunk);
    } catch {
      return undefined;
    }
    if (got === 0) break;
    text += chunk.toString('utf8', 0, got);
  }
  return text === '' ? undefined : text.split('\n')[0];
}

const WORDS =
  'amber anchor apple arrow autumn basket beacon birch bridge candle canyon cedar cherry cobalt copper coral cotton crystal dawn delta ember falcon feather fern forest garden glacier granite harbor hazel island ivory jasmine juniper lantern lemon linen maple marble meadow mellow mint moss nectar ocean olive orchid pepper pine plum prairie quartz raven ribbon river saffron silver spruce summer thistle timber tulip velvet violet walnut willow winter'.split(
    ' ',
  );

/** Two words, so that neither a habit nor `yes` answers. */
export const randomWord = (): string => `${WORDS[randomInt(WORDS.length)]}-${WORDS[randomInt(WORDS.length)]}`;
