/** Findings that no rule of the table makes: a budget of the session that is spent, a call whose earlier end is not known. Pure. */
import type { Action } from '../action/action.ts';
import { budgetFinding, overdrawn } from '../budget/over.ts';
import { spending } from '../budget/spend.ts';
import type { Effect } from '../effect/effect.ts';
import type { Spoken } from '../engine/evaluate.ts';
import type { Facts } from '../fact/facts.ts';
import { type Intent, intentsOf, isConsequential } from '../intent/intent.ts';
import { unresolvedFinding } from '../intent/unresolved.ts';
import type { Policy } from '../policy/policy.ts';
import type { AnyRule, Finding } from '../rule/rule.ts';
import type { Past } from './past.ts';

/** What stands in the record as the rule: no file can set it, its page is the verb that shows it. */
const judgement = (name: string, category: AnyRule['category'], persistence: AnyRule['persistence']): AnyRule => ({
  name,
  group: 'outside',
  level: 'deny',
  summary: '',
  why: '',
  evidence: '',
  on: [],
  needs: [],
  category,
  persistence,
  examples: { catches: [{ run: '' }, { run: '' }], allows: [{ run: '' }, { run: '' }] },
  judge: () => undefined,
});

const UNRESOLVED = judgement('outcome-unresolved', 'outcome-unresolved', 'state-change');
const BUDGET = judgement('budget-exhausted', 'budget-exhausted', 'owner-action');

/** What the call would leave open outside, when it passes. */
export const intentsIn = (effects: readonly Effect[], facts: Facts): readonly Intent[] =>
  effects.some(isConsequential) ? intentsOf(effects, facts) : [];

/** The findings. `spoken`: what the rules said, for budgets by category. */
export function findingsOfPast(
  action: Action,
  effects: readonly Effect[],
  intents: readonly Intent[],
  around: { past: Past; policy: Policy; spoken: readonly Spoken[]; now: Date },
): readonly Spoken[] {
  return [...unresolved(action, effects, intents, around.past), ...budgets(action, effects, around)];
}

function unresolved(action: Action, effects: readonly Effect[], intents: readonly Intent[], past: Past): readonly Spoken[] {
  return intents.flatMap((intent) => {
    const open = past.interrupted(intent.boundary);
    if (!open) return [];
    const effect = effects.find(isConsequential)!;
    return [
      {
        rule: UNRESOLVED,
        finding: unresolvedFinding(intent, open, open.session === action.caller.session),
        verdict: 'deny' as const,
        effect,
      },
    ];
  });
}

function budgets(
  action: Action,
  effects: readonly Effect[],
  around: { past: Past; policy: Policy; spoken: readonly Spoken[]; now: Date },
): readonly Spoken[] {
  const limits = around.policy.budgets;
  // The usual workspace has none: its session is not read for them.
  if (Object.keys(limits).length === 0) return [];
  const lead = around.spoken[0];
  const category = lead && ((lead.finding as Finding).category ?? lead.rule.category);
  const costs = spending({ surface: action.surface, tool: action.tool, effects: effects as never, category });
  const effect = effects[0] ?? nothingOf(action);
  return overdrawn(limits, costs, around.past.session(), around.now).map((over) => ({
    rule: BUDGET,
    finding: budgetFinding(over),
    verdict: 'deny' as const,
    effect,
  }));
}

/** A call without an effect of its own: reading, searching. */
const nothingOf = (action: Action): Effect => ({
  kind: 'tool.call',
  tool: action.tool,
  step: 0,
  given: [],
  certain: true,
  cwd: action.cwd,
  via: [],
  remote: false,
  root: false,
  source: action.tool,
  by: action.tool,
});
