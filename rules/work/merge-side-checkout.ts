import { argument, defineRule, names, quoteLine } from '../../internal/rule/rule.ts';

/** The names by which an operation in progress knows the other side. */
const OTHER_SIDE: Readonly<Record<string, string>> = {
  MERGE_HEAD: '--theirs',
  CHERRY_PICK_HEAD: '--theirs',
  REVERT_HEAD: '--theirs',
  REBASE_HEAD: '--theirs',
};

export default defineRule({
  name: 'merge-side-checkout',
  group: 'work',
  level: 'deny',
  summary: 'In a conflict, say which side you take.',
  why: `
    \`git checkout MERGE_HEAD -- file\` puts the other side's whole file into the index as if the conflict were solved: the hunks
    that had merged cleanly from this side go too, and git no longer reports the file. \`git checkout --theirs\` says what is
    meant, and leaves the file marked as in conflict until it is added.
  `,
  evidence:
    'Half of a merge lost without a trace in the log, because the file no longer showed as unmerged. Reopen if git keeps such a file in the list of conflicts.',
  on: 'git.discard',
  needs: ['repo', 'show'],
  category: 'work-loss',
  persistence: 'narrower-scope',
  quiet: ['no operation in progress', 'the file is not in conflict', '`--ours` and `--theirs`'],

  judge(effect, { facts }) {
    const side = OTHER_SIDE[effect.from];
    if (side === undefined || effect.side !== undefined || effect.paths === undefined) return undefined;
    const repo = facts.repo(effect.repo);
    if (!repo?.operation || repo.top === undefined) return undefined;
    const named = effect.paths.map((target) => target.path);
    const conflicted = repo.conflicts
      .map((name) => `${repo.top}/${name}`)
      .filter((path) => named.some((each) => each !== undefined && (path === each || path.startsWith(`${each}/`))));
    if (conflicted.length === 0) return undefined;
    return {
      says: `\`git checkout ${effect.from}\` would take the whole other side of ${names(conflicted.map(facts.show))}, which is in conflict, and mark it as solved.`,
      remedies: [
        {
          kind: 'run',
          run: quoteLine(['git', 'checkout', side, '--', ...conflicted.map((path) => argument(path, facts.show))]),
          because: 'says the side, and leaves the file marked until it is added',
        },
        {
          kind: 'run',
          run: quoteLine(['git', 'diff', '--', ...conflicted.map((path) => argument(path, facts.show))]),
          because: 'shows both sides',
        },
      ],
      boundary: `git.merge-side ${conflicted.join(' ')}`,
    };
  },

  examples: {
    catches: [
      { run: 'git checkout MERGE_HEAD -- README.md', given: conflict() },
      { run: 'git restore --source=MERGE_HEAD --staged --worktree README.md', given: conflict() },
    ],
    allows: [
      { run: 'git checkout --theirs README.md', given: conflict() },
      { run: 'git checkout --ours -- README.md', given: conflict() },
      { run: 'git checkout main -- README.md', why: 'no merge is in progress' },
      { run: 'git checkout MERGE_HEAD -- src/app.ts', given: conflict(), why: 'that file is not in conflict' },
    ],
  },
});

function conflict(): string[] {
  return [
    'git switch -q -c other',
    "echo 'theirs' > README.md",
    "git commit -q -am 'theirs'",
    'git switch -q feat/x',
    "echo 'ours' > README.md",
    "git commit -q -am 'ours'",
    'git merge -q other > /dev/null || test -f .git/MERGE_HEAD',
  ];
}
