/** Whole table: each remedy of each catch passes for the same caller, holds no placeholder, and does not meet its own rule again. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Example, Remedy } from '../../internal/rule/rule.ts';
import { RULES } from '../../rules/index.gen.ts';
import { decide, said } from '../support/judge.ts';
import { remove, runLine, type Sandbox, sandbox } from '../support/sandbox.ts';

const boxes = new Map<string, Sandbox>();
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
const PLACEHOLDER = /<[a-z][a-z -]*>|\.\.\.|…|YOUR_|\bTODO\b/i;

const asExample = (remedy: Remedy, like: Example): Example | undefined => {
  const around = { given: like.given, env: like.env, cwd: like.cwd };
  if (remedy.kind === 'run') return { run: remedy.run, ...around };
  if (remedy.kind === 'call') return { tool: remedy.tool, input: remedy.input, ...around };
  return undefined;
};

describe.each(RULES.filter((rule) => rule.level === 'deny').map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
  const catches = rule.examples.catches.filter((example) => (example.gets ?? 'deny') === 'deny');

  it.each(catches.map((example) => [title(example), example] as const))('every way out passes: %s', async (_title, example) => {
    const box = boxOf(example);
    const decision = await decide(example, box);
    for (const remedy of decision.remedies) {
      let next = asExample(remedy, example);
      if (!next) continue;
      if ('run' in next) expect(next.run).not.toMatch(PLACEHOLDER);
      // A remedy that is itself advised about must come to an end within three steps.
      for (let step = 0; next; step++) {
        expect(step, 'remedies go round in a circle').toBeLessThan(3);
        const after = await decide(next, box);
        expect(after.verdict, `${JSON.stringify(next)}\n${after.says}`).not.toBe('deny');
        expect(said(after, rule.name), `the remedy meets its own rule: ${JSON.stringify(next)}`).toBeUndefined();
        const further: Remedy | undefined = after.verdict === 'advise' ? after.remedies.find((each) => each.kind === 'run') : undefined;
        next = further && asExample(further, example);
      }
    }
  });
});

/** Rules about files and git: the remedy is really run, and then the same call passes. */
describe.each(RULES.filter((rule) => rule.level === 'deny' && ['work', 'push'].includes(rule.group)).map((rule) => [rule.name, rule] as const))('%s, for real', (_name, rule) => {
  const catches = rule.examples.catches.filter((example) => (example.gets ?? 'deny') === 'deny');
  it.each(catches.map((example) => [title(example), example] as const))('%s', async (_title, example) => {
    const box = sandbox(example.given);
    const decision = await decide(example, box);
    const again = decision.remedies.find((remedy): remedy is Remedy & { kind: 'run' } => remedy.kind === 'run' && remedy.then === 'again');
    const first = again ?? decision.remedies.find((remedy): remedy is Remedy & { kind: 'run' } => remedy.kind === 'run' && /^(?:git|waygate|ls|cat|find|sed|bash -n|mkdir|mv|cp)\b/.test(remedy.run));
    if (!first) {
      expect(decision.remedies.some((remedy) => remedy.kind === 'ask' || remedy.kind === 'stop' || remedy.kind === 'call' || remedy.kind === 'run')).toBe(true);
      return;
    }
    const cwd = example.cwd ? `${box.repo}/${example.cwd}` : box.repo;
    const ran = runLine(first.run, box, cwd);
    expect(ran.code, `${first.run}\n${ran.output}`).toBe(0);
    if (first.then !== 'again') return;
    const after = await decide(example, box);
    expect(said(after, rule.name), `after ${first.run}\n${ran.output}\n${after.says}`).toBeUndefined();
    remove(box);
  });
});
