import { describe, expect, it } from 'vitest';
import { effectsIn, told } from './git-fixture.ts';

describe('tools and APIs of forges', () => {
  it.each([
    ['gh pr merge 31 --squash --admin', ['review.merge admin=true instead=gh pr merge 31 --squash']],
    ['gh -R a/b pr merge --admin 31', ['review.merge admin=true instead=gh -R a/b pr merge 31']],
    ['gh pr merge 31 --auto', ['review.merge admin=false instead=undefined']],
    ['gh api -X PUT repos/a/b/pulls/31/merge', ['review.merge admin=true instead=gh pr merge 31 --squash --auto --repo a/b']],
    ['gh api -X DELETE repos/a/b/git/refs/heads/feature/login', ['remote.ref admin=undefined instead=undefined']],
    ['gh api -X DELETE repos/a/b/branches/main/protection', ['review.protection admin=undefined instead=undefined']],
    ['glab api -X DELETE /projects/1/protected_branches/main', ['review.protection admin=undefined instead=undefined']],
    [
      'gh api graphql -f query=\'mutation { deleteRef(input: {refId: "x"}) { clientMutationId } }\'',
      ['remote.ref admin=undefined instead=undefined'],
    ],
    ['curl -X DELETE https://api.github.com/repos/a/b/git/refs/heads/main', ['remote.ref admin=undefined instead=undefined']],
    ['gh repo delete a/b --yes', ['infra.destroy admin=undefined instead=undefined']],
    ['glab repo delete a/b', ['infra.destroy admin=undefined instead=undefined']],
    ['gh --repo a/b release delete v1', ['infra.destroy admin=undefined instead=undefined']],
  ])('%s', (line, expected) => {
    const forges = effectsIn(line).filter(
      (effect) => /^(review|remote|infra|git)\./.test(effect.kind) && !(effect.by === 'curl' && effect.kind.startsWith('infra')),
    );
    expect(forges.map((effect) => told(effect, 'admin', 'instead'))).toEqual(expected);
  });

  it.each([
    'gh pr view 1',
    'gh pr list',
    "gh pr create --title x --body 'gh pr merge --admin'",
    'gh api repos/a/b/pulls',
    'gh release list',
    "gh issue comment 1 --body 'git push --force'",
    'glab mr view 3',
    'gh api graphql -f query="{ viewer { login } }"',
  ])('%s has no effect', (line) => {
    expect(effectsIn(line).filter((effect) => /^(review|remote|infra|git)\./.test(effect.kind))).toEqual([]);
  });
});
