/**
 * Files of credentials, as the reader meets them: their values never get into words, since words end up in messages and
 * in the record. Reading them for what they set is fine.
 */
import { secretByName, secretVariableName } from '../secret/names.ts';
import type { Look } from './command.ts';

/** The text of a file for following it through the line; undefined for a file of credentials. */
export const readPlain = (look: Look, path: string, limit: number): string | undefined =>
  secretByName(path) === undefined ? look.read(path, limit) : undefined;

/** A sourced file of credentials as code: what it sets stays known, but the values of credentials do not. */
export function withoutCredentials(path: string, code: string): string {
  if (secretByName(path) === undefined) return code;
  return code
    .split('\n')
    .map((line) => {
      const assigned = /^(\s*(?:export\s+)?)([A-Za-z_]\w*)=/.exec(line);
      return assigned && secretVariableName(assigned[2]!) ? `${assigned[1]}${assigned[2]}=$${assigned[2]}` : line;
    })
    .join('\n');
}
