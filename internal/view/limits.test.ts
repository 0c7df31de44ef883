import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../rules/index.gen.ts';
import { inForce } from '../policy/in-force.ts';
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts';
import { LIMITS_LENGTH, type LimitsHere, limitsView, TOLD_RULES } from './limits.ts';

const policyWith = (more: Partial<Policy>): Policy => ({ ...DEFAULT_POLICY, ...more });
const here = (policy: Policy, more: Partial<LimitsHere> = {}): LimitsHere => ({
  root: '/code/repo',
  policy,
  level: (name) => {
    const rule = RULES.find((each) => each.name === name);
    return rule && inForce(rule, policy).level;
  },
  spent: () => 0,
  waygate: 'waygate',
  ...more,
});
const set = (level: 'off' | 'advise', ...names: string[]): Policy['rules'] =>
  Object.fromEntries(names.map((name) => [name, { level, origin: { file: 'waygate.yaml', line: 1 }, options: {} }]));

describe('the limits an agent is told up front', () => {
  it('name what is writable, protected and refused, network, budgets, gate, and where to ask', () => {
    const text = limitsView(
      here(
        policyWith({
          protected: { branches: ['stable'], paths: ['/code/repo/infra/**'] },
          network: { allow: ['api.example'] },
          budgets: { push: 5 },
          gate: { command: 'npm test', branches: ['**'] },
        }),
        { spent: (budget) => (budget === 'push' ? 2 : 0) },
      ),
    );
    for (const part of [
      '/code/repo',
      'infra/**',
      'skipping hooks',
      'stable',
      'only api.example and this machine',
      'push 3 of 5 left',
      '`npm test`',
      'waygate request',
      'changes nothing',
      'the way out',
      'credentials',
    ])
      expect(text).toContain(part.replace('the way out', 'its way out'));
    expect(text.length).toBeLessThanOrEqual(LIMITS_LENGTH);
  });

  it('a rule that is off or only advises is not listed', () => {
    const text = limitsView(here(policyWith({ rules: { ...set('off', 'stash-drop'), ...set('advise', 'package-publish') } })));
    expect(text).not.toContain('dropping stashes');
    expect(text).not.toContain('publishing packages');
    expect(text).toContain('overwriting commits on a remote');
  });

  it('says that hosts are not judged where nobody named any, and that the network is closed where the list is empty', () => {
    expect(limitsView(here(DEFAULT_POLICY))).toContain('network: not limited by host');
    expect(limitsView(here(policyWith({ network: { allow: [] } })))).toContain('network: closed');
  });

  it('every rule with words here exists, and its words are told while it denies', () => {
    const names = RULES.map((rule) => rule.name);
    expect(TOLD_RULES.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('stays within its bound whatever a policy holds, and shows no hidden character', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), fc.dictionary(name, fc.nat(), { maxKeys: 40 }), name, (names, budgets, root) => {
        const policy = policyWith({
          protected: { branches: names, paths: names },
          network: { allow: names },
          budgets,
          gate: { command: names.join(' '), branches: names },
        });
        const text = limitsView(here(policy, { root, waygate: names.join('/') || 'waygate' }));
        expect(text.length).toBeLessThanOrEqual(LIMITS_LENGTH);
        expect(/\p{Cf}|\r|\u001b/u.test(text)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});
