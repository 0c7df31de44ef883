/** For the tests of this folder: a world of a few files, and nothing else. */
import { dirname } from 'node:path/posix';
import type { Look } from '../shell/command.ts';

/** A look at these files, by absolute path. */
export function world(files: Readonly<Record<string, string>>): Look {
  const children = new Map<string, Set<string>>();
  for (const path of Object.keys(files)) {
    for (let at = path; at !== '/'; at = dirname(at)) {
      const up = dirname(at);
      children.set(up, (children.get(up) ?? new Set()).add(at.slice(up === '/' ? 1 : up.length + 1)));
    }
  }
  return {
    env: () => undefined,
    home: '/home/dev',
    tmp: '/tmp',
    stat: (path) =>
      files[path] !== undefined ? { kind: 'file', size: files[path].length } : children.has(path) ? { kind: 'dir', size: 0 } : undefined,
    read: (path, limit) => (files[path] !== undefined && files[path].length <= limit ? files[path] : undefined),
    list: (path) => (children.has(path) ? [...(children.get(path) ?? [])] : undefined),
    gitConfig: () => [],
  };
}

/** A package.json with these scripts. */
export const scripts = (given: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ name: 'x', ...more, scripts: given }, null, 2);
