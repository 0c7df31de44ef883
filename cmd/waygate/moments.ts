/**
 * What is said at the moments of a session that judge nothing: a table from moment to a function that gives the texts.
 * A capability that has something to say then adds one line here, and loads its code in the function.
 */
import type { Action, Moment } from '../../internal/action/action.ts';
import type { Texts } from '../../internal/host/host.ts';
import type { Session } from '../../internal/ledger/session.ts';
import type { Policy } from '../../internal/policy/policy.ts';

/** What a moment may look at. The event itself is in the ledger already. */
export interface At {
  session: Session;
  /** The policy in force; read when it is asked for. */
  policy(): Promise<Policy>;
}

export type OnMoment = (action: Action, at: At) => Partial<Texts> | Promise<Partial<Texts>>;

/** The table of rules and how waygate is called here. They come with the engine, which the hook's own bundle goes without. */
const here = async () => (await import('./judging.ts')).here();

const TABLE: Partial<Record<Moment, OnMoment>> = {
  'session-start': async (action, { session, policy }) =>
    (await import('./told.ts')).atStart(action, session, { policy: await policy(), ...(await here()) }),
  compact: async (_action, { session }) => (await import('./told.ts')).atCompaction(session),
  spawn: async (action, { session, policy }) =>
    (await import('./told.ts')).atStart(action, session, { policy: await policy(), ...(await here()) }),
  stop: async (action, { session }) => (await import('./unfinished.ts')).atStop(action, session, (await here()).rules),
};

/** The texts of a moment; '' where nobody has anything to say. What breaks here says nothing: no call waits for it. */
export async function onMoment(action: Action, at: At): Promise<Texts> {
  try {
    return { agent: '', person: '', ...(await TABLE[action.moment]?.(action, at)) };
  } catch {
    return { agent: '', person: '' };
  }
}
