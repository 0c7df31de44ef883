/**
 * Runners as they were detected, kept in the state folder where detecting them anew is dear: measured in fresh hook processes, the entry
 * of 19 npm scripts saves 14 ms of a call, that of 200 saves 80 ms. An entry counts while every file that detection looked at has the same content, and
 * every name it asked for in vain is still absent. Plain data: what is torn or of another shape is not read, and nothing in it is run.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, writeState } from '../policy/snapshot.ts';
import { lookIn, type RunnersOf, runnersBy } from '../profile/detect.ts';
import { isRunner } from '../profile/kept.ts';
import type { Runner } from '../profile/profile.ts';
import type { Look } from '../shell/command.ts';

/** Changes when runners or their detection do. */
const FORMAT = 3;
/** Fewer recipes are read faster than a file that holds them. */
const DEAR = 16;
/** A larger entry costs more than it saves. */
const MAX_BYTES = 2_000_000;

/** One look at the world: what was asked, and a digest of the answer; null: nothing was there. */
type Seen = readonly [asked: 'read' | 'stat' | 'list', path: string, limit: number, answer: string | null];

/** The runners of a directory, from the state folder where they are kept and still true. `state`: its absolute path. `write`: keep what is dear. */
export function keptRunners(state: string, write: boolean): RunnersOf {
  return (dir, root, look) => {
    const near = lookIn(dir, look);
    if (!near) return [];
    const file = join(state, 'profile', `${createHash('sha256').update(`${dir}\n${root}`).digest('hex').slice(0, 32)}.json`);
    const kept = readKept(file, dir, root, near);
    if (kept) return kept;
    if (!write) return runnersBy(dir, root, near);
    const seen: Seen[] = [];
    const runners = runnersBy(dir, root, noting(near, seen));
    const recipes = runners.reduce((sum, runner) => sum + runner.targets.reduce((all, target) => all + target.recipe.length, 0), 0);
    if (recipes >= DEAR) {
      const body = JSON.stringify({ format: FORMAT, dir, root, seen, runners });
      if (body.length <= MAX_BYTES) writeState(file, `${digestOf(body)}\n${body}`);
    }
    return runners;
  };
}

function readKept(file: string, dir: string, root: string, look: Look): readonly Runner[] | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const cut = text.indexOf('\n');
    const body = text.slice(cut + 1);
    if (text.length > MAX_BYTES + 100 || text.slice(0, cut) !== digestOf(body)) return undefined;
    const kept = JSON.parse(body) as { format: unknown; dir: unknown; root: unknown; seen: unknown; runners: unknown };
    if (kept.format !== FORMAT || kept.dir !== dir || kept.root !== root || !Array.isArray(kept.seen) || !Array.isArray(kept.runners))
      return undefined;
    if (!kept.runners.every(isRunner)) return undefined;
    return (kept.seen as Seen[]).every(([asked, path, limit, answer]) => answerOf(asked, path, limit, look) === answer)
      ? kept.runners
      : undefined;
  } catch {
    return undefined; // absent, torn or foreign: it is detected anew
  }
}

function answerOf(asked: Seen[0], path: string, limit: number, look: Look): string | null {
  if (asked === 'read') {
    const text = look.read(path, limit);
    return text === undefined ? null : digestOf(text);
  }
  if (asked === 'stat') return look.stat(path)?.kind ?? null;
  const names = look.list(path);
  return names === undefined ? null : digestOf(names.join('\n'));
}

/** A look that writes down what it is asked. */
function noting(look: Look, seen: Seen[]): Look {
  const asked = new Set<string>();
  const note = (what: Seen[0], path: string, limit: number): void => {
    const key = `${what} ${limit} ${path}`;
    if (asked.has(key)) return;
    asked.add(key);
    seen.push([what, path, limit, answerOf(what, path, limit, look)]);
  };
  return {
    ...look,
    read: (path, limit) => {
      note('read', path, limit);
      return look.read(path, limit);
    },
    stat: (path) => {
      note('stat', path, 0);
      return look.stat(path);
    },
    list: (path) => {
      note('list', path, 0);
      return look.list(path);
    },
  };
}
