import { defineRule, gitIn, type Remedy } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'shared-stash',
  group: 'work',
  level: 'deny',
  summary: 'Name what you stash, and name what you take, while several worktrees share one stack.',
  why: `
    All worktrees of a repository use the same stash. An unnamed push cannot be told from those of other sessions, and a bare
    pop takes whatever lies on top: another agent's half-finished change lands in this tree, and its owner no longer finds it.
  `,
  evidence:
    "Parallel agents in linked worktrees popped each other's entries; the losses were found hours later. With one worktree the habit is harmless and passes. Reopen if git gives each worktree a stack of its own.",
  on: 'git.stash',
  needs: ['repo', 'lost', 'show'],
  category: 'ownership',
  persistence: 'narrower-scope',
  quiet: [
    'one worktree',
    'a push with a message or paths',
    'an entry that is named',
    'the entry on top was made on this branch',
    'an empty stack',
  ],

  judge(effect, { facts }) {
    // On another machine nothing of it can be read from here.
    if (effect.remote) return undefined;
    if (effect.named || (effect.op !== 'push' && effect.op !== 'pop' && effect.op !== 'drop')) return undefined;
    const repo = facts.repo(effect.repo);
    if (!repo || repo.worktrees < 2) return undefined;
    const boundary = `git.stash ${effect.op} ${repo.commonDir}`;
    if (effect.op === 'push') {
      const flags = [...(effect.ignored ? ['-a'] : effect.untracked ? ['-u'] : []), ...(effect.keepIndex ? ['--keep-index'] : [])];
      const remedy: Remedy = {
        kind: 'run',
        run: gitIn(effect.repo, ['stash', 'push', ...flags, '-m', `${repo.branch ?? 'detached HEAD'}: work in progress`], facts.show),
        because: 'the same stash, found again by its name',
      };
      return {
        says: `\`git stash\` would put an unnamed entry on the stack that ${repo.worktrees} worktrees share.`,
        remedies: [remedy],
        boundary,
      };
    }
    const top = facts.lost({ about: 'stash', repo: effect.repo, entry: 0 }).items[0];
    if (!top || (repo.branch !== undefined && top.name.includes(`n ${repo.branch}: `))) return undefined;
    return {
      says: `\`git stash ${effect.op}\` would take \`${top.name}\` from the stack that ${repo.worktrees} worktrees share.`,
      remedies: [
        {
          kind: 'run',
          run: gitIn(effect.repo, ['stash', 'list'], facts.show),
          because: 'shows whose entry is which; then name the entry you want',
        },
        {
          kind: 'run',
          run: gitIn(effect.repo, ['stash', 'show', '-p', '--stat', 'stash@{0}'], facts.show),
          because: 'shows what is in the one on top',
        },
      ],
      boundary,
      atStake: [top],
    };
  },

  examples: {
    catches: [
      { run: 'git stash', given: ['git worktree add -q ../wt -b other', "echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git stash -u', given: ['git worktree add -q ../wt -b other', "echo 'note' > note.txt"] },
      {
        run: 'git stash pop',
        given: ['git worktree add -q ../wt -b other', "echo 'export const theirs = 1;' >> ../wt/src/app.ts", 'git -C ../wt stash push -q'],
      },
    ],
    allows: [
      { run: 'git stash', given: ["echo 'export const draft = 1;' >> src/app.ts"], why: 'one worktree' },
      {
        run: "git stash push -m 'feat/x: probe'",
        given: ['git worktree add -q ../wt -b other', "echo 'export const draft = 1;' >> src/app.ts"],
      },
      {
        run: "git stash apply 'stash@{0}'",
        given: ['git worktree add -q ../wt -b other', "echo 'export const draft = 1;' >> src/app.ts", 'git stash push -q'],
      },
      {
        run: 'git stash pop',
        given: ['git worktree add -q ../wt -b other', "echo 'export const draft = 1;' >> src/app.ts", 'git stash push -q'],
        why: 'the entry on top was made on this branch',
      },
      { run: 'git stash list', given: ['git worktree add -q ../wt -b other'] },
    ],
  },
});
