/** The sessions of a workspace, read from the state folder. For verbs and rare moments, never for a judgement. */
import { migrated } from '../decision/migrate.ts';
import { grantsIn, readOwner, readRequests, realOf, rejectionsIn } from '../grant/store.ts';
import { readRecords, sessionsLeft } from '../ledger/read.ts';
import type { LedgerRecord } from '../ledger/records.ts';

type Env = NodeJS.ProcessEnv;

/** One session with everything its ledger holds. */
export interface Told {
  session: string;
  records: readonly LedgerRecord[];
}

/** A session by its id, with its decisions as this version reads them. */
export function sessionNamed(session: string, env: Env = process.env): Told | undefined {
  const records = readRecords(session, env).records.map(asOfNow);
  return records.length === 0 ? undefined : { session: idOf(records) ?? session, records };
}

/** The sessions with a record in this workspace, the latest first. `since`: those written after that moment. */
export function* sessionsOf(workspace: string, { since, env = process.env }: { since?: Date; env?: Env } = {}): Generator<Told> {
  const real = realOf(workspace);
  for (const { name, mtimeMs } of sessionsLeft(env)) {
    if (since && mtimeMs < since.getTime()) return;
    const told = sessionNamed(name, env);
    if (
      told?.records.some(
        (record) =>
          (record.t === 'decision' || record.t === 'event') && record.workspace !== undefined && realOf(record.workspace) === real,
      )
    )
      yield told;
  }
}

/** The sessions in a text of decisions, one JSON object a line: what was judged offline. A line that is none costs itself. */
export function sessionsIn(text: string): readonly Told[] {
  const sessions = new Map<string, LedgerRecord[]>();
  for (const line of text.split('\n')) {
    const decision = decisionIn(line);
    if (!decision) continue;
    const records = sessions.get(decision.session) ?? [];
    records.push({ t: 'decision', decision, preconditions: '' });
    sessions.set(decision.session, records);
  }
  return [...sessions].map(([session, records]) => ({ session, records }));
}

function decisionIn(line: string): ReturnType<typeof migrated> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(line) as { verdict?: unknown; action?: unknown };
    return typeof value.verdict === 'string' && value.action ? migrated(value) : undefined;
  } catch {
    return undefined;
  }
}

const idOf = (records: readonly LedgerRecord[]): string | undefined => records.find((record) => record.t === 'decision')?.decision.session;

const asOfNow = (record: LedgerRecord): LedgerRecord =>
  record.t === 'decision' ? { ...record, decision: migrated(record.decision) } : record;

/** A request that agents put to the owner here, and what became of it. */
export interface Asked {
  id: string;
  at: string;
  session?: string;
  need: string;
  boundaries: readonly string[];
  state: 'waiting' | 'granted' | 'grant over' | 'rejected';
}

/** The requests of a workspace with their answers. */
export function askedIn(workspace: string, now: Date, env: Env = process.env): readonly Asked[] {
  const requests = readRequests(realOf(workspace), env);
  if (requests.length === 0) return [];
  const owner = readOwner(env);
  const grants = grantsIn(owner, now);
  const rejected = new Set(rejectionsIn(owner).map((each) => each.request));
  return requests.map((request) => {
    const grant = grants.filter((each) => each.request === request.id).at(-1);
    return {
      id: request.id,
      at: request.at,
      ...(request.session ? { session: request.session } : {}),
      need: request.need,
      boundaries: request.refusals.map((each) => each.boundary),
      state: grant ? (grant.dead ? 'grant over' : 'granted') : rejected.has(request.id) ? 'rejected' : 'waiting',
    };
  });
}
