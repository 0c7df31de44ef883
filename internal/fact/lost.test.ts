import { afterEach, describe, expect, it } from 'vitest';
import { pathTarget } from '../effect/family.ts';
import type { LossQuestion, Stake } from './facts.ts';
import { type Sandbox, sandbox } from './fixture.ts';

let box: Sandbox;
afterEach(() => box?.remove());

/** A case: what is done before, what is asked, and the names at stake (kind and name). */
interface Case {
  name: string;
  given: string;
  ask: (box: Sandbox) => LossQuestion;
  lost: readonly string[];
  cwd?: (box: Sandbox) => string;
}

const names = (stake: Stake): string[] => stake.items.map((item) => `${item.kind} ${item.name}`).sort();
const repoOf = (box: Sandbox, dir = box.repo) => ({ dir });
const paths =
  (...list: string[]) =>
  (box: Sandbox): LossQuestion => ({ about: 'paths', targets: box.at(...list), tree: true, cwd: box.repo });
const worktree =
  (more: Partial<Extract<LossQuestion, { about: 'worktree' }>> = {}) =>
  (box: Sandbox): LossQuestion => ({
    about: 'worktree',
    repo: repoOf(box),
    paths: undefined,
    loses: 'both',
    from: 'HEAD',
    overUntracked: false,
    ...more,
  });
const clean =
  (more: Partial<Extract<LossQuestion, { about: 'clean' }>> = {}) =>
  (box: Sandbox): LossQuestion => ({
    about: 'clean',
    repo: repoOf(box),
    paths: [],
    directories: true,
    ignored: 'no',
    nested: false,
    excludes: [],
    ...more,
  });

const EDIT = "echo 'draft' >> src/app.ts";

