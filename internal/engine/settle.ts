/** Settle: one verdict out of the findings, with remedies that have been judged themselves. Pure. */
import type { Category, Persistence } from '../decision/category.ts';
import type { Notice, Verdict } from '../decision/record.ts';
import { strictness } from '../decision/record.ts';
import type { Finding, Remedy } from '../rule/rule.ts';
import type { Spoken } from './evaluate.ts';

/** Judges a remedy as this caller's own call: the verdict it would get and the rules that would speak. */
export type JudgeRemedy = (remedy: Remedy) => { verdict: Verdict; rules: readonly string[]; unknown: boolean };

export interface Settled {
  verdict: Verdict;
  lead: Spoken | undefined;
  remedies: readonly Remedy[];
  notices: readonly Notice[];
  category?: Category;
  persistence?: Persistence;
}

/** Order of answering when several rules deny: protection of the guard, then what cannot be undone, then the rest (rules.md X13). */
const GROUP_ORDER = ['guard', 'outside', 'secrets', 'push', 'work', 'leases', 'agents', 'run', 'write', 'read', 'cost'];

const byPrecedence = (a: Spoken, b: Spoken): number =>
  strictness[b.verdict] - strictness[a.verdict] ||
  GROUP_ORDER.indexOf(a.rule.group) - GROUP_ORDER.indexOf(b.rule.group) ||
  a.effect.step - b.effect.step;

/** A remedy of kind run or call is reachable when it passes and does not meet the same rule again. */
function reachable(remedy: Remedy, rule: string, judge: JudgeRemedy): boolean {
  if (remedy.kind !== 'run' && remedy.kind !== 'call') return true;
  const result = judge(remedy);
  return result.verdict !== 'deny' && !result.unknown && !result.rules.includes(rule);
}

/**
 * One verdict out of the findings.
 * A deny keeps only the remedies that pass for this caller. When none is left, a recoverable rule stands down to a notice;
 * one that guards against a loss for good falls back to asking the owner (its persistence says so).
 */
export function settle(spoken: readonly Spoken[], judge: JudgeRemedy): Settled {
  const ordered = [...spoken].sort(byPrecedence);
  const seen = new Map<string, readonly Remedy[]>();
  const standing: Spoken[] = [];
  for (const each of ordered) {
    if (each.verdict !== 'deny') {
      standing.push(each);
      continue;
    }
    const offered = (each.finding as Finding).remedies;
    const left = offered.filter((remedy) => reachable(remedy, each.rule.name, judge));
    if (left.length > 0) {
      seen.set(key(each), left);
      standing.push(each);
      continue;
    }
    if (isIrreversible(each)) {
      seen.set(key(each), [
        { kind: 'ask', ask: `May I run \`${each.effect.source}\`?`, because: 'no command can make this safe from here' },
      ]);
      standing.push(each);
    } else standing.push({ ...each, verdict: 'notice' });
  }
  standing.sort(byPrecedence);

  const lead = standing[0];
  const notices: Notice[] = [];
  for (const each of standing.slice(1)) {
    if (each.rule.name === lead?.rule.name && each.finding.boundary === lead.finding.boundary) continue;
    if (notices.some((notice) => notice.rule === each.rule.name && notice.says === each.finding.says)) continue;
    notices.push({ rule: each.rule.name, says: each.finding.says });
  }
  if (!lead) return { verdict: 'pass', lead: undefined, remedies: [], notices };
  const finding = lead.finding as Finding;
  return {
    verdict: lead.verdict,
    lead,
    remedies: lead.verdict === 'deny' ? clearingMost(standing, seen, lead) : (finding.remedies ?? []),
    notices,
    category: finding.category ?? lead.rule.category,
    persistence: finding.persistence ?? lead.rule.persistence,
  };
}

/** Two denies on one action: a remedy that both offer comes first, so that taking it clears both. */
function clearingMost(standing: readonly Spoken[], seen: ReadonlyMap<string, readonly Remedy[]>, lead: Spoken): readonly Remedy[] {
  const own = seen.get(key(lead)) ?? [];
  const others = standing
    .filter((each) => each !== lead && each.verdict === 'deny')
    .map((each) => new Set((seen.get(key(each)) ?? []).map((remedy) => JSON.stringify(remedy))));
  if (others.length === 0) return own;
  const shared = (remedy: Remedy) => others.filter((set) => set.has(JSON.stringify(remedy))).length;
  return [...own].sort((a, b) => shared(b) - shared(a));
}

const key = (each: Spoken): string => `${each.rule.name}\n${each.finding.boundary}\n${each.effect.step}`;

/** What cannot be undone refuses even without a way out but the owner. */
const isIrreversible = (each: Spoken): boolean => guardsForGood(each.rule.group);

/** The groups of rules that guard against a loss, a leak or a disarmed guard. */
export const guardsForGood = (group: Spoken['rule']['group']): boolean => ['guard', 'work', 'push', 'outside', 'secrets'].includes(group);
