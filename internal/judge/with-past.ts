/** The facts of a call within its session: what the session has seen is true of the workspace as well. Pure. */
import type { Action } from '../action/action.ts';
import { MAIN_AGENT } from '../decision/lineage.ts';
import type { Decision } from '../decision/record.ts';
import { redact } from '../decision/redact.ts';
import type { Effect } from '../effect/effect.ts';
import { type LookEffect, looksOf } from '../effect/looks.ts';
import type { Spoken } from '../engine/evaluate.ts';
import type { Facts } from '../fact/facts.ts';
import { shortDigest, toldKey } from '../ledger/fold.ts';
import { type LookRecord, lookedAgain, lookKey } from '../ledger/looks.ts';
import type { Look } from '../shell/command.ts';
import { digestOf } from './identity.ts';
import { withoutOwn } from './own.ts';
import type { Past } from './past.ts';

/** The facts, with what the session knows besides. Without a past they are as they were. */
export function withPast(facts: Facts, action: Action, past: Past | undefined): Facts {
  if (!past) return facts;
  const more: Partial<Facts> = {
    lost: (question) => withoutOwn(facts.lost(question), question, facts, () => past.session().own),
    looked: (effect) => {
      const key = lookKey(action.caller.agent?.id ?? MAIN_AGENT, atOf(effect));
      return lookedAgain(past.session().looks[key], lookRecord(effect, facts), shortDigest(digestOf(action))).times;
    },
    push: (effect) => {
      const known = facts.push(effect);
      if (known.every((each) => each.force === 'none' || each.review !== undefined)) return known;
      const { reviews } = past.session();
      if (Object.keys(reviews).length === 0) return known;
      const repo = facts.repo(effect.repo)?.commonDir;
      return known.map((each) => {
        const seen = each.review === undefined && !each.tag ? reviews[`${repo}\n${each.name}`] : undefined;
        return seen?.state === 'open' ? { ...each, review: seen.number ?? 'its review' } : each;
      });
    },
    after: (earlier, asking, line) => withPast(facts.after(earlier, asking, line), action, past),
  };
  return Object.assign(Object.create(facts) as Facts, more);
}

/** The looks of a call as effects beside its others; only within a session. */
export const lookingOf = (
  action: Action,
  effects: readonly Effect[],
  look: Look,
  past: Past | undefined,
): readonly LookEffect[] | undefined => past && looksOf(action, effects, look);

/** What the record keeps of them. */
export const lookedOf = (looks: readonly LookEffect[] | undefined, facts: Facts): Pick<Decision, 'looked'> =>
  looks === undefined ? {} : { looked: looks.map((effect) => lookRecord(effect, facts)) };

/** The findings without the facts about the workspace that this agent has been told in this session. */
export function notYetTold(spoken: readonly Spoken[], action: Action, past: Past | undefined): readonly Spoken[] {
  if (!past || !spoken.some(isStanding)) return spoken;
  const { told } = past.session();
  const agent = action.caller.agent?.id ?? MAIN_AGENT;
  return spoken.filter((each) => !isStanding(each) || !Object.hasOwn(told, toldKey(agent, each.rule.name, redact(each.finding.boundary))));
}

const isStanding = ({ rule, verdict }: Spoken): boolean => verdict === 'notice' && rule.standing === true;

/** Words of a question may hold a credential; what stands for it is the same each time. */
const atOf = (effect: LookEffect): string => redact(`${effect.at} ${effect.what}`);

function lookRecord(effect: LookEffect, facts: Facts): LookRecord {
  if (effect.at !== 'file') return { at: atOf(effect) };
  const found = facts.file(effect.what);
  const file = found.kind === 'link' && found.target !== undefined ? facts.file(found.target) : found;
  if (file.kind !== 'file') return { at: atOf(effect) };
  return { at: atOf(effect), size: file.size, ...(file.changed === undefined ? {} : { changed: file.changed }) };
}
