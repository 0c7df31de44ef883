import { defineRule, type Effect, type EffectOf, type Facts, quoteLine, remoteShown, ways } from '../../internal/rule/rule.ts';

/** Commits that reviewers have seen leave the branch: those the remote has and the pushed one has not, or the line rewrites them first. */
function rewrites(fact: ReturnType<Facts['push']>[number], push: EffectOf<'git.push'>, effects: readonly Effect[]): boolean {
  if (fact.drops.length > 0 || fact.dropsMore > 0 || fact.unrelated || fact.unknown) return true;
  return effects.some((effect) => REWRITING.has(effect.kind) && effect.step < push.step);
}

const REWRITING: ReadonlySet<Effect['kind']> = new Set<Effect['kind']>(['git.history-rewrite', 'git.branch-move']);

export default defineRule({
  name: 'review-rewrite',
  group: 'push',
  level: 'advise',
  summary: 'Add commits to a branch under review instead of rewriting it.',
  why: `
    Whoever reviews has looked at certain commits. After a forced push the comments hang in the air and nobody sees what changed
    since. A commit on top keeps the thread; it can be squashed when the review is through.
  `,
  evidence:
    'Reviewers report starting over after every forced push. An open review is known from the notes of gh, glab and editors in the configuration, and from calls of the session that showed it (`gh pr create`, `gh pr view`, an MCP tool of the forge) until one shows it merged or closed. Reopen when forges show what changed between two forced pushes.',
  on: 'git.push',
  needs: ['push'],
  category: 'external-effect',
  persistence: 'narrower-scope',
  quiet: ['no open review is known for the branch', 'nothing would be rewritten'],

  judge(push, { facts, effects }) {
    if (push.dryRun) return undefined;
    const fact = facts
      .push(push)
      .find((each) => each.force !== 'none' && !each.delete && each.review !== undefined && rewrites(each, push, effects));
    if (!fact) return undefined;
    const remote = remoteShown(push.remoteName);
    return {
      says: `The forced push would rewrite \`${fact.name}\` while ${fact.review} is open.`,
      remedies: ways({
        kind: 'run',
        run: quoteLine(['git', 'commit', `--fixup=${remote}/${fact.name}`]),
        because: 'a commit on top; squash it when the review is through',
      }),
      boundary: `git.push ${remote}/${fact.name} rewrite-review`,
    };
  },

  examples: {
    catches: [
      {
        run: 'git push --force-with-lease origin feat/x',
        given: [
          'git config branch.feat/x.gh-pr-base-branch main',
          'git config branch.feat/x.github-pr-owner-number acme#app#31',
          'git commit -q --allow-empty -m a',
          'git push -q origin feat/x',
          'git commit -q --amend --allow-empty -m b',
        ],
      },
      {
        run: 'git reset --soft HEAD~1 && git commit -qm a && git push --force-with-lease',
        given: [
          'git config branch.feat/x.github-pr-owner-number acme#app#31',
          "echo 'export const more = 1;' > src/more.ts",
          'git add src/more.ts',
          "git commit -q -m 'add more'",
          'git push -q origin feat/x',
        ],
      },
    ],
    allows: [
      { run: 'git push origin feat/x', given: ['git config branch.feat/x.github-pr-owner-number acme#app#31'] },
      { run: 'git push --force-with-lease origin feat/x', why: 'no open review is known' },
      {
        run: 'git commit -q --allow-empty -m b && git push --force-with-lease origin feat/x',
        given: ['git config branch.feat/x.github-pr-owner-number acme#app#31'],
        why: 'a commit on top: nothing is rewritten',
      },
    ],
  },
});
