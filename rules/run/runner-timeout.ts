import { defineRule, durationText, endsItself, runBoundary, runName, waysOn } from '../../internal/rule/rule.ts';

const MAKEFILE = "printf 'ci:\\n\\tnpm test\\n' > Makefile";
/** Signals that make a program tell where it is: the limit is there to look, not to end it. */
const TELLS: ReadonlySet<string> = new Set(['QUIT', 'SIGQUIT', '3', 'ABRT', 'SIGABRT', '6', 'USR1', 'SIGUSR1', 'INFO', 'SIGINFO']);

export default defineRule({
  name: 'runner-timeout',
  aliases: ['magus-timeout'],
  group: 'run',
  level: 'deny',
  summary: 'Give a run its time limit through the run log.',
  why: `
    \`timeout\` ends the runner from outside: what the runner started lives on, nothing says that the limit was the cause, and a run
    that was cut off looks like one that failed. The run log ends the whole group of processes and records why.
  `,
  evidence: 'Seen in everyday sessions, not counted there. Reopen when a runner has a time limit of its own that records the cause.',
  on: 'run.target',
  needs: ['profile', 'show'],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    'signals that make a program tell where it is: QUIT, ABRT, USR1',
    'targets that run until they are interrupted: servers and watchers',
    'help, listings and dry runs',
    'a limit that is not known before the run',
    'no target of that name is known here',
  ],

  judge(run, { facts, waygate, effects }) {
    const { bound } = run;
    if (bound?.ms === undefined || TELLS.has(bound.signal ?? '')) return undefined;
    if (!endsItself(run, facts)) return undefined;
    const [way, ...more] = waysOn(run, { facts, waygate, effects });
    if (!way) return undefined;
    return {
      says: `\`${bound.program}\` would end \`${runName(run)}\` after ${durationText(bound.ms)} from outside: what it started lives on, and nothing records the cause.`,
      person: `A time limit around ${runName(run)} would have left processes behind.`,
      remedies: [{ kind: 'run', ...way }, ...more.map((each) => ({ kind: 'run' as const, ...each }))],
      boundary: runBoundary('run.timeout', run),
    };
  },

  examples: {
    catches: [
      { run: 'timeout 600 make ci', given: [MAKEFILE] },
      { run: 'env CI=1 timeout -k 5 5m npm test' },
      { run: "bash -c 'timeout 90 npm run lint'" },
      { run: 'timeout --signal=KILL 2m npm run build' },
    ],
    allows: [
      { run: 'timeout 5 curl -s http://localhost:8080/health' },
      { run: 'timeout -s QUIT 30 npm test', why: 'a dump of where it is' },
      { run: 'timeout 60 npm run dev', given: ['npm pkg set scripts.dev="vite"'], why: 'it runs until it is ended' },
      { run: 'timeout 60 npm run --help' },
      { run: 'npm test' },
    ],
  },
});
