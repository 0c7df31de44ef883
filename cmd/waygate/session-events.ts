/** Events of a session that judge nothing: what became of a call, and the session's own moments. They are recorded and mostly silent. */
import type { Action, Moment } from '../../internal/action/action.ts';
import { MAIN_AGENT, trippedByOutcome } from '../../internal/decision/lineage.ts';
import { mayShowReview } from '../../internal/effect/may-show-review.ts';
import { type Host, type Reply, SILENT } from '../../internal/host/host.ts';
import { digestOf } from '../../internal/judge/identity.ts';
import { isExpected } from '../../internal/ledger/fold.ts';
import type { EventRecord, OutcomeRecord } from '../../internal/ledger/records.ts';
import type { Session } from '../../internal/ledger/session.ts';
import type { Policy } from '../../internal/policy/policy.ts';
import { haltView } from '../../internal/view/halt.ts';
import { onMoment } from './moments.ts';
import { onOutcomeOf } from './outcome.ts';

const RESULTS: Partial<Record<Moment, OutcomeRecord['result']>> = {
  after: 'ok',
  failed: 'failed',
  denied: 'refused',
  cancelled: 'cancelled',
};

const EVENTS: Partial<Record<Moment, EventRecord['event']>> = {
  'session-start': 'start',
  'session-end': 'end',
  prompt: 'prompt',
  compact: 'compact',
  stop: 'stop',
  spawn: 'spawn',
  'spawn-end': 'spawn-end',
};

/** Surfaces whose calls reach outside the workspace. */
const MAY_END_SOMETHING: ReadonlySet<string> = new Set(['shell', 'mcp', 'unknown']);

/** Records an event and says what there is to say. `policy`: read only when it is needed. */
export async function onEvent(
  host: Host,
  action: Action,
  session: Session,
  workspace: string,
  policy: () => Promise<Policy>,
): Promise<Reply> {
  const result = RESULTS[action.moment];
  if (result) return onOutcome(host, action, session, result, policy);
  const event = EVENTS[action.moment];
  if (!event) return SILENT;
  session.append({
    t: 'event',
    at: new Date().toISOString(),
    event,
    workspace,
    ...(action.caller.agent ? { agent: action.caller.agent.id } : {}),
    ...(action.detail === undefined ? {} : { detail: action.detail }),
    ...(event === 'start' ? { policy: (await policy()).revision } : {}),
  });
  return host.remark(action, await onMoment(action, { session, policy }));
}

/**
 * What became of a call. It counts only with an earlier passed call of the same id and input, so that nothing can be reported for a
 * call that was never made. What the tool printed is looked at for one thing only, the state of a review, which never refuses anything.
 */
async function onOutcome(
  host: Host,
  action: Action,
  session: Session,
  result: OutcomeRecord['result'],
  policy: () => Promise<Policy>,
): Promise<Reply> {
  const agent = action.caller.agent?.id ?? MAIN_AGENT;
  const outcome = { agent, tool: action.tool, digest: digestOf(action), ...(action.callId === undefined ? {} : { call: action.callId }) };
  const view = session.view();
  if (!isExpected(view, outcome)) return SILENT;
  const counts = result === 'failed' || result === 'refused';
  const stop = counts ? trippedByOutcome(view, { agent, tool: action.tool, result }, (await policy()).halting) : undefined;
  session.append({ t: 'outcome', at: new Date().toISOString(), ...outcome, result, ...(stop ? { stop } : {}) });
  // An outcome is also the end of what the call left open outside.
  if (MAY_END_SOMETHING.has(action.surface)) onOutcomeOf(action, session, result);
  if (result === 'ok' && mayShowReview(action)) await remember(action, session);
  if (stop) return host.halt(action, haltView(stop, action.tool));
  return host.remark(action, await onMoment(action, { session, policy }));
}

/** What cannot be remembered is not known later; the call has been made. */
async function remember(action: Action, session: Session): Promise<void> {
  try {
    (await import('./judging.ts')).rememberReviews(action, session);
  } catch {
    // no repository, or one that cannot be read
  }
}
