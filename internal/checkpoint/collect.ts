/** What a checkpoint is to hold: everything at stake in a repository, or the named paths. */
import { lstatSync, statSync } from 'node:fs';
import { pathTarget } from '../effect/family.ts';
import { realParentOf } from '../fact/discover.ts';
import { stashEntries } from '../fact/gather-commits.ts';
import { gatherPaths } from '../fact/gather-files.ts';
import { gatherWorktree } from '../fact/gather-worktree.ts';
import { MAX_SAVED, type Piece } from '../fact/piece.ts';
import { regenerableByName } from '../fact/regenerable.ts';
import type { Repository } from '../fact/repository.ts';
import type { Scene } from '../fact/scene.ts';
import type { StatusEntry } from '../fact/status.ts';
import { walk } from '../fact/walk.ts';
import type { Wanted } from './save.ts';
import { storeFolder } from './store.ts';

/** One store and what goes into it. */
export interface Batch {
  folder: string;
  wanted: Wanted;
}

/** What is gathered for one store before it is counted out. */
interface Heap {
  key: string;
  top: string;
  repository: Repository | undefined;
  files: Set<string>;
  staged: Map<string, { path: string; oid: string; mode: string }>;
  refs: Map<string, { name: string; oid: string }>;
  stash: Map<string, { oid: string; subject: string }>;
  commits: Set<string>;
  notHeld: { path: string; why: string }[];
}

/** Everything at stake in the repository of `dir`: edits, staged content, untracked files, stash entries, commits on no remote. */
export function collectAll(dir: string, scene: Scene): readonly Batch[] {
  const repository = scene.repositoryFor({ dir });
  if (!repository) return [];
  const heaps = new Map<string, Heap>();
  addRepository(repository, heaps, scene);
  return [...heaps.values()].map((heap) => batchOf(heap, scene));
}

/**
 * The named paths: files as they are, ignored ones included; directories with all that is below but what is made again;
 * a directory that is a repository with its history.
 */
export function collectPaths(paths: readonly string[], scene: Scene): { batches: readonly Batch[]; missing: readonly string[] } {
  const heaps = new Map<string, Heap>();
  const missing: string[] = [];
  for (const path of paths) {
    const real = realParentOf(path);
    if (!exists(real)) {
      // A tracked file that was deleted may still have staged content.
      const before = heaps.size;
      addStaged(real, heaps, scene);
      if (heaps.size === before) missing.push(path);
      continue;
    }
    addPath(real, heaps, scene);
    addStaged(real, heaps, scene);
  }
  return { batches: [...heaps.values()].map((heap) => batchOf(heap, scene)), missing };
}

/** A file as it is; a directory with everything at stake below it. A link to a directory: the link and what is behind it. */
function addPath(path: string, heaps: Map<string, Heap>, scene: Scene): void {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) addFile(path, heaps, scene);
  if (!stat.isDirectory() && !(stat.isSymbolicLink() && isDirectory(path))) return;
  const target = { ...pathTarget(path, '/'), slash: true };
  const gathered = gatherPaths([target], { tree: true, writes: false }, scene);
  for (const piece of gathered.pieces) addPiece(piece, heaps, scene);
  // Links and empty files are nothing at stake, but they belong to the picture.
  if (gathered.pieces.length > 0) {
    const walked = walk(path, scene.budget, (each) => regenerableByName(each, path) === 'always');
    for (const file of walked.files)
      if ((file.kind === 'link' || (file.kind === 'file' && file.size === 0)) && !isTrackedFile(file.path, scene))
        addFile(file.path, heaps, scene);
  }
  if (gathered.unread !== undefined) heapFor(path, heaps, scene).notHeld.push({ path, why: gathered.unread });
}

function addPiece(piece: Piece, heaps: Map<string, Heap>, scene: Scene): void {
  const repository = piece.repository;
  if (piece.commits && repository) addHistory(repository, heapOf(repository, heaps));
  else if (piece.blob && piece.path && repository?.found.top) {
    const path = piece.path.slice(repository.found.top.length + 1);
    heapOf(repository, heaps).staged.set(path, { path, oid: piece.blob, mode: '100644' });
  } else if (piece.path) addFile(piece.path, heaps, scene);
}

function isTrackedFile(path: string, scene: Scene): boolean {
  const repository = scene.repositoryOf(path);
  const top = repository?.found.top;
  return repository !== undefined && top !== undefined && repository.index()?.paths.has(path.slice(top.length + 1)) === true;
}

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

function addFile(path: string, heaps: Map<string, Heap>, scene: Scene): void {
  const heap = heapFor(path, heaps, scene);
  const stat = lstatSync(path);
  if (stat.isFile() && stat.size > MAX_SAVED) heap.notHeld.push({ path, why: `larger than ${MAX_SAVED / 1024 / 1024} MB` });
  else if (stat.isFile() || stat.isSymbolicLink()) heap.files.add(path);
  else heap.notHeld.push({ path, why: 'no regular file' });
}

