/** The end of a call that left something open outside. Light: every outcome event comes here. */
import type { Action } from '../../internal/action/action.ts';
import { MAIN_AGENT } from '../../internal/decision/lineage.ts';
import { type Caller, closeIntents, hasIntents } from '../../internal/intent/store.ts';
import { digestOf } from '../../internal/judge/identity.ts';
import type { OutcomeRecord } from '../../internal/ledger/records.ts';
import type { Session } from '../../internal/ledger/session.ts';
import { rootOf } from '../../internal/policy/roots.ts';

/** The workspace of a session: the repository it was started in. */
export const workspaceOf = (action: Pick<Action, 'workspace'>): string => rootOf(action.workspace) ?? action.workspace;

/** Who makes a call, and which. */
export const callerOf = (action: Action): Caller => ({
  session: action.caller.session,
  agent: action.caller.agent?.id ?? MAIN_AGENT,
  digest: digestOf(action),
  ...(action.callId === undefined ? {} : { call: action.callId }),
});

/** What the outcome of a call tells about open calls. One that went into the background, or was cancelled, tells nothing yet. */
export function onOutcomeOf(action: Action, session: Session, result: OutcomeRecord['result'], now: Date = new Date()): void {
  const workspace = workspaceOf(action);
  if (result === 'cancelled' || action.input.background || !hasIntents(workspace)) return;
  for (const record of closeIntents(workspace, callerOf(action), result, now)) session.append(record);
}
