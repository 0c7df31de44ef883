import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '../effect/effect.ts';
import type { AnyRule } from '../rule/rule.ts';
import { loadChange, policyChange } from './change.ts';
import { policyFor } from './current.ts';
import { type Ground, ground, RULES } from './fixture.ts';
import { inForce, untrustedNote } from './in-force.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';
import { rootOf } from './roots.ts';
import { snapshotFile } from './snapshot.ts';
import { addTrust } from './trust.ts';

let at: Ground;
beforeEach(() => {
  at = ground();
});
afterEach(() => at.remove());

const ask = (more: { session?: string; record?: boolean; effects?: readonly Effect[]; cwd?: string } = {}): Promise<Policy> =>
  policyFor(at.action({ caller: { session: more.session ?? 's1' }, ...(more.cwd ? { cwd: more.cwd } : {}) }), {
    rules: RULES,
    places: at.places,
    record: more.record ?? true,
    effects: more.effects ?? [],
  });
const rule = (name: string): AnyRule => RULES.find((each) => each.name === name)!;
const level = (policy: Policy, name: string) => inForce(rule(name), policy).level;
const trustAll = async () => addTrust(at.places, (await ask({ record: false })).untrusted, new Date(0));

describe('the policy of a call', () => {
  it('no file at all: the default', async () => {
    expect(await ask()).toBe(DEFAULT_POLICY);
  });

  it('is compiled once, then read from the snapshot', async () => {
    at.put('waygate.yaml', 'rules: { busy-wait: deny }');
    const cold = await ask();
    const stored = snapshotFile(at.root, at.places);
    // a snapshot that says something else proves that it is what is read
    const [, body = ''] = readFileSync(stored, 'utf8').split('\n');
    expect(JSON.parse(body).policy.revision).toBe(cold.revision);
    expect(await ask()).toEqual(cold);
  });

  it.each([
    ['the file changes', () => at.put('waygate.yaml', 'rules: { busy-wait: advise }')],
    [
      'the file changes with the same size and time',
      () => {
        const path = at.put('waygate.yaml', 'rules: { busy-wait: off!}'.slice(0, 20).concat('deny', ' #'));
        utimesSync(path, 1000, 1000);
      },
    ],
    ['the file goes', () => rmSync(join(at.root, 'waygate.yaml'))],
    ["the user's file comes", () => at.put('~/.config/waygate/waygate.yaml', 'rules: { test-skip: advise }')],
    ['an extended file changes', () => at.put('team.yaml', 'cost: tight')],
  ])('is compiled again when %s', async (_name, change) => {
    at.put('team.yaml', 'cost: watch');
    const path = at.put('waygate.yaml', 'extends: [./team.yaml]\nrules: { busy-wait: deny }');
    utimesSync(path, 1000, 1000);
    const before = await ask({ record: false });
    await ask({ session: 'first' });
    change();
    expect((await ask({ record: false })).revision).not.toBe(before.revision);
  });

  it.each([
    ['torn', (text: string) => text.slice(0, -20)],
    ['forged without its digest', (text: string) => text.replace('"deny"', '"off"')],
    ['empty', () => ''],
    ['no JSON', () => 'sha256:abc\n{'],
  ])('a snapshot that is %s is made again', async (_name, spoil) => {
    at.put('waygate.yaml', 'rules: { busy-wait: deny }');
    const good = await ask();
    const stored = snapshotFile(at.root, at.places);
    writeFileSync(stored, spoil(readFileSync(stored, 'utf8')));
    expect((await ask()).revision).toBe(good.revision);
    expect(level(await ask(), 'busy-wait')).toBe('deny');
  });

  it('a snapshot of another table of rules is not read', async () => {
    at.put('waygate.yaml', 'rules: { busy-wait: deny }');
    await ask();
    const policy = await policyFor(at.action(), { rules: RULES.slice(0, 2), places: at.places, record: false });
    expect(policy.errors[0]?.message).toBe('unknown rule "busy-wait"');
  });

  it('a state folder that is a file costs nothing but time', async () => {
    mkdirSync(join(at.places.home, '.local/state'), { recursive: true });
    writeFileSync(at.places.state, 'in the way');
    at.put('waygate.yaml', 'rules: { busy-wait: deny }');
    expect(level(await ask(), 'busy-wait')).toBe('deny');
  });

  it('both files broken: the defaults, and the errors', async () => {
    at.put('waygate.yaml', 'version: 1\nrules: [unclosed\n');
    at.put(at.places.user, 'version: 1\nrules: [unclosed\n');
    const policy = await ask();
    expect(policy.errors.length).toBeGreaterThanOrEqual(2);
    expect(policy.revision).toBe('sha256:default');
  });

  it('a policy file that is a folder or a dangling link is reported or absent, never a crash', async () => {
    mkdirSync(join(at.root, 'waygate.yaml'));
    expect((await ask()).errors[0]?.message).toBe('not a regular file');
    rmSync(join(at.root, 'waygate.yaml'), { recursive: true });
    symlinkSync('/nowhere', join(at.root, 'waygate.yaml'));
    expect((await ask()).errors).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('a file that cannot be read is reported', async () => {
    chmodSync(at.put('waygate.yaml', 'version: 1'), 0);
    expect((await ask()).errors[0]?.message).toMatch(/cannot be read/);
  });
});

describe('a session keeps what it started with as its floor', () => {
  it('a loosening trusted later counts for later sessions only', async () => {
    at.put('waygate.yaml', 'rules:\n  file-delete: off\n');
    expect(level(await ask({ session: 'old' }), 'file-delete')).toBe('deny');
    await trustAll();
    const old = await ask({ session: 'old' });
    expect(level(old, 'file-delete')).toBe('deny');
    expect(untrustedNote(old, 'file-delete')).toBe('lowered in waygate.yaml:2, which counts from the next session on');
    expect(level(await ask({ session: 'new' }), 'file-delete')).toBe('off');
  });

  it('tightening counts at once, and taking it back does not fall below the start', async () => {
    at.put('waygate.yaml', 'rules: { busy-wait: deny }');
    await ask();
    at.put('waygate.yaml', 'rules: { busy-wait: deny, test-skip: advise }');
    expect(level(await ask(), 'test-skip')).toBe('advise');
    at.put('waygate.yaml', 'version: 1');
    expect([level(await ask(), 'busy-wait'), level(await ask(), 'test-skip')]).toEqual(['deny', 'notice']);
    expect(level(await ask({ session: 's2' }), 'busy-wait')).toBe('advise');
  });

  it('options, lists and the preset have the floor too', async () => {
    await ask();
    at.put('waygate.yaml', 'preset: safety\nregenerable: ["x/**"]\nrules: { read-navigation: { lines: 900 } }\nowner: ask');
    await trustAll();
    const policy = await ask();
    expect([policy.preset, policy.regenerable, policy.owner, inForce(rule('read-navigation'), policy).options['lines']]).toEqual([
      'strict',
      [],
      'request',
      300,
    ]);
    expect((await ask({ session: 'new' })).regenerable).toHaveLength(1);
  });

  it('a torn floor counts as the default', async () => {
    at.put('waygate.yaml', 'rules: { file-delete: off }');
    await trustAll();
    expect(level(await ask(), 'file-delete')).toBe('off');
    const folder = join(at.places.state, 'policy/sessions');
    writeFileSync(join(folder, readdirSync(folder)[0]!), 'sha256:x');
    expect(level(await ask(), 'file-delete')).toBe('deny');
  });

  it('a what-if writes nothing', async () => {
    at.put('waygate.yaml', 'rules: { busy-wait: deny }');
    await ask({ record: false });
    expect(() => readdirSync(at.places.state)).toThrow();
  });
});

describe('several repositories', () => {
  it('the strictest of all that a call touches', async () => {
    const other = ground();
    other.put('waygate.yaml', 'rules: { busy-wait: deny }');
    const effect = {
      kind: 'file.delete',
      cwd: at.root,
      targets: [{ path: `${other.root}/src/a`, prefix: `${other.root}/src/a`, raw: 'a' }],
    } as unknown as Effect;
    expect(level(await ask(), 'busy-wait')).toBe('advise');
    expect(level(await ask({ effects: [effect] }), 'busy-wait')).toBe('deny');
    expect(level(await ask({ cwd: other.root }), 'busy-wait')).toBe('deny');
    other.remove();
  });

  it('a looser repository gains nothing over the one of the session', async () => {
    const other = ground();
    other.put('waygate.yaml', 'rules: { file-delete: off }\nregenerable: ["out/**"]');
    addTrust(at.places, (await policyFor(other.action(), { rules: RULES, places: at.places, record: false })).untrusted, new Date(0));
    const policy = await ask({ cwd: other.root, record: false });
    expect(level(policy, 'file-delete')).toBe('deny');
    // what it may make again lies below its own root only
    expect(policy.regenerable).toEqual([`${other.root}/out/**`]);
    other.remove();
  });

  it('finds the root of a folder, of a file of git, and none', () => {
    at.put('sub/deep/a', '');
    expect(rootOf(`${at.root}/sub/deep`)).toBe(at.root);
    expect(rootOf(at.places.home)).toBeUndefined();
    expect(rootOf('/nowhere/at/all')).toBeUndefined();
  });
});

describe('what a write would change', () => {
  beforeEach(() => loadChange(RULES));
  const cases: readonly [string, string | undefined, string | undefined, string][] = [
    ['the same', 'a: 1', 'a: 1', 'same'],
    ['a comment', 'rules: { busy-wait: deny }', '# why\nrules: { busy-wait: deny }', 'same'],
    ['a new file without anything', undefined, 'version: 1\n', 'same'],
    ['a raised rule', 'version: 1', 'rules: { busy-wait: deny }', 'tighter'],
    ['a lowered rule', 'version: 1', 'rules: { file-delete: advise }', 'looser'],
    ['one raised, one lowered', 'version: 1', 'rules: { busy-wait: deny, file-delete: advise }', 'looser'],
    ['a tightening taken out', 'rules: { busy-wait: deny }', 'version: 1', 'looser'],
    ['a loosening taken out', 'rules: { file-delete: off }', 'version: 1', 'tighter'],
    ['from off to advise', 'rules: { file-delete: off }', 'rules: { file-delete: advise }', 'tighter'],
    ['the preset', undefined, 'preset: safety', 'looser'],
    ['back to strict', 'preset: safety', 'preset: strict', 'tighter'],
    ['the file deleted', 'rules: { busy-wait: deny }', undefined, 'looser'],
    ['a file that only loosens deleted', 'preset: safety', undefined, 'tighter'],
    ['broken, with a tightening lost', 'rules: { busy-wait: deny }', 'rules: [', 'looser'],
    ['a custom rule more', 'version: 1', 'custom: [{ rule: own, verdict: deny, on: { run: a }, says: b }]', 'tighter'],
    ['a custom rule less', 'custom: [{ rule: own, verdict: deny, on: { run: a }, says: b }]', 'version: 1', 'looser'],
    ['a mistyped name', 'rules: { busy-wait: deny }', 'rules: { busy-wate: deny }', 'looser'],
  ];
  it.each(cases)('%s', (_name, before, after, expected) => {
    expect(policyChange(`${at.root}/waygate.yaml`, before, after).change).toBe(expected);
  });
});
