/** `waygate log` and `waygate verdict` on the built program. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { BUNDLE, type Sandbox, sandbox } from '../support/sandbox.ts';

let box: Sandbox;
const hook = (command: string, more: Record<string, unknown> = {}) =>
  waygate(box, ['hook'], {
    input: JSON.stringify({
      session_id: 'first-session',
      cwd: box.repo,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      ...more,
    }),
  });
const logged = (...args: string[]) => JSON.parse(waygate(box, ['log', '--json', ...args]).stdout).decisions;
const commands = (...args: string[]) => logged(...args).map((each: { action: { summary: string } }) => each.action.summary);

beforeAll(() => {
  box = sandbox(['echo edited >> src/app.ts', 'mkdir ../elsewhere', 'git init -q ../elsewhere']);
  hook('git reset --hard');
  hook('git status');
  hook('git checkout -- .', { agent_id: 'a1', agent_type: 'Explore' });
  hook('waygate trust', { session_id: 'second-session' });
  hook('git status', { session_id: 'other-place', cwd: join(box.work, 'elsewhere') });
});

describe('log', () => {
  it('is one line per decision, newest last, of this workspace', () => {
    const { code, stdout } = waygate(box, ['log']);
    const lines = stdout.trim().split('\n');
    expect(code).toBe(0);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(
      / first-se {2}deny {3}\[discard-changes\] work-loss {2}Bash: git reset --hard \| `git reset --hard` would discard/,
    );
    expect(lines[2]).toMatch(/first-se\/Explore .*\(2 times\)/);
    expect(waygate(box, ['log', '--all']).stdout.trim().split('\n')).toHaveLength(5);
    expect(waygate(box, ['log', '-C', '../elsewhere']).stdout.trim().split('\n')).toHaveLength(1);
  });

  it('as JSON is one document without the protected trace', () => {
    const document = JSON.parse(waygate(box, ['log', '--json']).stdout);
    expect(document).toMatchObject({
      schema: 1,
      decisions: [{ verdict: 'deny', rule: 'discard-changes', lineage: { repeat: 0 } }, {}, {}, {}],
    });
    for (const each of document.decisions) expect(Object.keys(each)).not.toEqual(expect.arrayContaining(['effects', 'findings']));
  });

  it.each<[string[], string[]]>([
    [['--session', 'second'], ['waygate trust']],
    [['--agent', 'Explore'], ['git checkout -- .']],
    [
      ['--agent', 'main', '--verdict', 'deny'],
      ['git reset --hard', 'waygate trust'],
    ],
    [['--rule', 'owner-verb'], ['waygate trust']],
    [['--verdict', 'pass'], ['git status']],
    [
      ['--category', 'work-loss'],
      ['git reset --hard', 'git checkout -- .'],
    ],
    [['--limit', '1'], ['waygate trust']],
    [
      ['--since', '2000-01-01', '--limit', '2'],
      ['git checkout -- .', 'waygate trust'],
    ],
    [['--since', '1h', '--rule', 'none-such'], []],
    [['--since', '2999-01-01'], []],
  ])('%j', (args, expected) => expect(commands(...args)).toEqual(expected));

  it.each<[string[], RegExp]>([
    [['--verdict', 'maybe'], /--verdict: "maybe" is not one of pass, notice, advise, deny/],
    [['--category', 'bad'], /--category: "bad" is not one of work-loss/],
    [['--since', 'yesterday-ish'], /--since: "yesterday-ish" is neither/],
    [['--limit', 'few'], /--limit: "few"/],
  ])('bad use: %j', (args, message) => {
    const { code, stdout, stderr } = waygate(box, ['log', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('--follow shows what comes', async () => {
    const child = spawn(process.execPath, [BUNDLE, 'log', '--follow', '--verdict', 'deny', '--limit', '0'], {
      cwd: box.repo,
      env: box.env,
    });
    let text = '';
    const seen = new Promise<void>((done) => {
      child.stdout.on('data', (chunk) => {
        text += chunk;
        if (text.includes('followed')) done();
      });
    });
    // The follower has to be there before: ask until it has seen one.
    const asking = setInterval(() => hook('git restore . # followed', { session_id: `followed-${Math.random()}` }), 1500);
    await seen;
    clearInterval(asking);
    child.kill();
    expect(text.trim().split('\n')[0]).toMatch(/deny .*git restore/);
  });
});

describe('verdict', () => {
  const first = () => logged('--limit', '3')[0].id as string;
  const denied = () => logged('--verdict', 'deny')[0].id as string;

  it('shows the three views of one record', () => {
    const { code, stdout } = waygate(box, ['verdict', denied()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Person\nwaygate stopped a call: The agent was about to throw away/);
    expect(stdout).toMatch(/\nAgent\n\[discard-changes\] Nothing ran\./);
    expect(stdout).toMatch(/\nLog\n.*\n\{\n {2}"schema": 1/);
    expect(stdout).not.toMatch(/"effects"|"findings"|overUntracked/);
  });

  it('finds a decision by the beginning of its id', () => {
    expect(waygate(box, ['verdict', first().slice(0, 24)]).stdout).toContain(first());
    expect(waygate(box, ['verdict', first().slice(0, 6)])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/decisions begin with/),
    });
    expect(waygate(box, ['verdict', '01M'])).toMatchObject({ code: 2 });
    expect(waygate(box, ['verdict', '01ZZZZZZZZZZZZZZZZZZZZZZZZ'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no decision/),
    });
  });

  it('--trace is for a person', () => {
    const asked = waygate(box, ['verdict', denied(), '--trace'], { env: { CLAUDECODE: '1' } });
    expect(asked).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/--trace is for a person: an agent runs this: CLAUDECODE/),
    });
  });

  it('as JSON', () => {
    const document = JSON.parse(waygate(box, ['verdict', denied(), '--json']).stdout);
    expect(document).toMatchObject({
      schema: 1,
      decision: { rule: 'discard-changes' },
      person: expect.any(String),
      agent: expect.any(String),
    });
    expect(document.decision.effects).toBeUndefined();
  });
});
