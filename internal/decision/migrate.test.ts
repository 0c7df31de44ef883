import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES, PERSISTENCES } from './category.ts';
import { isCurrent, migrated } from './migrate.ts';
import { SCHEMA } from './record.ts';

/** As a version before this one wrote it: other names, no reason revision, fields missing. */
const OLDER = {
  schema: 0,
  id: '01OLD',
  at: '2026-08-01T09:00:00.000Z',
  session: 's',
  verdict: 'block',
  category: 'data-loss',
  persistence: 'permanent',
  action: { tool: 'Bash', summary: 'rm -rf /' },
  says: 'It would be lost.',
};

/** As a later version might write it: members of closed sets that nobody here knows, and fields on top. */
const NEWER = {
  schema: 7,
  id: '01NEW',
  at: '2027-08-01T09:00:00.000Z',
  host: 'claude-code',
  session: 's',
  policy: 'sha256:x',
  action: { surface: 'hologram', tool: 'Beam', digest: 'sha256:y', summary: 'beam it' },
  verdict: 'defer',
  kind: 'negotiated',
  category: 'orbital',
  persistence: 'geological',
  effects: [],
  findings: [],
  remedies: [{ kind: 'teleport' }],
  notices: [],
  reasonRevision: 9,
  took: { ms: 1, git: 0 },
  quantum: true,
};

const PRESENT = {
  ...NEWER,
  schema: SCHEMA,
  verdict: 'deny',
  kind: 'policy',
  category: 'work-loss',
  persistence: 'state-change',
  remedies: [],
  reasonRevision: 1,
};

describe('records of other versions', () => {
  it('a present record is returned as it is', () => {
    expect(migrated(PRESENT)).toBe(PRESENT);
    expect(isCurrent(migrated(PRESENT))).toBe(true);
  });

  it('an older record: its names are read, a permanent refusal stays one for the whole run', () => {
    const read = migrated(OLDER);
    expect(read).toMatchObject({
      id: '01OLD',
      verdict: 'deny',
      category: 'work-loss',
      persistence: 'not-in-this-run',
      writtenAs: 0,
      reasonRevision: 0,
      remedies: [],
    });
    expect(read.says).toBe(OLDER.says);
    expect(isCurrent(read)).toBe(false);
  });

  it('a newer record is history: an unknown verdict is no allow, an unknown category no execution, and both are named for review', () => {
    const read = migrated(NEWER);
    expect(read).toMatchObject({
      verdict: 'deny',
      category: 'policy-unavailable',
      persistence: 'not-in-this-run',
      kind: 'unavailable',
      writtenAs: 7,
    });
    expect(read.unread).toEqual(['verdict defer', 'category orbital', 'persistence geological', 'kind negotiated']);
    expect(isCurrent(read)).toBe(false);
  });

  it('a refusal without category or persistence gets the strictest of both', () => {
    const { category: _category, persistence: _persistence, ...bare } = PRESENT;
    expect(migrated(bare)).toMatchObject({ verdict: 'deny', category: 'policy-unavailable', persistence: 'not-in-this-run' });
  });

  it('whatever stands in a record, what is not known never passes and never becomes a matter of time', () => {
    const known = new Set<unknown>(['pass', 'notice', 'advise', 'allow']);
    const transient = new Set<unknown>(['time', 'transient', 'retry']);
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('schema', 'verdict', 'category', 'persistence', 'kind', 'action', 'effects', 'remedies', 'at'),
          fc.jsonValue(),
        ),
        (raw) => {
          const read = migrated(raw);
          if (!known.has(raw['verdict'])) expect(read.verdict).toBe('deny');
          if (!transient.has(raw['persistence'])) expect(read.persistence).not.toBe('time');
          if (read.verdict === 'deny') {
            expect(CATEGORIES).toContain(read.category);
            expect(PERSISTENCES).toContain(read.persistence);
          }
          expect(Array.isArray(read.remedies) && Array.isArray(read.effects)).toBe(true);
        },
      ),
    );
    expect(migrated(undefined).verdict).toBe('deny');
    expect(migrated([1]).verdict).toBe('deny');
  });
});
