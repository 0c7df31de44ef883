import { afterEach, describe, expect, it } from 'vitest';
import type { Effect } from '../effect/effect.ts';
import { effectsOf } from '../effect/effects.ts';
import type { Facts, LossQuestion } from './facts.ts';
import { actionIn, type Sandbox, sandbox } from './fixture.ts';
import { realLook } from './look.ts';

let box: Sandbox;
afterEach(() => box?.remove());

/** The effects of a line in the sandbox. */
function effects(line: string): readonly Effect[] {
  return effectsOf(actionIn(box, line), realLook(box.env));
}

/** The facts the last effect of a kind sees. */
function facing(line: string, kind: Effect['kind']): { facts: Facts; asking: Effect } {
  const all = effects(line);
  const at = all.map((effect) => effect.kind).lastIndexOf(kind);
  const asking = all[at];
  if (!asking) throw new Error(`${line}: no ${kind} among ${all.map((effect) => effect.kind).join(', ')}`);
  return { facts: box.facts().after(all.slice(0, at), asking), asking };
}

const deletes = (line: string): string[] => {
  const { facts, asking } = facing(line, 'file.delete');
  if (asking.kind !== 'file.delete') throw new Error('no delete');
  return facts.lost({ about: 'paths', targets: asking.targets, tree: true, cwd: asking.cwd }).items.map((item) => item.name);
};
const discards = (line: string): string[] => {
  const { facts, asking } = facing(line, 'git.discard');
  if (asking.kind !== 'git.discard') throw new Error('no discard');
  return facts
    .lost({
      about: 'worktree',
      repo: asking.repo,
      paths: asking.paths,
      loses: asking.loses,
      from: asking.from,
      overUntracked: asking.overUntracked === true,
    })
    .items.map((item) => item.name);
};
const cleans = (line: string): string[] => {
  const { facts, asking } = facing(line, 'git.clean');
  if (asking.kind !== 'git.clean') throw new Error('no clean');
  const { repo, paths, directories, ignored, nested, excludes } = asking;
  return facts.lost({ about: 'clean', repo, paths, directories, ignored, nested, excludes }).items.map((item) => item.name);
};

const WORK = 'echo draft >> src/app.ts; echo n > new.txt; mkdir d; echo f > d/f.txt; echo A=1 > .env';

