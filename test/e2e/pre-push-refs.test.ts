/** git's pre-push hook by what git tells it: every kind of ref, repository and caller. Real git, the wired hook, a bare remote. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { AGENT, PLAIN, remoteTip, SECRET, typed, wired } from '../support/pushing.ts';
import { BUNDLE, type Sandbox } from '../support/sandbox.ts';

const NULL = '0'.repeat(40);

/** Feeds the verb as git does. */
const feed = (box: Sandbox, input: string, env: Record<string, string> = {}) =>
  waygate(box, ['pre-push', 'origin', '../origin.git'], { input, env });

const oid = (box: Sandbox, revision: string): string => typed(box, `git rev-parse ${revision}`).output.trim();
const decisions = (box: Sandbox) => JSON.parse(waygate(box, ['log', '--json', '--all']).stdout).decisions;

/** A colleague's commit on main of the remote, fetched or not. */
const COLLEAGUE = [
  'git clone -q ../origin.git ../colleague -b main',
  'cd ../colleague',
  'git commit -q --allow-empty --author="Sam <sam@example.com>" -m "work of Sam"',
  'git push -q origin main',
  'cd ../repo',
];

/** Calls that have to wait for a bound: begun first and asked last, so that the wait is not added to the rest. */
const waits: Record<'endless' | 'person' | 'agent', Promise<{ code: number | null; stderr: string; ms: number }>> = {} as never;

