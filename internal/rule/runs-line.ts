/** The line of a run written again, with every call in it that has to change: a remedy for one of them alone would be refused for the next. */
import type { Effect, EffectOf } from '../effect/effect.ts';
import type { Facts } from '../fact/facts.ts';
import { quote } from './quote.ts';
import { endsItself, isCheck, type RunTarget, throughLog } from './runs.ts';
import { isFilter } from './runs-filters.ts';
import { isTests, type RunTool, wrappers } from './runs-tools.ts';

/** What writing again takes. */
export interface Rewriting {
  facts: Pick<Facts, 'profile' | 'show'>;
  waygate: string;
  effects: readonly Effect[];
}

/** A call in other words. */
interface Again {
  text: string;
  because: string;
}

export interface Way {
  run: string;
  because: string;
}

/**
 * Ways to have what a call is for: the whole line with all its calls put right, then, beside other runs that may stand in the way, the
 * call alone. None when nothing does the same.
 */
export function waysOn(run: RunTarget | RunTool, rewriting: Rewriting): readonly Way[] {
  const own = again(run, rewriting);
  if (!own) return [];
  const { around } = run;
  if (!around) return alone(run, rewriting);
  const whole = { run: lineAgain(`${around.before}${around.own}${around.after}`, rewriting), because: own.because };
  const single = callsOf(rewriting.effects).every((each) => each.around?.before === around.before);
  return single || ('looped' in run && run.looped) ? [whole] : [whole, ...alone(run, rewriting)];
}

/** The runs of the line itself. */
const callsOf = (effects: readonly Effect[]): readonly (RunTarget | RunTool)[] =>
  effects.filter(
    (each): each is RunTarget | RunTool => (each.kind === 'run.target' || each.kind === 'run.tool') && each.script === undefined,
  );

/** The call by itself, from where the caller stands. */
function alone(run: RunTarget | RunTool, rewriting: Rewriting): readonly Way[] {
  const place = placeOf(run, rewriting.facts.show);
  const own = again({ ...run, around: undefined }, rewriting, place);
  if (!own) return [];
  const placed = place.length === 0 || own.text.includes(`${rewriting.waygate} run -C `) ? own.text : `cd ${place[1]} && ${own.text}`;
  return [{ run: placed, because: own.because }];
}

/** The line with every call of it that has to change written again. */
function lineAgain(line: string, rewriting: Rewriting): string {
  const edits = new Map<number, { end: number; text: string }>();
  for (const effect of callsOf(rewriting.effects)) {
    if (!effect.around) continue;
    const { before, own } = effect.around;
    // The same call is a run of a target and of a tool: what the tool is called past comes first.
    const text = effect.kind === 'run.tool' || !edits.has(before.length) ? again(effect, rewriting)?.text : undefined;
    if (text !== undefined) edits.set(before.length, { end: before.length + own.length, text });
  }
  let out = line;
  for (const [start, { end, text }] of [...edits].sort(([a], [b]) => b - a)) out = `${out.slice(0, start)}${text}${out.slice(end)}`;
  return withoutStatus(out, rewriting.effects).trim();
}

/** A print of the exit status at the end falls away with what made it necessary. */
function withoutStatus(line: string, effects: readonly Effect[]): string {
  for (const effect of effects) {
    if (effect.kind !== 'line.shape' || effect.shape.shape !== 'status-echo') continue;
    const at = line.lastIndexOf(effect.shape.source);
    if (at > 0 && line.slice(at + effect.shape.source.length).trim() === '') return line.slice(0, at).replace(/(?:;|&&|\|\|)?\s*$/, '');
  }
  return line;
}

/** One call in other words; undefined when it may stay, or when nothing does the same. */
function again(run: RunTarget | RunTool, rewriting: Rewriting, place: readonly string[] = []): Again | undefined {
  return run.kind === 'run.tool' ? toolAgain(run, rewriting, place) : targetAgain(run, rewriting, place);
}

function targetAgain(run: RunTarget, { facts, waygate }: Rewriting, place: readonly string[]): Again | undefined {
  const { pipe, files } = run.output;
  const filtered = pipe.length > 0 && pipe.every(isFilter);
  const diverted = pipe.length === 0 && files.length > 0;
  if (!((filtered || diverted) && isCheck(run, facts)) && !(run.bound && endsItself(run, facts))) return undefined;
  // Without its redirection the reason is seen, and nothing else has to change.
  if (diverted && !run.bound && run.bare && files.every((file) => file.discards && !file.fds.includes(1)))
    return { text: `${run.bare.prefix}${run.bare.inPlace ?? run.bare.words}`, because: 'the error stream says why a check fails' };
  return throughLog(run, waygate, place);
}

function toolAgain(tool: RunTool, { facts, waygate, effects }: Rewriting, place: readonly string[]): Again | undefined {
  const [best] = wrappers(tool, effects, facts);
  if (!best && tool.output.pipe.length > 0 && tool.output.pipe.every(isFilter) && isTests(tool)) return throughLog(tool, waygate, place);
  if (!best || !tool.bare) return undefined;
  const call = { ...tool, bare: { prefix: tool.bare.prefix, words: best.call } };
  const because = "with the workspace's own options and steps";
  if (tool.output.pipe.length === 0 && tool.output.files.length === 0) return { text: `${call.bare.prefix}${best.call}`, because };
  const through = throughLog(call, waygate, place);
  return through && { text: through.text, because };
}

/** `-C DIR` where the call runs elsewhere than the caller stands. */
function placeOf(run: Pick<EffectOf<'run.target'>, 'cwd'>, show: (path: string) => string): readonly string[] {
  if (run.cwd === undefined) return [];
  const shown = show(run.cwd);
  return shown === '.' ? [] : ['-C', quote(/[~…\\]/.test(shown) ? run.cwd : shown)];
}
