/** What the agent is told at the beginning of a session and after a compaction. Loaded only at those moments. */
import { createHash } from 'node:crypto';
import type { Action } from '../../internal/action/action.ts';
import { countedAs } from '../../internal/budget/keys.ts';
import type { Decision } from '../../internal/decision/record.ts';
import type { Texts } from '../../internal/host/host.ts';
import { readRecords } from '../../internal/ledger/read.ts';
import type { SessionView, ToldRecord } from '../../internal/ledger/records.ts';
import type { Session } from '../../internal/ledger/session.ts';
import { inForce } from '../../internal/policy/in-force.ts';
import type { Policy } from '../../internal/policy/policy.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import type { AnyRule, Level } from '../../internal/rule/rule.ts';
import { type LimitsHere, limitsView } from '../../internal/view/limits.ts';
import { openIntents, standingOf, standingView } from '../../internal/view/standing.ts';
import { goneHook } from './git-hook-check.ts';

/** What these texts are made from besides the session. */
export interface Around {
  policy: Policy;
  rules: readonly AnyRule[];
  waygate: string;
}

/** The limits of a workspace, for the views. */
export function limitsHere(root: string, { policy, rules, waygate }: Around, view?: Pick<SessionView, 'spent'>): LimitsHere {
  const levels = new Map<string, Level>(rules.map((rule) => [rule.name, inForce(rule, policy).level]));
  return {
    root,
    policy,
    level: (name) => levels.get(name),
    spent: (budget) => view?.spent[countedAs(budget) ?? ''] ?? 0,
    waygate,
    goneHook: goneHook(root),
  };
}

/** At the start: the limits; where the session goes on (compact, resume) the refusals that stand as well. */
export function atStart(action: Action, session: Session, around: Around): Partial<Texts> {
  const root = rootOf(action.workspace) ?? action.workspace;
  const here = limitsHere(root, around, session.view());
  const limits = limitsView(here);
  tell(session, 'limits', limits);
  const gone = action.moment === 'session-start' ? here.goneHook : undefined;
  return {
    agent: [limits, handedOver(session)].filter(Boolean).join('\n\n'),
    ...(gone === undefined ? {} : { person: `waygate: ${gone}. To put it back: waygate init --git` }),
  };
}

/** Before a compaction: the refusals that stand, for hosts that take a text then; recorded in any case. */
export const atCompaction = (session: Session): Partial<Texts> => ({ agent: handedOver(session) });

function handedOver(session: Session): string {
  const view = session.view();
  if (Object.keys(view.boundaries).length === 0 && openIntents(view).length === 0) return '';
  const text = standingView(standingOf(view, decisionsOf(session.id)), openIntents(view));
  if (text !== '') tell(session, 'refusals', text);
  return text;
}

/** The decisions of a session by id. Reads the whole ledger: for rare moments. */
function decisionsOf(session: string): ReadonlyMap<string, Decision> {
  const { records } = readRecords(session);
  return new Map(records.flatMap((record) => (record.t === 'decision' ? [[record.decision.id, record.decision] as const] : [])));
}

const tell = (session: Session, what: ToldRecord['what'], text: string): void => {
  session.append({ t: 'told', at: new Date().toISOString(), what, digest: `sha256:${createHash('sha256').update(text).digest('hex')}` });
};
