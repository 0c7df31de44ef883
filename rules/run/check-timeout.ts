import {
  defineRule,
  durationText,
  type Effect,
  type EffectOf,
  type Facts,
  isCheck,
  type Remedy,
  runBoundary,
  runName,
} from '../../internal/rule/rule.ts';

/** Fewer recorded runs say nothing about the next one. */
const FEW = 3;
/** Runs that are looked at, the newest first. */
const MANY = 20;
/** The longest that Claude Code lets a call in the foreground take, in milliseconds: its documented maximum. */
const HOST_MAX = 600_000;

export default defineRule({
  name: 'check-timeout',
  group: 'run',
  level: 'deny',
  summary: 'Give a check the time it is known to take.',
  why: `
    A host that ends a call after its time limit ends the check in the middle. A run that was cut off is no evidence, stands as
    unfinished in the run log, and is started again with the next guess at a limit.
  `,
  evidence:
    'Not counted in the recorded calls, which hold no durations; the limit and the time the check took stand side by side in the run log. Reopen when recorded durations turn out to say little about the next run.',
  on: ['run.target', 'run.gate'],
  needs: ['profile', 'runs'],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    'fewer than three passed runs of the same command on record',
    'a call without a time limit of its own',
    'a call in the background',
    'targets that are no check',
  ],

  judge(run, { facts, tools }) {
    const limit = run.hostTimeoutMs;
    if (limit === undefined || run.background || run.script !== undefined || !run.around) return undefined;
    if (run.kind === 'run.target' && !run.logged && !isCheck(run, facts)) return undefined;
    const usual = usualMs(run, facts);
    if (usual === undefined || limit >= usual) return undefined;
    const name = run.kind === 'run.gate' ? 'waygate gate run' : runName(run);
    const command = `${run.around.before}${run.around.own}${run.around.after}`;
    return {
      says: `The call would end after ${durationText(limit)}; \`${name}\` takes up to ${durationText(usual)} by its recorded runs.`,
      person: `${name} would have been cut off before its usual end.`,
      remedies: [wayOut(command, usual, tools.shell)],
      boundary: run.kind === 'run.gate' ? `run.limit gate ${run.cwd ?? ''}` : runBoundary('run.limit', run),
    };
  },

  examples: {
    catches: [
      { tool: 'Bash', input: { command: 'npm test', timeout: 60_000 }, given: [recorded(['npm', 'test'], 200, 240, 280, 300)] },
      {
        tool: 'Bash',
        input: { command: 'cd src && cd .. && npm run lint', timeout: 120_000 },
        given: [recorded(['npm', 'run', 'lint'], 700, 720, 800)],
        why: 'longer than the host allows: in the background',
      },
    ],
    allows: [
      { tool: 'Bash', input: { command: 'npm test', timeout: 600_000 }, given: [recorded(['npm', 'test'], 200, 240, 280, 300)] },
      {
        tool: 'Bash',
        input: { command: 'npm test', timeout: 60_000 },
        given: [recorded(['npm', 'test'], 200, 240)],
        why: 'too few runs to tell',
      },
      {
        tool: 'Bash',
        input: { command: 'npm test', timeout: 60_000, run_in_background: true },
        given: [recorded(['npm', 'test'], 200, 240, 280)],
      },
      { tool: 'Bash', input: { command: 'npm test' }, given: [recorded(['npm', 'test'], 200, 240, 280)], why: 'no limit of its own' },
    ],
  },
});

/** What nine of ten passed runs of the same command took at most, in milliseconds. */
function usualMs(run: EffectOf<'run.target' | 'run.gate'>, facts: Pick<Facts, 'runs'>): number | undefined {
  const taken = facts
    .runs(run.cwd)
    .filter((record) => record.status === 'passed' && record.endedAt !== undefined && isSame(record, run))
    .slice(0, MANY)
    .map((record) => Date.parse(record.endedAt!) - Date.parse(record.startedAt))
    .filter((ms) => ms > 0)
    .sort((a, b) => a - b);
  return taken.length < FEW ? undefined : taken[Math.ceil(taken.length * 0.9) - 1];
}

const isSame = (record: ReturnType<Facts['runs']>[number], run: Effect): boolean =>
  run.kind === 'run.gate'
    ? record.gate?.by === 'run'
    : run.kind === 'run.target' && record.argv.length === run.argv.length && record.argv.every((word, i) => word === run.argv[i]);

/** The same call with time enough, or in the background where the host allows no more. */
function wayOut(command: string, usual: number, tool: string | undefined): Remedy {
  const enough = Math.ceil((usual * 1.5) / 60_000) * 60_000;
  if (usual > HOST_MAX) {
    if (!tool) return { kind: 'wait', because: 'send the same call again to run in the background' };
    return {
      kind: 'call',
      tool,
      input: { command, run_in_background: true },
      because: 'it takes longer than the host allows in the foreground',
    };
  }
  const timeout = Math.min(enough, HOST_MAX);
  if (!tool) return { kind: 'wait', because: `send the same call again with a time limit of ${timeout} milliseconds` };
  return { kind: 'call', tool, input: { command, timeout }, because: 'the same call with the time it is known to take' };
}

/** A bash line that puts passed runs of these durations, in seconds, into the run log. */
function recorded(argv: readonly string[], ...seconds: number[]): string {
  const lines = seconds.map((each, i) =>
    JSON.stringify({
      schema: 1,
      id: `example${i}`,
      argv,
      cwd: '/',
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: new Date(Date.UTC(2026, 0, 1) + each * 1000).toISOString(),
      status: 'passed',
      exit: 0,
      pid: 1,
      environment: '',
      log: '',
    }),
  );
  return `mkdir -p .git/waygate && printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} > .git/waygate/runs.jsonl`;
}
