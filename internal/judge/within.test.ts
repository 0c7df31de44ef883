import { describe, expect, it } from 'vitest';
import { Overdue, within } from './within.ts';

/** Work that never comes back by itself. */
const forever = (): never => {
  for (let turns = 0; ; turns++) if (turns < 0) throw new Error('counted round');
};

describe('within', () => {
  it('gives the value back', () => expect(within(1000, () => 7)).toBe(7));
  it('lets through what the work throws', () => {
    const broken = (): never => {
      throw new TypeError('broken');
    };
    expect(() => within(1000, broken)).toThrow(TypeError);
  });
  it('gives up on work without an end, in time', () => {
    const started = performance.now();
    expect(() => within(30, forever)).toThrow(Overdue);
    expect(performance.now() - started).toBeLessThan(1500);
  });
  it('the inner of two deadlines counts, and the outer goes on', () => {
    const outer = within(5000, () => {
      try {
        return within(30, forever);
      } catch (error) {
        return error instanceof Overdue ? 'inner' : 'other';
      }
    });
    expect(outer).toBe('inner');
  });
});
