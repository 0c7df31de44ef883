/** What is asked of every command, whatever program it is: cheap tests only, the rest is loaded when one of them is met. */
import { textOf } from '../shell/word.ts';
import type { Family } from './family.ts';
import { captureEffects } from './run-capture.ts';
import { environmentEffects } from './run-environment.ts';
import { work } from './run-work.ts';

/** Only an operand that ends like the name of a capture is looked at. */
const captures: Family = (command, context) => {
  if (command.script !== undefined) return [];
  const input = command.stdin.from === 'file' ? command.stdin.file : undefined;
  const operand = input && isCaptureName(input) ? input : command.args.findLast(isCaptureName);
  return operand ? captureEffects(command, operand, context) : [];
};

const isCaptureName = (word: Parameters<typeof textOf>[0]): boolean => {
  const text = textOf(word);
  return text !== undefined && (text.endsWith('.log') || text.endsWith('.output'));
};

/** Commands of scripts have their own business. */
const environment: Family = (command, context) =>
  command.env.size === 0 || command.script !== undefined ? [] : environmentEffects(command, context);

export const RUN_EVERY: readonly Family[] = [captures, environment, work];
