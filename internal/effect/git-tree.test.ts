import { describe, expect, it } from 'vitest';
import { effectsIn, told } from './git-fixture.ts';

const discards = (line: string) =>
  effectsIn(line)
    .filter((effect) => effect.kind === 'git.discard')
    .map((effect) => told(effect, 'how', 'paths', 'loses', 'from').replace(/^git\.discard /, ''));

describe('what goes back to another version', () => {
  it.each([
    ['git reset --hard', 'how=reset --hard paths=undefined loses=both from=HEAD'],
    ['git reset --har', 'how=reset --hard paths=undefined loses=both from=HEAD'],
    ['git reset -q --hard HEAD~2', 'how=reset --hard paths=undefined loses=both from=HEAD~2'],
    ['git reset --merge', 'how=reset --merge paths=undefined loses=both from=HEAD'],
    ['git reset', 'how=reset paths=undefined loses=index from=HEAD'],
    ['git reset src/app.ts', 'how=reset paths=[/r/src/app.ts] loses=index from=HEAD'],
    ['git checkout -- .', 'how=checkout paths=[/r] loses=worktree from=index'],
    ['git checkout src/app.ts', 'how=checkout paths=[/r/src/app.ts] loses=worktree from=index'],
    ['git checkout feat/x -- src/app.ts', 'how=checkout paths=[/r/src/app.ts] loses=both from=feat/x'],
    ['git checkout main src', 'how=checkout paths=[/r/src] loses=both from=main'],
    ['git checkout HEAD --pathspec-from-file=list', 'how=checkout paths=undefined loses=worktree from=HEAD'],
    ['git checkout -f', 'how=checkout --force paths=undefined loses=both from=HEAD'],
    ['git checkout -qf main', 'how=checkout --force paths=undefined loses=both from=main'],
    ['git switch --discard-ch main', 'how=switch --force paths=undefined loses=both from=main'],
    ['git restore src/app.ts', 'how=restore paths=[/r/src/app.ts] loses=worktree from=index'],
    ['git restore -SW .', 'how=restore paths=[/r] loses=both from=HEAD'],
    ['git restore --stage .', 'how=restore paths=[/r] loses=index from=HEAD'],
    ['git restore -s HEAD~1 src', 'how=restore paths=[/r/src] loses=worktree from=HEAD~1'],
    ['git restore --no-staged -W a.txt', 'how=restore paths=[/r/a.txt] loses=worktree from=index'],
    ['git restore :/', 'how=restore paths=undefined loses=worktree from=index'],
    ["git checkout -- '*.ts'", 'how=checkout paths=[/r/*.ts] loses=worktree from=index'],
    ['git read-tree --reset -u HEAD', 'how=read-tree --reset -u paths=undefined loses=both from=HEAD'],
    ['git checkout-index -f -a', 'how=checkout-index -f paths=undefined loses=worktree from=index'],
    ['git diff | git apply -R', 'how=diff | git apply -R paths=undefined loses=worktree from=index'],
    ['git diff HEAD -- src | patch -p1 -R', 'how=diff | patch -R paths=[/r/src] loses=worktree from=index'],
    ['git checkout $(git diff --name-only)', 'how=checkout paths=[?$(git diff --name-only)] loses=worktree from=index'],
    [
      "git checkout $(git status -s | awk '{print $2}')",
      "how=checkout paths=[?$(git status -s | awk '{print $2}')] loses=worktree from=index",
    ],
    ['git restore --staged --worktree --no-worktree .', 'how=restore paths=[/r] loses=index from=HEAD'],
    ['git rm -f src/app.ts', 'how=rm -f paths=[/r/src/app.ts] loses=both from=HEAD'],
    ['git rm -f --cached src/app.ts', 'how=rm --cached paths=[/r/src/app.ts] loses=index from=HEAD'],
    ['git -C src checkout .', 'how=checkout paths=[/r/src] loses=worktree from=index'],
    ['git --git-dir=.git reset --hard', 'how=reset --hard paths=undefined loses=both from=HEAD'],
    ["bash -c 'git reset --hard'", 'how=reset --hard paths=undefined loses=both from=HEAD'],
  ])('%s', (line, expected) => {
    expect(discards(line)).toEqual([expected]);
  });

  it.each([
    'git reset --soft HEAD~1',
    'git reset --hard --help',
    'git checkout main',
    'git checkout feat/x',
    'git checkout -',
    'git checkout v1.2.3',
    'git checkout -b fix/login',
    'git checkout --detach origin/main',
    'git switch main',
    'git switch -- -f',
    'git restore',
    'git restore --no-worktree a.txt',
    'git restore --source --worktree',
    'git restore a.txt -h',
    'git rm src/app.ts',
    'git rm -n -f src/app.ts',
    'git rm --force --no-force src/app.ts',
    'git diff > p && git apply -R p',
    'git commit -m "git reset --hard"',
    'git log -- src/app.ts',
  ])('%s loses nothing', (line) => {
    expect(discards(line).filter((text) => !text.includes('loses=index'))).toEqual([]);
  });
});

describe('git clean', () => {
  it.each([
    ['git clean -fd', 'paths=[] directories=true ignored=no nested=false'],
    ['git clean -ffdx', 'paths=[] directories=true ignored=also nested=true'],
    ['git clean -Xf build', 'paths=[/r/build] directories=true ignored=only nested=false'],
    ['git clean --forc', 'paths=[] directories=false ignored=no nested=false'],
    ['git -c clean.requireForce=no clean', 'paths=[] directories=false ignored=no nested=false'],
  ])('%s', (line, expected) => {
    expect(effectsIn(line).map((effect) => told(effect, 'paths', 'directories', 'ignored', 'nested'))).toEqual([`git.clean ${expected}`]);
  });

  it.each([
    'git clean',
    'git clean -nf',
    'git clean --forc --dry-r',
    'git clean -f --no-force',
    'git clean -if',
    'git -c clean.requireForce=false -c clean.requireForce=true clean',
  ])('%s removes nothing', (line) => {
    expect(effectsIn(line)).toEqual([]);
  });
});

describe('git stash', () => {
  it.each([
    ['git stash', 'op=push entry=undefined untracked=false named=false'],
    ['git stash -u', 'op=push entry=undefined untracked=true named=false'],
    ["git stash push -m 'x'", 'op=push entry=undefined untracked=false named=true'],
    ['git stash save half done', 'op=push entry=undefined untracked=false named=true'],
    ['git stash pop', 'op=pop entry=0 untracked=false named=false'],
    ['git stash drop stash@{2}', 'op=drop entry=2 untracked=false named=true'],
    ['git stash drop 1', 'op=drop entry=1 untracked=false named=true'],
    ['git stash clear', 'op=clear entry=undefined untracked=false named=false'],
  ])('%s', (line, expected) => {
    expect(effectsIn(line).map((effect) => told(effect, 'op', 'entry', 'untracked', 'named'))).toEqual([`git.stash ${expected}`]);
  });

  it.each(['git stash list', 'git stash show -p', 'git stash --help'])('%s only looks', (line) => {
    expect(effectsIn(line)).toEqual([]);
  });
});
