/** Effects on the machine: the tables of privilege, persistence, state and exhaustion. */
import type { Family, FamilyTable } from './family.ts';
import { EXHAUSTION_FAMILIES } from './system-exhaustion.ts';
import { PERSISTENCE_FAMILIES } from './system-persistence.ts';
import { forcedLibrary, PRIVILEGE_FAMILIES } from './system-privilege.ts';
import { STATE_FAMILIES } from './system-state.ts';

/** Several families may know one program: `systemctl enable` stays, `systemctl stop` changes the state. */
export const SYSTEM_FAMILIES: readonly FamilyTable[] = [PRIVILEGE_FAMILIES, PERSISTENCE_FAMILIES, STATE_FAMILIES, EXHAUSTION_FAMILIES];

/** Asked for every command. */
export const SYSTEM_EVERY: readonly Family[] = [forcedLibrary];
