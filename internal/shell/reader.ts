/** What the parts of the reader share: its bounds, its state, and the calls they make to each other. */
import { basename, resolve } from 'node:path/posix';
import type { ParsedScript } from 'unbash';
import type { Command, Look, Redirect, Shape, Stdin, Unread } from './command.ts';
import type { ExpandContext } from './expand.ts';
import type { Frame, FunctionBody, Outcome, Scope } from './scope.ts';
import { hasGlob, textOf, type Word } from './word.ts';

/** Bounds of one reading. Beyond them the line counts as not read, which is a refusal. */
export const LIMITS = { text: 8 * 1024 * 1024, commands: 100_000, depth: 12, items: 16, nestedItems: 3, scripts: 40 };

/** A bound was exceeded; the message says which. */
export class LimitExceeded extends Error {}

/** A step while it is being read: the next pipeline stage is only known later. */
export type Draft = { -readonly [K in keyof Command]: Command[K] };

/** The state of one reading and its three parts: the tree (`walk`), what a command runs (`run`), the record of a command (`record`). */
export interface Reader {
  readonly look: Look;
  /** Files the line writes, with their new text where it is known. */
  readonly files: Map<string, Word | undefined>;
  /** Directories the line makes. */
  readonly made: Set<string>;
  readonly unread: Unread[];
  readonly shapes: Shape[];
  /** Where steps go; another list while dormant functions are read. */
  commands: Draft[];
  /** Known output by step. */
  readonly outputs: Map<number, Word>;
  /** Functions that have not been called yet, and how to read them. */
  readonly waiting: Map<FunctionBody, () => void>;
  readonly counters: { temporary: number; scripts: number };
  context: ExpandContext;
  script(parsed: ParsedScript, text: string, scope: Scope, frame: Frame): Outcome;
  body(node: FunctionBody, scope: Scope, frame: Frame): Outcome;
  run(argv: readonly Word[], scope: Scope, frame: Frame, redirections: readonly Redirect[], text: string, guarded?: boolean): Outcome;
  /** The paths that come in at a standard input, where a program that lists files prints them. */
  listed(stdin: Stdin, scope: Scope): readonly Word[] | undefined;
  emitted(
    argv: readonly Word[],
    frame: Frame,
    scope: Scope,
    redirections: readonly Redirect[],
    env: ReadonlyMap<string, Word | undefined>,
    text: string,
    known: string | undefined,
  ): Outcome;
}

/** Carriage returns at line ends are typing, not part of words; bash would keep them, and `rm\r` must not hide. */
export const normalized = (text: string): string =>
  text.includes('\r') ? text.replace(/\r+\n/g, '\n').replace(/\r+$/, '').replaceAll('\r', ' ') : text;

/** The program's base name in lower case, without `.exe`. */
export function programName(word: Word): string {
  // `/???/rm`: the name is certain where only the folder is a pattern.
  const last = word.parts.at(-1);
  const text = textOf(word) ?? (last?.kind === 'text' && last.text.includes('/') && hasGlob(word) ? last.text : undefined);
  if (text === undefined) return '';
  if (text === '.' || text === '/') return text;
  return basename(text.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.exe$/, '');
}

/** Standard output goes to a file or nowhere. */
export const hidesOutput = (redirects: readonly Redirect[]): boolean =>
  redirects.some((each) => each.fds.includes(1) && (each.op === '>' || each.op === '>>' || each.op === '>|'));

/** A word as a directory, absolute. */
export function directory(word: Word, cwd: string | undefined): string | undefined {
  const text = textOf(word);
  if (text === undefined || (cwd === undefined && !text.startsWith('/'))) return undefined;
  return resolve(cwd ?? '/', text);
}
