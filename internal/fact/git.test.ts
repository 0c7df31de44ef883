import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { discoverAt } from './discover.ts';
import type { LossQuestion } from './facts.ts';
import { type Sandbox, sandbox } from './fixture.ts';
import { filterNames, git, gitEnv, newBudget } from './git.ts';
import { scanIndex } from './index-scan.ts';
import { realFacts } from './real.ts';

let box: Sandbox;
afterEach(() => box?.remove());

const reset = (dir = box.repo): LossQuestion => ({
  about: 'worktree',
  repo: { dir },
  paths: undefined,
  loses: 'both',
  from: 'HEAD',
  overUntracked: false,
});
const clean = (): LossQuestion => ({
  about: 'clean',
  repo: { dir: box.repo },
  paths: [],
  directories: true,
  ignored: 'also',
  nested: false,
  excludes: [],
});

describe('asking git runs nothing of the repository', () => {
  it.each([
    ['a file system monitor', 'git config core.fsmonitor "touch $PWD/../ran; false"'],
    ['hooks', 'printf "#!/bin/sh\\ntouch %s/../ran\\n" "$PWD" > .git/hooks/post-index-change; chmod +x .git/hooks/post-index-change'],
    [
      'a clean filter',
      'git config filter.evil.clean "touch $PWD/../ran; cat"; git config filter.evil.smudge cat; git config filter.evil.required true; echo "*.ts filter=evil" > .gitattributes',
    ],
    [
      'a filter in an included file',
      'printf "[filter \\"evil\\"]\\n\\tclean = touch %s/../ran; cat\\n" "$PWD" > ../inc; git config include.path "$PWD/../inc"; echo "*.ts filter=evil" > .gitattributes',
    ],
    ['a process filter', 'git config filter.evil.process "touch $PWD/../ran"; echo "*.ts filter=evil" > .gitattributes'],
    [
      'a pager and external programs',
      'git config core.pager "touch $PWD/../ran"; git config diff.external "touch $PWD/../ran"; git config gpg.program "touch $PWD/../ran"; git config log.showSignature true',
    ],
    ['a credential helper and ssh', 'git config core.sshCommand "touch $PWD/../ran"; git config credential.helper "!touch $PWD/../ran"'],
    ['an alias of a used name', 'git config alias.status "!touch $PWD/../ran"'],
  ])('%s', (_name, given) => {
    box = sandbox();
    box.run(`${given}; echo draft >> src/app.ts; echo n > new.txt; git stash list > /dev/null; rm -f ../ran`);
    const facts = box.facts();
    expect(facts.lost(reset()).items.map((item) => item.name)).toContain('src/app.ts');
    facts.lost(clean());
    facts.lost({ about: 'stash', repo: { dir: box.repo }, entry: 'all' });
    facts.lost({ about: 'move', repo: { dir: box.repo }, to: 'HEAD~0' });
    facts.repo({ dir: box.repo })?.hooks;
    expect(existsSync(join(box.root, 'work/ran'))).toBe(false);
  });

  it('leaves the index as it is', () => {
    box = sandbox();
    box.run('touch -d 2001-01-01 src/app.ts');
    const before = box.run('sha1sum .git/index');
    box.facts().lost(reset());
    expect(box.run('sha1sum .git/index')).toBe(before);
  });

  it('drops inherited variables that lead elsewhere', () => {
    const env = gitEnv({
      PATH: '/bin',
      GIT_DIR: '/x',
      GIT_INDEX_FILE: '/y',
      GIT_CONFIG_COUNT: '1',
      GIT_TRACE2: '/z',
      GIT_CONFIG_GLOBAL: '/g',
    });
    expect(
      Object.keys(env)
        .filter((name) => name.startsWith('GIT_'))
        .sort(),
    ).toEqual(['GIT_ALLOW_PROTOCOL', 'GIT_ASKPASS', 'GIT_CONFIG_GLOBAL', 'GIT_NO_LAZY_FETCH', 'GIT_OPTIONAL_LOCKS', 'GIT_TERMINAL_PROMPT']);
  });

  it('reads the names of filters', () => {
    box = sandbox();
    box.run(`git config filter.lfs.clean x; git config 'filter.a b.clean' y`);
    expect(filterNames(`${box.repo}/.git`, `${box.repo}/.git`, box.env, box.home)?.slice().sort()).toEqual(['a b', 'lfs']);
  });
});

