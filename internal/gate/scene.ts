/** A repository as the gate's own verbs ask it: unhurried, and with its filters, since a person or a run asks and not a judgement. */
import { discoverAt, type Found } from '../fact/discover.ts';
import { newBudget } from '../fact/git.ts';
import type { Env } from '../fact/grounds.ts';
import { openRepository, type Repository } from '../fact/repository.ts';
import { standingOf } from '../fact/tree-digest.ts';
import type { TreeDigest } from '../runlog/record.ts';

/** Time for all questions of a verb together: 2 minutes. */
const BUDGET_MS = 120_000;

export interface OpenScene {
  repository: Repository;
  /** The work tree as it stands now, asked anew each time. */
  standing(): TreeDigest | undefined;
}

export function openScene(found: Found, env: Env = process.env): OpenScene {
  return {
    repository: openAt(found, env),
    // Another repository each time: what one of them has been told does not change.
    standing: () => {
      const digest = found.top === undefined ? undefined : standingOf(openAt(found, env), { filters: 'run' }).digest;
      // A copy asks for all of it now: later the files may be others.
      return digest && { ...digest };
    },
  };
}

/** A repository for questions of a verb. */
export const openAt = (found: Found, env: Env = process.env): Repository => openRepository(found, env, newBudget(BUDGET_MS));

/** The work tree with this top. */
export function openTop(top: string, env: Env = process.env): Repository | undefined {
  const found = discoverAt(top);
  return found && openAt(found, env);
}
