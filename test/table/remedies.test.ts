/** Whole table: each remedy of each catch passes for the same caller, holds no placeholder, and does not meet its own rule again. */
import { describe, expect, it } from 'vitest';
import type { Example, Remedy } from '../../internal/rule/rule.ts';
import { RULES } from '../../rules/index.gen.ts';
import { sharedBoxes, title } from '../support/boxes.ts';
import { decide, said } from '../support/judge.ts';

const boxOf = sharedBoxes();
const PLACEHOLDERS = /<[a-z][a-z -]*>|\.\.\.|…|YOUR_|\bTODO\b/gi;
/** A remedy that is itself advised about must come to an end within so many steps (design.md section 5). */
const STEPS = 3;

/** Placeholders of a remedy that the call itself does not hold. */
const placeholders = (run: string, call: string): readonly string[] =>
  (run.match(PLACEHOLDERS) ?? []).filter((each) => !call.includes(each));

const asExample = (remedy: Remedy, like: Example): Example | undefined => {
  const around = { given: like.given, env: like.env, cwd: like.cwd };
  if (remedy.kind === 'run') return { run: remedy.run, ...around };
  if (remedy.kind === 'call') return { tool: remedy.tool, input: remedy.input, ...around };
  return undefined;
};

describe.each(RULES.filter((rule) => rule.level !== 'notice').map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
  const { catches } = rule.examples;

  it.each(catches.map((example) => [title(example), example] as const))('every way out passes: %s', async (_title, example) => {
    const box = boxOf(example);
    const decision = await decide(example, box);
    for (const remedy of decision.remedies) {
      let next = asExample(remedy, example);
      if (!next) continue;
      expect(placeholders(title(next), title(example))).toEqual([]);
      for (let step = 0; next; step++) {
        expect(step, 'remedies go round in a circle').toBeLessThan(STEPS);
        const after = await decide(next, box);
        expect(after.verdict, `${JSON.stringify(next)}\n${after.says}`).not.toBe('deny');
        expect(said(after, rule.name), `the remedy meets its own rule: ${JSON.stringify(next)}`).toBeUndefined();
        const unread = after.effects.filter((effect) => effect['kind'] === 'unknown');
        expect(unread, `the remedy cannot be read: ${JSON.stringify(next)}`).toEqual([]);
        const further: Remedy | undefined = after.verdict === 'advise' ? after.remedies.find((each) => each.kind === 'run') : undefined;
        next = further && asExample(further, example);
      }
    }
  });
});
