import { atRisk, defineRule, gitIn, type Remedy, saving } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'stash-drop',
  group: 'work',
  level: 'deny',
  summary: 'Do not drop stash entries that nothing else holds.',
  why: `
    A stash entry is often the only copy of an afternoon. \`git stash drop\` and \`git stash clear\` take the name away, and
    after the next clean-up the content too. The stack is shared by all worktrees, so the entry on top may be somebody else's.
  `,
  evidence:
    'Reports of `stash clear` as "cleaning up" after a failed pop, with the entries of other sessions in it. Reopen if git ever keeps dropped entries under a name.',
  on: 'git.stash',
  needs: ['lost', 'show', 'repo'],
  category: 'work-loss',
  persistence: 'state-change',
  quiet: ['the stack is empty', 'the entry stands in a checkpoint'],

  judge(effect, { facts, waygate }) {
    // On another machine nothing of it can be read from here.
    if (effect.remote) return undefined;
    if (effect.op !== 'drop' && effect.op !== 'clear') return undefined;
    const entry = effect.op === 'clear' || effect.entry === undefined ? 'all' : effect.entry;
    const stake = facts.lost({ about: 'stash', repo: effect.repo, entry });
    if (stake.items.length === 0) return undefined;
    const save = saving(stake, waygate, facts.show, effect.repo.dir);
    const look: Remedy = {
      kind: 'run',
      run: gitIn(effect.repo, ['stash', 'list'], facts.show),
      because: 'shows the entries with what they are about',
    };
    const ask: Remedy = { kind: 'ask', ask: `May I drop ${atRisk(stake)}?`, because: 'nothing else holds what is in it' };
    return {
      says: `\`git stash ${effect.op}\` would drop ${atRisk(stake)}, and nothing else holds what is in it.`,
      person: `The agent was about to throw stashed work away: ${atRisk(stake)}.`,
      remedies: save ? [save, look, ask] : [look, ask],
      boundary: `git.stash drop ${facts.repo(effect.repo)?.top ?? effect.repo.dir ?? '?'} ${entry}`,
      atStake: stake.items,
    };
  },

  examples: {
    catches: [
      { run: 'git stash drop', given: ["echo 'export const idea = 1;' >> src/util.ts", "git stash push -q -m 'idea'"] },
      {
        run: 'git stash clear',
        given: [
          "echo 'export const one = 1;' >> src/util.ts",
          "git stash push -q -m 'one'",
          "echo 'export const two = 2;' >> src/util.ts",
          "git stash push -q -m 'two'",
        ],
      },
      { run: "git stash drop 'stash@{0}'", given: ["echo 'export const idea = 1;' >> src/util.ts", "git stash push -q -m 'idea'"] },
    ],
    allows: [
      { run: 'git stash list', given: ["echo 'export const idea = 1;' >> src/util.ts", "git stash push -q -m 'idea'"] },
      { run: 'git stash clear', why: 'the stack is empty' },
      {
        run: 'git stash pop',
        given: ["echo 'export const idea = 1;' >> src/util.ts", "git stash push -q -m 'idea'"],
        why: 'the content comes back into the work tree',
      },
      {
        run: "git stash drop 'stash@{3}'",
        given: ["echo 'export const idea = 1;' >> src/util.ts", "git stash push -q -m 'idea'"],
        why: 'there is no such entry',
      },
    ],
  },
});
