/**
 * Saves content into a store: files by their bytes, objects git already has (staged blobs, commits, stash entries) as a pack.
 * The repository, its index, refs and work tree stay as they are.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Budget, git } from '../fact/git.ts';
import type { Env } from '../fact/grounds.ts';
import type { Repository } from '../fact/repository.ts';
import { makeFolder } from '../ledger/folder.ts';
import { type Manifest, objectsOf, type SavedFile, stampOf } from './store.ts';

/** What is to be saved in one store. */
export interface Wanted {
  /** Top of the work tree; `/` for files outside repositories. */
  top: string;
  repository: Repository | undefined;
  /** Absolute paths of files and links. */
  files: readonly string[];
  /** Staged blobs that lie nowhere else: path relative to the top, blob, octal mode. */
  staged: readonly { path: string; oid: string; mode: string }[];
  refs: Manifest['refs'];
  stash: Manifest['stash'];
  commits: readonly string[];
  notHeld: Manifest['notHeld'];
}

/** Something in a store could not be done; the message is for the person. */
export class CheckpointError extends Error {}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'waygate',
  GIT_AUTHOR_EMAIL: 'waygate@localhost',
  GIT_COMMITTER_NAME: 'waygate',
  GIT_COMMITTER_EMAIL: 'waygate@localhost',
};

/** More files than this go into one pack afterwards: asking for many loose objects is slow. */
const LOOSE_LIMIT = 1000;

/** Saves and gives the manifest. Throws CheckpointError; nothing is recorded then. */
export function save(folder: string, wanted: Wanted, now: Date, budget: Budget, env: Env): Manifest {
  const algorithm = wanted.repository?.algorithm ?? 'sha1';
  makeStore(folder, algorithm, budget, env);
  const store = objectsOf(folder);
  const run = (args: readonly string[], input?: string | Buffer, vars: Readonly<Record<string, string>> = {}): string => {
    const answer = git({ dir: folder, gitDir: store }, args, budget, {
      env,
      ...(input === undefined ? {} : { input }),
      vars: { ...IDENTITY, ...vars },
    });
    if (!answer.ok) throw new CheckpointError(`git ${args[0]} failed in the checkpoint store: ${answer.unread}`);
    return answer.out;
  };

  const files = hashFiles(wanted, run);
  copyObjects(folder, wanted, budget, env);
  const index: SavedFile[] = wanted.staged.map((each) => ({ path: each.path, oid: each.oid, mode: each.mode, size: 0, from: 'index' }));
  const all = [...files, ...index];

  const id = newId(now);
  const indexFile = join(folder, `index-${id}`);
  try {
    const lines = all.map((file) => `${file.mode} ${file.oid}\t${file.from === 'index' ? 'index' : 'files'}/${file.path}`);
    run(['update-index', '-z', '--index-info'], lines.map((line) => `${line}\0`).join(''), { GIT_INDEX_FILE: indexFile });
    const tree = run(['write-tree'], undefined, { GIT_INDEX_FILE: indexFile }).trim();
    const message = `checkpoint ${id} of ${wanted.top}\n`;
    const revision = run(['commit-tree', tree], message, {
      GIT_AUTHOR_DATE: now.toISOString(),
      GIT_COMMITTER_DATE: now.toISOString(),
    }).trim();
    const head = wanted.repository?.head();
    const manifest: Manifest = {
      schema: 1,
      id,
      at: now.toISOString(),
      top: wanted.top,
      ...(head?.branch === undefined ? {} : { branch: head.branch }),
      ...(head?.oid === undefined ? {} : { head: head.oid }),
      revision,
      digest: digestOf(all, wanted),
      files: all,
      refs: wanted.refs,
      stash: wanted.stash,
      commits: wanted.commits,
      notHeld: wanted.notHeld,
    };
    const refs = [
      `update refs/checkpoints/${id} ${revision}`,
      ...[...wanted.refs, ...wanted.stash].map((each, at) => `update refs/kept/${id}/${at} ${each.oid}`),
    ];
    run(['update-ref', '--stdin'], `${refs.join('\n')}\n`);
    writeManifest(folder, manifest);
    if (files.length > LOOSE_LIMIT) git({ dir: folder, gitDir: store }, ['-c', 'pack.window=0', 'repack', '-d', '-q'], budget, { env });
    return manifest;
  } finally {
    rmSync(indexFile, { force: true });
    rmSync(`${indexFile}.lock`, { force: true });
  }
}

function makeStore(folder: string, algorithm: string, budget: Budget, env: Env): void {
  try {
    makeFolder(join(folder, 'manifests'));
    chmodSync(folder, 0o700);
  } catch (error) {
    throw new CheckpointError(`the checkpoint folder cannot be written: ${(error as Error).message}`);
  }
  const store = objectsOf(folder);
  if (existsSync(join(store, 'HEAD'))) return;
  const answer = git({ dir: folder }, ['init', '-q', '--bare', '--template=', `--object-format=${algorithm}`, store], budget, { env });
  if (!answer.ok) throw new CheckpointError(`the checkpoint store cannot be made: ${answer.unread}`);
  chmodSync(store, 0o700);
}

