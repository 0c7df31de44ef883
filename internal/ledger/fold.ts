/** The fold: a session's view after one more record. Pure; everything a judgement asks of its session comes from here. */
import { spend } from '../budget/spend.ts';
import { HOST_REFUSAL, type Known, MAIN_AGENT, streakKey } from '../decision/lineage.ts';
import { SCHEMA } from '../decision/record.ts';
import type {
  BoundaryView,
  DecisionRecord,
  EventRecord,
  IntentRecord,
  IntentView,
  LedgerRecord,
  OutcomeRecord,
  ResolvedRecord,
  SessionView,
  StreakView,
} from './records.ts';

/** Raised whenever this file folds differently: a checkpoint of another fold is not read. */
export const FOLD = 1;

/** How much of each kind a view keeps, the latest first: bounds the cost of a checkpoint. */
export const RECENT = 256;
const BOUNDARIES = 200;
const STREAKS = 200;
const INTENTS = 100;
const NAMES = 10;
const OTHERS = 8;

/** Passed calls without one outcome after which a host counts as one that reports none; only then a passed call resets a streak. */
const SILENT_HOST = 24;

/** The view while it is folded: maps, so that a long ledger is not copied once per record. */
export interface Draft
  extends Omit<{ -readonly [K in keyof SessionView]: SessionView[K] }, 'boundaries' | 'streaks' | 'recent' | 'intents' | 'spent'> {
  boundaries: Map<string, BoundaryView>;
  streaks: Map<string, StreakView>;
  recent: Map<string, SessionView['recent'][string]>;
  intents: Map<string, IntentView>;
  spent: Map<string, number>;
}

export const fold = (view: SessionView, record: LedgerRecord): SessionView => foldAll(view, [record]);

/** Several records at once; the same as one after the other. */
export function foldAll(view: SessionView, records: Iterable<LedgerRecord>): SessionView {
  const draft: Draft = {
    ...view,
    boundaries: new Map(Object.entries(view.boundaries)),
    streaks: new Map(Object.entries(view.streaks)),
    recent: new Map(Object.entries(view.recent)),
    intents: new Map(Object.entries(view.intents)),
    spent: new Map(Object.entries(view.spent)),
  };
  for (const record of records) foldInto(draft, record);
  return {
    ...draft,
    boundaries: Object.fromEntries(draft.boundaries),
    streaks: Object.fromEntries(draft.streaks),
    recent: Object.fromEntries(draft.recent),
    intents: Object.fromEntries(draft.intents),
    spent: Object.fromEntries(draft.spent),
  };
}

function foldInto(draft: Draft, record: LedgerRecord): void {
  if (record.t === 'decision') onDecision(draft, record);
  else if (record.t === 'outcome') onOutcome(draft, record);
  else if (record.t === 'event') onEvent(draft, record);
  else if (record.t === 'intent') onIntent(draft, record);
  else if (record.t === 'resolved') onResolved(draft, record);
}

function onIntent(draft: Draft, { t: _t, ...intent }: IntentRecord): void {
  put(draft.intents, intent.id, intent, INTENTS);
}

function onResolved(draft: Draft, { intent, by, how, at }: ResolvedRecord): void {
  const open = draft.intents.get(intent);
  if (open && !open.resolved) draft.intents.set(intent, { ...open, resolved: { by, how, at } });
}

/** Sets a value as the latest one; the oldest goes when there are too many. */
function put<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > limit) map.delete(map.keys().next().value!);
}

/** The place of a call in `recent`. */
export const callKey = (agent: string, call: string | undefined, digest: string): string =>
  `${agent}\n${call ?? `=${shortDigest(digest)}`}`;

/** Enough of a digest to tell the calls of one session apart. */
export const shortDigest = (digest: string): string => digest.replace('sha256:', '').slice(0, 16);

const passes = (verdict: string): boolean => verdict === 'pass' || verdict === 'notice' || verdict === 'advise';

function onDecision(draft: Draft, record: DecisionRecord): void {
  const { decision, call } = record;
  // A later schema is history: it neither passed anything nor counts.
  if (decision.schema !== SCHEMA) return;
  const agent = decision.agent?.id ?? MAIN_AGENT;
  const key = callKey(agent, call, decision.action.digest);
  const digest = shortDigest(decision.action.digest);
  const before = draft.recent.get(key);
  // What the host puts to the person may run: its outcome counts, and it is neither passed nor refused.
  const verdict = decision.prompt ? 'notice' : decision.verdict;
  if (call !== undefined && before?.digest === digest && passes(before.verdict) === passes(verdict)) return;
  put(draft.recent, key, { id: decision.id, verdict, digest }, RECENT);
  draft.calls += 1;
  draft.startedAt ??= decision.at;
  for (const [name, amount] of Object.entries(spend(decision))) draft.spent.set(name, (draft.spent.get(name) ?? 0) + amount);
  if (decision.prompt) return;
  const streak = streakKey(agent, decision.action.tool);
  if (passes(decision.verdict)) {
    draft.passed += 1;
    if (draft.outcomes === 0 && draft.passed > SILENT_HOST) draft.streaks.delete(streak);
    adapt(draft, agent);
    return;
  }
  if (record.counted) refuse(draft, record, agent);
  count(draft, streak, { category: record.counted ? decision.category : undefined, stop: decision.lineage?.progress === 'stop' });
}

