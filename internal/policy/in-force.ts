/** What is in force for a rule: its default, what the policy says, what a preset makes of it. */
import type { InForce } from '../engine/evaluate.ts';
import type { AnyRule, Level } from '../rule/rule.ts';
import type { Policy } from './policy.ts';

/** The groups that deny under `preset: safety`; the rest advise. */
const SAFETY_GROUPS = ['work', 'push', 'outside', 'secrets', 'guard'];

/** The level of a rule that no file sets, under a preset. */
export const baseLevel = (level: Level, group: string, preset: Policy['preset']): Level =>
  preset === 'safety' && level === 'deny' && !SAFETY_GROUPS.includes(group) ? 'advise' : level;

/** What is in force, by policy: a policy is never changed, and a call asks for the same few rules again and again. */
const known = new WeakMap<Policy, WeakMap<AnyRule, InForce>>();

/** The level and options of a rule under a policy. A fixed rule keeps its own. */
export function inForce(rule: AnyRule, policy: Policy): InForce {
  let rules = known.get(policy);
  if (!rules) {
    rules = new WeakMap();
    known.set(policy, rules);
  }
  let found = rules.get(rule);
  if (!found) {
    found = setFor(rule, policy);
    rules.set(rule, found);
  }
  return found;
}

function setFor(rule: AnyRule, policy: Policy): InForce {
  if (rule.fixed) return { level: rule.level, options: {} };
  const set = Object.hasOwn(policy.rules, rule.name) ? policy.rules[rule.name] : undefined;
  return { level: set?.level ?? baseLevel(rule.level, rule.group, policy.preset), options: { ...defaultsOf(rule), ...set?.options } };
}

/** Why a rule still stands although a file lowers it: `lowered in waygate.yaml:4, not yet trusted`. undefined when none does. */
export function untrustedNote(policy: Policy, rule: string): string | undefined {
  const untrusted = Object.hasOwn(policy.rules, rule) ? policy.rules[rule]?.untrusted : undefined;
  if (!untrusted) return undefined;
  const { file, line } = untrusted.origin;
  const where = line === undefined ? file : `${file}:${line}`;
  return untrusted.waits === 'session'
    ? `lowered in ${where}, which counts from the next session on`
    : `lowered in ${where}, not yet trusted`;
}

const defaultsOf = (rule: AnyRule): Record<string, string | number | boolean> =>
  Object.fromEntries(Object.entries(rule.options ?? {}).map(([name, option]) => [name, option.default]));
