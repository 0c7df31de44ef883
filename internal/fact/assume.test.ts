import { describe, expect, it } from 'vitest';
import type { EffectOf } from '../effect/effect.ts';
import { pathTarget } from '../effect/family.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { type Assumption, assumedFacts, assumedLook } from './assume.ts';
import type { LossQuestion } from './facts.ts';

const ENV = { HOME: '/home/dev', TMPDIR: '/tmp' };
const WORKSPACE = '/home/dev/app';
const facts = (kind: Assumption) => assumedFacts(kind, { cwd: WORKSPACE, workspace: WORKSPACE }, DEFAULT_POLICY, ENV);
const repo = { dir: WORKSPACE };
const paths = (...list: string[]): LossQuestion => ({
  about: 'paths',
  targets: list.map((path) => pathTarget(path, WORKSPACE)),
  tree: true,
  cwd: WORKSPACE,
});

describe('the worst world', () => {
  it.each<[string, LossQuestion, string[]]>([
    ['a named path', paths('src/app.ts'), ['untracked src/app.ts']],
    ['scratch and output', paths('/tmp/x', 'dist', 'node_modules', 'build/x', 'target', '.next', '/dev/null'), []],
    ['places that stay what they are', paths('/', '/etc', '/home/dev'), ['outside /', 'outside /etc', 'outside ~']],
    ['outside', paths('~/notes', '/home/dev/notes'), ['untracked ~/notes', 'outside ~/notes']],
    ['a disk', paths('/dev/sda'), ['outside /dev/sda']],
    [
      'the work tree',
      { about: 'worktree', repo, paths: undefined, loses: 'both', from: 'HEAD', overUntracked: false },
      ['modified every modified file'],
    ],
    ['unstaging', { about: 'worktree', repo, paths: undefined, loses: 'index', from: 'HEAD', overUntracked: false }, []],
    [
      'a clean',
      { about: 'clean', repo, paths: [], directories: true, ignored: 'no', nested: false, excludes: [] },
      ['untracked every untracked file'],
    ],
    ['the stash', { about: 'stash', repo, entry: 'all' }, ['stash every stash entry']],
    ['a branch', { about: 'branches', repo, names: ['x'] }, ['commit the commits of x']],
    ['a move', { about: 'move', repo, to: 'HEAD~1' }, ['commit the commits of this branch after HEAD~1']],
    ['the reflog', { about: 'unreachable', repo, stash: true }, ['commit the commits that only the reflog knows']],
    ['a worktree', { about: 'worktree-dir', path: pathTarget('../wt', WORKSPACE), cwd: WORKSPACE }, ['untracked ~/wt']],
  ])('%s', (_name, question, lost) =>
    expect(
      facts('worst')
        .lost(question)
        .items.map((item) => `${item.kind} ${item.name}`),
    ).toEqual(lost),
  );

  it('a protected branch, several worktrees, secrets, unknown packages, the processes of others', () => {
    const world = facts('worst');
    expect(world.repo(repo)).toMatchObject({ branch: 'main', worktrees: 2 });
    expect(world.protectedBranch(repo, 'main')).toBe('default');
    expect(world.secret('.env')).toMatchObject({ holds: true });
    expect(world.secret('.env.example')).toBeUndefined();
    expect(world.unknownPackages('npm', ['x'], WORKSPACE)).toEqual(['x']);
    expect(world.ownProcesses()).toBeUndefined();
    expect(world.cost.git).toBe(0);
  });

  it('a forced push drops the work of others', () => {
    const push = {
      kind: 'git.push',
      refs: [{ src: 'feat', dst: 'refs/heads/feat', force: 'blind', delete: false }],
      bare: false,
      all: false,
      mirror: false,
      tags: false,
      prune: false,
      dryRun: false,
      force: 'none',
      repo,
    } as unknown as EffectOf<'git.push'>;
    expect(facts('worst').push(push)).toMatchObject([{ name: 'feat', force: 'blind', shared: true, drops: [{ own: false }] }]);
    expect(facts('clean').push(push)).toMatchObject([{ name: 'feat', shared: false, drops: [] }]);
  });
});

describe('the clean world', () => {
  it('nothing is at stake', () => {
    const world = facts('clean');
    expect(world.lost(paths('src/app.ts', '/home/dev/x', '/etc')).items).toEqual([]);
    expect(world.file('src/app.ts')).toMatchObject({ kind: 'absent' });
    expect(world.secret('.env')).toMatchObject({ holds: false });
    expect(world.repo(repo)).toMatchObject({ worktrees: 1, hooks: [] });
    expect(world.place('/')).toBe('root');
    expect(world.place('/home/dev')).toBe('home');
    expect(world.file('/etc').kind).toBe('dir');
  });
});

it('the assumed look sees no files', () => {
  const look = assumedLook('worst', { cwd: WORKSPACE, workspace: WORKSPACE }, ENV);
  expect([look.stat('/etc/passwd'), look.read('/etc/passwd', 1000), look.list('/'), look.gitConfig('/', 'a.b')]).toEqual([
    undefined,
    undefined,
    undefined,
    [],
  ]);
  expect([look.home, look.tmp, look.env('HOME')]).toEqual(['/home/dev', '/tmp', '/home/dev']);
});
