/** Reading the run log. Nothing here throws: what cannot be read is said. */
import { readFileSync } from 'node:fs';
import { isAlive } from './alive.ts';
import type { RunPlace } from './places.ts';
import type { RunRecord } from './record.ts';

/** One run, and where its last line stands: the later of two ends has the higher number. */
export interface Logged {
  run: RunRecord;
  line: number;
}

export interface RunLog {
  /** By the start, newest first. */
  runs: readonly Logged[];
  /** The last line is a piece: whoever wrote it was stopped. */
  torn: boolean;
  /** Other lines that are no record. `line`: comparable with those of the runs. `at`: file and line number for a text. */
  damaged: readonly { line: number; at: string }[];
  /** Why there is no answer at all. */
  unread?: string;
}

/** All runs of a log, newest first. A run without an end whose writer is gone is `unfinished`. */
export function readRuns(place: RunPlace): RunLog {
  const last = new Map<string, Logged>();
  const damaged: RunLog['damaged'][number][] = [];
  let torn = false;
  let count = 0;
  for (const file of [place.older, place.file]) {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (isAbsent(error)) continue;
      return { runs: [], torn, damaged, unread: `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` };
    }
    const lines = text.split('\n');
    const rest = lines.pop();
    if (rest) torn = true;
    lines.forEach((line, index) => {
      count++;
      if (line === '') return;
      const run = recordOf(line);
      if (!run) damaged.push({ line: count, at: `${file}:${index + 1}` });
      else {
        // The place of the first line is kept: it orders by start.
        last.set(run.id, { run, line: count });
      }
    });
  }
  const runs = [...last.values()].reverse().map((each) => (ended(each.run) ? each : { ...each, run: settled(each.run) }));
  return { runs, torn, damaged };
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

const ended = (run: RunRecord): boolean => run.status !== 'running';
const settled = (run: RunRecord): RunRecord => (isAlive(run.pid, run.started) ? run : { ...run, status: 'unfinished' });

const STATUS = new Set(['running', 'passed', 'failed', 'killed']);

/** A line as a record; undefined when it is none. A record of a later schema is none: it may mean anything. */
function recordOf(line: string): RunRecord | undefined {
  try {
    const value = JSON.parse(line) as Partial<RunRecord> | null;
    if (value === null || typeof value !== 'object' || value.schema !== 1) return undefined;
    const good =
      typeof value.id === 'string' &&
      Array.isArray(value.argv) &&
      typeof value.cwd === 'string' &&
      typeof value.startedAt === 'string' &&
      typeof value.pid === 'number' &&
      typeof value.log === 'string' &&
      STATUS.has(value.status as string);
    return good ? (value as RunRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** What a person or an agent calls a run: its id, the start of one, `last`, `last-failed`, `gate`. */
export type Named = { run: RunRecord } | { none: string } | { several: readonly RunRecord[] };

export function runNamed(name: string, runs: readonly RunRecord[]): Named {
  const first = (which: (run: RunRecord) => boolean, none: string): Named => {
    const run = runs.find(which);
    return run ? { run } : { none };
  };
  if (name === 'last') return first(() => true, 'no run is on record here');
  if (name === 'last-failed')
    return first((run) => ['failed', 'killed', 'unfinished'].includes(run.status), 'no failed run is on record here');
  if (name === 'gate') return first((run) => run.gate !== undefined, 'the gate has not run here');
  const exact = runs.find((run) => run.id === name);
  if (exact) return { run: exact };
  const starting = name.length < 3 ? [] : runs.filter((run) => run.id.startsWith(name));
  if (starting.length === 1) return { run: starting[0]! };
  return starting.length > 1 ? { several: starting } : { none: `no run ${JSON.stringify(name)} is on record here` };
}

/** How long a run took, in seconds; undefined while it runs. */
export const secondsOf = (run: RunRecord): number | undefined => {
  const seconds = run.endedAt === undefined ? Number.NaN : (Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};
