/** The gate on the built program, with real git: what a run covers, what it does not, and what the hook says of a push. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { asPerson, canBePerson } from '../support/person.ts';
import { remove, runLine, type Sandbox, sandbox } from '../support/sandbox.ts';
import { script } from '../support/script.ts';

/** A gate whose result a file outside the repository decides, so that the tree says nothing about it. */
const DECLARED = [
  `printf '%s\\n' 'version: 1' 'gate: { command: node check.mjs }' > waygate.yaml`,
  `echo "import { existsSync } from 'node:fs'; console.log('checked'); process.exit(existsSync(process.env.HOME + '/broken') ? 1 : 0);" > check.mjs`,
  'git add -A && git commit -q -m "declare the gate" && git push -q',
];

let box: Sandbox;
beforeEach(() => {
  box = sandbox(DECLARED);
});
afterEach(() => remove(box));

const line = (text: string, cwd = box.repo) => {
  const ran = runLine(text, box, cwd);
  expect(ran, ran.output).toMatchObject({ code: 0 });
  return ran.output;
};
const commit = (name: string) => line(`echo ${name} > src/${name}.txt && git add src && git commit -q -m 'add ${name}'`);
const gate = (...words: string[]) => waygate(box, ['gate', 'run', ...words]);
const status = (...words: string[]) => {
  const ran = waygate(box, ['gate', 'status', '--json', ...words]);
  return { code: ran.code, ...(JSON.parse(ran.stdout) as { state: string; why: string; run?: { id: string; by: string } }) };
};
let sessions = 0;
const push = (run = 'git push', session = `s-${++sessions}`) => script(box, session).ask({ run });

