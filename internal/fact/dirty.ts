/** The files of a work tree that are not as HEAD has them. */
import type { Target } from '../effect/effect.ts';
import type { GitPlace } from '../effect/types-git.ts';
import type { DirtyFile } from './facts.ts';
import { pathspecsOf } from './gather-worktree.ts';
import type { Scene } from './scene.ts';
import type { StatusEntry } from './status.ts';

/** Files that are named in one answer. */
const MAX_FILES = 500;

/** All of them, or those at and below some paths. None where git gives no answer. */
export function dirtyFiles(
  place: GitPlace,
  paths: readonly Target[] | undefined,
  scene: Scene,
): { files: readonly DirtyFile[]; more: number } {
  const repository = place.fresh ? undefined : scene.repositoryFor(place);
  const top = repository?.found.top;
  if (!repository || top === undefined) return { files: [], more: 0 };
  const { specs } = paths ? pathspecsOf(paths, top) : { specs: undefined };
  if (specs?.length === 0) return { files: [], more: 0 };
  const files = repository.status(specs, false).entries.flatMap((entry): DirtyFile[] => {
    const state = entry.submodule ? undefined : stateOf(entry);
    return state === undefined ? [] : [{ path: `${top}/${entry.path}`, state, ...(entry.x === 'A' ? { added: true as const } : {}) }];
  });
  return { files: files.slice(0, MAX_FILES), more: Math.max(0, files.length - MAX_FILES) };
}

function stateOf(entry: StatusEntry): DirtyFile['state'] | undefined {
  if (entry.kind === 'ignored') return undefined;
  if (entry.kind === 'untracked') return 'untracked';
  if (entry.kind === 'unmerged') return 'conflict';
  if (entry.y === 'D' || (entry.x === 'D' && entry.y === '.')) return 'deleted';
  return entry.y === '.' ? 'staged' : 'modified';
}
