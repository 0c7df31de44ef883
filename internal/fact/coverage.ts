/** Coverage for a rule: whose gate it is, and what the earlier commands of the line change about it. */
import type { GitPlace } from '../effect/types-git.ts';
import type { Coverage } from '../gate/coverage.ts';
import { type GateLook, gateLook } from '../gate/look.ts';
import { type Gate, gateOf, isGated } from '../policy/gates.ts';
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
  const line = { repository, scene, overlay };
  const found = coverageOnLine(revision, { ...line, look: lookFor(repository, gate.command, gate.branches, scene) });
  return gate.since === undefined || found.state === 'passed' ? found : ofChanged(found, gate, revision, line);
}

/** A push is about the repository, whatever work tree the line names for it: `git --work-tree=/tmp push` gains nothing. */
const ownPlace = ({ workTree: _workTree, ...place }: GitPlace): GitPlace => place;

function lookFor(repository: Repository, command: string, branches: readonly string[], scene: Scene, recipe?: string): GateLook {
  const top = repository.found.top as string;
  const memo = looks.get(scene) ?? new Map<string, GateLook>();
  looks.set(scene, memo);
  const key = `${top}\n${command}`;
  const look =
    memo.get(key) ??
    gateLook({
      repository,
      gate: { command, branches },
      env: scene.env,
      recipe: recipe ?? scene.recipes?.(top, command),
      open: (other) => opened(other, scene),
    });
  memo.set(key, look);
  return look;
}

/** Equals no recipe: only what a person ran or took in counts. */
const NO_RECIPE = 'none';

/**
 * The declaration has changed since the session began. `waygate gate run` runs the new gate, so that the old one can never pass again:
 * a person's run of the new one counts, and nothing the agent can do.
 */
function ofChanged(
  found: Coverage,
  gate: Gate,
  revision: string | undefined,
  line: Pick<Parameters<typeof coverageOnLine>[1], 'repository' | 'scene' | 'overlay'>,
): Coverage {
  const now = gate.since?.command;
  const under =
    now === undefined
      ? undefined
      : coverageOnLine(revision, { ...line, look: lookFor(line.repository, now, gate.branches, line.scene, NO_RECIPE) });
  if (under?.state === 'passed') return under;
  return {
    state: found.state === 'unknown' ? 'unknown' : 'absent',
    commit: found.commit,
    command: gate.command,
    why: `The gate was \`${gate.command}\` when the session began; ${now === undefined ? 'none is declared now' : `now \`${now}\` is declared`}.`,
    way: { how: 'person' },
  };
}

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
