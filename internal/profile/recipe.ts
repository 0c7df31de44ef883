/** What a command comes down to: the scripts and recipes behind it, for the digest of the gate's recipe. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import { startedBy } from './calls.ts';
import { type Called, readRecipe } from './commands.ts';
import { runnersIn, topOf } from './detect.ts';
import { packageDirs } from './monorepo.ts';
import type { Runner, RunnerName, Target } from './profile.ts';
import { defaultOf, included } from './resolve.ts';
import { sameRunner } from './target.ts';

/** Steps of one expansion: beyond it the recipe is a program of its own, and its files say what changes. */
const MAX_STEPS = 500;
const MAX_SCRIPT = 1024 * 1024;
/** Characters that one expansion reads; what is longer stands with its text or digest, and what it starts is not followed. */
const MAX_READ = 48 * 1024;
/** What a short text costs. */
const LEAST = 80;

interface Walk {
  look: Look;
  root: string;
  out: string[];
  seen: Set<string>;
  /** Characters that have been read. */
  read: number;
  runners: Map<string, readonly Runner[]>;
}

/**
 * The commands a command expands to, in the order they run: itself, then what stands behind each of its calls. The script of `npm test` with
 * `pretest` and `posttest`, the recipe of `make ci` after its prerequisites, and for a local script (`./ci.sh`, `node hack/ci.mjs`)
 * its path with a digest over its text. The same command over the same files always gives the same list; one line more or less in any
 * of them gives another. A command that stands for nothing in the workspace gives only itself.
 * @param command as it is declared: `npm test`
 * @param dir absolute directory it runs in
 */
export function expansionOf(command: string, dir: string, look: Look): readonly string[] {
  const walk: Walk = { look, root: topOf(dir, look), out: [], seen: new Set(), read: 0, runners: new Map() };
  expand(command, dir, undefined, walk);
  return walk.out;
}

/** `from`: the runner whose recipe it is. */
function expand(text: string, dir: string, from: Runner | undefined, walk: Walk): void {
  if (walk.out.length >= MAX_STEPS) return;
  walk.out.push(text);
  walk.read += Math.max(text.length, LEAST);
  if (walk.read > MAX_READ) return;
  for (const call of readRecipe(text.replace(/^-/, ''), dir, MAX_READ).calls) {
    const at = call.cwd ?? dir;
    script(call, at, walk);
    for (const started of startedBy(call, (name) => isScript(name, at, walk), from?.name)) {
      const where = started.dir === undefined ? at : resolve(at, started.dir);
      const runner = runnerAt(started.runner, where, walk);
      if (started.elsewhere && sameRunner(started.runner, 'npm')) packages(started.targets, runner?.dir ?? where, walk);
      if (!runner || (started.elsewhere && sameRunner(started.runner, 'npm'))) continue;
      const first = defaultOf(runner);
      const named = started.targets.flatMap((name) => matching(runner, name));
      for (const target of started.targets.length > 0 ? named : first ? [first] : []) follow(runner, target, walk);
    }
  }
}

/** A target with what runs before and after it. Each is followed once: a cycle ends, and a prerequisite of two targets stands once. */
function follow(runner: Runner, target: Target, walk: Walk): void {
  const key = `${runner.file}\n${target.name}`;
  if (walk.seen.has(key) || walk.out.length >= MAX_STEPS) return;
  walk.seen.add(key);
  for (const each of target.sets ?? []) walk.out.push(`${target.name}: ${each}`);
  const after = `post${target.name}`;
  const include = (name: string): void => {
    const next = included([runner, ...runnersAt(runner.dir, walk)], runner, name);
    if (next) follow(next.runner, next.target, walk);
  };
  // Prerequisites come first. What a script itself calls is followed from there, in its place.
  const needs = target.includes.filter((each) => each !== after);
  for (const name of needs) if (!sameRunner(runner.name, 'npm') || name === `pre${target.name}`) include(name);
  for (const line of target.recipe) expand(line, runner.dir, runner, walk);
  if (runner.name === 'turbo' || runner.name === 'nx') packages([target.name], runner.dir, walk);
  for (const name of needs) include(name);
  const last = target.includes.includes(after) ? included([runner], runner, after) : undefined;
  if (last) follow(last.runner, last.target, walk);
}

