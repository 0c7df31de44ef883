/** Whole table: each example in isolation and against all rules, in a real repository made from its `given`, in all its wrappings. */
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../internal/decision/record.ts';
import type { AnyRule, Example, Wrapping } from '../../internal/rule/rule.ts';
import { sharedBoxes, title } from '../support/boxes.ts';
import { decide, said } from '../support/judge.ts';
import { WRAPPINGS } from '../support/wrappings.ts';

const RANK = { notice: 1, advise: 2, deny: 3 } as const;
const expected = (rule: AnyRule, example: Example) => example.gets ?? (rule.level === 'off' ? 'advise' : rule.level);
const spoken = (decision: Decision) =>
  `${decision.says ?? ''}\n${decision.findings.map((finding) => `${finding.rule}: ${finding.says}`).join('\n')}`;

/** The tests of these rules' examples. Files call it with a part of the table each, so that they run side by side. */
export function examplesOf(rules: readonly AnyRule[]): void {
  const boxOf = sharedBoxes();
  for (const rule of rules) {
    const { catches, allows } = rule.examples;
    describe(rule.name, () => {
      it.each(catches.map((example) => [title(example), example] as const))('catches: %s', async (_title, example) => {
        const decision = await decide(example, boxOf(example));
        expect(said(decision, rule.name), spoken(decision)).toBe(expected(rule, example));
        if (expected(rule, example) !== 'deny') return;
        expect(decision.verdict).toBe('deny');
        expect(decision.remedies.length).toBeGreaterThan(0);
      });

      it.each(allows.map((example) => [title(example), example] as const))('allows: %s', async (_title, example) => {
        const decision = await decide(example, boxOf(example));
        expect(said(decision, rule.name), spoken(decision)).toBeUndefined();
        expect(decision.verdict, spoken(decision)).not.toBe('deny');
      });

      for (const [name, example] of wrapped(rule, catches))
        it(`never weaker when wrapped, ${name}`, async () => {
          const decision = await decide(example, boxOf(example));
          const got = said(decision, rule.name);
          expect(got ? RANK[got] : 0, spoken(decision)).toBeGreaterThanOrEqual(RANK[expected(rule, example)]);
        });

      for (const [name, example] of wrapped(rule, allows))
        it(`never stronger when wrapped, ${name}`, async () => {
          const decision = await decide(example, boxOf(example));
          expect(said(decision, rule.name), spoken(decision)).toBeUndefined();
        });
    });
  }
}

/** The examples that are shell lines, in each wrapping that fits and that the rule does not declare to change its meaning. */
function wrapped(rule: AnyRule, examples: readonly Example[]): [string, Example][] {
  return examples.flatMap((example) => {
    if (!('run' in example)) return [];
    return (Object.keys(WRAPPINGS) as Wrapping[]).flatMap((wrapping): [string, Example][] => {
      const run = rule.wrappings?.[wrapping] ? undefined : WRAPPINGS[wrapping](example.run);
      return run === undefined ? [] : [[`${wrapping}: ${run.slice(0, 120)}`, { ...example, run }]];
    });
  });
}
