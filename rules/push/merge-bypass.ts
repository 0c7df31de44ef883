import { defineRule, quoteLine, type Remedy, ways } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'merge-bypass',
  group: 'push',
  level: 'deny',
  summary: 'Do not merge past the checks and reviews that a branch requires.',
  why: `
    \`--admin\` exists for the day the checks themselves are broken, and whether this is that day is for a person to say. A merge
    through the API with an administrator's token has the same effect, and so has switching the protection off first.
  `,
  evidence:
    'A red check merged with `--admin` minutes after `gh pr checks` had failed. `--auto` reaches the same goal and waits. Reopen when the forge refuses administrators as well by default.',
  on: ['review.merge', 'review.protection'],
  needs: [],
  category: 'approval-required',
  persistence: 'owner-action',
  quiet: ['a merge without `--admin`', '`--auto`'],

  judge(effect) {
    if (effect.kind === 'review.protection') {
      const approves = effect.how.startsWith('approves');
      return {
        says: `The call ${effect.how}.`,
        ...(approves ? { level: 'advise' as const } : {}),
        remedies: ways({
          kind: 'ask',
          ask: approves ? `Shall I approve it? The call ${effect.how}.` : `May I do this? The call ${effect.how}.`,
          because: approves ? 'an approval says that a person has looked' : 'the rules of a branch belong to its owner',
        }),
        boundary: `review.protection ${effect.how}`,
      };
    }
    if (!effect.admin) return undefined;
    const what = effect.number === undefined ? 'the pull request' : `pull request ${effect.number}`;
    const plain: Remedy | undefined =
      effect.instead === undefined
        ? undefined
        : { kind: 'run', run: effect.instead, because: 'the same merge, held to what the branch requires' };
    const checks: Remedy | undefined =
      effect.by === 'gh' && effect.number !== undefined
        ? { kind: 'run', run: quoteLine(['gh', 'pr', 'checks', effect.number]), because: 'shows what is still missing' }
        : undefined;
    return {
      says: `The call would merge ${what} past required checks and reviews.`,
      person: `The agent was about to merge ${what} with administrator rights.`,
      remedies: ways(plain, checks, {
        kind: 'ask',
        ask: `Shall ${what} be merged although its checks or reviews are missing?`,
        because: 'only the owner can set them aside',
      }),
      boundary: `review.merge ${effect.number ?? '?'} admin`,
    };
  },

  examples: {
    catches: [
      { run: 'gh pr merge 31 --squash --admin' },
      { run: 'gh pr merge --admin --merge 31', why: 'the order of options means nothing' },
      { run: 'gh api -X PUT repos/acme/app/pulls/31/merge' },
      { run: 'gh api -X DELETE repos/acme/app/branches/main/protection' },
      { run: 'gh pr review 31 --approve', gets: 'advise' },
    ],
    allows: [
      { run: 'gh pr merge 31 --squash' },
      { run: 'gh pr merge 31 --squash --auto' },
      { run: 'gh pr checks 31' },
      { run: "gh pr comment 31 --body 'do not merge with --admin'" },
      { run: 'gh api repos/acme/app/pulls/31/merge', why: 'it only asks' },
    ],
  },
});
