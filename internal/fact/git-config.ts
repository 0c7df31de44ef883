/** git configuration as it stands for a repository: every key with its values, in one process. */
import { type Asked, type Budget, git, newBudget } from './git.ts';
import type { Env } from './grounds.ts';

/** key (section and name in lower case) -> values, the last one counts. */
export type Config = ReadonlyMap<string, readonly string[]>;

/** Reads the whole configuration. Empty when git cannot be asked. */
export function readConfig(asked: { dir: string; gitDir?: string }, env: Env, budget: Budget = newBudget(500)): Config {
  const place: Asked = { dir: asked.dir, ...(asked.gitDir ? { gitDir: asked.gitDir } : {}) };
  const answer = git(place, ['config', '--list', '-z', '--includes'], budget, { env });
  return answer.ok ? parseConfig(answer.out) : new Map();
}

/** Parses `git config --list -z`: `key\nvalue\0`, or `key\0` for a key without a value (true). */
export function parseConfig(text: string): Config {
  const config = new Map<string, string[]>();
  for (const entry of text.split('\0')) {
    if (entry === '') continue;
    const cut = entry.indexOf('\n');
    const key = cut === -1 ? entry : entry.slice(0, cut);
    const value = cut === -1 ? 'true' : entry.slice(cut + 1);
    const values = config.get(key);
    if (values) values.push(value);
    else config.set(key, [value]);
  }
  // Our own -c settings come last in the list; they are not the user's.
  for (const key of OURS) {
    const values = config.get(key);
    if (!values) continue;
    values.pop();
    if (values.length === 0) config.delete(key);
  }
  return config;
}

// biome-ignore format: a list
const OURS = [
  'core.fsmonitor', 'core.hookspath', 'core.quotepath', 'core.untrackedcache', 'safe.directory', 'log.showsignature',
  'submodule.recurse', 'status.renames', 'diff.renames', 'gc.auto', 'maintenance.auto', 'protocol.allow', 'color.ui', 'column.ui',
  'advice.statushints',
];

/** The last value of a key. */
export const lastOf = (config: Config, key: string): string | undefined => config.get(key)?.at(-1);
