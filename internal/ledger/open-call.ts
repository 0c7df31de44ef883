/** A tool call that has been let through and whose end the host has not reported yet: what runs meanwhile may be the agent's. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MAIN_AGENT } from '../decision/lineage.ts';
import { ledgerFile } from './append.ts';
import { recordsOf, sessionsLeft } from './read.ts';
import type { DecisionRecord, LedgerRecord } from './records.ts';

/** A call that may be running now. */
export interface OpenCall {
  session: string;
  agent: string;
  call?: string;
  decision: DecisionRecord['decision'];
}

/** How long after it was let through a call may still run: three times the longest that hosts let one run, 10 minutes. */
const MAY_RUN_MS = 30 * 60_000;
/** Sessions that are looked at: the latest. */
const SESSIONS = 8;
/** As much of a ledger's end as is read: a few hundred calls. */
const TAIL = 512 * 1024;
/** Passed calls without one outcome after which a host counts as one that reports none. */
const SILENT_AFTER = 4;
/** Calls that can start a program. */
const RUNS: ReadonlySet<string> = new Set(['shell', 'mcp', 'unknown']);

/** The latest call in one of these workspaces that may be running. `isIn`: is a session's workspace one of them? */
export function openCall(isIn: (workspace: string) => boolean, now: Date, env: NodeJS.ProcessEnv = process.env): OpenCall | undefined {
  let latest: OpenCall | undefined;
  for (const { name, mtimeMs } of sessionsLeft(env).slice(0, SESSIONS)) {
    if (now.getTime() - mtimeMs > MAY_RUN_MS) break;
    const found = openIn(tailOf(name, env), isIn, now);
    if (found && (!latest || found.decision.at > latest.decision.at)) latest = { session: name, ...found };
  }
  return latest;
}

/** The latest open call among some records, oldest first. A host that never reports an end tells nothing. */
export function openIn(
  records: readonly LedgerRecord[],
  isIn: (workspace: string) => boolean,
  now: Date,
): Omit<OpenCall, 'session'> | undefined {
  const open = new Map<string, Omit<OpenCall, 'session'>>();
  let reports = false;
  let passed = 0;
  for (const record of records) {
    if (record.t === 'outcome') {
      reports = true;
      open.delete(keyOf(record.agent, record.call, record.digest));
    } else if (record.t === 'event') {
      reports = true;
      if (record.event === 'start' || record.event === 'end') open.clear();
      // A turn that ended, or a new one: nothing of the main agent's runs in the foreground.
      if (record.event === 'stop' || record.event === 'prompt') forget(open, record.agent ?? MAIN_AGENT);
      if (record.event === 'spawn-end' && record.agent !== undefined) forget(open, record.agent);
    } else if (record.t === 'decision' && record.decision.verdict !== 'deny') {
      passed += 1;
      const { decision, call, workspace } = record;
      const agent = decision.agent?.id ?? MAIN_AGENT;
      const fresh = now.getTime() - Date.parse(decision.at) < MAY_RUN_MS;
      if (!fresh || !RUNS.has(decision.action.surface) || workspace === undefined || !isIn(workspace)) continue;
      open.set(keyOf(agent, call, decision.action.digest), { agent, ...(call === undefined ? {} : { call }), decision });
    }
  }
  return reports || passed < SILENT_AFTER ? [...open.values()].at(-1) : undefined;
}

const keyOf = (agent: string, call: string | undefined, digest: string): string => `${agent}\n${call ?? digest}`;

function forget(open: Map<string, { agent: string }>, agent: string): void {
  for (const [key, each] of open) if (each.agent === agent) open.delete(key);
}

/** The last records of a ledger. */
function tailOf(session: string, env: NodeJS.ProcessEnv): readonly LedgerRecord[] {
  let file: number | undefined;
  try {
    file = openSync(ledgerFile(session, env), 'r');
    const { size } = fstatSync(file);
    const from = Math.max(0, size - TAIL);
    const bytes = Buffer.alloc(size - from);
    readSync(file, bytes, 0, bytes.length, from);
    const text = bytes.toString('utf8');
    return recordsOf(from === 0 ? text : text.slice(text.indexOf('\n') + 1)).records;
  } catch {
    return [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
