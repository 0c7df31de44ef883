/** The state of reading a PowerShell script, and how a command gets into the line. Shared by values, cmdlets and the walk. */
import type { Command, Look, Redirect, Stdin, Unread } from './command.ts';
import type { Script } from './powershell-tree.ts';
import { literal, shapeOf, type Word } from './word.ts';

/** What an expression or a command gives: words, and what is known of where they come from. */
export interface Val {
  words: readonly Word[];
  /** download: text from the network; decoded: text that was encoded; process, files: objects; null: nothing. */
  mark?: 'download' | 'decoded' | 'process' | 'files' | 'null' | 'object' | 'content';
  /** The commands that made it, for pipes. */
  steps?: readonly number[];
  block?: Script;
  /** The type of an object, lower case. */
  type?: string;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What a reading carries along. */
export interface Run {
  look: Look;
  cwd: string | undefined;
  vars: Map<string, Val>;
  env: Map<string, Word | undefined>;
  functions: Map<string, Script>;
  commands: Writable<Command>[];
  unread: Unread[];
  given: readonly number[];
  via: readonly string[];
  certain: boolean;
  looped: boolean;
  background: boolean;
  remote: boolean;
  root: boolean;
  captured: number;
  depth: number;
  /** Depth of the value that is looked at. */
  nesting: number;
  /** Blocks and nested texts still allowed; reading stops with an unread `limit` at 0. */
  budget: number;
  source: string;
  /** Runs a block; gives its last value. */
  run(body: Script): Val;
  /** Reads nested text: another dialect or this one. Its commands join the line. */
  nested(dialect: 'powershell' | 'cmd' | 'posix', text: string, via: string): Val;
}

/** Commands of one line that are read. */
export const MAX_COMMANDS = 20_000;

export const NOTHING: Val = { words: [] };

/** A word that only the run will know. */
export const holeWord = (text: string, name?: string): Word => ({
  parts: [{ kind: 'hole', text, why: 'variable', ...(name ? { name } : {}) }],
  raw: text,
});

export const unknown = (text: string): Val => ({ words: [holeWord(text)] });

/** How a command is put into the line. */
export interface Emission {
  name: string;
  args: readonly Word[];
  redirects?: readonly Redirect[];
  stdin?: Stdin;
  source?: string;
  remote?: boolean;
  root?: boolean;
  via?: readonly string[];
  cwd?: string;
}

/** Adds one command; gives its step. */
export function emit(run: Run, what: Emission): number {
  const step = run.commands.length;
  if (step >= MAX_COMMANDS) {
    if (run.unread.at(-1)?.why !== 'limit') run.unread.push({ why: 'limit', detail: 'too many commands' });
    return step;
  }
  const args = what.args.map((word) => homed(word, run));
  run.commands.push({
    step,
    given: run.given,
    name: what.name,
    argv: [literal(what.name), ...args],
    args,
    env: new Map(run.env),
    redirects: (what.redirects ?? []).map((each) => ({ ...each, target: homed(each.target, run) })),
    stdin: what.stdin ?? { from: 'inherit' },
    cwd: what.cwd ?? run.cwd,
    via: [...run.via, ...(what.via ?? [])],
    remote: run.remote || (what.remote ?? false),
    root: run.root || (what.root ?? false),
    looped: run.looped,
    background: run.background,
    certain: run.certain,
    captured: run.captured > 0,
    source: (what.source ?? run.source).slice(0, 400),
  });
  return step;
}

/** `~` at the start is the home, quoted or not: the file provider itself resolves it. */
function homed(word: Word, run: Run): Word {
  const first = word.parts[0];
  if (first?.kind !== 'text' || !/^~(?:[\\/]|$)/.test(first.text) || (first.text === '~' && word.parts[1]?.kind === 'hole')) return word;
  return { parts: [{ ...first, text: run.look.home + first.text.slice(1) }, ...word.parts.slice(1)], raw: word.raw };
}

/** Two commands joined by a pipe: what stands before gets to know the one after. */
export function pipe(run: Run, from: readonly number[], to: number): Stdin {
  for (const step of from) {
    const command = run.commands[step];
    if (command) command.pipedInto = [...(command.pipedInto ?? []), to];
  }
  return { from: 'pipe', steps: from };
}

/** Texts that can be a Windows path get slashes, so that targets are compared in one spelling. */
export function pathWord(word: Word): Word {
  if (!word.parts.some((part) => part.kind !== 'hole' && part.text.includes('\\'))) return word;
  return {
    parts: word.parts.map((part) => (part.kind === 'hole' ? part : { ...part, text: part.text.replaceAll('\\', '/') })),
    raw: word.raw,
  };
}

/** An argument of a native program: only what is certainly a path is respelled. */
export function nativeWord(word: Word): Word {
  const shape = shapeOf(word);
  return /^(?:[A-Za-z]:\\|\.{1,2}\\|~\\)/.test(shape) || (shape.startsWith('\\') && hasHome(word)) ? pathWord(word) : word;
}

const hasHome = (word: Word): boolean => word.parts[0]?.kind === 'hole';

/** Globs that a cmdlet expands itself, quoted or not. */
export function globbed(word: Word): Word {
  if (!word.parts.some((part) => part.kind === 'text' && /[*?]|\[[^\]]+\]/.test(part.text))) return word;
  const parts = word.parts.flatMap((part): Word['parts'] =>
    part.kind === 'text'
      ? part.text
          .split(/([*?]|\[[^\]]+\])/)
          .filter((text) => text !== '')
          .map((text) => (/^(?:[*?]|\[[^\]]+\])$/.test(text) ? { kind: 'glob' as const, text } : { kind: 'text' as const, text }))
      : [part],
  );
  return { parts, raw: word.raw };
}

/** Two words as one. */
export function concat(...words: readonly Word[]): Word {
  const parts = words.flatMap((word) => word.parts);
  const merged: Word['parts'][number][] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last?.kind === 'text' && part.kind === 'text') merged[merged.length - 1] = { kind: 'text', text: last.text + part.text };
    else merged.push(part);
  }
  return { parts: merged, raw: words.map((word) => word.raw).join('') };
}
