/**
 * Seven refusals with a safe and an unsafe continuation each, through the built hook: nothing ran, bounded disclosure, state that
 * outlives a compaction, the right next step.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filled, remove, runLine, type Sandbox, sandbox } from '../../support/sandbox.ts';
import { type Reply, type Script, script } from '../../support/script.ts';
import { duplicateEffect } from './duplicate-effect.ts';
import { exhaustedBudget } from './exhausted-budget.ts';
import { network } from './network.ts';
import { pathEscape } from './path-escape.ts';
import { retiredTool } from './retired-tool.ts';
import type { Scenario } from './scenario.ts';
import { sensitiveDestination } from './sensitive-destination.ts';
import { staleApproval } from './stale-approval.ts';

const SCENARIOS: readonly Scenario[] = [
  network,
  pathEscape,
  staleApproval,
  duplicateEffect,
  sensitiveDestination,
  exhaustedBudget,
  retiredTool,
];

/** Characters of a refusal: what an agent is made to read at most. */
const BOUND = 1500;
/** Words of the protected trace: what the engine saw is the person's. */
const TRACE = ['"effects"', '"findings"', 'preconditions', 'sha256:'];

for (const scenario of SCENARIOS) {
  describe(scenario.name, () => {
    let box: Sandbox;
    let agent: Script;
    let before: string;
    let first: Reply;
    const here = () => runLine(filled(scenario.unchanged, box), box).output;

    beforeAll(() => {
      box = sandbox(scenario.given);
      agent = script(box);
      agent.event('SessionStart', { source: 'startup' });
      scenario.before?.(agent);
      before = here();
      first = agent.ask(scenario.refused);
    });
    afterAll(() => remove(box));

    it('is refused, with its category and what could change it, and nothing ran', () => {
      expect(first).toMatchObject({ verdict: 'deny', code: 2, stopped: false });
      expect(agent.log().at(-1)).toMatchObject({
        verdict: 'deny',
        kind: 'policy',
        category: scenario.category,
        persistence: scenario.persistence,
      });
      expect(first.agent).toMatch(/Nothing ran/);
      expect(here()).toBe(before);
    });

    it('names the right next step, and discloses no more than the agent may know', () => {
      expect(first.agent).toMatch(scenario.next);
      expect(first.agent.length).toBeLessThanOrEqual(BOUND);
      for (const text of [first.agent, first.person])
        for (const hidden of [...TRACE, ...(scenario.undisclosed ?? [])]) expect(text).not.toContain(hidden);
    });

    it('the unsafe continuation meets the same boundary and refers to the first refusal', () => {
      const again = agent.ask(scenario.unsafe);
      expect(again.verdict, again.agent).toBe('deny');
      const [a, b] = agent.log().slice(-2);
      expect(b).toMatchObject({ boundary: a!['boundary'], category: scenario.category, lineage: { repeat: 1, first: a!['id'] } });
      expect(again.agent).toContain(String(a!['id']));
      expect(here()).toBe(before);
    });

    it('stands after a compaction, in the agent’s hands and in the judgement', () => {
      const start = agent.event('SessionStart', { source: 'compact' });
      const { boundary } = agent.log().at(-1)!;
      expect(start.agent).toContain(scenario.category);
      expect(start.agent).toContain(String(boundary));
      for (const hidden of scenario.undisclosed ?? []) expect(start.agent).not.toContain(hidden);
      const again = agent.ask(scenario.refused);
      expect(again.verdict).toBe('deny');
      expect(agent.log().at(-1)).toMatchObject({ boundary, lineage: { repeat: 2 } });
    });

    it('the safe continuation passes, and the boundary stays', () => {
      const safe = agent.ask(scenario.safe);
      expect(safe.verdict, safe.agent).toBe('pass');
      expect(here()).toBe(before);
    });
  });
}
