/** Rows of other guards' corpora on which our policy differs on purpose: the reason names the rule that decides. */
export interface Difference {
  corpus: string;
  expected: 'allow' | 'deny';
  /** The command, exactly. */
  command: string;
  /** The rule that decides here. */
  rule: string;
  reason: string;
}

export const DIFFERENCES: readonly Difference[] = [];
