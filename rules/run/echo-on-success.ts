import { defineRule, isCheck, runBoundary, runName } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'echo-on-success',
  group: 'run',
  level: 'notice',
  summary: 'Read the exit status of a run instead of printing that it was zero.',
  why: 'The host reports the exit status of every call. A print that only follows a success says the same once more.',
  evidence: 'Not counted in the recorded calls. Kept as a notice; reopen when a host turns out not to report the status.',
  whyNotice: 'the run it follows has run by then, and the print changes nothing',
  on: 'run.target',
  needs: ['profile'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: ['a print with computed data', 'a print into a file or a pipe', 'more commands behind it', 'behind other commands than a run'],

  judge(run, { facts }) {
    if (run.restated === undefined || !isCheck(run, facts)) return undefined;
    return {
      says: `\`${run.restated}\` only says that \`${runName(run)}\` succeeded, which its exit status says already.`,
      boundary: runBoundary('run.restated', run),
    };
  },

  examples: {
    catches: [{ run: 'npm run build && echo done' }, { run: 'npm run lint && npm test && printf "all green\\n"' }],
    allows: [
      { run: 'npm run build && echo "$(git rev-parse HEAD)" > stamp' },
      { run: 'npm run build && echo built > stamp' },
      { run: 'mkdir -p out && echo done', why: 'no run' },
      { run: 'npm run build && echo next && npm test', why: 'not the end' },
    ],
  },
  wrappings: {
    background: 'the run is no longer what the agent waits for',
    substitution: 'what is printed is used',
  },
});
