/** The decision record, schema 1 (contract.md). Views and host replies are pure functions of it. */

import type { Remedy } from '../rule/rule.ts';
import type { Category, Persistence } from './category.ts';

export const SCHEMA = 1;
export const REASON_REVISION = 1;

export type Verdict = 'pass' | 'notice' | 'advise' | 'deny';
/** policy: a rule spoke. validation: the request was not readable. unavailable: the guard could not judge. */
export type DecisionKind = 'policy' | 'validation' | 'unavailable';

export interface Notice {
  rule: string;
  says: string;
}

export interface RecordedFinding {
  rule: string;
  verdict: Verdict;
  says: string;
  boundary: string;
  facts: Readonly<Record<string, unknown>>;
}

/** The earlier refusals that a refusal stands in. */
export interface Lineage {
  /** Refusals on this boundary before this one, by whoever asked. */
  repeat: number;
  /** The first of them; null when this is the first. */
  first: string | null;
  /** Consecutive refusals of this category for this agent and tool, this one included. */
  same: number;
  /** Consecutive failures and refusals of any kind for this agent and tool, this one included. */
  any: number;
  progress: 'continue' | 'checkpoint' | 'stop';
  /** What the first refusal said. */
  says?: string;
  /** stop: the counter that tripped and what it stood at. */
  tripped?: { counter: 'boundary' | 'category' | 'any'; count: number };
}

export interface Decision {
  schema: typeof SCHEMA;
  id: string;
  at: string;
  host: string;
  session: string;
  agent?: { id: string; type?: string };
  policy: string;
  /** `registry`: digest of how this guard reads that tool, so that refusals of different readings are told apart. */
  action: { surface: string; tool: string; digest: string; summary: string; registry?: string };
  verdict: Verdict;
  kind: DecisionKind;
  capability?: string;
  /** Protected trace: never sent to the agent. */
  effects: readonly Readonly<Record<string, unknown>>[];
  findings: readonly RecordedFinding[];
  rule?: string;
  category?: Category;
  persistence?: Persistence;
  boundary?: string;
  narrowedFrom?: string;
  says?: string;
  person?: string;
  atStake?: readonly string[];
  /** The call passes because a checkpoint holds what it destroys: what, and which. */
  held?: readonly { name: string; checkpoint: string }[];
  remedies: readonly Remedy[];
  notices: readonly Notice[];
  /** The call passes because the owner granted it: the first grant, and each with what it covered. `first`: not used before. */
  granted?: { id: string; by: readonly { grant: string; rule: string; boundary: string }[]; first?: true };
  /** What the owner has decided about the boundary, as ids: with another set it is a new question. Absent when nothing. */
  grantsVersion?: string;
  /** `owner: ask`: a deny that the host puts to the person as its own prompt. It is no counted refusal: the person may let it run. */
  prompt?: true;
  /** The call only looks: at what, and how a file stood then. Absent when it does anything else. Protected trace. */
  looked?: readonly { at: string; size?: number; changed?: number }[];
  /** Files that were not there before, or were the session's own, and what is in them once the call has run. Protected trace. */
  wrote?: readonly { path: string; digest: string }[];
  /** Consequences outside whose end has to be known before the call is made again. Protected trace. */
  intents?: readonly { boundary: string; what: string; status?: string }[];
  lineage?: Lineage;
  reasonRevision: typeof REASON_REVISION;
  took: { ms: number; git: number };
}

/** Strictness of a verdict; the strictest finding wins. */
export const strictness: Readonly<Record<Verdict, number>> = { pass: 0, notice: 1, advise: 2, deny: 3 };
