/** The budget that a call would overdraw, and what is said about it. Pure. */

import type { SessionView } from '../ledger/records.ts';
import type { Finding } from '../rule/rule.ts';
import { countedAs } from './keys.ts';

/** A budget that has nothing left for the call. */
export interface Over {
  /** As the policy names it. */
  key: string;
  limit: number;
  spent: number;
  counted: string;
}

/**
 * The budgets that the call would overdraw. `spending`: what the call costs by counted name; empty for the guard's own verbs, which
 * stay free. A budget is of the session: another tool, role or wording draws on the same one.
 */
export function overdrawn(
  budgets: Readonly<Record<string, number>>,
  spending: Readonly<Record<string, number>>,
  session: Pick<SessionView, 'spent' | 'startedAt'>,
  now: Date,
): readonly Over[] {
  if (spending['calls'] === undefined) return [];
  return Object.entries(budgets).flatMap(([key, limit]) => {
    const counted = countedAs(key);
    if (counted === undefined) return [];
    if (counted === 'seconds') {
      const spent = session.startedAt ? Math.floor((now.getTime() - Date.parse(session.startedAt)) / 1000) : 0;
      return spent >= limit ? [{ key, limit, spent, counted }] : [];
    }
    const cost = spending[counted] ?? 0;
    const spent = session.spent[counted] ?? 0;
    return cost > 0 && spent + cost > limit ? [{ key, limit, spent, counted }] : [];
  });
}

/** What can still be done when a budget is spent. */
const REMAINS: Readonly<Record<string, string>> = {
  calls: 'your final report from what you have, and the verbs of waygate (request, handoff, checkpoint)',
  seconds: 'your final report from what you have, and the verbs of waygate (request, handoff, checkpoint)',
  reads: 'work with what has been read, changes that need no further reading, the report',
  spawns: 'calls of your own, reading, editing, tests, the report',
  effects: 'reading, editing, tests, a look at how things stand outside, the report',
  requests: 'work that needs no decision of the owner, the report',
};
const REMAINS_ELSE = 'reading, editing, tests, calls of every other kind, the report';

/** The boundary of a budget: one for the whole session, whatever tool meets it. */
export const budgetBoundary = (key: string): string => `budget ${key}`;

/** What the agent is told. */
export function budgetFinding(over: Over): Finding {
  const kind = named(over);
  const says =
    over.counted === 'seconds'
      ? `The session's budget \`${over.key}: ${over.limit}\` is spent: it has run for ${over.spent} seconds.`
      : `The session's budget \`${over.key}: ${over.limit}\` is spent: ${over.spent} ${kind} so far, and this call would be one more.`;
  return {
    says,
    person: `The budget ${over.key} of this session (${over.limit}) is spent.`,
    remedies: [
      { kind: 'ask', ask: `May this session go beyond its budget \`${over.key}: ${over.limit}\`?`, because: 'only the owner extends it' },
      { kind: 'wait', because: `still allowed: ${REMAINS[over.counted] ?? REMAINS_ELSE}. Another tool draws on the same budget.` },
    ],
    category: 'budget-exhausted',
    persistence: 'owner-action',
    boundary: budgetBoundary(over.key),
  };
}

function named({ counted }: Over): string {
  if (counted.startsWith('tool ')) return `\`${counted.slice(5)}\` calls`;
  if (counted.startsWith('surface ')) return `${counted.slice(8)} calls`;
  if (counted.startsWith('category ')) return `${counted.slice(9)} calls`;
  return counted.includes('.') ? `\`${counted}\`` : counted;
}
