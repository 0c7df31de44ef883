/** Does a green gate cover a commit: one function for the push rules, the gate's own repetition and `waygate gate status`. */

export interface Coverage {
  /** passed: a signed, passed run saw this commit or an identical tree. unknown: the log cannot be read, or the commit cannot. */
  state: 'passed' | 'failed' | 'incomplete' | 'absent' | 'unknown';
  /** Full object name; undefined when the revision does not resolve. */
  commit: string | undefined;
  /** The declared gate. */
  command: string;
  /** One sentence: what covers it, or why nothing does. */
  why: string;
  /** The run that decides. */
  run?: { id: string; at: string; seconds: number | undefined; by: 'commit' | 'tree' };
}
