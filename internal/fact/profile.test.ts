import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts';
import { digestOf } from '../policy/snapshot.ts';
import { realLook } from './look.ts';
import { profileIn } from './profile.ts';
import { keptRunners } from './profile-cache.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'waygate-profile-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const root = join(base, 'repo');
const state = join(base, 'state');
const many = (first: string): string =>
  JSON.stringify({ scripts: { first, ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`s${i}`, `eslint src/${i}`])) } });
const put = (name: string, text: string): void => {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
};
const names = (write = true) =>
  keptRunners(state, write)(root, root, realLook()).map((runner) => `${runner.name} ${runner.targets[0]?.covers[0]?.program}`);
const entry = (): string => join(state, 'profile', readdirSync(join(state, 'profile'))[0] as string);

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  rmSync(state, { recursive: true, force: true });
  put('package.json', many('vitest run'));
  put('.git/HEAD', '');
});

describe('kept runners', () => {
  it('are the detected ones, from the file too', () => {
    const fresh = keptRunners(state, true)(root, root, realLook());
    expect(keptRunners(state, false)(root, root, realLook())).toEqual(JSON.parse(JSON.stringify(fresh)));
    expect(readFileSync(entry(), 'utf8')).toMatch(/^sha256:[0-9a-f]{64}\n\{/);
  });

  it('are read, not detected again', () => {
    names();
    const [, body = ''] = readFileSync(entry(), 'utf8').split('\n');
    const changed = body.replaceAll('"program":"vitest"', '"program":"marked"');
    writeFileSync(entry(), `${digestOf(changed)}\n${changed}`);
    expect(names()).toEqual(['npm marked']);
  });

  it.each<[string, () => void, readonly string[]]>([
    ['a changed file', () => put('package.json', many('jest')), ['npm jest']],
    [
      'a file changed at the same size and time',
      () => {
        const at = new Date(1_700_000_000_000);
        utimesSync(join(root, 'package.json'), at, at);
        names();
        put('package.json', many('mocha  run'));
        utimesSync(join(root, 'package.json'), at, at);
      },
      ['npm mocha'],
    ],
    ['a new file that decides', () => put('pnpm-lock.yaml', ''), ['pnpm vitest']],
    ['another runner', () => put('Makefile', 'a:\n\tgo test\n'), ['npm vitest', 'make go']],
    ['a file that is gone', () => rmSync(join(root, 'package.json')), []],
    ['a torn entry', () => writeFileSync(entry(), readFileSync(entry(), 'utf8').slice(0, 500)), ['npm vitest']],
    [
      'an entry of another shape',
      () => {
        const body = JSON.stringify({ format: 3, dir: root, root, seen: [], runners: [{ name: 'npm', targets: 'no' }] });
        writeFileSync(entry(), `${digestOf(body)}\n${body}`);
      },
      ['npm vitest'],
    ],
    ['an entry that is no JSON', () => writeFileSync(entry(), `${digestOf('{')}\n{`), ['npm vitest']],
  ])('after %s they are detected anew', (_name, change, expected) => {
    names();
    change();
    expect(names()).toEqual(expected);
    expect(names()).toEqual(expected);
  });

  it('small ones are not kept, and a what-if writes nothing', () => {
    put('package.json', '{"scripts":{"test":"jest"}}');
    names();
    put('package.json', many('vitest run'));
    names(false);
    expect(() => readdirSync(join(state, 'profile'))).toThrow();
  });

  it('a state folder that cannot be written costs nothing but time', () => {
    writeFileSync(state, '');
    expect(names()).toEqual(['npm vitest']);
    rmSync(state);
    mkdirSync(state);
    chmodSync(state, 0o500);
    expect(names()).toEqual(['npm vitest']);
  });
});

describe('the profile of a directory', () => {
  const policy: Policy = { ...DEFAULT_POLICY, root, runner: { command: 'npm run {target}', targets: { first: { covers: ['tap'] } } } };

  it('has what the policy of its workspace declares', () => {
    expect(profileIn(root, root, policy, realLook())?.runners[0]?.targets[0]?.covers).toEqual([{ program: 'tap', argv: [], whole: true }]);
  });
  it('another repository keeps its own', () => {
    const other = join(base, 'other');
    mkdirSync(join(other, '.git'), { recursive: true });
    writeFileSync(join(other, 'package.json'), '{"scripts":{"first":"jest"}}');
    expect(profileIn(other, root, policy, realLook())).toMatchObject({
      root: other,
      runners: [{ targets: [{ covers: [{ program: 'jest' }] }] }],
    });
  });
  it('below the top it has the runners of both', () => {
    put('packages/a/package.json', '{"scripts":{"test":"ava"}}');
    const profile = profileIn(join(root, 'packages/a'), root, DEFAULT_POLICY, realLook());
    expect(profile).toMatchObject({ root });
    expect(profile?.runners.map((runner) => runner.dir)).toEqual([join(root, 'packages/a'), root]);
  });
  it('a directory that runs nothing has none', () => {
    mkdirSync(join(base, 'empty'), { recursive: true });
    expect(profileIn(join(base, 'empty'), join(base, 'empty'), DEFAULT_POLICY, realLook())).toBeUndefined();
    expect(profileIn(join(base, 'absent'), join(base, 'absent'), DEFAULT_POLICY, realLook())).toBeUndefined();
  });
});
