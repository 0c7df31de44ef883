import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { durationOf } from './duration.ts';
import { globMatches, grantFor, isWildcard, versionOf } from './match.ts';
import type { Grant, GrantRecord, OwnerRecord } from './records.ts';
import { appendOwner, claim, decidedFor, grantsIn, readOwner, rejectionsIn } from './store.ts';

const NOW = new Date('2026-11-30T12:00:00.000Z');
const GRANT: GrantRecord = {
  t: 'grant',
  id: 'g1',
  at: '2026-11-30T11:00:00.000Z',
  until: '2026-11-30T13:00:00.000Z',
  scope: 'workspace',
  workspace: '/w',
  glob: 'git.push origin/* overwrite',
  uses: 2,
  reason: 'agreed',
};
const about = { rule: 'force-push', boundary: 'git.push origin/feat overwrite' };
const stateOf = (...records: OwnerRecord[]): Grant['dead'] => grantsIn([GRANT, ...records], NOW)[0]!.dead;

describe('a glob over boundaries', () => {
  it.each([
    ['git.push origin/feat overwrite', 'git.push origin/feat overwrite', true],
    ['git.push *', 'git.push origin/feat overwrite', true],
    ['*overwrite', 'git.push origin/feat overwrite', true],
    ['git.push */feat *', 'git.push origin/feat overwrite', true],
    ['git.push origin/feat', 'git.push origin/feat overwrite', false],
    ['git.*publish', 'git.push origin/feat overwrite', false],
    ['a*a', 'a', false],
    ['git.push origin.feat overwrite', 'git.push origin/feat overwrite', false],
  ])('%s on %s: %s', (glob, text, matched) => expect(globMatches(glob, text)).toBe(matched));
  it.each(['*', '**', ' * ', '*.*', ''])('%j would cover everything', (glob) => expect(isWildcard(glob)).toBe(true));
  it('one with a word in it would not', () => expect(isWildcard('git.*')).toBe(false));
});

describe('a grant', () => {
  it('lives until its time, its uses, or the owner end it', () => {
    expect(stateOf()).toBeUndefined();
    expect(grantsIn([GRANT], new Date('2026-11-30T13:00:00.000Z'))[0]!.dead).toBe('expired');
    expect(grantsIn([{ ...GRANT, until: 'whenever' }], NOW)[0]!.dead).toBe('expired');
    const used = (key: string): OwnerRecord => ({ t: 'used', at: '', grant: 'g1', key });
    expect(stateOf(used('a'))).toBeUndefined();
    expect(stateOf(used('a'), used('a'))).toBeUndefined();
    expect(stateOf(used('a'), used('b'))).toBe('used up');
    expect(stateOf({ t: 'revoked', at: '', id: 'g1' })).toBe('revoked');
  });

  it('is found for its rule and boundary only, the narrowest first', () => {
    const grants = grantsIn([GRANT, { ...GRANT, id: 'g2', uses: 1 }, { ...GRANT, id: 'g3', rule: 'other', uses: 1 }], NOW);
    expect(grantFor(about, { grants, rejections: [] })?.id).toBe('g2');
    expect(grantFor({ ...about, boundary: 'file.delete /a' }, { grants, rejections: [] })).toBeUndefined();
  });

  it('changes the version of a question, its uses do not', () => {
    const version = (...records: OwnerRecord[]) => versionOf(about, { grants: grantsIn(records, NOW), rejections: rejectionsIn(records) });
    expect(version()).toBe('');
    expect(version(GRANT)).toBe('g1');
    expect(version(GRANT, { t: 'used', at: '', grant: 'g1', key: 'a' })).toBe('g1');
  });
});

describe('the store', () => {
  let dir: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'waygate-grant-'));
    env = { XDG_STATE_HOME: dir };
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  const file = () => join(dir, 'waygate', 'grants.jsonl');

  it('lets as many calls through as a grant has uses, whoever comes first', () => {
    appendOwner(GRANT, env);
    const keys = ['a', 'b', 'a', 'c'];
    expect(keys.map((key) => claim(GRANT, key, NOW, env).ok)).toEqual([true, true, true, false]);
    expect(decidedFor({ workspace: '/w', session: 's', now: NOW }, env).grants[0]).toMatchObject({ dead: 'used up' });
  });

  it('skips a torn line and starts a new one behind it', () => {
    appendOwner(GRANT, env);
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}{"t":"grant","id":"to`, { mode: 0o600 });
    appendOwner({ ...GRANT, id: 'g2' }, env);
    expect(readOwner(env).map((each) => (each as GrantRecord).id)).toEqual(['g1', 'g2']);
  });

  it('counts a grant only where it was given', () => {
    appendOwner({ ...GRANT, scope: 'session', session: 's' }, env);
    appendOwner({ ...GRANT, id: 'all', scope: 'all' }, env);
    const ids = (workspace: string, session: string) => decidedFor({ workspace, session, now: NOW }, env).grants.map((each) => each.id);
    expect(ids('/w', 's')).toEqual(['g1', 'all']);
    expect(ids('/w', 'other')).toEqual(['all']);
    expect(ids('/elsewhere', 's')).toEqual(['all']);
  });
});

describe('a time', () => {
  it.each([
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0h', undefined],
    ['31d', undefined],
    ['2', undefined],
    ['-1h', undefined],
    ['2 hours', undefined],
  ])('%s is %s', (text, ms) => expect(durationOf(text)).toBe(ms));
});
