import { afterEach, describe, expect, it } from 'vitest';
import { RULES } from '../../rules/index.gen.ts';
import type { Action } from '../action/action.ts';
import type { Decision } from '../decision/record.ts';
import type { Effect } from '../effect/effect.ts';
import { effectsOf } from '../effect/effects.ts';
import { indexRules } from '../engine/evaluate.ts';
import { judge } from '../judge/judge.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { changingBefore, sureBefore } from './earlier.ts';
import { actionIn, type Sandbox, sandbox } from './fixture.ts';
import { realLook } from './look.ts';

let box: Sandbox;
afterEach(() => box?.remove());

const action = (line: string): Action => actionIn(box, line);
const effects = (line: string): readonly Effect[] => effectsOf(action(line), realLook(box.env));

/** The reads of effects' kinds that a fold over a list costs. */
function counted(list: readonly Effect[]): { grown: Effect[]; reads: () => number; add(): Effect } {
  let reads = 0;
  const grown: Effect[] = [];
  return {
    grown,
    reads: () => reads,
    add: () => {
      const effect = list[grown.length]!;
      grown.push(
        new Proxy(effect, {
          get: (target, name) => {
            if (name === 'kind') reads++;
            return Reflect.get(target, name);
          },
        }),
      );
      return effect;
    },
  };
}

describe('the earlier effects of a line', () => {
  it('2,000 stages are looked at once each, however often it is asked', () => {
    box = sandbox();
    const { grown, reads, add } = counted(effects('git add x\n'.repeat(2000)).filter((effect) => effect.kind === 'git.stage'));
    for (let i = 0; i < 2000; i++) {
      add();
      expect(changingBefore(grown, grown.length)).toEqual([]);
    }
    expect([grown.length, reads()]).toEqual([2000, 2000]);
  });

  it('a view keeps the effects it was made with while the list grows on', () => {
    box = sandbox();
    const all = effects('git switch a; mv x y; git fetch; rm y');
    const grown = [...all];
    const kinds = (count: number) => changingBefore(grown, count).map((effect) => effect.kind);
    expect(kinds(1)).toEqual(['git.switch']);
    expect(kinds(all.length)).toEqual(['git.switch', 'file.move', 'git.fetch']);
    expect(kinds(2)).toEqual(['git.switch', 'file.move']);
  });

  it('what has certainly run is found by its step', () => {
    box = sandbox();
    const all = effects('git stash && git add x && rm x');
    const asking = all.find((effect) => effect.kind === 'file.delete');
    expect(sureBefore(asking, all, all.length).map((effect) => effect.kind)).toEqual(['git.stash', 'git.stage']);
    expect(sureBefore(asking, all, 1).map((effect) => effect.kind)).toEqual(['git.stash']);
    expect(sureBefore(undefined, all, 2)).toHaveLength(2);
  });
});

describe('a long line with real facts', () => {
  /** Processor time of a judgement in milliseconds: a busy machine hardly changes it. */
  function judged(times: number): { decision: Decision; ms: number } {
    const call = action('git add src/app.ts\n'.repeat(times));
    const look = realLook(box.env);
    const policy = DEFAULT_POLICY;
    const before = process.cpuUsage();
    const facts = () => box.facts();
    const decision = judge(call, { rules: indexRules(RULES), policy, look, facts, waygate: 'waygate', now: () => new Date(0) });
    const { user, system } = process.cpuUsage(before);
    return { decision, ms: (user + system) / 1000 };
  }

  it('2,000 times `git add` costs no more for each than 500, with a handful of questions to git, below the deadline', () => {
    box = sandbox();
    const short = judged(500);
    const long = judged(2000);
    const stages = long.decision.effects.filter((effect) => effect['kind'] === 'git.stage');
    expect([long.decision.verdict, stages.length]).toEqual(['pass', 2000]);
    expect(long.decision.took.git).toBeLessThan(10);
    expect(long.ms / short.ms).toBeLessThan(8);
    expect(long.ms).toBeLessThan(2000);
  });
});
