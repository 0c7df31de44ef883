/** The end of a turn: what is refused and unresolved is told to the person, once. It never keeps the agent from stopping. */
import { createHash } from 'node:crypto';
import type { Action } from '../../internal/action/action.ts';
import type { Texts } from '../../internal/host/host.ts';
import type { Session } from '../../internal/ledger/session.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { sessionNamed } from '../../internal/report/sessions.ts';
import type { AnyRule } from '../../internal/rule/rule.ts';
import { handoffSummary } from '../../internal/view/handoff.ts';
import { openIntents } from '../../internal/view/standing.ts';
import { handoffHere } from './account.ts';

/** The person's line at a Stop event; nothing when nothing is unresolved, or when it was told already. */
export function atStop(action: Action, session: Session, rules: readonly AnyRule[]): Partial<Texts> {
  const view = session.view();
  if (Object.keys(view.boundaries).length === 0 && openIntents(view).length === 0) return {};
  const told = sessionNamed(session.id);
  if (!told) return {};
  const person = handoffSummary(handoffHere(told, rootOf(action.workspace) ?? action.workspace, rules));
  if (person === '') return {};
  const digest = `sha256:${createHash('sha256').update(person).digest('hex')}`;
  const last = told.records.findLast((record) => record.t === 'told' && record.what === 'handoff');
  if (last?.t === 'told' && last.digest === digest) return {};
  session.append({ t: 'told', at: new Date().toISOString(), what: 'handoff', digest });
  return { person };
}
