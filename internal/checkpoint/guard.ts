/** A restore must not take away what it is there to protect. */
import { pathTarget } from '../effect/family.ts';
import { lost } from '../fact/lost.ts';
import { NO_OVERLAY } from '../fact/overlay.ts';
import type { Scene } from '../fact/scene.ts';
import type { Step } from './restore.ts';

/** Names of the files a restore would overwrite although their present content exists nowhere else, checkpoints included. */
export function atStakeOverwritten(steps: readonly Step[], scene: Scene): readonly string[] {
  const targets = steps.flatMap((step) => (step.do === 'write' && step.over ? [pathTarget(step.path, '/')] : []));
  if (targets.length === 0) return [];
  const stake = lost({ about: 'paths', targets, tree: true, cwd: undefined }, scene, NO_OVERLAY);
  return [...stake.items.map((item) => item.name), ...(stake.more > 0 ? [`${stake.more} more`] : [])];
}
