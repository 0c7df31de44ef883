import { describe, expect, it } from 'vitest';
import type { Policy } from '../policy/policy.ts';
import { withPolicy } from './declared.ts';
import { detectProfile } from './detect.ts';
import { scripts, world } from './fixture.ts';
import type { Profile } from './profile.ts';

const LOOK = world({
  '/w/.git/HEAD': '',
  '/w/package.json': scripts({ test: 'vitest run', lint: 'eslint .', ci: 'npm run lint && npm test' }),
  '/w/Makefile': 'check:\n\tmake -C x\n',
  '/w/.env.example': '# ACME_TOKEN=\nACME_URL=http://x\nexport ACME_MODE=dev\nOTHER=1\n',
});
const ORIGINS: Policy['origins'] = { runner: { file: 'waygate.yaml', line: 3 } };

function declared(runner: Policy['runner'], detected: Profile | undefined = detectProfile('/w', '/w', LOOK)): Profile {
  return withPolicy(detected, { runner, environment: {}, origins: ORIGINS }, '/w', LOOK) as Profile;
}
const find = (profile: Profile, name: string, runner?: string) =>
  profile.runners
    .filter((each) => runner === undefined || each.name === runner)
    .flatMap((each) => each.targets)
    .find((target) => target.name === name);

describe('a declared runner', () => {
  it('overrides a detected target, and keeps what it says nothing about', () => {
    const target = find(declared({ targets: { test: { covers: ['jest --ci', 'npx tap'] } } }), 'test');
    expect(target).toMatchObject({
      command: 'npm test',
      role: 'test',
      covers: [
        { program: 'jest', argv: ['--ci'], whole: true },
        { program: 'tap', argv: [], whole: true },
      ],
      origin: { file: 'waygate.yaml', line: 3 },
      overrides: { file: '/w/package.json' },
    });
  });

  it('covers nothing when it says so', () => {
    expect(find(declared({ targets: { test: { covers: [] } } }), 'test')?.covers).toEqual([]);
  });

  it('says what looks like the gate, and what does not', () => {
    expect(declared({ targets: {} }).proposedGate).toBe('npm run ci');
    expect(declared({ targets: { lint: { gate: true } } }).proposedGate).toBe('npm run lint');
    expect(declared({ targets: { ci: { gate: false } } }).proposedGate).toBe('npm test');
  });

  it('comes before the others of its directory', () => {
    const profile = declared({ command: 'make {target}', combine: 'none', targets: { check: { role: 'gate', writes: ['/w/out/**'] } } });
    expect(profile.runners.map((runner) => runner.name)).toEqual(['make', 'npm']);
    expect(profile.runners[0]).toMatchObject({ call: 'make {target}', combine: 'none' });
    expect(find(profile, 'check')).toMatchObject({ role: 'gate', writes: ['/w/out/**'], command: 'make check' });
  });

  it('is its own when nothing like it was detected', () => {
    const profile = declared({
      command: './run {target}',
      pass: '{args}',
      targets: { test: { covers: ['go test'] }, dev: { endless: true } },
    });
    expect(profile.runners[0]).toMatchObject({
      name: 'declared',
      dir: '/w',
      file: 'waygate.yaml',
      call: './run {target}',
      pass: '{args}',
      combine: 'none',
    });
    expect(profile.runners[0]?.targets.map((target) => [target.name, target.command, target.role, target.endless])).toEqual([
      ['test', './run test', 'test', false],
      ['dev', './run dev', 'serve', true],
    ]);
  });

  it('is known by its program where nothing is detected', () => {
    const profile = withPolicy(
      undefined,
      { runner: { command: 'npm run {target}', targets: { test: { covers: ['vitest'] } } }, environment: {}, origins: {} },
      '/w',
    );
    expect(profile?.runners[0]).toMatchObject({ name: 'npm', file: 'waygate.yaml', targets: [{ name: 'test', command: 'npm run test' }] });
  });

  it('a target without a way to run it is none', () => {
    expect(
      declared(
        { targets: { x: { covers: ['a'] }, y: { command: './y' } } },
        { root: '/w', runners: [], install: undefined, update: undefined, proposedGate: undefined, environment: [] },
      ).runners,
    ).toMatchObject([{ name: 'declared', targets: [{ name: 'y', command: './y' }] }]);
  });
});

describe('declared variables', () => {
  it('come from the list and from a file', () => {
    const profile = withPolicy(
      undefined,
      {
        runner: undefined,
        environment: { ACME_: { names: ['ACME_X'], from: '/w/.env.example', retired: { ACME_HOST: 'ACME_URL' } } },
        origins: {},
      },
      '/w',
      LOOK,
    );
    expect(profile?.environment).toEqual([
      { prefix: 'ACME_', names: ['ACME_X', 'ACME_TOKEN', 'ACME_URL', 'ACME_MODE'], retired: { ACME_HOST: 'ACME_URL' } },
    ]);
  });
  it('are only those of the list when no file may be read', () => {
    expect(
      withPolicy(undefined, { runner: undefined, environment: { A_: { from: '/w/.env.example' } }, origins: {} }, '/w')?.environment,
    ).toEqual([{ prefix: 'A_', names: [], retired: {} }]);
  });
  it('without any there is no profile of nothing', () => {
    expect(withPolicy(undefined, { runner: undefined, environment: {}, origins: {} }, '/w')).toBeUndefined();
  });
});
