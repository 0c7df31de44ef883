/**
 * The earlier effects of a line, looked through once as the list grows: a line of 2,000 commands asks before each of them what the ones
 * before it have done, and going through all of them each time would take longer than a call may.
 */
import type { Effect } from '../effect/effect.ts';

/** Kinds after which a later question has another answer. All others only matter to what they themselves have put somewhere safe. */
const CHANGING: ReadonlySet<Effect['kind']> = new Set([
  'file.move',
  'file.link',
  'git.branch-move',
  'git.clone',
  'git.commit',
  'git.config',
  'git.discard',
  'git.fetch',
  'git.history-rewrite',
  'git.init',
  'git.kept',
  'git.merge',
  'git.remote',
  'git.stash',
  'git.switch',
  'guard.checkpoint',
  'remote.ref',
]);

interface Seen {
  /** How many effects have been looked at. */
  count: number;
  /** Places in the list of those that change something. */
  changing: number[];
  /** Step -> places in the list. */
  steps: Map<number, number[]>;
}

const known = new WeakMap<readonly Effect[], Seen>();

function seenOf(list: readonly Effect[]): Seen {
  let seen = known.get(list);
  if (!seen) {
    seen = { count: 0, changing: [], steps: new Map() };
    known.set(list, seen);
  }
  for (; seen.count < list.length; seen.count++) {
    const effect = list[seen.count]!;
    if (CHANGING.has(effect.kind)) seen.changing.push(seen.count);
    const places = seen.steps.get(effect.step);
    if (places) places.push(seen.count);
    else seen.steps.set(effect.step, [seen.count]);
  }
  return seen;
}

/** Those of the first `count` effects of a list that only grows after which a question has another answer, in order. */
export function changingBefore(list: readonly Effect[], count: number): readonly Effect[] {
  const found: Effect[] = [];
  for (const place of seenOf(list).changing) {
    if (place >= count) break;
    found.push(list[place]!);
  }
  return found;
}

/** Those of the first `count` effects whose steps have succeeded when `asking` runs, in order; all of them when nobody asks. */
export function sureBefore(asking: Effect | undefined, list: readonly Effect[], count: number): readonly Effect[] {
  if (!asking) return list.slice(0, count);
  const { steps } = seenOf(list);
  return [...new Set(asking.given)]
    .flatMap((step) => steps.get(step) ?? [])
    .filter((place) => place < count)
    .sort((a, b) => a - b)
    .map((place) => list[place]!);
}
