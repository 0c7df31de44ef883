import { describe, expect, it } from 'vitest';
import { DIRECTIONS, directionOf, loosens, optionDirection } from './direction.ts';
import { RULES } from './fixture.ts';
import { policySchema } from './schema.ts';

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

/** Every key of a JSON schema: `protected.branches`, `budgets.*`. Keys inside of a list belong to the list. */
function keysOf(schema: Schema, path: readonly string[] = []): readonly string[] {
  const own = Object.entries(schema.properties ?? {});
  const named = typeof schema.additionalProperties === 'object' ? [['*', schema.additionalProperties] as const] : [];
  const below = [...own, ...named].flatMap(([name, child]) => keysOf(child, [...path, name]));
  return path.length > 0 ? [path.join('.'), ...below] : below;
}

/** A key has a direction when it, or a key it is a part of, is in the table; a group of keys when each of its keys has one. */
function hasDirection(key: string, all: readonly string[]): boolean {
  const parts = key.split('.');
  const forms = parts.map((_, index) => [
    parts.slice(0, index + 1).join('.'),
    [parts[0], ...parts.slice(1, index + 1).map(() => '*')].join('.'),
  ]);
  if (forms.flat().some((form) => Object.hasOwn(DIRECTIONS, form))) return true;
  const children = all.filter((other) => other.startsWith(`${key}.`));
  return children.length > 0 && children.every((child) => hasDirection(child, []));
}

describe('directions', () => {
  const keys = keysOf(policySchema(RULES) as Schema);

  it('the walk sees the whole schema', () => {
    for (const key of ['preset', 'rules.file-delete', 'protected.branches', 'budgets.*', 'gate.command', 'custom', 'deadline'])
      expect(keys).toContain(key);
    expect(keys).not.toContain('rules.owner-verb');
  });

  it.each(keys)('%s has one', (key) => {
    const known = key === 'custom' || key === 'rules' || hasDirection(key, keys);
    expect(known, `add ${key} to DIRECTIONS: until then every change of it counts as loosening`).toBe(true);
  });

  it('a key without one loosens with every change', () => {
    expect(loosens(directionOf('something.new'), undefined, 1)).toBe(true);
    expect(loosens(directionOf('something.new'), 1, 1)).toBe(false);
  });

  const cases: readonly [string, unknown, unknown, boolean][] = [
    ['preset', 'strict', 'safety', true],
    ['preset', 'safety', 'strict', false],
    ['rules.x', 'deny', 'advise', true],
    ['rules.x', 'off', 'advise', false],
    ['rules.x', 'notice', 'off', true],
    ['rules.x', 'notice', 'advise', false],
    ['regenerable', ['a'], ['a', 'b'], true],
    ['regenerable', ['a', 'b'], ['a'], false],
    ['protected.branches', undefined, ['a'], false],
    ['protected.branches', ['a', 'b'], ['a'], true],
    ['network.allow', undefined, [], false],
    ['network.allow', [], ['a'], true],
    ['network.allow', ['a'], undefined, true],
    ['budgets.push', undefined, 5, false],
    ['budgets.push', 5, 6, true],
    ['budgets.push', 5, undefined, true],
    ['owner', 'request', 'ask', true],
    ['cost', 'off', 'tight', false],
    ['cost', 'tight', 'watch', true],
    ['gate', undefined, { command: 'true' }, false],
    ['gate', { command: 'npm test' }, { command: 'true' }, true],
    ['gate', { command: 'npm test' }, undefined, true],
    ['generated', [{ files: 'a' }], [], true],
    ['generated', [], [{ files: 'a' }], true],
    ['skills', [], [{ skill: 'a', source: 'b', installed: 'c' }], false],
    ['custom.x', undefined, { rule: 'x' }, false],
    ['custom.x', { rule: 'x' }, undefined, true],
    ['custom.x', { rule: 'x', verdict: 'deny' }, { verdict: 'deny', rule: 'x' }, false],
    ['runner', undefined, { targets: {} }, true],
    ['runner', { combine: 'args' }, { combine: 'none' }, true],
    ['environment.A_', undefined, { names: [] }, false],
    ['environment.A_', { names: [] }, { names: ['A_B'] }, true],
    ['environment.A_', { names: [] }, undefined, true],
    ['skills', [{ topic: 'a' }], [], true],
    ['deadline', 2000, 100, true],
  ];
  it.each(cases)('%s from %j to %j loosens: %s', (key, before, after, expected) => {
    expect(loosens(directionOf(key), before, after)).toBe(expected);
  });

  it.each([
    ['up', 10, 20, true],
    ['up', 20, 10, false],
    ['down', 10, 5, true],
    ['down', true, false, true],
    ['down', false, true, false],
    ['change', 'a', 'b', true],
  ] as const)('an option that loosens %s from %s to %s: %s', (way, before, after, expected) => {
    expect(loosens(optionDirection(way, before), before, after)).toBe(expected);
  });
});
