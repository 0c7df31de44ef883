import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkpoint } from '../../cmd/waygate/checkpoint.ts';
import { pathTarget } from '../effect/family.ts';
import type { LossQuestion } from '../fact/facts.ts';
import { type Sandbox, sandbox } from '../fact/fixture.ts';

let box: Sandbox;
afterEach(() => box?.remove());

function call(argv: string[], cwd = box.repo): { code: number; out: string; err: string } {
  const out: string[] = [];
  const err: string[] = [];
  const io = { stdout: (text: string) => void out.push(text), stderr: (text: string) => void err.push(text), cwd, env: box.env };
  const code = checkpoint(argv, io);
  return { code, out: out.join(''), err: err.join('') };
}

/** Everything below the work tree but .git, the index and the refs: what a checkpoint must leave untouched and a restore must bring back. */
function picture(dir = box.repo): Record<string, string> {
  const seen: Record<string, string> = {};
  const visit = (at: string) => {
    for (const name of readdirSync(at)) {
      const path = join(at, name);
      if (name === '.git') continue;
      const stat = lstatSync(path);
      if (stat.isDirectory()) visit(path);
      else if (stat.isFile()) seen[path.slice(dir.length + 1)] = `${stat.mode.toString(8)} ${readFileSync(path).toString('base64')}`;
      else seen[path.slice(dir.length + 1)] = 'link';
    }
  };
  visit(dir);
  return seen;
}

const gitState = () =>
  box.run(
    'git for-each-ref; git ls-files -s; cat .git/HEAD; git stash list; find .git -type f | grep -v "/index$" | sort | xargs sha1sum; sha1sum .git/index',
  );

const WORK = `
echo draft >> src/app.ts
echo staged >> src/util.ts; git add src/util.ts; echo more >> src/util.ts
mkdir -p 'notes & plans'; echo plan > 'notes & plans/plan é.md'
printf '#!/bin/sh\\n' > run.sh; chmod +x run.sh
head -c 3000 /dev/urandom > data.bin
printf 'crlf\\r\\n' > crlf.txt
ln -s src/app.ts a-link
`;

interface Loss {
  name: string;
  given: string;
  /** What is saved: arguments of the verb. */
  save: string[];
  ask: () => LossQuestion;
  loss: string;
  restore?: string[];
}

const repo = () => ({ dir: box.repo });

const LOSSES: readonly Loss[] = [
  {
    name: 'reset --hard and clean',
    given: WORK,
    save: [],
    ask: () => ({ about: 'worktree', repo: repo(), paths: undefined, loses: 'both', from: 'HEAD', overUntracked: false }),
    loss: 'git reset -q --hard; git clean -qfd',
  },
  {
    name: 'checkout of a path',
    given: WORK,
    save: ['--', 'src/app.ts'],
    ask: () => ({ about: 'worktree', repo: repo(), paths: box.at('src/app.ts'), loses: 'worktree', from: 'index', overUntracked: false }),
    loss: 'git checkout -q -- src/app.ts',
  },
  {
    name: 'restore of the tree',
    given: WORK,
    save: ['--', 'src'],
    ask: () => ({ about: 'worktree', repo: repo(), paths: box.at('src'), loses: 'both', from: 'HEAD', overUntracked: false }),
    loss: 'git restore -q --staged --worktree src',
  },
  {
    name: 'clean -fdx with the ignored file named',
    given: `${WORK}\necho A=1 > .env`,
    save: ['--', '.env', 'notes & plans', 'run.sh', 'data.bin', 'crlf.txt', 'a-link'],
    ask: () => ({ about: 'clean', repo: repo(), paths: [], directories: true, ignored: 'also', nested: false, excludes: [] }),
    loss: 'git clean -qfdx',
  },
  {
    name: 'rm of a file',
    given: WORK,
    save: ['data.bin'],
    ask: () => ({ about: 'paths', targets: box.at('data.bin'), tree: false, cwd: box.repo }),
    loss: 'rm data.bin',
  },
  {
    name: 'rm of a folder',
    given: WORK,
    save: ['notes & plans'],
    ask: () => ({ about: 'paths', targets: box.at('notes & plans'), tree: true, cwd: box.repo }),
    loss: "rm -r 'notes & plans'",
  },
  {
    name: 'a truncating redirect',
    given: WORK,
    save: ['--', 'run.sh'],
    ask: () => ({ about: 'paths', targets: box.at('run.sh'), tree: false, cwd: box.repo, writes: true }),
    loss: ': > run.sh; chmod -x run.sh',
  },
];

