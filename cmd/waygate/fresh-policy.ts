/** The waygate.yaml that `waygate init` writes: the preset, and what was detected of the workspace. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realLook } from '../../internal/fact/look.ts';
import { detectProfile } from '../../internal/profile/detect.ts';
import type { Profile } from '../../internal/profile/profile.ts';
import { proposedLines } from '../../internal/profile/propose.ts';
import { schemaFile } from './install.ts';
import { ask, tell } from './terminal.ts';

/** What the top of a workspace runs. */
export const detectedIn = (workspace: string): Profile | undefined => detectProfile(workspace, workspace, realLook());

/** The text of a new file. */
export const freshPolicy = (
  preset: string,
  workspace: string,
  declareGate: boolean,
): string => `# yaml-language-server: $schema=${schemaPlace(workspace)}
# What waygate refuses here. All keys: waygate schema; all rules: waygate describe rules
version: 1
preset: ${preset}
${proposedLines(detectedIn(workspace), declareGate).join('\n')}
`;

/** Asks on the terminal whether what looks like the gate is to be it. Only a declared gate is enforced. */
export async function gateWanted(workspace: string): Promise<boolean> {
  const gate = detectedIn(workspace)?.proposedGate;
  if (gate === undefined) return false;
  tell(`${gate} looks like the gate of this workspace: the command that has to pass before a push.`);
  return /^y(es)?$/i.test(await ask('declare it? [y/N]: '));
}

/** Where an editor finds the schema: relative where the workspace has the package, so that the file fits every machine. */
const schemaPlace = (workspace: string): string => (existsSync(join(workspace, IN_PACKAGE)) ? `./${IN_PACKAGE}` : schemaFile());

const IN_PACKAGE = 'node_modules/waygate/docs/reference/waygate.schema.json';
