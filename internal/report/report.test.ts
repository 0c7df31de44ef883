import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision/record.ts';
import type { LedgerRecord } from '../ledger/records.ts';
import { handoffOf, handoffSummary, handoffView } from '../view/handoff.ts';
import { reportView } from '../view/report.ts';
import { accountOf } from './account.ts';
import { figuresOf } from './figures.ts';

let made = 0;
const at = () => new Date(Date.UTC(2026, 10, 30, 9, 0, made++)).toISOString();

function decision(run: string, more: Partial<Decision> = {}): Decision {
  return {
    schema: 1,
    id: `D${++made}`,
    at: at(),
    host: 'claude-code',
    session: 's',
    policy: 'sha256:p',
    action: { surface: 'shell', tool: 'Bash', digest: `sha256:${run}`, summary: run },
    verdict: 'pass',
    kind: 'policy',
    effects: [],
    findings: [],
    remedies: [],
    notices: [],
    reasonRevision: 1,
    took: { ms: 1, git: 0 },
    ...more,
  };
}

const refused = (run: string, more: Partial<Decision> = {}): Decision =>
  decision(run, {
    verdict: 'deny',
    rule: 'file-delete',
    category: 'work-loss',
    persistence: 'state-change',
    boundary: `file.delete ${run}`,
    says: 'It would be lost.',
    remedies: [
      { kind: 'run', run: 'waygate checkpoint -- a', because: 'saves it', then: 'again' },
      { kind: 'run', run: 'mv a old/a', because: 'keeps it' },
      { kind: 'ask', ask: 'May I delete a?', because: 'only you know' },
    ],
    ...more,
  });

const asked = (made: Decision, call = made.id): LedgerRecord => ({
  t: 'decision',
  decision: made,
  call,
  preconditions: '',
  workspace: '/w',
  ...(made.verdict === 'deny' ? { counted: true as const } : {}),
});
const ended = (made: Decision, result: 'ok' | 'failed', call = made.id): LedgerRecord => ({
  t: 'outcome',
  at: at(),
  agent: '',
  tool: made.action.tool,
  call,
  digest: made.action.digest,
  result,
});

/** A call that passed, with its end. */
const made2 = (run: string, result: 'ok' | 'failed'): LedgerRecord[] => {
  const call = decision(run);
  return [asked(call), ended(call, result)];
};

