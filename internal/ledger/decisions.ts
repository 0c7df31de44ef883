/** The append-only store of decisions, one JSON line each: `sessions/<session>/decisions.jsonl` below the state folder. */
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Decision } from '../decision/record.ts';
import { SCHEMA } from '../decision/record.ts';
import { logView } from '../view/log.ts';
import { sessionDir } from './state.ts';

const FILE = 'decisions.jsonl';

/** Appends a record with one write. Returns what went wrong, if anything did: it never changes a verdict. */
export function appendDecision(decision: Decision, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const dir = sessionDir(decision.session, env);
  try {
    const file = openForAppend(dir);
    try {
      const record = logView(decision);
      writeSync(file, endsTorn(file) ? `\n${record}` : record);
    } finally {
      closeSync(file);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function openForAppend(dir: string): number {
  const path = join(dir, FILE);
  try {
    return openSync(path, 'a+', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return openSync(path, 'a+', 0o600);
  }
}

/** The last writer was killed in the middle of a line: the next record starts on a new one, so that only the torn one is lost. */
function endsTorn(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

/** The records of a session, oldest first. Torn lines and lines that are no records are counted, not thrown. */
export function readDecisions(session: string, env: NodeJS.ProcessEnv = process.env): { decisions: Decision[]; torn: number } {
  let text: string;
  try {
    text = readFileSync(join(sessionDir(session, env), FILE), 'utf8');
  } catch {
    return { decisions: [], torn: 0 };
  }
  const decisions: Decision[] = [];
  let torn = 0;
  for (const each of text.split('\n')) {
    if (each === '') continue;
    const record = parseRecord(each);
    if (record) decisions.push(record);
    else torn += 1;
  }
  return { decisions, torn };
}

function parseRecord(text: string): Decision | undefined {
  try {
    const value = JSON.parse(text) as Partial<Decision>;
    return value.schema === SCHEMA && typeof value.id === 'string' ? (value as Decision) : undefined;
  } catch {
    return undefined;
  }
}
