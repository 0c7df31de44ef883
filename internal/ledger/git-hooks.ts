/** The git hooks that `init --git` wired, so that `uninstall` finds them and `doctor` sees when one is gone: `git-hooks.json` in the state folder. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './folder.ts';
import { stateDir } from './state.ts';

/** One file that was wired. */
export interface WiredHook {
  path: string;
  /** Common git directory of the repository it was wired for. */
  commonDir: string;
  how: 'created' | 'inserted' | 'wrapped' | 'launcher';
  /** inserted: exactly what was put in, as the file's bytes in Latin-1. */
  inserted?: string;
  /** Folders that were made for it, outermost first. */
  folders: readonly string[];
}

const FILE = 'git-hooks.json';

/** The remembered hooks; none when nothing is remembered or it cannot be read. */
export function readHooks(env: NodeJS.ProcessEnv = process.env): readonly WiredHook[] {
  try {
    const value = JSON.parse(readFileSync(join(stateDir(env), FILE), 'utf8')) as { schema?: unknown; hooks?: unknown };
    return value.schema === 1 && Array.isArray(value.hooks) ? (value.hooks as WiredHook[]) : [];
  } catch {
    return [];
  }
}

/** Remembers a hook; what was remembered of the same file before is forgotten. */
export function rememberHook(hook: WiredHook, env: NodeJS.ProcessEnv = process.env): void {
  write([...readHooks(env).filter((each) => each.path !== hook.path), hook], env);
}

/** Forgets a hook that has been taken out. */
export function forgetHook(path: string, env: NodeJS.ProcessEnv = process.env): void {
  const left = readHooks(env).filter((each) => each.path !== path);
  if (left.length > 0) write(left, env);
  else rmSync(join(stateDir(env), FILE), { force: true });
}

function write(hooks: readonly WiredHook[], env: NodeJS.ProcessEnv): void {
  const path = join(stateDir(env), FILE);
  makeFolder(dirname(path));
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify({ schema: 1, hooks }, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}