describe('the account of a session', () => {
  it('a checkpoint was made and the same call passed: reached', () => {
    const records = [asked(refused('rm a')), ...made2('waygate checkpoint -- a', 'ok'), asked(decision('rm a'))];
    const [refusal] = accountOf('s', records).refusals;
    expect(refusal).toMatchObject({ state: 'passed', count: 1 });
    expect(refusal!.ways[0]).toMatchObject({ taken: { ending: 'ok' } });
    expect(refusal!.ways[1]!.taken).toBeUndefined();
  });

  it('another way was taken and succeeded', () => {
    expect(accountOf('s', [asked(refused('rm a')), ...made2('mv a old/a', 'ok')]).refusals[0]).toMatchObject({ state: 'remedied' });
  });

  it('a way on that failed is recorded as such, and the boundary stays', () => {
    const account = accountOf('s', [asked(refused('rm a')), ...made2('mv a old/a', 'failed'), asked(refused('rm a'))]);
    expect(account.refusals[0]).toMatchObject({ state: 'open', count: 2 });
    const text = handoffView(handoffOf(account));
    expect(text).toContain('Tried: mv a old/a; it was let through and failed');
    expect(text).toContain('Refused 2 times');
    expect(text).toContain('Offered, not taken: waygate checkpoint -- a');
  });

  it('a look and a checkpoint alone reach no goal', () => {
    const look = refused('rm a', { remedies: [{ kind: 'run', run: 'git status', because: 'shows it' }] });
    expect(accountOf('s', [asked(look), ...made2('git status', 'ok')]).refusals[0]).toMatchObject({ state: 'went-on' });
  });

  it('what the host did not report is unknown, not a success', () => {
    const account = accountOf('s', [asked(refused('rm a')), asked(decision('mv a old/a'))]);
    expect(account.refusals[0]).toMatchObject({ state: 'went-on' });
    expect(JSON.stringify(handoffOf(account))).toContain('how it ended is not recorded');
  });

  it('the owner reads what is wanted: a request by its id, never a command that grants', () => {
    const beside = {
      requests: [{ id: 'R1', need: 'rm a', boundaries: ['file.delete rm a'], state: 'waiting' }],
      checkpoints: [],
      fixed: new Set<string>(),
      show: (path: string) => path,
    };
    const handoff = handoffOf(accountOf('s', [asked(refused('rm a'))]), beside);
    expect(handoff.unresolved[0]!.owner).toContain('Decide request R1');
    expect(handoffView(handoff)).not.toMatch(/waygate (grant|revoke|trust)/);
    expect(handoffSummary(handoff)).toContain('one refusal is unresolved');
    expect(handoffSummary(handoffOf(accountOf('s', made2('ls', 'ok'))))).toBe('');
  });

  it('a stop is unresolved even where other calls passed since', () => {
    const stop = refused('rm a', {
      lineage: { repeat: 5, first: 'D1', same: 6, any: 6, progress: 'stop', tripped: { counter: 'boundary', count: 6 } },
    });
    expect(handoffOf(accountOf('s', [asked(stop), ...made2('ls', 'ok')])).unresolved).toMatchObject([{ stopped: true }]);
  });

  it('a malformed request is no refusal of a boundary', () => {
    const account = accountOf('s', [asked(refused('x', { kind: 'validation', category: 'invalid-request' }))]);
    expect(account).toMatchObject({ refusals: [], refused: 1 });
  });
});

describe('figures', () => {
  const told = (session: string, ...records: LedgerRecord[]) => ({ session, records });

  it('repeats, ways on taken and failed, goals, by category and by reason revision', () => {
    const figures = figuresOf(
      [
        told(
          'a',
          asked(refused('rm a')),
          asked(refused('rm a')),
          ...made2('mv a old/a', 'failed'),
          ...made2('waygate checkpoint -- a', 'ok'),
          asked(decision('rm a')),
        ),
        told(
          'b',
          asked(
            refused('push', {
              category: 'external-effect',
              rule: 'force-push',
              boundary: 'git.push x',
              remedies: [],
              reasonRevision: 2 as 1,
            }),
          ),
        ),
      ],
      [],
    );
    expect(figures.containment).toMatchObject({
      refused: 3,
      byCategory: [
        { name: 'work-loss', count: 2 },
        { name: 'external-effect', count: 1 },
      ],
      byReasonRevision: [
        { name: '1', count: 2 },
        { name: '2', count: 1 },
      ],
      passedLater: 0,
    });
    expect(figures.adaptation).toMatchObject({
      boundaries: 2,
      repeats: 1,
      repeated: 1,
      remediesOffered: 2,
      remediesTaken: 2,
      remediesFailed: 1,
      reached: 1,
      open: 1,
    });
    expect(figures.cost).toMatchObject({ refusedCalls: 3 });
    expect(reportView(figures)).toMatch(/Contained +Adapted/);
  });

  it('completion and interruption are rates of sessions', () => {
    const figures = figuresOf(
      [told('a', ...made2('ls', 'ok')), told('b', asked(refused('rm a')), { t: 'told', at: at(), what: 'handoff', digest: '' })],
      [{ id: 'R1', at: at(), session: 'a', need: 'x', boundaries: [], state: 'waiting' }],
    );
    expect(figures.owner).toMatchObject({
      interrupted: 2,
      interruptionRate: 1,
      completed: 1,
      completionRate: 0.5,
      requests: 1,
      waiting: 1,
    });
  });

  it('nothing on record is no figure', () => expect(reportView(figuresOf([], []))).toBe('no calls are on record here'));
});
