/**
 * Rules about runs, on the built binary with real runners: the call is refused through the hook, its remedy is really run, and reaches
 * what the call was for. A runner that is not installed here is left out by name.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { remove, runLine, type Sandbox, sandbox } from '../support/sandbox.ts';
import { folderOf, withTools } from '../support/tools.ts';

let box: Sandbox | undefined;
afterEach(() => {
  if (box) remove(box);
  box = undefined;
});

interface Decision {
  verdict: string;
  rule?: string;
  remedies: readonly { kind: string; run?: string; tool?: string; input?: Record<string, unknown> }[];
}

/** A process that has ended and that nobody has waited for yet is none. */
const isRunning = (pid: number): boolean =>
  !['', 'Z'].includes(
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .stdout.trim()
      .slice(0, 1),
  );

/** What the guard decides on a call in a sandbox. */
function judged(place: Sandbox, input: Record<string, unknown>): Decision {
  const event = { session_id: 's', cwd: place.repo, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: input };
  const ran = waygate(place, ['judge'], { input: JSON.stringify({ host: 'claude-code', event }), env: withTools(place.env) });
  if (ran.code !== 0) throw new Error(ran.stderr);
  return JSON.parse(ran.stdout.trim().split('\n').at(-1)!) as Decision;
}

/** A workspace in which `check` fails with its reason in the middle of much output, by a runner of that name. */
const WORKSPACES: Readonly<Record<string, { given: readonly string[]; check: string; hang: string }>> = {
  npm: {
    given: ['npm pkg set scripts.test="node check.mjs" scripts.build="node hang.mjs"'],
    check: 'npm test',
    hang: 'npm run build',
  },
  pnpm: {
    given: ['npm pkg set scripts.test="node check.mjs" scripts.build="node hang.mjs"', 'touch pnpm-lock.yaml'],
    check: 'pnpm test',
    hang: 'pnpm run build',
  },
  make: {
    given: ["printf 'test:\\n\\tnode check.mjs\\n\\nbuild:\\n\\tnode hang.mjs\\n' > Makefile"],
    check: 'make test',
    hang: 'make build',
  },
  just: {
    given: ["printf 'test:\\n    node check.mjs\\n\\nbuild:\\n    node hang.mjs\\n' > justfile"],
    check: 'just test',
    hang: 'just build',
  },
};

const FILES = [
  "printf \"for (let i = 0; i < 100; i++) console.log('line ' + i);\\nconsole.log('Error: the middle is wrong');\\nfor (let i = 100; i < 200; i++) console.log('line ' + i);\\nprocess.exitCode = 3;\\n\" > check.mjs",
  "printf \"setTimeout(() => {}, 60000);\\nrequire('fs').writeFileSync('pid', String(process.pid));\\n\" > hang.cjs",
  'printf "import \'./hang.cjs\';\\n" > hang.mjs',
];

for (const [runner, { given, check, hang }] of Object.entries(WORKSPACES)) {
  describe.skipIf(folderOf(runner) === undefined)(runner, () => {
    const open = (): Sandbox => {
      box = sandbox([...FILES, ...given]);
      return { ...box, env: withTools(box.env) };
    };
    /** The refusal's first remedy, run. */
    const taken = (place: Sandbox, command: string, rule: string) => {
      const decision = judged(place, { command });
      expect([decision.verdict, decision.rule], JSON.stringify(decision)).toEqual(['deny', rule]);
      const run = decision.remedies[0]!.run!;
      expect(judged(place, { command: run }).verdict, run).not.toBe('deny');
      return { run, ...runLine(run, place) };
    };
    /** The bare call's own exit status. */
    const status = (place: Sandbox) => spawnSync('bash', ['-c', check], { cwd: place.repo, env: place.env }).status;

    it('output-pipe: the status is that of the check, the end is shown, the reason is kept', () => {
      const place = open();
      const { run, code, output } = taken(place, `${check} 2>&1 | tail -5`, 'output-pipe');
      expect(run).toContain('--tail 5');
      expect(code).toBe(status(place));
      expect(code).not.toBe(0);
      expect(output).not.toContain('line 20\n');
      expect(waygate(place, ['output', 'last', '--failure']).stdout).toContain('Error: the middle is wrong');
    });

    // What the runner has no part in is tried with the two that nearly every machine has.
    const usual = runner === 'npm' || runner === 'make';

    if (usual)
      it('output-pipe: a search shows its lines with what stands around them', () => {
        const { output, code } = taken(open(), `${check} 2>&1 | grep middle`, 'output-pipe');
        expect(code).not.toBe(0);
        expect(output).toContain('Error: the middle is wrong');
        expect(output).toContain('line 99');
      });

    if (usual)
      it('output-redirect: the file holds both streams, and the status is kept', () => {
        const place = open();
        const { code } = taken(place, `${check} > check.log 2>&1`, 'output-redirect');
        expect(code).not.toBe(0);
        const text = fs.readFileSync(path.join(place.repo, 'check.log'), 'utf8');
        expect(text).toContain('Error: the middle is wrong');
        expect(text).toContain('line 199');
      });

    it('runner-timeout: the whole group ends, and the log says why', () => {
      const place = open();
      const { code } = taken(place, `timeout 2 ${hang}`, 'runner-timeout');
      expect(code).toBe(124);
      const { runs } = JSON.parse(waygate(place, ['runs', '--json']).stdout) as { runs: { status: string; cause?: string }[] };
      expect(runs[0]).toMatchObject({ status: 'killed', cause: expect.stringContaining('2') });
      const pid = Number(fs.readFileSync(path.join(place.repo, 'pid'), 'utf8'));
      expect(isRunning(pid)).toBe(false);
    });
  });
}

