import { count, defineRule, type EffectOf, type Facts, list, quoteLine, type Remedy, remoteShown, ways } from '../../internal/rule/rule.ts';

type Push = EffectOf<'git.push'>;
type PushFact = ReturnType<Facts['push']>[number];

export default defineRule({
  name: 'force-push',
  group: 'push',
  level: 'deny',
  summary: 'Do not overwrite what others have on a remote branch.',
  why: `
    A plain force replaces whatever is on the remote, including commits that arrived after the last fetch. A lease makes git
    compare first, but only with what the last fetch saw: fetching in the same line makes it worthless. On a branch that others
    use, or with a history that has nothing in common, no force is safe.
  `,
  evidence:
    'Force pushes over the work of colleagues are among the few losses that leave the machine. `--force-with-lease` on the own branch is never touched: refusing it drove agents to delete and push anew. Reopen when forges keep overwritten tips for everybody.',
  on: 'git.push',
  needs: ['push', 'repo'],
  category: 'external-effect',
  persistence: 'narrower-scope',
  quiet: ['a lease on your own branch', 'the branch is new on the remote', 'a dry run', 'deleting refs (remote-ref-delete)'],

  judge(push, { facts }) {
    if (push.dryRun) return undefined;
    if (push.remote) return elsewhere(push);
    const seen = facts.push(push).filter((fact) => fact.force !== 'none' && !fact.delete);
    const branch = facts.repo(push.repo)?.branch;
    for (const fact of seen) {
      const why = reason(fact);
      if (why === undefined) continue;
      return finding(push, fact, why, branch);
    }
    if (push.mirror && seen.length === 0) return mirrored(push);
    if (push.tags && push.force === 'blind') return tags(push);
    return undefined;
  },

  examples: {
    catches: [
      { run: 'git push --force origin main', given: theirs('main'), why: 'a colleague pushed to main since' },
      { run: 'git push origin +main', given: theirs('main'), why: 'the plus sign forces one ref' },
      { run: 'git push -f origin feat/x', why: 'a lease would do' },
      { run: 'git push --force --force-with-lease origin feat/x', why: 'force wins over the lease' },
      {
        run: 'git fetch origin develop && git checkout -B develop feat/x && git push --force-with-lease origin develop',
        given: [
          'git switch -q -c develop main',
          'echo shared > shared.txt',
          'git add shared.txt',
          "git commit -q --author='Sam <sam@example.com>' -m 'shared work'",
          'git push -q -u origin develop',
          'git switch -q feat/x',
          'git branch -q -D develop',
          'git commit -q --allow-empty -m more',
        ],
        why: 'the fetch makes the lease worthless',
      },
      { run: 'git push --force ../other.git HEAD:main', given: ['git init -q --bare ../other.git'], why: 'nobody can tell what is there' },
    ],
    allows: [
      { run: 'git push origin feat/x' },
      {
        run: 'git push --force-with-lease origin feat/parser',
        given: [
          'git switch -q -c feat/parser',
          'echo a > a.txt',
          'git add a.txt',
          "git commit -q -m 'a'",
          'git push -q -u origin feat/parser',
          'echo b > a.txt',
          "git commit -q -a --amend -m 'b'",
        ],
        why: 'the own branch, rewritten under a lease',
      },
      { run: 'git push --dry-run --force origin main', given: theirs('main') },
      { run: 'git push -n -f origin feat/x', why: '-n of push is a dry run' },
      { run: "git commit --allow-empty -m 'never git push --force'" },
    ],
  },
});

/** A colleague's commit on a remote branch that the local one has not. */
function theirs(branch: string): string[] {
  return [
    `git switch -q ${branch}`,
    'echo theirs > theirs.txt',
    'git add theirs.txt',
    "git commit -q --author='Sam <sam@example.com>' -m 'work of a colleague'",
    `git push -q origin ${branch}`,
    'git reset -q --hard HEAD~1',
    'git switch -q feat/x',
  ];
}

/** Others push to this branch, or are to find it as it is. */
const belongsToOthers = (fact: PushFact): boolean =>
  fact.drops.some((commit) => !commit.own) || fact.shared || fact.protected !== undefined;

/** Why this ref must not be forced; undefined when it may. */
function reason(fact: PushFact): 'drops' | 'unrelated' | 'lease' | 'unseen' | 'blind' | undefined {
  const others = belongsToOthers(fact);
  if (fact.unrelated) return 'unrelated';
  if (fact.drops.length > 0 && others) return fact.leaseSpent ? 'lease' : 'drops';
  if (fact.leaseSpent && (fact.drops.length > 0 || fact.unknown)) return 'lease';
  if (fact.force !== 'blind') return undefined;
  if (fact.creates && !fact.unknown && fact.protected === undefined) return undefined;
  return fact.unknown && fact.protected !== undefined ? 'unseen' : 'blind';
}

