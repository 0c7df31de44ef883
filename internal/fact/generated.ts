/** What a path is to the workspace's generators: declarations first, then what git and the file itself say. */
import { dirname } from 'node:path';
import type { Profile } from '../profile/profile.ts';
import { realOf, realParentOf } from './discover.ts';
import type { GeneratedFact } from './facts.ts';
import { linguistGenerated } from './generated-attributes.ts';
import { declaredBy, generatorOf, isLockFile, writtenBy } from './generated-declared.ts';
import { headerOf } from './generated-header.ts';
import { statOf, textOf } from './look.ts';
import { within } from './places.ts';
import type { Scene } from './scene.ts';

/**
 * The answer for one absolute path. Files that git ignores are marked: nobody commits them.
 * @param profileOf what the workspace around a directory runs; asked only when no declaration of the policy speaks
 */
export function generatedOf(path: string, scene: Scene, profileOf: (dir: string) => Profile | undefined): GeneratedFact | undefined {
  const real = realParentOf(path);
  const repository = scene.repositoryOf(real);
  const top = repository?.found.top;
  const dir = top ?? scene.policy.root;
  const declared = declaredBy(path, scene.policy, dir) ?? (real === path ? undefined : declaredBy(real, scene.policy, dir));
  // An installed copy that is a link to its source is the source.
  if (declared?.is === 'installed' && declared.others.includes(realOf(path))) return declaredBy(realOf(path), scene.policy, dir);
  if (declared) return declared.is === 'source' ? declared : marked(declared, real, scene);
  if (!repository || top === undefined || !within(real, top) || real === top) return undefined;
  const written = mayWrite(dirname(real), top, scene) ? writtenBy(real, profileOf(dirname(real))) : undefined;
  if (written) return marked(written, real, scene);
  if (isLockFile(real)) return undefined;
  const attribute = linguistGenerated(real, top, `${repository.found.commonDir}/info/attributes`);
  if (attribute === false) return undefined;
  const header = headerOf(real, top);
  if (!attribute && !header) return undefined;
  const maker = generatorOf(profileOf(dirname(real)));
  return marked(
    {
      is: 'output',
      by: attribute ? 'attribute' : 'header',
      ...(maker ? { command: maker.command, dir: maker.dir } : {}),
      others: header?.from === undefined ? [] : [header.from],
    },
    real,
    scene,
  );
}

/** Files in which a runner says what its targets write. */
// biome-ignore format: a list
const SAYING = [
  'Makefile', 'makefile', 'GNUmakefile', 'turbo.json', 'nx.json', 'project.json', 'mise.toml', '.mise.toml', 'Taskfile.yml', 'Taskfile.yaml',
  'taskfile.yml', 'taskfile.yaml',
];
const MAX_MANIFEST = 256 * 1024;
const answers = new WeakMap<Scene, Map<string, boolean>>();

/** Could a runner around a directory declare outputs? Most edits are in workspaces where none does: those need no profile. */
function mayWrite(dir: string, top: string, scene: Scene): boolean {
  const known = answers.get(scene) ?? new Map<string, boolean>();
  answers.set(scene, known);
  const old = known.get(dir);
  if (old !== undefined) return old;
  const own =
    Object.values(scene.policy.runner?.targets ?? {}).some((target) => (target.writes ?? []).length > 0) ||
    SAYING.some((name) => statOf(`${dir}/${name}`) !== undefined) ||
    (textOf(`${dir}/package.json`, MAX_MANIFEST)?.includes('"wireit"') ?? false);
  const may = own || (dir !== top && within(dir, top) && mayWrite(dirname(dir), top, scene));
  known.set(dir, may);
  return may;
}

function marked(fact: GeneratedFact, path: string, scene: Scene): GeneratedFact {
  const repository = scene.repositoryOf(path);
  if (!repository || repository.index()?.paths.has(path.slice((repository.found.top?.length ?? 0) + 1))) return fact;
  return scene.isIgnored(repository, path) ? { ...fact, ignored: true } : fact;
}
