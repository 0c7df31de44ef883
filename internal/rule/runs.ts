/** What rules about runs share: what a call runs here, and the same run through the run log. */
import type { EffectOf, Target as Path } from '../effect/effect.ts';
import { TOOLS } from '../effect/run-programs.ts';
import type { OutputFlow } from '../effect/types-run.ts';
import type { Facts } from '../fact/facts.ts';
import type { Role } from '../profile/profile.ts';
import { type Resolved, targetsNamed } from '../profile/resolve.ts';
import { quote } from './quote.ts';
import { type Filter, filterOf } from './runs-filters.ts';

export type { Resolved };
export type RunTarget = EffectOf<'run.target'>;

/** What a target is for when its result is evidence: it passes or it fails. */
const CHECKS: ReadonlySet<Role> = new Set<Role>(['gate', 'test', 'lint', 'format', 'types', 'build']);

/** The targets that a call of the caller's own line runs; none for a script's own call, for one that only looks, and where nothing is known of it. */
export function targetsOf(run: RunTarget, facts: Pick<Facts, 'profile'>): readonly Resolved[] {
  if (run.script !== undefined || run.remote || run.call.looks !== undefined || run.logged) return [];
  const profile = facts.profile(run.call.dir);
  return profile ? targetsNamed(profile, run.call) : [];
}

/** Is it a run whose result is evidence: a check of the workspace, or its gate, and no server? */
export function isCheck(run: RunTarget, facts: Pick<Facts, 'profile'>): boolean {
  if (isGate(run) || showsCheck(run)) return true;
  const targets = targetsOf(run, facts);
  return targets.some(({ target }) => CHECKS.has(target.role)) && !targets.some(({ target }) => target.endless);
}

/** Is it a run of a target that comes to an end by itself? */
export function endsItself(run: RunTarget, facts: Pick<Facts, 'profile'>): boolean {
  if (isGate(run) || showsCheck(run)) return true;
  const targets = targetsOf(run, facts);
  return targets.length > 0 && !targets.some(({ target }) => target.endless);
}

const isGate = (run: RunTarget): boolean => run.gate === true && isOwn(run);

/** `uv run pytest`: the call itself names a tool that checks, whatever is known of the workspace. */
const showsCheck = (run: RunTarget): boolean =>
  (run.call.runner === 'uv' || run.call.runner === 'poetry') && Object.hasOwn(TOOLS, run.call.targets[0] ?? '') && isOwn(run);

/** Of the caller's own line, here, and a run. */
const isOwn = (run: RunTarget): boolean => run.script === undefined && !run.remote && !run.logged && run.call.looks === undefined;

/** What to call a run in a text: `npm test`. */
export const runName = (run: { bare?: { words: string } | undefined; source: string }): string => run.bare?.words ?? run.source;

/** The normalized consequence of a run for boundaries: equal whatever stands around the call. */
export const runBoundary = (what: string, run: RunTarget): string =>
  `${what} ${run.call.dir ?? ''} ${run.call.runner} ${run.call.targets.join(' ') || 'default'}`;

/** What the run log's own options say instead of what the line does with the output. */
interface Projected {
  options: readonly string[];
  /** The options keep what the line wanted to see or keep. */
  because: string;
}

/** The options of `waygate run` for a flow and a time limit; undefined when none do the same. */
function projectionOf(flow: OutputFlow, bound: RunTarget['bound'], inLoop: boolean): Projected | undefined {
  const options: string[] = [];
  const says: string[] = [];
  if (bound) {
    if (bound.ms === undefined) return undefined;
    options.push('--timeout', durationText(bound.ms));
    says.push('the run log records the time limit as the cause');
  }
  const filters = flow.pipe.map(filterOf);
  if (filters.some((filter) => filter === undefined)) return undefined;
  const { tail, grep, failure, tee } = combined(filters as readonly Filter[]);
  const kept = keptFile(flow, tee, inLoop);
  if (kept === null) return undefined;
  if (tail !== undefined) options.push('--tail', String(tail));
  if (grep !== undefined) options.push('--grep', quote(grep));
  if (failure) options.push('--failure');
  if (!shows(flow)) options.push('--quiet');
  if (kept) options.push(kept.both ? '--tee-all' : '--tee', kept.word);
  if (flow.pipe.length > 0 || flow.files.length > 0) says.push('the exit status stays its own, and the whole output is kept');
  return { options, because: says.join('; ') };
}

