/** What `init` changed, so that `uninstall` can take it back byte by byte: `wiring.json` in the state folder. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './folder.ts';
import { stateDir } from './state.ts';

/** One file that was wired. */
export interface WiredFile {
  path: string;
  /** The file was not there before. */
  created: boolean;
  /** Folders that were made for it, outermost first. */
  folders: readonly string[];
  /** Newest first. */
  edits: readonly { before: string; after: string }[];
}

const FILE = 'wiring.json';

/** The remembered changes; none when nothing is remembered or it cannot be read. */
export function readWiring(env: NodeJS.ProcessEnv = process.env): readonly WiredFile[] {
  try {
    const value = JSON.parse(readFileSync(join(stateDir(env), FILE), 'utf8')) as { schema?: unknown; files?: unknown };
    return value.schema === 1 && Array.isArray(value.files) ? (value.files as WiredFile[]) : [];
  } catch {
    return [];
  }
}

/** Remembers a change of a file, before those that are known already. */
export function rememberWiring(file: WiredFile, env: NodeJS.ProcessEnv = process.env): void {
  const known = readWiring(env);
  const earlier = known.find((each) => each.path === file.path);
  const merged: WiredFile = earlier ? { ...earlier, edits: [...file.edits, ...earlier.edits] } : file;
  write([...known.filter((each) => each.path !== file.path), merged], env);
}

/** Forgets a file whose change has been taken back. */
export function forgetWiring(path: string, env: NodeJS.ProcessEnv = process.env): void {
  const left = readWiring(env).filter((each) => each.path !== path);
  if (left.length > 0) write(left, env);
  else rmSync(join(stateDir(env), FILE), { force: true });
}

function write(files: readonly WiredFile[], env: NodeJS.ProcessEnv): void {
  const path = join(stateDir(env), FILE);
  makeFolder(dirname(path));
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify({ schema: 1, files }, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}
