import { defineRule, type EffectOf, type Facts, quoteLine, type Remedy, remoteShown, ways } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'push-protected',
  group: 'push',
  level: 'deny',
  summary: 'Bring changes to a protected branch through a review, not by pushing to it.',
  why: `
    The main branch is what everybody builds from. A push straight to it skips the review and the checks that a pull request
    would get. A branch made from \`origin/main\` with tracking pushes there too, as soon as somebody types the short form.
    Where the workspace names its protected branches itself, such a push is refused; for the usual names it is advice.
  `,
  evidence:
    'Small projects push to main on purpose, so the usual names alone are not enough to refuse. Declare `protected.branches` to make it firm. Reopen when a forge can be asked for its own protection without the network.',
  on: ['git.push', 'git.branch-create', 'git.worktree-add', 'remote.ref'],
  needs: ['push', 'protectedBranch', 'repo'],
  category: 'external-effect',
  persistence: 'narrower-scope',
  quiet: [
    'another destination, whatever branch is checked out',
    'a dry run',
    'forced pushes (force-push) and deletions (remote-ref-delete)',
    '`--no-track`',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return undefined;
    if (effect.kind === 'git.push') return pushed(effect, facts);
    if (effect.kind === 'remote.ref') return called(effect, facts);
    return tracks(effect, facts);
  },

  examples: {
    catches: [
      {
        run: 'git push origin HEAD:main',
        given: [
          "printf '%s\\n' 'version: 1' 'protected: { branches: [main, master, \"release/*\"] }' > waygate.yaml",
          'git commit -q --allow-empty -m more',
        ],
        why: 'the workspace names its protected branches itself',
      },
      {
        run: 'git push origin HEAD:refs/heads/main',
        given: ["echo 'export const more = 1;' > src/more.ts", 'git add src/more.ts', "git commit -q -m 'add more'"],
        gets: 'advise',
      },
      {
        run: 'git push',
        given: ['git switch -q main', 'git branch -q -u origin/main', "git commit -q --allow-empty -m 'on main'"],
        gets: 'advise',
        why: 'the upstream is main',
      },
      { run: 'git worktree add ../wt -b fix/form origin/main', gets: 'advise', why: 'the new branch tracks main' },
      { run: 'git checkout -b fix/login origin/main', gets: 'advise' },
    ],
    allows: [
      {
        run: 'git push -u origin feat/foo',
        given: ['git switch -q main', 'git branch feat/foo'],
        why: 'the destination counts, not the branch that is checked out',
      },
      { run: 'git worktree add --no-track ../wt -b fix/form origin/main' },
      { run: 'git push origin feat/x' },
      { run: 'git push --dry-run origin HEAD:main' },
      { run: 'git checkout -b fix/login main', why: 'a local start point sets no upstream' },
    ],
  },
});

function pushed(push: EffectOf<'git.push'>, facts: Pick<Facts, 'push' | 'repo'>) {
  if (push.dryRun) return undefined;
  const fact = facts.push(push).find((each) => each.protected !== undefined && !each.delete && !each.tag && each.force !== 'blind');
  if (!fact) return undefined;
  const remote = remoteShown(push.remoteName);
  const branch = facts.repo(push.repo)?.branch;
  const own = branch !== undefined && branch !== fact.name ? branch : `${fact.name}-update`;
  return {
    says: `The push goes straight to \`${remote}/${fact.name}\`, a protected branch.`,
    ...(fact.protected === 'declared' ? {} : { level: 'advise' as const }),
    remedies: ways({
      kind: 'run',
      run: quoteLine(['git', 'push', '-u', remote, `HEAD:refs/heads/${own}`]),
      because: 'a branch of its own; then open a pull request',
    }),
    boundary: `git.push ${remote}/${fact.name} direct`,
  };
}

/** A new branch whose upstream would be a protected one. */
function tracks(effect: EffectOf<'git.branch-create'> | EffectOf<'git.worktree-add'>, facts: Pick<Facts, 'protectedBranch'>) {
  if (effect.track === undefined) return undefined;
  const short = effect.track.replace(/^(refs\/)?remotes\//, '');
  const upstream = short.slice(short.indexOf('/') + 1);
  const made = effect.kind === 'git.branch-create' ? effect.name : effect.branch;
  if (upstream === made || facts.protectedBranch(effect.repo, upstream) === undefined) return undefined;
  const instead: Remedy =
    effect.instead === undefined
      ? { kind: 'stop', because: 'add --no-track to the call' }
      : { kind: 'run', run: effect.instead, because: 'the branch gets no upstream until it is pushed' };
  return {
    says: `\`${made ?? 'the new branch'}\` would have \`${short}\` as its upstream, so that a short push is meant for a protected branch.`,
    level: 'advise' as const,
    remedies: ways(instead),
    boundary: `git.upstream ${made ?? '?'} ${short}`,
  };
}

/** A commit put on a protected branch through the forge's API. */
function called(effect: EffectOf<'remote.ref'>, facts: Pick<Facts, 'protectedBranch'>) {
  if (effect.op !== 'update' || effect.force || !effect.ref.startsWith('refs/heads/')) return undefined;
  const name = effect.ref.slice('refs/heads/'.length);
  const guarded = facts.protectedBranch(effect.repo, name);
  if (guarded === undefined) return undefined;
  const remedy: Remedy = { kind: 'run', run: 'gh pr create --fill', because: 'the change gets its review' };
  return {
    says: `The call would change \`${name}\` of ${effect.repository}, a protected branch, directly.`,
    ...(guarded === 'declared' ? {} : { level: 'advise' as const }),
    remedies: ways(remedy),
    boundary: `git.push origin/${name} direct`,
  };
}
