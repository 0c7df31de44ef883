import { defineRule, drops, isCheck, isFilter, isTests, names, runBoundary, runName, waysOn, wrappers } from '../../internal/rule/rule.ts';

const MAKEFILE = "printf 'ci:\\n\\tnpm test\\n\\nlint:\\n\\tnpm run lint\\n' > Makefile";

export default defineRule({
  name: 'output-pipe',
  group: 'run',
  level: 'deny',
  summary: 'Run a check with its own exit status and its whole output.',
  why: `
    The exit status of a pipeline is that of its last command: \`npm test | tail -20\` succeeds when the tests fail. What the filter
    drops is gone as well, most often the lines that say why, and the check is run again to see them. The run log keeps the whole
    output and the exit status, and shows the part that was asked for.
  `,
  evidence:
    '250 of 6,086 recorded calls (36.8 per 1,000, nearly all by one agent) pipe a runner into a filter. In a public report a failing test run piped into tail was taken for a success. Reopen when a host runs its shell with pipefail.',
  on: ['run.target', 'run.tool'],
  needs: ['profile', 'show'],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    'help, listings and dry runs',
    'targets that are no check, and servers',
    'a pipe inside a script or a recipe of the workspace',
    'with `set -o pipefail`, filters that hand on every line: `tee`, `cat`',
    'programs that read structured output: `jq`, a reporter',
    'no target of that name is known here, and the call names no tool that checks',
    'a tool called by itself that tests nothing: linters, compilers, builds',
  ],

  judge(run, { facts, waygate, effects }) {
    const { pipe, pipefail } = run.output;
    if (pipe.length === 0 || !pipe.every(isFilter)) return undefined;
    const loses = pipe.filter(drops);
    if (pipefail && loses.length === 0) return undefined;
    if (run.kind === 'run.tool') {
      // Where a target runs the tool, raw-tool speaks; where the call is one of a target as well, that is judged.
      if (!isTests(run) || effects.some((each) => each.step === run.step && each.kind === 'run.target' && isCheck(each, facts)))
        return undefined;
      if (wrappers(run, effects, facts).length > 0) return undefined;
    } else if (!isCheck(run, facts)) return undefined;
    const [way, ...more] = waysOn(run, { facts, waygate, effects });
    if (!way) return undefined;
    const filters = names([...new Set(pipe.map((stage) => stage.program))]);
    const status = pipefail ? '' : `the exit status would be that of \`${pipe.at(-1)!.program}\``;
    const lines = loses.length > 0 ? `what ${names([...new Set(loses.map((stage) => stage.program))])} drops is not kept anywhere` : '';
    return {
      says: `\`${runName(run)}\` is piped into ${filters}: ${[status, lines].filter(Boolean).join(', and ')}.`,
      person: `A filter behind ${runName(run)} would have hidden whether it failed.`,
      remedies: [{ kind: 'run', ...way }, ...more.map((each) => ({ kind: 'run' as const, ...each }))],
      ...(run.kind === 'run.tool' ? { level: 'advise' as const } : {}),
      boundary: run.kind === 'run.tool' ? `run.output ${run.cwd ?? ''} ${run.program}` : runBoundary('run.output', run),
    };
  },

  examples: {
    catches: [
      { run: 'npm test | tail -20' },
      { run: 'npm test 2>&1 | tail -20', why: 'with the errors in it too' },
      { run: 'make ci 2>&1 | grep FAIL', given: [MAKEFILE] },
      { run: 'FOO=1 npm run lint |& grep -i error | head -5' },
      { run: '{ npm run build; } | tail -3', why: 'a group is piped as a whole' },
      { run: 'npm test > >(tail -5)', why: 'a process substitution is a pipe' },
      { run: 'npm test | tee test.log', why: 'all lines, but the status of tee' },
      { run: 'uv run pytest | tail -5', why: 'the call itself names a tool that checks' },
      { run: 'python -m pytest -q 2>&1 | tail -15', gets: 'advise', why: 'a test tool by itself' },
      { run: 'dotnet test | grep -i fail', gets: 'advise' },
      { run: 'set -o pipefail; npm test | tail -3', why: 'the status is kept, the lines are not' },
    ],
    allows: [
      { run: 'npm test' },
      { run: 'npm run --help | less' },
      { run: 'make -n ci | head', given: [MAKEFILE], why: 'it only shows what would run' },
      { run: 'git log | head -3' },
      { run: 'echo "npm test | tail"', why: 'text' },
      { run: 'set -o pipefail; npm test | tee test.log', why: 'every line and the status' },
      { run: 'npm run lint -- --format json | jq .length', why: 'structured output' },
      { run: 'npx tsc --noEmit | head -20', why: 'a compiler by itself: what it says first is what is wanted' },
      { run: 'pytest --collect-only -q | tail -3' },
      { run: 'dotnet build | tail -3' },
      { run: 'npm run report | tail -3', given: ['npm pkg set scripts.report="node report.mjs"'], why: 'no check' },
    ],
  },
});
