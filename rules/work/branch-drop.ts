import { atRisk, defineRule, type EffectOf, type Facts, gitIn, type Remedy } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'branch-drop',
  group: 'work',
  level: 'deny',
  summary: 'Do not delete or move a branch that alone holds commits.',
  why: `
    \`git branch -D\` asks no question, and the branch's own reflog goes with it. Commits on no other branch, tag or remote are
    then only found by their number. \`git branch -f\` and \`git checkout -B\` over an existing branch do the same quietly.
  `,
  evidence:
    'Feature branches with days of unpushed commits deleted as "stale". A branch whose tip is on a remote or merged loses nothing and passes. Reopen if git keeps the reflog of deleted branches.',
  on: ['git.branch-delete', 'git.branch-move'],
  needs: ['lost', 'repo', 'show'],
  category: 'work-loss',
  persistence: 'state-change',
  quiet: [
    'every commit is on another branch, tag or remote',
    'remote-tracking branches',
    '`git branch -d`, which git itself refuses when it would lose something',
    'the current branch (history-rewrite)',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return undefined;
    return effect.kind === 'git.branch-delete' ? deleted(effect, facts) : moved(effect, facts);
  },

  examples: {
    catches: [
      {
        run: 'git branch -D feature/login',
        given: [
          'git switch -q -c feature/login',
          'echo step > login.txt',
          'git add login.txt',
          "git commit -q -m 'login'",
          'git switch -q feat/x',
        ],
      },
      {
        run: 'git branch --delete --force feature/login',
        given: [
          'git switch -q -c feature/login',
          'echo step > login.txt',
          'git add login.txt',
          "git commit -q -m 'login'",
          'git switch -q feat/x',
        ],
      },
      {
        run: 'git branch -f feature/login',
        given: [
          'git switch -q -c feature/login',
          'echo step > login.txt',
          'git add login.txt',
          "git commit -q -m 'login'",
          'git switch -q feat/x',
        ],
      },
      {
        run: 'git checkout -B feature/login main',
        given: [
          'git switch -q -c feature/login',
          'echo step > login.txt',
          'git add login.txt',
          "git commit -q -m 'login'",
          'git switch -q feat/x',
        ],
      },
      { run: 'git branch -D $(git branch --list "old-*")', why: 'nobody can tell which branch that is' },
    ],
    allows: [
      { run: 'git branch -D feature/done', given: ['git branch feature/done'], why: 'it has no commit of its own' },
      {
        run: 'git branch -D feature/done',
        given: [
          'git switch -q -c feature/done',
          'echo x > x.txt',
          'git add x.txt',
          "git commit -q -m 'x'",
          'git push -q -u origin feature/done',
          'git switch -q feat/x',
        ],
        why: 'the remote has it',
      },
      { run: 'git branch -d feature/done', given: ['git branch feature/done'] },
      { run: 'git branch -D nothing-here', why: 'there is no such branch' },
      { run: 'git checkout -B feature/new', why: 'the branch is new' },
      { run: 'git branch -f feature/done main', given: ['git branch feature/done'] },
    ],
  },
});

type Has = Pick<Facts, 'lost' | 'repo' | 'show'>;

/** Branches that go away. */
function deleted(effect: EffectOf<'git.branch-delete'>, facts: Has) {
  if (!effect.force || effect.tracking) return undefined;
  if (effect.unknown !== undefined) {
    return {
      says: `\`git branch -D\` would delete a branch that is not known before the run (\`${effect.unknown}\`), so nobody can tell which commits go with it.`,
      remedies: [
        {
          kind: 'run',
          run: gitIn(effect.repo, ['branch', '-vv'], facts.show),
          because: 'shows every branch with its tip and its upstream; then delete by the name itself',
        },
        { kind: 'run', run: gitIn(effect.repo, ['branch', '--merged'], facts.show), because: 'shows those that lose nothing' },
      ] as const,
      persistence: 'narrower-scope' as const,
      boundary: 'git.branch-delete ?',
    };
  }
  const stake = facts.lost({ about: 'branches', repo: effect.repo, names: effect.names });
  if (stake.items.length === 0) return undefined;
  return finding(
    `\`git branch -D\` would drop ${atRisk(stake)}, and no other branch, tag or remote has them.`,
    { branches: effect.names, items: stake.items, boundary: `git.branch-delete ${effect.names.join(' ')}` },
    effect,
    facts.show,
  );
}

/** Another branch's name put on another commit. */
function moved(effect: EffectOf<'git.branch-move'>, facts: Has) {
  if (effect.name === undefined || effect.name === facts.repo(effect.repo)?.branch) return undefined;
  const stake = facts.lost({ about: 'move', repo: effect.repo, branch: effect.name, to: effect.to });
  if (stake.items.length === 0) return undefined;
  return finding(
    `\`git ${effect.how}\` would take ${atRisk(stake)} off \`${effect.name}\`, and no other branch, tag or remote has them.`,
    { branches: [effect.name], items: stake.items, boundary: `git.branch-move ${effect.name}` },
    effect,
    facts.show,
  );
}

function finding(
  says: string,
  { branches, items, boundary }: { branches: readonly string[]; items: ReturnType<Facts['lost']>['items']; boundary: string },
  effect: EffectOf<'git.branch-delete' | 'git.branch-move'>,
  show: Facts['show'],
) {
  const git = (...words: readonly string[]) => gitIn(effect.repo, words, show);
  const tag: Remedy = {
    kind: 'run',
    run: branches.map((name) => git('tag', `keep/${name}`, name)).join(' && '),
    because: 'a tag keeps the commits',
    then: 'again',
  };
  const ask: Remedy = { kind: 'ask', ask: `May I run \`${effect.command}\`?`, because: 'the commits are on no other ref' };
  return {
    says,
    remedies: [
      tag,
      { kind: 'run', run: git('log', '--oneline', '-20', branches[0] ?? 'HEAD', '--'), because: 'shows the commits' },
      ask,
    ] as const,
    boundary,
    atStake: items,
  };
}