describe('a line is a sequence', () => {
  it.each<[string, () => string[], string[]]>([
    ['stash -u, then clean', () => cleans('git stash -u && git clean -fd'), []],
    ['a plain stash leaves untracked files', () => cleans('git stash && git clean -fd'), ['d/f.txt', 'new.txt']],
    ['stash -u that may have failed', () => cleans('git stash -u; git clean -fd'), ['d/f.txt', 'new.txt']],
    ['stash, then reset', () => discards('git stash && git reset --hard'), []],
    ['commit -a, then reset', () => discards('git commit -am wip && git reset --hard'), []],
    ['add -A and commit, then clean', () => cleans('git add -A && git commit -m wip && git clean -fd'), []],
    ['add, then checkout of the file', () => discards('git add src/app.ts && git checkout -- src/app.ts'), []],
    ['add, then reset --hard', () => discards('git add src/app.ts && git reset --hard'), ['src/app.ts']],
    ['add of a new file, then reset --hard', () => discards('git add new.txt && git reset --hard'), ['new.txt', 'src/app.ts']],
    ['add -A and stash, then reset --hard', () => discards('git add -A && git stash && git reset --hard'), []],
    ['a reset of the index, then checkout', () => discards('git add src/app.ts && git reset -q && git checkout -- .'), ['src/app.ts']],
    ['a patch before the checkout', () => discards('git diff > ~/wip.patch && git checkout -- .'), []],
    ['a patch of another file', () => discards('git diff -- src/util.ts > ~/wip.patch && git checkout -- .'), ['src/app.ts']],
    ['a patch against the index, then reset --hard', () => discards('git diff > ~/wip.patch && git reset --hard'), ['src/app.ts']],
    ['a patch against HEAD, then reset --hard', () => discards('git diff HEAD > ~/wip.patch && git reset --hard'), []],
    ['a patch that may not have been written', () => discards('git diff > ~/wip.patch; git checkout -- .'), ['src/app.ts']],
    ['a copy before the delete', () => deletes('cp new.txt ~/new.bak && rm new.txt'), []],
    ['a copy that may have failed', () => deletes('cp new.txt ~/new.bak; rm new.txt'), ['new.txt']],
    ['a copy into what is deleted', () => deletes('cp new.txt d/new.bak && rm -r new.txt d'), ['new.txt', 'd/f.txt']],
    ['a copied folder', () => deletes('cp -r d ~/d.bak && rm -rf d'), []],
    ['a move away', () => deletes('mv d ~/d && rm -rf d'), []],
    ['a move, then the new place deleted', () => deletes('mv d e && rm -rf e'), ['d/f.txt']],
    ['a move that may have happened', () => deletes('mv d e; rm -rf e'), ['d/f.txt']],
    ['a checkpoint of the path', () => deletes('waygate checkpoint -- new.txt && rm new.txt'), []],
    ['a checkpoint of another path', () => deletes('waygate checkpoint -- d && rm new.txt'), ['new.txt']],
    ['a checkpoint of everything', () => discards('waygate checkpoint && git reset --hard'), []],
    ['an ignored file is not in it', () => deletes('waygate checkpoint && rm .env'), ['.env']],
    ['a link to somewhere else', () => deletes('ln -s ~/Documents docs; rm -rf docs/'), ['~/Documents/letter.txt']],
    ['what the line makes itself', () => deletes('mkdir out2 && echo x > out2/a && rm -rf out2'), []],
  ])('%s', (_name, ask, expected) => {
    box = sandbox();
    box.run(WORK);
    expect(ask().sort()).toEqual([...expected].sort());
  });

  it('what is taken out of the index, or popped from the stash, is at stake from then on', () => {
    box = sandbox();
    box.run('echo n > new.txt; git add new.txt');
    expect(cleans('git clean -fd')).toEqual([]);
    expect(cleans('git reset -q && git clean -fd')).toEqual(['new.txt']);
    expect(discards('git reset -q && git checkout -- .')).toEqual([]);
    box.run('git commit -qm new; echo draft >> new.txt; git stash -q');
    expect(discards('git stash apply && git checkout -- .')).toEqual([]);
    expect(discards('git stash pop && git checkout -- .')).toHaveLength(1);
  });

  it('an entry that was applied may go', () => {
    box = sandbox();
    box.run('echo draft >> src/app.ts; git stash -q');
    const dropped = (line: string) => {
      const { facts, asking } = facing(line, 'git.stash');
      if (asking.kind !== 'git.stash') throw new Error('no stash');
      return facts.lost({ about: 'stash', repo: asking.repo, entry: asking.entry ?? 'all' }).items.length;
    };
    expect(dropped('git stash apply && git stash drop')).toBe(0);
    expect(dropped('git stash apply; git stash drop')).toBe(1);
    expect(dropped('git stash apply && git stash clear')).toBe(1);
    expect(dropped('git stash show -p > ~/idea.patch && git stash drop')).toBe(0);
  });

  it('a stash the line has just made is dropped', () => {
    box = sandbox();
    box.run(WORK);
    const { facts, asking } = facing('git stash && git stash drop', 'git.stash');
    if (asking.kind !== 'git.stash') throw new Error('no stash');
    expect(facts.lost({ about: 'stash', repo: asking.repo, entry: 0 }).items.map((item) => item.name)).toEqual(['src/app.ts']);
  });

  it('a branch made before keeps the commits', () => {
    box = sandbox();
    box.run('echo 1 > one; git add one; git commit -qm one');
    const ask = (line: string) => {
      const { facts } = facing(line, 'git.branch-move');
      const question: LossQuestion = { about: 'move', repo: { dir: box.repo }, to: 'HEAD~1' };
      return facts.lost(question).items.length;
    };
    expect(ask('git branch keep && git reset --hard HEAD~1')).toBe(0);
    expect(ask('git switch -c keep && git reset --hard HEAD~1')).toBe(0);
    expect(ask('git reset --hard HEAD~1')).toBe(1);
  });

  it('the branch is the one switched to', () => {
    box = sandbox();
    const { facts } = facing('git switch main && git push --force', 'git.push');
    expect(facts.repo({ dir: box.repo })?.branch).toBe('main');
  });

  it('a fresh fetch makes the lease worthless', () => {
    box = sandbox();
    const lease = (line: string) => {
      const { facts, asking } = facing(line, 'git.push');
      if (asking.kind !== 'git.push') throw new Error('no push');
      return facts.push(asking)[0]?.leaseSpent;
    };
    expect(lease('git push --force-with-lease origin feat/x')).toBe(false);
    expect(lease('git fetch && git push --force-with-lease origin feat/x')).toBe(true);
    expect(lease('git fetch origin feat/x; git push --force-with-lease origin feat/x')).toBe(true);
    expect(lease('git fetch origin other; git push --force-with-lease origin feat/x')).toBe(false);
  });
});
