/**
 * The identity of what stands in a work tree, as git names trees. A clean tree has the name of HEAD's; else an index and an
 * object folder of its own are filled with what differs, so that the repository stays untouched.
 */
import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreeDigest } from '../runlog/record.ts';
import { blobIds } from './content.ts';
import { mayHide } from './index-scan.ts';
import type { Repository } from './repository.ts';
import { parseStatus, type StatusEntry } from './status.ts';

/** The work tree as it stands, or why that is not known. */
export interface Standing {
  digest?: TreeDigest | undefined;
  /** Tracked files that are not as HEAD has them. Hidden ones that differ are among them. */
  entries: readonly StatusEntry[];
  /** Untracked files that are not ignored, relative to the top; repositories of their own are left out. Asked for when it is called. */
  untracked(): readonly string[];
  unread?: string | undefined;
}

export interface DigestOptions {
  /** `run`: what the filters of the repository (large files) make of a changed file is what a commit would hold. Default: off. */
  filters?: 'off' | 'run';
}

/** Untracked files beyond this many, or larger together, are not read: 256 MB. */
const MAX_UNTRACKED = 50_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** Asks for the identity of the work tree. */
export function standingOf(repository: Repository, { filters = 'off' }: DigestOptions = {}): Standing {
  let listed: readonly string[] | undefined;
  let unlisted = false;
  const untracked = (): readonly string[] => {
    const answer = listed ?? untrackedIn(repository);
    unlisted = answer === undefined;
    listed = answer ?? [];
    return listed;
  };
  const nothing = (unread: string, entries: readonly StatusEntry[] = []): Standing => ({ entries, untracked, unread });
  if (repository.found.top === undefined) return nothing('a bare repository has no work tree');
  // biome-ignore format: one command
  const answer = repository.ask(
    ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=dirty', '--no-ahead-behind'],
    { filters },
  );
  if (!answer.ok) return nothing(answer.unread ?? 'git does not say what has changed');
  const masked = hiddenChanges(repository);
  const hidden = masked.map((entry) => entry.path);
  const entries = [...parseStatus(answer.out), ...masked];
  // What was taken out of the index is no tracked file any more, also where it still stands there.
  const changed = entries.filter((entry) => !(entry.x === 'D' && entry.y === '.')).map((entry) => entry.path);
  const head = repository.head().oid;
  const treeWith = (paths: readonly string[]): string | undefined =>
    withOwnIndex(repository, filters, (index) => (index.unhide(hidden) ? index.tree(paths) : undefined));
  const made = lazily(() => (entries.length === 0 && head !== undefined ? treeOf(repository, head) : treeWith(changed)));
  const all = lazily(() => {
    const others = untracked();
    const tracked = made();
    if (unlisted || tracked === undefined) return '';
    if (others.length === 0) return tracked;
    return isReadable(repository.found.top as string, others) ? (treeWith([...changed, ...others]) ?? '') : '';
  });
  return {
    // Each is made where it is asked for: many questions are answered by the list of changes alone.
    get digest() {
      const tracked = made();
      if (tracked === undefined) return undefined;
      return {
        head,
        tracked,
        get all() {
          return all();
        },
      };
    },
    get unread() {
      return made() === undefined ? 'git cannot make a tree of what stands here' : undefined;
    },
    entries,
    untracked,
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function untrackedIn(repository: Repository): readonly string[] | undefined {
  const answer = repository.ask(['ls-files', '--others', '--exclude-standard', '-z']);
  if (!answer.ok) return undefined;
  return answer.out.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
}

/** The tree that a commit of the index would have after these paths were staged as they stand. `undefined`: not known. */
export const stagedTree = (repository: Repository, paths: readonly string[]): string | undefined =>
  withOwnIndex(repository, 'off', (index) => index.tree(paths)) ?? undefined;

/** The tree of a commit, a tag or a tree. */
export function treeOf(repository: Repository, revision: string): string | undefined {
  const known = trees.get(repository) ?? new Map<string, string>();
  trees.set(repository, known);
  const tree = known.get(revision) ?? treeAsked(repository, revision);
  // A full object name always has the same tree.
  if (tree !== undefined && /^[0-9a-f]{40,64}$/.test(revision)) known.set(revision, tree);
  return tree;
}

const trees = new WeakMap<Repository, Map<string, string>>();

function treeAsked(repository: Repository, revision: string): string | undefined {
  const answer = repository.ask(['rev-parse', '-q', '--verify', '--end-of-options', `${revision}^{tree}`], { accept: [1, 128] });
  return /^[0-9a-f]{40,64}$/.exec(answer.out.trim())?.[0];
}

/** The commit a revision stands for. */
export function commitOf(repository: Repository, revision: string): string | undefined {
  if (revision === 'HEAD' || revision === '@') return repository.head().oid;
  const answer = repository.ask(['rev-parse', '-q', '--verify', '--end-of-options', `${revision}^{commit}`], { accept: [1, 128] });
  return /^[0-9a-f]{40,64}$/.exec(answer.out.trim())?.[0];
}

/** Files git was told not to look at (assume-unchanged, skip-worktree) that stand there with other content: a gate saw that. */
function hiddenChanges(repository: Repository): readonly StatusEntry[] {
  const top = repository.found.top as string;
  if (!mayHide(join(repository.found.gitDir, 'index'), repository.algorithm === 'sha1' ? 20 : 32)) return [];
  const hidden = repository.index()?.hidden ?? hiddenAsked(repository);
  return hidden.flatMap(({ path, oid }): StatusEntry[] => {
    const full = join(top, path);
    if (!existsSync(full) || (oid !== undefined && blobIds(full, repository.algorithm).includes(oid))) return [];
    return [{ kind: 'changed', x: '.', y: 'M', path, directory: false, submodule: false }];
  });
}

/** The same from git, for an index that is not read in-process; without the blob each counts as changed. */
function hiddenAsked(repository: Repository): readonly { path: string; oid: string | undefined }[] {
  const answer = repository.ask(['ls-files', '-v', '-z']);
  return answer.out
    .split('\0')
    .filter((line) => /^([a-z]|S) /.test(line))
    .map((line) => ({ path: line.slice(2), oid: undefined }));
}

function isReadable(top: string, untracked: readonly string[]): boolean {
  if (untracked.length > MAX_UNTRACKED) return false;
  let bytes = 0;
  for (const path of untracked) {
    try {
      bytes += lstatSync(join(top, path)).size;
    } catch {
      // It is gone already.
    }
  }
  return bytes <= MAX_BYTES;
}

interface OwnIndex {
  /** Makes git look at these again. A step of its own: with these options it changes nothing else. */
  unhide(paths: readonly string[]): boolean;
  /** Takes these paths in as they stand, gone ones out, and names the tree. */
  tree(paths: readonly string[]): string | undefined;
}

function withOwnIndex<T>(repository: Repository, filters: 'off' | 'run', work: (index: OwnIndex) => T): T {
  const { gitDir, commonDir } = repository.found;
  const folder = mkdtempSync(join(tmpdir(), 'waygate-tree-'));
  try {
    const objects = join(folder, 'objects');
    mkdirSync(objects);
    const index = join(folder, 'index');
    const own = join(gitDir, 'index');
    if (existsSync(own)) copyFileSync(own, index);
    const vars = {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(commonDir, 'objects'),
    };
    const update = (options: readonly string[], paths: readonly string[]): boolean =>
      paths.length === 0 ||
      repository.ask(['-c', 'core.compression=0', 'update-index', ...options, '-z', '--stdin'], {
        input: paths.map((path) => `${path}\0`).join(''),
        vars,
        filters,
      }).ok;
    return work({
      unhide: (paths) => update(['--no-assume-unchanged'], paths) && update(['--no-skip-worktree'], paths),
      tree(paths) {
        if (!update(['--add', '--remove'], paths)) return undefined;
        const answer = repository.ask(['write-tree'], { vars });
        return answer.ok ? /^[0-9a-f]{40,64}$/.exec(answer.out.trim())?.[0] : undefined;
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
