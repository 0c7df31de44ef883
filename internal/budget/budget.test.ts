import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision/record.ts';
import { countedAs, nearestKey } from './keys.ts';
import { budgetFinding, overdrawn } from './over.ts';
import { spend, spending } from './spend.ts';

const NOW = new Date('2026-11-30T12:00:00.000Z');
const shell = (...kinds: string[]) => spending({ surface: 'shell', tool: 'Bash', effects: kinds.map((kind) => ({ kind })) });

describe('the name of a budget', () => {
  it.each([
    ['push', 'git.push'],
    ['git.push', 'git.push'],
    ['spawn', 'spawns'],
    ['calls', 'calls'],
    ['seconds', 'seconds'],
    ['Bash', 'tool Bash'],
    ['mcp__db__query', 'tool mcp__db__query'],
    ['external-effect', 'category external-effect'],
    ['fetch', 'surface fetch'],
    ['pussh', undefined],
    ['constructor', undefined],
  ])('%s counts %s', (key, counted) => expect(countedAs(key)).toBe(counted));
  it.each([
    ['pussh', 'push'],
    ['cals', 'calls'],
    ['git.puhs', 'git.push'],
    ['external-efect', 'external-effect'],
  ])('%s: did you mean %s', (key, near) => expect(nearestKey(key)).toBe(near));
});

describe('spending', () => {
  it('counts kinds, tool, surface and category of a call', () => {
    expect(shell('git.push', 'git.push')).toMatchObject({
      calls: 1,
      'tool Bash': 1,
      'git.push': 2,
      effects: 1,
      'category external-effect': 1,
    });
    expect(spending({ surface: 'read', tool: 'Read', effects: [] })).toMatchObject({ reads: 1 });
  });
  it('of the guard itself is nothing but a request', () => {
    expect(spending({ surface: 'shell', tool: 'Bash', effects: [{ kind: 'guard.verb', verb: 'request' }] })).toEqual({ requests: 1 });
  });
  it('of a rehearsal or a refused call is no effect', () => {
    expect(spending({ surface: 'shell', tool: 'Bash', effects: [{ kind: 'git.push', dryRun: true }] })['git.push']).toBeUndefined();
    const denied = { verdict: 'deny', action: { surface: 'shell', tool: 'Bash' }, effects: [{ kind: 'git.push' }] } as unknown as Decision;
    expect(spend(denied)).toEqual({});
  });
});

describe('a budget', () => {
  const over = (budgets: Record<string, number>, spent: Record<string, number>, costs = shell('git.push'), startedAt?: string) =>
    overdrawn(budgets, costs, { spent, ...(startedAt ? { startedAt } : {}) }, NOW).map((each) => each.key);
  it('holds to its last call', () => {
    expect(over({ push: 2 }, { 'git.push': 1 })).toEqual([]);
    expect(over({ push: 2 }, { 'git.push': 2 })).toEqual(['push']);
    expect(over({ push: 2 }, { 'git.push': 1 }, shell('git.push', 'git.push'))).toEqual(['push']);
    expect(over({ push: 2 }, { 'git.push': 9 }, shell('git.fetch'))).toEqual([]);
  });
  it('of time runs from the start of the session', () => {
    expect(over({ seconds: 60 }, {}, shell(), '2026-11-30T11:59:30.000Z')).toEqual([]);
    expect(over({ seconds: 60 }, {}, shell(), '2026-11-30T11:59:00.000Z')).toEqual(['seconds']);
    expect(over({ seconds: 60 }, {}, shell())).toEqual([]);
  });
  it('leaves the verbs of waygate free', () => {
    const free = spending({ surface: 'shell', tool: 'Bash', effects: [{ kind: 'guard.verb', verb: 'handoff' }] });
    expect(over({ calls: 1, seconds: 1 }, { calls: 5 }, free, '2020-01-01T00:00:00.000Z')).toEqual([]);
  });
  it.each(['calls', 'seconds', 'reads', 'spawn', 'push', 'Bash', 'sensitive-data'])(
    '%s says what is spent, what remains and asks',
    (key) => {
      const finding = budgetFinding({ key, limit: 3, spent: 3, counted: countedAs(key)! });
      expect(finding.says).toContain(`\`${key}: 3\` is spent`);
      expect(finding.remedies.map((each) => each.kind)).toEqual(['ask', 'wait']);
      expect(JSON.stringify(finding.remedies)).toContain('still allowed: ');
    },
  );
});
