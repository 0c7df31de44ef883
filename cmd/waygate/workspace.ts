/** The workspace a verb is about, and its policy as it stands now, trust included. */
import { policyOfRoot } from '../../internal/policy/current.ts';
import { type Places, placesOf } from '../../internal/policy/places.ts';
import type { Policy } from '../../internal/policy/policy.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { RULES } from '../../rules/index.gen.ts';

export interface Workspace {
  /** Top of the repository, or the current directory outside of one. */
  root: string;
  places: Places;
  policy: Policy;
}

/** Where the verb was called. Nothing is written. */
export async function workspaceHere(): Promise<Workspace> {
  const root = rootOf(process.cwd()) ?? process.cwd();
  const places = placesOf();
  return { root, places, policy: await policyOfRoot(root, { rules: RULES, places, record: false }) };
}
