/** A host, both ways: its payload to an action, a decision to its reply. One file per host; no other module knows a vendor's field names. */
import type { Action, Moment } from '../action/action.ts';
import type { Problem } from '../action/tools.ts';
import type { Decision } from '../decision/record.ts';

/** What a payload turned out to be. */
export type Parsed =
  | { kind: 'action'; action: Action }
  /** Nothing was asked: empty stdin. */
  | { kind: 'empty' }
  /** Not readable as a request. What could be made out of it stands beside it, for the record and the reply. */
  | { kind: 'invalid'; problem: Problem; seen: Seen };

/** What an unreadable request still says about itself. */
export interface Seen {
  host: string;
  event: string;
  session: string;
  tool: string;
}

/** What the hook process does: exactly these bytes and this exit code. */
export interface Reply {
  stdout: string;
  stderr: string;
  exitCode: 0 | 2;
}

/** What a reply is made of, beside the decision: the two texts, already written by the views. */
export interface Texts {
  /** For the agent; '' when it has nothing to read. */
  agent: string;
  /** For the person; '' when nothing is shown. */
  person: string;
  /** For the host's own prompt to the person; '' or absent when the decision is not put to them. */
  prompt?: string;
}

/** Where a payload is read: what the process knows when the payload does not say. */
export interface Around {
  /** Absolute directory to assume when the payload names none. */
  cwd: string;
  env(name: string): string | undefined;
}

/** What a host really does with an answer. What it cannot, the guard does not rely on. */
export interface Abilities {
  /** It puts a question to a person before the call, and the call waits for the answer. */
  prompt: boolean;
  /** It stops the run when the hook says so. */
  stop: boolean;
  /** It reports how a call ended, in an event of its own. */
  outcome: boolean;
}

export interface Host {
  name: string;
  can: Abilities;
  /** Is this payload one of this host's? Used when `--host` is missing. */
  claims(payload: Readonly<Record<string, unknown>>): boolean;
  parse(payload: unknown, around: Around): Parsed;
  render(decision: Decision, at: { moment: Moment; event: string }, texts: Texts): Reply;
  /** At a moment that judges nothing: something to read, or silence. */
  remark(at: { moment: Moment; event: string }, texts: Texts): Reply;
  /** Stops the run after a call that has been made; the strongest way this host has. */
  halt(at: { moment: Moment; event: string }, texts: Texts): Reply;
}

/** Nothing to say: the host's own flow goes on. */
export const SILENT: Reply = { stdout: '', stderr: '', exitCode: 0 };
