import { defineRule, type EffectOf, type Facts, list, quoteLine, type Remedy, remoteShown, ways } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'remote-ref-delete',
  group: 'push',
  level: 'deny',
  summary: 'Do not delete a branch or tag on the remote that still holds something.',
  why: `
    A branch deleted on the remote is gone for everybody, with its open reviews; a deleted tag breaks whoever builds from it.
    A merged branch of your own is clean-up and passes. The same deletion through the forge's API is the same thing.
  `,
  evidence:
    'After a refused `push --delete` agents went on with the API. An API call shows no state, so there it is advice, a protected branch excepted. Reopen when the forge is asked whether the branch is merged.',
  on: ['git.push', 'remote.ref'],
  needs: ['push', 'protectedBranch'],
  category: 'external-effect',
  persistence: 'owner-action',
  quiet: ['every commit of the branch is elsewhere', 'a dry run', 'remote-tracking branches here'],

  judge(effect, { facts }) {
    if (effect.remote) return undefined;
    return effect.kind === 'git.push' ? pushed(effect, facts) : called(effect, facts);
  },

  examples: {
    catches: [
      { run: 'git push origin --delete main' },
      { run: 'git push origin :main', why: 'an empty source deletes' },
      {
        run: 'git push origin --delete v1',
        given: ['git tag v1', 'git push -q origin v1'],
        why: 'builds and releases are made from a tag',
      },
      {
        run: 'git push --delete origin feature/login',
        given: [
          'git switch -q -c feature/login',
          'echo step > login.txt',
          'git add login.txt',
          "git commit -q -m 'login'",
          'git push -q -u origin feature/login',
          'git switch -q feat/x',
          'git branch -q -D feature/login',
        ],
        why: 'only the remote has its commits',
      },
      { run: 'gh api -X DELETE repos/acme/app/git/refs/heads/feature/login', gets: 'advise' },
      { run: 'gh api -X DELETE repos/acme/app/git/refs/heads/main' },
      { run: 'git push origin --delete "$(git branch --show-current)"', why: 'nobody can tell which ref that is' },
    ],
    allows: [
      {
        run: 'git push origin --delete feature/done',
        given: ['git push -q origin HEAD:refs/heads/feature/done'],
        why: 'its commits are on another branch',
      },
      { run: 'git push --dry-run origin --delete main' },
      { run: 'git push origin feat/x' },
      { run: 'git branch -dr origin/feature/none' },
      { run: 'gh api repos/acme/app/git/refs/heads/main', why: 'it only reads' },
    ],
  },
});

type Push = EffectOf<'git.push'>;

function pushed(push: Push, facts: Pick<Facts, 'push'>) {
  if (push.dryRun) return undefined;
  const remote = remoteShown(push.remoteName);
  const ask = (what: string): Remedy => ({ kind: 'ask', ask: `May I delete ${what} on the remote?`, because: 'it is gone for everybody' });
  const unknown = push.refs.find((ref) => ref.delete && ref.unknown);
  if (unknown) {
    return {
      says: `The push would delete a ref on \`${remote}\` that is not known before the run.`,
      remedies: ways(
        { kind: 'run', run: 'git branch -r', because: 'shows the branches of the remote; then delete by the name itself' },
        ask('that ref'),
      ),
      persistence: 'narrower-scope' as const,
      boundary: `git.push ${remote}/? delete`,
    };
  }
  for (const fact of facts.push(push)) {
    if (!fact.delete) continue;
    const where = `${remote}/${fact.name}`;
    const held = fact.drops.length > 0;
    if (fact.protected === undefined && !fact.tag && !held && !fact.unknown) continue;
    const commits = list(
      fact.drops.map((each) => each.id.slice(0, 7)),
      3,
      fact.dropsMore,
    );
    const look: Remedy = fact.tag
      ? { kind: 'run', run: quoteLine(['git', 'ls-remote', '--tags', remote, fact.name]), because: 'shows where the tag is' }
      : {
          kind: 'run',
          run: fact.unknown ? 'git branch -r' : quoteLine(['git', 'log', '--oneline', '-20', where, '--']),
          because: 'shows what is on it',
        };
    return {
      says: `The push would delete ${fact.protected ? 'the protected branch' : fact.tag ? 'the tag' : 'the branch'} \`${where}\`${held ? `, which alone holds ${commits}` : fact.unknown ? ', and what is on it is not known here' : ''}.`,
      person: `The agent was about to delete ${where} on the remote.`,
      remedies: ways(look, ask(`\`${where}\``)),
      boundary: `git.push ${where} delete`,
    };
  }
  return undefined;
}

function called(effect: EffectOf<'remote.ref'>, facts: Pick<Facts, 'protectedBranch'>) {
  if (effect.op !== 'delete' && !(effect.op === 'update' && effect.force)) return undefined;
  const name = effect.ref.replace(/^refs\/(heads|tags)\//, '');
  const guarded = effect.ref.startsWith('refs/heads/') && facts.protectedBranch(effect.repo, name) !== undefined;
  const does = effect.op === 'delete' ? 'delete' : 'overwrite';
  return {
    says: `The call would ${does} ${guarded ? 'the protected branch' : 'the ref'} \`${name}\`${effect.repository === '' ? '' : ` of ${effect.repository}`} past git, so nothing here shows what is on it.`,
    ...(guarded ? {} : { level: 'advise' as const }),
    remedies: ways(
      { kind: 'run', run: quoteLine(['git', 'ls-remote', 'origin', effect.ref]), because: 'shows what is there' },
      { kind: 'ask', ask: `May I ${does} \`${name}\` on the remote?`, because: 'it is gone for everybody' },
    ),
    boundary: `git.push origin/${name} ${does}`,
  };
}
