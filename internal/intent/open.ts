/** Which open intents a call meets, and which status query it is. Pure. */
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import type { KnownIntent } from './store.ts';

/** How long a call by another agent of the same session may still be running: the longest a host lets one run, 10 minutes. */
const MAY_RUN_MS = 10 * 60_000;
/** A new session meets what an earlier one left within a day. */
const MEETS_MS = 24 * 3600_000;
/** Passed calls without one outcome after which a host counts as one that reports none. */
const SILENT_AFTER = 4;

/** The call that asks. */
export interface Asking {
  session: string;
  agent: string;
  call?: string;
  digest: string;
  now: Date;
  /** Calls that passed in this session so far, and outcomes the host reported. */
  passed: number;
  outcomes: number;
}

/** The host has let calls through and never told how one ended. */
export const isSilent = ({ passed, outcomes }: Pick<Asking, 'passed' | 'outcomes'>): boolean => outcomes === 0 && passed >= SILENT_AFTER;

/**
 * The open intent on a boundary that has been interrupted, as far as this call can tell: its own agent has gone on, another session
 * left it, or no host runs a call that long. undefined: there is none, or it may still be running.
 */
export function interruptedOn(boundary: string, intents: readonly KnownIntent[], asking: Asking): KnownIntent | undefined {
  if (isSilent(asking)) return undefined;
  return intents.findLast((intent) => intent.boundary === boundary && !intent.resolved && !intent.silent && isInterrupted(intent, asking));
}

function isInterrupted(intent: KnownIntent, asking: Asking): boolean {
  const age = asking.now.getTime() - Date.parse(intent.at);
  if (!(age < MEETS_MS)) return false;
  if (intent.session !== asking.session) return true;
  // A second hook on the same call, not a second call.
  if (intent.agent === asking.agent) return intent.call === undefined || intent.call !== asking.call || intent.digest !== asking.digest;
  return age > MAY_RUN_MS;
}

/**
 * The open intents that a line asks the status of. Its words must hold those of the query in order; a line that hides a failure
 * (`||`, in the background) tells nothing.
 */
export function askedAbout(
  commands: readonly Command[],
  intents: readonly KnownIntent[],
  words: (line: string) => readonly string[],
): readonly KnownIntent[] {
  const open = intents.filter((intent) => !intent.resolved && intent.status !== undefined);
  if (open.length === 0) return [];
  const lines = commands
    .filter((command) => command.certain && !command.background)
    .map((command) => [command.name, ...command.args.map((word) => textOf(word) ?? '')]);
  return open.filter((intent) => {
    const wanted = words(intent.status!);
    return wanted.length > 0 && lines.some((line) => line[0] === wanted[0] && holdsInOrder(line, wanted));
  });
}

function holdsInOrder(line: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  for (const word of line) if (word === wanted[at]) at += 1;
  return at === wanted.length;
}
