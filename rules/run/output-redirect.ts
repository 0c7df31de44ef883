import { defineRule, isCheck, runBoundary, runName, waysOn } from '../../internal/rule/rule.ts';

const MAKEFILE = "printf 'ci:\\n\\tnpm test\\n' > Makefile";

export default defineRule({
  name: 'output-redirect',
  group: 'run',
  level: 'deny',
  summary: 'Let the output of a check be seen, and let the run log keep it.',
  why: `
    A redirection takes the output of a check away from whoever has to read it: into a file that is read in pieces later, or into
    nothing. The lines that say why it failed mostly go to the error stream, so \`2>/dev/null\` hides the very reason. The run log keeps
    every run whole, with its exit status; being quiet and keeping a copy are options of it.
  `,
  evidence:
    'Counted together with output-pipe in the recorded calls (36.8 per 1,000). A check whose output went into a file is followed by one to four reading calls there. Reopen when the run log is not available on a host.',
  on: 'run.target',
  needs: ['profile', 'show'],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    'help, listings and dry runs',
    '`2>&1` alone',
    'a redirection of another command of the line, or inside a script or recipe',
    'targets that are no check, and servers',
    'no target of that name is known here',
  ],

  judge(run, { facts, waygate, effects }) {
    const { files, pipe } = run.output;
    if (files.length === 0 || pipe.length > 0) return undefined;
    if (!isCheck(run, facts)) return undefined;
    const [way, ...more] = waysOn(run, { facts, waygate, effects });
    if (!way) return undefined;
    const [file] = files;
    const output = files.some((each) => each.fds.includes(1));
    const where = file!.discards ? 'is thrown away' : `goes into \`${facts.show(file!.target.path ?? file!.target.raw)}\` and is not seen`;
    return {
      says: `${output ? 'The output' : 'The error stream'} of \`${runName(run)}\` ${where}.`,
      person: `The output of ${runName(run)} would not have been seen.`,
      remedies: [{ kind: 'run', ...way }, ...more.map((each) => ({ kind: 'run' as const, ...each }))],
      boundary: runBoundary('run.output', run),
    };
  },

  examples: {
    catches: [
      { run: 'make ci > ci.log', given: [MAKEFILE] },
      { run: 'npm test > /tmp/test.log 2>&1; tail -5 /tmp/test.log', why: 'the rest of the line goes on as it is' },
      { run: 'npm test 2>/dev/null', why: 'the reason of a failure is thrown away' },
      { run: 'npm run lint >/dev/null 2>&1' },
      { run: '{ npm run build; } > build.log', why: 'through a group' },
      { run: 'npm test &>> all.log' },
    ],
    allows: [
      { run: 'npm test 2>&1' },
      { run: 'node gen.js > out.json', why: 'no target' },
      { run: 'make -n ci > plan.txt', given: [MAKEFILE] },
      { run: 'npm test; date > stamp', why: 'another command writes' },
      { run: 'npm run report > report.json', given: ['npm pkg set scripts.report="node report.mjs"'], why: 'no check' },
    ],
  },
});
