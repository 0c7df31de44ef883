import { describe, expect, it } from 'vitest';
import type { AnyRule, Level } from '../rule/rule.ts';
import { inForce, untrustedNote } from './in-force.ts';
import { DEFAULT_POLICY, type Policy, type RulePolicy } from './policy.ts';

const rule = (more: Partial<AnyRule>): AnyRule =>
  ({
    name: 'a',
    group: 'run',
    level: 'deny',
    options: { seconds: { what: 'w', default: 60, loosens: 'up' } },
    ...more,
  }) as AnyRule;

const set = (level: Level, more: Partial<RulePolicy> = {}): Partial<Policy> => ({
  rules: { a: { level, origin: { file: 'waygate.yaml', line: 3 }, options: {}, ...more } },
});

describe('what is in force for a rule', () => {
  const cases: [string, Partial<AnyRule>, Partial<Policy>, Level, number | undefined][] = [
    ['its default where no file says anything', {}, {}, 'deny', 60],
    ['what a file says', {}, set('advise', { options: { seconds: 90 } }), 'advise', 90],
    ['a fixed rule, whatever a file says', { fixed: true }, set('off'), 'deny', undefined],
    ['a fixed rule under preset safety', { fixed: true }, { preset: 'safety' }, 'deny', undefined],
    ['preset safety: rules about habits advise', {}, { preset: 'safety' }, 'advise', 60],
    ['preset safety: rules about losses deny', { group: 'work' }, { preset: 'safety' }, 'deny', 60],
    ['preset safety lifts nothing', { level: 'notice' }, { preset: 'safety' }, 'notice', 60],
    ['a name that every object has', { name: 'constructor' }, {}, 'deny', 60],
  ];
  it.each(cases)('%s', (_name, own, policy, level, seconds) => {
    const found = inForce(rule(own), { ...DEFAULT_POLICY, ...policy });
    expect([found.level, found.options['seconds']]).toEqual([level, seconds]);
  });
});

describe('why a rule still stands', () => {
  it.each([
    [undefined, undefined],
    ['trust', 'lowered in waygate.yaml:4, not yet trusted'],
    ['session', 'lowered in waygate.yaml:4, which counts from the next session on'],
  ] as const)('waits for %s', (waits, text) => {
    const untrusted = waits && { level: 'off' as const, origin: { file: 'waygate.yaml', line: 4 }, waits };
    expect(untrustedNote({ ...DEFAULT_POLICY, ...set('deny', untrusted ? { untrusted } : {}) }, 'a')).toBe(text);
  });
});
