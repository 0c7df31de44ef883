/** The recipes behind calls of just, Task and mise: read like those of make, from the same readers that detect them. */
import { dirname } from 'node:path/posix';
import { CALLS } from '../effect/run-calls.ts';
import { justRunner } from '../profile/just.ts';
import { miseRunner } from '../profile/mise.ts';
import type { Runner, RunnerName } from '../profile/profile.ts';
import { closureOf, defaultOf } from '../profile/resolve.ts';
import { taskRunner } from '../profile/taskfile.ts';
import type { Look } from './command.ts';
import type { LocalScript } from './scripts.ts';
import { textOf, type Word } from './word.ts';

interface Known {
  runner: RunnerName;
  detect(dir: string, look: Look): Runner | undefined;
}

const JUST: Known = { runner: 'just', detect: justRunner };
const TASK: Known = { runner: 'task', detect: taskRunner };
const MISE: Known = { runner: 'mise', detect: miseRunner };

const KNOWN: Readonly<Record<string, Known>> = { just: JUST, task: TASK, 'go-task': TASK, mise: MISE, rtx: MISE };

/** Folders that are looked at upwards, and targets of one call that are read. */
const MAX_UP = 20;
const MAX_TARGETS = 100;

/** What a call runs: the recipes of its targets, each behind those it needs. */
export function recipesOf(name: string, args: readonly Word[], cwd: string | undefined, look: Look): readonly LocalScript[] {
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const said = known && CALLS[known.runner]?.(args, cwd, look);
  if (!known || !said || said.looks !== undefined || cwd === undefined || said.file) return [];
  const named = said.dir ? textOf(said.dir) : '.';
  const runner = named === undefined ? undefined : nearest(known, named.startsWith('/') ? named : `${cwd}/${named}`, look);
  if (!runner) return [];
  const wanted = said.targets.length > 0 ? runner.targets.filter((target) => said.targets.includes(target.name)) : [defaultOf(runner)];
  const all = wanted.flatMap((target) => (target ? [...closureOf([runner], runner, target)].reverse() : []));
  return [...new Set(all.map((each) => each.target))].slice(0, MAX_TARGETS).flatMap((target) => {
    const code = target.recipe.join('\n');
    return code.trim() === ''
      ? []
      : [{ code, cwd: runner.dir, via: `${name} ${target.name}`, file: target.origin.file, args: [], given: givenIn(code, look) }];
  });
}

/** Names in a recipe that stand for parameters and templates: the readers write `{{dir}}` as `$dir`. */
const givenIn = (code: string, look: Look): readonly string[] =>
  [...new Set([...code.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map((match) => match[1]!))].filter((name) => look.env(name) === undefined);

function nearest(known: Known, from: string, look: Look): Runner | undefined {
  for (let at = from.replace(/\/\.$/, ''), i = 0; i < MAX_UP; i++) {
    const runner = known.detect(at, look);
    if (runner) return runner;
    if (at === '/' || at === '') return undefined;
    at = dirname(at);
  }
  return undefined;
}