function combined(filters: readonly Filter[]): { tail?: number; grep?: string; failure: boolean; tee?: string } {
  const tail = filters.findLast((filter) => filter.tail !== undefined)?.tail;
  const greps = filters.filter((filter) => filter.grep !== undefined);
  const tee = filters.find((filter) => filter.tee !== undefined)?.tee;
  const grep = greps.length === 1 ? greps[0]!.grep : undefined;
  const failure = filters.some((filter) => filter.failure) || greps.length > 1;
  return {
    failure: failure && grep === undefined,
    ...(tail === undefined ? {} : { tail }),
    ...(grep === undefined ? {} : { grep }),
    ...(tee === undefined ? {} : { tee }),
  };
}

/** The file in which the line keeps the output, as a word: undefined for none, null when it is not known which, or when there are several. */
function keptFile(flow: OutputFlow, tee: string | undefined, inLoop: boolean): { word: string; both: boolean } | undefined | null {
  const own = flow.files.filter((file) => !file.discards && !file.append);
  const behind = flow.pipe.flatMap((stage) =>
    stage.into.filter((target) => target.path !== '/dev/null').map((target) => ({ target, fds: stage.fds })),
  );
  const teed = tee === undefined ? [] : [{ word: quote(tee), fds: flow.pipe.find((stage) => stage.program === 'tee')?.fds ?? [1] }];
  const kept = [...teed, ...[...own, ...behind].map(({ target, fds }) => ({ word: wordOf(target, inLoop), fds }))];
  const [first] = kept;
  if (!first) return undefined;
  return first.word === null || kept.length > 1 ? null : { word: first.word, both: first.fds.includes(2) };
}

/** A path as a word of the line; null when it is not known. */
function wordOf(target: Path, inLoop: boolean): string | null {
  // A loop's own variable stands in the name again.
  if (inLoop && target.raw.includes('$')) return /[\n`(]/.test(target.raw) ? null : target.raw;
  return target.path === undefined || target.glob ? null : quote(/^[\w@%+=:,./-]+$/.test(target.raw) ? target.raw : target.path);
}

/** Does stdout, or what filters leave of it, reach the agent? */
const shows = (flow: OutputFlow): boolean =>
  flow.pipe.length > 0 ? (flow.pipe.at(-1)?.into.length ?? 0) === 0 : !flow.files.some((file) => file.fds.includes(1));

/** Milliseconds as the run log reads them: `90s`, `10m`, `2h`. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** A call that can be written again: a run of a target, or of a tool. */
export type Call = Pick<RunTarget, 'bare' | 'around' | 'output' | 'cwd'> & Partial<Pick<RunTarget, 'bound' | 'looped'>>;

/** The run through the run log, with all that the line does with its output put into options; undefined when nothing does the same. */
export function throughLog(run: Call, waygate: string, place: readonly string[] = []): { text: string; because: string } | undefined {
  const inPlace = run.around !== undefined && place.length === 0;
  const projected = projectionOf(run.output, run.bound, inPlace && run.looped === true);
  if (!run.bare || !projected) return undefined;
  const words = (inPlace ? run.bare.inPlace : undefined) ?? run.bare.words;
  return {
    text: `${run.bare.prefix}${[waygate, 'run', ...place, ...projected.options, '--'].join(' ')} ${words}`,
    because: projected.because,
  };
}
