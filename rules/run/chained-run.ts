import { combined, defineRule, names, runBoundary, runName } from '../../internal/rule/rule.ts';

const MAKEFILE = "printf 'lint:\\n\\tnpm run lint\\n\\ntest:\\n\\tnpm test\\n\\ngen:\\n\\tnode gen.js\\n' > Makefile";

export default defineRule({
  name: 'chained-run',
  group: 'run',
  level: 'deny',
  summary: 'Run several targets in one call of the runner.',
  why: `
    A runner that takes several targets reads the workspace once, knows what they have in common and runs that once. One call behind
    another reads it again each time and repeats what both need; after a failure the rest of the chain says nothing.
  `,
  evidence:
    '27 of 6,086 recorded calls (4.0 per 1,000) consist of nothing but runner calls, among them those of runners that take one target only, where this rule is silent. Reopen when a combined call turns out to hide which target failed.',
  on: 'run.target',
  needs: ['profile', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'runners that take one target, without a target that runs just these',
    'behind `||`',
    'any other command, pipe or redirection on the line',
    'a target whose work the next one needs: generated files, an installation, a clean tree',
    'different directories, projects or extra words',
  ],

  judge(run, { facts, effects }) {
    if (run.others > 0 || run.script !== undefined) return undefined;
    const one = combined(effects, facts);
    // Said once, at the last of them.
    if (!one || one.runs.at(-1) !== run) return undefined;
    const calls = names(one.runs.map(runName));
    return {
      says: `${calls} are ${one.runs.length} calls of a runner that takes them in one.`,
      person: 'Several runs were chained that the runner takes in one call.',
      remedies: [
        {
          kind: 'run',
          run: one.run,
          because: one.aggregate ? `\`${one.aggregate}\` runs just these` : 'what they have in common runs once',
        },
      ],
      boundary: runBoundary('run.chain', one.runs[0]!),
    };
  },

  examples: {
    catches: [
      { run: 'make lint && make test', given: [MAKEFILE] },
      { run: 'make lint; make test', given: [MAKEFILE] },
      {
        run: 'npm run lint && npm test',
        given: ['npm pkg set scripts.check="npm run lint && npm test"'],
        why: 'a target runs just these',
      },
    ],
    allows: [
      { run: 'make lint test', given: [MAKEFILE] },
      { run: 'make lint || make test', given: [MAKEFILE] },
      { run: 'make gen && make test', given: [MAKEFILE], why: 'the second needs what the first writes' },
      { run: 'make lint && git diff --exit-code', given: [MAKEFILE] },
      { run: 'npm run lint && npm test', why: 'npm takes one script' },
    ],
  },
  wrappings: {
    env: 'only the first call gets the variable',
    time: 'only the first call is timed',
    substitution: 'what they print is used',
    background: 'the last call alone runs in the background',
  },
});
