/** A run in another checkout, put back to where it belongs. */
import type { Effect, EffectOf } from '../effect/effect.ts';
import type { CheckoutFact, Facts } from '../fact/facts.ts';
import type { Profile, Runner, Target } from '../profile/profile.ts';
import { onceFor } from './lookup.ts';
import { quote } from './quote.ts';
import { argument } from './stake.ts';

/** The same call in the session's own checkout, runnable from where the caller is; undefined where it cannot be written down. */
function runHere(
  effect: EffectOf<'run.target'>,
  checkout: CheckoutFact,
  facts: Pick<Facts, 'file' | 'profile' | 'show'>,
): string | undefined {
  const { call } = effect;
  const below = call.dir !== undefined && checkout.top !== undefined ? call.dir.slice(checkout.top.length) : '';
  const place = facts.file(checkout.own + below).kind === 'dir' ? checkout.own + below : checkout.own;
  const words = relocates(effect) ? fromProfile(effect, place, facts) : effect.bare && effect.bare.prefix + effect.bare.words;
  if (words === undefined) return undefined;
  return ['.', ''].includes(facts.show(place)) ? words : `(cd ${quote(argument(place, facts.show))} && ${words})`;
}

/** All runs of the line that go to such a place, as one line in the session's own checkout. */
export function runsHere(
  effects: readonly Effect[],
  is: CheckoutFact['is'],
  facts: Pick<Facts, 'checkout' | 'file' | 'profile' | 'show'>,
): string | undefined {
  return onceFor(effects, `elsewhere ${is}`, () => {
    const lines = new Set<string | undefined>();
    for (const effect of effects) {
      if (effect.kind !== 'run.target' || effect.remote || effect.call.looks) continue;
      const checkout = facts.checkout(effect.call.dir);
      if (checkout?.is === is) lines.add(runHere(effect, checkout, facts));
      if (lines.size > MAX_RUNS) return undefined;
    }
    return lines.size === 0 || lines.has(undefined) ? undefined : [...lines].join(' && ');
  });
}

/** More runs than this are not written into one line. */
const MAX_RUNS = 6;

/** The place is given by an option of the runner, not by a `cd` of the line. */
const relocates = (effect: EffectOf<'run.target'>): boolean => effect.call.dir !== effect.cwd || effect.call.file !== undefined;

/** The targets of the call as the profile of the own checkout runs them. */
function fromProfile(effect: EffectOf<'run.target'>, place: string, facts: Pick<Facts, 'profile'>): string | undefined {
  const { runner, targets } = effect.call;
  const own = facts.profile(place)?.runners.find((each) => each.name === runner);
  const commands = targets.map((name) => own?.targets.find((each) => each.name === name)?.command);
  return commands.length > 0 && commands.every((command) => command !== undefined) ? commands.join(' && ') : undefined;
}

/** The runner of a target, and whether its recipe, or that of a target it includes, calls a program. */
export function targetRuns(profile: Profile, target: Target, program: string): { runner: Runner; calls: boolean } | undefined {
  const runner = profile.runners.find((each) => each.targets.some((other) => other.command === target.command));
  if (!runner) return undefined;
  const seen = new Set<string>();
  const calls = (each: Target): boolean => {
    if (seen.has(each.command)) return false;
    seen.add(each.command);
    if (each.recipe.some((line) => line.split(/[\s;&|()"']+/).includes(program))) return true;
    return each.includes.some((name) => {
      const inner = profile.runners.flatMap((other) => other.targets).find((other) => other.command === name || other.name === name);
      return inner !== undefined && calls(inner);
    });
  };
  return { runner, calls: calls(target) };
}
