/**
 * Figures over the accounts of many sessions. What was contained and how agents adapted stand side by side; they are never made into
 * one score, which would get better by letting more through. Pure.
 */
import type { DecisionRecord, LedgerRecord } from '../ledger/records.ts';
import { type Account, accountOf } from './account.ts';
import type { Asked, Told } from './sessions.ts';

export interface Named {
  name: string;
  count: number;
}

export interface Figures {
  sessions: number;
  from: string | null;
  to: string | null;
  calls: number;
  containment: {
    refused: number;
    byKind: { policy: number; validation: number; unavailable: number };
    byCategory: readonly Named[];
    byRule: readonly Named[];
    byReasonRevision: readonly Named[];
    /** Refused boundaries whose same call passed later under unchanged policy and without a remedy: to be looked at. */
    passedLater: number;
    /** Calls that passed with an owner's grant. */
    onGrant: number;
  };
  adaptation: {
    boundaries: number;
    /** Refusals after the first on one boundary. */
    repeats: number;
    repeated: number;
    remediesOffered: number;
    remediesTaken: number;
    remediesFailed: number;
    /** Boundaries after which the goal was reached: the same call passed, or another way succeeded. */
    reached: number;
    wentOn: number;
    open: number;
    stops: number;
  };
  owner: {
    requests: number;
    granted: number;
    rejected: number;
    waiting: number;
    handoffs: number;
    /** Sessions in which the run was stopped, a request was put, or the owner was told of an unresolved refusal. */
    interrupted: number;
    interruptionRate: number;
    /** Sessions that ended with nothing unresolved. */
    completed: number;
    completionRate: number;
  };
  cost: {
    refusedCalls: number;
    /** From the first to the last refusal of each boundary: time spent asking again. */
    secondsRefused: number;
    guardMsMedian: number;
    guardMsP95: number;
  };
}

/** The figures of some sessions. */
export function figuresOf(sessions: readonly Told[], asked: readonly Asked[]): Figures {
  const accounts = sessions.map((told) => accountOf(told.session, told.records));
  const records = sessions.flatMap((told) => told.records);
  const decisions = records.filter((record): record is DecisionRecord => record.t === 'decision').map((record) => record.decision);
  const refused = decisions.filter((decision) => decision.verdict === 'deny');
  const refusals = accounts.flatMap((account) => account.refusals);
  const ways = refusals.flatMap((refusal) => refusal.ways).filter((way) => way.remedy.kind === 'run' || way.remedy.kind === 'call');
  const taken = ways.filter((way) => way.taken);
  const reached = refusals.filter((refusal) => refusal.state === 'passed' || refusal.state === 'remedied');
  const interrupted = sessions.filter((told, index) => isInterrupted(told, accounts[index]!, asked)).length;
  const completed = accounts.filter(
    (account) => account.open.length === 0 && account.refusals.every((each) => each.state !== 'open' && !each.stopped),
  ).length;
  const times = decisions.map((decision) => decision.took?.ms ?? 0).sort((a, b) => a - b);
  const at = decisions.map((decision) => decision.at).sort();
  return {
    sessions: sessions.length,
    from: at[0] ?? null,
    to: at.at(-1) ?? null,
    calls: decisions.length,
    containment: {
      refused: refused.length,
      byKind: {
        policy: refused.filter(({ kind }) => kind === 'policy').length,
        validation: refused.filter(({ kind }) => kind === 'validation').length,
        unavailable: refused.filter(({ kind }) => kind === 'unavailable').length,
      },
      byCategory: counted(refused.map(({ category }) => category ?? 'none')),
      byRule: counted(refused.map(({ rule }) => rule ?? 'none')),
      byReasonRevision: counted(refused.map(({ reasonRevision }) => String(reasonRevision))),
      passedLater: refusals.filter((refusal) => refusal.state === 'passed' && !refusal.ways.some((way) => way.taken)).length,
      onGrant: decisions.filter((decision) => 'granted' in decision && decision.verdict !== 'deny').length,
    },
    adaptation: {
      boundaries: refusals.length,
      repeats: refusals.reduce((sum, refusal) => sum + refusal.count - 1, 0),
      repeated: refusals.filter((refusal) => refusal.count > 1).length,
      remediesOffered: ways.length,
      remediesTaken: taken.length,
      remediesFailed: taken.filter((way) => way.taken?.ending === 'failed' || way.taken?.ending === 'refused').length,
      reached: reached.length,
      wentOn: refusals.filter((refusal) => refusal.state === 'went-on').length,
      open: refusals.filter((refusal) => refusal.state === 'open').length,
      stops: stopsIn(records),
    },
    owner: {
      requests: asked.length,
      granted: asked.filter((each) => each.state === 'granted' || each.state === 'grant over').length,
      rejected: asked.filter((each) => each.state === 'rejected').length,
      waiting: asked.filter((each) => each.state === 'waiting').length,
      handoffs: records.filter((record) => record.t === 'told' && record.what === 'handoff').length,
      interrupted,
      interruptionRate: rate(interrupted, sessions.length),
      completed,
      completionRate: rate(completed, sessions.length),
    },
    cost: {
      refusedCalls: refused.length,
      secondsRefused: Math.round(refusals.reduce((sum, refusal) => sum + refusal.spanMs, 0) / 1000),
      guardMsMedian: quantile(times, 0.5),
      guardMsP95: quantile(times, 0.95),
    },
  };
}

function isInterrupted(told: Told, account: Account, asked: readonly Asked[]): boolean {
  return (
    account.refusals.some((refusal) => refusal.stopped) ||
    told.records.some(
      (record) => (record.t === 'told' && record.what === 'handoff') || (record.t === 'outcome' && record.stop !== undefined),
    ) ||
    asked.some((each) => each.session === told.session)
  );
}

const stopsIn = (records: readonly LedgerRecord[]): number =>
  records.filter(
    (record) =>
      (record.t === 'decision' && record.decision.lineage?.progress === 'stop') || (record.t === 'outcome' && record.stop !== undefined),
  ).length;

function counted(names: readonly string[]): readonly Named[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

const rate = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 1000);

const quantile = (sorted: readonly number[], at: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;
