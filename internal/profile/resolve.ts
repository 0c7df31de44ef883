/** From names to targets: what a call means, what runs with a target, how several are run in one call. */
import { resolve } from 'node:path/posix';
import type { RunnerCall } from '../effect/types-run.ts';
import type { Profile, Runner, RunnerName, Target } from './profile.ts';
import { sameRunner } from './target.ts';

/** A target with its runner. */
export interface Resolved {
  runner: Runner;
  target: Target;
}

/** Targets that one closure holds at most. */
const MAX_CLOSURE = 300;

/**
 * The targets that a call names, in its order; names that are no targets give none. Runners are searched from the call's directory
 * upwards. A call without a target is the runner's default: the first of a Makefile, `test` of none else.
 * Calls narrowed to projects are resolved by name in the nearest runner: the same script in another package.
 */
export function targetsNamed(profile: Profile, call: RunnerCall): readonly Resolved[] {
  const runners = runnersFor(profile, call);
  const [nearest] = runners;
  if (!nearest) return [];
  if (call.targets.length === 0) {
    const first = defaultOf(nearest);
    return first ? [{ runner: nearest, target: first }] : [];
  }
  return call.targets.flatMap((name) => {
    // make, npm and the others do not look further up than their nearest file; nx and turbo run from the top.
    const found = runners.flatMap((runner) =>
      runner.targets.filter((target) => target.name === name).map((target) => ({ runner, target })),
    )[0];
    return found ? [found] : moduleTarget(nearest, name, call.extra[0]);
  });
}

/** `just db migrate` is the recipe `db::migrate`. */
function moduleTarget(runner: Runner, name: string, next: string | undefined): readonly Resolved[] {
  const target = runner.name === 'just' && next !== undefined ? runner.targets.find((each) => each.name === `${name}::${next}`) : undefined;
  return target ? [{ runner, target }] : [];
}

/** The runners a call may mean, nearest first. */
export function runnersFor(profile: Profile, call: Pick<RunnerCall, 'runner' | 'dir' | 'file'>): readonly Runner[] {
  const fits = profile.runners.filter(
    (runner) => sameRunner(runner.name, call.runner) && (call.file === undefined || runner.file === call.file),
  );
  if (call.dir === undefined) return fits;
  const dir = call.dir;
  return fits
    .filter((runner) => dir === runner.dir || dir.startsWith(runner.dir === '/' ? '/' : `${runner.dir}/`))
    .sort((a, b) => b.dir.length - a.dir.length);
}

/** What a runner runs when no target is named. */
export function defaultOf(runner: Runner): Target | undefined {
  if (runner.initial !== undefined) return runner.targets.find((target) => target.name === runner.initial);
  switch (runner.name) {
    case 'make':
    case 'just':
      return runner.targets[0];
    case 'task':
      return runner.targets.find((target) => target.name === 'default');
    default:
      return undefined;
  }
}

/** The target with everything that runs with it, itself first; over runners, without end for no cycle. */
export function closureOf(runners: readonly Runner[], runner: Runner, target: Target): readonly Resolved[] {
  const found: Resolved[] = [];
  const seen = new Set<Target>();
  const visit = (at: Resolved): void => {
    if (seen.has(at.target) || seen.size >= MAX_CLOSURE) return;
    seen.add(at.target);
    found.push(at);
    for (const name of at.target.includes) {
      const next = included(runners, at.runner, name);
      if (next) visit(next);
    }
  };
  visit({ runner, target });
  return found;
}

/** The target that an entry of `includes` means. */
export function included(runners: readonly Runner[], from: Runner, name: string): Resolved | undefined {
  const own = from.targets.find((target) => target.name === name);
  if (own) return { runner: from, target: own };
  const [runnerName, ...rest] = name.split(' ');
  const elsewhere = rest[0] === '-C' && rest.length > 2;
  // In the packages of the workspace it is another target of that name in each.
  if (rest.length === 0 || rest[0] === '-r') return undefined;
  const dir = elsewhere ? resolve(from.dir, rest[1] as string) : undefined;
  const targetName = (elsewhere ? rest.slice(2) : rest).join(' ');
  const candidates = runners
    .filter((each) => sameRunner(each.name, runnerName as RunnerName) && (dir === undefined || each.dir === dir))
    .sort((a, b) => Number(b.dir === from.dir) - Number(a.dir === from.dir));
  for (const runner of candidates) {
    const target = runner.targets.find((each) => each.name === targetName);
    if (target) return { runner, target };
  }
  return undefined;
}

/** One call that runs all these targets of a runner, to be pasted in its directory; undefined when it has none. */
export function combinedCall(runner: Runner, targets: readonly Target[]): string | undefined {
  const names = targets.map((target) => target.name);
  if (
    runner.combine === 'none' ||
    targets.some((target) => target.alone || target.endless) ||
    names.length === 0 ||
    names.some((name) => !/^[\w@%+=:,./-]+$/.test(name))
  )
    return undefined;
  if (runner.name === 'pnpm') return `pnpm run "/^(${names.map((name) => name.replace(/[.+]/g, '\\$&')).join('|')})$/"`;
  const separator = runner.name === 'mise' ? ' ::: ' : runner.name === 'tox' ? ',' : ' ';
  return runner.call.replace('{target}', () => names.join(separator));
}
