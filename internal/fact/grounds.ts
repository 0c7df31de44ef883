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

/** Everything but the two questions that need files. */
export function groundsOf(action: Pick<Action, 'cwd' | 'workspace'>, env: Env): Omit<Grounds, 'repository' | 'regenerable'> {
  const home = homeOf(env);
  const temps = tempRoots(env['TMPDIR'] ? resolve(env['TMPDIR']) : undefined, resolve(tmpdir()), home);
  return {
    home,
    cwd: action.cwd,
    workspace: action.workspace,
    temps,
    kept: keptRoots(temps, home, action.workspace),
    state: stateFolder(env),
    guard: guardFiles(),
  };
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
