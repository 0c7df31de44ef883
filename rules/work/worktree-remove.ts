import { argument, atRisk, defineRule, quoteLine, type Remedy, saving } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'worktree-remove',
  group: 'work',
  level: 'deny',
  summary: 'Do not force a worktree away while there is work in it.',
  why: `
    Without force git removes only a worktree that is clean. \`--force\` is just the flag that lets it throw modified and new
    files away, and a linked worktree is usually where another agent is at work.
  `,
  evidence:
    'Worktrees of parallel agents removed as "left over" with uncommitted features in them. Reopen if git moves a removed worktree to a trash of its own.',
  on: 'git.worktree-remove',
  needs: ['lost', 'show'],
  category: 'work-loss',
  persistence: 'state-change',
  quiet: ['without force', 'the worktree is clean', 'what is in it stands in a checkpoint'],

  judge(effect, { facts, waygate }) {
    // On another machine nothing of it can be read from here.
    if (effect.remote) return undefined;
    if (effect.force === 0) return undefined;
    const ask: Remedy = { kind: 'ask', ask: `May I run \`${effect.command}\`?`, because: 'it removes a work tree with what is in it' };
    const { path } = effect.path;
    if (path === undefined) {
      return {
        says: `\`${effect.command}\` would force a worktree away that is not known before the run.`,
        remedies: [{ kind: 'run', run: 'git worktree list', because: 'shows the worktrees; then name the one you mean' }, ask],
        persistence: 'narrower-scope',
        boundary: 'git.worktree-remove ?',
      };
    }
    const stake = facts.lost({ about: 'worktree-dir', path: effect.path, cwd: effect.cwd });
    if (stake.items.length === 0 && stake.unread === undefined) return undefined;
    const look: Remedy = {
      kind: 'run',
      run: quoteLine(['git', '-C', argument(path, facts.show), 'status', '--short']),
      because: 'shows what is in it',
    };
    const save = saving(stake, waygate, facts.show, path);
    const says =
      stake.items.length > 0
        ? `would remove \`${facts.show(path)}\` with work that exists nowhere else: ${atRisk(stake)}.`
        : `would remove \`${facts.show(path)}\`, and what is in it could not be read: ${stake.unread}.`;
    return {
      says: `\`git ${effect.how ?? 'worktree remove --force'}\` ${says}`,
      person: `The agent was about to remove a ${effect.how === undefined ? 'worktree' : 'submodule'} with unsaved work: ${facts.show(path)}.`,
      remedies: save ? [save, look, ask] : [look, ask],
      boundary: `git.worktree-remove ${path}`,
      atStake: stake.items,
    };
  },

  examples: {
    catches: [
      {
        run: 'git worktree remove --force ../wt',
        given: ['git worktree add -q ../wt -b form', "echo 'export const form = 1;' >> ../wt/src/app.ts"],
      },
      {
        run: 'git worktree remove -f ../wt',
        given: ['git worktree add -q ../wt -b form', "echo 'export const field = 1;' > ../wt/src/field.ts"],
      },
      {
        run: 'git worktree remove --forc ../wt',
        given: ['git worktree add -q ../wt -b form', "echo 'export const field = 1;' > ../wt/src/field.ts"],
      },
    ],
    allows: [
      {
        run: 'git worktree remove ../wt',
        given: ['git worktree add -q ../wt -b form', "echo 'export const form = 1;' >> ../wt/src/app.ts"],
        why: 'without force git refuses by itself',
      },
      { run: 'git worktree remove --force ../wt', given: ['git worktree add -q ../wt -b form'], why: 'it is clean' },
      { run: 'git worktree prune' },
      { run: 'git worktree list' },
    ],
  },
});
