/** Folders of the guard's own state. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with all above it, readable by its owner only. Throws where that is not possible. The recursive mkdir of Node 20 never
 * returns where the system says "no such directory" below a folder that is there, as everywhere in /proc: each level is tried twice at most.
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (made(path, mode)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  mkdirSync(path, { mode });
}

/** False: something above is missing. */
function made(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