/** The refusals that an agent got are behind it: it went on with another call. */
function adapt(draft: Draft, agent: string): void {
  for (const [name, boundary] of draft.boundaries) {
    if (!boundary.adapted && boundary.byAgent[agent]) draft.boundaries.set(name, { ...boundary, adapted: true });
  }
}

function refuse(draft: Draft, record: DecisionRecord, agent: string): void {
  const { decision, preconditions } = record;
  const { boundary, category, lineage } = decision;
  if (boundary === undefined || category === undefined) return;
  const present = draft.boundaries.get(boundary);
  const known: Known | undefined = present?.preconditions === preconditions ? present : present?.others?.[preconditions];
  const stopped =
    lineage?.progress === 'stop' ? { stoppedAt: draft.prompts } : known?.stoppedAt === undefined ? {} : { stoppedAt: known.stoppedAt };
  const next: BoundaryView = {
    boundary,
    category,
    persistence: decision.persistence ?? 'not-in-this-run',
    rule: decision.rule ?? '',
    first: known?.first ?? decision.id,
    says: known?.says ?? decision.says ?? '',
    count: (known?.count ?? 0) + 1,
    // Calls made side by side count once: only what was asked after a refusal had been read is a repeat.
    counted: known ? known.counted + (record.read ? 1 : 0) : 1,
    preconditions,
    byAgent: { ...known?.byAgent, [agent]: (known?.byAgent[agent] ?? 0) + 1 },
    prompt: draft.prompts,
    ...stopped,
    tools: latest(present?.tools ?? [], decision.action.tool),
    decisions: latest(present?.decisions ?? [], decision.id),
    ...othersOf(present, preconditions),
  };
  put(draft.boundaries, boundary, next, BOUNDARIES);
}

function othersOf(present: BoundaryView | undefined, preconditions: string): Pick<BoundaryView, 'others'> {
  if (!present) return {};
  const others = new Map(Object.entries(present.others ?? {}));
  others.delete(preconditions);
  if (present.preconditions !== preconditions) {
    const { first, says, count: times, counted, byAgent, prompt, stoppedAt } = present;
    put(
      others,
      present.preconditions,
      { first, says, count: times, counted, byAgent, prompt, ...(stoppedAt === undefined ? {} : { stoppedAt }) },
      OTHERS,
    );
  }
  return others.size === 0 ? {} : { others: Object.fromEntries(others) };
}

const latest = (list: readonly string[], item: string): readonly string[] => [...list.filter((each) => each !== item), item].slice(-NAMES);

/** One refusal or failure more. Without a category it is a failure, which leaves the count of one category as it is. */
function count(draft: Draft, key: string, { category, stop }: { category?: string; stop: boolean }): void {
  const before = draft.streaks.get(key);
  const same = category === undefined ? (before?.same ?? 0) : before?.category === category ? before!.same + 1 : 1;
  const granted = before?.stoppedAt !== undefined && before.stoppedAt < draft.prompts && !stop;
  const next: StreakView = {
    ...before,
    ...(category === undefined ? {} : { category: category as StreakView['category'] }),
    same,
    any: (before?.any ?? 0) + 1,
    ...(stop ? { stoppedAt: draft.prompts } : {}),
    ...(granted ? { granted: draft.prompts } : {}),
  };
  put(draft.streaks, key, next, STREAKS);
}

/** An outcome counts with an earlier passed call of the same id and input, and once. */
export function isExpected(view: Pick<SessionView, 'recent'>, outcome: Pick<OutcomeRecord, 'agent' | 'call' | 'digest'>): boolean {
  return expected(view.recent[callKey(outcome.agent, outcome.call, outcome.digest)], outcome.digest);
}

const expected = (call: SessionView['recent'][string] | undefined, digest: string): boolean =>
  call !== undefined && !call.done && call.digest === shortDigest(digest) && passes(call.verdict);

function onOutcome(draft: Draft, record: OutcomeRecord): void {
  const key = callKey(record.agent, record.call, record.digest);
  const call = draft.recent.get(key);
  if (!expected(call, record.digest)) return;
  draft.recent.set(key, { ...call!, done: true });
  draft.outcomes += 1;
  const streak = streakKey(record.agent, record.tool);
  if (record.result === 'ok') draft.streaks.delete(streak);
  else if (record.result !== 'cancelled')
    count(draft, streak, { category: record.result === 'refused' ? HOST_REFUSAL : undefined, stop: record.stop !== undefined });
}

function onEvent(draft: Draft, record: EventRecord): void {
  if (record.event === 'prompt') draft.prompts += 1;
  if (record.event !== 'start') return;
  draft.startedAt ??= record.at;
  if (record.policy !== undefined) draft.policy ??= record.policy;
}
