import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_HALTING, lineageOf, placed } from '../decision/lineage.ts';
import type { Decision } from '../decision/record.ts';
import { fold, foldAll, RECENT } from './fold.ts';
import { recordsOf } from './read.ts';
import { EMPTY_VIEW, type LedgerRecord, type SessionView } from './records.ts';

let ids = 0;

interface Asked {
  verdict?: Decision['verdict'];
  boundary?: string;
  category?: Decision['category'];
  agent?: string;
  tool?: string;
  kind?: Decision['kind'];
  atStake?: readonly string[];
}

function decision({
  verdict = 'deny',
  boundary = 'file.delete /a',
  category = 'work-loss',
  agent,
  tool = 'Bash',
  kind = 'policy',
  atStake,
}: Asked): Decision {
  const id = `D${++ids}`;
  return {
    schema: 1,
    id,
    at: '2026-11-30T09:00:00.000Z',
    host: 'claude-code',
    session: 's',
    ...(agent ? { agent: { id: agent } } : {}),
    policy: 'sha256:default',
    action: { surface: 'shell', tool, digest: `sha256:${id.padStart(64, '0')}`, summary: 'x' },
    verdict,
    kind,
    ...(verdict === 'deny' ? { rule: 'file-delete', category, persistence: 'state-change' as const, boundary, says: `says ${id}` } : {}),
    effects: [],
    findings: [],
    ...(atStake ? { atStake } : {}),
    remedies: [],
    notices: [],
    reasonRevision: 1,
    took: { ms: 0, git: 0 },
  };
}

/** Judges as the hook does: with the view so far, then folded. */
function ask(view: SessionView, asked: Asked, preconditions = 'p'): { view: SessionView; decision: Decision } {
  const place = placed(decision(asked), view, preconditions);
  const record: LedgerRecord = {
    t: 'decision',
    decision: place.decision,
    call: `call-${place.decision.id}`,
    preconditions,
    ...(place.counted ? { counted: true } : {}),
    ...(place.hintable ? { hintable: true } : {}),
    ...(place.read ? { read: true } : {}),
  };
  return { view: fold(view, record), decision: place.decision };
}

function askAll(asked: readonly (Asked & { preconditions?: string })[], from: SessionView = EMPTY_VIEW) {
  let view = from;
  const decisions: Decision[] = [];
  for (const each of asked) {
    const next = ask(view, each, each.preconditions);
    view = next.view;
    decisions.push(next.decision);
  }
  return { view, decisions };
}

const prompt: LedgerRecord = { t: 'event', at: '', event: 'prompt' };
const progress = (decisions: readonly Decision[]) => decisions.map((each) => each.lineage?.progress);