describe('what a run covers', () => {
  it('nothing, a green run, one commit more', () => {
    commit('one');
    expect(status()).toMatchObject({ code: 1, state: 'absent' });
    expect(push()).toMatchObject({ verdict: 'deny' });
    const ran = gate();
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('checked');
    expect(status()).toMatchObject({ code: 0, state: 'passed', run: { by: 'commit' } });
    expect(push()).toMatchObject({ verdict: 'pass' });
    commit('two');
    expect(status()).toMatchObject({ code: 1, state: 'absent' });
    expect(status('HEAD~1')).toMatchObject({ code: 0, state: 'passed' });
    expect(push()).toMatchObject({ verdict: 'deny' });
  });

  const same: readonly [string, string][] = [
    ['an amended message', "git commit -q --amend -m 'another message'"],
    [
      'a rebase without change',
      'git commit -q --allow-empty -m x && git reset -q --soft HEAD~1 && git commit -q --amend --no-edit --date=now',
    ],
    ['an empty commit', 'git commit -q --allow-empty -m nothing'],
    ['another branch on it', 'git switch -q -c other'],
  ];
  it.each(same)('the same files count: %s', (_name, after) => {
    commit('one');
    expect(gate().code).toBe(0);
    line(after);
    expect(status()).toMatchObject({ state: 'passed' });
    expect(push('git push -u --force-with-lease origin HEAD')).toMatchObject({ verdict: 'pass' });
  });

  it('files that were not committed yet are covered by the commit of exactly them', () => {
    line('echo new > src/new.txt && echo "// more" >> src/app.ts');
    const ran = gate();
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('a commit of exactly these is covered');
    expect(status()).toMatchObject({ state: 'absent' });
    line('git add src/new.txt src/app.ts && git commit -q -m both');
    expect(status()).toMatchObject({ state: 'passed', run: { by: 'tree' } });
  });

  it('a part of them is not', () => {
    line('echo "// more" >> src/app.ts && echo "// more" >> src/util.ts');
    expect(gate().code).toBe(0);
    line('git commit -q -m half src/app.ts');
    expect(status()).toMatchObject({ state: 'absent' });
    const asked = push();
    expect(asked.verdict).toBe('deny');
    expect(asked.agent).toContain('src/util.ts');
  });

  it('a later failure on the same files beats an earlier pass, and a later pass that', () => {
    commit('one');
    expect(gate().code).toBe(0);
    writeFileSync(join(box.home, 'broken'), '');
    expect(gate('--again', 'a doubt').code).toBe(1);
    expect(status()).toMatchObject({ state: 'failed' });
    const asked = push();
    expect(asked.verdict).toBe('deny');
    expect(asked.agent).toMatch(/ output \w+ --failure/);
    rmSync(join(box.home, 'broken'));
    expect(gate().code).toBe(0);
    expect(status()).toMatchObject({ state: 'passed' });
  });

  it('an interrupted run after a pass takes nothing away', () => {
    commit('one');
    expect(gate().code).toBe(0);
    line(`printf '%s\\n' 'version: 1' 'gate: { command: node check.mjs }' > waygate.yaml`);
    expect(gate('--timeout', '1ms').code).toBe(124);
    expect(status()).toMatchObject({ state: 'passed' });
  });

  it('files that change while it runs: incomplete, and the run itself says so', () => {
    line(
      `echo "import { appendFileSync } from 'node:fs'; appendFileSync('src/app.ts', '// made');" > check.mjs && git commit -q -a -m 'a gate that writes'`,
    );
    const ran = gate();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('has not seen them from its start');
    expect(status()).toMatchObject({ state: 'incomplete' });
    expect(push().verdict).toBe('deny');
  });

  it('a file hidden from git that stands there with other content is seen', () => {
    commit('one');
    line('git update-index --assume-unchanged src/util.ts && echo "export const util = 2;" > src/util.ts');
    expect(gate().code).toBe(0);
    expect(status()).toMatchObject({ state: 'absent' });
  });

  it('a work tree elsewhere shares what is known', () => {
    commit('one');
    line('git worktree add -q ../linked HEAD --detach');
    const linked = join(box.work, 'linked');
    expect(waygate(box, ['gate', 'run'], { cwd: linked }).code).toBe(0);
    expect(status()).toMatchObject({ state: 'passed' });
  });

  it('from a folder below, it runs at the top', () => {
    commit('one');
    expect(waygate(box, ['gate', 'run'], { cwd: join(box.repo, 'src') }).code).toBe(0);
    expect(status()).toMatchObject({ state: 'passed' });
  });

  it("the gate's own words under `waygate run` are a run of the gate, other words are none", () => {
    commit('one');
    expect(waygate(box, ['run', '--', 'node', 'check.mjs', '--fast']).code).toBe(0);
    expect(status()).toMatchObject({ state: 'absent' });
    expect(waygate(box, ['run', '--', 'node', 'check.mjs'], { cwd: join(box.repo, 'src') }).code).toBe(1);
    expect(status()).toMatchObject({ state: 'absent' });
    expect(waygate(box, ['run', '--', 'node', 'check.mjs']).code).toBe(0);
    expect(status()).toMatchObject({ state: 'passed' });
  });

  it('a SHA-256 repository', () => {
    const repo = join(box.work, 'sha256');
    line(
      `git init -q --object-format=sha256 ${repo} && cd ${repo} && printf '%s\\n' 'version: 1' 'gate: { command: "true" }' > waygate.yaml && git add -A && git commit -q -m one && echo x > y`,
    );
    expect(waygate(box, ['gate', 'run'], { cwd: repo }).code).toBe(0);
    expect(waygate(box, ['gate', 'status'], { cwd: repo }).code).toBe(0);
  });
});

