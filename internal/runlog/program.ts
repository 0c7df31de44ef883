/** The file behind a program's name, as the system looks for it. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where a name could lie: itself below `from` when it has a slash, else one place for each folder of PATH. Absolute, in the order of the search. */
export function placesOf(name: string, from: string, env: NodeJS.ProcessEnv): readonly string[] {
  if (name.includes('/')) return [isAbsolute(name) ? name : join(from, name)];
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((dir) => join(dir, name));
}

/** A file that may be executed. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
