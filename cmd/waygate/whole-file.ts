/** Files of other programs, written whole: nobody may meet half of one. */
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the folders above a path. Returns those that were not there, outermost first: who takes the file away removes them too. */
export function makeFolders(path: string): string[] {
  const made: string[] = [];
  for (let at = dirname(path); !existsSync(at); at = dirname(at)) made.unshift(at);
  mkdirSync(dirname(path), { recursive: true });
  return made;
}

/** Puts a text in place in one step. `mode`: permission bits; what a new file gets when absent. */
export function writeWhole(path: string, text: string, encoding: 'utf8' | 'latin1', mode: number | undefined): void {
  const temporary = `${path}.waygate-${process.pid}`;
  writeFileSync(temporary, text, encoding);
  if (mode !== undefined) chmodSync(temporary, mode);
  renameSync(temporary, path);
}
