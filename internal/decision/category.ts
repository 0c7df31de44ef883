/** The closed sets of design.md section 7. A reader that meets an unknown member treats it as a refusal. */

export const CATEGORIES = [
  'work-loss',
  'outside-workspace',
  'external-effect',
  'network-unavailable',
  'approval-required',
  'outcome-unresolved',
  'budget-exhausted',
  'sensitive-data',
  'stale-target',
  'exact-equivalent',
  'hidden-result',
  'unbriefed',
  'ownership',
  'ungated',
  'self-protection',
  'policy-unavailable',
  'invalid-request',
  'retired-tool',
] as const;
export type Category = (typeof CATEGORIES)[number];

export const PERSISTENCES = ['time', 'state-change', 'narrower-scope', 'owner-action', 'not-in-this-run'] as const;
/** What kind of change could make the same request eligible. */
export type Persistence = (typeof PERSISTENCES)[number];
