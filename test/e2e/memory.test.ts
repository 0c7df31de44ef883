/** What a session has seen, through the built hook: looks in a row at something that goes on by itself, and reviews that are open. */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandbox } from '../support/sandbox.ts';
import { sessionIn } from '../support/session.ts';

describe('looks in a row', () => {
  const box = sandbox([]);
  let files = 0;
  /** A file that something else writes. */
  const growing = (name = 'task.output') => {
    const path = join(box.tmp, `${++files}-${name}`);
    const grow = () => appendFileSync(path, 'one step more\n');
    grow();
    return { path, grow };
  };
  /** `look` after each growth; what the agent is told at the last of `n`. */
  const lookTimes = (n: number, grow: () => void, look: () => { verdict: string; text: string }) => {
    let told = look();
    for (let i = 1; i < n; i++) {
      grow();
      told = look();
    }
    return told;
  };

  it('the fifth look at a growing file is told, with a call that waits', () => {
    const { path, grow } = growing();
    const agent = sessionIn(box, 'poll-read');
    expect(lookTimes(4, grow, () => agent.use('Read', { file_path: path })).verdict).toBe('pass');
    grow();
    const told = agent.use('Read', { file_path: path });
    expect(told).toMatchObject({ verdict: 'advise' });
    expect(told.text).toContain('[busy-wait] This is the 5th look in a row');
    expect(told.text).toContain(`timeout 100 tail -n 5 -f ${path}`);
    expect(agent.run(`timeout 100 tail -n 5 -f ${path}`).verdict).toBe('pass');
  });
  it('whichever way it is read, and with sleeps and other looks between', () => {
    const { path, grow } = growing('build.log');
    const agent = sessionIn(box, 'poll-mixed');
    agent.use('Read', { file_path: path });
    grow();
    agent.run(`sleep 30 && tail -5 ${path}`);
    agent.run('ls -la');
    grow();
    agent.run(`cat ${path} | grep -c step`);
    agent.use('TodoWrite', { todos: [] });
    grow();
    agent.use('Grep', { pattern: 'done', path, output_mode: 'content' });
    grow();
    expect(agent.run(`tail -5 ${path}`).verdict).toBe('advise');
  });
  it('a task in the background and a question about something outside', () => {
    const agent = sessionIn(box, 'poll-outside');
    expect(
      lookTimes(
        5,
        () => undefined,
        () => agent.use('BashOutput', { bash_id: 'b1' }),
      ).text,
    ).toContain('background task `b1`');
    const told = lookTimes(
      5,
      () => undefined,
      () => agent.run('sleep 10; gh run view 55 --json status'),
    );
    expect(told.text).toContain('gh run watch 55 --exit-status');
  });

  it.each<[string, (agent: ReturnType<typeof sessionIn>, path: string) => void]>([
    ['an edit', (agent) => agent.use('Edit', { file_path: join(box.repo, 'src/app.ts'), old_string: 'app', new_string: 'App' })],
    ['a command that does something', (agent) => agent.run('npm run build')],
    ['a request that sends something', (agent) => agent.run('curl -s -X POST http://localhost:3000/jobs')],
    ['a prompt of the person', (agent) => agent.prompt()],
  ])('%s in between ends the row', (_name, work) => {
    const { path, grow } = growing('server.log');
    const agent = sessionIn(box, `row-${_name.replaceAll(' ', '-')}`);
    const told = lookTimes(6, grow, () => {
      work(agent, path);
      return agent.run(`tail -5 ${path}`);
    });
    expect(told.verdict).toBe('pass');
  });
  it.each<[string, (agent: ReturnType<typeof sessionIn>) => { verdict: string; text: string }]>([
    ['a source file as it was', (agent) => agent.run('tail -20 src/app.ts')],
    ['the same search', (agent) => agent.use('Grep', { pattern: 'app', path: box.repo, output_mode: 'content' })],
    ['a wait for a task', (agent) => agent.use('TaskOutput', { task_id: 'b1', block: true })],
    ['the state of the repository', (agent) => agent.run('git status')],
  ])('%s, six times: nothing is said', (_name, look) => {
    const agent = sessionIn(box, `quiet-${_name.replaceAll(' ', '-')}`);
    expect(
      lookTimes(
        6,
        () => undefined,
        () => look(agent),
      ).verdict,
    ).toBe('pass');
  });
  it('parts of a finished log are read without a word', () => {
    const { path } = growing('done.log');
    const agent = sessionIn(box, 'log-parts');
    let part = 0;
    expect(
      lookTimes(
        6,
        () => undefined,
        () => agent.use('Read', { file_path: path, offset: ++part, limit: 1 }),
      ).verdict,
    ).toBe('pass');
  });
  it('agents side by side have rows of their own', () => {
    const { path, grow } = growing();
    const agent = sessionIn(box, 'poll-agents');
    lookTimes(4, grow, () => agent.use('Read', { file_path: path }, {}, { agent_id: 'a' }));
    grow();
    expect(agent.use('Read', { file_path: path }, {}, { agent_id: 'b' }).verdict).toBe('pass');
    expect(agent.use('Read', { file_path: path }, {}, { agent_id: 'a' }).verdict).toBe('advise');
  });
});

