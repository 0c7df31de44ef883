import { describe, expect, it } from 'vitest';
import type { RunnerCall } from '../effect/types-run.ts';
import { detectProfile, topOf } from './detect.ts';
import { scripts, world } from './fixture.ts';
import type { Profile } from './profile.ts';
import { expansionOf } from './recipe.ts';
import { closureOf, combinedCall, targetsNamed } from './resolve.ts';

const FILES = {
  '/w/.git/HEAD': '',
  '/w/package.json': scripts(
    {
      pretest: 'npm run build',
      build: 'tsc',
      test: 'vitest run',
      posttest: 'echo done',
      lint: 'eslint .',
      ci: 'npm-run-all lint test && make extra',
      'ci:sh': './hack/ci.sh',
      'ci:node': 'node hack/ci.mjs --fast',
      loop: 'npm run loop',
    },
    { workspaces: ['packages/*'] },
  ),
  '/w/Makefile': 'check: lint test\nlint:\n\tgolangci-lint run\ntest: lint\n\tgo test $(FLAGS) ./...\nextra:\n\tnpm run lint -- --quiet\n',
  '/w/hack/ci.sh': '#!/bin/sh\nset -e\nmake lint\nnpm test\n',
  '/w/hack/ci.mjs': 'console.log(1);\n',
  '/w/packages/a/package.json': scripts({ test: 'jest', up: 'make -C ../.. check', all: 'npm run test --workspaces' }),
};
const LOOK = world(FILES);
const profileIn = (dir: string): Profile => detectProfile(dir, '/w', LOOK) as Profile;
const call = (runner: RunnerCall['runner'], targets: readonly string[], dir: string | undefined = '/w'): RunnerCall => ({
  runner,
  targets,
  dir,
  projects: [],
  extra: [],
});

describe('targetsNamed', () => {
  it.each<[string, string, RunnerCall, readonly string[]]>([
    ['by name', '/w', call('npm', ['lint', 'test']), ['/w npm lint', '/w npm test']],
    ['whichever package manager runs it', '/w', call('pnpm', ['lint']), ['/w npm lint']],
    ['the nearest first', '/w/packages/a', call('npm', ['test'], '/w/packages/a'), ['/w/packages/a npm test']],
    ['from the directory of the call', '/w/packages/a', call('npm', ['test'], '/w'), ['/w npm test']],
    ['further up where the nearest has none', '/w/packages/a', call('npm', ['lint'], '/w/packages/a'), ['/w npm lint']],
    ["make's default", '/w', call('make', []), ['/w make check']],
    ['no default for npm', '/w', call('npm', []), []],
    ['an unknown name', '/w', call('npm', ['nope']), []],
    ['another runner', '/w', call('just', ['lint']), []],
    ['an unknown directory', '/w', { runner: 'npm', targets: ['lint'], dir: undefined, projects: [], extra: [] }, ['/w npm lint']],
  ])('%s', (_name, dir, asked, expected) => {
    expect(targetsNamed(profileIn(dir), asked).map(({ runner, target }) => `${runner.dir} ${runner.name} ${target.name}`)).toEqual(
      expected,
    );
  });
});

describe('targetsNamed, where a runner has its own way', () => {
  it.each<[string, Record<string, string>, Partial<RunnerCall> & Pick<RunnerCall, 'runner'>, string | undefined]>([
    [
      'a module of just',
      { '/j/justfile': 'mod db\na:\n  x\n', '/j/db.just': 'up:\n  y\n' },
      { runner: 'just', targets: ['db'], extra: ['up'] },
      'db::up',
    ],
    ['all of tox', { '/j/tox.ini': '[tox]\nenvlist = a, b\n[testenv]\ncommands = pytest\n' }, { runner: 'tox' }, 'all'],
    ['all hooks', { '/j/.pre-commit-config.yaml': 'repos:\n  - repo: x\n    hooks: [{id: black}]\n' }, { runner: 'pre-commit' }, 'all'],
    ["make's own default", { '/j/Makefile': '.DEFAULT_GOAL = b\na:\n\tx\nb:\n\ty\n' }, { runner: 'make' }, 'b'],
    ["Task's default", { '/j/Taskfile.yml': 'tasks:\n  a: x\n  default: y\n' }, { runner: 'task' }, 'default'],
    ['no default of Task', { '/j/Taskfile.yml': 'tasks:\n  a: x\n' }, { runner: 'task' }, undefined],
  ])('%s', (_name, files, asked, expected) => {
    const profile = detectProfile('/j', '/j', world(files)) as Profile;
    expect(targetsNamed(profile, { targets: [], projects: [], extra: [], dir: '/j', ...asked })[0]?.target.name).toBe(expected);
  });
});

describe('closureOf', () => {
  it.each([
    ['/w', 'npm', 'ci', 'ci lint test pretest build posttest extra'],
    ['/w', 'npm', 'loop', 'loop'],
    ['/w', 'make', 'check', 'check lint test'],
    ['/w/packages/a', 'npm', 'up', 'up check lint test'],
  ])('%s %s %s', (dir, name, target, expected) => {
    const { runners } = profileIn(dir);
    const runner = runners.find((each) => each.name === name && each.targets.some((other) => other.name === target));
    const start = runner?.targets.find((each) => each.name === target);
    expect(new Set(closureOf(runners, runner!, start!).map((each) => each.target.name))).toEqual(new Set(expected.split(' ')));
  });
});

