import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { assumedFacts } from './assume.ts';
import { type Sandbox, sandbox } from './fixture.ts';
import { escapeName, isTemp, keptRoots, tempRoots } from './places.ts';
import { realFacts } from './real.ts';

let box: Sandbox | undefined;
afterEach(() => box?.remove());

const ENV = { HOME: '/home/dev', TMPDIR: '/tmp', XDG_STATE_HOME: '/home/dev/.local/state' };
const at = (path: string, workspace = '/home/dev/work/app') =>
  assumedFacts('worst', { cwd: workspace, workspace }, DEFAULT_POLICY, ENV).place(path);

describe('places by name', () => {
  it.each([
    ['/', 'root'],
    ['/*', 'root'],
    ['C:\\', 'root'],
    ['/etc/passwd', 'system'],
    ['/usr/local/bin', 'system'],
    ['/var/lib/postgresql', 'system'],
    ['/opt', 'system'],
    ['/home', 'home'],
    ['/home/dev', 'home'],
    ['/home/sam', 'home'],
    ['/Users/sam', 'home'],
    ['/root', 'home'],
    ['C:\\Users\\dev', 'home'],
    ['C:\\Windows\\System32', 'system'],
    ['C:/Program Files/x', 'system'],
    ['/dev/sda', 'device'],
    ['/dev/null', 'device'],
    ['/home/dev/.local/state/waygate/trust.json', 'guard'],
    ['/etc/waygate/waygate.yaml', 'guard'],
    ['/home/dev/work/app/.git/config', 'git'],
    ['/home/dev/work/app/node_modules/x', 'regenerable'],
    ['/home/dev/work/app/dist', 'regenerable'],
    ['/home/dev/work/app/htmlcov/index.html', 'regenerable'],
    ['/home/dev/work/app/.coverage', 'regenerable'],
    ['/home/dev/work/app/yarn-error.log', 'regenerable'],
    ['/home/dev/work/other/node_modules', 'regenerable'],
    ['/tmp/x', 'temp'],
    ['/var/tmp/x', 'temp'],
    ['/home/dev/work/app/src/a.ts', 'workspace'],
    ['/home/dev/work/app', 'workspace'],
    ['/home/dev/notes.txt', 'outside'],
    ['/home/dev/build', 'outside'],
    ['/mnt/disk/x', 'outside'],
  ])('%s is %s', (path, place) => expect(at(path)).toBe(place));

  it.each([
    ['/opt/app/src', '/opt/app', 'workspace'],
    ['/opt/other', '/opt/app', 'system'],
    ['/etc/hosts', '/etc', 'system'],
  ])('%s in the workspace %s is %s', (path, workspace, place) => expect(at(path, workspace)).toBe(place));
});

describe('places by the files', () => {
  it('lets repositories and the home win over a temporary root', () => {
    box = sandbox();
    box.run('git init -q $TMPDIR/clone; mkdir -p $TMPDIR/plain; git init -q ../other');
    const facts = box.facts();
    expect(facts.place(`${box.repo}/src/app.ts`)).toBe('workspace');
    expect(facts.place(`${box.root}/work/other/x`)).toBe('repository');
    expect(facts.place(`${box.tmp}/clone/x`)).toBe('repository');
    expect(facts.place(`${box.tmp}/plain/x`)).toBe('temp');
    expect(facts.place(box.tmp)).toBe('temp');
    expect(facts.place(`${box.home}/Documents/letter.txt`)).toBe('outside');
    expect(facts.place(box.home)).toBe('home');
    expect(facts.place(`${box.repo}/.git/HEAD`)).toBe('git');
    expect(facts.place(`${box.repo}/dist/x.js`)).toBe('regenerable');
    expect(facts.place(`${box.repo}/out/x.js`)).toBe('workspace');
  });

  it('follows links of the parents', () => {
    box = sandbox();
    box.run('ln -s ~/Documents docs; ln -s .git g');
    expect(box.facts().place(`${box.repo}/docs/letter.txt`)).toBe('outside');
    expect(box.facts().place(`${box.repo}/g/config`)).toBe('git');
  });

  it('takes what the policy declares as made again', () => {
    box = sandbox();
    box.run('mkdir cachedir; echo x > cachedir/x');
    const glob = `${box.repo}/cachedir/**`;
    const policy = {
      ...DEFAULT_POLICY,
      regenerable: [glob],
      patterns: { ...DEFAULT_POLICY.patterns, [glob]: `^${box.repo.replace(/[.]/g, '\\.')}/cachedir(?:/.*)?$` },
    };
    const facts = realFacts({ cwd: box.repo, workspace: box.repo }, policy, { env: box.env });
    expect(facts.place(`${box.repo}/cachedir/x`)).toBe('regenerable');
    expect(facts.lost({ about: 'paths', targets: box.at('cachedir'), tree: true, cwd: box.repo }).items).toEqual([]);
  });
});

describe('scratch', () => {
  it.each([
    ['/tmp/x', '/tmp', '/home/dev', '/home/dev/app', true],
    ['/tmp/box/work/x', '/tmp/box/tmp', '/tmp/box/home', '/tmp/box/work/repo', false],
    ['/tmp/box/tmp/x', '/tmp/box/tmp', '/tmp/box/home', '/tmp/box/work/repo', true],
    ['/tmp/other', '/tmp/box/tmp', '/tmp/box/home', '/tmp/box/work/repo', true],
    ['/tmp/box/x', '/tmp', '/home/dev', '/tmp/box', false],
    ['/home/dev/tmp/x', '/home/dev/tmp', '/home/dev', '/home/dev/app', true],
    ['/home/dev/x', '/home/dev', '/home/dev', '/home/dev/app', false],
    ['/var/tmp/x', undefined, '/home/dev', '/home/dev/app', true],
  ])('%s with TMPDIR %s, home %s, workspace %s: %s', (path, tmpdir, home, workspace, expected) => {
    const temps = tempRoots(tmpdir, '/tmp', home);
    expect(isTemp(path, { temps, kept: keptRoots(temps, home, workspace), home })).toBe(expected);
  });
});

describe('names in texts', () => {
  it.each([
    ['plain.ts', 'plain.ts'],
    ['a\nb', 'a\\x0ab'],
    ['a`b', 'a\\x60b'],
    ['a\u202eb', 'a\\x202eb'],
    ['x'.repeat(300), `${'x'.repeat(59)}…${'x'.repeat(60)}`],
  ])('%j', (name, shown) => expect(escapeName(name)).toBe(shown));
});
