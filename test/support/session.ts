/** A scripted agent in a session of its own, through the built hook: what it asks, and what the host reports afterwards. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waygate } from './cli.ts';
import type { Sandbox } from './sandbox.ts';

export interface Told {
  verdict: 'pass' | 'advise' | 'deny';
  stopped: boolean;
  /** What the agent reads. */
  text: string;
  /** The reply as it stood on stdout. */
  reply: Record<string, unknown>;
}

/** How a call that ran ends. */
export interface Ending {
  /** What it prints. */
  out?: string;
  ends?: 'ok' | 'fails' | 'open';
}

/** One session. */
export function sessionIn(box: Sandbox, session: string) {
  let calls = 0;
  const send = (event: Readonly<Record<string, unknown>>): Told => {
    const input = JSON.stringify({ session_id: session, cwd: box.repo, permission_mode: 'default', ...event });
    const { code, stdout, stderr } = waygate(box, ['hook', '--host', 'claude-code'], { input });
    const reply = stdout.trim() === '' ? {} : JSON.parse(stdout);
    const specific = reply.hookSpecificOutput ?? {};
    const text: string = specific.permissionDecisionReason ?? reply.stopReason ?? specific.additionalContext ?? stderr;
    const denied = specific.permissionDecision === 'deny' || code === 2;
    return { verdict: denied ? 'deny' : text === '' ? 'pass' : 'advise', stopped: reply.continue === false, text, reply };
  };
  /** A call, and its end where it ran. */
  const use = (tool_name: string, tool_input: object, { out = '', ends = 'ok' }: Ending = {}, more: object = {}): Told => {
    const event = { tool_name, tool_input, tool_use_id: `${session}-${++calls}`, ...more };
    const told = send({ hook_event_name: 'PreToolUse', ...event });
    if (told.verdict === 'deny' || ends === 'open') return told;
    if (ends === 'ok') send({ hook_event_name: 'PostToolUse', ...event, tool_response: { stdout: out, stderr: '', interrupted: false } });
    else send({ hook_event_name: 'PostToolUseFailure', ...event, error: out || 'Exit code 1', is_interrupt: false });
    return told;
  };
  return {
    send,
    use,
    run: (command: string, ending?: Ending, more?: object) => use('Bash', { command }, ending, more),
    prompt: () => send({ hook_event_name: 'UserPromptSubmit', prompt: 'go on' }),
    records: () =>
      readFileSync(join(box.state, 'waygate', 'sessions', session, 'ledger.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}