describe('the record', () => {
  it('is signed by a key of this machine, and another signature covers nothing', () => {
    commit('one');
    expect(gate().code).toBe(0);
    const key = join(box.state, 'waygate', 'gate.key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const file = join(box.repo, '.git', 'waygate', 'runs.jsonl');
    const records = readFileSync(file, 'utf8');
    const forged = records.replace(/"signature":"..../, '"signature":"0000');
    writeFileSync(file, forged);
    expect(status()).toMatchObject({ state: 'absent' });
    expect(status().why).toContain('not signed by this machine');
    expect(push().verdict).toBe('deny');
    writeFileSync(file, records.replace(/,"signature":"\w+"/, ''));
    expect(status()).toMatchObject({ state: 'absent' });
    // What was signed as failed cannot be called passed.
    writeFileSync(file, records);
    expect(status()).toMatchObject({ state: 'passed' });
  });

  it('a line that cannot be read is never a pass, and a new run is the way out', () => {
    commit('one');
    expect(gate().code).toBe(0);
    appendFileSync(join(box.repo, '.git', 'waygate', 'runs.jsonl'), '{"schema":1,"id":"x","stat\n');
    expect(status()).toMatchObject({ state: 'absent' });
    expect(status().why).toMatch(/runs\.jsonl:\d+ holds one that cannot be read/);
    expect(push().verdict).toBe('deny');
    expect(gate().code).toBe(0);
    expect(status()).toMatchObject({ state: 'passed' });
  });

  it('a log that cannot be read at all: unknown, a notice in the hook', () => {
    commit('one');
    mkdirSync(join(box.repo, '.git', 'waygate', 'runs.jsonl'), { recursive: true });
    expect(status()).toMatchObject({ code: 1, state: 'unknown' });
    const asked = push();
    expect(asked.verdict).toBe('pass');
    expect(asked.agent).toContain('push-gate');
    const ran = gate();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Nothing was run');
  });

  it('says what the gate stands for; a change of it in the session does not cover', () => {
    const agent = script(box, 'recipe');
    agent.event('SessionStart', { source: 'startup' });
    line(`echo '' > check.mjs && git commit -q -a -m 'an easier gate'`);
    expect(gate().code).toBe(0);
    const asked = agent.ask({ run: 'git push' });
    expect(asked.verdict).toBe('deny');
    expect(asked.agent).toContain('has changed since the session began');
    expect(asked.agent).toMatch(/look at it and run/);
    expect(asked.person).toContain('has changed since the session began');
    // A session that begins with it takes it as it is.
    expect(push('git push', 'later').verdict).toBe('pass');
  });
});

it('another gate declared in the session does not count there, and no way out leads in a circle', () => {
  const agent = script(box, 'other-gate');
  agent.event('SessionStart', { source: 'startup' });
  line(`printf '%s\\n' 'version: 1' 'gate: { command: "true" }' > waygate.yaml && git commit -q -a -m 'another gate'`);
  expect(gate().code).toBe(0);
  const asked = agent.ask({ run: 'git push' });
  expect(asked.verdict).toBe('deny');
  expect(asked.agent).toContain('The gate was `node check.mjs` when the session began; now `true` is declared.');
  expect(asked.agent).toMatch(/^Run instead: .* request --need /m);
  expect(asked.agent).toMatch(/ask the owner: The gate was/i);
  expect(push('git push', 'later').verdict).toBe('pass');
});

describe('gates that cannot run', () => {
  it('none is declared: the verbs say how, pushes pass', () => {
    line('git rm -q waygate.yaml && git commit -q -m "no gate"');
    for (const words of [['run'], ['status'], ['record', '--file', '-']]) {
      const ran = waygate(box, ['gate', ...words]);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(/no gate is declared.*waygate\.yaml, e\.g\. gate: \{ command: "npm test" \}/);
    }
    expect(push().verdict).toBe('pass');
  });

  it.each([
    ['no-such-program --all', /there is no program "no-such-program" on PATH.*waygate\.yaml:2/],
    ['./ci.sh', /there is no program "\.\/ci\.sh" in/],
    ['./plain.sh', /plain\.sh cannot be executed: run chmod \+x/],
  ])('%s', (command, says) => {
    line(
      `printf '%s\\n' 'version: 1' 'gate: { command: "${command}" }' > waygate.yaml && echo echo > plain.sh && git add -A && git commit -q -m gate`,
    );
    const ran = gate();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(says);
    expect(status()).toMatchObject({ state: 'absent' });
    expect(push().verdict).toBe('deny');
  });

  it('a key that others can read signs nothing', () => {
    expect(gate().code).toBe(0);
    chmodSync(join(box.state, 'waygate', 'gate.key'), 0o644);
    const ran = gate();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('chmod 600');
    expect(status()).toMatchObject({ state: 'absent' });
  });

  it('a shell line works as one', () => {
    line(
      `printf '%s\\n' 'version: 1' 'gate: { command: "npm run lint && npm test" }' > waygate.yaml && git add -A && git commit -q -m gate`,
    );
    expect(gate().code).toBe(0);
    expect(status()).toMatchObject({ state: 'passed' });
  });

  it.each([
    [['gate'], /missing required argument/],
    [['gate', 'walk'], /"walk" is none of run, status, record/],
    [['gate', 'status', '--again', 'x'], /gate status takes no --again/],
    [['gate', 'run', 'HEAD'], /unexpected "HEAD"/],
    [['gate', 'run', '--again', ' '], /--again says why/],
    [['gate', 'record'], /--file FILE/],
  ] as const)('%j: usage', (words, says) => {
    const ran = waygate(box, words);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(says);
  });
});

describe('imports', () => {
  const wrong: readonly [string, RegExp][] = [
    ['not json', /no JSON/],
    ['[]', /a list is no object; expected \{"commit"/],
    ['{"status":"passed"}', /commit: expected the name of a commit.*found nothing/],
    ['{"commit":"HEAD","status":"green"}', /status: expected "passed" or "failed", found "green"/],
    ['{"commit":"HEAD","status":"passed","command":"make ci"}', /command: expected the declared gate "node check\.mjs", found "make ci"/],
    ['{"commit":"HEAD","status":"passed","conclusion":"success"}', /"conclusion" is no field of a result/],
    ['{"commit":"HEAD","status":"passed","endedAt":"yesterday"}', /endedAt: expected a time like/],
    ['{"commit":"no-such-rev","status":"passed"}', /commit: "no-such-rev" is no commit that git knows/],
  ];
  it.each(wrong)('%s', (input, says) => {
    const ran = waygate(box, ['gate', 'record', '--file', '-'], { input });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(says);
  });

  it('without a terminal nobody records, and an agent is refused before', () => {
    const ran = waygate(box, ['gate', 'record', '--file', '-'], { input: '{"commit":"HEAD","status":"passed"}' });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/gate record: /);
    expect(status()).toMatchObject({ state: 'absent' });
    const asked = script(box, 'agent').ask({ run: 'waygate gate record --file result.json' });
    expect(asked).toMatchObject({ verdict: 'deny' });
    expect(asked.agent).toContain('owner-verb');
  });

  it.skipIf(!canBePerson())('a person takes a result of CI in', async () => {
    commit('one');
    writeFileSync(join(box.root, 'ci.json'), JSON.stringify({ commit: 'HEAD', status: 'passed', by: 'ci', source: 'build 42' }));
    const refused = await asPerson(box, ['gate', 'record', '--file', join(box.root, 'ci.json')], { types: 'no' });
    expect(refused.code).not.toBe(0);
    expect(status()).toMatchObject({ state: 'absent' });
    const taken = await asPerson(box, ['gate', 'record', '--file', join(box.root, 'ci.json')]);
    expect(taken.shown).toContain('build 42');
    expect(taken.code).toBe(0);
    expect(status()).toMatchObject({ code: 0, state: 'passed' });
    expect(push().verdict).toBe('pass');
    expect(waygate(box, ['output', 'gate']).stderr).toContain('was taken in from CI');
  });
});

describe('whose gate', () => {
  it('the one of the pushed repository, not of the session', () => {
    commit('one');
    const other = join(box.work, 'other');
    line(`git init -q ${other} && cd ${other} && git remote add origin ${box.root}/x.git && git commit -q --allow-empty -m one`);
    expect(push(`git -C ${other} push -u origin main`).agent).not.toContain('push-ungated');
    line(`printf '%s\\n' 'version: 1' 'gate: { command: make ci }' > waygate.yaml && git add -A && git commit -q -m gate`, other);
    const asked = push(`git -C ${other} push -u origin main`);
    expect(asked.verdict).toBe('deny');
    expect(asked.agent).toContain('make ci');
    expect(push(`git --git-dir=${other}/.git push -u origin main`).agent).toContain('make ci');
  });

  it('only the branches it is for', () => {
    line(
      `printf '%s\\n' 'version: 1' 'gate: { command: node check.mjs, branches: ["release/*"] }' > waygate.yaml && git add -A && git commit -q -m gate`,
    );
    expect(push().verdict).toBe('pass');
    expect(push('git push origin HEAD:refs/heads/release/1').agent).toContain('push-ungated');
  });
});

describe('the way out works', () => {
  const edit = 'echo "// more" >> src/app.ts';
  const made = 'git add src/app.ts && git commit -q -m more';
  /** What there is, the push, and the push alone where the line makes the commit. */
  const cases: readonly [string, readonly string[], string, string?][] = [
    ['nothing ran yet', [], 'git push'],
    ['changes beside the commit', [edit], 'git push'],
    ['another branch', ['git switch -q -c side'], 'git push origin feat/x'],
    [
      'another commit',
      ['git switch -q -c side && git commit -q --allow-empty -m x && echo y > src/y.txt && git add src && git commit -q -m y'],
      'git push origin feat/x',
    ],
    [
      'another commit, changes here',
      ['git switch -q -c side && echo y > src/y.txt && git add src && git commit -q -m y', edit],
      'git push origin feat/x',
    ],
    ['a tag', ['git tag v1 && echo y > src/y.txt && git add src && git commit -q -m y'], 'git push origin v1'],
    [
      'another work tree',
      ['git branch -q wt && git worktree add -q ../wt wt && cd ../wt && echo y > src/y.txt && git add src && git commit -q -m y'],
      'git push origin wt',
    ],
    ['made and pushed at once', [edit], `${made} && git push`, 'git push'],
    ['made and pushed at once, proven before', [edit, 'waygate gate run --quiet'], `${made}; git push`, 'git push'],
    ['the gate failed', ['touch "$HOME/broken"; waygate gate run --quiet || true; rm "$HOME/broken"'], 'git push'],
  ];
  it.each(cases)('%s', (_name, given, call, alone = call) => {
    commit('one');
    for (const each of given) line(each);
    const before = line('git stash list; git branch --show-current; git status --porcelain src');
    const agent = script(box, 'way');
    const asked = agent.ask({ run: call });
    expect(asked.verdict, asked.agent).toBe('deny');
    const [decision] = agent.log() as unknown as { remedies: { kind: string; run: string; then?: string }[] }[];
    const ways = decision!.remedies.filter((each) => each.kind === 'run');
    const way = ways.find((each) => each.then === 'again') ?? ways[0];
    expect(way, asked.agent).toBeDefined();
    expect(agent.ask({ run: way!.run }).verdict).toBe('pass');
    line(way!.run);
    if (!way!.run.includes('git push')) expect(agent.ask({ run: alone })).toMatchObject({ verdict: 'pass' });
    if (alone === call) expect(line('git stash list; git branch --show-current; git status --porcelain src')).toBe(before);
  });
});

describe('the repeat', () => {
  it('of a proven run is refused, a reason gets through, a push needs none', () => {
    commit('one');
    const agent = script(box, 'repeat');
    expect(agent.ask({ run: 'waygate gate run' }).verdict).toBe('pass');
    expect(gate().code).toBe(0);
    const asked = agent.ask({ run: 'waygate gate run' });
    expect(asked.verdict).toBe('deny');
    expect(asked.agent).toContain(' gate status');
    expect(agent.ask({ run: "waygate gate run --again 'looking for a flaky test'" }).verdict).toBe('pass');
    expect(agent.ask({ run: 'git push' }).verdict).toBe('pass');
  });

  it('after another installation of packages is none', () => {
    line('mkdir -p node_modules && echo 1 > node_modules/.package-lock.json');
    expect(gate().code).toBe(0);
    line('echo 22 > node_modules/.package-lock.json');
    expect(script(box, 'installed').ask({ run: 'waygate gate run' }).verdict).toBe('pass');
  });
});

it('gate run leaves no trace in the repository', () => {
  line('echo new > src/new.txt && echo "// more" >> src/app.ts && git add src/new.txt');
  const look = 'git status --porcelain; git count-objects; git stash list; git for-each-ref; ls -A; ls -A ../../tmp';
  const before = line(look);
  expect(gate().code).toBe(0);
  waygate(box, ['gate', 'status']);
  expect(line(look)).toBe(before);
  expect(existsSync(join(box.repo, '.git', 'waygate', 'runs.jsonl'))).toBe(true);
});
