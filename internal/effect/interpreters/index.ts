/** Programs in other languages than the shell's: what their text would do. */
import type { Look } from '../../shell/command.ts';
import type { Base, Effect } from '../effect.ts';
import type { FamilyTable } from '../family.ts';

/** The interpreters by program name. */
export const interpreterFamilies: FamilyTable = {};

/** The effects of a program text, for tools that take code. `language`: python, node, ruby, perl, php, lua. */
export function programEffects(_language: string, _text: string, _base: Base, _look: Look): Effect[] {
  return [];
}