describe('one call for several', () => {
  it.skipIf(folderOf('make') === undefined)('chained-run: make runs both', () => {
    box = sandbox(["printf 'lint:\\n\\ttouch linted\\n\\ntest:\\n\\ttouch tested\\n' > Makefile"]);
    const decision = judged(box, { command: 'make lint && make test' });
    expect([decision.rule, decision.remedies[0]?.run]).toEqual(['chained-run', 'make lint test']);
    expect(runLine('make lint test', box).code).toBe(0);
    expect(fs.readdirSync(box.repo)).toEqual(expect.arrayContaining(['linted', 'tested']));
  });

  it('chained-run: the target that runs just these', () => {
    box = sandbox(['npm pkg set scripts.lint="touch linted" scripts.test="touch tested" scripts.verify="npm run lint && npm test"']);
    const decision = judged(box, { command: 'npm run lint && npm test' });
    expect([decision.rule, decision.remedies[0]?.run]).toEqual(['chained-run', 'npm run verify']);
    expect(runLine('npm run verify', box).code).toBe(0);
    expect(fs.readdirSync(box.repo)).toEqual(expect.arrayContaining(['linted', 'tested']));
  });
});

describe('the target instead of the tool', () => {
  it('raw-tool: the tool gets the file, and what the target gives it', () => {
    box = sandbox([
      'mkdir -p node_modules/.bin',
      'printf \'#!/bin/sh\\necho "$MODE $@" > seen\\n\' > node_modules/.bin/vitest',
      'chmod +x node_modules/.bin/vitest',
      'npm pkg set scripts.test="MODE=ci vitest run"',
    ]);
    const decision = judged(box, { command: 'npx vitest run src/a.test.ts' });
    expect([decision.rule, decision.remedies[0]?.run]).toEqual(['raw-tool', 'npm test -- src/a.test.ts']);
    expect(runLine(decision.remedies[0]!.run!, box).code).toBe(0);
    expect(fs.readFileSync(path.join(box.repo, 'seen'), 'utf8')).toBe('ci run src/a.test.ts\n');
  });
});

describe('what has been kept', () => {
  it('capture-filter: the reason of a failure as a block, from the run log and from the host', () => {
    box = sandbox([...FILES, 'mkdir -p "$TMPDIR/claude/tasks"', 'waygate run --quiet -- node check.mjs || true']);
    const log = path.join(box.repo, '.git/waygate/runs', fs.readdirSync(path.join(box.repo, '.git/waygate/runs'))[0]!);
    const task = path.join(box.tmp, 'claude/tasks/b1.output');
    fs.copyFileSync(log, task);
    for (const file of [log, task]) {
      const decision = judged(box, { command: `sed -n '1,20p' ${file}` });
      expect([decision.verdict, decision.rule], file).toEqual(['deny', 'capture-filter']);
      const { code, output } = runLine(decision.remedies[0]!.run!, box);
      expect(code, output).toBe(0);
      expect(output).toContain('Error: the middle is wrong');
      expect(output).not.toContain('line 5\n');
    }
    expect(waygate(box, ['output', path.join(box.repo, 'README.md')])).toMatchObject({ code: 1, stdout: '' });
  });

  it('graph-pipe: the verb narrows its own records', () => {
    box = sandbox(['waygate run --quiet -- true', 'waygate run --quiet -- true']);
    const decision = judged(box, { command: 'waygate runs | head -1' });
    expect(decision.rule).toBe('graph-pipe');
    const { code, output } = runLine(decision.remedies[0]!.run!, box);
    expect(code, output).toBe(0);
  });

  it('check-timeout: the same call with time enough passes', () => {
    const record = (i: number) =>
      JSON.stringify({
        schema: 1,
        id: `r${i}`,
        argv: ['npm', 'test'],
        cwd: '/',
        startedAt: '2026-01-01T00:00:00.000Z',
        endedAt: '2026-01-01T00:05:00.000Z',
        status: 'passed',
        exit: 0,
        pid: 1,
        environment: '',
        log: '',
      });
    box = sandbox(['mkdir -p .git/waygate']);
    fs.writeFileSync(path.join(box.repo, '.git/waygate/runs.jsonl'), `${[1, 2, 3].map(record).join('\n')}\n`);
    const decision = judged(box, { command: 'npm test', timeout: 120_000 });
    expect([decision.verdict, decision.rule]).toEqual(['deny', 'check-timeout']);
    const remedy = decision.remedies[0]!;
    expect(remedy).toMatchObject({ kind: 'call', tool: 'Bash', input: { command: 'npm test', timeout: 480_000 } });
    expect(judged(box, remedy.input!).verdict).toBe('pass');
  });
});

describe('the log is no way around', () => {
  it.each(['waygate run -- bash -c "git push --force origin main"', 'waygate run --tee src/app.ts -- true'])('%s', (command) => {
    box = sandbox(['echo changed >> src/app.ts']);
    expect(judged(box, { command }).verdict).toBe('deny');
  });
});
