/** `waygate grant`: a person lets a refused call through, narrowly: which boundary, where, how long, how often, and why. */
import { redact } from '../../internal/decision/redact.ts';
import { durationOf } from '../../internal/grant/duration.ts';
import { isWildcard } from '../../internal/grant/match.ts';
import type { GrantRecord, GrantScope, RequestRecord } from '../../internal/grant/records.ts';
import { appendOwner, fileDigest, realOf } from '../../internal/grant/store.ts';
import { newId } from '../../internal/judge/identity.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { visible } from '../../internal/view/visible.ts';
import { RULES } from '../../rules/index.gen.ts';
import { assurePerson } from './person.ts';
import { requestNamed } from './requests.ts';
import { shownRequest } from './requests-view.ts';
import { type Exit, Failure, oneOf, paint, say, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  boundary?: string;
  rule?: string;
  scope?: string;
  session?: string;
  for?: string;
  uses?: string;
  reason?: string;
}

/** A grant lives this long when nothing else is said. */
const DEFAULT_FOR = '2h';

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument('[id]', 'the request, see waygate requests')
    .option('--boundary <glob>', 'instead of a request: the boundaries it is for; * is any text')
    .option('--rule <name>', 'only refusals of this rule')
    .option('--scope <scope>', 'session, workspace or all; the session of the request where it is known')
    .option('--session <id>', 'the session (with --scope session)')
    .option('--for <time>', `how long: 30m, 2h, 1d; ${DEFAULT_FOR} when not given`)
    .option('--uses <n>', 'how many calls, or any; 1 when not given')
    .option('--reason <text>', 'why, for the audit log')
    .action(async (id: string | undefined, flags: Flags) => exit(await grant(id, flags)));
  examples(command, [
    ["waygate grant 01JD… --reason 'agreed in the review'", 'this request, once, within two hours'],
    ["waygate grant --boundary 'git.push origin/release/* overwrite' --for 30m --uses 2 --reason 'release repair'", 'without a request'],
  ]);
};

async function grant(id: string | undefined, flags: Flags): Promise<Exit> {
  if (id === undefined && flags.boundary === undefined && flags.rule === undefined)
    throw new UsageError('grant needs the id of a request (see waygate requests), or --boundary with a glob');
  if (id !== undefined && flags.boundary !== undefined) throw new UsageError('grant takes a request or --boundary, not both');
  const reason = flags.reason?.trim();
  if (!reason) throw new UsageError("grant: --reason says why, e.g. --reason 'agreed in the review'");
  const ms = durationOf(flags.for ?? DEFAULT_FOR);
  if (ms === undefined) throw new UsageError(`--for: ${JSON.stringify(flags.for)} is not a time like 30m, 2h or 1d, of at most 30 days`);
  const uses = usesOf(flags.uses);
  if (flags.boundary !== undefined && isWildcard(flags.boundary))
    throw new UsageError('--boundary: a glob of nothing but * would grant everything');
  const request = id === undefined ? undefined : requestNamed(id);
  refuseFixed(request, flags);
  if (request) refuseChanged(request);

  const scope: GrantScope =
    oneOf('--scope', flags.scope, ['session', 'workspace', 'all'] as const) ?? (request?.session ? 'session' : 'workspace');
  const session = flags.session ?? request?.session;
  if (scope === 'session' && session === undefined)
    throw new UsageError('--scope session: the session is not known; name it with --session');
  const now = new Date();
  const record: GrantRecord = {
    t: 'grant',
    id: newId(now),
    at: now.toISOString(),
    until: new Date(now.getTime() + ms).toISOString(),
    scope,
    workspace: request?.workspace ?? realOf(rootOf(process.cwd()) ?? process.cwd()),
    ...(scope === 'session' ? { session: session! } : {}),
    ...(flags.rule === undefined ? {} : { rule: flags.rule }),
    ...(request ? { boundaries: request.refusals.map((each) => each.boundary), request: request.id } : {}),
    ...(request && request.object.files.length > 0 ? { files: request.object.files } : {}),
    ...(flags.boundary === undefined ? {} : { glob: flags.boundary }),
    ...(uses === undefined ? {} : { uses }),
    reason: redact(reason),
  };
  await assurePerson('grant', question(record, request), { grant: record });
  appendOwner(record);
  say(`${paint('green', 'granted')}  ${record.id}  until ${record.until.slice(0, 16).replace('T', ' ')} UTC, ${timesOf(uses)}`);
  say(`the call is judged anew when the agent makes it; take it back with: waygate revoke ${record.id}`);
  return 0;
}

function usesOf(text: string | undefined): number | undefined {
  if (text === undefined) return 1;
  if (text === 'any') return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError(`--uses: ${JSON.stringify(text)} is not a number from 1, or any`);
  return Number(text);
}

/** Fixed rules protect the guard itself: they say so instead of pretending. */
function refuseFixed(request: RequestRecord | undefined, flags: Flags): void {
  const names = [...(request?.refusals.map((each) => each.rule) ?? []), ...(flags.rule === undefined ? [] : [flags.rule])];
  const known = (name: string) => RULES.find((rule) => rule.name === name);
  if (flags.rule !== undefined && !known(flags.rule) && !['budget-exhausted'].includes(flags.rule))
    throw new UsageError(`--rule: there is no rule ${JSON.stringify(flags.rule)}; see waygate describe rules`);
  const fixed = names.find((name) => known(name)?.fixed);
  if (fixed)
    throw new Failure(`${fixed} is a fixed rule: it protects the guard itself and cannot be granted. Do it yourself, outside the agent`);
  if (flags.boundary?.startsWith('guard.'))
    throw new Failure(`${visible(flags.boundary)}: what protects the guard itself is fixed and cannot be granted`);
  if (request && request.refusals.length === 0) throw new Failure('nothing refuses what this request is about: there is nothing to grant');
}

/** What was asked for is not what lies there now: the owner would approve something nobody asked about. */
function refuseChanged(request: RequestRecord): void {
  const changed = request.object.files.find((file) => fileDigest(file.path) !== file.digest);
  if (changed) throw new Failure(`${visible(changed.path)} has changed since the request was put: let the agent ask anew`);
}

function question(record: GrantRecord, request: RequestRecord | undefined): string {
  const where = record.scope === 'all' ? 'everywhere' : record.scope === 'session' ? `session ${record.session}` : record.workspace;
  return [
    request
      ? `let this through:\n${shownRequest(request, 40)}`
      : `let through what is refused at ${visible(record.glob ?? `rule ${record.rule}`)}`,
    visible(`  where     ${where}${record.rule && record.glob ? `, rule ${record.rule} only` : ''}`),
    `  until     ${record.until.slice(0, 16).replace('T', ' ')} UTC, ${timesOf(record.uses)}`,
    visible(`  reason    ${record.reason}`),
    '  It lowers no rule: the call is judged again, and only this boundary is let through.',
  ].join('\n');
}

const timesOf = (uses: number | undefined): string =>
  uses === undefined ? 'any number of calls' : uses === 1 ? 'one call' : `${uses} calls`;