describe('checkpoint, loss, restore', () => {
  it.each(LOSSES)('$name', ({ given, save, ask, loss, restore }) => {
    box = sandbox();
    box.run(given);
    const before = picture();
    const state = gitState();
    expect(box.facts().lost(ask()).items.length).toBeGreaterThan(0);
    const saved = call(save);
    expect(saved.err).toBe('');
    expect(saved.code).toBe(0);
    expect(saved.out).toMatch(/^checkpoint \d{8}-\d{9}-[0-9a-f]{4}\n.*revision +[0-9a-f]{40}\n.*digest +sha256:[0-9a-f]{64}/s);
    // The repository, its index, refs and work tree stay untouched.
    expect(gitState()).toBe(state);
    expect(picture()).toEqual(before);
    const after = box.facts().lost(ask());
    expect(after.items).toEqual([]);
    expect(after.held.length).toBeGreaterThan(0);
    box.run(loss);
    const back = call(restore ?? ['restore']);
    expect(back.err).toBe('');
    expect(back.code).toBe(0);
    expect(picture()).toEqual(before);
  });

  it('brings staged content back', () => {
    box = sandbox();
    box.run(WORK);
    const index = box.run('git ls-files -s');
    call([]);
    box.run('git reset -q --hard; git gc -q --prune=now');
    expect(call(['restore']).code).toBe(0);
    expect(box.run('git ls-files -s')).toBe(index);
  });

  it('holds stash entries, branches and commits', () => {
    box = sandbox();
    box.run(
      'echo one >> src/app.ts; git stash push -q -m one; echo two > u; git stash push -q -u -m two; git switch -q -c mine; echo 1 > one; git add one; git commit -qm one; git switch -q feat/x; echo 2 > two; git add two; git commit -qm two',
    );
    const stash = box.run('git stash list --format="%H %gs"');
    const mine = box.run('git rev-parse mine');
    const asks: LossQuestion[] = [
      { about: 'stash', repo: repo(), entry: 'all' },
      { about: 'branches', repo: repo(), names: ['mine'] },
      { about: 'move', repo: repo(), to: 'HEAD~1' },
    ];
    for (const ask of asks) expect(box.facts().lost(ask).items.length).toBeGreaterThan(0);
    const saved = call([]);
    expect(saved).toMatchObject({ code: 0, err: '' });
    for (const ask of asks) expect(box.facts().lost(ask).items).toEqual([]);
    box.run(
      'git stash clear; git branch -q -D mine; git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git gc -q --prune=now',
    );
    expect(call(['restore'])).toMatchObject({ code: 0, err: '' });
    expect(box.run('git stash list --format="%H %gs"')).toBe(stash);
    expect(box.run('git rev-parse mine')).toBe(mine);
    expect(box.run('git for-each-ref --format="%(refname) %(subject)" refs/heads')).toMatch(/checkpoint\/.*\/feat\/x two/);
    expect(box.run('git stash pop -q; cat u')).toContain('two');
  });

  it('survives the loss of the repository', () => {
    box = sandbox();
    box.run(
      'git init -q ../solo; cd ../solo; echo a > a; git add a; git commit -qm a; echo b >> a; echo K=1 > .env; echo .env > .gitignore',
    );
    const ask = (): LossQuestion => ({ about: 'paths', targets: [pathTarget('../solo', box.repo)], tree: true, cwd: box.repo });
    expect(box.facts().lost(ask()).items.length).toBe(4);
    expect(call(['--', '../solo'])).toMatchObject({ code: 0, err: '' });
    expect(box.facts().lost(ask()).items).toEqual([]);
    box.run('rm -rf ../solo; git init -q ../solo');
    expect(call(['restore'], join(box.root, 'work/solo'))).toMatchObject({ code: 0, err: '' });
    expect(box.run('cat ../solo/a ../solo/.env; git -C ../solo log --format=%s --branches')).toBe('a\nb\nK=1\na\n');
  });

  it('holds files outside repositories', () => {
    box = sandbox();
    const letter = join(box.home, 'Documents/letter.txt');
    const ask = (): LossQuestion => ({ about: 'paths', targets: [pathTarget(letter, '/')], tree: false, cwd: box.home });
    expect(box.facts().lost(ask()).items).toMatchObject([{ kind: 'outside', savable: true }]);
    expect(call(['--', letter])).toMatchObject({ code: 0 });
    expect(box.facts().lost(ask()).items).toEqual([]);
    box.run(`echo gone > ${letter}`);
    // A record alone proves nothing: the present bytes count.
    expect(box.facts().lost(ask()).items).toHaveLength(1);
    expect(call(['restore', letter], box.home)).toMatchObject({ code: 1 });
    expect(call(['restore', letter, '--yes'], box.home)).toMatchObject({ code: 0 });
    expect(readFileSync(letter, 'utf8')).toBe('Dear reader\n');
  });

  it('is not fooled by a manifest without its objects', () => {
    box = sandbox();
    box.run('echo x > new.txt');
    call(['new.txt']);
    const store = readdirSync(join(box.root, 'state/waygate/checkpoints'))[0] as string;
    box.run(`rm -rf ${join(box.root, 'state/waygate/checkpoints', store, 'store.git/objects')}/*`);
    expect(box.facts().lost({ about: 'paths', targets: box.at('new.txt'), tree: false, cwd: box.repo }).items).toHaveLength(1);
  });

  it('keeps the store private', () => {
    box = sandbox();
    box.run('echo x > new.txt');
    call(['new.txt']);
    const root = join(box.root, 'state/waygate/checkpoints');
    for (const name of readdirSync(root)) expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
  });

  it('works on an unborn branch, in a linked worktree, detached', () => {
    box = sandbox();
    box.run(
      'git init -q ../fresh; echo a > ../fresh/a; git -C ../fresh add a; git worktree add -q ../wt -b wt; echo n > ../wt/new.txt; git switch -q --detach; echo 1 > one; git add one; git commit -qm one',
    );
    expect(call(['-C', '../fresh'])).toMatchObject({ code: 0, err: '' });
    expect(call(['-C', '../wt'])).toMatchObject({ code: 0, err: '' });
    expect(call([])).toMatchObject({ code: 0, err: '' });
    expect(
      box.facts().lost({
        about: 'worktree',
        repo: { dir: join(box.root, 'work/fresh') },
        paths: undefined,
        loses: 'both',
        from: 'HEAD',
        overUntracked: false,
      }).items,
    ).toEqual([]);
    expect(box.facts().lost({ about: 'worktree-dir', path: pathTarget('../wt', box.repo), cwd: box.repo }).items).toEqual([]);
    expect(box.facts().lost({ about: 'move', repo: repo(), to: 'main' }).items).toEqual([]);
  });

  it('restores a chosen path from the newest checkpoint that has it', () => {
    box = sandbox();
    box.run('echo x > a.txt');
    call(['a.txt']);
    box.run('echo y > b.txt');
    call(['b.txt']);
    box.run('rm a.txt b.txt');
    expect(call(['restore', 'a.txt'])).toMatchObject({ code: 0 });
    expect(existsSync(join(box.repo, 'a.txt'))).toBe(true);
    expect(existsSync(join(box.repo, 'b.txt'))).toBe(false);
  });

  it('refuses to restore over content that is itself at stake', () => {
    box = sandbox();
    box.run('echo x > a.txt');
    call(['a.txt']);
    box.run('echo new work > a.txt');
    expect(call(['restore'])).toMatchObject({ code: 1, err: expect.stringContaining('a.txt') });
    expect(readFileSync(join(box.repo, 'a.txt'), 'utf8')).toBe('new work\n');
    expect(call(['restore', '--yes'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(box.repo, 'a.txt'), 'utf8')).toBe('x\n');
  });

  it('answers for many files without reading them again', () => {
    box = sandbox();
    box.run('mkdir many; for i in $(seq 600); do echo $i > many/$i.txt; done');
    const ask = (): LossQuestion => ({ about: 'paths', targets: box.at('many'), tree: true, cwd: box.repo });
    expect(box.facts().lost(ask())).toMatchObject({ more: 550, held: [] });
    expect(call(['--', 'many'])).toMatchObject({ code: 0, err: '' });
    expect(box.facts().lost(ask())).toMatchObject({ items: [], more: 0 });
    box.run('echo changed > many/7.txt');
    expect(
      box
        .facts()
        .lost(ask())
        .items.map((item) => item.name),
    ).toEqual(['many/7.txt']);
  });

  it('brings links and empty files of a folder back', () => {
    box = sandbox();
    box.run('mkdir -p d/e; echo x > d/e/x; : > d/empty; ln -s x d/e/link');
    const before = picture();
    expect(call(['d'])).toMatchObject({ code: 0, err: '' });
    box.run('rm -rf d');
    call(['restore', 'd']);
    expect(picture()).toEqual(before);
  });

  it('names what it does not hold', () => {
    box = sandbox();
    box.run('git init -q nested; cd nested; echo a > a; git add a; git commit -qm a; cd ..; echo x > a.txt; truncate -s 101M big.bin');
    const { code, err } = call([]);
    expect(code).toBe(0);
    expect(err).toMatch(/not held: nested .*\n.*not held: big.bin|not held: big.bin .*\n.*not held: nested/);
  });

  it('lists, shows and answers in JSON', () => {
    box = sandbox();
    expect(call(['list']).out).toBe('no checkpoints here\n');
    box.run('echo x > a.txt');
    const one = JSON.parse(call(['--json', 'a.txt']).out);
    expect(one).toMatchObject({ schema: 1, checkpoints: [{ files: [{ path: 'a.txt' }] }] });
    expect(call(['list']).out).toContain('a.txt');
    expect(call(['show']).out).toContain('file      a.txt');
    expect(JSON.parse(call(['show', one.checkpoints[0].id, '--json']).out)).toMatchObject({
      schema: 1,
      checkpoint: { id: one.checkpoints[0].id },
    });
    expect(JSON.parse(call(['list', '--json']).out).checkpoints).toHaveLength(1);
  });

  it.each([
    [['--nope'], /unknown option --nope/],
    [['-C'], /-C needs a directory/],
    [['--'], /no path/],
    [['show', 'nothing'], /no checkpoint nothing/],
    [['restore'], /no checkpoint here/],
    [['-C', '/'], /no repository here/],
  ])('usage: %j', (argv, message) => {
    box = sandbox();
    const { code, err, out } = call(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  it('says when a path is not there', () => {
    box = sandbox();
    expect(call(['absent'])).toMatchObject({ code: 1, err: 'not there: absent\n' });
  });

  it('says when nothing is at stake', () => {
    box = sandbox();
    expect(call([])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('nothing to save') });
    expect(execFileSync('git', ['status', '--short'], { cwd: box.repo, env: box.env, encoding: 'utf8' })).toBe('');
  });
});
