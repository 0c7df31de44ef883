/** What a workspace runs: `describe targets`, what `init` writes of it, and what `doctor` says about the gate. On the built program. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { waygate } from '../support/cli.ts';
import { asPerson, canBePerson } from '../support/person.ts';
import { type Sandbox, sandbox } from '../support/sandbox.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/runners');

/** A box whose repository has the files of a fixture; `nothing`: not even a package.json. */
function boxWith(fixture: string, policy?: string): Sandbox {
  const box = sandbox();
  box.env['XDG_DATA_HOME'] = join(box.home, '.local', 'share');
  if (fixture === 'nothing') rmSync(join(box.repo, 'package.json'));
  else cpSync(join(FIXTURES, fixture), box.repo, { recursive: true });
  if (policy !== undefined) writeFileSync(join(box.repo, 'waygate.yaml'), policy);
  return box;
}

describe('describe targets', () => {
  it('shows runners, what a target covers and runs, from which file and line, and what looks like the gate', () => {
    const { code, stdout } = waygate(boxWith('mixed'), ['describe', 'targets']);
    expect(code).toBe(0);
    expect(stdout).toContain('npm  package.json  npm run {target}\n');
    expect(stdout).toMatch(/ {2}test +test +package\.json:5 +covers vitest run\n/);
    expect(stdout).toContain('make  Makefile  make {target}; several targets in one call\n');
    expect(stdout).toMatch(/ {2}ci +gate +Makefile:2 +runs lint, npm test; looks like the gate\n/);
    expect(stdout).toMatch(/gate {5}none is declared: the push rules keep quiet\. make ci looks like one/);
    expect(stdout).toMatch(/install {2}make setup\nupdate {3}no target updates dependencies\n$/);
  });

  it('as JSON: the runners, the proposed and the declared gate, install and update', () => {
    const box = boxWith('mixed', 'version: 1\ngate: { command: make ci }\n');
    const told = JSON.parse(waygate(box, ['describe', 'targets', '--json']).stdout);
    expect(told).toMatchObject({
      schema: 1,
      root: box.repo,
      proposedGate: 'make ci',
      gate: { command: 'make ci', branches: ['**'], setBy: 'waygate.yaml:2' },
      install: 'make setup',
      update: null,
    });
    expect(told.runners.map((runner: { name: string; combine: string }) => [runner.name, runner.combine])).toEqual([
      ['npm', 'none'],
      ['make', 'args'],
    ]);
    const [test] = told.runners[0].targets;
    expect(test).toEqual({
      name: 'test',
      command: 'npm test',
      recipe: ['vitest run'],
      covers: [{ program: 'vitest', argv: ['run'], whole: true }],
      includes: [],
      writes: [],
      role: 'test',
      parts: ['test'],
      gate: false,
      endless: false,
      origin: { file: join(box.repo, 'package.json'), line: 5 },
      declared: false,
    });
  });

  it.each([
    'npm',
    'pnpm',
    'make',
    'just',
    'task',
    'turbo',
    'nx',
    'cargo',
    'go',
    'gradle',
    'maven',
    'bazel',
    'mise',
    'tox',
    'nox',
    'poetry',
    'uv',
    'pre-commit',
  ])('knows %s', (name) => {
    const box = boxWith(name);
    if (name !== 'npm' && name !== 'pnpm' && name !== 'turbo') writeFileSync(join(box.repo, 'package.json'), '{}');
    const told = JSON.parse(waygate(box, ['describe', 'targets', '--json']).stdout);
    expect(told.runners.map((runner: { name: string }) => runner.name)).toContain(name);
  });

  it('a declaration waits for trust, and says so', () => {
    const box = boxWith('mixed', 'version: 1\nrunner:\n  targets:\n    test: { covers: [jest] }\n');
    const { stdout } = waygate(box, ['describe', 'targets']);
    expect(stdout).toMatch(/covers vitest run\n/);
    expect(stdout).toMatch(/The runner declared in waygate\.yaml:2 does not count until a person trusts it: waygate trust/);
  });

  it.runIf(canBePerson())('once it is trusted it overrides what was detected', async () => {
    const box = boxWith('mixed', 'version: 1\nrunner:\n  targets:\n    test: { covers: [jest], gate: true }\n');
    expect((await asPerson(box, ['trust'])).code).toBe(0);
    const { stdout } = waygate(box, ['describe', 'targets']);
    expect(stdout).toMatch(/ {2}test +test +waygate\.yaml:2 +covers jest; looks like the gate; over package\.json:5\n/);
    expect(stdout).not.toContain('does not count');
    expect(stdout).toContain('npm test looks like one');
  });

  it('is about the directory it is called in', () => {
    const box = boxWith('mixed');
    const { stdout } = waygate(box, ['-C', 'packages/app', 'describe', 'targets']);
    expect(stdout.indexOf('packages/app/package.json')).toBeLessThan(stdout.indexOf('Makefile'));
    expect(stdout).toMatch(/top +- +packages\/app\/package\.json:5 +runs make -C \.\.\/\.\. ci/);
  });

  it('a workspace that runs nothing', () => {
    const { stdout } = waygate(sandbox(['rm package.json']), ['describe', 'targets']);
    expect(stdout).toMatch(
      /^No task runner was found here, and waygate\.yaml declares none \(runner\)\.\ngate {5}none is declared; nothing here looks like one\n/,
    );
  });

  it.each([
    ['package.json', '{"scripts": {"a": 1, "b": ["x"], "c\\u001b[31m": "vitest"}, "workspaces": 7}'],
    ['package.json', '{"scripts": []'],
    ['Makefile', `${'a: b\n'.repeat(2000)}\n$(`],
    ['justfile', 'a:\n  {{'],
    ['Taskfile.yml', 'tasks: {a: [1, {task: 3}], b: {cmds: {}}, c: null}'],
    ['turbo.json', '{"tasks": {"a": {"outputs": 3, "dependsOn": {}}, "b": null}}'],
    ['nx.json', '{"targetDefaults": {"a": {"outputs": [1], "dependsOn": [2, {}]}}}'],
    ['.pre-commit-config.yaml', 'repos: [{hooks: [{id: 3}, 7]}, x]'],
    ['mise.toml', '[tasks.a]\nrun = [1, {task = 2}]\n[tasks.b]\ndepends = 3\n'],
    ['pyproject.toml', '[tool.poe.tasks]\na = 1\nb = [[["a"]]]\n'],
    ['tox.ini', '[tox]\nenvlist = {{{,\n[testenv:'],
    ['noxfile.py', '@nox.session\ndef ('],
    ['pom.xml', '<project'],
    ['Cargo.toml', '\u0000'],
  ])('a file that is not as it should be: %s %j', (name, text) => {
    const box = sandbox(['rm package.json']);
    writeFileSync(join(box.repo, name), text);
    const { code, stdout, stderr } = waygate(box, ['describe', 'targets']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('gate ');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('init', () => {
  it('writes what was detected, the runner and the gate as comments', () => {
    const box = boxWith('npm');
    expect(waygate(box, ['init', '--yes']).code).toBe(0);
    const text = readFileSync(join(box.repo, 'waygate.yaml'), 'utf8');
    expect(parse(text)).toEqual({ version: 1, preset: 'strict' });
    expect(text).toContain('# gate: { command: npm run check }\n');
    // The comments are what they say: without their marks the file is a valid one.
    writeFileSync(join(box.repo, 'waygate.yaml'), text.replace(/^# (?=(runner|gate):)|^#(?= {2,})/gm, '').replace(/^ (?= +\S+:)/gm, ''));
    expect(waygate(box, ['test']).stdout).not.toMatch(/waygate\.yaml:\d+:\d+/);
    expect(parse(readFileSync(join(box.repo, 'waygate.yaml'), 'utf8'))).toMatchObject({
      runner: { command: 'npm run {target}', targets: { test: { covers: ['vitest run'] }, check: { gate: true } } },
      gate: { command: 'npm run check' },
    });
  });

  it('says how a gate is declared where nothing looks like one', () => {
    const box = sandbox(['rm package.json']);
    box.env['XDG_DATA_HOME'] = join(box.home, '.local', 'share');
    expect(waygate(box, ['init', '--yes']).code).toBe(0);
    const text = readFileSync(join(box.repo, 'waygate.yaml'), 'utf8');
    expect(parse(text)).toEqual({ version: 1, preset: 'strict' });
    expect(text).toContain('# gate: { command: make check }\n');
  });

  it.runIf(canBePerson()).each([
    ['y', { command: 'make ci' }],
    ['n', undefined],
    ['', undefined],
  ])('on a terminal it asks whether to declare the gate: %j', async (types, gate) => {
    const box = boxWith('mixed');
    const { shown } = await asPerson(box, ['init', '--preset', 'strict'], { prompt: /declare it\? \[y\/N\]/, types });
    expect(shown).toContain('make ci looks like the gate of this workspace: the command that has to pass before a push.');
    expect(parse(readFileSync(join(box.repo, 'waygate.yaml'), 'utf8')).gate).toEqual(gate);
    const told = JSON.parse(waygate(box, ['describe', 'targets', '--json']).stdout);
    expect(told.gate?.command).toBe(gate?.command);
  });
});

describe('doctor', () => {
  it.each<[string, string | undefined, RegExp]>([
    [
      'mixed',
      undefined,
      /warn {2}gate {6}none is declared, so the push rules keep quiet; make ci looks like one\n.*Do: add to waygate\.yaml: gate: \{ command: make ci \}/,
    ],
    ['nothing', undefined, /ok {4}gate {6}none is declared, and nothing here looks like one: the push rules keep quiet/],
    ['mixed', 'gate: { command: git status }\n', /ok {4}gate {6}git status \(waygate\.yaml:1\)/],
    [
      'mixed',
      'gate: { command: ./hack/no.sh }\n',
      /warn {2}gate {6}\.\/hack\/no\.sh \(waygate\.yaml:1\): there is no program "\.\/hack\/no\.sh" in .*; no push can be covered\n.*Do: correct gate\.command in waygate\.yaml/,
    ],
  ])('%s with %j', (fixture, policy, expected) => {
    expect(waygate(boxWith(fixture, policy), ['doctor']).stdout).toMatch(expected);
  });
});
