import { defineRule, quoteLine, remoteShown, ways } from '../../internal/rule/rule.ts';

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
    'Reviewers report starting over after every forced push. Only known where the tools left a note about an open review in the configuration; the ledger of calls is to bring more. Reopen then.',
  on: 'git.push',
  needs: ['push'],
  category: 'external-effect',
  persistence: 'narrower-scope',
  quiet: ['no open review is known for the branch', 'nothing would be rewritten'],

  judge(push, { facts }) {
    if (push.dryRun) return undefined;
    const fact = facts.push(push).find((each) => each.force !== 'none' && !each.delete && each.review !== undefined);
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
    ],
  },
});
