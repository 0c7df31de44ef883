/** What a checkpoint is to hold: everything at stake in a repository, or the named paths. */
import { existsSync, lstatSync } from 'node:fs';
import { realParentOf } from '../fact/discover.ts';
import { stashEntries } from '../fact/gather-commits.ts';
import { gatherWorktree } from '../fact/gather-worktree.ts';
import { MAX_SAVED, type Piece } from '../fact/piece.ts';
import type { Repository } from '../fact/repository.ts';
import type { Scene } from '../fact/scene.ts';
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

/** Files that one checkpoint takes at most. */
const MAX_FILES = 50_000;

/** Everything at stake in the repository of `dir`: edits, staged content, untracked files, stash entries, commits on no remote. */
export function collectAll(dir: string, scene: Scene): readonly Batch[] {
  const repository = scene.repositoryFor({ dir });
  if (!repository) return [];
  const heaps = new Map<string, Heap>();
  addRepository(repository, false, heaps, scene);
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

const isRepository = (path: string): boolean =>
  existsSync(`${path}/.git`) || (existsSync(`${path}/HEAD`) && existsSync(`${path}/objects`) && existsSync(`${path}/refs`));

function addPath(path: string, heaps: Map<string, Heap>, scene: Scene): void {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) {
    addFile(path, heaps, scene);
    return;
  }
  if (isRepository(path)) {
    const repository = scene.repositoryFor({ dir: path });
    if (repository) addRepository(repository, true, heaps, scene);
    return;
  }
  const repository = scene.repositoryOf(`${path}/x`);
  if (repository && path.startsWith(repository.found.gitDir)) {
    addHistory(repository, heapOf(repository, heaps));
  }
  // Without the bounds of a question: a checkpoint is asked for and may take its time.
  const walked = walk(path, scene.budget, (each) => scene.regenerable(each) && !isTrackedBelow(repository, each), MAX_FILES);
  for (const file of walked.files) if (file.kind !== 'other') addFile(file.path, heaps, scene);
  for (const inner of walked.repositories) addPath(inner, heaps, scene);
  if (walked.cut) heapFor(path, heaps, scene).notHeld.push({ path, why: `more than ${MAX_FILES} files` });
}

/** Output folders do not count, but for those with sources in them. */
function isTrackedBelow(repository: Repository | undefined, path: string): boolean {
  const top = repository?.found.top;
  if (!repository || !top) return false;
  const relative = path.slice(top.length + 1);
  const paths = repository.index()?.paths;
  if (!paths) return true;
  if (paths.has(relative)) return true;
  for (const each of paths) if (each.startsWith(`${relative}/`)) return true;
  return false;
}

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
    if (entry.kind === 'changed' && entry.index && entry.x !== '.' && entry.x !== 'D')
      heapOf(repository, heaps).staged.set(entry.path, { path: entry.path, oid: entry.index, mode: entry.mode ?? '100644' });
  }
}

/** Everything a repository has that exists nowhere else. `whole`: it goes as a whole, so ignored files count too. */
function addRepository(repository: Repository, whole: boolean, heaps: Map<string, Heap>, scene: Scene): void {
  const heap = heapOf(repository, heaps);
  const top = repository.found.top;
  if (top) {
    const dir = { dir: top };
    const pieces: Piece[] = [
      ...gatherWorktree({ about: 'worktree', repo: dir, paths: undefined, loses: 'both', from: 'HEAD', overUntracked: false }, repository)
        .pieces,
    ];
    const status = repository.status(undefined, whole);
    for (const piece of pieces) addPiece(piece, heap);
    for (const entry of status.entries) {
      const path = `${top}/${entry.path}`;
      if (entry.kind === 'changed' && entry.index && entry.x !== '.' && entry.x !== 'D')
        heap.staged.set(entry.path, { path: entry.path, oid: entry.index, mode: entry.mode ?? '100644' });
      if ((entry.kind !== 'untracked' && entry.kind !== 'ignored') || scene.regenerable(path)) continue;
      if (!entry.directory) addFile(path, heaps, scene);
      else if (entry.kind === 'ignored' || whole) addPath(path, heaps, scene);
      else heap.notHeld.push({ path, why: 'a repository of its own; name it to save it' });
    }
    if (whole)
      for (const link of repository.index()?.gitlinks ?? []) if (isRepository(`${top}/${link}`)) addPath(`${top}/${link}`, heaps, scene);
  }
  addHistory(repository, heap);
}

function addPiece(piece: Piece, heap: Heap): void {
  if (piece.path === undefined) return;
  if (piece.blob) return;
  if (piece.savable) heap.files.add(piece.path);
  else heap.notHeld.push({ path: piece.path, why: `larger than ${MAX_SAVED / 1024 / 1024} MB` });
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
