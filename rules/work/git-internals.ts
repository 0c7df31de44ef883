import { atRisk, defineRule, gitIn, type Remedy, saving, ways } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'git-internals',
  group: 'work',
  level: 'deny',
  summary: 'Do not remove what leads back to lost commits.',
  why: `
    The reflog and the unreferenced objects are git's safety net: a reset, a rebase or a deleted branch can be undone for weeks.
    \`git reflog expire --expire=now\`, \`git gc --prune=now\` and \`git update-ref -d\` cut it, and take the stash along. The
    defaults of \`git gc\` keep two weeks and are never touched.
  `,
  evidence:
    'A day of work that only the reflog knew, expired by a "repository clean-up". Reopen if git asks before it expires entries that nothing else holds.',
  on: 'git.internals',
  needs: ['lost', 'show'],
  category: 'work-loss',
  persistence: 'state-change',
  quiet: [
    'no commit is known to the reflog alone, and the stash is empty',
    'the ref that goes holds no commit of its own',
    'what would go stands in a checkpoint',
  ],

  judge(effect, { facts, waygate }) {
    // On another machine nothing of it can be read from here.
    if (effect.remote) return undefined;
    const { how, ref, repo } = effect;
    const oneRef = how === 'update-ref-delete' || how === 'ref-edit';
    const stake =
      oneRef && ref === 'refs/stash'
        ? facts.lost({ about: 'stash', repo, entry: 'all' })
        : oneRef
          ? facts.lost({ about: 'branches', repo, names: ref === undefined ? [] : [ref] })
          : facts.lost({ about: 'unreachable', repo, stash: true });
    if (stake.items.length === 0) return undefined;
    const save = saving(stake, waygate, facts.show, repo.dir);
    const ask: Remedy = { kind: 'ask', ask: `May I run \`${effect.command}\`?`, because: 'afterwards nothing leads back to those commits' };
    const soft: Remedy | undefined =
      oneRef && ref !== undefined && ref !== 'refs/stash'
        ? {
            kind: 'run',
            run: gitIn(repo, ['branch', `keep/${ref.replace(/^refs\/(heads|tags|remotes)\//, '')}`, ref], facts.show),
            because: 'a branch keeps the commits',
            then: 'again',
          }
        : how === 'gc-prune' || how === 'prune'
          ? { kind: 'run', run: gitIn(repo, ['gc'], facts.show), because: 'its defaults clean up and keep two weeks of lost commits' }
          : undefined;
    const keep = oneRef && ref !== 'refs/stash' ? undefined : save;
    return {
      says: `${what(how, ref)} would make ${atRisk(stake)} unfindable.`,
      person: `The agent was about to remove git's way back to ${atRisk(stake)}.`,
      remedies: ways(keep, soft, ask),
      boundary: `git.internals ${how} ${ref ?? repo.dir ?? '?'}`,
      atStake: stake.items,
    };
  },

  examples: {
    catches: [
      {
        run: 'git reflog expire --expire=now --all',
        given: ["echo 'a day' > lost.txt", 'git add lost.txt', "git commit -q -m 'lost'", 'git reset -q --hard HEAD~1'],
      },
      { run: 'git gc --prune=now', given: ["echo 'export const idea = 1;' >> src/util.ts", "git stash push -q -m 'idea'"] },
      {
        run: 'git update-ref -d refs/heads/feature/login',
        given: [
          'git switch -q -c feature/login',
          'echo step > login.txt',
          'git add login.txt',
          "git commit -q -m 'login'",
          'git switch -q feat/x',
        ],
      },
      {
        run: 'git tag -d v1',
        given: [
          'git switch -q --detach',
          'echo step > login.txt',
          'git add login.txt',
          "git commit -q -m 'login'",
          'git tag v1',
          'git switch -q feat/x',
        ],
      },
    ],
    allows: [
      {
        run: 'git gc',
        given: ["echo 'export const idea = 1;' >> src/util.ts", "git stash push -q -m 'idea'"],
        why: 'the defaults keep two weeks',
      },
      { run: 'git reflog expire --expire=now --all', why: 'nothing is lost here' },
      {
        run: 'git reflog expire --dry-run --expire=now --all',
        given: ["echo 'a day' > lost.txt", 'git add lost.txt', "git commit -q -m 'lost'", 'git reset -q --hard HEAD~1'],
      },
      { run: 'git tag -d v1', given: ['git tag v1'] },
      { run: 'git reflog show' },
    ],
  },
});

const NAMES: Readonly<Record<string, string>> = {
  'reflog-expire': 'git reflog expire',
  'reflog-delete': 'git reflog delete',
  'gc-prune': 'git gc --prune',
  prune: 'git prune',
};

function what(how: string, ref: string | undefined): string {
  if (how === 'update-ref-delete' || how === 'ref-edit') return `${how === 'ref-edit' ? 'Moving' : 'Deleting'} \`${ref ?? 'the ref'}\``;
  return `\`${NAMES[how] ?? how}\``;
}
