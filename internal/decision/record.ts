/** The decision record, schema 1 (contract.md). Views and host replies are pure functions of it. */
import type { Category, Persistence } from './category.ts';
import type { Remedy } from '../rule/rule.ts';

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

export interface Decision {
  schema: typeof SCHEMA;
  id: string;
  at: string;
  host: string;
  session: string;
  agent?: { id: string; type?: string };
  policy: string;
  action: { surface: string; tool: string; digest: string; summary: string };
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
  lineage?: { repeat: number; first: string | null; same: number; any: number; progress: 'continue' | 'checkpoint' | 'stop' };
  reasonRevision: typeof REASON_REVISION;
  took: { ms: number; git: number };
}

/** Strictness of a verdict; the strictest finding wins. */
export const strictness: Readonly<Record<Verdict, number>> = { pass: 0, notice: 1, advise: 2, deny: 3 };
