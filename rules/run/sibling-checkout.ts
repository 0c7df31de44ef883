import { defineRule, runsHere, ways } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'sibling-checkout',
  group: 'run',
  level: 'deny',
  summary: 'Run checks in the checkout the session works in.',
  why: `
    Another work tree of the same repository has its own files, dependencies and outputs. A result from there is about a tree that is not
    the one under work here, and its outputs land where nobody looks for them.
  `,
  evidence:
    'The project this comes from refuses it (ADR 0013, no count given). Only a call that goes there on the line counts; who starts a session in a work tree is at home there. Would reopen it: checks that have to run in several work trees at once.',
  on: 'run.target',
  needs: ['checkout', 'profile', 'file', 'show'],
  category: 'stale-target',
  persistence: 'narrower-scope',
  quiet: [
    'another repository',
    'a session or a call that starts in that work tree',
    'git and everything that is no run of a target',
    'help, listings and dry runs',
  ],

  judge(effect, { facts, effects, waygate }) {
    if (effect.remote || effect.call.looks) return;
    const checkout = facts.checkout(effect.call.dir);
    if (checkout?.is !== 'sibling') return;
    const line = runsHere(effects, 'sibling', facts);
    const top = facts.show(checkout.top ?? effect.call.dir ?? '');
    return {
      says: `\`${effect.source}\` would run in \`${top}\`, another work tree of this repository: its result says nothing about this one.`,
      boundary: `run.elsewhere ${checkout.top ?? ''}`,
      remedies: ways(
        line === undefined ? undefined : { kind: 'run', run: line, because: 'the same here; to work there, start a session there' },
        { kind: 'run', run: `${waygate} describe targets`, because: 'shows what can be run here; to work there, start a session there' },
      ),
    };
  },

  examples: {
    catches: [
      { run: 'cd ../wt && npm test', given: ['git worktree add -q ../wt main'] },
      { run: 'cd ../wt && npm run lint && npm test', given: ['git worktree add -q ../wt main'], why: 'one way on for both' },
      { run: 'npm --prefix ../wt test', given: ['git worktree add -q ../wt main'], why: 'by an option' },
      { run: 'W=../wt; cd "$W" && npm run lint', given: ['git worktree add -q ../wt main'], why: 'through a variable' },
      { run: 'git worktree add -q ../wt main && cd ../wt && npm test', why: 'made on the same line' },
    ],
    allows: [
      { run: 'npm test' },
      { run: 'git -C ../wt log --oneline', given: ['git worktree add -q ../wt main'], why: 'git reads' },
      { run: 'npm test', given: ['git worktree add -q ../wt main'], cwd: '../wt', why: 'the call starts there' },
      { run: 'cd ../other && npm test', given: ['git init -q ../other && cp package.json ../other/'], why: 'another repository' },
      { run: 'cd ../wt && npm run', given: ['git worktree add -q ../wt main'], why: 'only lists' },
    ],
  },
});
