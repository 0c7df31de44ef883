/** Every requirement of the guard is proved by a test that exists, or says why it is not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirementsPage } from '../hack/requirements-page.ts';
import { REQUIREMENTS } from './requirements.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const ids = (seed: string, last: number) => Array.from({ length: last }, (_, index) => `${seed}-${String(index + 1).padStart(2, '0')}`);

describe('requirements', () => {
  it('are all there, in order', () => {
    expect(REQUIREMENTS.map((each) => each.id)).toEqual([...ids('000', 73), ...ids('002', 30), ...ids('003', 15)]);
  });

  it.each(REQUIREMENTS.filter((each) => each.who !== 'host').map((each) => [each.id, each] as const))(
    '%s has a proof, or says why not',
    (_id, each) => {
      expect((each.proofs?.length ?? 0) > 0 || each.open !== undefined).toBe(true);
    },
  );

  it.each(REQUIREMENTS.filter((each) => each.who === 'host').map((each) => [each.id, each] as const))(
    '%s offers something to the host',
    (_id, each) => {
      expect(each.offered).toBeTruthy();
    },
  );

  it.each(REQUIREMENTS.flatMap((each) => (each.proofs ?? []).map(([file, title]) => [each.id, file, title] as const)))(
    '%s: %s has "%s"',
    (_id, file, title) => {
      expect(read(file).includes(title)).toBe(true);
    },
  );

  it('the page is this table', () => {
    expect(read('docs/requirements.md')).toBe(requirementsPage(REQUIREMENTS));
  });
});
