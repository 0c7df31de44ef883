/** Shapes of a line, for the rules about how a line is written. */
import type { ParsedScript } from 'unbash';
import type { Command, Shape } from './command.ts';

/** The shapes of a line. */
export function shapesOf(_script: ParsedScript, _source: string, _commands: readonly Command[]): Shape[] {
  return [];
}
