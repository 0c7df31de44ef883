import { defineRule, type EffectOf, type Facts, gateStatus, isGateCall } from '../../internal/rule/rule.ts';

type Run = EffectOf<'run.gate' | 'run.target' | 'run.tool'>;

export default defineRule({
  name: 'gate-repeat',
  group: 'run',
  level: 'deny',
  summary: 'Do not run the gate again on files it has passed on.',
  why: `
    The gate is the dearest command of a workspace. Where it has passed on exactly these files, untracked ones included, with the same
    toolchain and installed packages, another run says nothing new and only costs time. The question is the one that push-ungated asks:
    what it refuses as proven counts as covered there.
  `,
  evidence:
    'Agents run the gate again "to be sure" before each push, minutes at a time. Only the proven repeat is refused, and a reason given with --again always gets through. Reopen when gates cost seconds.',
  on: ['run.gate', 'run.target', 'run.tool'],
  needs: ['coverage', 'gate', 'show'],
  category: 'exact-equivalent',
  persistence: 'state-change',
  quiet: [
    'any file differs, tracked or not, or the toolchain or the installed packages do',
    'the last run failed, was interrupted, or is not signed here',
    'an earlier command of the line may change files',
    '`--again` with a reason; a dry run, help or a listing',
    'variables that the line sets for it',
  ],

  judge(run, { facts, waygate }) {
    const place = placeOf(run, facts);
    if (!place) return undefined;
    const coverage = facts.coverage(place, undefined);
    if (coverage?.state !== 'passed' || !coverage.proven) return undefined;
    const { top } = place;
    const status = gateStatus(waygate, top, facts.show);
    return {
      says: `${coverage.why.replace(/\.$/, '')}, and no file it sees has changed since.`,
      remedies: [
        { kind: 'run', run: status, because: 'shows the run that covers them; a push passes' },
        {
          kind: 'run',
          run: `${status.replace(/ status$/, ' run')} --again 'the earlier result is in doubt'`,
          because: 'runs it all the same, with the reason on record',
        },
      ],
      boundary: `run.gate ${top} repeat`,
    };
  },

  examples: {
    catches: [
      { run: 'waygate gate run', given: passed() },
      { run: 'npm test', given: passed(), why: 'the same command without its log' },
      { run: 'npm run test', given: passed(), why: 'another spelling' },
      { run: 'waygate run -- npm test', given: passed() },
      {
        run: 'waygate gate run',
        given: [...passed(), "git commit -q --allow-empty -m 'nothing'"],
        why: 'another commit with the same files',
      },
      {
        run: 'git add src/new.txt && waygate gate run',
        given: [...gated(), 'echo new > src/new.txt', 'waygate gate run --quiet'],
        why: 'staging changes no file',
      },
    ],
    allows: [
      { run: 'waygate gate run', given: gated(), why: 'it has not run yet' },
      { run: 'waygate gate run', given: [...passed(), 'echo "// more" >> src/app.ts'] },
      { run: 'npm test', given: [...passed(), 'echo new > src/new.txt'], why: 'an untracked file more' },
      { run: "waygate gate run --again 'looking for a flaky test'", given: passed() },
      { run: 'waygate gate run', given: failed(), why: 'the last run failed' },
      { run: 'echo x > src/x.txt && waygate gate run', given: passed(), why: 'the line changes files first' },
      { run: 'node hack/make.mjs && npm test', given: passed(), why: 'the program before may change files' },
      { run: 'npm run lint', given: passed(), why: 'not the gate' },
      { run: 'npm test', why: 'no gate is declared' },
      { run: 'CI=1 npm test', given: passed(), why: 'under another environment' },
    ],
  },
  wrappings: { env: 'a variable in front is another environment', xargs: 'what xargs adds to the line is not the gate' },
});

function gated(): string[] {
  return [
    "printf '%s\\n' 'version: 1' 'gate: { command: npm test }' > waygate.yaml",
    'git add waygate.yaml',
    "git commit -q -m 'declare the gate'",
  ];
}

function passed(): string[] {
  return [...gated(), 'waygate gate run --quiet'];
}

function failed(): string[] {
  return [...gated(), "npm pkg set scripts.test=false && git commit -q -a -m 'a gate that fails'", 'waygate gate run --quiet || true'];
}

/** Where the gate would run; undefined when this is no run of it. The declared command means the top of the repository. */
function placeOf(run: Run, facts: Pick<Facts, 'gate'>): { dir: string; top: string } | undefined {
  if (run.remote || run.cwd === undefined || (run.env?.size ?? 0) > 0 || (run.kind === 'run.gate' && run.again !== undefined))
    return undefined;
  const gate = facts.gate({ dir: run.cwd });
  if (!gate) return undefined;
  const is = run.kind === 'run.gate' || (run.cwd === gate.top && isGateCall(run, gate.command));
  return is ? { dir: run.cwd, top: gate.top } : undefined;
}