function begin(box: Sandbox, input: string | undefined, env: Record<string, string> = {}): (typeof waits)['endless'] {
  const started = Date.now();
  // From a file: while another test waits for a process of its own, nothing could be handed on from here.
  const file = join(box.root, 'refs');
  if (input !== undefined) writeFileSync(file, input);
  const child = spawn(process.execPath, [BUNDLE, 'pre-push', 'origin', '../origin.git'], {
    cwd: box.repo,
    env: { ...box.env, ...env },
    stdio: [input === undefined ? 'pipe' : openSync(file, 'r'), 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr!.on('data', (chunk) => (stderr += chunk));
  return new Promise((done) => child.on('exit', (code) => done({ code, stderr, ms: Date.now() - started })));
}

beforeAll(() => {
  waits.endless = begin(wired(), undefined);
  const box = wired(PLAIN);
  const slow = join(box.root, 'slow');
  mkdirSync(slow);
  writeFileSync(join(slow, 'git'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
  const env = { PATH: `${slow}:${box.env['PATH']}` };
  const line = `refs/heads/feat/x ${oid(box, 'HEAD')} refs/heads/feat/x ${oid(box, 'origin/feat/x')}\n`;
  waits.person = begin(box, line, env);
  waits.agent = begin(box, line, { ...env, ...AGENT });
});

describe('what git tells', () => {
  it('nothing to push: an empty list passes, and is not recorded', () => {
    const box = wired();
    expect(feed(box, '').code).toBe(0);
    expect(typed(box, 'git push origin feat/x').output).toContain('Everything up-to-date');
    expect(decisions(box)).toEqual([]);
  });

  it.each([
    ['a new branch', 'git switch -q -c new', 'git push -u origin new', 'refs/heads/new'],
    ['an expression as source', '', 'git push origin HEAD~0:refs/heads/expr', 'refs/heads/expr'],
    ['a detached HEAD', 'git switch -q --detach', 'git push origin HEAD:refs/heads/loose', 'refs/heads/loose'],
    ['a tag', 'git tag v1', 'git push origin v1', 'refs/tags/v1'],
    ['an annotated tag', 'git tag -a -m one v2', 'git push origin v2', 'refs/tags/v2'],
    ['branches and tags together', 'git tag v3; git branch other', 'git push origin feat/x other v3', 'refs/tags/v3'],
    [
      'everything at once',
      'git branch other; git switch -q main; git commit -q --allow-empty -m m; git switch -q feat/x',
      'git push --all origin',
      'refs/heads/other',
    ],
  ])('%s', (_name, given, line, ref) => {
    const clean = wired([...PLAIN, given]);
    const passed = typed(clean, line);
    expect(passed.code, passed.output).toBe(0);
    expect(remoteTip(clean, ref)).not.toBe('');

    const held = wired([...SECRET, given]);
    const refused = typed(held, line);
    expect(refused.code, refused.output).toBe(1);
    expect(refused.output).toContain('an AWS access key');
    expect(refused.output).not.toContain('Q7RT5WX2');
    expect(remoteTip(held, ref)).toBe('');
  });

  it('a deletion sends nothing', () => {
    const box = wired(['git push -q origin HEAD:refs/heads/gone', ...SECRET]);
    const { code, output } = typed(box, 'git push origin :gone');
    expect(code, output).toBe(0);
    expect(remoteTip(box, 'refs/heads/gone')).toBe('');
  });

  it('a dry run asks the hook as well: git gives no sign that nothing will be sent', () => {
    const box = wired(SECRET);
    expect(typed(box, 'git push --dry-run origin feat/x').code).toBe(1);
  });

  it('a remote object that is not here: a person reads of it, an agent is refused', () => {
    const box = wired([...COLLEAGUE, ...PLAIN]);
    const main = oid(box, 'main');
    const theirs = remoteTip(box, 'refs/heads/main');
    const line = `refs/heads/main ${main} refs/heads/main ${theirs}\n`;
    const person = feed(box, line);
    expect(person.code).toBe(0);
    expect(person.stderr).toContain('what is on it is not known here');
    const agent = feed(box, line, AGENT);
    expect(agent.code).toBe(1);
    expect(agent.stderr).toContain('[force-push] Nothing was pushed.');
  });

  it('lines that are none are named', () => {
    const box = wired();
    const { code, stderr } = feed(box, `refs/heads/x ${NULL}\n`);
    expect(code).toBe(1);
    expect(stderr).toContain('line 1 of the refs');
    expect(stderr).toContain('expected LOCAL-REF LOCAL-OID REMOTE-REF REMOTE-OID');
  });

  it('hands the lines on only when the push may go out', () => {
    const box = wired(PLAIN);
    const line = `refs/heads/feat/x ${oid(box, 'HEAD')} refs/heads/feat/x ${oid(box, 'origin/feat/x')}\n`;
    const run = (lines: string) => waygate(box, ['pre-push', '--hand-on', 'origin', '../origin.git'], { input: lines });
    expect(run(line)).toMatchObject({ code: 0, stdout: line });
    typed(box, SECRET.join(' && '));
    expect(run(`refs/heads/feat/x ${oid(box, 'HEAD')} refs/heads/feat/x ${NULL}\n`)).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('who pushes', () => {
  const overwrite = [...COLLEAGUE, 'git fetch -q', 'git switch -q main', 'git commit -q --allow-empty -m mine'];

  it('a person who overwrites reads of it, and it is recorded', () => {
    const box = wired(overwrite);
    const { code, output } = typed(box, 'git push -f origin main');
    expect(code, output).toBe(0);
    expect(output).toContain('waygate: The push would drop 1 commit');
    expect(decisions(box)).toEqual([expect.objectContaining({ host: 'git', session: 'git', verdict: 'notice', rule: 'force-push' })]);
  });

  it("an agent, by its host's marker, is refused, and is not shown the way past the hook", () => {
    const box = wired(overwrite);
    const { code, output } = typed(box, 'git push -f origin main', { env: AGENT });
    expect(code).toBe(1);
    expect(output).toContain('[force-push] Nothing was pushed. The push would drop 1 commit');
    expect(output).not.toContain('no-verify');
    expect(decisions(box)).toEqual([expect.objectContaining({ verdict: 'deny', rule: 'force-push' })]);
  });

  it('an agent, by a call that is open: the decision stands in its session', () => {
    const box = wired([...overwrite, "printf 'exec git push -f origin main\\n' > ../ship"]);
    const event = (name: string, more: object = {}) =>
      waygate(box, ['hook', '--host', 'claude-code'], {
        input: JSON.stringify({
          session_id: 'open',
          cwd: box.repo,
          hook_event_name: name,
          tool_name: 'Bash',
          tool_input: { command: 'npm run ship' },
          tool_use_id: 'toolu_1',
          ...more,
        }),
      });
    event('SessionStart', { source: 'startup' });
    expect(event('PreToolUse').code).toBe(0);
    const during = typed(box, 'sh ../ship');
    expect(during.code).toBe(1);
    expect(during.output).toContain('[force-push]');
    expect(decisions(box).at(-1)).toMatchObject({ session: 'open', host: 'git', verdict: 'deny' });
    event('PostToolUse', { tool_response: {} });
    expect(typed(box, 'sh ../ship').code).toBe(0);
  });

  it('a lease on the own branch passes for an agent too', () => {
    const box = wired([...PLAIN, 'git push -q', "git commit -q --amend -m 'better'"]);
    const { code, output } = typed(box, 'git push --force-with-lease', { env: AGENT });
    expect(code, output).toBe(0);
  });

  it('a declared branch is closed for an agent and open for a person', () => {
    const box = wired(["printf 'version: 1\\nprotected: { branches: [stable] }\\n' > waygate.yaml", ...PLAIN]);
    const agent = typed(box, 'git push origin HEAD:stable', { env: AGENT });
    expect(agent.code).toBe(1);
    expect(agent.output).toContain('[push-protected]');
    const person = typed(box, 'git push origin HEAD:stable');
    expect(person.code, person.output).toBe(0);
    expect(person.output).toContain('straight to origin/stable');
  });

  it('a moved tag', () => {
    const box = wired(['git tag v1', 'git push -q origin v1', ...PLAIN, 'git tag -f v1']);
    expect(typed(box, 'git push -f origin v1', { env: AGENT }).output).toContain('[force-push]');
    expect(typed(box, 'git push -f origin v1').code).toBe(0);
  });
});

describe('which repository', () => {
  it('with object names of 64 digits', () => {
    const box = wired();
    const given = [
      'git init -q --bare --object-format=sha256 ../long.git',
      'git init -q --object-format=sha256 ../long && cd ../long && git remote add origin ../long.git',
      'echo a > a && git add a && git commit -q -m a',
    ];
    typed(box, given.join('\n'));
    const cwd = join(box.work, 'long');
    expect(waygate(box, ['init', '--git'], { cwd }).code).toBe(0);
    const passed = typed(box, 'git push -q -u origin main', { cwd });
    expect(passed.code, passed.output).toBe(0);
    typed(box, SECRET.join('\n'), { cwd });
    expect(typed(box, 'git push origin main', { cwd }).output).toContain('an AWS access key');
  });

  it('a linked worktree', () => {
    const box = wired(['git worktree add -q ../linked -b side']);
    const cwd = join(box.work, 'linked');
    typed(box, SECRET.join('\n'), { cwd });
    expect(typed(box, 'git push -u origin side', { cwd }).code).toBe(1);
    expect(waygate(box, ['doctor'], { cwd }).stdout).toMatch(/ok {4}git hook/);
  });

  it('a submodule has hooks of its own', () => {
    const box = wired(['git -c protocol.file.allow=always submodule add -q ../origin.git part', "git commit -q -m 'a part'"]);
    const cwd = join(box.repo, 'part');
    expect(waygate(box, ['init', '--git'], { cwd }).code).toBe(0);
    typed(box, `git switch -q -c piece; ${SECRET.join('\n')}`, { cwd });
    const { code, output } = typed(box, 'git push origin piece', { cwd });
    expect(code, output).toBe(1);
  });

  it('a bare one', () => {
    const box = wired(SECRET);
    typed(box, 'git clone -q --bare . ../mirror.git && git --git-dir=../mirror.git remote add up ../origin.git');
    const cwd = join(box.work, 'mirror.git');
    expect(waygate(box, ['init', '--git'], { cwd }).code).toBe(0);
    expect(typed(box, 'git push up feat/x:refs/heads/from-bare', { cwd }).output).toContain('an AWS access key');
    expect(remoteTip(box, 'refs/heads/from-bare')).toBe('');
  });

  it('a shallow clone', () => {
    const box = wired([...PLAIN, 'git push -q', 'git clone -q --depth 1 -b feat/x "file://$PWD/../origin.git" ../shallow']);
    const cwd = join(box.work, 'shallow');
    expect(waygate(box, ['init', '--git'], { cwd }).code).toBe(0);
    typed(box, PLAIN.join('\n'), { cwd });
    const passed = typed(box, 'git push', { cwd, env: AGENT });
    expect(passed.code, passed.output).toBe(0);
    typed(box, SECRET.join('\n'), { cwd });
    expect(typed(box, 'git push', { cwd }).code).toBe(1);
  });

  it('named by --git-dir and --work-tree', () => {
    const box = wired([...SECRET, 'git remote set-url origin "$(realpath ../origin.git)"']);
    const { code, output } = typed(box, `git --git-dir=${box.repo}/.git --work-tree=${box.repo} push origin feat/x`, { cwd: box.tmp });
    expect(code, output).toBe(1);
  });
});

describe('it never hangs and never opens', () => {
  it('a program that is gone refuses and says how to put it back', () => {
    const box = wired(PLAIN);
    rmSync(join(box.home, '.local/share/waygate'), { recursive: true });
    const { code, output } = typed(box, 'timeout 20 git push origin feat/x');
    expect(code).toBe(1);
    expect(output).toContain('is gone and nobody could judge it');
    expect(output).toContain('npx waygate init --git');
  });

  it('a hook beside it whose interpreter is gone ends the push, in time', () => {
    const box = wired([
      ...PLAIN,
      'mkdir -p .git/hooks',
      "printf '#!/opt/nothing/here\\n' > .git/hooks/pre-push",
      'chmod +x .git/hooks/pre-push',
    ]);
    const { code, output } = typed(box, 'timeout 20 git push origin feat/x');
    expect(code, output).toBe(1);
    expect(remoteTip(box, 'refs/heads/feat/x')).not.toBe(oid(box, 'HEAD'));
  });

  it('a module that the caller loads into Node does not answer in its place', () => {
    const box = wired([...SECRET, "echo 'process.exit(0)' > ../open.cjs"]);
    const { code, output } = typed(box, 'git push origin feat/x', { env: { NODE_OPTIONS: `--require=${join(box.work, 'open.cjs')}` } });
    expect(code, output).toBe(1);
    expect(remoteTip(box, 'refs/heads/feat/x')).not.toBe(oid(box, 'HEAD'));
  });

  it('a state folder that cannot be written does not open it', () => {
    const box = wired(SECRET);
    writeFileSync(join(box.root, 'blocked'), '');
    const { code, output } = typed(box, 'git push origin feat/x', { env: { XDG_STATE_HOME: join(box.root, 'blocked') } });
    expect(code).toBe(1);
    expect(output).toContain('an AWS access key');
  });

  it('at a terminal it says what it is', () => {
    const box = wired();
    const { code, stderr } = waygate(box, ['pre-push']);
    expect(code).toBe(2);
    expect(stderr).toContain('REMOTE and URL');
    expect(waygate(box, ['pre-push', '--help']).stdout).toContain('LOCAL-REF');
    expect(spawnSync(process.execPath, [BUNDLE, 'pre-push', '--force', 'a'], { input: '' }).status).toBe(2);
  });
});

describe('what has to wait', () => {
  it('stdin that does not end is given up', async () => {
    const { code, stderr, ms } = await waits.endless;
    expect(code).toBe(1);
    expect(stderr).toContain('did not end');
    // Other tests run beside it and hold up what it says; the bound itself is 10 seconds.
    expect(ms).toBeLessThan(180_000);
  });

  it('a git that does not answer is a refusal, with the way out for a person and without it for an agent', async () => {
    const [person, agent] = await Promise.all([waits.person, waits.agent]);
    expect(person.code).toBe(1);
    expect(person.stderr).toContain('could not judge');
    expect(person.stderr).toContain('waygate doctor');
    expect(person.stderr).toContain('git push --no-verify');
    expect(agent.code).toBe(1);
    expect(agent.stderr).toContain('[policy-unavailable]');
    expect(agent.stderr).not.toContain('no-verify');
  });
});
