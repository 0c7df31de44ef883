/** `waygate hook`: one event on stdin, the host's reply on stdout, stderr and in the exit code. The hot path. */
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { type Around, type Host, type Reply, SILENT } from '../../internal/host/host.ts';
import { HOSTS, hostNamed, hostOf } from '../../internal/host/hosts.ts';
import { PAYLOAD_LIMIT, readPayload } from '../../internal/host/payload.ts';
import { isPlain } from '../../internal/judge/plain.ts';
import { invalidRequest, passed } from '../../internal/judge/refuse.ts';
import { openSession, type Session } from '../../internal/ledger/session.ts';
import { policyAtHand } from '../../internal/policy/current.ts';
import { DEFAULT_POLICY, type Policy } from '../../internal/policy/policy.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { agentView } from '../../internal/view/agent.ts';
import { personView } from '../../internal/view/person.ts';
import { promptView } from '../../internal/view/prompt.ts';
import type { Judged } from './judging.ts';
import { recorded } from './record.ts';
import { onEvent } from './session-events.ts';
import { readAll, writeAll } from './streams.ts';

/** Ends the process: 0 or 2, never anything else. `head`: what has been read of standard input. */
export async function main(head: Uint8Array, argv: readonly string[] = process.argv.slice(3)): Promise<void> {
  const result = await safely(argv, head);
  writeAll(1, result.stdout);
  writeAll(2, result.stderr);
  if (isFirst) await sweep();
  process.exit(result.exitCode);
}

/** The answer is out already. */
async function sweep(): Promise<void> {
  try {
    (await import('../../internal/ledger/retention.ts')).sweepSessions();
  } catch {
    // what stays is taken out another day
  }
}

/** The last net: what gets here is a bug outside the judgement, and still no open door. */
async function safely(argv: readonly string[], head: Uint8Array): Promise<Reply> {
  try {
    return await reply(argv, head);
  } catch {
    const reason =
      '[policy-unavailable] Nothing ran. The guard broke before it could judge this call.\nAsk the owner: Could you run `waygate doctor`?';
    return { stdout: '', stderr: `${reason}\n`, exitCode: 2 };
  }
}

async function reply(argv: readonly string[], head: Uint8Array): Promise<Reply> {
  const usage = usageError(argv);
  if (usage) return { stdout: '', stderr: usage, exitCode: 2 };
  return respond(readAll(0, PAYLOAD_LIMIT, head), hostOption(argv));
}

/** The reply to one payload. Exported for the build, which judges a few calls to fill the code cache. */
export async function respond(bytes: Uint8Array, named?: string): Promise<Reply> {
  const payload = readPayload(bytes);
  if ('empty' in payload) return SILENT;

  const host: Host = (named && hostNamed(named)) || hostOf('value' in payload ? payload.value : undefined);
  if ('problem' in payload) {
    const seen = { host: host.name, event: 'PreToolUse', session: 'unknown', tool: '' };
    return finish(host, invalidRequest(seen, payload.problem, new Date()), { moment: 'before', event: seen.event });
  }
  const parsed = host.parse(payload.value, around());
  if (parsed.kind === 'empty') return SILENT;
  if (parsed.kind === 'invalid')
    return finish(host, invalidRequest(parsed.seen, parsed.problem, new Date()), { moment: 'before', event: parsed.seen.event });
  const { action } = parsed;
  if (action.moment === 'before') return judged(host, action);
  return onEvent(host, action, sessionOf(action.caller.session), workspaceOf(action), async () => (await engine()).policyOf(action));
}

/** The reader, the families, the facts and the rules: a bundle of its own, loaded for what needs them (hack/build.mjs). */
const engine = () => import('./judging.ts');

async function judged(host: Host, action: Action): Promise<Reply> {
  const session = sessionOf(action.caller.session);
  const plain = plainly(action);
  const { decision, policy } = plain ?? (await (await engine()).judging(action, session));
  return finish(host, decision, action, { session, action, policy });
}

/** A call with nothing to judge, where no file says anything else: the engine is not loaded for it. */
function plainly(action: Action): Judged | undefined {
  if (!isPlain(action)) return undefined;
  const policy = policyAtHand(action, { rules: [] });
  return policy === DEFAULT_POLICY ? { decision: passed(action, policy.revision, new Date()), policy } : undefined;
}

interface Placing {
  session?: Session;
  action?: Action;
  policy?: Policy | undefined;
}

/** The decision with its place in the session, recorded and rendered. */
function finish(
  host: Host,
  judged: Decision,
  at: Pick<Action, 'moment' | 'event'>,
  { session = sessionOf(judged.session), action, policy }: Placing = {},
): Reply {
  const { decision, unwritten } = recorded(judged, session, {
    call: action?.callId,
    workspace: action && workspaceOf(action),
    halting: policy?.halting,
  });
  // Told with a refusal only: every other call would repeat it.
  const aside = unwritten && decision.verdict === 'deny' ? ' (This decision could not be recorded.)' : '';
  const person = personView(decision);
  return host.render(decision, at, {
    agent: agentView(decision),
    person: person && person + aside,
    ...(decision.prompt ? { prompt: promptView(decision) } : {}),
  });
}

const workspaceOf = (action: Action): string => rootOf(action.workspace) ?? action.workspace;

/** A session's ledger. Its first record is the rare moment to look for sessions of long ago. */
const sessionOf = (id: string): Session =>
  openSession(id, process.env, () => {
    isFirst = true;
  });

let isFirst = false;

const around = (): Around => ({ cwd: ownDirectory(), env: (name) => process.env[name] });

/** The process's own directory may be gone. */
function ownDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}

function hostOption(argv: readonly string[]): string | undefined {
  const at = argv.indexOf('--host');
  if (at >= 0) return argv[at + 1];
  return argv.find((each) => each.startsWith('--host='))?.slice('--host='.length);
}

/** A wrong flag is a wiring error: exit 2 keeps the door shut and names it. */
function usageError(argv: readonly string[]): string | undefined {
  const known = HOSTS.map((host) => host.name).join(', ');
  for (let i = 0; i < argv.length; i++) {
    const each = argv[i]!;
    if (each === '--host') {
      const name = argv[++i];
      if (name === undefined) return `waygate hook: --host needs a name: ${known}\n`;
      if (!hostNamed(name)) return `waygate hook: --host ${name} is not known; known are: ${known}\n`;
    } else if (each.startsWith('--host=')) {
      if (!hostNamed(each.slice('--host='.length))) return `waygate hook: ${each} is not known; known are: ${known}\n`;
    } else return `waygate hook: unknown argument ${each}; usage: waygate hook [--host HOST]\n`;
  }
  return undefined;
}
