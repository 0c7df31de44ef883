/** What git tells its pre-push hook, as an effect: the refs it is about to update, with the objects on both sides. Pure. */
import type { Action } from '../action/action.ts';
import { quoteLine } from '../rule/quote.ts';
import type { Base, Effect } from './effect.ts';
import type { PushRef } from './types-git.ts';

/** One line of the hook's standard input. */
export interface PushLine {
  /** As it was given to git (`refs/heads/x`, `HEAD~1`); undefined: the ref is deleted. */
  local: string | undefined;
  /** Full object name; undefined: the ref is deleted. */
  oid: string | undefined;
  /** Full name on the remote. */
  remote: string;
  /** Full name of the object the remote has there; null: it has no such ref. */
  theirs: string | null;
}

/** A revision expression may hold blanks, so the line is read from its end. Object names have 40 digits, or 64 in SHA-256 repositories. */
const LINE = /^(.+) ([0-9a-f]{40}|[0-9a-f]{64}) (\S+) ([0-9a-f]{40}|[0-9a-f]{64})$/;
const isZero = (oid: string): boolean => /^0+$/.test(oid);

/** The lines of the hook's standard input, or the first that is none. */
export function pushLines(text: string): { lines: readonly PushLine[] } | { wrong: { line: number; got: string } } {
  const lines: PushLine[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\r$/, '');
    if (line.trim() === '') continue;
    const match = LINE.exec(line);
    if (!match) return { wrong: { line: at + 1, got: line } };
    const [, local, oid, remote, theirs] = match as unknown as [string, string, string, string, string];
    const gone = isZero(oid);
    lines.push({
      local: gone ? undefined : local,
      oid: gone ? undefined : oid,
      remote,
      theirs: isZero(theirs) ? null : theirs,
    });
  }
  return { lines };
}

/** What an action of surface push holds in `raw`. */
export interface ToldPush {
  remote: string;
  url: string;
  refs: readonly PushLine[];
  /** The repository that pushes, found from git's environment. */
  gitDir?: string;
}

/** The refspecs that would push these refs, as a line to show. */
export const toldCommand = ({ remote, refs }: ToldPush): string =>
  quoteLine([
    'git',
    'push',
    remote,
    ...refs.map(({ local, remote: dst }) =>
      local === undefined ? `:${short(dst)}` : local === dst ? short(dst) : `${short(local)}:${short(dst)}`,
    ),
  ]);

const short = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** The effect of a push that git is about to make. Nothing when no ref is updated. */
export function toldPush(action: Action, base: Base): readonly Effect[] {
  const told = action.raw as unknown as ToldPush;
  if (told.refs.length === 0) return [];
  return [
    {
      kind: 'git.push',
      ...base,
      source: toldCommand(told),
      by: 'git',
      repo: { dir: action.cwd, ...(told.gitDir === undefined ? {} : { gitDir: told.gitDir }) },
      remoteName: told.remote,
      refs: told.refs.map(refOf),
      bare: false,
      all: false,
      mirror: false,
      tags: false,
      prune: false,
      dryRun: false,
      force: 'none',
      setUpstream: false,
      ifIncludes: false,
      command: toldCommand(told),
      ...(action.pusher === undefined ? {} : { pusher: action.pusher }),
    },
  ];
}

const refOf = ({ local, oid, remote, theirs }: PushLine): PushRef => ({
  src: local,
  dst: remote,
  force: 'none',
  delete: local === undefined,
  ...(oid === undefined ? {} : { oid }),
  theirs,
});
