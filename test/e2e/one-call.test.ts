/** One call is one call: however many hooks are wired for it, side by side or late, it is counted, opened and spent once. */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { BUNDLE, type Sandbox, sandbox } from '../support/sandbox.ts';
import { sessionIn } from '../support/session.ts';

const PUSH = 'git push origin feat/x';
const eventOf = (session: string, command: string, id: string, name = 'PreToolUse') => ({
  session_id: session,
  hook_event_name: name,
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: id,
});

/** The same event to several hooks at once. */
const sideBySide = (box: Sandbox, event: object, hooks: number): Promise<unknown> =>
  Promise.all(
    Array.from({ length: hooks }, () => {
      const child = spawn(process.execPath, [BUNDLE, 'hook'], { cwd: box.repo, env: box.env, stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end(JSON.stringify({ cwd: box.repo, ...event }));
      return new Promise((done) => child.on('exit', done));
    }),
  );

const intents = (box: Sandbox): { boundary: string; resolved?: unknown }[] =>
  JSON.parse(waygate(box, ['intents', '--json', '--all']).stdout).intents;
const GIVEN = ["echo 'export const more = 1;' > src/more.ts", 'git add src/more.ts', "git commit -q -m 'add more'"];

describe('a call outside the workspace', () => {
  it('is left open once by hooks side by side', async () => {
    const box = sandbox(GIVEN);
    await sideBySide(box, eventOf('twins', PUSH, 'c1'), 6);
    expect(intents(box)).toHaveLength(1);
    const agent = sessionIn(box, 'twins');
    expect(agent.records().filter((record) => record.t === 'decision').length).toBeGreaterThan(0);
    // Its end closes it, and no twin stays open to refuse the next push.
    agent.send({ ...eventOf('twins', PUSH, 'c1', 'PostToolUse'), tool_response: { stdout: '', interrupted: false } });
    expect(agent.send(eventOf('twins', PUSH, 'c2')).verdict).toBe('pass');
  });
  it('is not opened again by a hook that comes after its end', () => {
    const box = sandbox(GIVEN);
    const agent = sessionIn(box, 'late');
    agent.send(eventOf('late', PUSH, 'c1'));
    agent.send({ ...eventOf('late', PUSH, 'c1', 'PostToolUse'), tool_response: { stdout: '', interrupted: false } });
    expect(agent.send(eventOf('late', PUSH, 'c1')).verdict).toBe('pass');
    expect(intents(box)).toHaveLength(1);
    expect(agent.send(eventOf('late', PUSH, 'c2')).verdict).toBe('pass');
    expect(intents(box)).toHaveLength(2);
  });
});

describe('budgets and looks', () => {
  it('are spent once', async () => {
    const box = sandbox(["printf 'version: 1\\nbudgets:\\n  calls: 3\\n' > waygate.yaml"]);
    await sideBySide(box, eventOf('spent', 'cat README.md', 'c1'), 6);
    const agent = sessionIn(box, 'spent');
    expect(agent.send(eventOf('spent', 'cat package.json', 'c2')).verdict).toBe('pass');
    expect(agent.send(eventOf('spent', 'cat src/app.ts', 'c3')).verdict).toBe('pass');
    expect(agent.send(eventOf('spent', 'cat src/util.ts', 'c4'))).toMatchObject({
      verdict: 'deny',
      text: expect.stringContaining('budget'),
    });
  });
});