describe('a broken git', () => {
  it.each([
    ['no git', (env: NodeJS.ProcessEnv) => ({ ...env, PATH: '/nowhere' })],
    ['a git that fails', (env: NodeJS.ProcessEnv) => ({ ...env, PATH: `${box.root}/bin:${env['PATH']}` })],
  ])('%s: unread, never a throw', (_name, broken) => {
    box = sandbox();
    box.run(
      'mkdir ../../bin; printf "#!/bin/sh\\necho broken >&2; exit 3\\n" > ../../bin/git; chmod +x ../../bin/git; echo draft >> src/app.ts',
    );
    const facts = realFacts({ cwd: box.repo, workspace: box.repo }, DEFAULT_POLICY, { env: broken(box.env) });
    for (const question of [reset(), clean()]) expect(facts.lost(question).unread).toBeTypeOf('string');
    expect(facts.repo({ dir: box.repo })).toMatchObject({ branch: 'feat/x', bare: false });
    expect(facts.lost({ about: 'paths', targets: box.at('src/app.ts'), tree: false, cwd: box.repo }).unread).toBeTypeOf('string');
  });

  it('no time left', () => {
    box = sandbox();
    const facts = realFacts({ cwd: box.repo, workspace: box.repo }, DEFAULT_POLICY, { env: box.env, budgetMs: 0 });
    expect(facts.lost(reset()).unread).toBe('no time left to ask git');
    expect(facts.cost.git).toBe(0);
  });

  it('a git that hangs ends with the budget', () => {
    box = sandbox();
    box.run('mkdir ../../bin; printf "#!/bin/sh\\nsleep 20\\n" > ../../bin/git; chmod +x ../../bin/git');
    const started = performance.now();
    const answer = git({ dir: box.repo }, ['status'], newBudget(300), { env: { ...box.env, PATH: `${box.root}/bin:${box.env['PATH']}` } });
    expect(answer).toMatchObject({ ok: false, unread: 'git did not answer in time' });
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('a damaged index', () => {
    box = sandbox();
    box.run('echo draft >> src/app.ts; echo garbage > .git/index');
    expect(box.facts().lost(reset()).unread).toBeTypeOf('string');
  });
});

describe('the number of processes', () => {
  it.each<[string, () => LossQuestion, number]>([
    ['a clean reset', () => reset(), 1],
    ['a clean file', () => ({ about: 'paths', targets: box.at('src/app.ts', 'src/util.ts'), tree: false, cwd: box.repo }), 1],
    ['an absent file', () => ({ about: 'paths', targets: box.at('absent'), tree: false, cwd: box.repo }), 0],
    ['scratch', () => ({ about: 'paths', targets: box.at(box.tmp), tree: true, cwd: box.repo }), 0],
    ['dependencies', () => ({ about: 'paths', targets: box.at('node_modules'), tree: true, cwd: box.repo }), 0],
    ['no stash', () => ({ about: 'stash', repo: { dir: box.repo }, entry: 'all' }), 0],
  ])('%s', (_name, ask, count) => {
    box = sandbox();
    box.run('mkdir node_modules; echo 1 > node_modules/a; echo x > $TMPDIR/x');
    const facts = box.facts();
    expect(facts.lost(ask()).items).toEqual([]);
    expect(facts.cost.git).toBe(count);
  });
});

describe('the repository a command means', () => {
  it('linked worktree, submodule, bare, unborn, none', () => {
    box = sandbox();
    box.run(`git worktree add -q ../wt -b wt
      git init -q ../lib; git -C ../lib commit -q --allow-empty -m lib; git -c protocol.file.allow=always submodule --quiet add ../lib sub
      git init -q ../unborn; mkdir ../none; git -C ../none rev-parse 2>/dev/null && exit 1 || true`);
    const repo = (dir: string) => box.facts().repo({ dir: join(box.root, 'work', dir) });
    expect(repo('wt')).toMatchObject({ top: join(box.root, 'work/wt'), branch: 'wt', worktrees: 2, commonDir: `${box.repo}/.git` });
    expect(repo('repo/sub')).toMatchObject({ top: `${box.repo}/sub`, gitDir: `${box.repo}/.git/modules/sub`, branch: 'main' });
    expect(repo('origin.git')).toMatchObject({ top: undefined, bare: true });
    expect(repo('unborn')).toMatchObject({ branch: 'main', head: undefined });
    expect(repo('none')).toBeUndefined();
    expect(repo('repo/src/deep/not/there')).toMatchObject({ top: box.repo });
    expect(box.facts().repo({ dir: box.repo })).toMatchObject({ remotes: ['origin'], hooks: [], operation: undefined });
  });

  it('--git-dir, --work-tree and an inherited GIT_DIR', () => {
    box = sandbox();
    box.run('echo draft >> src/app.ts; cp -r src README.md package.json .gitignore ../../tmp/');
    const facts = box.facts(box.tmp);
    const at = { dir: box.tmp, gitDir: `${box.repo}/.git`, workTree: box.repo };
    expect(facts.repo(at)?.top).toBe(box.repo);
    expect(facts.lost({ ...reset(), repo: at } as LossQuestion).items.map((item) => item.path)).toEqual([`${box.repo}/src/app.ts`]);
    const inherited = realFacts({ cwd: box.tmp, workspace: box.tmp }, DEFAULT_POLICY, { env: { ...box.env, GIT_DIR: `${box.repo}/.git` } });
    expect(inherited.repo({ dir: box.tmp })?.branch).toBe('feat/x');
    // Files are judged by where they lie, whatever the variable says.
    expect(inherited.lost({ about: 'paths', targets: box.at('src/app.ts'), tree: false, cwd: box.repo }).items).toHaveLength(1);
  });

  it('an operation in progress and its conflicts', () => {
    box = sandbox();
    box.run(
      'git switch -q -c other; echo theirs > src/app.ts; git commit -qam theirs; git switch -q feat/x; echo ours > src/app.ts; git commit -qam ours; git merge -q other > /dev/null || true',
    );
    expect(box.facts().repo({ dir: box.repo })).toMatchObject({ operation: 'merge', conflicts: ['src/app.ts'] });
  });

  it('hooks in force', () => {
    box = sandbox();
    box.run(
      'mkdir hooks; printf "#!/bin/sh\\n" > hooks/pre-push; chmod +x hooks/pre-push; echo x > hooks/pre-commit; git config core.hooksPath hooks',
    );
    expect(box.facts().repo({ dir: box.repo })?.hooks).toEqual(['pre-push']);
  });

  it('packed refs', () => {
    box = sandbox();
    const head = box.run('git pack-refs --all; git rev-parse HEAD').trim();
    expect(box.facts().repo({ dir: box.repo })?.head).toBe(head);
  });
});

describe('the index in-process', () => {
  it.each([2, 3, 4])('version %i', (version) => {
    box = sandbox();
    box.run(
      `mkdir -p a/b; for i in 1 2 3 12 123; do echo $i > a/b/f$i; done; git add a; git update-index --index-version ${version}; git update-index --skip-worktree a/b/f12; git update-index --assume-unchanged src/app.ts`,
    );
    const scan = scanIndex(`${box.repo}/.git/index`, 20);
    expect([...(scan?.paths ?? [])].sort()).toEqual(box.run('git ls-files').trim().split('\n').sort());
    expect(scan?.hidden.map((file) => file.path)).toEqual(['a/b/f12', 'src/app.ts']);
    expect([...(scan?.blobs ?? [])].sort()).toEqual([...new Set(box.run("git ls-files -s | cut -d' ' -f2").trim().split('\n'))].sort());
  });

  it('does not take a split index for the whole', () => {
    box = sandbox();
    box.run('git update-index --split-index');
    expect(scanIndex(`${box.repo}/.git/index`, 20)).toBeUndefined();
    expect(box.facts().file(`${box.repo}/src/app.ts`).tracked).toBe(true);
  });
});

it('finds a repository as git does', () => {
  box = sandbox();
  box.run('git worktree add -q ../wt; ln -s repo ../link');
  for (const dir of ['repo', 'repo/src', 'wt', 'link/src', 'origin.git', 'repo/.git']) {
    const at = join(box.root, 'work', dir);
    expect(discoverAt(at)?.gitDir).toBe(box.run('git rev-parse --absolute-git-dir', at).trim());
  }
});
