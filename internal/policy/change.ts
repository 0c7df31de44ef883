/**
 * What a write to a policy file would change. The comparison needs the compiler, which the hot path does not load at start;
 * `loadChange` brings it in when a call names a policy file. Without it the answer is `unread`, and the rule refuses.
 */
import type { AnyRule } from '../rule/rule.ts';

/** looser: something guarded would be given up, `keys` names it. unread: it cannot be told. */
export interface PolicyChange {
  change: 'same' | 'tighter' | 'looser' | 'unread';
  /** `rules.sed-in-place`, `preset`: what would be looser. */
  keys: readonly string[];
}

/** Compares two texts of one policy file; undefined stands for no file. */
export type ComparePolicies = (path: string, before: string | undefined, after: string | undefined) => PolicyChange;

const UNREAD: PolicyChange = { change: 'unread', keys: [] };

let compare: ComparePolicies | undefined;

/** Loads the comparison for a table of rules. */
export async function loadChange(rules: readonly AnyRule[]): Promise<void> {
  const { comparer } = await import('./compiler.ts');
  compare = comparer(rules);
}

/** What replacing the text of a policy file would change. Never throws. */
export const policyChange: ComparePolicies = (path, before, after) => {
  if (before === after) return { change: 'same', keys: [] };
  try {
    return compare?.(path, before, after) ?? UNREAD;
  } catch {
    return UNREAD;
  }
};
