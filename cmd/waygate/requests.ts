/** `waygate requests`: what waits for the owner and what became of the rest. Rejecting one is a person's. */

import { redact } from '../../internal/decision/redact.ts';
import type { Grant, RejectedRecord, RequestRecord } from '../../internal/grant/records.ts';
import { appendOwner, grantsIn, readOwner, readRequests, realOf, rejectionsIn } from '../../internal/grant/store.ts';
import { newId } from '../../internal/judge/identity.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { visible } from '../../internal/view/visible.ts';
import { assurePerson } from './person.ts';
import { shownRequest } from './requests-view.ts';
import { type Exit, Failure, paint, say, sayJson, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  all?: boolean;
  json?: boolean;
  reject?: string;
  reason?: string;
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .option('--all', 'of every workspace, answered ones too')
    .option('--json', 'one JSON document')
    .option('--reject <id>', 'say no to a request; a person, on a terminal')
    .option('--reason <text>', 'why, for the agent to read (with --reject)')
    .action(async (flags: Flags) => exit(await requests(flags)));
  examples(command, [
    ['waygate requests', 'what waits here'],
    ["waygate requests --reject 01JD… --reason 'use the release job'", 'close it and every rephrasing of it'],
  ]);
};

async function requests(flags: Flags): Promise<Exit> {
  if (flags.reject !== undefined) return reject(flags.reject, flags.reason);
  if (flags.reason !== undefined) throw new UsageError('--reason goes with --reject');
  const list = statesOf(readRequests(flags.all ? undefined : realOf(rootOf(process.cwd()) ?? process.cwd())));
  const loose = looseGrants(flags.all === true);
  if (flags.json) {
    sayJson({
      grants: loose,
      requests: list.map(({ request, state, grant, rejection }) => ({
        ...request,
        state,
        ...(grant ? { grant } : {}),
        ...(rejection ? { rejection } : {}),
      })),
    });
    return 0;
  }
  const shown = flags.all
    ? list
    : list.filter((each) => each.state === 'waiting').concat(list.filter((each) => each.state !== 'waiting').slice(-5));
  if (shown.length === 0) say('no requests here');
  for (const { request, state, grant, rejection } of shown) {
    say(visible(`${request.id}  ${state}  ${request.at.slice(0, 16).replace('T', ' ')}  ${request.need}`));
    say(shownRequest(request, 3));
    if (grant)
      say(
        visible(
          `  grant     ${grant.id} ${grant.dead ?? `until ${grant.until.slice(0, 16).replace('T', ' ')} UTC`}, used ${grant.used}${grant.uses === undefined ? '' : ` of ${grant.uses}`}: ${grant.reason}`,
        ),
      );
    if (rejection) say(visible(`  rejected  ${rejection.id}: ${rejection.reason}`));
  }
  for (const grant of loose)
    say(
      visible(
        `${grant.id}  granted  ${grant.glob ?? grant.rule ?? ''}  ${grant.scope}, ${grant.dead ?? `until ${grant.until.slice(0, 16).replace('T', ' ')} UTC`}, used ${grant.used}: ${grant.reason}`,
      ),
    );
  return 0;
}

/** Grants that no request stands behind; live ones that count here, or all. */
function looseGrants(all: boolean): readonly Grant[] {
  const here = realOf(rootOf(process.cwd()) ?? process.cwd());
  const grants = grantsIn(readOwner(), new Date()).filter((grant) => grant.request === undefined);
  return all ? grants : grants.filter((grant) => !grant.dead && (grant.scope === 'all' || grant.workspace === here));
}

interface State {
  request: RequestRecord;
  state: 'waiting' | 'granted' | 'rejected' | 'over';
  grant?: Grant;
  rejection?: RejectedRecord;
}

/** Each request with what became of it. */
export function statesOf(list: readonly RequestRecord[]): readonly State[] {
  const owner = readOwner();
  const grants = grantsIn(owner, new Date());
  const rejections = rejectionsIn(owner);
  return list.map((request) => {
    const rejection = rejections.findLast((each) => each.request === request.id);
    if (rejection) return { request, state: 'rejected' as const, rejection };
    const grant = grants.findLast((each) => each.request === request.id);
    if (!grant) return { request, state: 'waiting' as const };
    return { request, state: grant.dead ? ('over' as const) : ('granted' as const), grant };
  });
}

/** A request by its id, or the start of it. */
export function requestNamed(id: string): RequestRecord {
  const all = readRequests();
  const found = all.filter((each) => each.id === id || (id.length >= 6 && each.id.startsWith(id.toUpperCase())));
  if (found.length === 1) return found[0]!;
  throw new Failure(
    found.length === 0
      ? `there is no request ${visible(id)}; see waygate requests`
      : `${visible(id)} is not one request but ${found.length}`,
  );
}

async function reject(id: string, reason: string | undefined): Promise<Exit> {
  const why = reason?.trim();
  if (!why) throw new UsageError("--reject needs --reason: the agent reads it, e.g. --reason 'use the release job'");
  const request = requestNamed(id);
  await assurePerson(
    'requests --reject',
    `close this request, and every other wording of it:\n${shownRequest(request, 40)}\n  reason    ${visible(why)}`,
    {
      request: request.id,
      reason: redact(why),
    },
  );
  const now = new Date();
  appendOwner({
    t: 'rejected',
    id: newId(now),
    at: now.toISOString(),
    workspace: request.workspace,
    request: request.id,
    digest: request.object.digest,
    boundaries: request.refusals.map((each) => each.boundary),
    reason: redact(/[.!?]$/.test(why) ? why : `${why}.`),
  });
  say(`${paint('green', 'rejected')}  the agent reads the reason with the next refusal; waygate revoke takes it back`);
  return 0;
}
