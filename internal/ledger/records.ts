/**
 * What a session's ledger holds: one JSON line per record, appended with one write, never changed.
 * Everything a later judgement wants to know about the session is a fold over these records (`fold.ts`).
 */
import type { Category, Persistence } from '../decision/category.ts';
import type { Decision, Verdict } from '../decision/record.ts';

/** What the agent is, inside its session: '' for the main one. */
export type AgentId = string;

/** A judgement. `call`: the host's id of the call; one call counts once, however many hooks are wired. */
export interface DecisionRecord {
  t: 'decision';
  decision: Decision;
  call?: string;
  /** Digest of what a refusal rests on: policy revision, content at stake, target, grants. Another digest is a new question. */
  preconditions: string;
}

/** What became of a call that passed, as the host reports it in an event of its own. */
export interface OutcomeRecord {
  t: 'outcome';
  at: string;
  agent: AgentId;
  tool: string;
  call?: string;
  /** Digest of tool and input: counts only with an earlier passed call of the same id and digest. */
  digest: string;
  /** ok: it succeeded. failed: it ran and failed. refused: the host's own permission system refused it. cancelled: the person did. */
  result: 'ok' | 'failed' | 'refused' | 'cancelled';
}

/** Moments of the session. */
export interface EventRecord {
  t: 'event';
  at: string;
  event: 'start' | 'prompt' | 'compact' | 'stop' | 'end' | 'spawn';
  agent?: AgentId;
  detail?: string;
  /** start: the revision of the policy the session began with. */
  policy?: string;
}

/** A consequential call outside the workspace that has been let through and whose end is not known yet. */
export interface IntentRecord {
  t: 'intent';
  at: string;
  id: string;
  /** Normalized consequence with its target, as boundaries are. */
  boundary: string;
  call?: string;
  agent: AgentId;
  tool: string;
  digest: string;
  summary: string;
  /** Read-only command that tells how it ended. */
  status?: string;
}

/** An intent is closed: by the outcome of its call, by the recorded success of its status query, or by a person. */
export interface ResolvedRecord {
  t: 'resolved';
  at: string;
  intent: string;
  by: 'outcome' | 'status' | 'person';
  how: 'done' | 'failed' | 'not-done';
}

/** The agent has been told something that limits it (session start, after compaction): for the record. */
export interface ToldRecord {
  t: 'told';
  at: string;
  what: 'limits' | 'refusals' | 'handoff';
  digest: string;
}

export type LedgerRecord = DecisionRecord | OutcomeRecord | EventRecord | IntentRecord | ResolvedRecord | ToldRecord;

/** What a session knows about one boundary. */
export interface BoundaryView {
  boundary: string;
  category: Category;
  persistence: Persistence;
  rule: string;
  /** Decision id and sentence of the first refusal. */
  first: string;
  says: string;
  /** Refusals with these preconditions, the first included. */
  count: number;
  preconditions: string;
  /** Refusals each agent made after it had read one: agents side by side that meet it once each are no loop. */
  byAgent: Readonly<Record<AgentId, number>>;
  /** Number of the person's prompt during which it was last refused. */
  prompt: number;
  /** The run was stopped on it, during this prompt. */
  stoppedAt?: number;
  /** A later call took another path. */
  adapted?: boolean;
  tools: readonly string[];
  decisions: readonly string[];
}

/** Consecutive refusals and failures of one tool of one agent. */
export interface StreakView {
  /** Consecutive refusals of `category`. */
  category?: Category;
  same: number;
  /** Consecutive failures and refusals of any kind. */
  any: number;
}

export interface IntentView extends Omit<IntentRecord, 't'> {
  resolved?: { by: ResolvedRecord['by']; how: ResolvedRecord['how']; at: string };
}

/** Everything a judgement asks of its session. Plain JSON: the fold's checkpoint stores it. */
export interface SessionView {
  schema: 1;
  startedAt?: string;
  /** Policy revision at the start of the session. */
  policy?: string;
  prompts: number;
  calls: number;
  boundaries: Readonly<Record<string, BoundaryView>>;
  /** `agent\ntool` -> streak. */
  streaks: Readonly<Record<string, StreakView>>;
  /** `agent\ncall` -> the decision made on it; the latest 500. */
  recent: Readonly<Record<string, { id: string; verdict: Verdict; digest: string; done?: boolean }>>;
  intents: Readonly<Record<string, IntentView>>;
  /** Spent so far, by budget key: an effect kind, a tool, a category, or calls, reads, spawns. */
  spent: Readonly<Record<string, number>>;
}

export const EMPTY_VIEW: SessionView = { schema: 1, prompts: 0, calls: 0, boundaries: {}, streaks: {}, recent: {}, intents: {}, spent: {} };