const CASES: readonly Case[] = [
  { name: 'a clean tracked file', given: '', ask: paths('src/app.ts'), lost: [] },
  { name: 'a modified file', given: EDIT, ask: paths('src/app.ts'), lost: ['modified src/app.ts'] },
  { name: 'a modified file that is staged stays in the index', given: `${EDIT}; git add src/app.ts`, ask: paths('src/app.ts'), lost: [] },
  { name: 'an untracked file', given: 'echo x > new.txt', ask: paths('new.txt'), lost: ['untracked new.txt'] },
  { name: 'an empty untracked file', given: ': > new.txt', ask: paths('new.txt'), lost: [] },
  { name: 'an absent file', given: '', ask: paths('absent'), lost: [] },
  { name: 'an untracked copy of a committed file', given: 'cp src/app.ts copy.ts', ask: paths('copy.ts'), lost: [] },
  {
    name: 'a tracked file put back to an older commit',
    given: 'cp src/app.ts /dev/null; echo v2 > src/app.ts; git commit -qam v2; git show HEAD~1:src/app.ts > src/app.ts',
    ask: paths('src/app.ts'),
    lost: [],
  },
  {
    name: 'a blob git holds only by chance',
    given: 'echo v2 > new.txt; git add new.txt; git rm -q --cached new.txt',
    ask: paths('new.txt'),
    lost: ['untracked new.txt'],
  },
  { name: 'a directory of clean files', given: '', ask: paths('src'), lost: [] },
  {
    name: 'a directory with everything in it',
    given: `${EDIT}; echo n > src/new.ts; mkdir src/sub; echo m > src/sub/more.ts`,
    ask: paths('src'),
    lost: ['modified src/app.ts', 'untracked src/new.ts', 'untracked src/sub/more.ts'],
  },
  {
    name: 'dependencies and ignored output',
    given: 'mkdir -p node_modules/a dist; echo 1 > node_modules/a/i.js; echo 2 > dist/o.js',
    ask: paths('node_modules', 'dist'),
    lost: [],
  },
  {
    name: 'an output folder that git does not ignore',
    given: 'mkdir out; echo 1 > out/result.csv',
    ask: paths('out'),
    lost: ['untracked out/result.csv'],
  },
  {
    name: 'an output folder that only an untracked file ignores',
    given: 'echo out > .git/info/exclude; mkdir out; echo 1 > out/result.csv',
    ask: paths('out'),
    lost: ['ignored out/result.csv'],
  },
  { name: 'an ignored environment file', given: 'echo A=1 > .env', ask: paths('.env'), lost: ['ignored .env'] },
  {
    name: 'the whole work tree but .git',
    given: `${EDIT}; echo A=1 > .env; mkdir -p node_modules; echo 1 > node_modules/x`,
    ask: (box) => ({
      about: 'paths',
      targets: [{ path: `${box.repo}/*`, prefix: box.repo, raw: '*', glob: true }],
      tree: true,
      cwd: box.repo,
    }),
    lost: ['modified src/app.ts'],
  },
  {
    name: 'a glob',
    given: 'echo 1 > a.txt; echo 2 > b.txt; echo 3 > c.md',
    ask: (box) => ({
      about: 'paths',
      targets: [{ path: `${box.repo}/*.txt`, prefix: box.repo, raw: '*.txt', glob: true }],
      tree: false,
      cwd: box.repo,
    }),
    lost: ['untracked a.txt', 'untracked b.txt'],
  },
  { name: 'a link', given: 'mkdir ~/photos; echo j > ~/photos/a.jpg; ln -s ~/photos node_modules', ask: paths('node_modules'), lost: [] },
  {
    name: 'a link with a slash',
    given: 'mkdir ~/photos; echo j > ~/photos/a.jpg; ln -s ~/photos node_modules',
    ask: (box) => ({ about: 'paths', targets: [pathTarget('node_modules/', box.repo)], tree: true, cwd: box.repo }),
    lost: ['outside node_modules/a.jpg'],
  },
  {
    name: 'a link inside a tree',
    given: 'mkdir ~/photos; echo j > ~/photos/a.jpg; mkdir d; ln -s ~/photos d/link',
    ask: paths('d'),
    lost: [],
  },
  {
    name: 'writing through a link',
    given: 'echo j > ~/a.txt; ln -s ~/a.txt link.txt',
    ask: (box) => ({ about: 'paths', targets: box.at('link.txt'), tree: false, cwd: box.repo, writes: true }),
    lost: ['outside link.txt'],
  },
  {
    name: 'a file in the home',
    given: '',
    ask: (box) => ({ about: 'paths', targets: box.at(`${box.home}/Documents`), tree: true, cwd: box.repo }),
    lost: ['outside ~/Documents/letter.txt'],
  },
  {
    name: 'a file in the temporary directory',
    given: 'echo x > $TMPDIR/x',
    ask: (box) => ({ about: 'paths', targets: box.at(`${box.tmp}/x`), tree: true, cwd: box.repo }),
    lost: [],
  },
  {
    name: 'a name that is not known',
    given: '',
    ask: () => ({ about: 'paths', targets: [{ path: undefined, prefix: '', raw: '$X', unknown: 'X' }], tree: true, cwd: undefined }),
    lost: ['unknown $X'],
  },
  {
    name: 'assume-unchanged',
    given: `git update-index --assume-unchanged src/app.ts; ${EDIT}`,
    ask: paths('src/app.ts'),
    lost: ['modified src/app.ts'],
  },
  {
    name: 'skip-worktree on reset --hard',
    given: `git update-index --skip-worktree src/app.ts; ${EDIT}`,
    ask: worktree(),
    lost: ['modified src/app.ts'],
  },
  { name: 'CRLF of a committed file', given: "printf 'export const app = 1;\\r\\n' > src/app.ts", ask: paths('src/app.ts'), lost: [] },
  { name: 'only the mode changed', given: 'chmod +x src/app.ts', ask: worktree(), lost: [] },
  { name: 'names with spaces and quotes', given: `echo 1 > 'a "b" é.txt'`, ask: paths('a "b" é.txt'), lost: ['untracked a "b" é.txt'] },
  {
    name: 'a nested repository with work',
    given:
      'git init -q nested; cd nested; echo a > a; git add a; git commit -qm a; echo b >> a; echo K=1 > .env; echo .env > .git/info/exclude',
    ask: paths('nested'),
    lost: ['ignored nested/.env', 'modified nested/a', 'nested-repository 1 commit of nested on no remote'],
  },
  { name: 'a nested repository that is pushed and clean', given: 'git clone -q ../origin.git nested', ask: paths('nested'), lost: [] },
  {
    name: 'the git directory',
    given: 'echo a > a; git add a; git commit -qm unpushed; echo b > src/app.ts; git stash -q',
    ask: paths('.git'),
    lost: ['nested-repository 1 commit of .git on no remote', 'stash stash@{0}: WIP on feat/x: unpushed'],
  },
  {
    name: 'a linked worktree by rm',
    given: 'git worktree add -q ../wt -b wt; echo x > ../wt/new.txt',
    ask: (box) => ({ about: 'paths', targets: box.at('../wt'), tree: true, cwd: box.repo }),
    lost: ['untracked wt/new.txt'],
  },
  { name: 'a reset of a clean tree', given: '', ask: worktree(), lost: [] },
  {
    name: 'a reset with edits',
    given: `${EDIT}; echo s >> src/util.ts; git add src/util.ts; echo a > added.ts; git add added.ts`,
    ask: worktree(),
    lost: ['modified src/app.ts', 'staged added.ts', 'staged src/util.ts'],
  },
  { name: 'a reset keeps untracked files', given: 'echo x > new.txt', ask: worktree(), lost: [] },
  {
    name: 'an untracked file in the way',
    given:
      'echo v > other.txt; git add other.txt; git commit -qm other; git branch other; git reset -q --hard HEAD~1; echo mine > other.txt',
    ask: worktree({ from: 'other', overUntracked: true }),
    lost: ['untracked other.txt'],
  },
  {
    name: 'one path',
    given: `${EDIT}; echo s >> src/util.ts`,
    ask: (box) => worktree({ paths: box.at('src/util.ts'), loses: 'worktree', from: 'index' })(box),
    lost: ['modified src/util.ts'],
  },
  {
    name: 'a pattern for git',
    given: EDIT,
    ask: (box) => worktree({ paths: box.at('src/*.ts'), loses: 'worktree', from: 'index' })(box),
    lost: ['modified src/app.ts'],
  },
  {
    name: 'the top as a path',
    given: EDIT,
    ask: (box) => worktree({ paths: box.at('.'), loses: 'worktree', from: 'index' })(box),
    lost: ['modified src/app.ts'],
  },
  {
    name: 'restore of a deleted file',
    given: 'rm src/app.ts',
    ask: (box) => worktree({ paths: box.at('src/app.ts'), loses: 'worktree', from: 'index' })(box),
    lost: [],
  },
  { name: 'unstaging', given: `${EDIT}; git add src/app.ts`, ask: worktree({ loses: 'index' }), lost: [] },
  {
    name: 'unstaging what only the index holds',
    given: `${EDIT}; git add src/app.ts; echo later > src/app.ts`,
    ask: worktree({ loses: 'index' }),
    lost: ['staged src/app.ts'],
  },
  {
    name: 'clean -fd',
    given: 'mkdir notes; echo p > notes/plan.md; echo f > src/new.ts; echo A=1 > .env',
    ask: clean(),
    lost: ['untracked notes/plan.md', 'untracked src/new.ts'],
  },
  {
    name: 'clean -f leaves directories',
    given: 'mkdir notes; echo p > notes/plan.md; echo f > src/new.ts',
    ask: clean({ directories: false }),
    lost: ['untracked src/new.ts'],
  },
  {
    name: 'clean -fdx',
    given: 'mkdir -p node_modules dist; echo 1 > node_modules/a; echo 1 > dist/a; echo A=1 > .env',
    ask: clean({ ignored: 'also' }),
    lost: ['ignored .env'],
  },
  { name: 'clean -fdX', given: 'echo A=1 > .env; echo n > new.txt', ask: clean({ ignored: 'only' }), lost: ['ignored .env'] },
  {
    name: 'clean with an exclusion',
    given: 'echo n > new.txt; echo k > keep.txt',
    ask: clean({ excludes: ['keep.txt'] }),
    lost: ['untracked new.txt'],
  },
  {
    name: 'clean of a path',
    given: 'echo n > new.txt; mkdir d; echo k > d/k',
    ask: (box) => clean({ paths: box.at('d') })(box),
    lost: ['untracked d/k'],
  },
  {
    name: 'clean skips nested repositories',
    given: 'git init -q nested; cd nested; echo a > a; git add a; git commit -qm a',
    ask: clean(),
    lost: [],
  },
  {
    name: 'clean -ff does not',
    given: 'git init -q nested; cd nested; echo a > a; git add a; git commit -qm a',
    ask: clean({ nested: true }),
    lost: ['nested-repository 1 commit of nested on no remote'],
  },
  {
    name: 'stash entries',
    given: `${EDIT}; git stash push -q -m one; ${EDIT}; git stash push -q -m two`,
    ask: (box) => ({ about: 'stash', repo: repoOf(box), entry: 'all' }),
    lost: ['stash stash@{0}: On feat/x: two', 'stash stash@{1}: On feat/x: one'],
  },
  {
    name: 'one stash entry',
    given: `${EDIT}; git stash push -q -m one; ${EDIT}; git stash push -q -m two`,
    ask: (box) => ({ about: 'stash', repo: repoOf(box), entry: 1 }),
    lost: ['stash stash@{1}: On feat/x: one'],
  },
  { name: 'no stash', given: '', ask: (box) => ({ about: 'stash', repo: repoOf(box), entry: 'all' }), lost: [] },
  {
    name: 'a stash entry that has been applied',
    given: `${EDIT}; echo n > new.txt; git stash push -q -u; git stash apply -q`,
    ask: (box) => ({ about: 'stash', repo: repoOf(box), entry: 0 }),
    lost: [],
  },
  {
    name: 'a stash entry that has been applied and changed',
    given: `${EDIT}; git stash push -q -m one; git stash apply -q; echo other > src/app.ts`,
    ask: (box) => ({ about: 'stash', repo: repoOf(box), entry: 0 }),
    lost: ['stash stash@{0}: On feat/x: one'],
  },
  {
    name: 'a branch rebased into main',
    given:
      'git switch -q -c mine; echo 1 > one; git add one; git commit -qm one; git switch -q main; echo m > m; git add m; git commit -qm m; git cherry-pick mine > /dev/null; git push -q origin main',
    ask: (box) => ({ about: 'branches', repo: repoOf(box), names: ['mine'] }),
    lost: [],
  },
  {
    name: 'a scratch repository',
    given: 'git init -q $TMPDIR/x; cd $TMPDIR/x; echo a > a; git add a; git commit -qm a; echo b > b',
    ask: (box) => ({ about: 'paths', targets: box.at(`${box.tmp}/x`), tree: true, cwd: box.repo }),
    lost: [],
  },
  {
    name: 'a worktree in the temporary directory',
    given: 'git worktree add -q $TMPDIR/wt -b wt; echo n > $TMPDIR/wt/new.txt',
    ask: (box) => ({ about: 'paths', targets: box.at(`${box.tmp}/wt`), tree: true, cwd: box.repo }),
    lost: ['untracked ../../tmp/wt/new.txt'],
  },
  {
    name: 'one of several files in an ignored folder',
    given: 'echo data > .gitignore; git commit -qam i; mkdir -p data/sub; echo 1 > data/a; echo 2 > data/sub/b; echo 3 > data/sub/c',
    ask: paths('data/a', 'data/sub'),
    lost: ['ignored data/a', 'ignored data/sub/b', 'ignored data/sub/c'],
  },
  {
    name: 'one file in a folder that is not tracked',
    given: 'mkdir -p data/sub; echo 1 > data/a; echo 2 > data/sub/b',
    ask: paths('data/a'),
    lost: ['untracked data/a'],
  },
  {
    name: 'a key in an output folder',
    given: 'mkdir dist; echo x > dist/o.js; echo A=1 > dist/.env',
    ask: paths('dist/.env'),
    lost: ['ignored dist/.env'],
  },
  {
    name: 'a submodule with work in it',
    given:
      'git init -q ../lib; git -C ../lib commit -q --allow-empty -m lib; git -c protocol.file.allow=always submodule --quiet add ../lib sub; git commit -qm sub; echo n > sub/new.txt',
    ask: paths('sub'),
    lost: ['untracked sub/new.txt'],
  },
  {
    name: 'a parent of a submodule with work in it',
    given:
      'git init -q ../lib; git -C ../lib commit -q --allow-empty -m lib; git -c protocol.file.allow=always submodule --quiet add ../lib libs/sub; git commit -qm sub; echo n > libs/sub/new.txt',
    ask: paths('libs'),
    lost: ['untracked libs/sub/new.txt'],
  },
  {
    name: 'a bare repository beside',
    given: 'git clone -q --bare . ../copy.git; git -C ../copy.git remote remove origin',
    ask: paths('../copy.git'),
    lost: ['nested-repository 1 commit of copy.git on no remote'],
  },
  { name: 'a hook file', given: 'echo x > .git/hooks/pre-push', ask: paths('.git/hooks'), lost: ['outside .git/hooks/pre-push'] },
  { name: 'a stale lock', given: 'echo x > .git/index.lock', ask: paths('.git/index.lock'), lost: [] },
  {
    name: 'another case of a glob for git',
    given: 'echo n > src/new.ts; echo draft >> src/app.ts',
    ask: (box) =>
      worktree({
        paths: [{ path: `${box.repo}/src/*`, prefix: `${box.repo}/src`, raw: 'src/*', glob: true }],
        loses: 'worktree',
        from: 'index',
      })(box),
    lost: ['modified src/app.ts'],
  },
  {
    name: 'a pushed branch',
    given: 'git switch -q -c done; echo 1 > one; git add one; git commit -qm one; git push -q origin done; git switch -q feat/x',
    ask: (box) => ({ about: 'branches', repo: repoOf(box), names: ['done'] }),
    lost: [],
  },
  {
    name: 'an unpushed branch',
    given: 'git switch -q -c mine; echo 1 > one; git add one; git commit -qm one; git switch -q feat/x',
    ask: (box) => ({ about: 'branches', repo: repoOf(box), names: ['mine'] }),
    lost: ['commit 1 commit on mine'],
  },
  {
    name: 'a branch another branch holds',
    given: 'git switch -q -c mine; echo 1 > one; git add one; git commit -qm one; git branch copy',
    ask: (box) => ({ about: 'branches', repo: repoOf(box), names: ['mine'] }),
    lost: [],
  },
  {
    name: 'a branch squashed into main',
    given:
      'git switch -q -c mine; echo 1 > one; git add one; git commit -qm one; echo 2 > two; git add two; git commit -qm two; git switch -q main; git merge -q --squash mine; git commit -qm squashed; git push -q origin main',
    ask: (box) => ({ about: 'branches', repo: repoOf(box), names: ['mine'] }),
    lost: [],
  },
  {
    name: 'a branch moves',
    given: 'echo 1 > one; git add one; git commit -qm one',
    ask: (box) => ({ about: 'move', repo: repoOf(box), to: 'HEAD~1' }),
    lost: ['commit 1 commit on feat/x'],
  },
  { name: 'a branch moves to where it is', given: '', ask: (box) => ({ about: 'move', repo: repoOf(box), to: 'HEAD' }), lost: [] },
  {
    name: 'a pushed branch moves',
    given: 'echo 1 > one; git add one; git commit -qm one; git push -q',
    ask: (box) => ({ about: 'move', repo: repoOf(box), to: 'HEAD~1' }),
    lost: [],
  },
  {
    name: 'a detached HEAD moves',
    given: 'git switch -q --detach; echo 1 > one; git add one; git commit -qm one',
    ask: (box) => ({ about: 'move', repo: repoOf(box), to: 'main' }),
    lost: ['commit 1 commit at the detached HEAD'],
  },
  {
    name: 'a linked worktree with work',
    given: 'git worktree add -q ../wt -b wt; echo x >> ../wt/src/app.ts; echo n > ../wt/new.txt',
    ask: (box) => ({ about: 'worktree-dir', path: pathTarget('../wt', box.repo), cwd: box.repo }),
    lost: ['modified wt/src/app.ts', 'untracked wt/new.txt'],
  },
  {
    name: 'a clean linked worktree with a link that leads out',
    given: 'mkdir node_modules; echo 1 > node_modules/a; git worktree add -q ../wt -b wt; ln -s $PWD/node_modules ../wt/node_modules',
    ask: (box) => ({ about: 'worktree-dir', path: pathTarget('../wt', box.repo), cwd: box.repo }),
    lost: [],
  },
  {
    name: 'a worktree named by the end of its path, as git allows',
    given: `${EDIT}; git worktree add -q ../a/wt -b wt; echo n > ../a/wt/new.txt`,
    ask: (box) => ({ about: 'worktree-dir', path: pathTarget('wt', box.repo), cwd: box.repo }),
    lost: ['untracked a/wt/new.txt'],
  },
  {
    name: 'a worktree that is not there: the repository around the path is not meant',
    given: EDIT,
    ask: (box) => ({ about: 'worktree-dir', path: pathTarget('.claude/worktrees/gone', box.repo), cwd: box.repo }),
    lost: [],
  },
  {
    name: 'what only the reflog knows',
    given: `echo d > lost.txt; git add lost.txt; git commit -qm 'a day of work'; git reset -q --hard HEAD~1; ${EDIT}; git stash -q`,
    ask: (box) => ({ about: 'unreachable', repo: repoOf(box), stash: true }),
    lost: ['commit 1 commit only in the reflog', 'stash stash@{0}: WIP on feat/x'],
  },
  {
    name: 'no repository at all',
    given: '',
    ask: (box) => ({ about: 'worktree', repo: { dir: box.tmp }, paths: undefined, loses: 'both', from: 'HEAD', overUntracked: true }),
    lost: [],
  },
  {
    name: 'an unborn branch',
    given: 'git init -q ../fresh; echo a > ../fresh/a; git -C ../fresh add a; echo b > ../fresh/b',
    ask: (box) => ({
      about: 'worktree',
      repo: { dir: `${box.root}/work/fresh` },
      paths: undefined,
      loses: 'both',
      from: 'HEAD',
      overUntracked: false,
    }),
    lost: ['staged fresh/a'],
  },
  {
    name: 'a conflict as the merge left it',
    given:
      'git switch -q -c other; echo theirs > src/app.ts; git commit -qam theirs; git switch -q feat/x; echo ours > src/app.ts; git commit -qam ours; git merge -q other > /dev/null || true',
    ask: worktree(),
    lost: [],
  },
  {
    name: 'a conflict with work in it',
    given:
      'git switch -q -c other; echo theirs > src/app.ts; git commit -qam theirs; git switch -q feat/x; echo ours > src/app.ts; git commit -qam ours; git merge -q other > /dev/null || true; echo resolved > src/app.ts',
    ask: worktree(),
    lost: ['modified src/app.ts'],
  },
];

describe('what would be lost', () => {
  it.each(CASES)('$name', ({ given, ask, lost }) => {
    box = sandbox();
    box.run(given);
    const stake = box.facts().lost(ask(box));
    const shown = names(stake).map((name) =>
      name
        .replace(/ \([0-9a-f, …]+\)$/, '')
        .replace(/(WIP on feat\/x): [0-9a-f]+ .*/, lost.some((each) => each.endsWith('unpushed')) ? '$1: unpushed' : '$1')
        .replace(`${box.root}/work/`, '')
        .replace(`${box.root}/`, '../../'),
    );
    expect(shown).toEqual([...lost].sort());
  });
});
