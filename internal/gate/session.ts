/**
 * What a repository's gate stood for when a session first met it: a file per session and gate in the state folder, written once. An agent that
 * changes the script behind the gate and runs it has not shown that its work passes the gate the owner declared.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realOf } from '../fact/discover.ts';
import { makeFolder } from '../ledger/folder.ts';
import { stateDir } from '../ledger/state.ts';
import { gatesOf } from '../policy/gates.ts';
import type { Policy } from '../policy/policy.ts';
import { recipeOf } from './recipe.ts';

/** No session to remember anything for. */
const isNone = (session: string): boolean => session === '' || session === 'unknown';

const fileOf = (session: string, top: string, command: string, env: NodeJS.ProcessEnv): string =>
  // Beside the floors that sessions keep, which are swept when they are old; a session's own folder begins with its first record.
  join(stateDir(env), 'policy', 'sessions', createHash('sha256').update(`gate\n${session}\n${top}\n${command}`).digest('hex').slice(0, 32));

/** Remembers the recipes of the gates a call is about, where this session has not met them yet. Never throws. */
export function noteGates(policy: Policy, session: string, env: NodeJS.ProcessEnv = process.env): void {
  if (isNone(session)) return;
  for (const [root, gate] of Object.entries(gatesOf(policy))) {
    try {
      const top = realOf(root);
      const file = fileOf(session, top, gate.command, env);
      if (existsSync(file)) continue;
      makeFolder(join(file, '..'));
      writeFileSync(file, `${recipeOf(gate.command, top, env).recipe}\n`, { flag: 'wx', mode: 0o600 });
    } catch {
      // Another hook was faster, or nothing can be written: then no recipe is asked for.
    }
  }
}

/** What a session remembers: top and command to a record's recipe. undefined where nothing is remembered. */
export function recipesOf(
  session: string,
  env: NodeJS.ProcessEnv = process.env,
): ((top: string, command: string) => string | undefined) | undefined {
  if (isNone(session)) return undefined;
  return (top, command) => {
    try {
      return readFileSync(fileOf(session, top, command, env), 'utf8').trim() || undefined;
    } catch {
      return undefined;
    }
  };
}
