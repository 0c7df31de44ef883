/** Several runs of one line as one call of the same runner. */
import type { Effect } from '../effect/effect.ts';
import type { Facts } from '../fact/facts.ts';
import type { Role, Runner, RunnerName, Target } from '../profile/profile.ts';
import { closureOf, combinedCall, type Resolved } from '../profile/resolve.ts';
import { type RunTarget, targetsOf } from './runs.ts';

/** Runners that run the targets of one call in their order, or by a graph that knows what depends on what. */
const ORDERED: ReadonlySet<RunnerName> = new Set<RunnerName>(['make', 'just', 'task', 'maven', 'gradle', 'nx', 'turbo']);
/** Runners whose targets are simply named one behind the other. */
const NAMED: ReadonlySet<RunnerName> = new Set<RunnerName>(['make', 'just', 'task', 'maven', 'gradle', 'turbo']);
/** Targets that nothing else of the line needs to have run before. */
const FREE: ReadonlySet<Role> = new Set<Role>(['test', 'lint', 'types', 'gate']);
/** Targets whose work the next one needs: their order is the point of the line. */
const FIRST: ReadonlySet<Role> = new Set<Role>(['generate', 'install', 'update', 'clean', 'serve']);

export interface Combined {
  runs: readonly RunTarget[];
  /** The line again with one call in place of all. */
  run: string;
  /** It is a target that runs the others. */
  aggregate?: string;
}

/** The line with one call instead of its several, when it holds nothing else and the runner can; undefined else. */
export function combined(effects: readonly Effect[], facts: Pick<Facts, 'profile' | 'show'>): Combined | undefined {
  const runs = distinct(effects.filter((each): each is RunTarget => each.kind === 'run.target' && each.script === undefined));
  const [first] = runs;
  const last = runs.at(-1);
  if (!first?.bare || !last || runs.length < 2 || runs.length > 8 || !runs.every((run, i) => isPlain(run, first, i))) return undefined;
  const resolved = runs.map((run) => targetsOf(run, facts));
  if (resolved.some((each, i) => each.length === 0 || each.length !== runs[i]!.call.targets.length)) return undefined;
  const targets = resolved.flat();
  const runner = targets[0]!.runner;
  if (targets.some((each) => each.runner !== runner || each.target.endless)) return undefined;
  if (new Set(targets.map((each) => each.target)).size < 2 || orderMatters(targets, runner)) return undefined;
  const call = oneCall(first, runs, targets, runner);
  const profile = facts.profile(first.call.dir);
  const aggregate = call === undefined && profile ? aggregateOf(targets, runner, profile.runners) : undefined;
  const one = call ?? aggregate?.command;
  if (one === undefined || (call === undefined && first.cwd !== runner.dir)) return undefined;
  const run = inPlaceOf(first, last, `${first.bare.prefix}${one}`, facts);
  if (run === undefined) return undefined;
  return { runs, run, ...(aggregate ? { aggregate: aggregate.name } : {}) };
}

/** In the place of all the calls; alone where the line hands them to another shell. */
function inPlaceOf(first: RunTarget, last: RunTarget, call: string, facts: Pick<Facts, 'show'>): string | undefined {
  if (first.around && last.around) return `${first.around.before}${call}${last.around.after}`.trim();
  return first.cwd !== undefined && facts.show(first.cwd) === '.' ? call : undefined;
}

/** The same call seen twice, because it may run in one of two directories, is one. */
const distinct = (runs: readonly RunTarget[]): readonly RunTarget[] =>
  runs.filter((run, i) => runs.findIndex((other) => placeOf(other) === placeOf(run) && other.source === run.source) === i);

const placeOf = (run: RunTarget): string | number => run.around?.before ?? run.step;

/** Nothing about this call but the target itself, and it certainly runs behind the first. */
function isPlain(run: RunTarget, first: RunTarget, index: number): boolean {
  const { call, output } = run;
  return (
    run.others === 0 &&
    !run.looped &&
    !run.logged &&
    !run.timed &&
    !run.bound &&
    !run.background &&
    !run.remote &&
    output.pipe.length === 0 &&
    output.files.length === 0 &&
    !output.captured &&
    call.looks === undefined &&
    call.targets.length > 0 &&
    call.extra.length === 0 &&
    call.projects.length === 0 &&
    call.runner === first.call.runner &&
    call.dir === first.call.dir &&
    call.file === first.call.file &&
    run.bare?.prefix === first.bare?.prefix &&
    (run.around === undefined) === (first.around === undefined) &&
    (index === 0 || run.certain === first.certain)
  );
}

function orderMatters(targets: readonly Resolved[], runner: Runner): boolean {
  if (targets.slice(0, -1).some(({ target }) => FIRST.has(target.role))) return true;
  return !ORDERED.has(runner.name) && !targets.every(({ target }) => FREE.has(target.role));
}

/** `make lint test`: the first call with the other names behind it, so that its own options stay. */
function oneCall(first: RunTarget, runs: readonly RunTarget[], targets: readonly Resolved[], runner: Runner): string | undefined {
  const call = combinedCall(runner, [...new Set(targets.map((each) => each.target))]);
  if (call === undefined) return undefined;
  if (NAMED.has(runner.name)) return [first.bare!.words, ...new Set(runs.slice(1).flatMap((run) => run.call.targets))].join(' ');
  return first.cwd === runner.dir ? call : undefined;
}

/** A target that runs exactly these. */
function aggregateOf(targets: readonly Resolved[], runner: Runner, runners: readonly Runner[]): Target | undefined {
  const wanted = new Set(targets.map((each) => each.target));
  return runner.targets.find((target) => {
    if (wanted.has(target) || target.includes.length < wanted.size || target.covers.length > 0) return false;
    const own = new Set(closureOf(runners, runner, target).map((each) => each.target));
    const needed = new Set([...wanted].flatMap((each) => closureOf(runners, runner, each).map((inner) => inner.target)));
    return own.size === needed.size + 1 && [...needed].every((each) => own.has(each));
  });
}
