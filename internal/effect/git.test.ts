import { describe, expect, it } from 'vitest';
import { effectsIn, told } from './git-fixture.ts';

const kinds = (line: string, config = {}) => effectsIn(line, config).map((effect) => effect.kind);

describe('aliases and programs handed to git', () => {
  it('a configured alias is followed', () => {
    expect(kinds('git undo', { 'alias.undo': 'reset --hard' })).toEqual(['git.discard']);
    expect(kinds('git wipe', { 'alias.wipe': '!git reset --hard && git clean -fd' })).toEqual(['git.discard', 'git.clean']);
  });
  it('an alias set on the line is followed', () => {
    expect(kinds("git config alias.zap '!rm -rf src' && git zap")).toEqual(['git.config', 'file.delete']);
  });
  it('a loop of aliases ends', () => {
    expect(kinds('git a', { 'alias.a': 'b', 'alias.b': 'a' })).toEqual([]);
  });
  it.each([
    ["git -c alias.z='!rm -rf /home/dev/docs' z", ['git.inline-program', 'file.delete']],
    ['git -c alias.nuke=reset nuke --hard', ['git.inline-program', 'git.discard']],
    ['git -c alias.st=status st', []],
    ["git -c 'alias.status=reset --hard' status", []],
    ['git -c core.sshCommand="sh -c \'rm -rf /home/dev/docs\'" fetch', ['git.inline-program', 'file.delete', 'git.fetch']],
    ['git -c core.sshCommand=./x status', []],
    ['git -c core.fsmonitor="rm -rf docs; false" status', ['git.inline-program', 'file.delete']],
    ['git -c core.fsmonitor=false status', []],
    ['git -c core.pager=cat log', []],
    ["GIT_SSH_COMMAND='ssh -i k' git fetch", ['git.fetch', 'line.environment']],
    ["git rebase -x 'rm -rf docs' main", ['file.delete', 'git.history-rewrite']],
    ["git bisect run sh -c 'rm -rf docs'", ['file.delete']],
    ["git difftool -x 'rm -rf docs'", ['file.delete']],
    ["git grep -O'rm -rf docs;' x", ['file.delete']],
    ["git clone -u 'rm -rf docs;' ./ copy", ['git.inline-program', 'file.delete', 'git.clone']],
    ['git push -u origin HEAD', ['git.push']],
    ['git() { command git "$@"; }; git reset --hard', ['git.discard']],
    ['pre-commit uninstall', ['git.hook-bypass']],
    ['lefthook uninstall', ['git.hook-bypass']],
    ['pre-commit install', []],
    ['gh pr checkout 12 --force', ['git.discard']],
    ['gh pr checkout 12', []],
    ['git tag keep', ['git.kept']],
    ['git diff > ../wip.patch', ['git.kept', 'file.write']],
    ['git diff --stat > ../wip.txt', ['file.write']],
    ['git diff main > ../wip.patch', ['file.write']],
    ['GIT_INDEX_FILE=/tmp/i git add -A', ['line.environment']],
    ['GIT_INDEX_FILE=/tmp/i git read-tree HEAD', ['line.environment']],
    ['GIT_INDEX_FILE=/tmp/i git checkout -- .', ['git.discard', 'line.environment']],
  ])('%s', (line, expected) => {
    expect(kinds(line)).toEqual(expected);
  });
});

describe('refs', () => {
  it.each([
    ['git branch -D a b', 'git.branch-delete names=[a b] force=true'],
    ['git branch --del --forc a', 'git.branch-delete names=[a] force=true'],
    ['git branch -d a', 'git.branch-delete names=[a] force=false'],
    ['git branch -Dv a', 'git.branch-delete names=[a] force=true'],
    ['git branch -f a main', 'git.branch-move names=undefined force=undefined'],
    ['git tag -d v1', 'git.internals names=undefined force=undefined'],
    ['git update-ref -d refs/heads/a', 'git.internals names=undefined force=undefined'],
    ['git gc --prune=now', 'git.internals names=undefined force=undefined'],
    ['git -c gc.pruneExpire=now gc', 'git.internals names=undefined force=undefined'],
    ['git reflog expire --expire=now --all', 'git.internals names=undefined force=undefined'],
  ])('%s', (line, expected) => {
    expect(effectsIn(line).map((effect) => told(effect, 'names', 'force'))).toEqual([expected]);
  });

  it.each([
    'git branch',
    'git branch -a',
    'git branch --list x',
    'git branch -vv',
    'git tag --list',
    'git gc',
    'git gc --prune=2.weeks.ago',
    'git -c gc.pruneExpire=now gc --no-prune',
    'git reflog expire --all',
    'git prune -n',
  ])('%s changes no ref', (line) => {
    expect(kinds(line).filter((kind) => kind !== 'git.branch-create')).toEqual([]);
  });

  it.each([
    ['git worktree add ../wt -b x origin/main', 'origin/main', 'git worktree add --no-track ../wt -b x origin/main'],
    ['git checkout -b x origin/main', 'origin/main', 'git checkout --no-track -b x origin/main'],
    ['git worktree add --no-track ../wt -b x origin/main', undefined, undefined],
    ['git checkout -b x main', undefined, undefined],
  ])('%s', (line, track, instead) => {
    const [effect] = effectsIn(line) as readonly { track?: string; instead?: string }[];
    expect([effect?.track, effect?.instead]).toEqual([track, instead]);
  });
});

describe('staging', () => {
  it.each([
    ['git add -A', 'all=true paths=[] update=false'],
    ['git add .', 'all=false paths=[/r] update=false'],
    ['git add -u', 'all=true paths=[] update=true'],
    ['git add -A src', 'all=false paths=[/r/src] update=false'],
    ['git stage :/', 'all=true paths=[] update=false'],
  ])('%s', (line, expected) => {
    expect(effectsIn(line).map((effect) => told(effect, 'all', 'paths', 'update'))).toEqual([`git.stage ${expected}`]);
  });
  it('commit -a stages, and the same commit without it is at hand', () => {
    expect(effectsIn('git commit -am x').map((effect) => told(effect, 'rest'))).toEqual([
      'git.stage rest=git commit -m x',
      'git.commit rest=undefined',
    ]);
  });
  it.each(['git add -n .', 'git add -p', 'git add -N x', 'git add'])('%s stages nothing', (line) => {
    expect(kinds(line)).toEqual([]);
  });
});
