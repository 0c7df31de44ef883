/** What a judgement knows beyond the call and the world: its session, what the owner decided, which calls have an open end. */
import type { Decided } from '../grant/records.ts';
import type { OpenIntent } from '../intent/unresolved.ts';
import type { SessionView } from '../ledger/records.ts';

/** All of it is data, and each piece is read only when it is asked for. */
export interface Past {
  session(): SessionView;
  /** Asked when a call is about to be refused. */
  decided(): Decided;
  /** The interrupted call on a boundary; asked for calls outside the workspace only. */
  interrupted(boundary: string): OpenIntent | undefined;
}
