import { afterEach, describe, expect, it } from 'vitest';
import type { EffectOf } from '../effect/effect.ts';
import { effectsOf } from '../effect/effects.ts';
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts';
import type { PushFact } from './facts.ts';
import { actionIn, type Sandbox, sandbox } from './fixture.ts';
import { realLook } from './look.ts';

let box: Sandbox;
afterEach(() => box?.remove());

/** The push facts of a line. */
function push(line: string, policy: Policy = DEFAULT_POLICY): readonly PushFact[] {
  const all = effectsOf(actionIn(box, line), realLook(box.env));
  const at = all.findIndex((effect) => effect.kind === 'git.push');
  const effect = all[at] as EffectOf<'git.push'>;
  return box.facts(box.repo, { policy }).after(all.slice(0, at), effect).push(effect);
}

const COLLEAGUE =
  "git switch -q main; echo t > theirs; git add theirs; git commit -q --author='Sam <sam@example.com>' -m 'work of Sam'; git push -q origin main; git reset -q --hard HEAD~1; git switch -q feat/x";

interface Case {
  name: string;
  given: string;
  line: string;
  facts: readonly Partial<PushFact>[];
}

const CASES: readonly Case[] = [
  {
    name: 'a plain push that adds',
    given: 'echo 1 > a; git add a; git commit -qm a',
    line: 'git push origin feat/x',
    facts: [
      { name: 'feat/x', local: 'feat/x', drops: [], force: 'none', protected: undefined, creates: false, unknown: false, renamed: false },
    ],
  },
  {
    name: 'a trial in a temporary directory, remote and all',
    given:
      'git init -q --bare "$TMPDIR/r.git"; git clone -q "$TMPDIR/r.git" "$TMPDIR/r"; git -C "$TMPDIR/r" commit -q --allow-empty -m a; git -C "$TMPDIR/r" push -q origin HEAD:main',
    line: 'git -C "$TMPDIR/r" push --force origin HEAD:main',
    facts: [],
  },
  {
    name: 'a clone in a temporary directory of a remote elsewhere',
    given: 'git clone -q ../origin.git "$TMPDIR/r"; git -C "$TMPDIR/r" switch -q feat/x',
    line: 'git -C "$TMPDIR/r" push --force origin feat/x',
    facts: [{ name: 'feat/x', force: 'blind' }],
  },
  { name: 'a bare push', given: '', line: 'git push', facts: [{ name: 'feat/x', local: 'feat/x' }] },
  { name: 'a bare push whose upstream has another name', given: 'git branch -q -u origin/main', line: 'git push', facts: [] },
  {
    name: 'push.default upstream',
    given: 'git branch -q -u origin/main; git config push.default upstream',
    line: 'git push',
    facts: [{ name: 'main', local: 'feat/x', renamed: true, protected: 'default' }],
  },
  {
    name: 'a new branch',
    given: 'git switch -q -c new',
    line: 'git push -u origin new',
    facts: [{ name: 'new', creates: true, unknown: false }],
  },
  {
    name: 'HEAD to main',
    given: '',
    line: 'git push origin HEAD:refs/heads/main',
    facts: [{ name: 'main', local: 'feat/x', renamed: true, protected: 'default' }],
  },
  {
    name: 'force over the work of another',
    given: COLLEAGUE,
    line: 'git push origin +main',
    facts: [
      {
        name: 'main',
        force: 'blind',
        protected: 'default',
        shared: true,
        drops: [expect.objectContaining({ subject: 'work of Sam', own: false }) as never],
      },
    ],
  },
  {
    name: 'force over own commits',
    given: 'echo 1 > a; git add a; git commit -qm a; git push -q; git commit -q --amend -m b',
    line: 'git push --force-with-lease origin feat/x',
    facts: [
      {
        name: 'feat/x',
        force: 'lease',
        shared: false,
        leaseSpent: false,
        drops: [expect.objectContaining({ subject: 'a', own: true }) as never],
      },
    ],
  },
  { name: 'a lease after a fetch', given: '', line: 'git fetch && git push --force-with-lease', facts: [{ leaseSpent: true }] },
  {
    name: 'a lease with a named object',
    given: '',
    line: 'git fetch && git push --force-with-lease=feat/x:1234567 origin feat/x',
    facts: [{ leaseSpent: false }],
  },
  {
    name: 'the branch is moved first',
    given:
      "git switch -q -c develop main; echo s > s; git add s; git commit -q --author='Sam <sam@example.com>' -m shared; git push -q -u origin develop; git switch -q feat/x; git branch -q -f develop feat/x; git branch -q -f develop origin/develop",
    line: 'git fetch origin develop && git checkout -B develop feat/x && git push --force-with-lease origin develop',
    facts: [{ name: 'develop', leaseSpent: true, shared: true, drops: [expect.objectContaining({ subject: 'shared' }) as never] }],
  },
  {
    name: 'unrelated history',
    given: 'git switch -q --orphan fresh; git commit -q --allow-empty -m fresh',
    line: 'git push --force origin fresh:main',
    facts: [{ name: 'main', unrelated: true, force: 'blind' }],
  },
  {
    name: 'a deleted branch with commits on no other',
    given: 'git switch -q -c gone; echo 1 > a; git add a; git commit -qm a; git push -q origin gone; git switch -q feat/x',
    line: 'git push origin --delete gone',
    facts: [{ name: 'gone', delete: true, drops: [expect.objectContaining({ subject: 'a' }) as never] }],
  },
  {
    name: 'a deleted branch that is merged',
    given: 'git push -q origin feat/x:gone',
    line: 'git push origin :gone',
    facts: [{ name: 'gone', delete: true, drops: [] }],
  },
  {
    name: 'an address',
    given: '',
    line: 'git push --force https://github.com/acme/app.git HEAD:main',
    facts: [{ name: 'main', unknown: true, protected: 'default', force: 'blind' }],
  },
  { name: 'a tag', given: 'git tag v1', line: 'git push origin refs/tags/v1', facts: [{ name: 'v1', tag: true, protected: undefined }] },
  {
    name: 'a mirror',
    given: 'git push -q origin feat/x:gone; git fetch -q',
    line: 'git push --mirror origin',
    facts: [
      { name: 'feat/x', force: 'blind' },
      { name: 'main', force: 'blind' },
      { name: 'gone', delete: true },
    ],
  },
  {
    name: 'all branches',
    given: '',
    line: 'git push --all origin',
    facts: [
      { name: 'feat/x', force: 'none' },
      { name: 'main', force: 'none' },
    ],
  },
  {
    name: 'a forcing refspec in the configuration',
    given: "git config remote.origin.push '+refs/heads/*:refs/heads/*'",
    line: 'git push',
    facts: [
      { name: 'feat/x', force: 'blind' },
      { name: 'main', force: 'blind' },
    ],
  },
  {
    name: 'a push remote of its own',
    given: 'git remote add fork ../fork.git; git config branch.feat/x.pushRemote fork',
    line: 'git push',
    facts: [{ name: 'feat/x', unknown: true }],
  },
  {
    name: 'an open review',
    given: "git config branch.feat/x.github-pr-owner-number 'acme#app#31'",
    line: 'git push --force-with-lease',
    facts: [{ review: '#31' }],
  },
  {
    name: 'release branches',
    given: '',
    line: 'git push origin HEAD:release/1.0',
    facts: [{ name: 'release/1.0', protected: 'default', creates: true }],
  },
  { name: 'after a switch', given: '', line: 'git switch main && git push', facts: [{ name: 'main', protected: 'default' }] },
];

describe('what a push would do', () => {
  it.each(CASES)('$name', ({ given, line, facts }) => {
    box = sandbox();
    box.run(given);
    const found = push(line);
    expect(found).toHaveLength(facts.length);
    for (const [at, fact] of facts.entries()) expect(found[at]).toMatchObject(fact);
  });

  it('takes the branches a workspace declares', () => {
    box = sandbox();
    const policy: Policy = { ...DEFAULT_POLICY, protected: { ...DEFAULT_POLICY.protected, branches: ['feat/x'] } };
    expect(push('git push', policy)).toMatchObject([{ protected: 'declared' }]);
    expect(push('git push origin HEAD:main', policy)).toMatchObject([{ protected: 'default' }]);
  });
});
