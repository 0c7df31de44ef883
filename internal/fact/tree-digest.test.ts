/** The identity of a work tree against git's own: what a commit of everything would hold, without touching anything. */
import { readdirSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { discoverAt } from './discover.ts';
import { type Sandbox, sandbox } from './fixture.ts';
import { newBudget } from './git.ts';
import { openRepository } from './repository.ts';
import { standingOf } from './tree-digest.ts';

const boxes: Sandbox[] = [];
const box = (...given: string[]): Sandbox => {
  const made = sandbox();
  boxes.push(made);
  if (given.length > 0) made.run(given.join('\n'));
  return made;
};
afterEach(() => {
  for (const each of boxes.splice(0)) each.remove();
});
afterAll(() => expect(boxes).toEqual([]));

const standing = (at: Sandbox, dir = at.repo, filters: 'off' | 'run' = 'off') =>
  standingOf(openRepository(discoverAt(dir)!, at.env, newBudget(60_000)), { filters });

/** What git itself makes of it, in a copy. */
function asCommitted(at: Sandbox, dir = at.repo): { tracked: string; all: string } {
  const out = at.run(
    `rm -rf ../copy && cp -a ${dir} ../copy && cd ../copy && git add -u && git write-tree && git add -A && git write-tree`,
    dir,
  );
  const [tracked = '', all = ''] = out.trim().split('\n').slice(-2);
  return { tracked, all };
}

const TRACE = 'git status --porcelain --ignored; git count-objects -v; git for-each-ref; git stash list; git ls-files -s -v; ls -A';

describe('a work tree has the name that git would give it', () => {
  const cases: readonly [string, string][] = [
    ['clean', 'true'],
    ['a modified file', 'echo more >> src/app.ts'],
    ['a staged file', 'echo more >> src/app.ts && git add src/app.ts'],
    ['staged, then modified again', 'echo more >> src/app.ts && git add src/app.ts && echo again >> src/app.ts'],
    ['an untracked file', 'echo new > src/new.ts'],
    ['an untracked folder', 'mkdir -p a/b && echo 1 > a/b/c && echo 2 > a/d'],
    ['a new staged file', 'echo new > src/new.ts && git add src/new.ts'],
    ['a name that was only announced', 'echo new > src/new.ts && git add -N src/new.ts'],
    ['a deleted file', 'rm src/app.ts'],
    ['a deletion that is staged', 'git rm -q src/app.ts'],
    ['a removal from the index alone', 'git rm -q --cached src/app.ts'],
    ['a renamed file', 'git mv src/app.ts src/main.ts && mv src/util.ts src/helper.ts'],
    ['a mode', 'chmod +x src/app.ts'],
    ['a link', 'ln -s app.ts src/link.ts && rm README.md && ln -s src README.md'],
    ['an ignored file', 'mkdir -p node_modules && echo 1 > node_modules/x'],
    ['odd names', "echo 1 > ' a\tb' && echo 2 > 'ä\"b' && printf 3 > 'new\nline' && echo 4 > -dash && echo 5 > ':(top)x'"],
    ['a folder in the place of a file', 'rm src/app.ts && mkdir src/app.ts && echo 1 > src/app.ts/x'],
    [
      'a conflict',
      'git switch -q -c b main && echo b > README.md && git commit -q -am b && git switch -q feat/x && echo x > README.md && git commit -q -am x && (git merge -q b || true)',
    ],
  ];
  it.each(cases)('%s', (_name, given) => {
    const at = box(given);
    const before = at.run(TRACE);
    const { digest, unread } = standing(at);
    expect(unread).toBeUndefined();
    const { tracked, all } = { ...digest! };
    expect(at.run(TRACE)).toBe(before);
    expect({ tracked, all }).toEqual(asCommitted(at));
    expect(digest!.head).toBe(at.run('git rev-parse HEAD').trim());
    expect(readdirSync(at.tmp)).toEqual([]);
  });

  it('an empty repository', () => {
    const at = box('mkdir ../empty && cd ../empty && git init -q && echo 1 > a');
    const dir = at.repo.replace(/repo$/, 'empty');
    const { digest } = standing(at, dir);
    expect(digest).toMatchObject({ head: undefined, tracked: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' });
    expect(digest!.all).toBe(asCommitted(at, dir).all);
  });

  it('a linked work tree', () => {
    const at = box('git worktree add -q ../linked -b linked && echo more >> ../linked/src/app.ts && echo 1 > ../linked/new');
    const dir = at.repo.replace(/repo$/, 'linked');
    const { digest } = standing(at, dir);
    const [tracked, all] = at
      .run(
        'cp .git/worktrees/linked/index ../i && cd ../linked && export GIT_INDEX_FILE=../i && git add -u && git write-tree && git add -A && git write-tree',
      )
      .trim()
      .split('\n');
    expect({ tracked: digest!.tracked, all: digest!.all }).toEqual({ tracked, all });
  });

  it('a SHA-256 repository', () => {
    const at = box(
      'git init -q --object-format=sha256 ../long && cd ../long && echo 1 > a && git add a && git commit -q -m a && echo 2 >> a && echo b > b',
    );
    const dir = at.repo.replace(/repo$/, 'long');
    const { digest } = standing(at, dir);
    expect(digest!.tracked).toMatch(/^[0-9a-f]{64}$/);
    expect({ tracked: digest!.tracked, all: digest!.all }).toEqual(asCommitted(at, dir));
  });

  it('a submodule at another commit', () => {
    const at = box(
      'git -c protocol.file.allow=always submodule add -q ../origin.git sub && git commit -q -m sub',
      'git -C sub commit -q --allow-empty -m moved',
    );
    const { digest } = standing(at);
    expect(digest!.tracked).toBe(asCommitted(at).tracked);
  });
});

describe('what git was told not to look at', () => {
  it.each(['--assume-unchanged', '--skip-worktree'])('%s: other content counts, the same does not', (flag) => {
    const at = box(`git update-index ${flag} src/util.ts`);
    expect(standing(at).digest!.tracked).toBe(at.run('git rev-parse HEAD^{tree}').trim());
    at.run('echo hidden >> src/util.ts');
    const expected = at.run(
      'cp -a . ../seen && cd ../seen && git update-index --no-assume-unchanged --no-skip-worktree src/util.ts; git update-index --no-skip-worktree src/util.ts; git add -u && git write-tree',
    );
    expect(standing(at).digest!.tracked).toBe(expected.trim().split('\n').at(-1));
  });
});

describe('programs of the repository', () => {
  const FILTER =
    "printf '%s\\n' '*.ts filter=mark' > .gitattributes && git config filter.mark.clean 'touch \"$HOME/ran\"; tr a-z A-Z' && echo more >> src/app.ts";

  it('a judgement runs none', () => {
    const at = box(FILTER);
    expect(standing(at).digest).toBeDefined();
    expect(readdirSync(at.home)).not.toContain('ran');
  });

  it('a run of the gate sees what a commit would hold', () => {
    const at = box(FILTER);
    const { tracked } = standing(at, at.repo, 'run').digest!;
    expect(tracked).toBe(at.run('git add -u && git write-tree').trim());
  });
});

it('too much to read equals nothing', () => {
  const at = box('truncate -s 300M huge.bin');
  expect(standing(at).digest!.all).toBe('');
  expect(standing(at).digest!.tracked).toBe(at.run('git rev-parse HEAD^{tree}').trim());
});
