/** Reading ledgers: lines to records. A torn line costs itself and nothing else. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerFile } from './append.ts';
import type { DecisionRecord, LedgerRecord } from './records.ts';
import { stateDir } from './state.ts';

/** How every record begins: what is found behind a torn piece on the same line starts with it as well. */
const START = '{"t":"';

/** The records of some lines, oldest first, and the number of pieces that are none. The last line must be whole. */
export function recordsOf(text: string): { records: LedgerRecord[]; torn: number } {
  const records: LedgerRecord[] = [];
  let torn = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? undefined : end);
    from = end < 0 ? text.length : end + 1;
    if (line === '') continue;
    const record = parse(line);
    if (record) records.push(record);
    else {
      torn += 1;
      const behind = behindTorn(line);
      if (behind) records.push(behind);
    }
  }
  return { records, torn };
}

function behindTorn(line: string): LedgerRecord | undefined {
  for (let at = line.indexOf(START, 1); at > 0; at = line.indexOf(START, at + 1)) {
    const record = parse(line.slice(at));
    if (record) return record;
  }
  return undefined;
}

function parse(text: string): LedgerRecord | undefined {
  if (!text.startsWith(START)) return undefined;
  try {
    const value = JSON.parse(text) as LedgerRecord;
    return isWhole(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What the fold and the views need of a record. Kinds of a later version pass: they are history. */
function isWhole(record: LedgerRecord): boolean {
  const strings = (...names: readonly string[]) =>
    names.every((name) => typeof (record as unknown as Record<string, unknown>)[name] === 'string');
  switch (record.t) {
    case 'decision':
      return isDecision(record);
    case 'outcome':
      return strings('agent', 'tool', 'digest', 'result');
    case 'intent':
      return strings('id', 'boundary', 'agent');
    case 'resolved':
      return strings('intent');
    default:
      return true;
  }
}

function isDecision({ decision }: Partial<DecisionRecord>): boolean {
  return (
    typeof decision === 'object' &&
    decision !== null &&
    typeof decision.id === 'string' &&
    typeof decision.action?.digest === 'string' &&
    typeof decision.action.tool === 'string'
  );
}

/** All records of a session, oldest first. */
export function readRecords(session: string, env: NodeJS.ProcessEnv = process.env): { records: LedgerRecord[]; torn: number } {
  try {
    return recordsOf(readFileSync(ledgerFile(session, env), 'utf8'));
  } catch {
    return { records: [], torn: 0 };
  }
}

/** A session that left a ledger: its folder's name, and when it was last written. */
export interface Left {
  name: string;
  mtimeMs: number;
  size: number;
}

/** The sessions of the state folder, the latest first. */
export function sessionsLeft(env: NodeJS.ProcessEnv = process.env): Left[] {
  const folder = join(stateDir(env), 'sessions');
  const found: Left[] = [];
  for (const name of namesIn(folder)) {
    try {
      const { mtimeMs, size } = statSync(ledgerFile(name, env));
      found.push({ name, mtimeMs, size });
    } catch {
      // no ledger in it, or removed meanwhile
    }
  }
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const CHUNK = 64 * 1024;

/** The decision with an id, searched from the end: what is asked for has usually just been written. */
export function findDecision(session: string, id: string, env: NodeJS.ProcessEnv = process.env): DecisionRecord | undefined {
  let file: number | undefined;
  try {
    file = openSync(ledgerFile(session, env), 'r');
    const { size } = fstatSync(file);
    for (let length = CHUNK; ; length *= 4) {
      const from = Math.max(0, size - length);
      const bytes = Buffer.alloc(size - from);
      readSync(file, bytes, 0, bytes.length, from);
      const text = bytes.toString('utf8');
      const { records } = recordsOf(from === 0 ? text : text.slice(text.indexOf('\n') + 1));
      const found = records.find((record): record is DecisionRecord => record.t === 'decision' && record.decision.id === id);
      if (found || from === 0) return found;
    }
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
