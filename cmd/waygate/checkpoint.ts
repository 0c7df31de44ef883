/** `waygate checkpoint [--] [PATH…] | list | show [ID] | restore [ID] [PATH…]`: argv -> internal/checkpoint -> exit code. */
import { resolve } from 'node:path';
import { type Batch, collectAll, collectPaths } from '../../internal/checkpoint/collect.ts';
import { atStakeOverwritten } from '../../internal/checkpoint/guard.ts';
import { carryOut, planRestore, type Step } from '../../internal/checkpoint/restore.ts';
import { CheckpointError, save } from '../../internal/checkpoint/save.ts';
import { type Manifest, manifestsOf, storeFolder } from '../../internal/checkpoint/store.ts';
import type { Env } from '../../internal/fact/grounds.ts';
import { type Scene, sceneOf } from '../../internal/fact/scene.ts';
import { DEFAULT_POLICY, type Policy } from '../../internal/policy/policy.ts';

/** What the verb writes to and runs in. */
export interface CheckpointIo {
  stdout(text: string): void;
  stderr(text: string): void;
  cwd: string;
  env: Env;
  now?(): Date;
  policy?: Policy;
}

/** A checkpoint is asked for, so it may take its time: 10 minutes. */
const BUDGET_MS = 600_000;

const HELP = `Usage: waygate checkpoint [options] [--] [PATH…]
       waygate checkpoint list
       waygate checkpoint show [ID]
       waygate checkpoint restore [ID] [PATH…]

Saves what exists nowhere else into a store outside the repository. Without a path: edits, staged content, untracked files,
stash entries and commits on no remote. With paths: those files, ignored ones too.

Options:
  -C DIR     work in this directory
  --json     one JSON document
  --yes      restore over content that would be lost
  --help     this text

Examples:
  waygate checkpoint
  waygate checkpoint -- src/app.ts .env
  waygate checkpoint restore
  waygate checkpoint restore 20261130-1030000000-4f1d src/app.ts
`;

interface Options {
  dir: string;
  json: boolean;
  yes: boolean;
  help: boolean;
  words: readonly string[];
  /** Words after `--`: always paths. */
  paths: readonly string[];
  dashes: boolean;
}

/** Runs the verb. Exit code: 0 fine, 1 it could not be done, 2 wrong usage. */
export function checkpoint(argv: readonly string[], io: CheckpointIo): number {
  const options = readOptions(argv, io);
  if (typeof options === 'string') {
    io.stderr(`waygate checkpoint: ${options}\n`);
    return 2;
  }
  if (options.help) {
    io.stdout(HELP);
    return 0;
  }
  const scene = sceneOf({ cwd: options.dir, workspace: options.dir }, io.policy ?? DEFAULT_POLICY, { env: io.env, budgetMs: BUDGET_MS });
  const verb = options.words[0];
  try {
    if (verb === 'list') return list(options, scene, io);
    if (verb === 'show') return show(options, scene, io);
    if (verb === 'restore') return restore(options, scene, io);
    return saveNow(options, scene, io);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    io.stderr(`waygate checkpoint: ${error.message}\n`);
    return 1;
  }
}

function readOptions(argv: readonly string[], io: CheckpointIo): Options | string {
  let dir = io.cwd;
  let json = false;
  let yes = false;
  let help = false;
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    if (word === '--') return { dir, json, yes, help, words, paths: argv.slice(at + 1), dashes: true };
    if (word === '-C') {
      const value = argv[++at];
      if (value === undefined) return '-C needs a directory';
      dir = resolve(io.cwd, value);
    } else if (word === '--json') json = true;
    else if (word === '--yes' || word === '-y') yes = true;
    else if (word === '--help' || word === '-h') help = true;
    else if (word.startsWith('-') && word !== '-') return `unknown option ${word}`;
    else words.push(word);
  }
  return { dir, json, yes, help, words, paths: [], dashes: false };
}

