/** git's pre-push hook: where it lies, what `init --git` would change there, and taking it out again. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  blockIn,
  hasBlock,
  isBare,
  isShellScript,
  isWrapper,
  LAUNCHER,
  launcherText,
  newHook,
  ORIGINAL,
  ownBlock,
  sharedBlock,
  withBlock,
  withoutBlock,
  wrapper,
} from '../../internal/githook/block.ts';
import { forgetHook, readHooks, rememberHook, type WiredHook } from '../../internal/ledger/git-hooks.ts';
import { isExecutable } from '../../internal/runlog/program.ts';
import { Failure } from './terminal.ts';
import { makeFolders, writeWhole } from './whole-file.ts';

/** How long git may take to say where its hooks are, in milliseconds. */
const GIT_MS = 5000;

/** The hooks of one repository. All paths absolute. */
export interface HookPlace {
  /** Where git starts the hook: top of the work tree, or the bare repository. */
  top: string;
  bare: boolean;
  commonDir: string;
  /** The directory in force. */
  hooks: string;
  /** Where core.hooksPath is set; undefined: it is not. */
  setBy: 'this repository' | 'all your repositories' | undefined;
  /** husky 9 makes the hooks that git starts, each of which runs a committed one. */
  husky: boolean;
}

/** A change of one hook file. Texts are the file's bytes in Latin-1. */
export interface HookChange {
  path: string;
  before: string | undefined;
  after: string;
  how: WiredHook['how'];
  inserted?: string;
  /** The original is kept beside it under this path. */
  keeps?: string;
  /** It is committed with the project, so the block names nothing of this machine. */
  shared: boolean;
}

/** The hooks in force for a directory; undefined outside every repository. */
export function hookPlace(cwd: string): HookPlace | undefined {
  const ask = (...args: string[]) => {
    const result = spawnSync('git', args, { cwd, encoding: 'utf8', timeout: GIT_MS, stdio: ['ignore', 'pipe', 'ignore'] });
    return result.status === 0 ? result.stdout.replace(/\n$/, '') : undefined;
  };
  const answer = ask('rev-parse', '--is-bare-repository', '--git-common-dir')?.split('\n');
  if (!answer) return undefined;
  const bare = answer[0] === 'true';
  const commonDir = realpathSync(resolve(cwd, answer[1] ?? '.git'));
  const top = bare ? commonDir : realpathSync(ask('rev-parse', '--show-toplevel') ?? cwd);
  const set = ask('config', '--get', '--path', 'core.hooksPath');
  const hooks = set ? resolve(top, set) : join(commonDir, 'hooks');
  const local = ask('config', '--local', '--get', 'core.hooksPath') !== undefined;
  return {
    top,
    bare,
    commonDir,
    hooks,
    setBy: set ? (local ? 'this repository' : 'all your repositories') : undefined,
    husky: basename(hooks) === '_' && existsSync(join(hooks, 'h')),
  };
}

/** The hook files that are to hold the block: the one git starts, and with husky the committed one that it runs. */
export function hookFiles(place: HookPlace): readonly string[] {
  const started = join(place.hooks, 'pre-push');
  return place.husky ? [started, join(dirname(place.hooks), 'pre-push')] : [started];
}

/** What `init --git` would change. `argv`: the program, absolute and outside the workspace. Nothing when all is wired. */
export function plannedHooks(place: HookPlace, argv: readonly string[]): readonly HookChange[] {
  const changes = hookFiles(place).map((path, at) => {
    const shared = isShared(path, place);
    return changeOf(path, shared ? sharedBlock(place.husky && at > 0) : ownBlock(argv), shared);
  });
  const needsLauncher = hookFiles(place).some((path) => isShared(path, place));
  const launcher = join(place.commonDir, LAUNCHER);
  const text = launcherText(argv);
  const before = textAt(launcher);
  const own: HookChange[] =
    needsLauncher && before !== text ? [{ path: launcher, before, after: text, how: 'launcher', shared: false }] : [];
  return [...own, ...changes.filter((change) => change !== undefined)];
}

/** In the work tree and not ignored: it is or will be committed. */
function isShared(path: string, place: HookPlace): boolean {
  if (place.bare || !path.startsWith(`${place.top}/`) || path.startsWith(`${place.commonDir}/`)) return false;
  const result = spawnSync('git', ['check-ignore', '-q', '--', path], { cwd: place.top, timeout: GIT_MS, stdio: 'ignore' });
  return result.status !== 0;
}

