/** Decisions of many sessions: for the verbs that look back. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { migrated } from '../decision/migrate.ts';
import type { Decision } from '../decision/record.ts';
import { ledgerFile } from './append.ts';
import { findDecision, readRecords, recordsOf, sessionsLeft } from './read.ts';
import type { DecisionRecord } from './records.ts';

/** Which decisions are asked for. Each that is given must hold. */
export interface Filter {
  /** Root of a workspace. A decision that knows of none (an unreadable request) belongs to every one. */
  workspace?: string | undefined;
  /** Id of a session, or its beginning. */
  session?: string | undefined;
  /** Id or type of a sub-agent; `main` for the session's own. */
  agent?: string | undefined;
  rule?: string | undefined;
  verdict?: string | undefined;
  category?: string | undefined;
  /** Milliseconds since the epoch. */
  since?: number | undefined;
}

/** Does a record pass the filter? */
export function matches({ decision, workspace }: Pick<DecisionRecord, 'decision' | 'workspace'>, filter: Filter): boolean {
  const { agent } = decision;
  if (filter.workspace !== undefined && workspace !== undefined && real(workspace) !== real(filter.workspace)) return false;
  if (filter.session !== undefined && !decision.session.startsWith(filter.session)) return false;
  if (filter.agent !== undefined && !(filter.agent === 'main' ? !agent : agent?.id === filter.agent || agent?.type === filter.agent))
    return false;
  if (filter.rule !== undefined && decision.rule !== filter.rule) return false;
  if (filter.verdict !== undefined && decision.verdict !== filter.verdict) return false;
  if (filter.category !== undefined && decision.category !== filter.category) return false;
  return filter.since === undefined || Date.parse(decision.at) >= filter.since;
}

const known = new Map<string, string>();

/** A workspace may be reached through a link. */
function real(path: string): string {
  const found = known.get(path) ?? resolved(path);
  known.set(path, found);
  return found;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // gone by now
  }
}

/** The record with its decision as this version reads it. */
const asOfNow = (record: DecisionRecord): DecisionRecord => ({ ...record, decision: migrated(record.decision) });

/** The decisions that pass, oldest first. */
export function decisionsLeft(filter: Filter, env: NodeJS.ProcessEnv = process.env): Decision[] {
  const found: Decision[] = [];
  for (const { name, mtimeMs } of sessionsLeft(env)) {
    if (filter.since !== undefined && mtimeMs < filter.since) continue;
    for (const record of readRecords(name, env).records)
      if (record.t === 'decision' && matches(record, filter)) found.push(asOfNow(record).decision);
  }
  return found.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** The decisions whose id begins so, in all sessions, the latest session first. */
export function decisionsWithId(prefix: string, env: NodeJS.ProcessEnv = process.env): DecisionRecord[] {
  const exact = prefix.length === ID_LENGTH;
  const found: DecisionRecord[] = [];
  for (const { name } of sessionsLeft(env)) {
    if (exact) {
      const record = findDecision(name, prefix, env);
      if (record) return [asOfNow(record)];
      continue;
    }
    for (const record of readRecords(name, env).records)
      if (record.t === 'decision' && record.decision.id.startsWith(prefix)) found.push(asOfNow(record));
  }
  return found;
}

/** Characters of a decision's id (a ULID). */
const ID_LENGTH = 26;

/** What came since the last look, session by session. Call it again and again; the first look only takes the places. */
export function follower(env: NodeJS.ProcessEnv = process.env): () => DecisionRecord[] {
  const places = new Map<string, number>();
  for (const { name, size } of sessionsLeft(env)) places.set(name, size);
  return () => {
    const found: DecisionRecord[] = [];
    for (const { name } of sessionsLeft(env)) {
      const from = places.get(name) ?? 0;
      const path = ledgerFile(name, env);
      if (statSync(path, { throwIfNoEntry: false })?.size === from) continue;
      const bytes = readFileSync(path).subarray(from);
      const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
      places.set(name, from + whole.length);
      for (const record of recordsOf(whole.toString('utf8')).records) if (record.t === 'decision') found.push(asOfNow(record));
    }
    return found;
  };
}
