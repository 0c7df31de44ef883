/**
 * What a session's ledger holds: one JSON line per record, appended with one write, never changed.
 * Everything a later judgement wants to know about the session is a fold over these records (`fold.ts`).
 */
import type { Category, Persistence } from '../decision/category.ts';
import type { Decision, Verdict } from '../decision/record.ts';
import type { LookView } from './looks.ts';

/** What the agent is, inside its session: '' for the main one. */
export type AgentId = string;

/** A judgement. `call`: the host's id of the call; one call counts once, however many hooks are wired. */
export interface DecisionRecord {
  t: 'decision';
  decision: Decision;
  call?: string;
  /** Digest of what a refusal rests on: policy revision, content at stake, target, grants. Another digest is a new question. */
  preconditions: string;
  /** Root of the workspace the call was made in. */
  workspace?: string;
  /** A refusal that counts: in the lineage of its boundary and in both streaks. Never stands for `hintable`. */
  counted?: true;
  /** A request of the wrong shape: it counts as a failure of its tool and may be sent again in the right one. */
  hintable?: true;
  /** This agent had read a refusal on this boundary before it asked. */
  read?: true;
}

/** The counter that stopped a run, and what it stood at. */
export interface Tripped {
  counter: 'boundary' | 'category' | 'any';
  count: number;
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
  /** The run was stopped with this outcome. */
  stop?: Tripped;
}

/** Moments of the session. */
export interface EventRecord {
  t: 'event';
  at: string;
  event: 'start' | 'prompt' | 'compact' | 'stop' | 'end' | 'spawn' | 'spawn-end';
  agent?: AgentId;
  /** start: what started it. compact: what triggered it. end: why. spawn: the type of the sub-agent. */
  detail?: string;
  workspace?: string;
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

/** How a review stands, as a call of the forge's tool that succeeded has shown it. It only ever brings or lifts an advice. */
export interface ReviewRecord {
  t: 'review';
  at: string;
  /** Common git directory of the repository. */
  repo: string;
  state: 'open' | 'merged' | 'closed';
  branch?: string;
  /** As a text names it: `#12`, `!12`. */
  number?: string;
}

export type LedgerRecord = DecisionRecord | OutcomeRecord | EventRecord | IntentRecord | ResolvedRecord | ToldRecord | ReviewRecord;

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
  /** Those of them that count for a stop: the first, and each that an agent got after it had read one. */
  counted: number;
  preconditions: string;
  /** The counts under other preconditions of this session, so that changing back is not a fresh start; the latest few. */
  others?: Readonly<Record<string, Pick<BoundaryView, 'first' | 'says' | 'count' | 'counted' | 'byAgent' | 'prompt' | 'stoppedAt'>>>;
  /** Refusals each agent got: agents side by side that meet it once each are no loop. */
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
  /** The run was stopped with this streak, during this prompt. */
  stoppedAt?: number;
  /** The prompt during which the one more attempt after a stop was used. */
  granted?: number;
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
  /** Calls that passed, and outcomes that the host reported. */
  passed: number;
  outcomes: number;
  /** `agent\ncall` -> the decision made on it; the latest ones (`RECENT` of fold.ts). A call without an id stands under its digest. */
  recent: Readonly<Record<string, { id: string; verdict: Verdict; digest: string; done?: boolean }>>;
  intents: Readonly<Record<string, IntentView>>;
  /** Spent so far, by budget key: an effect kind, a tool, a category, or calls, reads, spawns. */
  spent: Readonly<Record<string, number>>;
  /** `agent\nwhat` -> its looks in a row; empty when the agent did anything else since (`looks.ts`). */
  looks: Readonly<Record<string, LookView>>;
  /** `agent\nrule\nboundary` of notices that were given since the session began or was compacted. */
  told: Readonly<Record<string, true>>;
  /** Path -> digest of the text that this session gave a file which was not there before (judge/own.ts). */
  own: Readonly<Record<string, string>>;
  /** `repo\nbranch` -> the review of that branch. */
  reviews: Readonly<Record<string, Pick<ReviewRecord, 'state' | 'number'>>>;
}

export const EMPTY_VIEW: SessionView = {
  schema: 1,
  prompts: 0,
  calls: 0,
  passed: 0,
  outcomes: 0,
  boundaries: {},
  streaks: {},
  recent: {},
  intents: {},
  spent: {},
  looks: {},
  told: {},
  own: {},
  reviews: {},
};
