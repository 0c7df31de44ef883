/** What every effect of a run carries: the call as it can be pasted, and its place in the line. */
import { quote } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { hasHole, textOf, type Word } from '../shell/word.ts';
import type { EffectContext } from './family.ts';
import { isAround, stepOf } from './run-flow.ts';
import { isRunner } from './run-programs.ts';
import type { Around, Bare } from './types-run.ts';

/** Longer lines get no remedy in their own place, in characters: it would be longer still. */
const MAX_LINE = 2000;

/** Wrappers that a call can be lifted out of without becoming another: what they do around it is not part of the goal. */
const DROPPED =
  /^(?:timeout|gtimeout|time|gtime|env|nice|ionice|nohup|stdbuf|unbuffer|setsid|caffeinate|command|exec|trap|eval|xargs|(?:ba|z|da|k|a)?sh(?: -c)?|waygate run)$/;

/** The call alone; undefined when a word is not known, or when it takes part of its meaning from around it. */
export function bareOf(inner: Command, context: EffectContext): Bare | undefined {
  // What `npx` starts is pasted with `npx` in front.
  const command = stepOf(inner.step, context) ?? inner;
  if (command.remote || command.root || !command.via.every((via) => DROPPED.test(via))) return undefined;
  if (!readsNothing(command)) return undefined;
  const words: string[] = [];
  for (const word of command.argv) {
    const text = written(word);
    if (text === undefined) return undefined;
    words.push(text);
  }
  const prefix = prefixOf(command);
  if (prefix === undefined) return undefined;
  const changes = command.looped && command.via.length === 0;
  if (changes && [...command.env.values()].some((word) => word?.raw.includes('$'))) return undefined;
  const raw = command.argv.map((word) => word.raw).join(' ');
  const inPlace = changes && raw.includes('$') ? { inPlace: raw } : {};
  return { prefix, words: words.join(' '), ...inPlace };
}

/** A word as it can be pasted: certain, or a glob as it stands. */
function written(word: Word): string | undefined {
  const text = textOf(word);
  if (text !== undefined) return quote(text);
  return hasHole(word) || /[\n`$]/.test(word.raw) ? undefined : word.raw;
}

/** Nothing is fed into it. Behind xargs the input has become words. */
function readsNothing({ stdin, via }: Command): boolean {
  if (stdin.from === 'inherit' || stdin.from === 'closed' || via.includes('xargs')) return true;
  return stdin.from === 'file' && textOf(stdin.file) === '/dev/null';
}

/** The environment that the line gives it, as assignments in front. */
function prefixOf(command: Command): string | undefined {
  let prefix = '';
  let unset = '';
  for (const [name, word] of command.env) {
    if (!word) unset += `-u ${name} `;
    else {
      const text = textOf(word);
      // A value made of other variables is written again as it was: `PATH="$PATH:bin"`.
      const raw = word.raw.startsWith(`${name}=`) ? word.raw : `${name}=${word.raw}`;
      if (text === undefined && (word.raw === '' || /[\n`]|\$\(/.test(raw))) return undefined;
      prefix += `${text === undefined ? raw : `${name}=${quote(text)}`} `;
    }
  }
  return unset === '' ? prefix : `env ${unset}${prefix}`;
}

/** The line's text around the pipeline of a call, when that holds nothing else. */
export function aroundOf(command: Command, context: EffectContext): Around | undefined {
  const text = context.call?.text;
  const { span } = command;
  if (text === undefined || !span || text.length > MAX_LINE || text.includes('\r')) return undefined;
  const there = (linesOf(context).bySpan.get(String(span)) ?? []).filter((each) => each.script === undefined);
  const through = downstream(command, context);
  const foreign = there.some(
    (each) =>
      each.name !== ':' &&
      !through.has(each.step) &&
      !isSame(each, command) &&
      !isAround(each, [...there.filter((other) => isSame(other, command)), command]) &&
      !there.some((other) => through.has(other.step) && isAround(each, [other])),
  );
  return foreign ? undefined : { before: text.slice(0, span[0]), own: text.slice(span[0], span[1]), after: text.slice(span[1]) };
}

/** The same call: once more in the other directory, or as what `npx` and the like start. */
const isSame = (a: Command, b: Command): boolean => a.source === b.source && (a.step === b.step || a.name === b.name);

/** The steps that its output goes through. */
function downstream(command: Command, context: EffectContext): ReadonlySet<number> {
  const steps = new Set<number>();
  const visit = (from: Command, depth: number): void => {
    const next: number[] = [];
    for (let outlet = from.outlet; outlet; outlet = outlet.outer) if (outlet.kind === 'pipe') next.push(...outlet.steps);
    for (const { target } of from.redirects)
      for (const part of target.parts) if (part.kind === 'hole' && part.why === 'process') next.push(...(part.steps ?? []));
    for (const step of next) {
      if (steps.has(step) || steps.size > 100) continue;
      steps.add(step);
      const stage = context.commands[step];
      if (stage && depth < 20) visit(stage, depth + 1);
    }
  };
  visit(command, 0);
  return steps;
}

interface LineIndex {
  bySpan: ReadonlyMap<string, readonly Command[]>;
  others: number;
}

const indexes = new WeakMap<readonly Command[], LineIndex>();

function linesOf({ commands }: EffectContext): LineIndex {
  let index = indexes.get(commands);
  if (!index) {
    const bySpan = new Map<string, Command[]>();
    for (const command of commands) {
      if (!command.span) continue;
      const key = String(command.span);
      const list = bySpan.get(key);
      if (list) list.push(command);
      else bySpan.set(key, [command]);
    }
    index = { bySpan, others: othersIn(commands) };
    indexes.set(commands, index);
  }
  return index;
}

/** Commands besides calls of runners; a `cd` in front of all of them does not count. */
function othersIn(commands: readonly Command[]): number {
  const own = commands.filter((each) => each.script === undefined).slice(0, 50);
  const first = own.findIndex((each) => isRunner(each.name));
  const calls = own.filter((each) => isRunner(each.name));
  return own.filter((each, i) => !isRunner(each.name) && !(each.name === 'cd' && i < first) && !isAround(each, calls)).length;
}

/** Commands of the line besides calls of runners; many when the line is not the caller's own. */
export const othersOf = (context: EffectContext): number =>
  context.call && context.call.text.length <= MAX_LINE ? linesOf(context).others : 99;
