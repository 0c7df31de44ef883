import { defineRule, isCheck, quoteLine, type RunTarget, runBoundary, runName } from '../../internal/rule/rule.ts';

/** Calls further apart are about something else. */
const MINUTES = 10;

const GO = [
  "printf 'module example\\n\\ngo 1.22\\n' > go.mod && git add go.mod && git commit -qm 'a module'",
  'printf \'#!/bin/sh\\n\' > "$(dirname "$(command -v waygate)")/go" && chmod +x "$(dirname "$(command -v waygate)")/go"',
];

export default defineRule({
  name: 'split-run',
  group: 'run',
  level: 'notice',
  standing: true,
  summary: 'Name all projects in one call of a target.',
  why: `
    A runner that is told all projects at once reads the workspace once and knows what they share. One call for each repeats that, and
    none of them says how the whole stands.
  `,
  evidence: 'Not counted in the recorded calls. Kept as a notice; reopen when the run log shows how often it happens.',
  whyNotice: 'both runs have happened by the time the second is judged',
  on: 'run.target',
  needs: ['profile', 'lately'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'more than ten minutes between them',
    'the files changed between them',
    'another target or other options',
    'runs that are not in the run log',
    'runners that take one project at a time',
  ],

  judge(run, { facts }) {
    if (run.call.projects.length === 0 || run.argv.includes('') || !SEVERAL.has(run.call.runner)) return undefined;
    if (!isCheck({ ...run, logged: false }, facts)) return undefined;
    const before = facts.lately(run.cwd, MINUTES).find((each) => differsInProject(each.argv, run));
    if (!before) return undefined;
    return {
      says: `\`${runName(run)}\` is \`${quoteLine(before.argv)}\` of a few minutes ago for another project; one call takes both.`,
      boundary: runBoundary('run.split', run),
    };
  },

  examples: {
    catches: [
      { run: 'go test ./b', given: [...GO, 'waygate run --quiet -- go test ./a'] },
      { run: 'waygate run -- go vet ./b', given: [...GO, 'waygate run --quiet -- go vet ./a'] },
    ],
    allows: [
      { run: 'go test ./a', given: [...GO, 'waygate run --quiet -- go test ./a'], why: 'the same project again' },
      { run: 'go vet ./b', given: [...GO, 'waygate run --quiet -- go test ./a'], why: 'another target' },
      { run: 'go test ./b', given: [...GO, 'waygate run --quiet -- go test ./a', 'echo x > src/new.ts'], why: 'the files changed between' },
    ],
  },
});

/** Runners that take several projects in one call. */
const SEVERAL: ReadonlySet<string> = new Set(['nx', 'turbo', 'go', 'cargo', 'bazel', 'gradle', 'maven', 'npm', 'pnpm']);

/** The same words but for one, and that one names the project. */
function differsInProject(argv: readonly string[], run: RunTarget): boolean {
  if (argv.length !== run.argv.length) return false;
  const at = argv.findIndex((word, i) => word !== run.argv[i]);
  if (at < 1 || !argv.every((word, i) => i === at || word === run.argv[i])) return false;
  return run.call.projects.some((project) => project !== '' && run.argv[at]!.includes(project));
}
