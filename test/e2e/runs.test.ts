/** `waygate run`, `runs` and `output` on the built program: what a program prints and how it ends is kept and handed on, whatever happens. */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ran, waygate } from '../support/cli.ts';
import { BUNDLE, remove, runLine, type Sandbox, sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = sandbox();
});
afterAll(() => remove(box));

const run = (words: readonly string[], options: Parameters<typeof waygate>[2] = {}): Ran => waygate(box, ['run', ...words], options);
const sh = (text: string, ...options: string[]): Ran => run([...options, '--', 'sh', '-c', text]);
const runs = (...words: string[]) =>
  JSON.parse(waygate(box, ['runs', '--json', ...words]).stdout).runs as (Record<string, unknown> & { id: string; status: string })[];
const last = () => runs('-n', '1')[0]!;
const folder = () => join(box.repo, '.git', 'waygate');

/** Not gone, and not waiting to be collected by a parent that does not care. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe("the exit status is the program's own", () => {
  const cases: readonly [string, number, Record<string, unknown>][] = [
    ['exit 0', 0, { status: 'passed', exit: 0 }],
    ['exit 1', 1, { status: 'failed', exit: 1 }],
    ['exit 2', 2, { status: 'failed', exit: 2 }],
    ['exit 77', 77, { status: 'failed', exit: 77 }],
    ['kill -TERM $$', 143, { status: 'killed', signal: 'SIGTERM' }],
    ['kill -KILL $$', 137, { status: 'killed', signal: 'SIGKILL' }],
  ];
  it.each(cases)('%s: %i', (text, code, record) => {
    expect(sh(text).code).toBe(code);
    expect(last()).toMatchObject(record);
  });

  it('an unknown program: 127, with a record and the sentence', () => {
    const ran = run(['--', 'no-such-program', '--flag']);
    expect(ran.code).toBe(127);
    expect(ran.stderr).toContain('there is no program "no-such-program"');
    expect(last()).toMatchObject({ status: 'failed', exit: 127, argv: ['no-such-program', '--flag'] });
  });

  it('a program of text without a first line for its interpreter is read by the shell, as a shell would', () => {
    const tool = join(box.root, 'bin', 'bare-tool');
    writeFileSync(tool, 'echo "has $1"; exit 3\n', { mode: 0o755 });
    for (const name of ['bare-tool', tool]) {
      const ran = run(['--', name, 'a word']);
      expect([ran.code, ran.stdout]).toEqual([3, 'has a word\n']);
      expect(last()).toMatchObject({ status: 'failed', exit: 3, argv: [name, 'a word'] });
    }
    rmSync(tool);
  });

  it('a file that cannot be executed: 126', () => {
    writeFileSync(join(box.repo, 'plain.txt'), 'text');
    expect(run(['--', './plain.txt']).code).toBe(126);
    rmSync(join(box.repo, 'plain.txt'));
  });
});

describe('output', () => {
  it('goes on as it is, each stream for itself, and is kept whole', () => {
    const ran = sh('echo out; echo err >&2; printf "no line end"');
    expect(ran.stdout).toBe('out\nno line end');
    expect(ran.stderr.startsWith('err\n')).toBe(true);
    expect(ran.stderr).toContain(`waygate output ${last().id}`.replace('waygate output', 'output'));
    const kept = waygate(box, ['output', 'last']).stdout;
    for (const part of ['out\n', 'err\n', 'no line end']) expect(kept).toContain(part);
  });

  it('no shell reads the words', () => {
    expect(run(['--', 'printf', '%s\n', '$HOME; rm -rf *', 'a b']).stdout).toBe('$HOME; rm -rf *\na b\n');
  });

  it('standard input reaches the program', () => {
    expect(run(['--', 'cat'], { input: 'typed\n' }).stdout).toBe('typed\n');
  });

  it('a megabyte stays a megabyte', () => {
    const ran = run(['--', process.execPath, '-e', "process.stdout.write('x'.repeat(1 << 20))"]);
    expect(ran.stdout.length).toBe(1 << 20);
    expect(statSync(last()['log'] as string).size).toBe(1 << 20);
  });

  it('a reader that goes away changes nothing', () => {
    const { code } = runLine('set -o pipefail; waygate run -- seq 1 200000 | head -1', box);
    expect(code).toBe(0);
    expect(last()).toMatchObject({ status: 'passed', argv: ['seq', '1', '200000'] });
    expect(waygate(box, ['output', 'last', '--tail', '1']).stdout).toBe('200000\n');
  });

  const projected: readonly [string, readonly string[], string][] = [
    ['--tail 2', ['--tail', '2'], '9\n10\n'],
    ['--grep', ['--grep', '5'], '3\n4\n5\n6\n7\n'],
    ['--quiet', ['--quiet'], ''],
    ['--failure of a passed run', ['--failure'], ''],
  ];
  it.each(projected)('%s shows only that', (_name, options, shown) => {
    const ran = run([...options, '--', 'seq', '1', '10']);
    expect(ran.stdout).toBe(shown);
    expect(ran.code).toBe(0);
    expect(waygate(box, ['output', last().id]).stdout).toBe(`${Array.from({ length: 10 }, (_, i) => i + 1).join('\n')}\n`);
  });

  it('--failure shows why it failed and keeps the status', () => {
    const ran = sh('seq 1 100; echo "src/a.ts(3,1): error TS2322: no number"; seq 1 100; exit 2', '--failure');
    expect(ran.code).toBe(2);
    expect(ran.stdout).toContain('error TS2322');
    expect(ran.stdout.split('\n').length).toBeLessThan(20);
  });

  it('--tee keeps what goes to stdout', () => {
    sh('echo result; echo noise >&2', '--tee', 'result.txt');
    expect(readFileSync(join(box.repo, 'result.txt'), 'utf8')).toBe('result\n');
    rmSync(join(box.repo, 'result.txt'));
  });

  it('--json is one document', () => {
    const ran = sh('echo out; exit 3', '--json', '--tail', '1');
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({ schema: 1, exit: 3, output: 'out', run: { status: 'failed', exit: 3 } });
  });
});

describe('time and signals', () => {
  it('the time bound ends the whole group and says so', () => {
    const ran = sh('(sleep 300 & echo $! > child.pid; wait) ; echo never', '--timeout', '300ms');
    expect(ran.code).toBe(124);
    expect(ran.stderr).toContain('its time bound of 300ms');
    expect(last()).toMatchObject({ status: 'killed', cause: 'its time bound of 300ms' });
    const child = Number(readFileSync(join(box.repo, 'child.pid'), 'utf8'));
    expect(isRunning(child)).toBe(false);
    rmSync(join(box.repo, 'child.pid'));
  });

  it('what ignores the polite signal is ended all the same, and has not passed', () => {
    const ran = sh('trap "exit 0" TERM; while :; do sleep 0.05; done', '--timeout', '200ms');
    expect(ran.code).toBe(124);
    expect(last()).toMatchObject({ status: 'killed' });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s is handed on', async (signal, code) => {
    const child = spawn(process.execPath, [BUNDLE, 'run', '--', 'sh', '-c', 'echo started; exec sleep 300'], {
      cwd: box.repo,
      env: box.env,
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', (status) => resolve(status)));
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    child.kill(signal);
    expect(await ended).toBe(code);
    expect(last()).toMatchObject({ status: 'killed', signal, cause: `${signal} from outside` });
  });

  it('killed without a chance it is unfinished, and a process of the same number is not taken for it', async () => {
    const child = spawn(process.execPath, [BUNDLE, 'run', '--', 'sh', '-c', 'echo started; exec sleep 2'], { cwd: box.repo, env: box.env });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    expect(last().status).toBe('running');
    child.kill('SIGKILL');
    await ended;
    expect(last().status).toBe('unfinished');
    const reused = { ...last(), id: 'zzzzzzzzreus', status: 'running', pid: process.pid, started: 'before:1' };
    appendFileSync(join(folder(), 'runs.jsonl'), `${JSON.stringify(reused)}\n`);
    if (process.platform === 'linux') expect(last()).toMatchObject({ id: 'zzzzzzzzreus', status: 'unfinished' });
  });
});

describe('the log', () => {
  it("is its owner's alone", () => {
    sh('true');
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(), 'runs')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(), 'runs.jsonl')).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(join(folder(), 'runs')).slice(-1))
      expect(statSync(join(folder(), 'runs', name)).mode & 0o777).toBe(0o600);
  });

  it('holds what the run saw: argv, directory, HEAD, trees, environment', () => {
    runLine('mkdir -p sub && echo more >> README.md', box);
    run(['-C', 'sub', '--', 'true']);
    const head = runLine('git rev-parse HEAD', box).output.trim();
    expect(last()).toMatchObject({ argv: ['true'], cwd: join(box.repo, 'sub'), before: { head }, after: { head } });
    const { before, environment } = last() as unknown as { before: Record<string, string>; environment: string };
    expect(before['tracked']).toMatch(/^[0-9a-f]{40}$/);
    expect(environment).toMatch(/^sha256:/);
    runLine('git checkout -q README.md', box);
  });

  it('leaves no trace in the repository or its work tree', () => {
    const before = runLine('git status --porcelain; git count-objects; ls -A; git stash list', box).output;
    sh('true');
    expect(runLine('git status --porcelain; git count-objects; ls -A; git stash list', box).output).toBe(before);
  });

  it('is one for all work trees', () => {
    runLine('git worktree add -q ../linked -b linked', box);
    const linked = join(box.work, 'linked');
    run(['--', 'echo', 'from the linked one'], { cwd: linked });
    expect(last()).toMatchObject({ argv: ['echo', 'from the linked one'], cwd: linked });
    expect(waygate(box, ['output', 'last'], { cwd: linked }).stdout).toBe('from the linked one\n');
    runLine('git worktree remove --force ../linked && git branch -qD linked', box);
  });

  it('outside a repository lies in the state folder', () => {
    const dir = join(box.root, 'tmp', 'plain');
    mkdirSync(dir);
    expect(run(['--', 'echo', 'outside'], { cwd: dir }).code).toBe(0);
    expect(waygate(box, ['output'], { cwd: dir }).stdout).toBe('outside\n');
    expect(readdirSync(join(box.state, 'waygate', 'runs')).some((name) => name.startsWith('plain-'))).toBe(true);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('runs side by side are all on record', async () => {
    const before = runs('-n', '999').length;
    const codes = await Promise.all(
      Array.from(
        { length: 8 },
        (_, i) =>
          new Promise<number | null>((resolve) => {
            spawn(process.execPath, [BUNDLE, 'run', '--quiet', '--', 'sh', '-c', `exit ${i}`], { cwd: box.repo, env: box.env }).once(
              'exit',
              resolve,
            );
          }),
      ),
    );
    expect(codes).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const after = runs('-n', '999');
    expect(after.length).toBe(before + 8);
    expect(
      after
        .slice(0, 8)
        .map((each) => each['exit'])
        .sort(),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('a torn last line is left out, and the next record stands on a line of its own', () => {
    appendFileSync(join(folder(), 'runs.jsonl'), '{"schema":1,"id":"torn');
    expect(JSON.parse(waygate(box, ['runs', '--json']).stdout)).toMatchObject({ torn: true });
    expect(sh('true').code).toBe(0);
    const { torn, damaged } = JSON.parse(waygate(box, ['runs', '--json']).stdout);
    expect(torn).toBe(false);
    expect(damaged).toHaveLength(1);
    expect(last()).toMatchObject({ status: 'passed' });
  });

  it.skipIf(process.getuid?.() === 0)('that cannot be written refuses, and nothing runs', () => {
    chmodSync(folder(), 0o500);
    const ran = sh('touch ran');
    chmodSync(folder(), 0o700);
    expect(ran.code).toBe(1);
    expect(existsSync(join(box.repo, 'ran'))).toBe(false);
  });

  it('in whose place something else lies refuses, and nothing runs', () => {
    const other = sandbox();
    writeFileSync(join(other.repo, '.git', 'waygate'), '');
    const ran = waygate(other, ['run', '--', 'touch', 'ran']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/the run log cannot be written: .*\.git\/waygate.* Nothing was run/);
    expect(existsSync(join(other.repo, 'ran'))).toBe(false);
    remove(other);
  });
});

describe('names and filters', () => {
  it('a run is found by id, by its start, by what it was', () => {
    sh('echo first');
    const first = last().id;
    sh('echo second; exit 1');
    const second = last().id;
    sh('echo third');
    expect(waygate(box, ['output', first]).stdout).toBe('first\n');
    expect(waygate(box, ['output', second.slice(0, -1)]).stdout).toBe('second\n');
    expect(waygate(box, ['output', 'last']).stdout).toBe('third\n');
    expect(waygate(box, ['output', 'last-failed']).stdout).toBe('second\n');
    expect(runs('--failed', '-n', '1')).toMatchObject([{ id: second }]);
    expect(waygate(box, ['runs', '-n', '2']).stdout.trim().split('\n')).toHaveLength(2);
  });

  const wrong: readonly [readonly string[], number, RegExp][] = [
    [['run'], 2, /run needs a program, e\.g\. waygate run -- npm test/],
    [['run', '--'], 2, /run needs a program/],
    [['run', '--timeout', 'soon', '--', 'true'], 2, /--timeout: "soon" is not a time like 90s/],
    [['run', '--timeout'], 2, /--timeout needs a value/],
    [['run', '--tail', '0', '--', 'true'], 2, /--tail: "0" is not a number of lines from 1/],
    [['run', '--loud', '--', 'true'], 2, /unknown option --loud/],
    [['run', '-C', 'nowhere', '--', 'true'], 2, /nowhere is no directory/],
    [['output', 'zz-none'], 1, /no run "zz-none" is on record here; see waygate runs/],
    [['output', 'gate'], 1, /the gate has not run here/],
    [['runs', '-n', 'many'], 2, /-n: "many" is not a number from 1/],
  ];
  it.each(wrong)('%j is refused with what belongs there', (words, code, says) => {
    const ran = waygate(box, words);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(says);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
  });

  it.each(['run', 'runs', 'output', 'gate'])('waygate %s --help shows examples', (verb) => {
    const ran = waygate(box, [verb, '--help']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Examples:');
  });
});

it('the program under a terminal that is gone still gets its record', () => {
  const { status } = spawnSync('sh', ['-c', `exec "${process.execPath}" "${BUNDLE}" run -- echo hidden >&- 2>&-`], {
    cwd: box.repo,
    env: box.env,
  });
  expect(status).toBe(0);
  expect(last()).toMatchObject({ argv: ['echo', 'hidden'], status: 'passed' });
});
