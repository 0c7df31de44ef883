import { atRisk, defineRule, type EffectOf, type Facts, gitIn, type Remedy } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'history-rewrite',
  group: 'work',
  level: 'deny',
  summary: 'Do not rewrite commits that others have, and keep a name for those that leave your branch.',
  why: `
    A reset that drops commits, an amend or a rebase of what is already shared, a filter over the whole history: each makes
    commits that somebody counts on leave the branch. Most of it can be undone from the reflog, so this is advice. What also
    removes the way back is refused.
  `,
  evidence:
    'Recoverable moves are advice on purpose: agents that were refused an amend took a reset instead. `filter-repo --force` is the exception, it expires the reflog itself. Reopen when the rate of rewritten shared branches is known.',
  on: ['git.history-rewrite', 'git.branch-move'],
  needs: ['lost', 'repo', 'push', 'show'],
  category: 'work-loss',
  persistence: 'state-change',
  quiet: [
    'amend or rebase of commits that are on no remote',
    'a branch of your own on the remote',
    'reset --soft and --mixed: the content stays in the tree',
    'every commit that leaves is on another ref',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return undefined;
    return effect.kind === 'git.branch-move' ? moved(effect, facts) : rewritten(effect, facts);
  },

  examples: {
    catches: [
      {
        run: 'git reset --hard HEAD~1',
        given: ["echo 'export const more = 1;' > src/more.ts", 'git add src/more.ts', "git commit -q -m 'add more'"],
        gets: 'advise',
      },
      {
        run: 'git commit --amend -m better',
        given: ['git switch -q main', "echo 'words' >> README.md", "git commit -q -am 'words'", 'git push -q origin main'],
        gets: 'advise',
        why: 'main already has the commit',
      },
      { run: "git filter-branch --msg-filter 'sed s/a/b/' -- --all", gets: 'advise' },
      { run: 'git filter-repo --path src --force', why: 'it expires the reflog: no way back' },
    ],
    allows: [
      {
        run: 'git commit --amend -m better',
        given: ["echo 'export const more = 1;' > src/more.ts", 'git add src/more.ts', "git commit -q -m 'add more'"],
        why: 'nobody else has the commit',
      },
      {
        run: 'git reset --soft HEAD~1',
        given: ["echo 'export const more = 1;' > src/more.ts", 'git add src/more.ts', "git commit -q -m 'add more'"],
      },
      {
        run: 'git rebase main',
        given: ["echo 'export const more = 1;' > src/more.ts", 'git add src/more.ts', "git commit -q -m 'add more'"],
      },
      {
        run: 'git reset --hard HEAD~1',
        given: ["echo 'export const more = 1;' > src/more.ts", 'git add src/more.ts', "git commit -q -m 'add more'", 'git branch keep'],
        why: 'another branch has the commit',
      },
    ],
  },
});

type Has = Pick<Facts, 'lost' | 'repo' | 'push' | 'show'>;

/** The current branch goes somewhere else. The others are branch-drop's. */
function moved(effect: EffectOf<'git.branch-move'>, facts: Has) {
  if (effect.how === 'reset --soft' || effect.how === 'reset --mixed') return undefined;
  const branch = facts.repo(effect.repo)?.branch;
  if (effect.name !== undefined && effect.name !== branch) return undefined;
  const stake = facts.lost({ about: 'move', repo: effect.repo, to: effect.to });
  if (stake.items.length === 0) return undefined;
  const keep: Remedy = {
    kind: 'run',
    run: gitIn(effect.repo, ['branch', `keep/${branch ?? 'detached'}`], facts.show),
    because: 'a branch of its own keeps the commits',
    then: 'again',
  };
  return {
    says: `\`git ${effect.how}\` would take ${atRisk(stake)} off the branch; afterwards only the reflog knows them.`,
    level: 'advise' as const,
    remedies: [keep] as const,
    boundary: `git.branch-move ${branch ?? 'HEAD'}`,
    atStake: stake.items,
  };
}

function rewritten(effect: EffectOf<'git.history-rewrite'>, facts: Has) {
  const boundary = `git.history-rewrite ${effect.repo.dir ?? '?'} ${effect.scope}`;
  if (effect.how === 'filter-branch' || effect.how === 'filter-repo') {
    const final = effect.how === 'filter-repo' && effect.force === true;
    const backup: Remedy = {
      kind: 'run',
      run: gitIn(effect.repo, ['bundle', 'create', '../before-rewrite.bundle', '--all'], facts.show),
      because: 'one file with every commit as it is now',
    };
    const ask: Remedy = {
      kind: 'ask',
      ask: `May I run \`${effect.command}\`? It rewrites every commit.`,
      because: 'everybody who has a clone has to take a new one',
    };
    const preview: Remedy[] = effect.preview === undefined ? [] : [{ kind: 'run', run: effect.preview, because: 'shows what it would do' }];
    return {
      says: `\`git ${effect.how}\` would rewrite every commit of every branch${final ? ' and expire the reflog that leads back' : ''}.`,
      ...(final ? {} : { level: 'advise' as const }),
      remedies: [backup, ...preview, ask] as const,
      ...(final ? { persistence: 'owner-action' as const } : {}),
      boundary,
    };
  }
  if (effect.how !== 'amend' && effect.how !== 'rebase') return undefined;
  const branch = facts.repo(effect.repo)?.branch;
  if (branch === undefined || effect.base === undefined) return undefined;
  const shared = facts
    .push(asPush(effect, branch, effect.base))
    .find((fact) => fact.drops.length > 0 && (fact.shared || fact.protected !== undefined));
  if (!shared) return undefined;
  const after: Remedy =
    effect.how === 'amend'
      ? {
          kind: 'run',
          run: gitIn(effect.repo, ['commit', '--fixup=HEAD'], facts.show),
          because: 'a commit on top changes nothing that others have',
        }
      : { kind: 'run', run: gitIn(effect.repo, ['merge', effect.base], facts.show), because: 'a merge leaves the commits as they are' };
  return {
    says: `\`git ${effect.how === 'amend' ? 'commit --amend' : 'rebase'}\` would rewrite ${shared.drops.length} commit(s) that are already on \`${shared.name}\`, which others use.`,
    level: 'advise' as const,
    remedies: [after] as const,
    boundary,
  };
}

/** What pushing the rewritten branch would have to overwrite: just the commits that are rewritten. */
const asPush = (effect: EffectOf<'git.history-rewrite'>, branch: string, base: string): EffectOf<'git.push'> => ({
  remoteName: undefined,
  ...effect,
  kind: 'git.push',
  refs: [{ src: base, dst: `refs/heads/${branch}`, force: 'lease', delete: false }],
  bare: false,
  all: false,
  mirror: false,
  tags: false,
  prune: false,
  dryRun: false,
  force: 'lease',
  setUpstream: false,
  ifIncludes: false,
});
