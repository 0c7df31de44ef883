/** The pieces that a policy file is read into: layers, entries, drafts of errors. Types and small helpers only. */
import { homedir } from 'node:os';
import type { Spot } from './document.ts';
import type { Origin, PolicyError } from './policy.ts';

/** One of the files of a policy, in the order they are merged. */
export interface Layer {
  kind: 'organization' | 'user' | 'workspace';
  path: string;
  /** Relative globs of a workspace's file reach below this folder. */
  root: string | undefined;
  /** Real path of what trust in this file's entries is given for. */
  scope: string;
  /** Loosening counts without trust. */
  free: boolean;
}

/** One value of one file. */
export interface Entry {
  /** `rules.output-pipe`, `rules.read-navigation.lines`, `budgets.push`, `preset`, … */
  key: string;
  /** Globs made absolute. */
  value: unknown;
  /** As written: what trust is given for. */
  raw: unknown;
  origin: Origin & { line: number };
  reason?: string;
  scope: string;
  free: boolean;
}

/** An error before it is known what stays in force. `key`: the value that keeps its stricter state. */
export type Draft = Omit<PolicyError, 'stays'> & { stays?: string; key?: string };

/** A file, read. */
export interface Reading {
  entries: readonly Entry[];
  errors: readonly Draft[];
  /** Keys whose value was wrong: they stay at the stricter of their default and what other files say. */
  bad: readonly string[];
  /** The whole file could not be read: everything stays at least at its default. */
  broken: boolean;
  /** Every file that was looked at. */
  paths: readonly string[];
}

/** How files are reached: the disk, or the disk with one text replaced. undefined: nothing lies there. `root`: only root can write it. */
export type ReadText = (path: string) => { text: string; root?: boolean } | { problem: string } | undefined;

/** A file as texts name it: relative to the workspace, `~/…` below home, else whole. */
export function nameOf(path: string, root: string | undefined, home = homedir()): string {
  if (root !== undefined && path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path;
}

/** An error at a spot of a file. */
export const draftAt = (file: string, spot: Spot, message: string, more: Partial<Draft> = {}): Draft => ({
  file,
  line: spot.line,
  column: spot.column,
  excerpt: spot.excerpt,
  message,
  ...more,
});