function changeOf(path: string, block: string, shared: boolean): HookChange | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return { path, before: undefined, after: newHook(block), how: 'created', shared };
  if (stat.isDirectory()) throw new Failure(`${path} is a directory; nothing was changed`);
  const before = textAt(path) ?? '';
  if (!stat.isSymbolicLink() && hasBlock(before)) return renewed(path, before, block, shared);
  const runs = isExecutable(path);
  // A hook that git does not run must not begin to; a link leads to a file of somebody else's.
  // husky runs its committed hooks with sh, executable or not.
  if (!stat.isSymbolicLink() && isShellScript(before) && (runs || basename(dirname(path)) === '.husky'))
    return { path, before, ...after(before, block), how: 'inserted', shared };
  const keeps = join(dirname(path), ORIGINAL);
  if (lstatSync(keeps, { throwIfNoEntry: false }))
    throw new Failure(`${keeps} is there already, from another time; move it away, then run this again. Nothing was changed`);
  return { path, before, after: wrapper(block, runs), how: 'wrapped', keeps, shared };
}

const after = (before: string, block: string) => {
  const { text, inserted } = withBlock(before, block);
  return { after: text, inserted };
};

/** A block that is there: of this version, or brought up to it. */
function renewed(path: string, before: string, block: string, shared: boolean): HookChange | undefined {
  const at = blockIn(before);
  if (!at) throw new Failure(`${path}: the end of waygate's block is missing; take the block out by hand, then run this again`);
  if (before.slice(at.start, at.end) === block) return undefined;
  const text = before.slice(0, at.start) + block + before.slice(at.end);
  const known = readHooks().find((each) => each.path === path);
  const rest = withoutBlock(before);
  const how = known?.how ?? (isBare(rest) ? 'created' : isWrapper(rest) ? 'wrapped' : 'inserted');
  const gap = known?.inserted?.startsWith('\n') ? '\n' : '';
  return { path, before, after: text, how, shared, ...(how === 'inserted' ? { inserted: gap + block } : {}) };
}

/** Makes the change and remembers it. */
export function applyHook(change: HookChange, commonDir: string): void {
  const { path, how } = change;
  const folders = makeFolders(path);
  if (change.keeps) renameSync(path, change.keeps);
  const mode = change.before === undefined || change.keeps ? 0o755 : statSync(path).mode & 0o7777;
  writeWhole(path, change.after, 'latin1', mode);
  const known = readHooks().find((each) => each.path === path);
  rememberHook({
    path,
    commonDir,
    how,
    ...(change.inserted === undefined ? {} : { inserted: change.inserted }),
    folders: folders.length > 0 ? folders : (known?.folders ?? []),
  });
}

/** What taking a hook out would do. */
export interface HookRemoval {
  path: string;
  before: string;
  /** undefined: the file goes. */
  after: string | undefined;
  /** The original that comes back in its place. */
  restores?: string;
  folders: readonly string[];
  /** Why not everything is as it was. */
  note?: string;
}

/** Everything `init --git` put in: what is remembered, and the hooks of this directory's repository. `only`: of this repository. */
export function hookRemovals(cwd: string, only = false): readonly HookRemoval[] {
  const here = hookPlace(cwd);
  const remembered = readHooks().filter((each) => !only || each.commonDir === here?.commonDir);
  const local = here ? [...hookFiles(here), join(here.commonDir, LAUNCHER)] : [];
  const paths = [...new Set([...remembered.map((each) => each.path), ...local])];
  return paths.flatMap((path) => {
    const removal = removalOf(
      path,
      remembered.find((each) => each.path === path),
    );
    return removal ? [removal] : [];
  });
}

function removalOf(path: string, known: WiredHook | undefined): HookRemoval | undefined {
  const before = textAt(path);
  const folders = known?.folders ?? [];
  if (before === undefined) {
    forgetHook(path);
    return undefined;
  }
  if (path.endsWith(`/${LAUNCHER}`)) return { path, before, after: undefined, folders };
  const original = join(dirname(path), ORIGINAL);
  const kept = lstatSync(original, { throwIfNoEntry: false }) !== undefined;
  if (!hasBlock(before)) {
    if (known && !kept) forgetHook(path);
    return known && kept
      ? { path, before, after: before, folders, note: `it was written anew since; ${original} is what was there before` }
      : undefined;
  }
  const rest = withoutBlock(before, known?.inserted);
  if (isBare(rest)) return { path, before, after: undefined, folders };
  if (kept && isWrapper(rest)) return { path, before, after: undefined, restores: original, folders };
  return { path, before, after: rest, folders };
}

/** Takes a hook out. */
export function removeHook(removal: HookRemoval): void {
  const { path, before, after: text, restores, folders } = removal;
  if (restores) renameSync(restores, path);
  else if (text === undefined) {
    rmSync(path);
    const empty = path.endsWith(`/${LAUNCHER}`) ? [dirname(path)] : [];
    for (const folder of [...folders, ...empty].reverse()) if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  } else if (text !== before) writeWhole(path, text, 'latin1', statSync(path).mode & 0o7777);
  forgetHook(path);
}

/** A file's bytes as Latin-1; undefined when it cannot be read. */
export function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
