/** The paths an effect touches, whatever its fields are called. Pure. */
import type { Target } from '../effect/effect.ts';

/** Every target an effect carries. */
export function targetsOf(effect: Readonly<Record<string, unknown>>): readonly Target[] {
  const found: Target[] = [];
  for (const value of Object.values(effect)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each && typeof each === 'object' && 'prefix' in each && 'raw' in each) found.push(each as Target);
    }
  }
  return found;
}
