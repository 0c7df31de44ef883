/** Whole table: each example in isolation and against all rules, in a real repository made from its `given`. */
import { afterAll, describe, expect, it } from 'vitest';
import type { AnyRule, Example, Wrapping } from '../../internal/rule/rule.ts';
import { RULES } from '../../rules/index.gen.ts';
import { decide, said } from '../support/judge.ts';
import { remove, type Sandbox, sandbox } from '../support/sandbox.ts';
import { WRAPPINGS } from '../support/wrappings.ts';

const boxes = new Map<string, Sandbox>();
/** Examples with the same `given` share a sandbox: judging changes nothing. */
function boxOf(example: Example): Sandbox {
  const key = JSON.stringify(example.given ?? []);
  const known = boxes.get(key);
  if (known) return known;
  const box = sandbox(example.given);
  boxes.set(key, box);
  return box;
}
afterAll(() => {
  for (const box of boxes.values()) remove(box);
});

const title = (example: Example): string => ('run' in example ? example.run : `${example.tool} ${JSON.stringify(example.input)}`).slice(0, 120);
const RANK = { notice: 1, advise: 2, deny: 3 } as const;
const expected = (rule: AnyRule, example: Example) => example.gets ?? (rule.level === 'off' ? 'advise' : rule.level);

describe.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
  const { catches, allows } = rule.examples;

  it.each(catches.map((example) => [title(example), example] as const))('catches: %s', async (_title, example) => {
    const decision = await decide(example, boxOf(example));
    expect(said(decision, rule.name), decision.findings.map((finding) => `${finding.rule}: ${finding.says}`).join('\n')).toBe(expected(rule, example));
    if (expected(rule, example) !== 'deny') return;
    expect(decision.verdict).toBe('deny');
    expect(decision.remedies.length).toBeGreaterThan(0);
  });

  it.each(allows.map((example) => [title(example), example] as const))('allows: %s', async (_title, example) => {
    const decision = await decide(example, boxOf(example));
    expect(said(decision, rule.name)).toBeUndefined();
    expect(decision.verdict, decision.findings.map((finding) => `${finding.rule}: ${finding.says}`).join('\n')).not.toBe('deny');
  });

  const wrapped = (examples: readonly Example[]) =>
    examples.flatMap((example) =>
      'run' in example
        ? (Object.keys(WRAPPINGS) as Wrapping[]).flatMap((wrapping) => {
            if (rule.wrappings?.[wrapping]) return [];
            const run = WRAPPINGS[wrapping](example.run);
            return run === undefined ? [] : [[`${wrapping}: ${run.slice(0, 120)}`, { ...example, run } as Example, example] as const];
          })
        : [],
    );

  const stronger = wrapped(catches);
  if (stronger.length > 0)
    it.each(stronger)('never weaker when wrapped, %s', async (_title, example) => {
      const decision = await decide(example, boxOf(example));
      const got = said(decision, rule.name);
      expect(got ? RANK[got] : 0, decision.findings.map((finding) => `${finding.rule}: ${finding.says}`).join('\n')).toBeGreaterThanOrEqual(RANK[expected(rule, example)]);
    });

  const weaker = wrapped(allows);
  if (weaker.length > 0)
    it.each(weaker)('never stronger when wrapped, %s', async (_title, example) => {
      const decision = await decide(example, boxOf(example));
      expect(said(decision, rule.name)).toBeUndefined();
    });
});
