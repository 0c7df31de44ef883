/** Old logs go, records stay until their file is rotated: what is left of a log is that it is gone. */
import { readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { RunPlace } from './places.ts';

/** Logs of this many runs stay, whatever their age. */
const KEEP = 50;
/** Of the others those younger than this: 30 days. */
const KEEP_MS = 30 * 24 * 3600 * 1000;
/** All logs together, in bytes: 1 GiB. */
const KEEP_BYTES = 1024 ** 3;
/** A log that is written to is never taken: one that has been quiet for an hour. */
const QUIET_MS = 3600 * 1000;

/** Takes out the logs that are too old or too many. A problem is none of the run's. */
export function sweepLogs(place: RunPlace, now: number = Date.now()): void {
  try {
    const names = readdirSync(place.logs)
      .filter((name) => name.endsWith('.log'))
      .sort()
      .reverse();
    let bytes = 0;
    names.forEach((name, index) => {
      const file = join(place.logs, name);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (!stat) return;
      bytes += stat.size;
      const old = (index >= KEEP && stat.mtimeMs < now - KEEP_MS) || (index > 0 && bytes > KEEP_BYTES);
      if (old && stat.mtimeMs < now - QUIET_MS) unlinkSync(file);
    });
  } catch {
    // Another run was faster.
  }
}
