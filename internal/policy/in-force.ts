/** What is in force for a rule: its default, what the policy says, what a preset makes of it. */
import type { InForce } from '../engine/evaluate.ts';
import type { AnyRule } from '../rule/rule.ts';
import type { Policy } from './policy.ts';

/** The groups that deny under `preset: safety`; the rest advise. */
const SAFETY_GROUPS = ['work', 'push', 'outside', 'secrets', 'guard'];

/** The level and options of a rule under a policy. A fixed rule keeps its own. */
export function inForce(rule: AnyRule, policy: Policy): InForce {
  if (rule.fixed) return { level: rule.level, options: {} };
  const set = policy.rules[rule.name];
  const base = policy.preset === 'safety' && rule.level === 'deny' && !SAFETY_GROUPS.includes(rule.group) ? 'advise' : rule.level;
  return { level: set?.level ?? base, options: { ...defaultsOf(rule), ...set?.options } };
}

const defaultsOf = (rule: AnyRule): Record<string, string | number | boolean> =>
  Object.fromEntries(Object.entries(rule.options ?? {}).map(([name, option]) => [name, option.default]));