describe('lineage', () => {
  it('counts refusals on one boundary, the first included', () => {
    const { decisions, view } = askAll(Array.from({ length: 7 }, (_each, i) => ({ tool: `T${i}` })));
    expect(progress(decisions)).toEqual(['continue', 'continue', 'checkpoint', 'checkpoint', 'checkpoint', 'stop', 'stop']);
    expect(decisions.map((each) => each.lineage?.repeat)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(decisions[5]!.lineage?.tripped).toEqual({ counter: 'boundary', count: 6 });
    expect(view.boundaries[lineageOf('file.delete /a')]).toMatchObject({
      count: 7,
      counted: 7,
      first: decisions[0]!.id,
      says: decisions[0]!.says,
    });
  });

  it('deleting, overwriting and discarding the same content are one; other content and other consequences are not', () => {
    const boundaries = [
      'file.delete /a',
      'file.overwrite /a',
      'git.discard /a',
      'git.clean /a',
      'file.delete /b',
      'file.overwrite /a collision',
      'git.clean ?',
    ];
    const { decisions } = askAll(boundaries.map((boundary, i) => ({ boundary, tool: `T${i}` })));
    expect(decisions.map((each) => each.lineage?.repeat)).toEqual([0, 1, 2, 3, 0, 0, 0]);
    // The boundary itself stays what it is: a grant for one is none for another.
    expect(decisions.map((each) => each.boundary)).toEqual(boundaries);
  });

  it('other preconditions are another question, and going back to the old ones goes on where it was', () => {
    const asked = ['p', 'p', 'q', 'p', 'q', 'p', 'p', 'p'].map((preconditions, i) => ({ preconditions, tool: `T${i}` }));
    expect(askAll(asked).decisions.map((each) => each.lineage?.repeat)).toEqual([0, 1, 0, 2, 1, 3, 4, 5]);
    expect(progress(askAll(asked).decisions).at(-1)).toBe('stop');
  });

  it('refusals made before one was read do not count for the stop', () => {
    const at = EMPTY_VIEW;
    // Six hooks side by side: each saw the empty view.
    const beside = Array.from({ length: 6 }, () => placed(decision({}), at, 'p'));
    const view = foldAll(
      at,
      beside.map(({ decision: each, read }) => ({
        t: 'decision',
        decision: each,
        preconditions: 'p',
        counted: true,
        ...(read ? { read } : {}),
      })),
    );
    expect(view.boundaries[lineageOf('file.delete /a')]).toMatchObject({ count: 6, counted: 1 });
  });

  it('one call that two hooks recorded side by side counts once', () => {
    const twice = decision({});
    const records = [twice, { ...twice, id: 'other' }].map(
      (each): LedgerRecord => ({ t: 'decision', decision: each, call: 'c', preconditions: 'p', counted: true }),
    );
    expect(foldAll(EMPTY_VIEW, records)).toEqual(foldAll(EMPTY_VIEW, records.slice(0, 1)));
  });

  it('a narrower call names the refusal it answers', () => {
    const { decisions } = askAll([
      { boundary: 'git.discard /r' },
      { boundary: 'git.discard /r/src/a.ts' },
      { boundary: 'git.discard /rest' },
      { boundary: 'file.delete /r/x' },
    ]);
    expect(decisions.map((each) => each.narrowedFrom)).toEqual([undefined, decisions[0]!.id, undefined, undefined]);
  });

  it('a call that passes is a narrower one as well', () => {
    const { view, decisions } = askAll([{ boundary: 'git.push origin/main overwrite' }, { boundary: 'file.delete /d' }]);
    const push = {
      ...decision({ verdict: 'pass' }),
      effects: [{ kind: 'git.push', remoteName: 'origin', refs: [{ dst: 'refs/heads/main', force: 'none' }] }],
    };
    const remove = { ...decision({ verdict: 'pass' }), effects: [{ kind: 'file.delete', targets: [{ path: '/d/part' }] }] };
    const other = { ...decision({ verdict: 'pass' }), effects: [{ kind: 'file.delete', targets: [{ path: '/elsewhere' }] }] };
    expect([push, remove, other].map((each) => placed(each, view, '').decision.narrowedFrom)).toEqual([
      decisions[0]!.id,
      decisions[1]!.id,
      undefined,
    ]);
  });

  it('after a stop a prompt grants one attempt on each boundary that was refused before', () => {
    const six = askAll(Array.from({ length: 6 }, () => ({ boundary: 'file.delete /a' })));
    const other = askAll([{ boundary: 'file.delete /b' }], six.view);
    expect(progress(other.decisions)).toEqual(['stop']);
    const prompted = fold(other.view, prompt);
    const after = askAll(
      ['/a', '/b', '/a', '/b', '/c', '/d'].map((path) => ({ boundary: `file.delete ${path}` })),
      prompted,
    );
    expect(progress(after.decisions)).toEqual(['checkpoint', 'continue', 'stop', 'stop', 'stop', 'stop']);
  });

  it('other agents share the sentence and not the stop', () => {
    const { decisions } = askAll(Array.from({ length: 10 }, (_each, i) => ({ agent: `a${i}` })));
    expect(progress(decisions)).toEqual(Array(10).fill('continue'));
    expect(decisions[9]!.lineage).toMatchObject({ repeat: 9, first: decisions[0]!.id });
  });

  it('a request of the wrong shape has no lineage, and counts as a failure', () => {
    const { decisions, view } = askAll(
      Array.from({ length: 12 }, () => ({ kind: 'validation' as const, category: 'invalid-request' as const, boundary: 'request x' })),
    );
    expect(progress(decisions)).toEqual([...Array(11).fill('continue'), 'stop']);
    expect(view.boundaries).toEqual({});
  });
});

const record = fc.oneof(
  fc
    .record({
      agent: fc.constantFrom('', 'a', 'b'),
      tool: fc.constantFrom('Bash', 'Write'),
      call: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
      verdict: fc.constantFrom<Decision['verdict']>('pass', 'notice', 'deny', 'deny'),
      boundary: fc.integer({ min: 0, max: 120 }),
      preconditions: fc.constantFrom('p', 'q', 'r'),
      category: fc.constantFrom<NonNullable<Decision['category']>>('work-loss', 'external-effect'),
      read: fc.boolean(),
      stop: fc.boolean(),
      looked: fc.option(
        fc.array(fc.record({ at: fc.constantFrom('file /a.log', 'task b1', 'file /b'), size: fc.integer({ min: 0, max: 3 }) }), {
          maxLength: 2,
        }),
        { nil: undefined },
      ),
    })
    .map(({ agent, tool, call, verdict, boundary, preconditions, category, read, stop, looked }): LedgerRecord => {
      const made = decision({ verdict, boundary: `file.delete /${boundary}`, category, agent, tool });
      const lineage = { repeat: 0, first: null, same: 1, any: 1, progress: stop ? ('stop' as const) : ('continue' as const) };
      return {
        t: 'decision',
        decision: {
          ...made,
          action: { ...made.action, digest: `sha256:${String(call ?? 0).padStart(64, '0')}` },
          ...(verdict === 'deny' ? { lineage } : {}),
          ...(looked ? { looked } : {}),
        },
        ...(call === undefined ? {} : { call: `c${call}` }),
        preconditions,
        ...(verdict === 'deny' ? { counted: true as const } : {}),
        ...(read ? { read: true as const } : {}),
      };
    }),
  fc
    .record({
      agent: fc.constantFrom('', 'a', 'b'),
      tool: fc.constantFrom('Bash', 'Write'),
      call: fc.integer({ min: 0, max: 400 }),
      result: fc.constantFrom('ok' as const, 'failed' as const, 'refused' as const, 'cancelled' as const),
    })
    .map(
      ({ agent, tool, call, result }): LedgerRecord => ({
        t: 'outcome',
        at: '',
        agent,
        tool,
        call: `c${call}`,
        digest: `sha256:${String(call).padStart(64, '0')}`,
        result,
      }),
    ),
  fc
    .record({
      branch: fc.option(fc.constantFrom('feat/x', 'feat/y'), { nil: undefined }),
      number: fc.option(fc.constantFrom('#1', '#2'), { nil: undefined }),
      state: fc.constantFrom('open' as const, 'merged' as const, 'closed' as const),
    })
    .map(
      ({ branch, number, state }): LedgerRecord => ({
        t: 'review',
        at: '',
        repo: '/r/.git',
        state,
        ...(branch ? { branch } : {}),
        ...(number ? { number } : {}),
      }),
    ),
  fc.constantFrom<LedgerRecord>(prompt, { t: 'event', at: 'now', event: 'start', policy: 'sha256:x' }),
);

describe('the fold', () => {
  it('of a checkpoint and what came after is the fold of everything', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 300, maxLength: 900, size: 'max' }), fc.nat(), (records, at) => {
        const cut = at % records.length;
        const stored = JSON.parse(JSON.stringify(foldAll(EMPTY_VIEW, records.slice(0, cut)))) as SessionView;
        expect(foldAll(stored, records.slice(cut))).toEqual(foldAll(EMPTY_VIEW, records));
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it('one by one is the fold of all at once, and no view is changed by a later one', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 200, size: 'max' }), (records) => {
        let view = EMPTY_VIEW;
        for (const each of records) {
          const before = JSON.stringify(view);
          const next = fold(view, each);
          expect(JSON.stringify(view)).toBe(before);
          view = next;
        }
        expect(view).toEqual(foldAll(EMPTY_VIEW, records));
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it('keeps a bounded view of a long ledger', () => {
    const records = Array.from(
      { length: 2000 },
      (_each, i): LedgerRecord => ({
        t: 'decision',
        decision: decision({ verdict: i % 2 ? 'pass' : 'deny', boundary: `file.delete /${i}`, tool: `T${i}`, agent: `a${i}` }),
        call: `c${i}`,
        preconditions: 'p',
        ...(i % 2 ? {} : { counted: true as const }),
      }),
    );
    const view = foldAll(EMPTY_VIEW, records);
    expect(view.calls).toBe(2000);
    expect(Object.keys(view.recent).length).toBeLessThanOrEqual(RECENT + 32);
    expect(JSON.stringify(view).length).toBeLessThan(120_000);
    expect(view.recent['a1999\nc1999']).toBeDefined();
  });

  it('a success resets exactly the streak of its agent and tool', () => {
    const { view } = askAll([{ tool: 'Bash' }, { tool: 'Write' }, { tool: 'Bash', agent: 'a' }, { verdict: 'pass', tool: 'Bash' }]);
    const [passed] = Object.entries(view.recent).filter(([, call]) => call.verdict === 'pass');
    const [agent, call] = passed![0].split('\n') as [string, string];
    const digest = `sha256:${passed![1].id.padStart(64, '0')}`;
    const ended = fold(view, { t: 'outcome', at: '', agent, tool: 'Bash', call, digest, result: 'ok' });
    expect(Object.keys(ended.streaks).sort()).toEqual(['\nWrite', 'a\nBash']);
    expect(ended.boundaries[lineageOf('file.delete /a')]?.count).toBe(3);
    expect(fold(ended, { t: 'outcome', at: '', agent, tool: 'Bash', call, digest, result: 'failed' })).toEqual(ended);
  });

  it('a record of a later schema is history', () => {
    const later = { ...decision({}), schema: 2 } as unknown as Decision;
    expect(fold(EMPTY_VIEW, { t: 'decision', decision: later, call: 'c', preconditions: '', counted: true })).toEqual(EMPTY_VIEW);
  });

  it('a host that reports no outcomes at all: a call that passes resets its tool, once that is certain', () => {
    const passes = (n: number): Asked[] => Array.from({ length: n }, () => ({ verdict: 'pass' }));
    const few = askAll([{}, ...passes(5), {}]);
    expect(few.decisions.at(-1)!.lineage).toMatchObject({ any: 2 });
    const many = askAll([{}, ...passes(25), {}]);
    expect(many.decisions.at(-1)!.lineage).toMatchObject({ any: 1, repeat: 1 });
  });
});

describe('lines', () => {
  const line = (id: string) => JSON.stringify({ t: 'decision', decision: { ...decision({}), id }, preconditions: '' });

  it('a torn piece costs itself, also where a whole record stands behind it', () => {
    const text = [
      line('A'),
      line('B').slice(0, 40),
      `${line('C').slice(0, 60)}${line('D')}`,
      '{"t":"outcome"}',
      'null',
      line('E'),
      '',
    ].join('\n');
    const { records, torn } = recordsOf(text);
    expect(records.map((each) => (each.t === 'decision' ? each.decision.id : each.t))).toEqual(['A', 'D', 'E']);
    expect(torn).toBe(4);
  });

  it('bounds are those of the design', () => expect(DEFAULT_HALTING).toEqual({ boundary: 6, category: 6, any: 12 }));
});
