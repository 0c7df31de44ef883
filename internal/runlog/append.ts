/** Appending to the run log: one line and one write per record, so that runs side by side never cut into each other's. */
import { chmodSync, closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import type { RunPlace } from './places.ts';
import type { RunRecord } from './record.ts';

/** Records beyond this go to the older file, about 300 runs; what was there before goes. */
const ROTATE_BYTES = 512 * 1024;

/** Makes the folders of a run log, for their owner alone. Throws what the system says. */
export function prepare(place: RunPlace): void {
  const fresh = !existsSync(place.folder);
  mkdirSync(place.logs, { recursive: true, mode: 0o700 });
  if (fresh) chmodSync(place.folder, 0o700);
}

/**
 * Appends a record as it stands now: the start and the end of a run are the same record at two times, the later line counts.
 * It is on the disk when this returns. Throws what the system says.
 */
export function appendRun(place: RunPlace, record: RunRecord): void {
  rotate(place);
  const file = openSync(place.file, 'a+', 0o600);
  try {
    const line = `${JSON.stringify(record)}\n`;
    writeSync(file, endsTorn(file) ? `\n${line}` : line);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** By renaming: whoever has the file open writes into it under its new name, and readers read both. */
function rotate(place: RunPlace): void {
  try {
    const file = openSync(place.file, 'r');
    const { size } = fstatSync(file);
    closeSync(file);
    if (size > ROTATE_BYTES) renameSync(place.file, place.older);
  } catch {
    // There is none yet, or another run was faster.
  }
}

/** The last writer was stopped in the middle of a line: the next record starts on a new one. */
function endsTorn(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
