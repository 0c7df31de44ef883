/** The families, one line each. Order does not matter: every family that knows a program is asked. */
import type { Family, FamilyTable } from './family.ts';

/** Families by program name. */
export const FAMILIES: readonly FamilyTable[] = [];

/** Families that look at every command: redirections, unknown programs. */
export const EVERY_COMMAND: readonly Family[] = [];