/** The scripts and targets of that name in the packages of the workspace: turbo, nx and `npm run x --workspaces` run them all. */
function packages(names: readonly string[], dir: string, walk: Walk): void {
  const own = packageDirs(dir, walk.look);
  for (const each of own.length > 0 ? own : packageDirs(walk.root, walk.look)) {
    for (const runner of runnersAt(each, walk)) {
      if (runner.name !== 'nx' && !sameRunner(runner.name, 'npm')) continue;
      for (const target of names.flatMap((name) => matching(runner, name))) follow(runner, target, walk);
    }
  }
}

/** A file of the workspace that the command runs: its content is part of the recipe. */
function script(call: Called, dir: string, walk: Walk): void {
  for (const path of scriptsOf(call, dir)) {
    if (walk.seen.has(path)) continue;
    walk.seen.add(path);
    if (walk.root !== '/' && !path.startsWith(`${walk.root}/`)) continue;
    const text = walk.look.read(path, MAX_SCRIPT);
    if (text === undefined) continue;
    const digest = createHash('sha256').update(text).digest('hex');
    walk.out.push(`${path.slice(walk.root === '/' ? 1 : walk.root.length + 1)} sha256:${digest}`);
    if (/\.(sh|bash|zsh)$/.test(path) || /^#!.*\b(ba|z|da|k)?sh\b/.test(text.slice(0, 100))) inner(text, dir, walk);
  }
}

/** Runners and scripts that a shell script calls; its own lines stand in its digest. */
function inner(text: string, dir: string, walk: Walk): void {
  const before = walk.out.length;
  expand(text, dir, undefined, walk);
  walk.out.splice(before, 1);
}

const INTERPRETERS = /^(ba|z|da|k)?sh$|^(node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|source|\.)$/;

function scriptsOf({ outer, program, argv }: Called, dir: string): readonly string[] {
  if (outer.program === '') return [];
  const paths = outer.word.includes('/') ? [resolve(dir, outer.word)] : [];
  if (INTERPRETERS.test(program)) {
    const file = argv.find((word) => word !== '' && !word.startsWith('-') && word !== 'run');
    if (file !== undefined && /[./]/.test(file)) paths.push(resolve(dir, file));
  }
  return paths;
}

const isScript = (name: string, dir: string, walk: Walk): boolean =>
  runnersAt(dir, walk).some((runner) => sameRunner(runner.name, 'npm') && runner.targets.some((target) => target.name === name));

function runnersAt(dir: string, walk: Walk): readonly Runner[] {
  const known = walk.runners.get(dir);
  if (known) return known;
  const found = runnersIn(dir, walk.root, walk.look);
  walk.runners.set(dir, found);
  return found;
}

/** The runner of a name in a directory or the nearest above it. */
function runnerAt(name: RunnerName, dir: string, walk: Walk): Runner | undefined {
  for (let at = dir; ; at = at.slice(0, Math.max(at.lastIndexOf('/'), 1))) {
    const found = runnersAt(at, walk).find((runner) => sameRunner(runner.name, name));
    if (found) return found;
    if (at === walk.root || at === '/') return undefined;
  }
}

/** A target by name, or those a pattern stands for. */
function matching(runner: Runner, name: string): readonly Target[] {
  if (!/[*?]/.test(name)) return runner.targets.filter((target) => target.name === name);
  const made = new RegExp(
    `^${name
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('**', '\u0000')
      .replaceAll('*', '[^:]*')
      .replaceAll('\u0000', '.*')}$`,
  );
  return runner.targets.filter((target) => made.test(target.name));
}