function saveNow(options: Options, scene: Scene, io: CheckpointIo): number {
  const named = [...options.words, ...options.paths].map((path) => resolve(options.dir, path));
  if (options.dashes && named.length === 0) {
    io.stderr('waygate checkpoint: no path after --\n');
    return 2;
  }
  const { batches, missing } = named.length > 0 ? collectPaths(named, scene) : { batches: collectAll(options.dir, scene), missing: [] };
  if (named.length === 0 && batches.length === 0) {
    io.stderr('waygate checkpoint: no repository here; name the paths to save\n');
    return 2;
  }
  const full = batches.filter((batch) => !isEmpty(batch));
  const now = io.now?.() ?? new Date();
  const saved = full.map((batch) => save(batch.folder, batch.wanted, now, scene.budget, scene.env));
  const notHeld = batches.flatMap((batch) => batch.wanted.notHeld.map((each) => ({ path: scene.show(each.path), why: each.why })));
  if (options.json) {
    io.stdout(`${JSON.stringify({ schema: 1, checkpoints: saved.map(summaryOf), notHeld, missing })}\n`);
  } else {
    if (saved.length === 0 && missing.length === 0) io.stdout('nothing to save: everything here exists elsewhere too\n');
    for (const manifest of saved) io.stdout(`${describe(manifest)}\n`);
    for (const each of notHeld) io.stderr(`not held: ${each.path} (${each.why})\n`);
    for (const path of missing) io.stderr(`not there: ${scene.show(path)}\n`);
  }
  return missing.length > 0 || (saved.length === 0 && notHeld.length > 0) ? 1 : 0;
}

const isEmpty = ({ wanted }: Batch): boolean =>
  wanted.files.length + wanted.staged.length + wanted.refs.length + wanted.stash.length + wanted.commits.length === 0;

/** `20261130-…  3 files, 1 stash entry, 2 commits  revision … sha256:…`. */
function describe(manifest: Manifest): string {
  const files = manifest.files.filter((file) => file.from === 'worktree').length;
  const staged = manifest.files.length - files;
  const parts = [
    many(files, 'file'),
    many(staged, 'staged version'),
    many(manifest.stash.length, 'stash entry', 'stash entries'),
    many(manifest.commits.length, 'commit'),
  ].filter(Boolean);
  return [
    `checkpoint ${manifest.id}`,
    `  holds     ${parts.join(', ')}`,
    `  of        ${manifest.top === '/' ? 'files outside repositories' : manifest.top}`,
    `  revision  ${manifest.revision}`,
    `  digest    ${manifest.digest}`,
  ].join('\n');
}

const many = (n: number, one: string, more = `${one}s`): string => (n === 0 ? '' : `${n} ${n === 1 ? one : more}`);

const summaryOf = (manifest: Manifest) => ({
  id: manifest.id,
  at: manifest.at,
  top: manifest.top,
  revision: manifest.revision,
  digest: manifest.digest,
  files: manifest.files.map((file) => ({ path: file.path, mode: file.mode, size: file.size, from: file.from, blob: file.oid })),
  refs: manifest.refs,
  stash: manifest.stash,
  commits: manifest.commits.length,
  notHeld: manifest.notHeld,
});

/** The checkpoints that concern this directory: those of its repository, and those of files outside, newest first. */
function here(scene: Scene, dir: string): readonly { folder: string; manifest: Manifest }[] {
  const repository = scene.repositoryFor({ dir });
  const keys = [...(repository ? [repository.found.commonDir] : []), '/'];
  const all = keys.flatMap((key) => {
    const folder = storeFolder(scene.grounds.state, key);
    return manifestsOf(folder).map((manifest) => ({ folder, manifest }));
  });
  return all.sort((a, b) => (a.manifest.id < b.manifest.id ? 1 : -1));
}

function list(options: Options, scene: Scene, io: CheckpointIo): number {
  if (options.words.length > 1 || options.paths.length > 0) return usage(io, 'list takes no argument');
  const all = here(scene, options.dir);
  if (options.json) io.stdout(`${JSON.stringify({ schema: 1, checkpoints: all.map((each) => summaryOf(each.manifest)) })}\n`);
  else if (all.length === 0) io.stdout('no checkpoints here\n');
  else {
    for (const { manifest } of all) {
      const files = manifest.files.filter((file) => file.from === 'worktree').map((file) => file.path);
      const shown = [
        ...files.slice(0, 3),
        ...(files.length > 3 ? [`${files.length - 3} more`] : []),
        ...[many(manifest.stash.length, 'stash entry', 'stash entries'), many(manifest.commits.length, 'commit')].filter(Boolean),
      ];
      io.stdout(`${manifest.id}  ${manifest.at}  ${shown.join(', ')}\n`);
    }
  }
  return 0;
}

