/** Whose gate counts: each repository's own, also where a call touches several and their policies have met. */
import { matches } from './match.ts';
import type { Policy } from './policy.ts';

export type Gate = NonNullable<Policy['gate']>;

/**
 * The gate declared for the repository with this top; undefined: none. The gate of one workspace is never asked of another.
 * @param real resolves links, so that two names of one folder are one
 */
export function gateOf(policy: Policy, top: string, real: (path: string) => string = (path) => path): Gate | undefined {
  const same = (root: string): boolean => root === top || real(root) === real(top);
  if (policy.gates) return Object.entries(policy.gates).find(([root]) => same(root))?.[1];
  return policy.root === undefined || same(policy.root) ? policy.gate : undefined;
}

/** Is the gate for pushes of this branch? Without a branch (a tag, a bare commit) it is. */
export const isGated = (gate: Gate, branch: string | undefined, policy: Pick<Policy, 'patterns'>): boolean =>
  branch === undefined || gate.branches.some((glob) => glob === '**' || matches(policy, glob, branch));

/** The gates of policies that meet, by root. */
export const gatesOf = (policy: Policy): Readonly<Record<string, Gate>> =>
  policy.gates ?? (policy.gate && policy.root !== undefined ? { [policy.root]: policy.gate } : {});
