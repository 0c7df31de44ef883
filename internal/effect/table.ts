/** The families, one line each. Order does not matter: every family that knows a program is asked. */

import { DATA } from './data-table.ts';
import { EXTERNAL_FAMILIES } from './external.ts';
import type { Family, FamilyTable } from './family.ts';
import { FILES, REDIRECTIONS } from './files.ts';
import { FORGE } from './forge.ts';
import { GIT } from './git.ts';
import { interpreterFamilies, scripts } from './interpreters/families.ts';
import { NETWORK_EVERY, NETWORK_FAMILIES } from './network.ts';
import { OTHER_VCS } from './other-vcs.ts';
import { PACKAGE_FAMILIES } from './packages.ts';
import { PROCESS_FAMILIES } from './process.ts';
import { RUN_FAMILIES } from './run.ts';
import { RUN_EVERY } from './run-every.ts';
import { SYSTEM_EVERY, SYSTEM_FAMILIES } from './system.ts';
import { WAYGATE } from './waygate.ts';

/** Families by program name. */
export const FAMILIES: readonly FamilyTable[] = [
  ...WAYGATE,
  ...FILES,
  ...DATA,
  GIT,
  OTHER_VCS,
  FORGE,
  EXTERNAL_FAMILIES,
  PROCESS_FAMILIES,
  ...SYSTEM_FAMILIES,
  NETWORK_FAMILIES,
  ...PACKAGE_FAMILIES,
  interpreterFamilies,
  ...RUN_FAMILIES,
];

/** Families that look at every command: redirections, unknown programs. */
export const EVERY_COMMAND: readonly Family[] = [REDIRECTIONS, ...NETWORK_EVERY, scripts, ...SYSTEM_EVERY, ...RUN_EVERY];
