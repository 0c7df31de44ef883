/** A decision gets its place in the session and is appended to the ledger, once per call. */
import { createHash } from 'node:crypto';
import { type Halting, MAIN_AGENT, placed, preconditionsOf } from '../../internal/decision/lineage.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { callKey, shortDigest } from '../../internal/ledger/fold.ts';
import { findDecision } from '../../internal/ledger/read.ts';
import type { SessionView } from '../../internal/ledger/records.ts';
import type { Session } from '../../internal/ledger/session.ts';

export interface Recording {
  /** The host's id of the call. */
  call?: string | undefined;
  workspace?: string | undefined;
  halting?: Halting | undefined;
  /** What else a refusal rests on: the grants of the session. Another text is another question. */
  grants?: string | undefined;
}

/** What was decided, and why it could not be written down if it could not. */
export interface Recorded {
  decision: Decision;
  unwritten?: string | undefined;
}

/** Places, appends and returns a decision. A second hook for the same call gets the first one's decision and appends nothing. */
export function recorded(judged: Decision, session: Session, { call, workspace, halting, grants }: Recording): Recorded {
  let decision = judged;
  try {
    const view = session.view();
    const earlier = sameCall(judged, call, view);
    if (earlier !== undefined) return { decision: findDecision(session.id, earlier)?.decision ?? judged };
    const preconditions = judged.verdict === 'deny' ? digest(preconditionsOf(judged, grants ?? judged.grantsVersion)) : '';
    const place = placed(judged, view, preconditions, halting);
    decision = place.decision;
    const unwritten = session.append({
      t: 'decision',
      decision,
      ...(call === undefined ? {} : { call }),
      preconditions,
      ...(workspace === undefined ? {} : { workspace }),
      ...(place.counted ? { counted: true } : {}),
      ...(place.hintable ? { hintable: true } : {}),
      ...(place.read ? { read: true } : {}),
    });
    return { decision, unwritten };
  } catch (error) {
    // A ledger that cannot be understood takes the counting away, never the verdict.
    return { decision, unwritten: error instanceof Error ? error.message : String(error) };
  }
}

/** The decision that another hook has made on this very call, where it is of the same kind: the world may have changed since. */
function sameCall(decision: Decision, call: string | undefined, view: SessionView): string | undefined {
  if (call === undefined) return undefined;
  const { digest: asked } = decision.action;
  const before = view.recent[callKey(decision.agent?.id ?? MAIN_AGENT, call, asked)];
  const refused = decision.verdict === 'deny' && !decision.prompt;
  if (before?.digest !== shortDigest(asked) || (before.verdict === 'deny') !== refused) return undefined;
  return before.id;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
