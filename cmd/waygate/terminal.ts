/** What verbs share: colour, messages, exit codes. Results go to stdout, messages to stderr. */
import { createInterface } from 'node:readline/promises';

/** 0 fine, 1 the check failed, 2 usage error. */
export type Exit = 0 | 1 | 2;

/** Bad use of the command line: the message names the flag, the exit code is 2. */
export class UsageError extends Error {}
/** The verb could not do what it was asked for: exit code 1, the message alone. */
export class Failure extends Error {}

/** Colour only on a terminal, and never with NO_COLOR. */
const coloured = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** A text in a colour, for stdout. */
export const paint = (colour: keyof typeof CODES, text: string): string =>
  coloured(process.stdout) ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
export const tell = (text: string): void => void process.stderr.write(`${text}\n`);
/** One JSON document. */
export const sayJson = (value: object): void => say(JSON.stringify({ schema: 1, ...value }, null, 2));

/** Someone is there to answer. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on the terminal; the prompt goes to stderr. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

/** One of several words, or the flag is named. */
export function oneOf<T extends string>(flag: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  if (allowed.includes(value as T)) return value as T;
  throw new UsageError(`${flag}: ${JSON.stringify(value)} is not one of ${allowed.join(', ')}`);
}
