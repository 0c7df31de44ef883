import { atRisk, defineRule, type EffectOf, type Facts, gitIn, type Remedy, saving, ways } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'discard-changes',
  aliases: ['whole-tree'],
  group: 'work',
  level: 'deny',
  summary: 'Do not put files back to another version while they hold changes that exist nowhere else.',
  why: `
    \`git reset --hard\`, \`git checkout -- .\`, \`git restore\`, \`git switch --discard-changes\` and their kin replace what is in
    the work tree. Git keeps no copy of what was never staged or committed: no reflog, no stash. The flags say nothing about
    the loss, the state of the files does, so a clean tree passes.
  `,
  evidence:
    'The most frequent loss in the collected reports (18 of 74 destroying cases): an edit of the person or of another agent reverted by a whole-tree reset or a path checkout meant for one probe. Reopen if a checkpoint is ever taken by itself before such a call.',
  on: ['git.discard', 'vcs.discard', 'git.merge', 'git.switch'],
  needs: ['lost', 'show', 'repo'],
  category: 'work-loss',
  persistence: 'state-change',
  quiet: [
    'nothing in the way differs from what git holds',
    'only deleted files are brought back',
    'a file in conflict is still what the merge wrote',
    'what would go stands in a checkpoint',
  ],

  judge(effect, { facts, waygate }) {
    if (effect.kind === 'vcs.discard') return elsewhere(effect);
    if (effect.kind === 'git.merge') return aborted(effect, facts, waygate);
    if (effect.kind === 'git.switch') return overIgnored(effect, facts, waygate);
    const how = `git ${effect.how}`;
    if (effect.remote || (effect.repo.dir === undefined && effect.repo.gitDir === undefined)) return unseen(effect, how);
    const { paths, loses, from, overUntracked = false, repo } = effect;
    const stake = facts.lost({ about: 'worktree', repo, paths, loses, from, overUntracked });
    if (stake.items.length === 0 && stake.unread === undefined) return undefined;
    // The whole tree is the same one from each of its folders.
    const whole = () => facts.repo(repo)?.top ?? repo.dir ?? '?';
    const boundary = `git.discard ${paths ? paths.map((path) => path.path ?? path.raw).join(' ') : whole()}`;
    if (stake.items.length === 0) {
      return {
        says: `\`${how}\` would replace files, and what is in them could not be read: ${stake.unread}.`,
        remedies: [
          { kind: 'run', run: gitIn(repo, ['status', '--short'], facts.show), because: 'shows what has changed; then name the files' },
          owner(effect.command),
        ],
        boundary,
      };
    }
    const save = saving(stake, waygate, facts.show, repo.dir);
    // Without a commit there is nothing to compare with.
    const shows = facts.repo(repo)?.head === undefined ? ['status', '--short'] : ['diff', '--stat', 'HEAD'];
    const look: Remedy | undefined =
      repo.dir === undefined ? undefined : { kind: 'run', run: gitIn(repo, shows, facts.show), because: 'shows what would be lost' };
    return {
      says: `\`${how}\` would discard changes that exist nowhere else: ${atRisk(stake)}.`,
      person: `The agent was about to throw away uncommitted changes in ${atRisk(stake)}.`,
      // The index alone: the file itself stays as it is.
      ...(loses === 'index' ? { level: 'advise' as const } : {}),
      remedies: ways(save, look, owner(effect.command)),
      boundary,
      atStake: stake.items,
    };
  },

  examples: {
    catches: [
      { run: 'git reset --hard', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git reset --har', given: ["echo 'export const draft = 1;' >> src/app.ts"], why: 'git reads a cut option as the whole one' },
      { run: 'git checkout -- .', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git checkout src/app.ts', given: ["echo 'export const draft = 1;' >> src/app.ts"], why: 'the word is a path, not a branch' },
      { run: 'git checkout main -- src/app.ts', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git restore --staged --worktree .', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git switch --discard-changes main', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      {
        run: 'git diff | git apply -R',
        given: ["echo 'export const draft = 1;' >> src/app.ts"],
        why: 'the patch that would bring it back is nowhere kept',
      },
      {
        run: 'git reset -q && git checkout -- .',
        given: ["echo 'export const draft = 1;' >> src/app.ts", 'git add src/app.ts'],
        why: 'the index no longer holds what was staged',
      },
      { run: 'git checkout $(git diff --name-only)', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      {
        run: 'git checkout other',
        given: [
          'git switch -q -c other',
          'echo theirs > .env',
          'git add -f .env',
          "git commit -q -m 'theirs'",
          'git switch -q feat/x',
          'echo mine > .env',
        ],
        why: 'an ignored file is overwritten where the other branch has it',
      },
      { run: 'git rm -f src/new.ts', given: ["echo 'export const fresh = 1;' > src/new.ts", 'git add src/new.ts'] },
      {
        run: 'git restore --staged src/app.ts',
        given: ["echo 'export const a = 1;' >> src/app.ts", 'git add src/app.ts', "echo 'export const b = 2;' > src/app.ts"],
        gets: 'advise',
        why: 'the staged version is in no commit and no file',
      },
    ],
    allows: [
      { run: 'git merge --abort', given: conflict(), why: 'the conflict is as the merge left it' },
      { run: 'git ls-files -d | xargs git checkout --', given: ['rm src/util.ts'], why: 'no file of the tree holds a change' },
      {
        run: 'git diff > ../kept.patch && git checkout -- .',
        given: ["echo 'export const draft = 1;' >> src/app.ts"],
        why: 'the patch holds it',
      },
      { run: 'git checkout --ours README.md', given: conflict() },
      { run: 'git reset --hard', why: 'the tree is clean' },
      {
        run: 'git checkout -b fix/login',
        given: ["echo 'export const draft = 1;' >> src/app.ts"],
        why: 'a new branch takes the edits along',
      },
      {
        run: 'git restore src/util.ts',
        given: ['rm src/util.ts', "echo 'export const draft = 1;' >> src/app.ts"],
        why: 'brings a deleted file back',
      },
      {
        run: 'git restore --staged .',
        given: ["echo 'export const draft = 1;' >> src/app.ts", 'git add src/app.ts'],
        why: 'the file keeps what was staged',
      },
      {
        run: 'git checkout main',
        given: ["echo 'export const draft = 1;' >> src/app.ts"],
        why: 'without force git refuses where work is in the way',
      },
      { run: 'git reset --soft HEAD', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      {
        run: "git commit --allow-empty -m 'explain git reset --hard'",
        given: ["echo 'export const draft = 1;' >> src/app.ts"],
        why: 'text that mentions a command has no effect',
      },
    ],
  },
});

const owner = (command: string): Remedy => ({
  kind: 'ask',
  ask: `May I run \`${command}\`? It discards uncommitted changes.`,
  because: 'git keeps no copy of them',
});

/** Another machine, or a directory that nobody can tell before the run. */
function unseen(effect: EffectOf<'git.discard'>, how: string) {
  return {
    says: `\`${how}\` would replace files ${effect.remote ? 'on another machine' : 'in a directory that is not known before the run'}.`,
    remedies: ways(
      effect.remote ? undefined : { kind: 'stop', because: 'write the directory into the call, so that what is in it can be looked at' },
      owner(effect.command),
    ),
    persistence: effect.remote ? ('owner-action' as const) : ('narrower-scope' as const),
    boundary: `git.discard ${effect.remote ? effect.via.join(' ') : '?'}`,
  };
}

/** Mercurial, Subversion, Perforce: their state is not read, so the owner is asked. */
function elsewhere(effect: EffectOf<'vcs.discard'>) {
  const keep: Remedy | undefined =
    effect.keep === undefined ? undefined : { kind: 'run', run: effect.keep, because: 'puts the changes aside and leaves a clean tree' };
  return {
    says: `\`${effect.how}\` discards ${effect.loses}, and ${effect.tool} keeps no copy of them.`,
    remedies: ways(keep, { kind: 'run', run: effect.preview, because: 'shows what would be lost' }, owner(effect.command)),
    persistence: 'owner-action' as const,
    boundary: `vcs.discard ${effect.tool} ${effect.cwd ?? '?'}`,
  };
}

/** `git merge --abort` and its kin: conflicts that somebody has already worked on. */
function aborted(effect: EffectOf<'git.merge'>, facts: Pick<Facts, 'lost' | 'show' | 'repo'>, waygate: string) {
  if (effect.how !== 'abort') return undefined;
  const repo = facts.repo(effect.repo);
  const { top } = repo ?? {};
  if (!repo?.operation || top === undefined) return undefined;
  // A rebase and a row of patches go back by a hard reset, which takes every edit along; the others keep what the operation did not touch.
  const whole = repo.operation === 'rebase' || repo.operation === 'am';
  if (!whole && repo.conflicts.length === 0) return undefined;
  const paths = whole ? undefined : repo.conflicts.map((name) => ({ path: `${top}/${name}`, prefix: `${top}/${name}`, raw: name }));
  const from = whole ? 'index' : 'HEAD';
  const stake = facts.lost({ about: 'worktree', repo: effect.repo, paths, loses: 'worktree', from, overUntracked: false });
  if (stake.items.length === 0) return undefined;
  return {
    says: `\`${effect.command}\` would discard work that was done during the ${repo.operation} and exists nowhere else: ${atRisk(stake)}.`,
    remedies: ways(
      saving(stake, waygate, facts.show, effect.repo.dir),
      { kind: 'run', run: gitIn(effect.repo, ['diff', '--stat'], facts.show), because: 'shows what would be lost' },
      owner(effect.command),
    ),
    boundary: `git.discard ${paths ? paths.map((path) => path.path).join(' ') : top}`,
    atStake: stake.items,
  };
}

/** Without force git keeps changed and new files, and overwrites ignored ones that the other branch has under version control. */
function overIgnored(effect: EffectOf<'git.switch'>, facts: Pick<Facts, 'lost' | 'show' | 'repo'>, waygate: string) {
  if (effect.create || effect.to === undefined || effect.remote) return undefined;
  const { repo, to } = effect;
  const stake = facts.lost({
    about: 'worktree',
    repo,
    paths: undefined,
    loses: 'worktree',
    from: to,
    overUntracked: false,
    switching: true,
  });
  if (stake.items.length === 0) return undefined;
  const command = gitIn(repo, ['switch', to], facts.show);
  return {
    says: `\`${to}\` has ${atRisk(stake)} under version control, and git overwrites an ignored file in its way without a word.`,
    remedies: ways(saving(stake, waygate, facts.show, repo.dir), {
      kind: 'ask',
      ask: `May I run \`${command}\`? It overwrites ${atRisk(stake)}.`,
      because: 'git keeps no copy of an ignored file',
    }),
    boundary: `git.discard ${stake.items.map((item) => item.path ?? item.name).join(' ')}`,
    atStake: stake.items,
  };
}

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
