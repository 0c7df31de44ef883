/** Appending to a session's ledger: one line and one write per record, so that hooks side by side never cut into each other's. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folder.ts';
import type { LedgerRecord } from './records.ts';
import { sessionDir } from './state.ts';

export const LEDGER_FILE = 'ledger.jsonl';

/** The ledger of a session. */
export const ledgerFile = (session: string, env: NodeJS.ProcessEnv = process.env): string => join(sessionDir(session, env), LEDGER_FILE);

/** A record as its line, with its line feed. */
export const lineOf = (record: LedgerRecord): string => `${JSON.stringify(record)}\n`;

/** Appends a record with one write. Returns what went wrong, if anything did: it never changes a verdict. `onFirst`: the session is new. */
export function appendRecord(
  session: string,
  record: LedgerRecord,
  env: NodeJS.ProcessEnv = process.env,
  onFirst?: () => void,
): string | undefined {
  try {
    const file = openForAppend(session, env, onFirst);
    try {
      const line = lineOf(record);
      writeSync(file, endsTorn(file) ? `\n${line}` : line);
    } finally {
      closeSync(file);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function openForAppend(session: string, env: NodeJS.ProcessEnv, onFirst?: () => void): number {
  const path = ledgerFile(session, env);
  try {
    return openSync(path, 'a+', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makeFolder(sessionDir(session, env));
    const file = openSync(path, 'a+', 0o600);
    onFirst?.();
    return file;
  }
}

/**
 * The last writer was killed in the middle of a line: the next record starts on a new one. Where one dies between this look and
 * the write, the record stands behind the torn piece on one line and is found there (`recordsOf` in read.ts).
 */
function endsTorn(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