function finding(push: Push, fact: PushFact, why: NonNullable<ReturnType<typeof reason>>, branch: string | undefined) {
  const remote = remoteShown(push.remoteName);
  const where = `${remote}/${fact.name}`;
  const commits = `${count(fact.drops.length + fact.dropsMore, 'commit')}${
    fact.drops.length > 0
      ? ` (${list(
          fact.drops.map((each) => each.id.slice(0, 7)),
          3,
          fact.dropsMore,
        )})`
      : ''
  }`;
  const says = {
    drops: `The push would drop ${commits} that others put on \`${where}\`.`,
    unrelated: `The push would replace \`${where}\` by a history that has nothing in common with it.`,
    lease: `The lease on \`${where}\` compares with what this line has just fetched or set, so it would drop ${fact.drops.length > 0 ? commits : 'whatever came in'} without a word.`,
    unseen: `The push would overwrite \`${where}\`, a protected branch, and what is on it is not known here.`,
    blind: `The push would replace \`${where}\` without looking at what is there now.`,
  }[why];
  const own: Remedy | undefined =
    branch !== undefined && branch !== fact.name && !fact.tag
      ? {
          kind: 'run',
          run: quoteLine(['git', 'push', '-u', remote, `HEAD:refs/heads/${branch}`]),
          because: 'your own branch; then open a pull request',
        }
      : undefined;
  const lease: Remedy | undefined =
    push.lease === undefined || fact.tag || (why !== 'blind' && (why !== 'lease' || belongsToOthers(fact)))
      ? undefined
      : {
          kind: 'run',
          run: push.lease,
          because:
            why === 'lease'
              ? 'git also checks that what was fetched is in the branch'
              : 'git refuses by itself if somebody pushed in between',
        };
  const look: Remedy | undefined = fact.tag
    ? { kind: 'run', run: quoteLine(['git', 'ls-remote', '--tags', remote, fact.name]), because: 'shows where the tag is now' }
    : fact.unknown || fact.creates
      ? undefined
      : { kind: 'run', run: quoteLine(['git', 'log', '--oneline', '-20', where, '--']), because: 'shows what is on it now' };
  const join: Remedy | undefined =
    fact.drops.length > 0 && fact.local === branch && branch === fact.name
      ? {
          kind: 'run',
          run: quoteLine(['git', 'pull', '--rebase', remote, fact.name]),
          because: 'takes their commits in; a plain push follows',
        }
      : undefined;
  const ask: Remedy = {
    kind: 'ask',
    ask: `May I overwrite \`${where}\`? ${fact.drops.length > 0 ? `It drops ${commits}.` : ''}`.trim(),
    because: 'others may have these commits',
  };
  return {
    says,
    person: `The agent was about to overwrite ${where} on the remote.`,
    remedies: ways(lease, own, join, look, ask),
    ...(why === 'blind' ? {} : { persistence: 'owner-action' as const }),
    boundary: `git.push ${where} overwrite`,
  };
}

function mirrored(push: Push) {
  const remote = remoteShown(push.remoteName);
  const preview: Remedy | undefined =
    push.preview === undefined ? undefined : { kind: 'run', run: push.preview, because: 'lists what would change and go' };
  return {
    says: `\`git push --mirror\` would make \`${remote}\` equal to this clone: refs that are not here are deleted there.`,
    remedies: ways(preview, { kind: 'ask', ask: `May I mirror this clone to \`${remote}\`?`, because: 'branches of others go with it' }),
    persistence: 'owner-action' as const,
    boundary: `git.push ${remote} mirror`,
  };
}

/** Tags have no lease: whoever has fetched one keeps the old. */
function tags(push: Push) {
  const remote = remoteShown(push.remoteName);
  return {
    says: `The push would overwrite every tag on \`${remote}\` that differs from the one here.`,
    remedies: ways(
      { kind: 'run', run: quoteLine(['git', 'push', remote, '--tags']), because: 'pushes the new tags and leaves those that are there' },
      { kind: 'ask', ask: `May I overwrite tags on \`${remote}\`?`, because: 'builds and releases are made from them' },
    ),
    persistence: 'owner-action' as const,
    boundary: `git.push ${remote}/tags overwrite`,
  };
}

/** From another machine: what is there cannot be told from here, only how it is asked for. */
function elsewhere(push: Push) {
  if (push.force !== 'blind' && !push.refs.some((ref) => ref.force === 'blind')) return undefined;
  const remote = remoteShown(push.remoteName);
  return {
    says: `The push would overwrite what is on \`${remote}\`, from another machine whose state is not known here.`,
    remedies: ways({ kind: 'ask', ask: `May I run \`${push.command}\` there?`, because: 'others may have the commits that go' }),
    persistence: 'owner-action' as const,
    boundary: `git.push ${remote} overwrite ${push.via.join(' ')}`,
  };
}
