/** Which target looks like the gate: the aggregate of tests and checks. A proposal for `init`; only a declared gate is enforced. */
import type { Role, Runner, Target } from './profile.ts';
import { closureOf, included } from './resolve.ts';
import { roleOf } from './roles.ts';

/** What each part of a gate is worth. */
const WORTH: Partial<Record<Role, number>> = { test: 4, lint: 2, types: 2, build: 1, format: 1 };
/** Names that say so. */
const NAMED: readonly (readonly [RegExp, number])[] = [
  [/^ci$/, 4],
  [/^(verify|validate|gate|preflight|(check|verify|validate|ci)[-_:]?(all|full|everything))$/i, 3],
  [/^(check|checks|pre-?push|pre-?commit|qa)$/, 2],
  [/^test$/, 1],
];
/** What leaves the machine or changes others' state is no gate. */
const LEAVES = /^(deploy|release|publish|push|ship|version|upload)/;

export interface Gate {
  target: Target;
  /** To be pasted at the top of the workspace. */
  command: string;
}

/** The best candidate at the top of the workspace; undefined when nothing there tests anything. */
export function gateOf(runners: readonly Runner[], root: string): Gate | undefined {
  let best: { gate: Gate; score: number } | undefined;
  for (const runner of runners.filter((each) => each.dir === root)) {
    for (const target of runner.targets) {
      // What waygate.yaml marks is not guessed.
      if (target.gate) return { target, command: target.command };
      if (target.refused) continue;
      const score = scoreOf(target, runner, runners);
      if (score > (best?.score ?? 0)) best = { gate: { target, command: target.command }, score };
    }
  }
  return best?.gate;
}

function scoreOf(target: Target, runner: Runner, runners: readonly Runner[]): number {
  if (target.endless || target.role === 'clean' || LEAVES.test(target.name)) return 0;
  // `test:unit` is a part of what `test` is.
  const named = NAMED.find(([pattern]) => pattern.test(target.name))?.[1] ?? 0;
  const all = closureOf(runners, runner, target);
  if (all.some((each) => each.target.endless || LEAVES.test(each.target.name))) return 0;
  // What runs in other packages is known by its name only.
  const far = all.flatMap((each) => each.target.includes.filter((name) => / -(C|r) /.test(name) && !included(runners, each.runner, name)));
  const parts = new Set([
    ...all.flatMap((each) => partsOf(each.target)),
    ...far.map((name) => roleOf(name.slice(name.lastIndexOf(' ') + 1), [])),
  ]);
  if (!parts.has('test')) return 0;
  const sum = [...parts].reduce((total, part) => total + (WORTH[part] ?? 0), 0);
  const narrow = named === 0 && target.role === 'test' ? 1 : 0;
  const writes = all.some((each) => each.target.recipe.some((line) => /(^|\s)--(fix|write)(\s|$)/.test(line))) ? 2 : 0;
  return Math.max(sum + named - narrow - writes, 0);
}

/** What a target does itself: its role, and what its commands are for. */
function partsOf(target: Target): readonly Role[] {
  return [target.role, ...(target.parts ?? [])];
}
