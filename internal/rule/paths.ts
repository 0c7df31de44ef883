/** What an effect does to paths, in one shape for every rule that protects certain files. */
import type { Effect, EffectOf, Target } from '../effect/effect.ts';
import { pathTarget } from '../effect/family.ts';
import type { Facts, Stake } from '../fact/facts.ts';
import { quoteLine } from './quote.ts';
import type { Remedy } from './rule.ts';
import { argument, saving } from './stake.ts';

/** One path that an effect changes. */
export interface Touch {
  target: Target;
  how: 'write' | 'append' | 'create' | 'in-place' | 'replace' | 'delete' | 'move away' | 'mode';
  /** What lies below is meant too. */
  tree: boolean;
  /** For a copy, move or link: where the new content comes from. */
  from?: Target;
}

type Reads = Pick<Facts, 'file'>;

/** The paths an effect changes, with the places that copies and moves land on. None for effects that touch no file. */
export function touched(effect: Effect, facts: Reads): readonly Touch[] {
  switch (effect.kind) {
    case 'file.write':
      return effect.targets.map((target) => ({ target, how: effect.mode === 'truncate' ? 'write' : effect.mode, tree: false }));
    case 'file.delete':
      return effect.targets.map((target) => ({ target, how: 'delete', tree: effect.recursive }));
    case 'file.move':
      return [...effect.sources.map((target): Touch => ({ target, how: 'move away', tree: true })), ...landed(effect, facts)];
    case 'file.copy':
      return landed(effect, facts);
    case 'file.link':
      return [{ target: effect.at, how: 'replace', tree: false, from: effect.target }];
    case 'file.mode':
      return effect.targets.map((target) => ({ target, how: 'mode', tree: effect.recursive }));
    case 'file.sync':
      return effect.remoteDest ? [] : [{ target: effect.dest, how: effect.deletes ? 'delete' : 'replace', tree: true, from: effect.from }];
    case 'net.fetch':
      return effect.to ? [{ target: effect.to, how: 'write', tree: false }] : [];
    default:
      return [];
  }
}

/** Where the sources of a copy or move come to lie, one each. `made`: directories that are there by then. */
export function landings(
  effect: EffectOf<'file.copy'> | EffectOf<'file.move'>,
  facts: Reads,
  made: Made = NONE,
): readonly { from: Target; at: Target }[] {
  const { dest, into, sources } = effect;
  const inside = into && (isFolder(dest, facts, made) || dest.slash === true || sources.length > 1);
  return sources.map((from) => ({ from, at: inside ? below(dest, from) : dest }));
}

const landed = (effect: EffectOf<'file.copy'> | EffectOf<'file.move'>, facts: Reads): Touch[] =>
  landings(effect, facts).map(({ from, at }) => ({ target: at, how: 'replace', tree: false, from }));

/** Directories that are there by then. */
type Made = Pick<ReadonlySet<string>, 'has'>;
const NONE: Made = new Set<string>();

/** Is there a directory at the target, also through a link? */
export function isFolder(target: Target, facts: Reads, made: Made = NONE): boolean {
  if (target.path === undefined || target.glob) return false;
  if (made.has(target.path)) return true;
  const fact = facts.file(target.path);
  return fact.kind === 'dir' || (fact.kind === 'link' && fact.target !== undefined && facts.file(fact.target).kind === 'dir');
}

/** The source's own name inside a directory. */
function below(folder: Target, source: Target): Target {
  const name = source.path?.slice(source.path.lastIndexOf('/') + 1);
  if (folder.path === undefined || name === undefined || name === '')
    return { ...folder, path: undefined, unknown: source.unknown ?? folder.unknown ?? 'the source' };
  const path = folder.path === '/' ? `/${name}` : `${folder.path}/${name}`;
  return { path, prefix: source.glob ? folder.path : path, raw: folder.raw, ...(source.glob || folder.glob ? { glob: true } : {}) };
}

/** The directory a glob stands in for as a whole: `/home/x/*` means what is in /home/x. The path itself when it is no such glob. */
export function wholeOf(target: Target): string | undefined {
  const { path } = target;
  if (path === undefined || !target.glob) return path;
  const deep = path.indexOf('/**');
  if (deep >= 0) return deep === 0 ? '/' : path.slice(0, deep);
  const slash = path.lastIndexOf('/');
  const last = path.slice(slash + 1);
  return /^[.*?[\]!^{},]*$/.test(last) && last.includes('*') ? (slash === 0 ? '/' : path.slice(0, slash)) : path;
}

/**
 * The call that saves what is at stake, after which the same call passes. Few pieces are named one by one, many by the
 * targets that hold them. `trees`: the targets go with all that is below, so that links and empty files in a folder are kept too.
 * Undefined when a checkpoint cannot hold all of it.
 */
export function savingTargets(
  stake: Stake,
  targets: readonly Target[],
  waygate: string,
  show: Facts['show'],
  trees = false,
): Remedy | undefined {
  const few = saving(stake, waygate, show);
  const whole = trees && targets.every((target) => target.path !== undefined && !target.glob);
  if (few?.kind !== 'run' || (few.run.includes(' -- ') && !whole)) return few;
  const roots = [...new Set(targets.map(wholeOf).filter((path) => path !== undefined))];
  return roots.length === 0
    ? few
    : { ...few, run: `${waygate} ${quoteLine(['checkpoint', '--', ...roots.map((path) => argument(path, show))])}` };
}

/** The targets of a boundary: sorted, each once, at most five. */
export const pathsOf = (targets: readonly Target[]): string => pathList(targets.map((target) => target.path ?? target.raw));

/** Paths as a boundary names them: sorted, each once, at most five. */
export function pathList(paths: readonly string[]): string {
  const all = [...new Set(paths)].sort();
  return all.length > 5 ? `${all.slice(0, 5).join(' ')} +${all.length - 5}` : all.join(' ');
}

/** Targets as a text shows them, for a sentence or an argument. */
export const shownTargets = (targets: readonly Target[], show: Facts['show']): string[] =>
  targets.map((target) => (target.path === undefined ? target.raw : show(target.path)));

/** A path as a command names it, absolute; undefined where the directory is not known. Nothing is looked up. */
export const pathFrom = (text: string, dir: string | undefined): string | undefined => pathTarget(text, dir).path;
