/** Variables that a command of the line is given, or that the line exports or unsets for the rest. */
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from './family.ts';

/** Longer lines are not taken apart, in characters. */
const MAX_LINE = 2000;

/** What a command is given. An inner shell's variables were told at the shell. */
export function environmentEffects(command: Command, context: EffectContext): readonly Effect[] {
  const program = command.via.length > 0 && isInherited(command, context) ? undefined : command.name;
  return program === undefined ? [] : [environment(command, [...command.env.keys()], program, context)];
}

/** The same environment as an earlier command's, seen again: behind `bash -c`, or exported before. */
function isInherited(command: Command, context: EffectContext): boolean {
  const before = context.commands[command.step - 1];
  return before !== undefined && command.via.includes(`${before.name} -c`) && [...command.env.keys()].every((name) => before.env.has(name));
}

/** `export A=1`, `unset A`, `declare -x A=1`. */
const exported: Family = (command, context) => {
  if (command.script !== undefined) return [];
  const words = command.args.map((word) => textOf(word) ?? word.raw);
  if (command.name !== 'export' && command.name !== 'unset' && !words.some((word) => /^-\w*x/.test(word))) return [];
  if (words.includes('-f')) return [];
  const names = words.flatMap((word) => /^([A-Za-z_]\w*)(?:\+?=|$)/.exec(word)?.[1] ?? []);
  return names.length > 0 ? [environment(command, names, undefined, context)] : [];
};

function environment(command: Command, names: readonly string[], program: string | undefined, context: EffectContext): Effect {
  return {
    kind: 'line.environment',
    ...baseOf(command),
    names,
    program,
    spots: names.flatMap((name) => spotOf(name, context.call?.text) ?? []),
    command: command.source,
  };
}

type Spot = { name: string; before: string; word: string; after: string };

/** Where a name stands, when it stands in the line once. Its value ends at the first space outside quotes. */
function spotOf(name: string, line: string | undefined): Spot | undefined {
  if (line === undefined || line.length > MAX_LINE) return undefined;
  const [start, second] = placesOf(name, line);
  if (start === undefined || second !== undefined) return undefined;
  const end = wordEnd(line, start + name.length);
  return end === undefined ? undefined : { name, before: line.slice(0, start), word: line.slice(start, end), after: line.slice(end) };
}

function placesOf(name: string, line: string): number[] {
  const places: number[] = [];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const before = line[at - 1];
    const after = line[at + name.length];
    if ((before === undefined || !/[\w$]/.test(before)) && (after === undefined || !/\w/.test(after))) places.push(at);
  }
  return places;
}

/** Where a word ends, from a place in it on; undefined when it holds what only a parser can follow. */
function wordEnd(line: string, from: number): number | undefined {
  let quote = '';
  for (let at = from; at < line.length; at++) {
    const char = line[at]!;
    if (quote) {
      if (quote === '"' && (char === '`' || (char === '$' && line[at + 1] === '('))) return undefined;
      if (char === quote) quote = '';
    } else if (char === "'" || char === '"') {
      // A quote that was open before the name closes here: the word ends with what it encloses.
      if (at > from && !line.slice(from, at).includes('=')) return at;
      quote = char;
    } else if (char === '\\' || char === '`' || (char === '$' && line[at + 1] === '(')) return undefined;
    else if (/[\s;&|()<>]/.test(char)) return at;
  }
  return quote ? undefined : line.length;
}

export const EXPORTS: FamilyTable = { export: exported, unset: exported, declare: exported, typeset: exported };
