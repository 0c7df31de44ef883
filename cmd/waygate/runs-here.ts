/** The run log around the current directory, read for a verb. */
import { type RunPlace, runPlace } from '../../internal/runlog/places.ts';
import { type RunLog, readRuns } from '../../internal/runlog/read.ts';
import { Failure } from './terminal.ts';

/** The log, or an end that says why it cannot be read. */
export function logHere(): { place: RunPlace; log: RunLog } {
  const place = runPlace(process.cwd());
  const log = readRuns(place);
  if (log.unread !== undefined) throw new Failure(`the run log cannot be read: ${log.unread}`);
  return { place, log };
}