describe('a review that the session has seen', () => {
  const PUSHED = [
    "echo 'export const more = 1;' > src/more.ts",
    'git add src/more.ts',
    "git commit -q -m 'add more'",
    'git push -q origin feat/x',
  ];
  const REWRITE = 'git commit -q --amend -m better && git push --force-with-lease';
  const OPEN = '{"number":12,"state":"OPEN"}';

  it.each<[string, string, string]>([
    ['made', 'gh pr create --fill', 'https://github.com/acme/app/pull/12\n'],
    ['made for the branch by name', 'gh pr create --head feat/x --title a --body b', 'https://github.com/acme/app/pull/12\n'],
    ['looked at', 'gh pr view --json number,state,reviewDecision', OPEN],
    ['looked at by number', 'gh pr view 12 --json headRefName,number,state', '{"headRefName":"feat/x","number":12,"state":"OPEN"}'],
    ['with its checks', 'gh pr checks', 'test\tpass\n'],
    ['to be merged later', 'gh pr merge --auto --squash', ''],
  ])('%s: rewriting its branch is told', (name, command, out) => {
    const agent = sessionIn(sandbox(PUSHED), `review-${name.replaceAll(' ', '-')}`);
    expect(agent.run(REWRITE, { ends: 'open' }).verdict).toBe('pass');
    const again = sessionIn(sandbox(PUSHED), `review2-${name.replaceAll(' ', '-')}`);
    again.run(command, { out });
    const told = again.run(REWRITE);
    expect(told.verdict).toBe('advise');
    expect(told.text).toContain('[review-rewrite] The forced push would rewrite `feat/x`');
    expect(told.text).toContain('git commit --fixup=origin/feat/x');
  });
  it('rewritten in earlier calls, told when it is pushed', () => {
    const box = sandbox(PUSHED);
    const agent = sessionIn(box, 'review-earlier');
    agent.run('gh pr create --fill', { out: 'https://github.com/acme/app/pull/12\n' });
    execFileSync('git', ['commit', '-q', '--amend', '-m', 'better'], { cwd: box.repo, env: box.env });
    expect(agent.run('git push --force-with-lease origin feat/x').verdict).toBe('advise');
  });

  it.each<[string, readonly (readonly [string, string])[], string]>([
    ['another branch', [['gh pr view --json number,state', OPEN]], 'git push --force-with-lease origin HEAD:feat/other'],
    ['a commit on top', [['gh pr view --json number,state', OPEN]], 'git commit -q --allow-empty -m more && git push --force-with-lease'],
    ['a plain push', [['gh pr view --json number,state', OPEN]], 'git push origin feat/x'],
    ['a merged one', [['gh pr view --json number,state', '{"number":12,"state":"MERGED"}']], REWRITE],
    [
      'merged since, told by its number',
      [
        ['gh pr view --json number,state', OPEN],
        ['gh pr merge 12 --squash', ''],
      ],
      REWRITE,
    ],
    ['none found', [['gh pr view; true', 'no pull requests found for branch "feat/x"']], REWRITE],
    [
      'one of another repository',
      [['gh pr view 12 -R other/app --json state,headRefName', '{"state":"OPEN","headRefName":"feat/x"}']],
      REWRITE,
    ],
    ['only mentioned', [["echo 'gh pr create'", OPEN]], REWRITE],
  ])('%s: nothing is said', (name, earlier, push) => {
    const agent = sessionIn(sandbox(PUSHED), `quiet-${name.replaceAll(/\W+/g, '-')}`);
    for (const [command, out] of earlier) agent.run(command, { out });
    expect(agent.run(push).verdict).toBe('pass');
  });
  it('a call that failed shows nothing, and neither does an outcome without its call', () => {
    const agent = sessionIn(sandbox(PUSHED), 'review-failed');
    agent.run('gh pr create --fill', { ends: 'fails', out: OPEN });
    agent.send({
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'gh pr view' },
      tool_use_id: 'x',
      tool_response: { stdout: OPEN },
    });
    expect(agent.run(REWRITE).verdict).toBe('pass');
  });
});
