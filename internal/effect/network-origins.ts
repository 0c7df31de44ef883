/** Where bytes of a line come from: the words of the flow, shared by its parts. */
import type { Word } from '../shell/word.ts';
import type { Target } from './effect.ts';
import { type Fetched, isLocal } from './network-fetch.ts';

/** Where bytes come from. */
export type Origin =
  | { from: 'network'; fetched: Fetched; step: number }
  | { from: 'decoded'; how: string; step: number }
  | { from: 'file'; target: Target };

/** Bounds the lists: a chain of thousands of stages stays linear. */
const LIMIT = 32;

/** The steps whose output stands in a word. */
export const stepsOf = (word: Word | undefined): readonly number[] =>
  word ? word.parts.flatMap((part) => (part.kind === 'hole' ? (part.steps ?? []) : [])) : [];

/** `/dev/tcp/HOST/PORT` and udp: the host, when it is another machine. */
export function socketOf(word: Word): string | undefined {
  const text = word.parts.map((part) => part.text).join('');
  const match = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(.+)$/.exec(text);
  return match && !isLocal(match[1]!) ? `${match[1]}:${match[2]}` : undefined;
}

export const outOf = (steps: readonly number[], state: State): readonly Origin[] =>
  unique(steps.flatMap((step) => state.flows.get(step)?.out ?? []));

/** The content of a file: what the line put there, and the file itself. */
export function contentOf(target: Target, state: State): readonly Origin[] {
  const written = target.path === undefined ? undefined : state.files.get(target.path);
  return [...(written ?? []), { from: 'file', target }];
}

export function unique(origins: readonly Origin[]): readonly Origin[] {
  if (origins.length < 2) return origins;
  const seen = new Set<string>();
  const out: Origin[] = [];
  for (const origin of origins) {
    const key = origin.from === 'file' ? `f${origin.target.path ?? origin.target.raw}` : `${origin.from}${origin.step}`;
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(origin);
    if (out.length >= LIMIT) break;
  }
  return out;
}

/** What reaches one command. */
export interface Inflow {
  stdin: readonly Origin[];
  out: readonly Origin[];
  /** Connections that descriptors hold when the command starts, by number or `$name`. */
  opened?: ReadonlyMap<string, string>;
  /** Paths the command names whose content came from somewhere in this line. */
  paths: ReadonlyMap<string, readonly Origin[]>;
  /** The machine its output goes to, through a descriptor opened before. */
  socket?: string;
  /** The commands its output goes to, through a descriptor opened on `>(…)`. */
  beside?: readonly number[];
}

/** What a descriptor that `exec` opened leads to. */
export interface Descriptor {
  reads: readonly Origin[];
  socket?: string;
  file?: Target;
  beside?: readonly number[];
}

export interface State {
  /** Descriptors that `exec` opened: where reading from them comes from, where writing to them goes. */
  fds: Map<string, Descriptor>;
  files: Map<string, readonly Origin[]>;
  flows: Map<number, Inflow>;
}