function show(options: Options, scene: Scene, io: CheckpointIo): number {
  const found = choose(options.words[1], scene, options.dir);
  if (typeof found === 'string') return usage(io, found);
  const { manifest } = found;
  if (options.json) {
    io.stdout(`${JSON.stringify({ schema: 1, checkpoint: summaryOf(manifest) })}\n`);
    return 0;
  }
  io.stdout(`${describe(manifest)}\n`);
  for (const file of manifest.files) io.stdout(`  ${file.from === 'index' ? 'staged  ' : 'file    '}  ${file.path}\n`);
  for (const ref of manifest.refs) io.stdout(`  branch    ${ref.name.replace(/^refs\/heads\//, '')} ${ref.oid.slice(0, 7)}\n`);
  for (const entry of manifest.stash) io.stdout(`  stash     ${entry.oid.slice(0, 7)} ${entry.subject}\n`);
  for (const each of manifest.notHeld) io.stdout(`  not held  ${each.path} (${each.why})\n`);
  return 0;
}

function choose(id: string | undefined, scene: Scene, dir: string): { folder: string; manifest: Manifest } | string {
  const all = here(scene, dir);
  if (id === undefined) return all[0] ?? 'there is no checkpoint here';
  const found = all.filter((each) => each.manifest.id === id || each.manifest.id.startsWith(id));
  if (found.length === 1 || found[0]?.manifest.id === id) return found[0] as { folder: string; manifest: Manifest };
  return found.length === 0
    ? `there is no checkpoint ${id}; \`waygate checkpoint list\` names them`
    : `${id} is not one checkpoint but ${found.length}`;
}

const ID = /^\d{8}-\d{4}/;

function restore(options: Options, scene: Scene, io: CheckpointIo): number {
  const words = options.words.slice(1);
  const id = words[0] !== undefined && ID.test(words[0]) ? words[0] : undefined;
  const paths = [...(id === undefined ? words : words.slice(1)), ...options.paths].map((path) => resolve(options.dir, path));
  const found = id === undefined && paths.length > 0 ? newestWith(paths, scene, options.dir) : choose(id, scene, options.dir);
  if (typeof found === 'string') return usage(io, found);
  const { manifest, folder } = found;
  const repository = manifest.top === '/' ? undefined : scene.repositoryFor({ dir: manifest.top });
  const plan = planRestore(manifest, paths, repository);
  const lost = atStakeOverwritten(plan.steps, scene);
  if (lost.length > 0 && !options.yes) {
    if (options.json) io.stdout(`${JSON.stringify({ schema: 1, restored: [], refused: lost })}\n`);
    io.stderr(
      `waygate checkpoint: restoring would overwrite ${lost.slice(0, 3).join(', ')}${lost.length > 3 ? ` and ${lost.length - 3} more` : ''}, which exists nowhere else. Save it first (waygate checkpoint), or add --yes.\n`,
    );
    return 1;
  }
  carryOut(plan, folder, repository, scene.budget, scene.env);
  if (options.json)
    io.stdout(
      `${JSON.stringify({ schema: 1, id: manifest.id, restored: plan.steps.map((step) => stepName(step, scene)), same: plan.same })}\n`,
    );
  else {
    for (const step of plan.steps) io.stdout(`restored ${stepName(step, scene)}\n`);
    if (plan.steps.length === 0) io.stdout(`everything of checkpoint ${manifest.id} is there already\n`);
  }
  return 0;
}

/** The newest checkpoint that has all of these paths, else the newest that has one. */
function newestWith(paths: readonly string[], scene: Scene, dir: string): { folder: string; manifest: Manifest } | string {
  const all = here(scene, dir);
  const has = (manifest: Manifest, path: string): boolean =>
    manifest.files.some(
      (file) =>
        `${manifest.top === '/' ? '' : manifest.top}/${file.path}` === path ||
        `${manifest.top === '/' ? '' : manifest.top}/${file.path}`.startsWith(`${path}/`),
    );
  return (
    all.find((each) => paths.every((path) => has(each.manifest, path))) ??
    all.find((each) => paths.some((path) => has(each.manifest, path))) ??
    `no checkpoint holds ${scene.show(paths[0] as string)}`
  );
}

function stepName(step: Step, scene: Scene): string {
  if (step.do === 'write') return scene.show(step.path);
  if (step.do === 'stage') return `the staged version of ${scene.show(step.path)}`;
  return step.do === 'branch' ? `branch ${step.name}` : `stash entry: ${step.subject}`;
}

function usage(io: CheckpointIo, message: string): number {
  io.stderr(`waygate checkpoint: ${message}\n`);
  return 2;
}
