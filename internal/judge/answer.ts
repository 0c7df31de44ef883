/** One question, one decision, whatever happens: the promise never rejects. */
import type { Action } from '../action/action.ts';
import type { Decision } from '../decision/record.ts';
import type { Effect } from '../effect/effect.ts';
import { effectsOf } from '../effect/effects.ts';
import type { Policy } from '../policy/policy.ts';
import type { Look } from '../shell/command.ts';
import { type Bench, judge } from './judge.ts';
import { overLimit, unavailable } from './refuse.ts';
import { Overdue, within } from './within.ts';

/** How long reading, finding the policy and judging may take, in milliseconds, unless the policy says otherwise (design.md section 10). */
const DEADLINE_MS = 2000;

/** What answering needs from the outside. All of it may throw. */
export interface Sources {
  /** A fresh one for each action: it remembers what it saw. */
  look(action: Action): Look;
  /** A promise only when something has to be loaded for it. */
  policy(action: Action, effects: readonly Effect[]): Policy | Promise<Policy>;
  bench(policy: Policy, look: Look): Bench;
  /** Nobody waits for the answer: no deadline, and no watchdog's thread for each of thousands of calls. */
  unhurried?: boolean;
}

/** The decision on an action. A throw, a timeout or an exhausted stack becomes one too. */
export async function answer(action: Action, sources: Sources): Promise<Decision> {
  const started = performance.now();
  let effects: readonly Effect[] | undefined;
  let policy: Policy | undefined;
  try {
    const look = sources.look(action);
    // One deadline for the usual call, whose policy is at hand; the watchdog costs a thread.
    const inTime: typeof within = sources.unhurried ? (_ms, work) => work() : within;
    const attempt = (ms: number) =>
      inTime(ms, () => {
        effects = effectsOf(action, look);
        const found = sources.policy(action, effects);
        if (found instanceof Promise || found.deadlineMs !== DEADLINE_MS) return { policy: found };
        policy = found;
        return { decision: judge(action, sources.bench(found, look), effects) };
      });
    const first = sources.unhurried ? attempt(DEADLINE_MS) : patiently(attempt, () => effects !== undefined);
    if (first.decision) return took(first.decision, started);
    const inForce = await first.policy!;
    policy = inForce;
    const bench = sources.bench(inForce, look);
    return took(
      inTime(inForce.deadlineMs, () => judge(action, bench, effects)),
      started,
    );
  } catch (error) {
    const decision = took(onFailure(action, effects, error), started);
    return policy ? { ...decision, policy: policy.revision } : decision;
  }
}

/**
 * A long line on a machine that gives this process no time is not judged in time and is no fault of the line: it gets one more try, twice
 * as long, still far below what hosts wait. Not once it has been read: then git may be what takes so long.
 */
function patiently<T>(attempt: (ms: number) => T, isRead: () => boolean): T {
  const before = process.cpuUsage();
  try {
    return attempt(DEADLINE_MS);
  } catch (error) {
    const { user, system } = process.cpuUsage(before);
    const starved = user + system < DEADLINE_MS * 1000 * STARVED_SHARE;
    if (!(error instanceof Overdue) || isRead() || !starved) throw error;
    return attempt(2 * DEADLINE_MS);
  }
}

/** Less processor time than this share of the deadline: others had it. */
const STARVED_SHARE = 0.6;

/** With the whole time in it, not only that of the rules. */
const took = (decision: Decision, started: number): Decision => ({
  ...decision,
  took: { ms: Math.round((performance.now() - started) * 100) / 100, git: decision.took.git },
});

function onFailure(action: Action, effects: readonly Effect[] | undefined, error: unknown): Decision {
  const now = new Date();
  if (isStackExhausted(error)) return overLimit(action, 'the call is nested deeper than can be read', now);
  const why = error instanceof Overdue ? error.message : 'the guard itself broke';
  return unavailable(action, why, effects ?? effectsWithoutWorld(action, error), now);
}

/** Engines tell an exhausted stack by a RangeError; other RangeErrors are bugs. */
const isStackExhausted = (error: unknown): boolean => error instanceof RangeError && /call stack/i.test(error.message);

/** What the action would do, read without looking at files; undefined when that breaks as well. */
function effectsWithoutWorld(action: Action, error: unknown): readonly Effect[] | undefined {
  if (error instanceof Overdue) return undefined;
  try {
    return within(DEADLINE_MS / 4, () => effectsOf(action, BLIND));
  } catch {
    return undefined;
  }
}

const BLIND: Look = {
  env: () => undefined,
  home: '/',
  tmp: '/tmp',
  stat: () => undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};
