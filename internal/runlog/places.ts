/** Where the run log lies: in the common git directory, shared by the work trees; outside a repository in the state folder. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { discover, type Found, realOf } from '../fact/discover.ts';
import { type Env, stateFolder } from '../fact/grounds.ts';

export interface RunPlace {
  /** Folder with the records and the logs, absolute. */
  folder: string;
  /** The records, one JSON line each. */
  file: string;
  /** The records before the last rotation. */
  older: string;
  /** The folder of the logs. */
  logs: string;
  /** The repository the directory lies in. */
  found: Found | undefined;
}

/** The run log for a directory. Nothing is made. */
export function runPlace(dir: string, env: Env = process.env): RunPlace {
  const found = discover(dir, { GIT_DIR: env['GIT_DIR'], GIT_WORK_TREE: env['GIT_WORK_TREE'] });
  return found ? placeOf(join(found.commonDir, 'waygate'), found) : placeOf(outsideFolder(realOf(dir), env), undefined);
}

/** The run log of a repository that has been found. */
export const runPlaceOf = (found: Found): RunPlace => placeOf(join(found.commonDir, 'waygate'), found);

const placeOf = (folder: string, found: Found | undefined): RunPlace => ({
  folder,
  file: join(folder, 'runs.jsonl'),
  older: join(folder, 'runs.1.jsonl'),
  logs: join(folder, 'runs'),
  found,
});

/** A directory outside every repository has a log of its own. */
const outsideFolder = (dir: string, env: Env): string =>
  join(
    stateFolder(env),
    'runs',
    `${
      basename(dir)
        .replace(/[^A-Za-z0-9._-]/g, '_')
        .slice(0, 40) || 'root'
    }-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`,
  );
