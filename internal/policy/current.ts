/**
 * The policy of a call, on the hot path: a few `stat` calls when no file exists, one JSON file when the snapshot is fresh,
 * and only when something changed the compiler with its YAML and schema libraries.
 */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Action } from '../action/action.ts';
import type { Effect } from '../effect/effect.ts';
import type { AnyRule } from '../rule/rule.ts';
import { loadChange } from './change.ts';
import { type Env, type Places, POLICY_NAME, placesOf } from './places.ts';
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
  const policies: Policy[] = [];
  for (const root of rootsOf(action, context.effects)) {
    const now = await policyOfRoot(root, { ...context, places, record });
    policies.push(record ? floorOf(now, action.caller.session, root, places) : now);
  }
  const policy = strictestOf(policies);
  await prepareChange(action, context.rules, policy);
  return policy;
}

/** The same at once; undefined when something has to be loaded first: the usual call waits for nothing. */
export function policyAtHand(action: Action, context: PolicyContext): Policy | undefined {
  const places = context.places ?? placesOf(context.env);
  const record = context.record ?? true;
  const policies: Policy[] = [];
  for (const root of rootsOf(action, context.effects)) {
    const now = policyAtHandOf(root, context.rules, places);
    if (!now) return undefined;
    policies.push(record ? floorOf(now, action.caller.session, root, places) : now);
  }
  const policy = strictestOf(policies);
  return namesPolicyFile(action, policy) ? undefined : policy;
}

/** The policy of one workspace, without the floor of a session. */
export async function policyOfRoot(root: string, context: Omit<PolicyContext, 'effects'>): Promise<Policy> {
  const places = context.places ?? placesOf(context.env);
  const now = policyAtHandOf(root, context.rules, places);
  if (now) return now;
  const { compileRoot } = await import('./compiler.ts');
  return compileRoot(root, { rules: context.rules, places, write: context.record ?? true });
}

/** No file, or a fresh snapshot of the files there are. */
function policyAtHandOf(root: string, rules: readonly AnyRule[], places: Places): Policy | undefined {
  if ([places.organization, places.user, join(root, POLICY_NAME)].every(isAbsent)) return DEFAULT_POLICY;
  return readSnapshot(root, places, tableDigest(rules));
}

/** Brings the comparison of policy files in when the call names one, so that `policyChange` can be asked. */
export async function prepareChange(action: Action, rules: readonly AnyRule[], policy: Policy = DEFAULT_POLICY): Promise<void> {
  if (namesPolicyFile(action, policy)) await loadChange(rules);
}

function namesPolicyFile(action: Action, policy: Policy): boolean {
  const named = [POLICY_NAME, ...policy.sources.filter((source) => source.digest !== null).map((source) => basename(source.path))];
  const { command, path } = action.input;
  const texts = action.surface === 'mcp' || action.surface === 'unknown' ? [JSON.stringify(action.raw)] : [command, path];
  return named.some((name) => texts.some((text) => text?.includes(name)));
}

/** True only when nothing lies there: what exists and cannot be read is the compiler's to report. */
function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
