/** The table of invariants speaks of this tree: what it would break is there, and so is the test that would notice. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INVARIANTS } from './invariants.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const text = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

describe('invariants', () => {
  it.each(INVARIANTS.map((each) => [each.holds, each] as const))('%s', (_holds, { file, from, to, test, named }) => {
    expect(text(file).split(from).length - 1, `${file} no longer holds: ${from}`).toBe(1);
    expect(to).not.toBe(from);
    expect(text(test)).toContain(named);
  });
});
