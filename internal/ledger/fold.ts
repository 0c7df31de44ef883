/** The fold: a session's view after one more record. Pure; everything a judgement asks of its session comes from here. */
import { spend } from '../budget/spend.ts';
import { HOST_REFUSAL, type Known, lineageOf, MAIN_AGENT, streakKey } from '../decision/lineage.ts';
import { SCHEMA } from '../decision/record.ts';
import { type LookView, lookedAgain, lookKey } from './looks.ts';
import type {
  BoundaryView,
  DecisionRecord,
  EventRecord,
  IntentRecord,
  IntentView,
  LedgerRecord,
  OutcomeRecord,
  ResolvedRecord,
  ReviewRecord,
  SessionView,
  StreakView,
} from './records.ts';

/** Raised whenever this file folds differently: a checkpoint of another fold is not read. */
export const FOLD = 4;

/** How much of each kind a view keeps, the latest first: bounds the cost of a checkpoint. */
export const RECENT = 128;
const BOUNDARIES = 64;
const STREAKS = 64;
const INTENTS = 64;
const LOOKS = 32;
const REVIEWS = 32;
const TOLD = 64;
const OWN = 128;
const NAMES = 6;
const OTHERS = 8;

/** Passed calls without one outcome after which a host counts as one that reports none; only then a passed call resets a streak. */
const SILENT_HOST = 24;

/** Entries over its limit that a shelf may hold before the oldest go: they go many at a time, or each record would search for them. */
const SLACK = 32;

/** Entries by key, the latest last. */
export interface Shelf<T> {
  items: Record<string, T>;
  size: number;
}

/** The view while it is folded: its entries may be changed in place, so that a long ledger is not copied once per record. */
export interface Draft
  extends Omit<
    { -readonly [K in keyof SessionView]: SessionView[K] },
    'boundaries' | 'streaks' | 'recent' | 'intents' | 'spent' | 'looks' | 'told' | 'own' | 'reviews'
  > {
  boundaries: Shelf<BoundaryView>;
  streaks: Shelf<StreakView>;
  recent: Shelf<SessionView['recent'][string]>;
  intents: Shelf<IntentView>;
  spent: Record<string, number>;
  looks: Shelf<LookView>;
  told: Shelf<true>;
  own: Shelf<string>;
  reviews: Shelf<SessionView['reviews'][string]>;
}

export const fold = (view: SessionView, record: LedgerRecord): SessionView => foldAll(view, [record]);

/** Several records at once; the same as one after the other. */
export function foldAll(view: SessionView, records: Iterable<LedgerRecord>): SessionView {
  const draft: Draft = {
    ...view,
    boundaries: shelf(view.boundaries),
    streaks: shelf(view.streaks),
    recent: shelf(view.recent),
    intents: shelf(view.intents),
    spent: { ...view.spent },
    looks: shelf(view.looks),
    told: shelf(view.told),
    own: shelf(view.own),
    reviews: shelf(view.reviews),
  };
  for (const record of records) foldInto(draft, record);
  const { boundaries, streaks, recent, intents, looks, told, own, reviews } = draft;
  return {
    ...draft,
    boundaries: boundaries.items,
    streaks: streaks.items,
    recent: recent.items,
    intents: intents.items,
    looks: looks.items,
    told: told.items,
    own: own.items,
    reviews: reviews.items,
  };
}

const shelf = <T>(items: Readonly<Record<string, T>>): Shelf<T> => ({ items: { ...items }, size: Object.keys(items).length });

function foldInto(draft: Draft, record: LedgerRecord): void {
  if (record.t === 'decision') onDecision(draft, record);
  else if (record.t === 'outcome') onOutcome(draft, record);
  else if (record.t === 'event') onEvent(draft, record);
  else if (record.t === 'intent') onIntent(draft, record);
  else if (record.t === 'resolved') onResolved(draft, record);
  else if (record.t === 'review') onReview(draft, record);
}

function onIntent(draft: Draft, { t: _t, ...intent }: IntentRecord): void {
  // Two hooks on one call may both have opened it.
  if (!draft.intents.items[intent.id]) put(draft.intents, intent.id, intent, INTENTS);
}

function onResolved(draft: Draft, { intent, by, how, at }: ResolvedRecord): void {
  const open = draft.intents.items[intent];
  if (open && !open.resolved) draft.intents.items[intent] = { ...open, resolved: { by, how, at } };
}

/** A number without its branch tells about the branch it was seen with. */
function onReview(draft: Draft, { repo, branch, number, state }: ReviewRecord): void {
  const { items } = draft.reviews;
  const key = branch === undefined ? Object.keys(items).find((each) => isNumbered(each, items, repo, number)) : `${repo}\n${branch}`;
  if (key === undefined) return;
  const named = number ?? items[key]?.number;
  put(draft.reviews, key, { state, ...(named === undefined ? {} : { number: named }) }, REVIEWS);
}

const isNumbered = (key: string, items: Draft['reviews']['items'], repo: string, number: string | undefined): boolean =>
  number !== undefined && items[key]!.number === number && key.startsWith(`${repo}\n`);

/** Sets a value as the latest one; the oldest go when there are too many. */
function put<T>(on: Shelf<T>, key: string, value: T, limit: number): void {
  take(on, key);
  on.items[key] = value;
  on.size += 1;
  if (on.size <= limit + SLACK) return;
  for (const old of Object.keys(on.items).slice(0, on.size - limit)) take(on, old);
}