describe('combinedCall', () => {
  it.each([
    ['make', ['lint', 'test'], 'make lint test'],
    ['npm', ['lint', 'test'], undefined],
  ])('%s %j', (name, names, expected) => {
    const runner = profileIn('/w').runners.find((each) => each.name === name)!;
    expect(
      combinedCall(
        runner,
        runner.targets.filter((each) => names.includes(each.name)),
      ),
    ).toBe(expected);
  });
  it('pnpm takes a pattern', () => {
    const look = world({ '/p/package.json': scripts({ a: 'x', 'b:c': 'y' }, { packageManager: 'pnpm@9' }) });
    const runner = detectProfile('/p', '/p', look)!.runners[0]!;
    expect(combinedCall(runner, runner.targets)).toBe('pnpm run "/^(a|b:c)$/"');
  });
});

describe('expansionOf', () => {
  it.each<[string, string, readonly string[]]>([
    ['npm test', '/w', ['npm test', 'npm run build', 'tsc', 'vitest run', 'echo done']],
    [
      'npm run ci',
      '/w',
      [
        'npm run ci',
        'npm-run-all lint test && make extra',
        'eslint .',
        'npm run build',
        'tsc',
        'vitest run',
        'echo done',
        'npm run lint -- --quiet',
      ],
    ],
    ['make check', '/w', ['make check', 'golangci-lint run', 'go test ./...']],
    ['make', '/w', ['make', 'golangci-lint run', 'go test ./...']],
    ['npm run loop', '/w', ['npm run loop', 'npm run loop']],
    ['npm test', '/w/packages/a', ['npm test', 'jest']],
    ['npm run all', '/w/packages/a', ['npm run all', 'npm run test --workspaces', 'jest']],
    ['npm test --workspaces', '/w', ['npm test --workspaces', 'jest']],
    ['vitest run', '/w', ['vitest run']],
    ['npm run nope', '/w', ['npm run nope']],
    ['cd packages/a && npm test', '/w', ['cd packages/a && npm test', 'jest']],
    ['/etc/passwd', '/w', ['/etc/passwd']],
  ])('%s in %s', (command, dir, expected) => {
    expect(expansionOf(command, dir, LOOK)).toEqual(expected);
  });

  it('a script of the workspace counts with its content, and what it calls', () => {
    const [command, script, file, ...rest] = expansionOf('npm run ci:sh', '/w', LOOK);
    expect([command, script, rest]).toEqual([
      'npm run ci:sh',
      './hack/ci.sh',
      ['golangci-lint run', 'npm run build', 'tsc', 'vitest run', 'echo done'],
    ]);
    expect(file).toMatch(/^hack\/ci\.sh sha256:[0-9a-f]{64}$/);
    expect(expansionOf('npm run ci:node', '/w', LOOK)[2]).toMatch(/^hack\/ci\.mjs sha256:/);
  });

  it.each([
    ['/w/hack/ci.sh', '#!/bin/sh\nexit 0\n', 'npm run ci:sh'],
    ['/w/hack/ci.mjs', '', 'npm run ci:node'],
    ['/w/Makefile', FILES['/w/Makefile'].replace('go test', 'true # go test'), 'make check'],
    ['/w/Makefile', `${FILES['/w/Makefile']}test: FLAGS = -run none\n`, 'make check'],
    ['/w/Makefile', `${FILES['/w/Makefile']}check: SHELL = true\n`, 'make check'],
    ['/w/Makefile', `SHELL = true\n${FILES['/w/Makefile']}`, 'make check'],
    ['/w/Makefile', `${FILES['/w/Makefile']}.IGNORE:\n`, 'make check'],
    ['/w/Makefile', FILES['/w/Makefile'].replace('\tgo test', '\t-go test'), 'make check'],
    ['/w/.npmrc', 'script-shell=/bin/true\n', 'npm run ci'],
    ['/w/package.json', FILES['/w/package.json'].replace('vitest run', 'true'), 'npm run ci'],
  ])('another %s is another recipe', (path, text, command) => {
    expect(expansionOf(command, '/w', world({ ...FILES, [path]: text }))).not.toEqual(expansionOf(command, '/w', LOOK));
    expect(expansionOf(command, '/w', world(FILES))).toEqual(expansionOf(command, '/w', LOOK));
  });
});

describe('topOf', () => {
  it.each([
    ['/w/packages/a', '/w'],
    ['/w', '/w'],
  ])('%s', (dir, top) => {
    expect(topOf(dir, LOOK)).toBe(top);
  });
  it('outside a repository: the nearest directory with a runner, else the directory itself', () => {
    const look = world({ '/x/a/Makefile': 'a:\n\techo\n', '/x/a/b/c.txt': '' });
    expect([topOf('/x/a/b', look), topOf('/x', look)]).toEqual(['/x/a', '/x']);
  });
});
