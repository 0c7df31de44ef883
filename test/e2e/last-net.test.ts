/** What breaks outside the judgement is no open door: the built hook, with the ground taken away from under it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUNDLE, sandbox } from '../support/sandbox.ts';

const box = sandbox(['echo edited >> src/app.ts']);

/** Calls the hook in a process in which this has happened before. */
function hookAfter(broken: string): { code: number | null; stdout: string; stderr: string } {
  const preload = path.join(box.root, 'preload.cjs');
  fs.writeFileSync(preload, broken);
  const call = {
    session_id: 's',
    cwd: box.repo,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'git reset --hard' },
  };
  const ran = spawnSync(process.execPath, ['--require', preload, BUNDLE, 'hook', '--host', 'claude-code'], {
    cwd: box.repo,
    env: box.env,
    input: JSON.stringify(call),
    encoding: 'utf8',
  });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

describe('a bug outside the judgement', () => {
  it.each([
    ['no record can be made', 'Date.prototype.toISOString = () => { throw new Error("broken"); };'],
    [
      'no reply can be made',
      'const whole = JSON.stringify; JSON.stringify = (value, ...more) => { if (value?.hookSpecificOutput) throw new Error("broken"); return whole(value, ...more); };',
    ],
    [
      'the payload cannot be looked at',
      'const whole = JSON.parse; JSON.parse = (...given) => { const value = whole(...given); if (value?.tool_name) Object.defineProperty(value, "tool_input", { get() { throw new Error("broken"); } }); return value; };',
    ],
  ])('%s: refused', (_what, broken) => {
    const answer = hookAfter(broken);
    expect(answer.code).toBe(2);
    expect(answer.stderr).toMatch(/^\[policy-unavailable\] Nothing ran\./);
    expect(answer.stderr).not.toMatch(/^\s+at /m);
    expect(answer.stdout).not.toContain('allow');
  });
});
