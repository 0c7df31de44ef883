import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision/record.ts';
import { openIn } from './open-call.ts';
import type { DecisionRecord, LedgerRecord } from './records.ts';

const NOW = new Date('2026-11-30T10:00:00.000Z');
const isHere = (workspace: string): boolean => workspace === '/code/repo';

const decided = (call: string, more: Partial<Decision> = {}, workspace = '/code/repo'): DecisionRecord => ({
  t: 'decision',
  call,
  preconditions: '',
  workspace,
  decision: {
    id: `d-${call}`,
    at: '2026-11-30T09:59:00.000Z',
    verdict: 'pass',
    action: { surface: 'shell', tool: 'Bash', digest: `sha256:${call}`, summary: call },
    ...more,
  } as Decision,
});
const outcome = (call: string): LedgerRecord => ({
  t: 'outcome',
  at: '',
  agent: '',
  tool: 'Bash',
  call,
  digest: `sha256:${call}`,
  result: 'ok',
});
const event = (name: 'start' | 'stop' | 'prompt' | 'end'): LedgerRecord => ({ t: 'event', at: '', event: name });

describe('a call that is open', () => {
  it.each<[string, readonly LedgerRecord[], string | undefined]>([
    ['let through, no end yet', [event('start'), decided('a')], 'a'],
    ['the latest of two', [decided('a'), decided('b')], 'b'],
    ['ended', [decided('a'), outcome('a')], undefined],
    ['one of two ended', [decided('a'), decided('b'), outcome('b')], 'a'],
    ['refused', [decided('a', { verdict: 'deny' })], undefined],
    ['in another workspace', [decided('a', {}, '/code/other')], undefined],
    [
      'a call that starts no program',
      [decided('a', { action: { surface: 'read', tool: 'Read', digest: 'x', summary: '' } as never })],
      undefined,
    ],
    ['the turn ended', [decided('a'), event('stop')], undefined],
    ['the person typed since', [decided('a'), event('prompt')], undefined],
    ['the session ended', [decided('a'), event('end')], undefined],
    ['longer ago than any call runs', [decided('a', { at: '2026-11-30T09:00:00.000Z' })], undefined],
    ['a host that never tells of an end', [1, 2, 3, 4].map((each) => decided(String(each))), undefined],
  ])('%s', (_name, records, open) => {
    expect(openIn(records, isHere, NOW)?.call).toBe(open);
  });
});
