/** Small questions about one entry of a work tree, shared by everything that gathers files. */
import { existsSync, lstatSync } from 'node:fs';
import { blobIds } from './content.ts';
import { MAX_SAVED, type Piece } from './piece.ts';
import { regenerableByName } from './regenerable.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import type { StatusEntry } from './status.ts';

/** A directory that is a repository: a work tree or a bare one. */
export const isRepositoryTop = (path: string): boolean =>
  existsSync(`${path}/.git`) || (existsSync(`${path}/HEAD`) && existsSync(`${path}/objects`) && existsSync(`${path}/refs`));

/** A file as a piece. */
export function filePiece(kind: Piece['kind'], path: string, shown: string, more: Partial<Piece> = {}): Piece {
  const size = sizeOf(path);
  return { kind, path, shown, size, savable: size <= MAX_SAVED, ...more };
}

/** Bytes of a file, 0 when it cannot be read. */
export function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    return 0;
  }
}

/** Tracked files git was told not to compare (assume-unchanged, skip-worktree) that differ all the same. */
export function withHidden(
  repository: Repository,
  entries: readonly StatusEntry[],
  covered: (path: string) => boolean,
): readonly StatusEntry[] {
  const top = repository.found.top;
  const hidden = repository.index()?.hidden ?? [];
  if (top === undefined || hidden.length === 0) return entries;
  const known = new Set(entries.map((entry) => entry.path));
  const more = hidden.slice(0, 5000).flatMap((file): StatusEntry[] => {
    const path = `${top}/${file.path}`;
    if (known.has(file.path) || !covered(path) || !isFilled(path) || blobIds(path, repository.algorithm).includes(file.oid)) return [];
    return [{ kind: 'changed', x: '.', y: 'M', path: file.path, directory: false, index: file.oid, submodule: false }];
  });
  return [...entries, ...more];
}

/** Bytes of a regular file; 0 for everything that has no content of its own: a link, a directory, nothing. */
export function filledSize(path: string): number {
  try {
    const stat = lstatSync(path);
    return stat.isFile() ? stat.size : 0;
  } catch {
    return 0;
  }
}

/** A regular file with something in it. */
export const isFilled = (path: string): boolean => filledSize(path) > 0;

/** Asks once about all ignored entries whose name alone does not tell. */
export function learn(repository: Repository, entries: readonly StatusEntry[], scene: Scene): void {
  const top = repository.found.top as string;
  const open = entries.filter((entry) => entry.kind === 'ignored').map((entry) => `${top}/${entry.path}`);
  scene.learnIgnored(
    repository,
    open.filter((path) => regenerableByName(path, top) !== 'always'),
  );
}
