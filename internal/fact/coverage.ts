/** Coverage for a rule: whose gate it is, and what the earlier commands of the line change about it. */
import type { GitPlace } from '../effect/types-git.ts';
import type { Coverage } from '../gate/coverage.ts';
import { type GateLook, gateLook } from '../gate/look.ts';
import { gateOf, isGated } from '../policy/gates.ts';
import { coverageOnLine } from './coverage-line.ts';
import { discoverAt, realOf } from './discover.ts';
import type { Overlay } from './overlay.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';

const looks = new WeakMap<Scene, Map<string, GateLook>>();

/** The gate declared for a repository. */
export function gateFact(place: GitPlace, scene: Scene): { command: string; top: string } | undefined {
  const top = scene.repositoryFor(place)?.found.top;
  const gate = top === undefined ? undefined : gateOf(scene.policy, top, realOf);
  return gate && top !== undefined ? { command: gate.command, top } : undefined;
}

/** Does a green gate cover this revision (the work tree without one)? undefined: no gate is declared for it. */
export function coverageFact(
  place: GitPlace,
  revision: string | undefined,
  branch: string | undefined,
  scene: Scene,
  overlay: Overlay,
): Coverage | undefined {
  const repository = scene.repositoryFor(ownPlace(place));
  if (!repository) return nowhere(place, scene);
  const { top } = repository.found;
  const gate = top === undefined ? undefined : gateOf(scene.policy, top, realOf);
  if (top === undefined || !gate || !isGated(gate, branch, scene.policy)) return undefined;
  const memo = looks.get(scene) ?? new Map<string, GateLook>();
  looks.set(scene, memo);
  const look =
    memo.get(top) ??
    gateLook({
      repository,
      gate,
      env: scene.env,
      recipe: scene.recipes?.(top, gate.command),
      open: (other) => opened(other, scene),
    });
  memo.set(top, look);
  return coverageOnLine(revision, { look, repository, scene, overlay });
}

/** A push sends commits: whose gate counts does not depend on the work tree that a line names. */
const ownPlace = ({ workTree: _workTree, ...place }: GitPlace): GitPlace => place;

/** Nobody can tell which repository is pushed. One that the line has just made has no gate. */
function nowhere(place: GitPlace, scene: Scene): Coverage | undefined {
  const { gate } = scene.policy;
  if (!gate || place.fresh === true || place.dir !== undefined) return undefined;
  return { state: 'unknown', commit: undefined, command: gate.command, why: 'Which repository is meant cannot be told from the line.' };
}

function opened(top: string, scene: Scene): Repository | undefined {
  const found = discoverAt(top);
  return found && scene.open(found);
}
