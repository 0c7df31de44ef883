import { describe, expect, it } from 'vitest';
import type { RunLog } from '../runlog/read.ts';
import type { RunRecord, TreeDigest } from '../runlog/record.ts';
import { type Coverage, coverageOf, type Terms, type Wanted } from './coverage.ts';

const GATE = 'npm test';
const OTHER = 'npm run lint';

const digest = (tracked: string, all = tracked, head = 'c1'): TreeDigest => ({ head, tracked, all });

let made = 0;
const run = (more: Partial<RunRecord> = {}): RunRecord => ({
  schema: 1,
  id: `r${++made}`,
  argv: ['npm', 'test'],
  cwd: '/w',
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  status: 'passed',
  pid: 1,
  caller: 'agent',
  before: digest('T1'),
  after: digest('T1'),
  environment: 'E1',
  log: '/l',
  gate: { command: GATE, recipe: 'R1', expansion: [], by: 'run' },
  signature: 'good',
  ...more,
});

/** Oldest first, as they were written. */
const logOf = (runs: readonly RunRecord[], damaged: readonly number[] = []): RunLog => ({
  runs: runs.map((each, i) => ({ run: each, line: i + 1 })).reverse(),
  torn: false,
  damaged: damaged.map((line) => ({ line, at: `runs.jsonl:${line}` })),
});

const terms = (more: Partial<Terms> = {}): Terms => ({
  command: GATE,
  isSigned: (each) => each.signature === 'good',
  environment: () => 'E1',
  ...more,
});

const ask = (
  runs: readonly RunRecord[],
  wanted: Partial<Wanted> = {},
  more: Partial<Terms> = {},
  damaged: readonly number[] = [],
): Coverage => coverageOf({ commit: 'c9', tree: 'T1', ...wanted }, logOf(runs, damaged), terms(more));

