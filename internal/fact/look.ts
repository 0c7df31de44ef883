/** The real `Look`: what reading a line may ask of files and the environment. Memoized for one judgement, never throws. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Look } from '../shell/command.ts';
import { discover } from './discover.ts';
import { readConfig } from './git-config.ts';

/** Names of one directory that are given at most. */
const MAX_NAMES = 2000;

/** Looks at this machine. One instance serves one judgement. */
export function realLook(env: NodeJS.ProcessEnv = process.env): Look {
  const stats = new Map<string, ReturnType<Look['stat']>>();
  const texts = new Map<string, string | undefined>();
  const lists = new Map<string, readonly string[] | undefined>();
  const configs = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const home = resolve(env['HOME'] || env['USERPROFILE'] || homedir());
  return {
    env: (name) => env[name],
    envNames: () => Object.keys(env),
    home,
    tmp: resolve(env['TMPDIR'] || env['TEMP'] || tmpdir()),
    stat: (path) => memo(stats, path, () => statOf(path)),
    read: (path, limit) => memo(texts, `${limit}:${path}`, () => textOf(path, limit)),
    list: (path) => memo(lists, path, () => namesIn(path)),
    gitConfig: (cwd, key) => {
      const place = discover(cwd, env)?.gitDir ?? '';
      const config = memo(configs, place, () => readConfig({ dir: cwd, gitDir: place || undefined }, env));
      return config.get(normalKey(key)) ?? [];
    },
  };
}

/** Section and name of a git key are case-insensitive, the subsection is not. */
export function normalKey(key: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  if (first === -1) return key.toLowerCase();
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

/** What lies at a path, links not followed. */
export function statOf(path: string): ReturnType<Look['stat']> {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return { kind: 'link', size: stat.size, target: resolve(dirname(path), readlinkSync(path)) };
    return { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'dir' : 'other', size: stat.size, changed: stat.mtimeMs };
  } catch {
    return undefined;
  }
}

/** The text of a regular file up to `limit` bytes; undefined when it is larger, absent or holds a NUL byte. */
export function textOf(path: string, limit: number): string | undefined {
  try {
    // Never open a FIFO or a device: reading it could wait forever.
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > limit) return undefined;
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return undefined;
    return bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

function namesIn(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path).slice(0, MAX_NAMES);
  } catch {
    return undefined;
  }
}

function memo<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  if (map.has(key)) return map.get(key) as V;
  const value = make();
  map.set(key, value);
  return value;
}
