/** What waygate.yaml and the targets of the workspace declare about generated files. Pure: no file is read. */
import { basename } from 'node:path/posix';
import { matches } from '../policy/match.ts';
import type { Generated, Policy, SkillEntry } from '../policy/policy.ts';
import type { Profile } from '../profile/profile.ts';
import { secretByName } from '../secret/names.ts';
import { globRegExp } from '../shell/glob.ts';
import type { GeneratedFact } from './facts.ts';
import { within } from './places.ts';

type Declaring = Pick<Policy, 'generated' | 'skills' | 'patterns'>;

/**
 * What the declarations of a policy say of a path. An output that is itself the source of another one is an output.
 * @param dir where their commands are run: the top of the workspace
 */
export function declaredBy(path: string, policy: Declaring, dir: string | undefined): GeneratedFact | undefined {
  const place = dir === undefined ? {} : { dir };
  const output = policy.generated.find((each) => makes(each, path, policy));
  if (output)
    return {
      is: 'output',
      by: 'declaration',
      ...(output.by === undefined ? {} : { command: output.by }),
      ...place,
      others: (output.from ?? []).map(plainGlob),
      ...(isPattern(output.files) ? {} : { exact: true as const }),
    };
  const copy = policy.skills.find((each) => each.installed !== undefined && within(path, plainGlob(each.installed)));
  if (copy?.installed !== undefined && copy.source !== undefined)
    return {
      is: 'installed',
      by: 'declaration',
      ...(copy.by === undefined ? {} : { command: copy.by }),
      ...place,
      others: [plainGlob(copy.source) + path.slice(plainGlob(copy.installed).length)],
      exact: true,
    };
  return sourceOf(path, policy, place);
}

/** A path that declared outputs or an installed copy are made from: all of them at once. */
function sourceOf(path: string, policy: Declaring, place: { dir?: string }): GeneratedFact | undefined {
  const outputs = policy.generated.filter((each) => each.from?.some((glob) => matches(policy, glob, path)));
  const copies = policy.skills.filter((each) => each.source !== undefined && within(path, plainGlob(each.source)));
  if (outputs.length + copies.length === 0) return undefined;
  const commands = [...new Set([...outputs, ...copies].flatMap((each) => each.by ?? []))];
  return {
    is: 'source',
    by: 'declaration',
    ...(commands.length > 0 ? { command: commands.join(' && ') } : {}),
    ...place,
    others: [...outputs.map((each) => plainGlob(each.files)), ...copies.map((each) => copyOf(path, each))],
  };
}

const copyOf = (path: string, skill: SkillEntry): string =>
  plainGlob(skill.installed as string) + path.slice(plainGlob(skill.source as string).length);

/** A file that the declaration says is written by its command, and not one of those it is made from. */
const makes = (entry: Generated, path: string, policy: Declaring): boolean =>
  matches(policy, entry.files, path) && !(entry.from ?? []).some((glob) => matches(policy, glob, path));

/** What the targets of a workspace write. The targets that clean or install make nothing that anybody edits. */
export function writtenBy(path: string, profile: Profile | undefined): GeneratedFact | undefined {
  for (const runner of profile?.runners ?? []) {
    for (const target of runner.targets) {
      if (target.role === 'clean' || target.role === 'install') continue;
      const glob = target.writes.find((each) => globRegExp(each).test(path));
      if (glob !== undefined)
        return {
          is: 'output',
          by: 'declaration',
          command: target.command,
          dir: runner.dir,
          others: [],
          ...(isPattern(glob) ? {} : { exact: true as const }),
        };
    }
  }
  return undefined;
}

/** The one target that generates files, where there is one only: what makes a file again that only says it is generated. */
export function generatorOf(profile: Profile | undefined): { command: string; dir: string } | undefined {
  const found = (profile?.runners ?? []).flatMap((runner) =>
    runner.targets.flatMap((target) => (target.role === 'generate' ? [{ command: target.command, dir: runner.dir }] : [])),
  );
  return found.length === 1 ? found[0] : undefined;
}

/**
 * An output that can be made again, so that nobody misses it: a person has trusted the declaration, its command is named, and it is no
 * credential somebody put there.
 */
export const isRemakable = (path: string, policy: Pick<Policy, 'generated' | 'patterns'>): boolean =>
  policy.generated.some(
    (each) => !each.claimed && each.by !== undefined && makes(each, path, { skills: [], ...policy }) && secretByName(path) === undefined,
  );

const isPattern = (glob: string): boolean => /(?<!\\)[*?[{]/.test(glob);

/** A glob as a person wrote it: the root in front of it is escaped so that it stands for itself. */
export const plainGlob = (glob: string): string => glob.replace(/\\([\\*?[\]{}!+@])/g, '$1');

/** Files of package managers: made by a command that everybody knows, and never taken for an unknown output. */
export const isLockFile = (path: string): boolean =>
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|mix\.lock|flake\.lock)$/.test(
    basename(path),
  );
