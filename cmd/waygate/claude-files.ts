/** Claude Code's settings files, and the reading and writing of them. */
import { existsSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolders, writeWhole } from './whole-file.ts';

export type Scope = 'user' | 'project' | 'local';

/** Where each scope's settings lie. Claude Code merges all of them. */
export function settingsFile(scope: Scope, workspace: string, env: NodeJS.ProcessEnv = process.env): string {
  if (scope === 'user') return join(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude'), 'settings.json');
  return join(workspace, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
}

export const SCOPES: readonly Scope[] = ['user', 'project', 'local'];

/** The nearest directory upwards that holds a `.git`, else the directory itself. */
export function workspaceOf(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return directory;
  }
}

/** The text of a file; undefined when it is not there. */
export function readText(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Error(`${path} is not UTF-8; it is left alone`);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Writes a file whole, with the mode it had. Returns the folders that had to be made, outermost first. */
export function writeText(path: string, text: string): string[] {
  const made = makeFolders(path);
  // A link (dotfiles kept elsewhere) stays a link.
  const target = existsSync(path) ? realpathSync(path) : path;
  const mode = existsSync(target) ? statSync(target).mode & 0o7777 : undefined;
  writeWhole(target, text, 'utf8', mode);
  return made;
}

/** Removes a file and those folders that are empty now. */
export function removeText(path: string, folders: readonly string[]): void {
  rmSync(path);
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      return; // Something else lives there by now.
    }
  }
}
