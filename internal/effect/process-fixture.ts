/** For tests beside the families: the effects of one line in a world without files. */
import { shellAction } from '../action/fixture.ts';
import type { Look } from '../shell/command.ts';
import type { Effect, EffectKind } from './effect.ts';
import { effectsOf } from './effects.ts';

const HOME = '/home/dev';
const NO_FILES: Look = {
  env: (name) => ({ HOME, USER: 'dev' })[name],
  home: HOME,
  tmp: '/tmp',
  stat: () => undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};

/** Effects of the kinds that start with one of these, from `/code/repo`. */
export function effectsIn(line: string, ...starts: readonly string[]): Effect[] {
  const effects = effectsOf(shellAction(line, '/code/repo'), NO_FILES);
  return effects.filter((effect) => starts.some((start) => effect.kind.startsWith(start)));
}

/** The first effect of a kind. */
export const firstIn = <K extends EffectKind>(line: string, kind: K): Extract<Effect, { kind: K }> | undefined =>
  effectsIn(line, kind).find((effect): effect is Extract<Effect, { kind: K }> => effect.kind === kind);
