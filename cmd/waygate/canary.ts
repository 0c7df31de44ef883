/** The canary: an event that every policy denies, sent through the configured command the way the host sends it. */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** How long the host would wait, in milliseconds. */
const HOST_LIMIT_MS = 10_000;

/** Only a person may run this, so a fixed rule denies it everywhere. It is judged, never run. */
const CANARY_COMMAND = 'waygate uninstall --yes';

export interface CanaryResult {
  denied: boolean;
  /** What came instead, or how the refusal came. */
  detail: string;
  ms: number;
}

/** Sends the canary through a shell, as Claude Code starts a hook in its string form. */
export function sendCanary(command: string): CanaryResult {
  const event = {
    session_id: 'waygate-doctor',
    cwd: tmpdir(),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: CANARY_COMMAND },
    tool_use_id: 'waygate-canary',
  };
  const started = performance.now();
  const result = spawnSync(command, { shell: true, cwd: tmpdir(), input: JSON.stringify(event), encoding: 'utf8', timeout: HOST_LIMIT_MS });
  const ms = Math.round(performance.now() - started);
  if (result.error) return { denied: false, detail: `it could not be run: ${result.error.message}`, ms };
  if (result.status !== 2) return { denied: false, detail: `exit code ${result.status ?? result.signal}: the host lets the call run`, ms };
  if (result.stderr.trim() === '')
    return { denied: false, detail: 'exit code 2 without a reason on stderr: some hosts let the call run', ms };
  if (!saysDeny(result.stdout))
    return { denied: false, detail: 'exit code 2, but no deny on stdout: some versions of the host let the call run', ms };
  return { denied: true, detail: result.stderr.trim().split('\n')[0]!, ms };
}

function saysDeny(stdout: string): boolean {
  try {
    const answer = JSON.parse(stdout) as { hookSpecificOutput?: { permissionDecision?: unknown } };
    return answer.hookSpecificOutput?.permissionDecision === 'deny';
  } catch {
    return false;
  }
}
