/**
 * The policy of a call, on the hot path: a few `stat` calls when no file exists, one JSON file when the snapshot is fresh,
 * and only when something changed the compiler with its YAML and schema libraries.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from '../action/action.ts';
import type { Effect } from '../effect/effect.ts';
import type { AnyRule } from '../rule/rule.ts';
import { loadChange } from './change.ts';
import { type Env, type Places, placesOf, POLICY_NAME } from './places.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';
import { rootsOf } from './roots.ts';
import { floorOf } from './session.ts';
import { readSnapshot, tableDigest } from './snapshot.ts';
import { strictestOf } from './strictest.ts';

/** What `policyFor` needs besides the action. */
export interface PolicyContext {
  /** The table of built-in rules: names, levels and options decide what a file may say. */
  rules: readonly AnyRule[];
  /** The effects of the action, so that the policy of each repository they touch counts too. */
  effects?: readonly Effect[];
  /** Default: those of the environment. */
  places?: Places;
  env?: Env;
  /** False for a what-if: no session floor, nothing written. Default true. */
  record?: boolean;
}

/**
 * The policy of a call: that of the session's workspace together with that of each repository an effect touches, the
 * strictest winning, and never below what the session started with. What cannot be read keeps the defaults.
 */
export async function policyFor(action: Action, context: PolicyContext): Promise<Policy> {
  const places = context.places ?? placesOf(context.env);
  const record = context.record ?? true;
  if (namesPolicyFile(action)) await loadChange(context.rules);
  const policies: Policy[] = [];
  for (const root of rootsOf(action, context.effects)) {
    const now = await policyOfRoot(root, { ...context, places, record });
    policies.push(record ? floorOf(now, action.caller.session, root, places) : now);
  }
  return strictestOf(policies);
}

/** The policy of one workspace, without the floor of a session. */
export async function policyOfRoot(root: string, context: Omit<PolicyContext, 'effects'>): Promise<Policy> {
  const places = context.places ?? placesOf(context.env);
  if ([places.organization, places.user, join(root, POLICY_NAME)].every(isAbsent)) return DEFAULT_POLICY;
  const fresh = readSnapshot(root, places, tableDigest(context.rules));
  if (fresh) return fresh;
  const { compileRoot } = await import('./compiler.ts');
  return compileRoot(root, { rules: context.rules, places, write: context.record ?? true });
}

/** True when the call names a policy file, so that what it would change can be asked. */
function namesPolicyFile(action: Action): boolean {
  const { command, path } = action.input;
  if (action.surface === 'mcp' || action.surface === 'unknown') return (JSON.stringify(action.raw) ?? '').includes('waygate.y');
  return command?.includes('waygate.y') === true || path?.includes('waygate.y') === true;
}

/** True only when nothing lies there: what exists and cannot be read is the compiler's to report. */
function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
