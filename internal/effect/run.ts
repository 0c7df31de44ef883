/** Effects of running things: the task runner, the tools behind it, what the line exports. */
import type { FamilyTable } from './family.ts';
import { EXPORTS } from './run-environment.ts';
import { RUN_TARGETS } from './run-target.ts';
import { RUN_TOOLS } from './run-tool.ts';

export const RUN_FAMILIES: readonly FamilyTable[] = [RUN_TARGETS, ...RUN_TOOLS, EXPORTS];
