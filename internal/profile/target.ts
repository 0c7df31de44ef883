/** A target from its name and recipe: what it covers, what runs with it, what it is for. Shared by all runners. */
import { relative } from 'node:path/posix';
import { type Started, startedBy } from './calls.ts';
import { type Called, type Read, readRecipe } from './commands.ts';
import type { Cover, Role, RunnerName, Target } from './profile.ts';
import { isEndless, roleOf, roleOfCall } from './roles.ts';

/** What a runner's file says about a target. */
export interface Raw {
  name: string;
  /** Commands as written. Each is read on its own, as make and just run them, unless `whole` gives the text that is read instead. */
  recipe: readonly string[];
  /** The text to read: with variables put in. Default: the recipe. */
  text?: readonly string[];
  /** Prerequisites, by name. */
  includes?: readonly string[];
  writes?: readonly string[];
  command: string;
  origin: Target['origin'];
  /** Where that is declared; else told by name and recipe. */
  role?: Role;
  endless?: boolean;
}

/** What the runner knows of all its targets. */
export interface Around {
  runner: RunnerName;
  /** Directory of the recipes. */
  dir: string;
  isTarget(name: string): boolean;
  /** Targets that a pattern of npm-run-all or pnpm stands for. */
  matching?(pattern: string): readonly string[];
}

/** Programs that say nothing of what a target wraps: the shell's own, files, text, version control. */
const PLAIN = new Set(
  (
    'cd echo printf true false test [ [[ : export set unset exit return source . eval exec read shift trap wait command type which ' +
    'mkdir rm rmdir cp mv ln touch chmod chown cat tee head tail grep egrep fgrep rg sed awk cut sort uniq wc tr find xargs ls pwd ' +
    'basename dirname date sleep env time timeout sh bash zsh dash ksh git curl wget tar zip unzip gzip kill pkill id uname ' +
    'rimraf shx del-cli cpy cpy-cli mkdirp wait-on open xdg-open dotenv cross-env npm pnpm yarn bun npx pnpx bunx make gmake just task ' +
    'npm-run-all run-s run-p concurrently mise nx turbo lerna if then fi for while do done'
  ).split(' '),
);

/** Targets of one file that are looked at. */
export const MAX_TARGETS = 400;
/** Characters of recipes that are read for one file: a call is judged in time, however long somebody's Makefile is. */
const MAX_READ = 48 * 1024;
/** What reading a line costs at least, in characters of a long one. */
const LEAST = 80;
const UNREAD: Read = { calls: [], single: false };

/** What has been read for the targets of one file, which share their `isTarget`. */
const spent = new WeakMap<Around['isTarget'], number>();

function affordable(line: string, { isTarget }: Around): boolean {
  const sum = (spent.get(isTarget) ?? 0) + Math.max(line.length, LEAST);
  spent.set(isTarget, sum);
  return sum <= MAX_READ;
}

/** Makes the target. */
export function targetOf(raw: Raw, around: Around): Target {
  const reads = (raw.text ?? raw.recipe).flatMap((line) => (affordable(line, around) ? [readRecipe(line, around.dir)] : [UNREAD]));
  const calls = reads.flatMap((read) => read.calls);
  const started = calls.flatMap((call) => startedBy(call, around.isTarget, around.runner).map((each) => placed(each, call, around.dir)));
  const named = raw.role ?? roleOf(raw.name, calls);
  const parts = distinct(calls.filter((call) => call.certain).map(roleOfCall)).filter((part) => part !== 'other');
  // `make install` that copies a program to /usr/local installs no dependencies.
  const idle =
    raw.role === undefined &&
    (named === 'install' || named === 'update') &&
    calls.length > 0 &&
    started.length === 0 &&
    !parts.includes(named);
  const role = idle ? 'other' : named;
  return {
    name: raw.name,
    command: raw.command,
    recipe: raw.recipe,
    covers: coversOf(reads, around),
    includes: distinct([...(raw.includes ?? []), ...started.flatMap((each) => includesOf(each, around))]),
    writes: raw.writes ?? [],
    role,
    parts,
    gate: false,
    endless: raw.endless ?? isEndless(raw.name, role, calls),
    origin: raw.origin,
  };
}

