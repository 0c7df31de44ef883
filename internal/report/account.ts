/**
 * The account of a session from its ledger: what was refused, which ways on were offered, which of them were taken and what came of
 * it. Nothing in it is guessed: what the record does not hold is said to be unknown. Pure.
 */
import type { Category, Persistence } from '../decision/category.ts';
import type { Decision } from '../decision/record.ts';
import { redact } from '../decision/redact.ts';
import type { DecisionRecord, LedgerRecord, OutcomeRecord } from '../ledger/records.ts';
import type { Remedy } from '../rule/rule.ts';

/** What became of a call that passed. `unknown`: the host reported nothing. */
export type Ending = 'ok' | 'failed' | 'refused' | 'cancelled' | 'unknown';

/** A way on that a refusal offered. */
export interface Way {
  remedy: Remedy;
  /** The call that took it, and how that ended; absent when nobody took it. */
  taken?: { decision: string; ending: Ending; at: string };
  /** A later call equal to it that was refused itself. */
  refused?: string;
}

/** One refused consequence of a session, whatever tools and words asked for it. */
export interface Refusal {
  boundary: string;
  category: Category;
  persistence: Persistence;
  rule: string;
  kind: Decision['kind'];
  says: string;
  /** What was asked for first. */
  requested: string;
  tools: readonly string[];
  agents: readonly string[];
  decisions: readonly string[];
  count: number;
  /** Milliseconds from the first refusal to the last. */
  spanMs: number;
  ways: readonly Way[];
  /** The sentence that was to be put to the owner. */
  ask?: string;
  /** How it ended, as far as the record tells. */
  state: 'open' | 'passed' | 'remedied' | 'went-on';
  stopped: boolean;
  reasonRevision: number;
}

/** A session as its ledger tells it. */
export interface Account {
  session: string;
  from?: string;
  to?: string;
  policies: readonly string[];
  refusals: readonly Refusal[];
  /** Files that calls of this session wrote, as far as their effects name them. */
  written: readonly string[];
  /** Calls that passed, by kind of effect that leaves something behind. */
  commits: number;
  checkpoints: number;
  open: readonly { id: string; boundary: string; summary: string; status?: string }[];
  calls: number;
  refused: number;
}

