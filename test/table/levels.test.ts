/** Whole table: what a workspace may set. Advice lets the call through, off says nothing, and a notice cannot be made to refuse. */
import { describe, expect, it } from 'vitest';
import { readLayer } from '../../internal/policy/reading.ts';
import { RULES } from '../../rules/index.gen.ts';
import { sharedBoxes, title } from '../support/boxes.ts';
import { decide, said } from '../support/judge.ts';

const boxOf = sharedBoxes();
const WORKSPACE = { kind: 'workspace', path: '/code/waygate.yaml', root: '/code', scope: '/code', free: false } as const;

/** What the compiler makes of a policy file with one rule in it. */
function read(name: string, verdict: string): { errors: readonly string[]; set: readonly string[] } {
  const { errors, entries } = readLayer(WORKSPACE, RULES, () => ({ text: `version: 1\nrules:\n  ${name}: ${verdict}\n` }));
  return { errors: errors.map((error) => error.message), set: entries.map((entry) => `${entry.key} ${String(entry.value)}`) };
}

describe.each(RULES.filter((rule) => !rule.fixed).map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
  const first = rule.examples.catches.find((example) => (example.gets ?? rule.level) === rule.level) ?? rule.examples.catches[0];

  if (rule.level === 'deny')
    it(`set to advise it lets through: ${title(first)}`, async () => {
      const decision = await decide(first, boxOf(first), { level: { rule: rule.name, level: 'advise' } });
      expect(said(decision, rule.name)).toBe('advise');
      const others = decision.findings.filter((finding) => finding.rule !== rule.name && finding.verdict === 'deny');
      if (others.length === 0) expect(decision.verdict, decision.says).not.toBe('deny');
    });

  it(`off is silent: ${title(first)}`, async () => {
    const decision = await decide(first, boxOf(first), { level: { rule: rule.name, level: 'off' } });
    expect(said(decision, rule.name)).toBeUndefined();
    expect(decision.notices.map((notice) => notice.rule)).not.toContain(rule.name);
  });

  if (rule.level === 'notice')
    it('cannot be set to deny, and the error says why', () => {
      const { errors, set } = read(rule.name, 'deny');
      expect(errors).toEqual([`rule "${rule.name}" is a notice and cannot deny: ${rule.whyNotice}`]);
      expect(set).toEqual([]);
    });

  it.each([rule.name, ...(rule.aliases ?? [])])('can be set as %s', (name) => {
    expect(read(name, 'off')).toEqual({ errors: [], set: [`rules.${rule.name} off`] });
  });
});