function take<T>(on: Shelf<T>, key: string): void {
  if (!Object.hasOwn(on.items, key)) return;
  delete on.items[key];
  on.size -= 1;
}

/** The place of a notice in `told`. */
export const toldKey = (agent: string, rule: string, boundary: string): string => `${agent}\n${rule}\n${boundary}`;

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
  const before = draft.recent.items[key];
  // What the host puts to the person may run: its outcome counts, and it is neither passed nor refused.
  const verdict = decision.prompt ? 'notice' : decision.verdict;
  if (call !== undefined && before?.digest === digest && passes(before.verdict) === passes(verdict)) return;
  put(draft.recent, key, { id: decision.id, verdict, digest }, RECENT);
  draft.calls += 1;
  draft.startedAt ??= decision.at;
  for (const [name, amount] of Object.entries(spend(decision))) draft.spent[name] = (draft.spent[name] ?? 0) + amount;
  for (const each of decision.findings)
    if (each.verdict === 'notice') put(draft.told, toldKey(agent, each.rule, each.boundary), true, TOLD);
  for (const { path, digest: text } of decision.wrote ?? []) put(draft.own, path, text, OWN);
  if (decision.prompt) return;
  const streak = streakKey(agent, decision.action.tool);
  if (passes(decision.verdict)) {
    draft.passed += 1;
    onLook(draft, decision, agent);
    if (draft.outcomes === 0 && draft.passed > SILENT_HOST) take(draft.streaks, streak);
    adapt(draft, agent);
    return;
  }
  if (record.counted) refuse(draft, record, agent);
  count(draft, streak, { category: record.counted ? decision.category : undefined, stop: decision.lineage?.progress === 'stop' });
}

/** A look is one more in its row; anything else an agent does ends its rows. */
function onLook(draft: Draft, decision: DecisionRecord['decision'], agent: string): void {
  const { looked, action } = decision;
  for (const look of looked ?? []) {
    const key = lookKey(agent, look.at);
    put(draft.looks, key, lookedAgain(draft.looks.items[key], look, shortDigest(action.digest)), LOOKS);
  }
  if (looked || isGlance(action) || draft.looks.size === 0) return;
  for (const key of Object.keys(draft.looks.items)) if (key.startsWith(`${agent}\n`)) take(draft.looks, key);
}

/** A call that was not even read and only looks: a tool without effects, a single plain command (judge/plain.ts). */
const isGlance = ({ surface, summary }: DecisionRecord['decision']['action']): boolean =>
  surface === 'harmless' || (surface === 'shell' && GLANCE.test(summary));

const GLANCE = /^(?:ls|pwd|ps|stat|du|df|tree|file|uptime|whoami|id|which|true|basename|dirname|realpath|readlink)(?: [\w./,@+-]+)*$/;

/** The refusals that an agent got are behind it: it went on with another call. */
function adapt(draft: Draft, agent: string): void {
  const { items } = draft.boundaries;
  for (const name in items) {
    const boundary = items[name]!;
    if (!boundary.adapted && boundary.byAgent[agent]) items[name] = { ...boundary, adapted: true };
  }
}

function refuse(draft: Draft, record: DecisionRecord, agent: string): void {
  const { decision, preconditions } = record;
  const { boundary, category, lineage } = decision;
  if (boundary === undefined || category === undefined) return;
  const key = lineageOf(boundary);
  const present = draft.boundaries.items[key];
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
  put(draft.boundaries, key, next, BOUNDARIES);
}

function othersOf(present: BoundaryView | undefined, preconditions: string): Pick<BoundaryView, 'others'> {
  if (!present) return {};
  const { [preconditions]: _now, ...others } = { ...present.others };
  if (present.preconditions !== preconditions) {
    const { first, says, count: times, counted, byAgent, prompt, stoppedAt } = present;
    others[present.preconditions] = {
      first,
      says,
      count: times,
      counted,
      byAgent,
      prompt,
      ...(stoppedAt === undefined ? {} : { stoppedAt }),
    };
  }
  const kept = Object.entries(others).slice(-OTHERS);
  return kept.length === 0 ? {} : { others: Object.fromEntries(kept) };
}

const latest = (list: readonly string[], item: string): readonly string[] => [...list.filter((each) => each !== item), item].slice(-NAMES);

/** One refusal or failure more. Without a category it is a failure, which leaves the count of one category as it is. */
function count(draft: Draft, key: string, { category, stop }: { category?: string; stop: boolean }): void {
  const before = draft.streaks.items[key];
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
  const call = draft.recent.items[key];
  if (!expected(call, record.digest)) return;
  draft.recent.items[key] = { ...call!, done: true };
  draft.outcomes += 1;
  const streak = streakKey(record.agent, record.tool);
  if (record.result === 'ok') take(draft.streaks, streak);
  else if (record.result !== 'cancelled')
    count(draft, streak, { category: record.result === 'refused' ? HOST_REFUSAL : undefined, stop: record.stop !== undefined });
}

function onEvent(draft: Draft, record: EventRecord): void {
  if (record.event === 'prompt') draft.prompts += 1;
  // Asked by the person, the agent looks again.
  if (record.event === 'prompt') draft.looks = shelf({});
  // What was said before is gone from the agent's memory.
  if (record.event === 'start') draft.told = shelf({});
  if (record.event !== 'start') return;
  draft.startedAt ??= record.at;
  if (record.policy !== undefined) draft.policy ??= record.policy;
}
