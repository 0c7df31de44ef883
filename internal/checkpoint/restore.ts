/** Brings the content of a checkpoint back: bytes, modes, staged content, branches and stash entries. */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { blobIds } from '../fact/content.ts';
import { type Budget, git, gitEnv } from '../fact/git.ts';
import type { Env } from '../fact/grounds.ts';
import { within } from '../fact/places.ts';
import type { Repository } from '../fact/repository.ts';
import { CheckpointError } from './save.ts';
import { type Manifest, objectsOf, type SavedFile } from './store.ts';

/** One thing a restore would do. */
export type Step =
  | { do: 'write'; path: string; file: SavedFile; over: boolean }
  | { do: 'stage'; path: string; file: SavedFile }
  | { do: 'branch'; name: string; oid: string }
  | { do: 'stash'; oid: string; subject: string };

/** What a restore would do, and what already is as the checkpoint has it. */
export interface Plan {
  steps: readonly Step[];
  same: number;
}

/**
 * Plans a restore.
 * @param paths absolute; empty: everything
 */
export function planRestore(manifest: Manifest, paths: readonly string[], repository: Repository | undefined): Plan {
  const wanted = (path: string): boolean => paths.length === 0 || paths.some((each) => within(path, each));
  const root = manifest.top === '/' ? '' : manifest.top;
  const steps: Step[] = [];
  let same = 0;
  for (const file of manifest.files) {
    const path = `${root}/${file.path}`;
    if (!wanted(path)) continue;
    if (file.from === 'index') continue;
    if (blobIds(path, repository?.algorithm).includes(file.oid) && modeMatches(path, file.mode)) same++;
    else steps.push({ do: 'write', path, file, over: existsSync(path) });
  }
  if (repository) {
    const staged = new Map(stagedNow(repository));
    for (const file of manifest.files) {
      if (file.from !== 'index' || !wanted(`${root}/${file.path}`)) continue;
      if (staged.get(file.path) === file.oid) same++;
      else steps.push({ do: 'stage', path: `${root}/${file.path}`, file });
    }
  }
  if (paths.length > 0 || !repository) return { steps, same };
  for (const ref of manifest.refs) {
    if (ref.name !== 'HEAD' && isReachable(repository, ref.oid)) same++;
    else if (ref.name.startsWith('refs/heads/')) steps.push({ do: 'branch', name: freeName(ref.name, manifest, repository), oid: ref.oid });
    else if (ref.name === 'HEAD' && !isReachable(repository, ref.oid))
      steps.push({ do: 'branch', name: `checkpoint/${manifest.id}/HEAD`, oid: ref.oid });
  }
  const there = new Set(stashNow(repository));
  // Oldest first, so that the newest ends on top.
  for (const entry of [...manifest.stash].reverse()) {
    if (there.has(entry.oid)) same++;
    else steps.push({ do: 'stash', oid: entry.oid, subject: entry.subject });
  }
  return { steps, same };
}

/** A branch that is gone gets its name back; one that has moved on keeps it, and what it was gets a name of its own. */
const freeName = (ref: string, manifest: Manifest, repository: Repository): string =>
  repository.ref(ref) === undefined ? ref.slice(11) : `checkpoint/${manifest.id}/${ref.slice(11)}`;

const stagedNow = (repository: Repository): [string, string][] =>
  repository
    .ask(['ls-files', '-s', '-z'])
    .out.split('\0')
    .flatMap((line): [string, string][] => (line === '' ? [] : [[line.slice(line.indexOf('\t') + 1), line.split(' ')[1] as string]]));

const stashNow = (repository: Repository): string[] =>
  repository.ref('refs/stash') ? repository.ask(['log', '-g', '--format=%H', 'refs/stash', '--']).out.split('\n').filter(Boolean) : [];

/** Is a commit there and on some branch, tag or remote branch? */
function isReachable(repository: Repository, oid: string): boolean {
  const answer = repository.ask(
    ['for-each-ref', '--count=1', '--contains', oid, '--format=%(refname)', 'refs/heads', 'refs/tags', 'refs/remotes'],
    { accept: [129, 128, 1] },
  );
  return answer.ok && answer.out.trim() !== '';
}

function modeMatches(path: string, mode: string): boolean {
  try {
    const stat = lstatSync(path);
    if (mode === '120000') return stat.isSymbolicLink();
    return stat.isFile() && (process.platform === 'win32' || ((stat.mode & 0o100) !== 0) === (mode === '100755'));
  } catch {
    return false;
  }
}

/** Carries a plan out. Throws CheckpointError when an object is missing; files before it have been restored then. */
export function carryOut(plan: Plan, folder: string, repository: Repository | undefined, budget: Budget, env: Env): void {
  const needsObjects = plan.steps.some((step) => step.do !== 'write');
  if (needsObjects && repository) copyBack(folder, repository, budget, env);
  for (const step of plan.steps) {
    if (step.do === 'write') writeBack(step.path, step.file, folder, budget, env);
    else if (repository) gitStep(step, repository, env);
  }
}

function writeBack(path: string, file: SavedFile, folder: string, budget: Budget, env: Env): void {
  const answer = git({ dir: folder, gitDir: objectsOf(folder) }, ['cat-file', 'blob', file.oid], budget, { env });
  if (!answer.ok) throw new CheckpointError(`${path}: the store no longer holds it (${answer.unread})`);
  mkdirSync(dirname(path), { recursive: true });
  const part = join(dirname(path), `.waygate-restore-${process.pid}`);
  rmSync(part, { force: true });
  if (file.mode === '120000') symlinkSync(answer.bytes.toString('utf8'), part);
  else {
    writeFileSync(part, answer.bytes);
    // Executable for those who may read it, else as the umask says.
    const mode = lstatSync(part).mode & 0o777;
    chmodSync(part, file.mode === '100755' ? mode | ((mode & 0o444) >> 2) : mode);
  }
  try {
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw new CheckpointError(`${path}: ${(error as Error).message}`);
  }
}

/** The packs and loose objects of the store into the repository, so that branches and stash entries have what they need. */
function copyBack(folder: string, repository: Repository, budget: Budget, env: Env): void {
  const packs = join(objectsOf(folder), 'objects', 'pack');
  let names: string[] = [];
  try {
    names = readdirSync(packs).filter((name) => name.endsWith('.pack'));
  } catch {
    return;
  }
  for (const name of names) {
    const answer = git({ dir: repository.dir, gitDir: repository.found.gitDir }, ['index-pack', '--stdin', '--fix-thin'], budget, {
      env,
      input: readFileSync(join(packs, name)),
    });
    if (!answer.ok) throw new CheckpointError(`the commits cannot be brought back: ${answer.unread}`);
  }
}

/** The steps that write to the repository: these are what the caller asked for, so its own git configuration counts. */
function gitStep(step: Exclude<Step, { do: 'write' }>, repository: Repository, env: Env): void {
  const run = (args: readonly string[]): void => {
    const result = spawnSync('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args], {
      cwd: repository.dir,
      env: gitEnv(env),
      encoding: 'utf8',
    });
    if (result.status !== 0) throw new CheckpointError(`git ${args[0]}: ${result.stderr.trim()}`);
  };
  if (step.do === 'stage') run(['update-index', '--add', '--cacheinfo', `${step.file.mode},${step.file.oid},${step.file.path}`]);
  else if (step.do === 'stash') run(['stash', 'store', '-m', step.subject, step.oid]);
  else run(['branch', '--no-track', '-f', step.name, step.oid]);
}