/** Staged content of the paths that is not in the work tree. */
function addStaged(path: string, heaps: Map<string, Heap>, scene: Scene): void {
  const repository = scene.repositoryOf(path);
  const top = repository?.found.top;
  if (!repository || !top || path === top || !path.startsWith(`${top}/`)) return;
  for (const entry of repository.status([`:(top,literal)${path.slice(top.length + 1)}`], false).entries) {
    if (entry.kind === 'changed') addIndexed(entry, heapOf(repository, heaps));
  }
}

/** Everything at stake in a repository but its ignored files, which have to be named. */
function addRepository(repository: Repository, heaps: Map<string, Heap>, scene: Scene): void {
  const top = repository.found.top;
  if (top) {
    const question = {
      about: 'worktree',
      repo: { dir: top },
      paths: undefined,
      loses: 'both',
      from: 'HEAD',
      overUntracked: false,
    } as const;
    for (const piece of gatherWorktree(question, repository, scene).pieces) addPiece(piece, heaps, scene);
    for (const entry of repository.status(undefined, false).entries) {
      const path = `${top}/${entry.path}`;
      if (entry.kind === 'changed') addIndexed(entry, heapOf(repository, heaps));
      if (entry.kind !== 'untracked' || scene.regenerable(path, false)) continue;
      if (!entry.directory) addFile(path, heaps, scene);
      else heapOf(repository, heaps).notHeld.push({ path, why: 'a repository of its own; name it to save it' });
    }
  }
  addHistory(repository, heapOf(repository, heaps));
}

/** What the index has and HEAD has not. */
function addIndexed(entry: StatusEntry, heap: Heap): void {
  if (entry.index && entry.x !== '.' && entry.x !== 'D')
    heap.staged.set(entry.path, { path: entry.path, oid: entry.index, mode: entry.mode ?? '100644' });
}

/** Branch tips and a detached HEAD with commits on no remote, the stash, and what only the reflog knows. */
function addHistory(repository: Repository, heap: Heap): void {
  for (const entry of stashEntries(repository)) heap.stash.set(entry.oid, entry);
  const head = repository.head();
  const remotes = new Set(repository.ask(['for-each-ref', '--format=%(objectname)', 'refs/remotes']).out.split('\n'));
  const refs = repository.ask(['for-each-ref', '--format=%(refname) %(objecttype) %(objectname)', 'refs/heads', 'refs/tags']).out;
  for (const line of refs.split('\n')) {
    const [name, type, oid] = line.split(' ');
    if (name && oid && type === 'commit' && !remotes.has(oid)) heap.refs.set(name, { name, oid });
  }
  if (head.branch === undefined && head.oid && !remotes.has(head.oid)) heap.refs.set('HEAD', { name: 'HEAD', oid: head.oid });
  const known = head.oid ? ['HEAD'] : [];
  const unpushed = repository.ask(['rev-list', '--max-count=5000', '--branches', '--tags', ...known, '--reflog', '--not', '--remotes']);
  for (const oid of unpushed.out.split('\n')) if (oid) heap.commits.add(oid);
}

function heapFor(path: string, heaps: Map<string, Heap>, scene: Scene): Heap {
  const repository = scene.repositoryOf(path);
  const top = repository?.found.top;
  return repository && top && path.startsWith(`${top}/`) && !path.startsWith(`${repository.found.gitDir}/`)
    ? heapOf(repository, heaps)
    : heap('/', '/', undefined, heaps);
}

const heapOf = (repository: Repository, heaps: Map<string, Heap>): Heap =>
  heap(repository.found.commonDir, repository.found.top ?? repository.found.gitDir, repository, heaps);

function heap(key: string, top: string, repository: Repository | undefined, heaps: Map<string, Heap>): Heap {
  const known = heaps.get(`${key}\n${top}`);
  if (known) return known;
  const made: Heap = {
    key,
    top,
    repository,
    files: new Set(),
    staged: new Map(),
    refs: new Map(),
    stash: new Map(),
    commits: new Set(),
    notHeld: [],
  };
  heaps.set(`${key}\n${top}`, made);
  return made;
}

function batchOf(heap: Heap, scene: Scene): Batch {
  return {
    folder: storeFolder(scene.grounds.state, heap.key),
    wanted: {
      top: heap.top,
      repository: heap.repository,
      files: [...heap.files],
      staged: [...heap.staged.values()],
      refs: [...heap.refs.values()],
      stash: [...heap.stash.values()],
      commits: [...heap.commits],
      notHeld: heap.notHeld,
    },
  };
}

const exists = (path: string): boolean => {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
};
