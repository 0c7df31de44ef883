import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHash as ownHash } from './crypto.ts';
import { sha256Hex } from './sha256.ts';

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('sha256', () => {
  it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])('%i bytes', (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) & 255);
    expect(sha256Hex(bytes)).toBe(expected(bytes));
  });

  it('agrees with Node on anything', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => sha256Hex(bytes) === expected(bytes)));
  });

  it('takes texts in pieces, large input and other algorithms', () => {
    expect(ownHash('sha256').update('a').update('ß').digest('hex')).toBe(createHash('sha256').update('aß').digest('hex'));
    const large = 'x'.repeat(100_000);
    expect(ownHash('sha256').update(large).digest('hex')).toBe(createHash('sha256').update(large).digest('hex'));
    expect(ownHash('sha1').update('a').digest('hex')).toBe(createHash('sha1').update('a').digest('hex'));
  });
});
