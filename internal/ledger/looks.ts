/** How often in a row an agent has looked at the same thing: a fold of its own, used for the call at hand as well. Pure. */

/** One look, as a decision keeps it. */
export interface LookRecord {
  /** What is looked at: `file /abs/path`, `task ID`, `status WORDS`. */
  at: string;
  /** Size in bytes and time of the last change (ms) of a file at that moment. */
  size?: number;
  changed?: number;
}

/** The looks in a row at one thing. */
export interface LookView extends LookRecord {
  times: number;
  /** It has been found changed, and not by this agent: any other call of its ends the row. */
  grew?: true;
  /** Digest of the call that looked last. */
  asked: string;
}

/** Names of files that something else writes while one waits. */
const OUTPUT = /\.(?:log|logs|out|output|status|state|progress|pid)$/i;

/**
 * One look more. A file counts when it has changed since the last look, or when the same call asks again about one that changed before
 * or whose name says that something writes it: reading different parts of a finished log is work.
 */
export function lookedAgain(before: LookView | undefined, now: LookRecord, asked: string): LookView {
  if (!before) return { ...now, times: 1, asked };
  if (!now.at.startsWith('file ')) return { ...now, times: before.times + 1, asked };
  const moved = before.size !== now.size || before.changed !== now.changed;
  const grew = moved || before.grew === true;
  const counts = moved || (asked === before.asked && (grew || OUTPUT.test(now.at)));
  return { ...now, times: counts ? before.times + 1 : before.times, asked, ...(grew ? { grew: true as const } : {}) };
}

/** The place of a look in the view. */
export const lookKey = (agent: string, at: string): string => `${agent}\n${at}`;
