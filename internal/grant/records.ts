/**
 * What an agent asks of the owner, and what the owner answers: one JSON line each, appended with one write, never changed.
 * `requests.jsonl` holds what agents wrote, `grants.jsonl` what a person decided and how often it was used.
 */

/** What a request is about, exactly: it does not change after it was put. */
export interface Prepared {
  /** The call: a shell line, or another tool with its input. Redacted. */
  kind: 'command' | 'call' | 'diff';
  text: string;
  argv?: readonly string[];
  tool?: string;
  /** `sha256:` over the exact object, before redaction. */
  digest: string;
  cwd: string;
  /** Files that the call names and that were there, with the digest of their bytes. */
  files: readonly { path: string; digest: string }[];
  /** What the call would touch: targets of its effects. */
  targets: readonly string[];
}

export interface RequestRecord {
  t: 'request';
  id: string;
  at: string;
  /** Real path of the workspace's root. */
  workspace: string;
  session?: string;
  need: string;
  why: string;
  object: Prepared;
  /** What the guard refuses it with; empty where nothing does. */
  refusals: readonly { rule: string; boundary: string; says: string }[];
  category?: string;
  /** What could not be taken back, and what could. */
  recovery: string;
  /** A read-only call that shows what it would hit. */
  preview?: string;
}

export type GrantScope = 'session' | 'workspace' | 'all';

export interface GrantRecord {
  t: 'grant';
  id: string;
  at: string;
  until: string;
  scope: GrantScope;
  workspace: string;
  session?: string;
  /** Only findings of this rule. */
  rule?: string;
  /** Boundaries it is for: exact ones, or one glob in which `*` is any text. */
  boundaries?: readonly string[];
  glob?: string;
  /** How many calls; absent: any number. */
  uses?: number;
  reason: string;
  request?: string;
  /** The bytes these files had when the request was put: with others it is another object. */
  files?: readonly { path: string; digest: string }[];
}

/** A person takes a grant or a rejection back. */
export interface RevokedRecord {
  t: 'revoked';
  at: string;
  id: string;
  reason?: string;
}

/** A person says no: to this object, and to every other wording of the same consequence. */
export interface RejectedRecord {
  t: 'rejected';
  id: string;
  at: string;
  workspace: string;
  request: string;
  digest: string;
  boundaries: readonly string[];
  reason: string;
}

/** One call went through on a grant. `key`: session, agent and call, so that a call counts once however many hooks are wired. */
export interface UsedRecord {
  t: 'used';
  at: string;
  grant: string;
  key: string;
}

export type OwnerRecord = GrantRecord | RevokedRecord | RejectedRecord | UsedRecord;

/** A grant as a judgement meets it. */
export interface Grant extends GrantRecord {
  used: number;
  /** Why it does not count (any more); absent when it does. */
  dead?: 'expired' | 'used up' | 'revoked' | 'changed';
  /** The file whose bytes are others now. */
  changed?: string;
}

/** What the owner has decided that concerns one call, as data. */
export interface Decided {
  grants: readonly Grant[];
  rejections: readonly RejectedRecord[];
}

export const NOTHING_DECIDED: Decided = { grants: [], rejections: [] };