/** Files into blobs, one process for the regular ones. Bytes as they are: no filter runs. */
function hashFiles(wanted: Wanted, run: (args: readonly string[], input?: string | Buffer) => string): readonly SavedFile[] {
  const root = wanted.top === '/' ? '/' : `${wanted.top}/`;
  const regular: { path: string; mode: string; size: number; stat: string | undefined }[] = [];
  const saved: SavedFile[] = [];
  for (const path of wanted.files) {
    const stat = lstatSync(path);
    const relative = path.slice(root.length);
    if (stat.isSymbolicLink())
      saved.push({
        path: relative,
        oid: run(['hash-object', '-w', '--stdin'], Buffer.from(readlinkSync(path))).trim(),
        mode: '120000',
        size: stat.size,
        from: 'worktree',
      });
    else if (path.includes('\n'))
      saved.push({
        path: relative,
        oid: run(['hash-object', '-w', '--no-filters', '--', path]).trim(),
        mode: modeOf(stat.mode),
        size: stat.size,
        from: 'worktree',
      });
    else regular.push({ path, mode: modeOf(stat.mode), size: stat.size, stat: stampOf(path) });
  }
  if (regular.length === 0) return saved;
  const oids = run(['hash-object', '-w', '--no-filters', '--stdin-paths'], `${regular.map((file) => pathLine(file.path)).join('\n')}\n`)
    .trim()
    .split('\n');
  for (const [at, file] of regular.entries()) {
    // Changed while it was being read: the stamp would vouch for other bytes.
    const stat = stampOf(file.path) === file.stat ? file.stat : undefined;
    saved.push({
      path: file.path.slice(root.length),
      oid: oids[at] as string,
      mode: file.mode,
      size: file.size,
      from: 'worktree',
      ...(stat ? { stat } : {}),
    });
  }
  return saved;
}

/** `--stdin-paths` reads a line that starts with a quote as a quoted name. */
const pathLine = (path: string): string => (path.startsWith('"') ? `./${path}` : path);

const modeOf = (mode: number): string => (mode & 0o111 ? '100755' : '100644');

/** Commits, stash entries and staged blobs with everything they need that no remote has, as one pack. */
function copyObjects(folder: string, wanted: Wanted, budget: Budget, env: Env): void {
  const repository = wanted.repository;
  const tips = [...wanted.refs, ...wanted.stash].map((each) => each.oid).concat(wanted.commits);
  const blobs = wanted.staged.map((each) => each.oid);
  if (!repository || (tips.length === 0 && blobs.length === 0)) return;
  const remotes = repository.ask(['for-each-ref', '--format=^%(objectname)', 'refs/remotes']).out;
  const packed = repository.ask(['pack-objects', '--stdout', '--revs', '--quiet', '--delta-base-offset'], {
    input: `${[...tips, ...blobs].join('\n')}\n${remotes}`,
  });
  if (!packed.ok) throw new CheckpointError(`the commits cannot be read: ${packed.unread}`);
  const stored = git({ dir: folder, gitDir: objectsOf(folder) }, ['index-pack', '--stdin', '--fix-thin'], budget, {
    env,
    input: packed.bytes,
  });
  if (!stored.ok) throw new CheckpointError(`the commits cannot be stored: ${stored.unread}`);
}

/** One file, written whole and renamed: a torn manifest never appears. */
function writeManifest(folder: string, manifest: Manifest): void {
  const file = join(folder, 'manifests', `${manifest.id}.json`);
  writeFileSync(`${file}.part`, `${JSON.stringify(manifest)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** sha256 over what was saved, independent of the order. */
export function digestOf(files: readonly SavedFile[], more: Pick<Manifest, 'refs' | 'stash' | 'commits'>): string {
  const lines = [
    ...files.map((file) => `${file.from} ${file.mode} ${file.oid} ${file.path}`),
    ...more.refs.map((ref) => `ref ${ref.oid} ${ref.name}`),
    ...more.stash.map((entry) => `stash ${entry.oid}`),
    ...more.commits.map((oid) => `commit ${oid}`),
  ];
  return `sha256:${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`;
}

/** `20261130-103000-4f1d`: sorts by time, and can be typed. */
function newId(now: Date): string {
  const stamp = now
    .toISOString()
    .replace(/[-:]/g, '')
    .replace('T', '-')
    .replace(/\.(\d{3})Z$/, '$1');
  return `${stamp}-${randomBytes(2).toString('hex')}`;
}
