import { defineRule, isCheck, runBoundary, runName } from '../../internal/rule/rule.ts';

const MAKEFILE = "printf 'ci:\\n\\tnpm test\\n' > Makefile";

export default defineRule({
  name: 'timed-run',
  aliases: ['timed-magus'],
  group: 'run',
  level: 'notice',
  standing: true,
  summary: 'Read how long a run took from the run log.',
  why: `
    The run log records when each run started and ended, so there is nothing to measure around it, and the figures of earlier runs are
    there to compare with.
  `,
  evidence: 'Costs nothing but a few words; kept as a notice so that the habit is seen. Reopen when it turns out to lead to repeated runs.',
  whyNotice: 'the timed run is the same run: nothing is lost by measuring it',
  on: 'run.target',
  needs: ['profile'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: ['`time` around other programs', 'no target of that name is known here'],

  judge(run, { facts, waygate }) {
    if (!run.timed || !isCheck(run, facts)) return undefined;
    return {
      says: `\`${waygate} run -- ${runName(run)}\` records how long it takes, and \`${waygate} runs\` lists it beside the earlier runs.`,
      boundary: runBoundary('run.timed', run),
    };
  },

  examples: {
    catches: [{ run: 'time make ci', given: [MAKEFILE] }, { run: '/usr/bin/time -p npm test' }],
    allows: [{ run: 'time node bench.js' }, { run: 'npm test' }, { run: 'time npm run --help' }],
  },
  wrappings: { time: 'measuring is what it is about' },
});
