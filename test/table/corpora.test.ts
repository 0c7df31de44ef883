/** The corpora of other guards: what they deny we deny when everything is at stake, and what they allow we do not deny when nothing is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CORPORA, judgeRow, type Row, rowsOf } from '../support/rows.ts';
import { DIFFERENCES } from './differences.ts';

const DENIED_AT_LEAST = 0.95;
const ALLOWED_DENIALS_AT_MOST = 0.005;
const DIPPY_DENIALS_AT_MOST = 3;
/** Their `ask` rows mean "not known to be read-only": only their allow rows are an oracle. */
const ORACLES = ['nah', 'dcg', 'dcg-packs', 'cc-safety-net', 'agent-command-guard', 'rampart'];

const keyOf = (corpus: string, row: Pick<Row, 'command' | 'expected'>) => JSON.stringify([corpus, row.expected, row.command]);
const differs = new Set(DIFFERENCES.map((each) => keyOf(each.corpus, each)));
const wrong = new Map<string, Row[]>();
const counted = new Map<string, number>();

const home = process.env['HOME'];
/** Other files run in this process too. */
afterAll(() => {
  if (home === undefined) delete process.env['HOME'];
  else process.env['HOME'] = home;
});

beforeAll(async () => {
  process.env['HOME'] = '/home/dev';
  for (const corpus of CORPORA) {
    for (const row of rowsOf(corpus)) {
      if (differs.has(keyOf(corpus, row))) continue;
      const key = `${corpus} ${row.expected}`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
      const { verdict } = await judgeRow(row);
      if ((row.expected === 'deny') !== (verdict === 'deny')) wrong.set(key, [...(wrong.get(key) ?? []), row]);
    }
  }
});

const wrongIn = (key: string) => (wrong.get(key) ?? []).map((row) => row.command);

describe('corpora of other guards', () => {
  it('consensus rows are all right', () => {
    expect([...wrongIn('consensus deny'), ...wrongIn('consensus allow')]).toEqual([]);
  });
  it.each(ORACLES)('%s: what it denies is denied', (corpus) => {
    const total = counted.get(`${corpus} deny`) ?? 0;
    const missed = wrongIn(`${corpus} deny`);
    expect(1 - missed.length / total, missed.join('\n')).toBeGreaterThanOrEqual(DENIED_AT_LEAST);
  });
  it('dippy: what it holds for read-only is not denied', () => {
    expect(wrongIn('dippy allow').length, wrongIn('dippy allow').join('\n')).toBeLessThanOrEqual(DIPPY_DENIALS_AT_MOST);
  });
  it('what they allow is not denied', () => {
    const all = [...counted].filter(([key]) => key.endsWith(' allow')).reduce((sum, [, count]) => sum + count, 0);
    const denied = CORPORA.flatMap((corpus) => wrongIn(`${corpus} allow`));
    expect(denied.length / all, denied.join('\n')).toBeLessThanOrEqual(ALLOWED_DENIALS_AT_MOST);
  });
  it('each row in the list of differences exists and still differs', async () => {
    for (const each of DIFFERENCES) {
      const row = rowsOf(each.corpus).find((candidate) => candidate.command === each.command && candidate.expected === each.expected);
      expect(row, each.command).toBeDefined();
      const { verdict } = await judgeRow(row!);
      expect((each.expected === 'deny') !== (verdict === 'deny'), `no longer differs: ${each.command}`).toBe(true);
    }
  });
});
