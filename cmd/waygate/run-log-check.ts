/** What `doctor` says about the run log: can it be read, does it hold lines that are no record, and is there a key that signs. */
import { readKey } from '../../internal/gate/key.ts';
import { runPlace } from '../../internal/runlog/places.ts';
import { readRuns } from '../../internal/runlog/read.ts';
import type { GateCheck } from './gate-check.ts';

/** Nothing to say where nothing was run. */
export function runLogChecks(cwd: string): GateCheck[] {
  const what = 'runs';
  const log = readRuns(runPlace(cwd));
  const key = readKey(process.env);
  const checks: GateCheck[] = [];
  if (log.unread !== undefined)
    checks.push({
      state: 'warn',
      what,
      detail: `${log.unread}: no push can be covered`,
      fix: 'make it readable, or move it away and run the gate',
    });
  for (const { at } of log.damaged)
    checks.push({
      state: 'warn',
      what,
      detail: `${at} is no record and is skipped; what ended before it covers nothing`,
      fix: 'waygate gate run',
    });
  if (log.torn) checks.push({ state: 'warn', what, detail: 'the last line is torn and is skipped: a run was stopped while it wrote' });
  if (key && 'problem' in key)
    checks.push({ state: 'warn', what, detail: `gate records are not signed: ${key.problem}`, fix: 'see there, then waygate gate run' });
  if (checks.length === 0 && log.runs.length > 0) checks.push({ state: 'ok', what, detail: `${log.runs.length} on record` });
  return checks;
}
