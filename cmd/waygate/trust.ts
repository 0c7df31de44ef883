/** `waygate trust`: a person lets entries count that lower the policy. Shows each, asks on the terminal, keeps digests. */
import { realpathSync } from 'node:fs';
import { renderError } from '../../internal/policy/errors.ts';
import type { Loosening } from '../../internal/policy/policy.ts';
import { addTrust, readTrust, revokeTrust, type Trusted } from '../../internal/policy/trust.ts';
import { visible } from '../../internal/view/visible.ts';
import { assurePerson } from './person.ts';
import { type Exit, Failure, paint, say, sayJson, tell, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { type Workspace, workspaceHere } from './workspace.ts';

interface Flags {
  list?: boolean;
  revoke?: string | boolean;
  json?: boolean;
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .option('--list', 'show what is trusted here and what waits')
    .option('--revoke [key]', 'take trust back, from one key or from all')
    .option('--json', 'one JSON document (with --list)')
    .action(async (flags: Flags) => exit(await trust(flags)));
  examples(command, [
    ['waygate trust --list', 'what is trusted here and what waits'],
    ['waygate trust', 'let what waits count, for sessions that start from now on'],
    ['waygate trust --revoke rules.sed-in-place', 'take it back'],
  ]);
};

async function trust(flags: Flags): Promise<Exit> {
  if (flags.list && flags.revoke !== undefined) throw new UsageError('--list and --revoke exclude each other');
  if (flags.json && !flags.list) throw new UsageError('--json goes with --list');
  const here = await workspaceHere();
  if (flags.list) return list(here, flags.json === true);
  if (flags.revoke !== undefined) return revoke(here, flags.revoke);
  for (const error of here.policy.errors) tell(visible(renderError(error)));
  const waiting = here.policy.untrusted;
  if (waiting.length === 0) {
    say('nothing waits for trust here');
    return 0;
  }
  const shown = waiting.map(entryLine).join('\n');
  await assurePerson('trust', `let ${waiting.length === 1 ? 'this entry' : `these ${waiting.length} entries`} count:\n${shown}`, {
    entries: waiting,
  });
  if (!addTrust(here.places, waiting, new Date()))
    throw new Failure(`${here.places.state}/trust.json could not be written; nothing is trusted`);
  say(`${paint('green', 'trusted')}  they count for sessions that start from now on; a session that runs keeps what it started with`);
  return 0;
}

/** `waygate.yaml:4  rules.sed-in-place  deny -> off`. */
const entryLine = (entry: Loosening): string =>
  visible(`  ${place(entry.origin)}  ${entry.key}  ${value(entry.from)} -> ${value(entry.to)}`);

const place = (origin: Loosening['origin']): string => (origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`);

const value = (given: unknown): string =>
  given === null || given === undefined ? 'none' : typeof given === 'string' ? given : JSON.stringify(given);

/** The entries of this workspace and of the user's own file. */
function trustedHere({ root, places }: Workspace): readonly Trusted[] {
  const scopes = [real(root), real(places.user)];
  return readTrust(places).filter((entry) => scopes.includes(entry.scope));
}

function list(here: Workspace, json: boolean): Exit {
  const trusted = trustedHere(here);
  const waiting = here.policy.untrusted;
  if (json) {
    sayJson({ trusted, waiting });
    return 0;
  }
  say(
    trusted.length === 0
      ? 'trusted: nothing'
      : `trusted:\n${trusted.map((entry) => visible(`  ${entry.file}  ${entry.key}  ${value(entry.value)}  since ${entry.at}`)).join('\n')}`,
  );
  say(waiting.length === 0 ? 'waiting: nothing' : `waiting, not in force:\n${waiting.map(entryLine).join('\n')}`);
  return 0;
}

async function revoke(here: Workspace, key: string | boolean): Promise<Exit> {
  const known = trustedHere(here);
  const meant = key === true ? known : known.filter((entry) => entry.key === key);
  if (meant.length === 0)
    throw new Failure(key === true ? 'nothing is trusted here' : `${JSON.stringify(key)} is not trusted here; see waygate trust --list`);
  await assurePerson('trust --revoke', `take trust back from ${meant.map((entry) => entry.key).join(', ')}`, { entries: meant });
  const gone = revokeTrust(here.places, (entry) => meant.some((each) => each.scope === entry.scope && each.digest === entry.digest));
  if (!gone) throw new Failure(`${here.places.state}/trust.json could not be written; nothing was changed`);
  for (const entry of gone) say(`${paint('green', 'revoked')}  ${visible(entry.key)}`);
  return 0;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