/** The account of one session. `records`: all of them, oldest first. */
export function accountOf(session: string, records: readonly LedgerRecord[]): Account {
  const decisions = records.filter((record): record is DecisionRecord => record.t === 'decision');
  const passed = decisions.filter(({ decision }) => decision.verdict !== 'deny');
  const endings = endingsOf(records);
  const resolved = new Set(records.flatMap((record) => (record.t === 'resolved' ? [record.intent] : [])));
  const groups = new Map<string, DecisionRecord[]>();
  for (const record of decisions) {
    if (record.decision.verdict !== 'deny' || record.decision.kind === 'validation') continue;
    const key = record.decision.boundary ?? `unnamed ${record.decision.id}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const times = decisions.map(({ decision }) => decision.at);
  return {
    session,
    ...(times.length > 0 ? { from: times[0]!, to: times.at(-1)! } : {}),
    policies: [...new Set(decisions.map(({ decision }) => decision.policy))],
    refusals: [...groups.values()].map((group) => refusalOf(group, decisions, endings)),
    written: [...new Set(passed.filter((record) => endingOf(record, endings) !== 'failed').flatMap(({ decision }) => writtenBy(decision)))],
    commits: passed.filter(({ decision }) => decision.effects.some((effect) => effect['kind'] === 'git.commit')).length,
    checkpoints: passed.filter(({ decision }) => decision.effects.some((effect) => effect['kind'] === 'guard.checkpoint')).length,
    open: records.flatMap((record) =>
      record.t === 'intent' && !resolved.has(record.id)
        ? [{ id: record.id, boundary: record.boundary, summary: record.summary, ...(record.status ? { status: record.status } : {}) }]
        : [],
    ),
    calls: decisions.length,
    refused: decisions.length - passed.length,
  };
}

function refusalOf(group: readonly DecisionRecord[], all: readonly DecisionRecord[], endings: ReadonlyMap<string, Ending>): Refusal {
  const first = group[0]!.decision;
  const last = group.at(-1)!.decision;
  const after = all.slice(all.indexOf(group[0]!) + 1);
  const remedies = [...new Map(group.flatMap(({ decision }) => decision.remedies).map((remedy) => [wordOf(remedy), remedy])).values()];
  const ways = remedies.map((remedy) => wayOf(remedy, after, endings));
  const ask = remedies.find((remedy) => remedy.kind === 'ask');
  return {
    boundary: first.boundary ?? '',
    category: first.category ?? 'policy-unavailable',
    persistence: first.persistence ?? 'not-in-this-run',
    rule: first.rule ?? '',
    kind: first.kind,
    says: first.says ?? '',
    requested: first.action.summary,
    tools: unique(group.map(({ decision }) => decision.action.tool)),
    agents: unique(group.map(({ decision }) => decision.agent?.type ?? decision.agent?.id ?? 'main')),
    decisions: group.map(({ decision }) => decision.id),
    count: group.length,
    spanMs: Math.max(0, Date.parse(last.at) - Date.parse(first.at)) || 0,
    ways,
    ...(ask ? { ask: ask.ask } : {}),
    state: stateOf(group, after, ways),
    stopped: group.some(({ decision }) => decision.lineage?.progress === 'stop'),
    reasonRevision: first.reasonRevision,
  };
}

/** passed: the same call went through later. remedied: a way on was taken and succeeded. went-on: another call passed since. */
function stateOf(group: readonly DecisionRecord[], after: readonly DecisionRecord[], ways: readonly Way[]): Refusal['state'] {
  const last = group.at(-1)!;
  const later = after.slice(after.indexOf(last) + 1).filter(({ decision }) => decision.verdict !== 'deny');
  const digests = new Set(group.map(({ decision }) => decision.action.digest));
  if (later.some(({ decision }) => digests.has(decision.action.digest))) return 'passed';
  const done = ways.some((way) => way.taken?.ending === 'ok' && !('then' in way.remedy && way.remedy.then === 'again') && goal(way.remedy));
  if (done) return 'remedied';
  const agents = new Set(group.map(({ decision }) => decision.agent?.id ?? ''));
  return later.some(({ decision }) => agents.has(decision.agent?.id ?? '') && !isOwnVerb(decision)) ? 'went-on' : 'open';
}

/** A look or a request is no goal reached: only a call that does the thing another way is. */
const goal = (remedy: Remedy): boolean => (remedy.kind === 'run' ? !LOOKS.test(remedy.run) : remedy.kind === 'call');

const LOOKS = /^\S*waygate |--dry-run|\bls-remote\b|\b(status|show|list|log|diff|plan|grep|view|ls)\b/;

/** The guard's own verbs (asking, saving, reporting) are no other path. */
const isOwnVerb = (decision: Decision): boolean =>
  decision.effects.length > 0 && decision.effects.every((effect) => String(effect['kind']).startsWith('guard.'));

function wayOf(remedy: Remedy, after: readonly DecisionRecord[], endings: ReadonlyMap<string, Ending>): Way {
  const asked = after.filter(({ decision }) => equals(decision, remedy));
  const taken = asked.find(({ decision }) => decision.verdict !== 'deny');
  if (taken) return { remedy, taken: { decision: taken.decision.id, ending: endingOf(taken, endings), at: taken.decision.at } };
  const refused = asked[0]?.decision.id;
  return { remedy, ...(refused ? { refused } : {}) };
}

/** Is a call the one that a remedy offers? The record holds the redacted first 200 characters of a line, so these are compared. */
function equals(decision: Decision, remedy: Remedy): boolean {
  const { surface, tool, summary } = decision.action;
  if (remedy.kind === 'run') return surface === 'shell' && sameStart(summary, remedy.run);
  if (remedy.kind !== 'call' || tool !== remedy.tool) return false;
  const path = remedy.input['file_path'];
  const command = remedy.input['command'];
  return typeof command === 'string' ? sameStart(summary, command) : typeof path !== 'string' || summary.endsWith(path);
}

function sameStart(summary: string, run: string): boolean {
  const plain = redact(run.replace(/\s+/g, ' ').trim());
  return summary === plain || (summary.endsWith('…') && summary.length > 100 && plain.startsWith(summary.slice(0, -1)));
}

const wordOf = (remedy: Remedy): string =>
  JSON.stringify([
    remedy.kind,
    'run' in remedy ? remedy.run : '',
    'ask' in remedy ? remedy.ask : '',
    'input' in remedy ? remedy.input : '',
    'run' in remedy || 'ask' in remedy ? '' : remedy.because,
  ]);

const keyOf = (agent: string, call: string | undefined, digest: string): string => `${agent}\n${call ?? ''}\n${digest}`;

function endingsOf(records: readonly LedgerRecord[]): ReadonlyMap<string, Ending> {
  const outcomes = records.filter((record): record is OutcomeRecord => record.t === 'outcome');
  return new Map(outcomes.map((record) => [keyOf(record.agent, record.call, record.digest), record.result]));
}

const endingOf = ({ decision, call }: DecisionRecord, endings: ReadonlyMap<string, Ending>): Ending =>
  endings.get(keyOf(decision.agent?.id ?? '', call, decision.action.digest)) ?? 'unknown';

function writtenBy(decision: Decision): readonly string[] {
  return decision.effects.flatMap((effect) => {
    if (effect['kind'] !== 'file.write' || !Array.isArray(effect['targets'])) return [];
    return (effect['targets'] as readonly { path?: unknown }[]).flatMap(({ path }) =>
      typeof path === 'string' && path !== '/dev/null' ? [path] : [],
    );
  });
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

/** The refusals that nothing in the record has answered. */
export const unresolved = (account: Pick<Account, 'refusals'>): readonly Refusal[] =>
  account.refusals.filter((refusal) => refusal.state === 'open' || refusal.stopped);
