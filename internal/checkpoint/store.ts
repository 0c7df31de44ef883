/**
 * Where checkpoints lie: a bare git store per repository under the guard's state folder, and one for everything outside
 * repositories. The store shares nothing with the repository, so that it survives its loss.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Budget, git } from '../fact/git.ts';
import type { Env } from '../fact/grounds.ts';

/** One saved file. */
export interface SavedFile {
  /** Relative to the top of the work tree; absolute (without the first slash) in the store for files outside. */
  path: string;
  /** Blob in the store. */
  oid: string;
  /** Octal mode: 100644, 100755 or 120000. */
  mode: string;
  size: number;
  /** What it was: from the work tree, or only in the index. */
  from: 'worktree' | 'index';
  /** Size, times of change and inode when it was read, as git's own index keeps them: an unchanged file need not be read again. */
  stat?: string;
}

/** What a checkpoint holds, as `manifests/ID.json` beside the objects. The objects prove it, not this. */
export interface Manifest {
  schema: 1;
  id: string;
  at: string;
  /** Top of the work tree, or `/` for files outside repositories. */
  top: string;
  branch?: string;
  head?: string;
  /** Commit in the store whose tree has the files. */
  revision: string;
  /** `sha256:` over the saved files and commits. */
  digest: string;
  files: readonly SavedFile[];
  /** Branch tips with commits on no remote; HEAD where it was detached. */
  refs: readonly { name: string; oid: string }[];
  /** Stash entries, newest first. */
  stash: readonly { oid: string; subject: string }[];
  /** Commits that no remote has. */
  commits: readonly string[];
  notHeld: readonly { path: string; why: string }[];
}

/** The store of a repository, by its common git directory; of the files outside repositories, by `/`. */
export const storeFolder = (state: string, key: string): string => join(state, 'checkpoints', idOf(key));

const idOf = (key: string): string =>
  `${(basename(key) === '.git' ? basename(join(key, '..')) : basename(key)).replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 40) || 'outside'}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;

/** The git directory inside a store. */
export const objectsOf = (folder: string): string => join(folder, 'store.git');

/** The manifests of a store, newest first, at most `limit`. A damaged one is left out. */
export function manifestsOf(folder: string, limit = 200): readonly Manifest[] {
  let names: string[];
  try {
    names = readdirSync(join(folder, 'manifests'));
  } catch {
    return [];
  }
  const ids = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
    .slice(0, limit);
  return ids.flatMap((name) => {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'manifests', name), 'utf8')) as Manifest;
      return manifest.schema === 1 && Array.isArray(manifest.files) ? [manifest] : [];
    } catch {
      return [];
    }
  });
}

/** The stamp of a file that changes with every write. undefined when nothing lies there. */
export function stampOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { bigint: true });
    return `${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}-${stat.ino}`;
  } catch {
    return undefined;
  }
}

/** A store as one judgement sees it: its manifests are read once, when they are needed. */
export interface CheckpointView {
  /** Absolute path and stamp -> blob: files that have not changed since a checkpoint read them. */
  stamps(): ReadonlyMap<string, string>;
  /** Which of these objects the store holds: object -> checkpoint. What a manifest names is asked of the store itself. */
  held(oids: readonly string[]): ReadonlyMap<string, string>;
}

export function viewOf(folder: string, budget: Budget, env: Env): CheckpointView {
  let manifests: readonly Manifest[] | undefined;
  let stamps: ReadonlyMap<string, string> | undefined;
  const all = (): readonly Manifest[] => (manifests ??= manifestsOf(folder));
  return {
    stamps: () => (stamps ??= stampsIn(all())),
    held: (oids) => (existsSync(objectsOf(folder)) ? heldIn(folder, new Set(oids), all(), budget, env) : new Map()),
  };
}

function stampsIn(manifests: readonly Manifest[]): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>();
  for (const manifest of manifests) {
    const root = manifest.top === '/' ? '' : manifest.top;
    for (const file of manifest.files) if (file.stat !== undefined) stamps.set(`${root}/${file.path}\n${file.stat}`, file.oid);
  }
  return stamps;
}

function heldIn(
  folder: string,
  wanted: ReadonlySet<string>,
  manifests: readonly Manifest[],
  budget: Budget,
  env: Env,
): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  const said = new Map<string, string>();
  const note = (oid: string, id: string): void => {
    if (wanted.has(oid) && !said.has(oid)) said.set(oid, id);
  };
  for (const manifest of manifests) {
    for (const file of manifest.files) note(file.oid, manifest.id);
    for (const oid of manifest.commits) note(oid, manifest.id);
    for (const entry of manifest.stash) note(entry.oid, manifest.id);
  }
  if (said.size === 0) return held;
  const input = `${[...said.keys()].join('\n')}\n`;
  const answer = git({ dir: folder, gitDir: objectsOf(folder) }, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], budget, {
    env,
    input,
  });
  for (const line of answer.out.split('\n')) {
    const [oid, type] = line.split(' ');
    if (oid && type && type !== 'missing' && said.has(oid)) held.set(oid, said.get(oid) as string);
  }
  return held;
}
