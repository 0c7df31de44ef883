/** A scripted agent: its session's events, one by one, through the built hook. */
import { waygate } from './cli.ts';
import { filled, type Sandbox } from './sandbox.ts';

export interface Reply {
  code: number | null;
  verdict: 'deny' | 'pass';
  /** What the agent reads. */
  agent: string;
  /** What the person reads. */
  person: string;
  /** The run was stopped. */
  stopped: boolean;
  id: string;
}

export type Call = { run: string } | { tool: string; input: Readonly<Record<string, unknown>> };

/** A session in a sandbox. `prefix`: what its calls' ids start with. */
export function script(box: Sandbox, session = 'scripted', prefix = 'toolu') {
  let made = 0;
  const base = { session_id: session, transcript_path: '/dev/null', cwd: box.repo, permission_mode: 'default' };
  const send = (event: Record<string, unknown>, id: string): Reply => {
    const { code, stdout, stderr } = waygate(box, ['hook', '--host', 'claude-code'], { input: JSON.stringify({ ...base, ...event }) });
    const answer = stdout.trim() === '' ? {} : JSON.parse(stdout);
    const specific = answer.hookSpecificOutput ?? {};
    return {
      code,
      verdict: code === 2 || specific.permissionDecision === 'deny' ? 'deny' : 'pass',
      agent: specific.permissionDecisionReason ?? specific.additionalContext ?? answer.stopReason ?? stderr,
      person: answer.systemMessage ?? '',
      stopped: answer.continue === false,
      id,
    };
  };
  const asTool = (call: Call) =>
    'run' in call
      ? { tool_name: 'Bash', tool_input: { command: filled(call.run, box) } }
      : { tool_name: call.tool, tool_input: JSON.parse(filled(JSON.stringify(call.input), box)) };
  return {
    box,
    event: (name: string, more: Record<string, unknown> = {}) => send({ hook_event_name: name, ...more }, ''),
    /** The question before a call. */
    ask: (call: Call, more: Record<string, unknown> = {}) => {
      const id = `${prefix}_${++made}`;
      return send({ hook_event_name: 'PreToolUse', tool_use_id: id, ...asTool(call), ...more }, id);
    },
    /** What became of it. */
    done: (call: Call, id: string, failed = false) =>
      send(
        {
          hook_event_name: failed ? 'PostToolUseFailure' : 'PostToolUse',
          tool_use_id: id,
          ...asTool(call),
          ...(failed ? { error: 'exit code 1', is_interrupt: false } : { tool_response: { stdout: '', stderr: '' } }),
        },
        id,
      ),
    /** The ledger as this workspace's log gives it. */
    log: () => JSON.parse(waygate(box, ['log', '--json']).stdout).decisions as Record<string, unknown>[],
  };
}

export type Script = ReturnType<typeof script>;