function coversOf(reads: readonly Read[], around: Around): readonly Cover[] {
  const whole = reads.length === 1 && reads[0]?.single === true;
  const covers = reads
    .flatMap((read) => read.calls)
    .flatMap((call): Cover[] => {
      // What runs only sometimes is no reason to go through the target, and what a target starts is covered there.
      if (call.program === '' || !call.certain || !isTool(call) || startedBy(call, around.isTarget, around.runner).length > 0) return [];
      return [{ program: call.program, argv: call.argv, whole }];
    });
  return [...new Map(covers.map((cover) => [`${cover.program} ${cover.argv.join(' ')}`, cover])).values()];
}

/** Where tools are installed in a workspace; any other program with a path is one of its own scripts. */
const INSTALLED = /(^|\/)(node_modules\/\.bin|vendor\/bin|\.?v?env\/(bin|Scripts)|\.bin|bin\/bundle)\/?|(^|\/)(gradlew|mvnw)$/;

function isTool({ program, outer, argv }: Called): boolean {
  if (program === 'bun') return argv[0] === 'test' || argv[0] === 'build';
  if (PLAIN.has(program)) return false;
  return !(outer.word.includes('/') && outer.program === program && !INSTALLED.test(outer.word));
}

/**
 * `"lint:fix": "npm run lint -- --fix"` stands for the tool of `lint` with one more word. Targets that hand words on to another one of the
 * same runner get its covers with these words behind them.
 */
export function withHanded(targets: readonly Target[], around: Around): readonly Target[] {
  return targets.map((target) => {
    const [only] = target.recipe;
    if (target.covers.length > 0 || target.recipe.length !== 1 || only === undefined) return target;
    const read = readRecipe(only, around.dir);
    const [call] = read.calls;
    const [started, more] = call && read.single ? startedBy(call, around.isTarget, around.runner) : [];
    if (!started || more || started.extra.length === 0 || started.targets.length !== 1 || started.elsewhere || started.dir !== undefined)
      return target;
    const inner = sameRunner(started.runner, around.runner) ? targets.find((each) => each.name === started.targets[0]) : undefined;
    const extra = started.extra.filter((word) => word !== '--');
    return inner ? { ...target, covers: inner.covers.map((cover) => ({ ...cover, argv: [...cover.argv, ...extra] })) } : target;
  });
}

/** Behind `cd tools &&` it is another directory's target. */
function placed(started: Started, call: Called, dir: string): Started {
  if (started.dir !== undefined || call.cwd === dir) return started;
  return { ...started, dir: call.cwd === undefined ? '?' : relative(dir, call.cwd) };
}

/** Of the same runner by name; of another one with the runner before it: `make build`. */
function includesOf(started: Started, around: Around): readonly string[] {
  const { runner, dir, targets } = started;
  if (dir !== undefined && dir !== '.') return targets.map((target) => `${runner} -C ${dir} ${target}`);
  if (started.elsewhere && isScripts(runner)) return targets.map((target) => `${runner} -r ${target}`);
  if (!sameRunner(runner, around.runner)) return targets.map((target) => `${runner} ${target}`);
  return targets.flatMap((target) =>
    /[*?]|^\/.*\/$/.test(target) ? (around.matching?.(target) ?? []) : around.isTarget(target) ? [target] : [],
  );
}

const SCRIPTS: readonly RunnerName[] = ['npm', 'pnpm', 'yarn', 'bun'];

/** The package managers run the same scripts. */
export const sameRunner = (a: RunnerName, b: RunnerName): boolean => a === b || (isScripts(a) && isScripts(b));

const isScripts = (name: RunnerName): boolean => SCRIPTS.includes(name);

export const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

/** The call of a target: `npm run {target}` with its name in it, quoted where it needs to be. */
export const callOf = (call: string, name: string): string =>
  call.replace('{target}', () => (/^[\w@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`));
