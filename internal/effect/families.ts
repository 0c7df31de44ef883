/**
 * Which families know a program. In the hook's bundle this file is replaced by a generated one of the same shape, which loads a
 * family at its first call (hack/lazy.mjs).
 */
import type { Family } from './family.ts';
import { FAMILIES } from './table.ts';

const known = new Map<string, readonly Family[]>();

/** The families that know a program, in the order of the table. */
export function familiesOf(program: string): readonly Family[] {
  let families = known.get(program);
  if (!families) {
    families = FAMILIES.flatMap((table) => (Object.hasOwn(table, program) ? [table[program]!] : []));
    known.set(program, families);
  }
  return families;
}

export { EVERY_COMMAND } from './table.ts';
