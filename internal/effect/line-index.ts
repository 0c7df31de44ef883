/**
 * The commands of a line by step, and who takes whose output by substitution: asked for every effect, so looked up, never searched.
 * A line of 50,000 commands must stay linear.
 */
import type { Command } from '../shell/command.ts';
import type { EffectContext } from './family.ts';
import { perLine } from './per-line.ts';

interface Index {
  byStep: ReadonlyMap<number, Command>;
  /** Step -> the commands that have its output in their words. */
  takers: ReadonlyMap<number, readonly Command[]>;
}

const indexOf = perLine<readonly Command[], void, Index>((commands) => {
  const byStep = new Map<number, Command>();
  const takers = new Map<number, Command[]>();
  for (const command of commands) {
    if (!byStep.has(command.step)) byStep.set(command.step, command);
    const words = command.stdin.from === 'text' ? [...command.args, command.stdin.text] : command.args;
    for (const word of words) {
      for (const part of word.parts) {
        if (part.kind !== 'hole' || !part.steps) continue;
        for (const step of part.steps) {
          const list = takers.get(step);
          if (!list) takers.set(step, [command]);
          else if (list.at(-1) !== command) list.push(command);
        }
      }
    }
  }
  return { byStep, takers };
});

/** The command of a step; undefined when the line has none. */
export const commandAt = (step: number, context: Pick<EffectContext, 'commands'>): Command | undefined =>
  indexOf(context.commands).byStep.get(step);

/** The commands that have the output of a step in their words, by substitution or in their standard input's text. */
export const takersOf = (step: number, context: Pick<EffectContext, 'commands'>): readonly Command[] =>
  indexOf(context.commands).takers.get(step) ?? [];
