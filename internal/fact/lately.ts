/** Runs of the last minutes that saw the files as they still stand. */

import { runPlace } from '../runlog/places.ts';
import { readRuns } from '../runlog/read.ts';
import type { RunRecord } from '../runlog/record.ts';
import type { Scene } from './scene.ts';
import { standingOf } from './tree-digest.ts';

/** More runs are not compared. */
const MAX_RUNS = 20;

/** Newest first. git is only asked when there is such a run. */
export function latelyFact(dir: string, minutes: number, scene: Scene): readonly RunRecord[] {
  const since = Date.now() - minutes * 60_000;
  const runs = readRuns(runPlace(dir, scene.env))
    .runs.slice(0, MAX_RUNS)
    .map((each) => each.run)
    .filter((run) => Date.parse(run.startedAt) >= since && (run.status === 'passed' || run.status === 'failed'));
  const repository = runs.length > 0 ? scene.repositoryFor({ dir }) : undefined;
  const now = repository && standingOf(repository).digest;
  return now ? runs.filter((run) => (run.after ?? run.before)?.all === now.all) : [];
}
