/** The roots of this machine that decide where a path lies. */
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Action } from '../action/action.ts';
import { type Grounds, keptRoots, tempRoots } from './places.ts';

/** Environment as the guard sees it, which is the agent's. */
export type Env = Readonly<Record<string, string | undefined>>;

/** `$XDG_STATE_HOME/waygate`, absolute. */
export function stateFolder(env: Env): string {
  const base = env['XDG_STATE_HOME'];
  return base?.startsWith('/') ? join(resolve(base), 'waygate') : join(homeOf(env), '.local', 'state', 'waygate');
}

/** The caller's home, absolute. */
export const homeOf = (env: Env): string => resolve(env['HOME'] || env['USERPROFILE'] || homedir());

/** What the environment alone says. */
interface Roots extends Pick<Grounds, 'home' | 'temps' | 'state' | 'guard'> {
  /** Workspace -> the parts of temporary directories that are no scratch. */
  kept: Map<string, readonly string[]>;
}

/** Of environments that are copies, which nobody changes: a process that judges thousands of calls has one. */
const known = new WeakMap<Env, Roots>();

function rootsOf(env: Env): Roots {
  const before = env === process.env ? undefined : known.get(env);
  if (before) return before;
  const home = homeOf(env);
  const temps = tempRoots(env['TMPDIR'] ? resolve(env['TMPDIR']) : undefined, resolve(tmpdir()), home);
  const roots: Roots = { home, temps, state: stateFolder(env), guard: guardFiles(), kept: new Map() };
  if (env !== process.env) known.set(env, roots);
  return roots;
}

/** Everything but the two questions that need files. */
export function groundsOf(action: Pick<Action, 'cwd' | 'workspace'>, env: Env): Omit<Grounds, 'repository' | 'regenerable'> {
  const { home, temps, state, guard, kept } = rootsOf(env);
  const { cwd, workspace } = action;
  let own = kept.get(workspace);
  if (!own) {
    own = keptRoots(temps, home, workspace);
    kept.set(workspace, own);
  }
  return { home, cwd, workspace, temps, kept: own, state, guard };
}

/**
 * The wired executable's own files: the program that runs now and, where it is a bundle in a folder of ours, its folder.
 * Node itself and a test runner are not ours.
 */
export function guardFiles(entry: string | undefined = process.argv[1], executable: string = process.execPath): readonly string[] {
  const files: string[] = [];
  const own = /^waygate(\.exe)?$/i.test(basename(executable))
    ? executable
    : entry && /^waygate(-[a-z]+)?\.(c|m)?js$/.test(basename(entry))
      ? entry
      : undefined;
  if (!own) return files;
  files.push(own);
  const folder = dirname(own);
  if (['dist', 'waygate'].includes(basename(folder)) || folder.includes('/waygate/')) files.push(folder);
  return files;
}
