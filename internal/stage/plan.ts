/** What `waygate stage PATH…` would stage: the named files, the outputs that belong to them, and what it refuses. */
import { dirname } from 'node:path';
import type { DirtyFile, Facts, GeneratedFact } from '../fact/facts.ts';
import { plainGlob } from '../fact/generated-declared.ts';
import { within } from '../fact/places.ts';
import { matches } from '../policy/match.ts';
import type { Policy } from '../policy/policy.ts';
import { classesOf, type Output } from '../rule/generated.ts';

export interface Plan {
  /** Named, or below a named folder: absolute paths. */
  staged: readonly string[];
  /** Outputs that are made from a staged file. */
  outputs: readonly (Output & { from: readonly string[] })[];
  /** Generated files below a named folder whose source is not staged. */
  left: readonly Output[];
  /** New files below a named folder that nothing declares. */
  refused: readonly string[];
  /** Named, and neither changed nor there. */
  missing: readonly string[];
  /** Named files that are as HEAD has them. */
  unchanged: readonly string[];
  /** Named files that git ignores. */
  ignored: readonly string[];
  /** Staged sources whose outputs have not changed. */
  stale: readonly Output[];
}

type Asks = Pick<Facts, 'generated' | 'file'>;

/**
 * Sorts the named paths.
 * @param named absolute paths below the top of the work tree
 * @param dirty every dirty file of the work tree
 */
export function planStage(
  named: readonly string[],
  dirty: readonly DirtyFile[],
  facts: Asks,
  policy: Pick<Policy, 'generated' | 'skills' | 'patterns'>,
): Plan {
  const changed = new Map(dirty.map((file) => [file.path, file]));
  const isFolder = (path: string) => !changed.has(path) && facts.file(path).kind === 'dir';
  const folders = named.filter(isFolder);
  const files = named.filter((path) => !isFolder(path));
  const exact = files.filter((path) => changed.has(path));
  const rest = files.filter((path) => !changed.has(path));
  const swept = classesOf(
    dirty.filter((file) => folders.some((folder) => within(file.path, folder)) && !exact.includes(file.path)),
    facts.generated,
  );
  const staged = [...new Set([...exact, ...swept.source.map((file) => file.path)])];
  const all = classesOf(dirty, facts.generated).generated.filter((output) => !staged.includes(output.path));
  const outputs = all.flatMap((output) => {
    const from = staged.filter((path) => isMadeFrom(output, path, policy));
    return from.length > 0 ? [{ ...output, from }] : [];
  });
  const added = new Set(outputs.map((output) => output.path));
  return {
    staged,
    outputs,
    left: swept.generated.filter((output) => !added.has(output.path)),
    refused: swept.undeclared.map((file) => file.path),
    missing: rest.filter((path) => facts.file(path).kind === 'absent'),
    unchanged: rest.filter((path) => facts.file(path).kind !== 'absent' && facts.file(path).tracked === true),
    // Every new file is dirty, so one that is there and is not has to be ignored.
    ignored: rest.filter((path) => facts.file(path).kind !== 'absent' && facts.file(path).tracked !== true),
    stale: staged.flatMap((path) => {
      const fact = facts.generated(path);
      if (fact?.is !== 'source' || fact.command === undefined) return [];
      return [...added, ...staged].some((other) => fact.others.some((each) => standsFor(each, other))) ? [] : [{ path, fact }];
    }),
  };
}

/** Is an output made from this file, by what is declared of it? */
export function isMadeFrom(
  output: { path: string; fact: GeneratedFact },
  path: string,
  policy: Pick<Policy, 'generated' | 'skills' | 'patterns'>,
): boolean {
  if (output.fact.others.includes(path)) return true;
  return policy.generated.some(
    (each) => matches(policy, each.files, output.path) && (each.from ?? []).some((glob) => matches(policy, glob, path)),
  );
}

/** Does a path or glob, as a person wrote it, stand for this file? Globs count by the folder they start in. */
function standsFor(glob: string, path: string): boolean {
  const plain = plainGlob(glob);
  const wild = plain.search(/[*?[{]/);
  return wild === -1 ? plain === path : within(path, dirname(`${plain.slice(0, wild)}x`));
}
