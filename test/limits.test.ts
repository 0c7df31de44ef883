/** The holes that the guard knowingly has: each call passes although it would do harm. Red means that a hole has closed. */
import { describe, expect, it } from 'vitest';
import { limitsPage } from '../hack/limits-page.ts';
import { LIMITS } from './limits.ts';
import { sharedBoxes } from './support/boxes.ts';
import { decide } from './support/judge.ts';

const boxOf = sharedBoxes();

describe('knowingly not seen', () => {
  it.each(LIMITS.map((limit) => [limit.what, limit] as const))('%s', async (what, { call }) => {
    const decision = await decide(call, boxOf(call));
    const closed = `\`${what}\` is seen now (${decision.rule}: ${decision.says}). Good: take it out of test/limits.ts, then npm run generate.`;
    expect(['pass', 'notice'], closed).toContain(decision.verdict);
  });

  it('each is named once', () => {
    expect(new Set(LIMITS.map((limit) => limit.what)).size).toBe(LIMITS.length);
  });

  it('the page names each of them with its call', () => {
    const page = limitsPage(LIMITS);
    for (const { what, call } of LIMITS) {
      expect(page).toContain(`### ${what}`);
      if ('run' in call) expect(page).toContain(call.run);
    }
  });
});
