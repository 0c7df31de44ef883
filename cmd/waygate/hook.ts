/** `waygate hook`: one event on stdin, the host's reply on stdout, stderr and in the exit code. The hot path. */
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { type Around, type Host, type Reply, SILENT } from '../../internal/host/host.ts';
import { HOSTS, hostNamed, hostOf } from '../../internal/host/hosts.ts';
import { readPayload } from '../../internal/host/payload.ts';
import { answer } from '../../internal/judge/answer.ts';
import { invalidRequest } from '../../internal/judge/refuse.ts';
import { appendDecision } from '../../internal/ledger/decisions.ts';
import { agentView } from '../../internal/view/agent.ts';
import { personView } from '../../internal/view/person.ts';
import { sources } from './compose.ts';
import { readAll, writeAll } from './streams.ts';

/** Ends the process: 0 or 2, never anything else. */
export async function main(argv: readonly string[] = process.argv.slice(3)): Promise<void> {
  const result = await safely(argv);
  writeAll(1, result.stdout);
  writeAll(2, result.stderr);
  process.exit(result.exitCode);
}

/** The last net: what gets here is a bug outside the judgement, and still no open door. */
async function safely(argv: readonly string[]): Promise<Reply> {
  try {
    return await reply(argv);
  } catch {
    const reason =
      '[policy-unavailable] Nothing ran. The guard broke before it could judge this call.\nAsk the owner: Could you run `waygate doctor`?';
    return { stdout: '', stderr: `${reason}\n`, exitCode: 2 };
  }
}

async function reply(argv: readonly string[]): Promise<Reply> {
  const usage = usageError(argv);
  if (usage) return { stdout: '', stderr: usage, exitCode: 2 };
  return respond(readAll(), hostOption(argv));
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
  if (parsed.action.moment !== 'before') return SILENT;
  return finish(host, await answer(parsed.action, sources()), parsed.action);
}

function finish(host: Host, decision: Decision, at: Pick<Action, 'moment' | 'event'>): Reply {
  const unwritten = appendDecision(decision);
  // Told with a refusal only: every other call would repeat it.
  const aside = unwritten && decision.verdict === 'deny' ? ' (This decision could not be recorded.)' : '';
  const person = personView(decision);
  return host.render(decision, at, { agent: agentView(decision), person: person && person + aside });
}

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
