/** Which workspaces a call is about: that of the session, and each repository one of its effects touches. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Action } from '../action/action.ts';
import type { Effect } from '../effect/effect.ts';
import { targetsOf } from './targets.ts';

/** More repositories than this in one call are not looked at; the session's own always is. */
const MAX_ROOTS = 64;
/** A directory deeper than this below the file system's root is not searched upwards. */
const MAX_DEPTH = 64;

/** The root of the repository a directory lies in: the nearest folder with a `.git` of any kind. undefined outside. */
export function rootOf(directory: string): string | undefined {
  let at = directory;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (existsSync(join(at, '.git'))) return at;
    const up = dirname(at);
    if (up === at) return undefined;
    at = up;
  }
  return undefined;
}

/** The workspaces of a call, the session's own first. A session outside every repository has its start folder as workspace. */
export function rootsOf(action: Action, effects: readonly Effect[] = []): readonly string[] {
  const memo = new Map<string, string | undefined>();
  const find = (directory: string): string | undefined => {
    if (!memo.has(directory))
      memo.set(
        directory,
        quietly(() => rootOf(directory)),
      );
    return memo.get(directory);
  };
  const roots = new Set<string>([find(action.workspace) ?? action.workspace]);
  for (const directory of directoriesOf(action, effects)) {
    if (roots.size >= MAX_ROOTS) break;
    const root = find(directory);
    if (root !== undefined) roots.add(root);
  }
  return [...roots];
}

/** The directories a call is about: where it starts, where each effect happens, and where its targets lie. */
function directoriesOf(action: Action, effects: readonly Effect[]): ReadonlySet<string> {
  const directories = new Set<string>([action.cwd]);
  if (action.input.path) directories.add(dirname(action.input.path));
  for (const effect of effects) {
    if (effect.remote) continue;
    if (effect.cwd) directories.add(effect.cwd);
    const fields = effect as unknown as Record<string, unknown>;
    const repo = fields['repo'] as { dir?: string; gitDir?: string; workTree?: string } | undefined;
    if (repo?.dir) directories.add(repo.dir);
    if (repo?.workTree) directories.add(repo.workTree);
    // `--git-dir=/path/.git` means the repository whose folder that is.
    if (repo?.gitDir) directories.add(dirname(resolve(repo.dir ?? action.cwd, repo.gitDir)));
    for (const target of targetsOf(fields)) {
      const path = target.path ?? target.prefix;
      if (!path.startsWith('/')) continue;
      // the target may be the repository itself, so both it and the folder it lies in are asked
      directories.add(dirname(path));
      if (!target.glob) directories.add(path);
    }
  }
  return directories;
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // a folder that cannot be entered has no policy that we could read
  }
}
