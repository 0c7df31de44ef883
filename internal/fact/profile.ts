/** What the workspace around a directory runs: detected from its files, with what waygate.yaml declares over it. */
import type { Policy } from '../policy/policy.ts';
import { withPolicy } from '../profile/declared.ts';
import { detectProfile, type RunnersOf, runnersIn, topOf } from '../profile/detect.ts';
import type { Profile } from '../profile/profile.ts';
import type { Look } from '../shell/command.ts';
import { within } from './places.ts';
import { keptRunners } from './profile-cache.ts';
import type { Scene } from './scene.ts';

/** What was detected in the world of a look: a judgement asks for its remedies as well, and each has facts of its own. */
const detected = new WeakMap<Look, Map<string, Profile | undefined>>();

/** The profile around a directory; undefined when nothing there runs anything. */
export function profileAt(dir: string, scene: Scene): Profile | undefined {
  return profileIn(dir, scene.action.workspace, scene.policy, scene.look, keptRunners(scene.grounds.state, scene.keep));
}

/** The same over a look. `workspace`: the session's; a directory outside a repository lies in it when it is below it. */
export function profileIn(
  dir: string,
  workspace: string,
  policy: Policy,
  look: Look,
  runnersOf: RunnersOf = runnersIn,
): Profile | undefined {
  const top = topOf(dir, look);
  const root = within(dir, workspace) && look.stat(`${top}/.git`) === undefined ? workspace : top;
  const known = detected.get(look) ?? new Map<string, Profile | undefined>();
  detected.set(look, known);
  const key = `${dir}\n${root}`;
  if (!known.has(key)) known.set(key, detectProfile(dir, root, look, runnersOf));
  // A declaration is about the workspace it stands in, not about another repository that a command touches.
  return root === workspace || root === policy.root ? withPolicy(known.get(key), policy, root, look) : known.get(key);
}