describe('what covers', () => {
  const cases: readonly [string, readonly RunRecord[], Coverage['state'], Partial<Terms>?][] = [
    ['no run', [], 'absent'],
    ['a signed pass on the same tree', [run()], 'passed'],
    ['on the same tree with its untracked files', [run({ before: digest('T0', 'T1'), after: digest('T0', 'T1') })], 'passed'],
    ['on another tree', [run({ before: digest('T2'), after: digest('T2') })], 'absent'],
    ['tracked before, with untracked after', [run({ before: digest('T1', 'T2'), after: digest('T2', 'T1') })], 'incomplete'],
    ['the tree changed while it ran', [run({ after: digest('T2') })], 'incomplete'],
    ['the run made the tree itself', [run({ before: digest('T2') })], 'incomplete'],
    ['untracked files came, the tracked ones stayed', [run({ after: digest('T1', 'T3') })], 'passed'],
    ['it failed', [run({ status: 'failed' })], 'failed'],
    ['it was killed', [run({ status: 'killed', cause: 'its time bound of 1m' })], 'incomplete'],
    ['it never ended', [run({ status: 'unfinished', endedAt: undefined, after: undefined })], 'incomplete'],
    ['it still runs', [run({ status: 'running', endedAt: undefined, after: undefined })], 'incomplete'],
    ['a pass that is not signed', [run({ signature: undefined })], 'absent'],
    ['a pass signed by another', [run({ signature: 'bad' })], 'absent'],
    ['a failure counts unsigned', [run(), run({ status: 'failed', signature: undefined })], 'failed'],
    ['another command', [run({ gate: { command: OTHER, recipe: 'R1', expansion: [], by: 'run' } })], 'absent'],
    ['no gate run', [run({ gate: undefined })], 'absent'],
    ['a pass, then a failure', [run(), run({ status: 'failed' })], 'failed'],
    ['a failure, then a pass', [run({ status: 'failed' }), run()], 'passed'],
    ['a pass, then an interruption', [run(), run({ status: 'killed' })], 'passed'],
    ['a pass, then a failure on another tree', [run(), run({ status: 'failed', before: digest('T2'), after: digest('T2') })], 'passed'],
    ['a failure, then an unsigned pass', [run({ status: 'failed' }), run({ signature: undefined })], 'failed'],
    ['a recipe of the session', [run()], 'passed', { recipe: 'R1' }],
    ['a recipe changed in the session', [run()], 'absent', { recipe: 'R0' }],
    ['the same, run by a person', [run({ caller: 'person' })], 'passed', { recipe: 'R0' }],
    ['the same, imported', [run({ gate: { command: GATE, recipe: 'R1', expansion: [], by: 'ci' } })], 'passed', { recipe: 'R0' }],
  ];
  it.each(cases)('%s: %s', (_name, runs, state, more) => {
    expect(ask(runs, {}, more)).toMatchObject({ state, command: GATE });
  });

  it('by commit where the run was on it, by tree else', () => {
    expect(ask([run()], { commit: 'c1' }).run?.by).toBe('commit');
    expect(ask([run()], { commit: 'c2' }).run?.by).toBe('tree');
  });

  it('what cannot be told is unknown', () => {
    expect(ask([run()], { tree: undefined }).state).toBe('unknown');
    expect(coverageOf({ commit: 'c1', tree: 'T1' }, { ...logOf([run()]), unread: 'no right' }, terms()).state).toBe('unknown');
  });

  it('a damaged line after the pass may have been a failure', () => {
    expect(ask([run()], {}, {}, [2])).toMatchObject({ state: 'absent', why: expect.stringContaining('runs.jsonl:2') });
    expect(ask([run(), run()], {}, {}, [1])).toMatchObject({ state: 'passed' });
    expect(ask([run(), run({ status: 'failed' })], {}, {}, [1])).toMatchObject({ state: 'failed' });
  });

  it('every state says why in a sentence', () => {
    for (const [, runs, , more] of cases) expect(ask(runs, {}, more).why).toMatch(/^[A-Z`].*\.$/);
  });
});

/**
 * push-ungated demands a run where the commit is not covered and stands in the work tree; gate-repeat refuses the proven repeat. Both ask
 * `coverageOf`. Whatever is on record, no state makes the one demand what the other refuses, and what is refused as proven may be pushed.
 */
describe('no state makes one rule demand what the other refuses', () => {
  const trees = ['T1', 'T2'];
  const digests = trees.flatMap((tracked) => [...trees, ''].map((all) => digest(tracked, all)));
  const statuses: readonly RunRecord['status'][] = ['passed', 'failed', 'killed', 'unfinished', 'running'];

  /** Every record that differs in anything the decision looks at. */
  function* records(): Generator<RunRecord> {
    for (const status of statuses)
      for (const before of digests)
        for (const after of [...digests, undefined])
          for (const signature of ['good', 'bad'])
            for (const recipe of ['R1', 'R2'])
              for (const [caller, by] of [
                ['agent', 'run'],
                ['person', 'run'],
                ['person', 'ci'],
              ] as const)
                for (const command of [GATE, OTHER])
                  for (const environment of ['E1', 'E2'])
                    yield run({ status, before, after, signature, caller, environment, gate: { command, recipe, expansion: [], by } });
  }

  /** What push-ungated and gate-repeat make of it: the same function, asked of the commit and of the work tree. */
  function both(runs: readonly RunRecord[], standing: TreeDigest, recipe: string | undefined, damaged: readonly number[]) {
    const log = logOf(runs, damaged);
    const asked = terms({ recipe });
    const commit = coverageOf({ commit: 'c1', tree: 'T1' }, log, asked);
    const tree = coverageOf({ commit: 'c1', tree: standing.tracked, standing }, log, asked);
    return {
      demanded: commit.state !== 'passed' && standing.tracked === 'T1' && !commit.changed,
      refused: tree.state === 'passed' && tree.proven === true,
      covered: commit.state === 'passed',
      stands: standing.tracked === 'T1',
    };
  }

  const check = (runs: readonly RunRecord[], damaged: readonly number[] = []) => {
    for (const standing of digests)
      for (const recipe of [undefined, 'R1']) {
        const { demanded, refused, covered, stands } = both(runs, standing, recipe, damaged);
        if ((demanded && refused) || (refused && stands && !covered))
          throw new Error(JSON.stringify({ demanded, refused, covered, standing, recipe, damaged, runs }));
      }
  };

  it('over every single record, with and without a damaged line around it', () => {
    let count = 0;
    for (const each of records()) {
      check([each]);
      if (each.status === 'passed') {
        check([each], [0]);
        check([each], [2]);
      }
      count++;
    }
    expect(count).toBeGreaterThan(5000);
  });

  it('over pairs of records that concern these files', () => {
    const telling = [...records()].filter((each) => {
      const { before, after, gate, environment } = each;
      return (
        gate?.command === GATE &&
        environment === 'E1' &&
        before?.all === before?.tracked &&
        (after === undefined || after.all === after.tracked)
      );
    });
    const some = telling.filter((_each, i) => i % 7 === 0);
    for (const first of some) for (const second of some) check([first, second]);
    expect(some.length ** 2).toBeGreaterThan(1000);
  });
});
