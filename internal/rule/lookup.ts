/** The effects of an action by step and by the paths they touch: a rule that is asked for each of 50,000 effects looks up, it does not search. */
import type { Effect, EffectOf } from '../effect/effect.ts';
import { perLine } from '../effect/per-line.ts';

interface Index {
  byStep: ReadonlyMap<number, readonly Effect[]>;
  /** Kind and path -> the effects of that kind that name it. */
  byPath: ReadonlyMap<string, readonly Effect[]>;
}

const indexOf = perLine<readonly Effect[], void, Index>((effects) => {
  const byStep = new Map<number, Effect[]>();
  const byPath = new Map<string, Effect[]>();
  for (const effect of effects) {
    put(byStep, effect.step, effect);
    for (const path of pathsIn(effect)) put(byPath, `${effect.kind} ${path}`, effect);
  }
  return { byStep, byPath };
});

function put<K>(index: Map<K, Effect[]>, key: K, effect: Effect): void {
  const list = index.get(key);
  if (!list) index.set(key, [effect]);
  else if (list.at(-1) !== effect) list.push(effect);
}

function pathsIn(effect: Effect): string[] {
  const targets =
    'targets' in effect && Array.isArray(effect.targets)
      ? effect.targets
      : effect.kind === 'file.copy' || effect.kind === 'file.move'
        ? [...effect.sources, effect.dest]
        : effect.kind === 'file.link'
          ? [effect.at]
          : [];
  return targets.flatMap((target) => (target.path === undefined ? [] : [target.path]));
}

/** The effects of one step, in order. */
export const effectsAt = (step: number, effects: readonly Effect[]): readonly Effect[] => indexOf(effects).byStep.get(step) ?? [];

/**
 * The effects of one kind that name a path, in order: as what they write, read, delete or make, as source, destination or
 * place of a link.
 */
export const effectsOn = <K extends Effect['kind']>(kind: K, path: string, effects: readonly Effect[]): readonly EffectOf<K>[] =>
  (indexOf(effects).byPath.get(`${kind} ${path}`) ?? []) as readonly EffectOf<K>[];

/** How many makers of one directory are looked at: more than that and the first have run. */
const MAKERS = 32;

/** Directories that earlier steps of the same action make, as far as they certainly run. */
export const madeBefore = (effect: Effect, effects: readonly Effect[]): Pick<ReadonlySet<string>, 'has'> => ({
  has: (path) =>
    effectsOn('file.mkdir', path, effects)
      .slice(0, MAKERS)
      .some(
        (other) =>
          other.step < effect.step &&
          (other.certain || effect.given.includes(other.step)) &&
          other.targets.some((target) => target.path === path && !target.glob),
      ),
});

const answers = new WeakMap<readonly Effect[], Map<string, unknown>>();

/** An answer about all effects of an action, made once however many of them ask. */
export function onceFor<T>(effects: readonly Effect[], key: string, make: () => T): T {
  const known = answers.get(effects) ?? new Map<string, unknown>();
  answers.set(effects, known);
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as T;
}
