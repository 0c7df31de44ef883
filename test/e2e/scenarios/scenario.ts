/** A refusal with what may follow it. */
import type { Call, Script } from '../../support/script.ts';

export interface Scenario {
  name: string;
  /** Bash lines in the repository before the session begins. */
  given: readonly string[];
  /** Calls before the refused one that pass; what a person did meanwhile. */
  before?(agent: Script): void;
  refused: Call;
  category: string;
  persistence: string;
  /** What the refusal has to name as the next step. */
  next: RegExp;
  /** Never in any text: secrets, hidden names. */
  undisclosed?: readonly string[];
  /** The same consequence by another way: stays refused, on the same boundary. */
  unsafe: Call;
  /** Another way on: passes. */
  safe: Call;
  /** What must be as it was, as a bash line whose output is compared before and after. */
  unchanged: string;
}
