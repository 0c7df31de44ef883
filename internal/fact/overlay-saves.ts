/** Does an effect put content somewhere it stays? Asked only of effects that have certainly happened. */
import { readFileSync } from 'node:fs';
import type { Effect, EffectOf, Target } from '../effect/effect.ts';
import { globRegExp } from '../shell/glob.ts';
import type { LossQuestion } from './facts.ts';
import { resolveCommit } from './gather-commits.ts';
import type { Piece } from './piece.ts';
import { within } from './places.ts';
import type { Scene } from './scene.ts';

/** `reset --hard HEAD~1` after a commit of the same line takes that commit back: it saves nothing. */
const takesCommitsBack = (question: LossQuestion): boolean =>
  question.about === 'branches' || (question.about === 'worktree' && /^(HEAD|@)([~^]|@\{)/.test(question.from));

/** Does one certain effect put the piece somewhere it stays? */
export function saves(effect: Effect, before: readonly Effect[], piece: Piece, question: LossQuestion, scene: Scene): boolean {
  switch (effect.kind) {
    case 'file.copy':
      return copySaves(effect, piece, question);
    case 'file.write':
      return (
        (effect.packs ?? []).some((packed) => covers(packed, piece)) && effect.targets.every((target) => !isTarget(target.path, question))
      );
    case 'file.sync':
      // Without --exclude and its kin all of it arrives, here or on another machine.
      return effect.whole === true && covers(effect.from, piece) && (effect.remoteDest || !isTarget(effect.dest.path, question));
    case 'file.move':
      return (
        piece.path !== undefined &&
        effect.sources.some((source) => covers(source, piece)) &&
        !isTarget(effect.dest.path, question) &&
        !landsIn(effect, question)
      );
    case 'git.stash':
      // Where it was applied the content is in the work tree, and the entry may go.
      if (effect.op === 'store')
        return (
          question.about === 'worktree' &&
          (piece.kind === 'modified' || piece.kind === 'staged') &&
          inSame(effect, piece, scene) &&
          before.some((each) => each.kind === 'git.stash' && each.op === 'create')
        );
      if (effect.op === 'apply' || effect.op === 'pop' || effect.op === 'branch')
        return (
          effect.op === 'apply' && question.about === 'stash' && question.entry === (effect.entry ?? 0) && inSame(effect, piece, scene)
        );
      // What goes into a stash entry that is then dropped is not saved by it.
      return effect.op === 'push' && question.about !== 'stash' && inSame(effect, piece, scene) && stashSaves(effect, piece);
    case 'git.commit':
      return inSame(effect, piece, scene) && !takesCommitsBack(question) && commitSaves(effect, before, piece, scene);
    case 'git.stage':
      // The index keeps the bytes: enough where only the work tree is lost.
      return (
        inSame(effect, piece, scene) &&
        stageCovers(effect, piece) &&
        (question.about === 'paths' || question.about === 'clean' || (question.about === 'worktree' && question.loses === 'worktree'))
      );
    case 'git.branch-create':
      return inSame(effect, piece, scene) && isTip(piece, [effect.start ?? 'HEAD']);
    case 'git.push':
      return (
        !effect.dryRun &&
        inSame(effect, piece, scene) &&
        (effect.all ||
          effect.mirror ||
          isTip(piece, effect.bare ? ['HEAD'] : effect.refs.flatMap((ref) => (ref.src === undefined || ref.delete ? [] : [ref.src]))))
      );
    case 'git.kept':
      return inSame(effect, piece, scene) && patchSaves(effect, piece, question);
    case 'guard.checkpoint':
      return checkpointSaves(effect, piece);
    default:
      return false;
  }
}

/** Where an effect puts a copy, when that is a path of this machine. */
function copiedTo(effect: Effect): readonly (string | undefined)[] {
  switch (effect.kind) {
    case 'file.copy':
    case 'file.move':
      return [effect.dest.path];
    case 'file.sync':
      return effect.remoteDest ? [] : [effect.dest.path];
    case 'file.write':
      return effect.packs === undefined ? [] : effect.targets.map((target) => target.path);
    default:
      return [];
  }
}

/** What an effect takes from somewhere: after it a copy may have come back. */
function takenFrom(effect: Effect): readonly Target[] {
  if (effect.kind === 'file.copy' || effect.kind === 'file.move') return effect.sources;
  if (effect.kind === 'file.sync') return [effect.from];
  if (effect.kind === 'file.read') return effect.targets;
  return [];
}

/** What each line deletes, gathered once: most delete nothing. */
const removals = new WeakMap<readonly Effect[], readonly EffectOf<'file.delete'>[]>();

function removalsOf(line: readonly Effect[]): readonly EffectOf<'file.delete'>[] {
  const known =
    removals.get(line) ?? line.filter((effect): effect is EffectOf<'file.delete'> => effect.kind === 'file.delete' && !effect.remote);
  removals.set(line, known);
  return known;
}

const meets = ({ path, glob }: Target, place: string): boolean =>
  path !== undefined && (within(place, path) || within(path, place) || (glob === true && globRegExp(path).test(place)));

/**
 * Does the line delete a copy again, after this step and without having taken anything from it? Such a copy saves nothing. Patches do not
 * count: that one was applied again cannot be seen.
 */
export function isTakenAway(effect: Effect, line: readonly Effect[], step: number): boolean {
  const places = copiedTo(effect).filter((place) => place !== undefined);
  if (places.length === 0) return false;
  return removalsOf(line).some(
    (removal) =>
      removal.step > step &&
      removal.targets.some((target) => places.some((place) => meets(target, place))) &&
      !line.some(
        (each) =>
          each.step > effect.step &&
          each.step < removal.step &&
          (each.kind === 'file.extract' || takenFrom(each).some((source) => places.some((place) => meets(source, place)))),
      ),
  );
}

/** Is one of these revisions the newest of the piece's commits? A name on it keeps them all. */
function isTip(piece: Piece, revisions: readonly string[]): boolean {
  const { repository, commits } = piece;
  return (
    piece.kind === 'commit' &&
    repository !== undefined &&
    revisions.some((revision) => resolveCommit(repository, revision) === commits?.[0])
  );
}

function copySaves(effect: EffectOf<'file.copy'>, piece: Piece, question: LossQuestion): boolean {
  if (
    piece.path === undefined ||
    effect.noClobber ||
    !effect.sources.some(
      (source) => covers(source, piece) && (effect.recursive || source.path === (piece.shown ?? piece.path) || source.glob),
    )
  )
    return false;
  // A copy that the same call takes away saves nothing.
  return !isTarget(effect.dest.path, question);
}

/** A move into something that the question takes away. */
const landsIn = (effect: EffectOf<'file.move'>, question: LossQuestion): boolean =>
  question.about === 'paths' &&
  question.targets.some(
    (target) =>
      target.path !== undefined &&
      effect.dest.path !== undefined &&
      (within(effect.dest.path, target.path) || (effect.into && within(target.path, effect.dest.path))),
  );

const isTarget = (path: string | undefined, question: LossQuestion): boolean =>
  path === undefined ||
  (question.about === 'paths' &&
    question.targets.some(
      (target) => target.path === undefined || within(path, target.path) || (target.glob === true && globRegExp(target.path).test(path)),
    ));

/** Is the piece at or below a target? */
function covers(target: Target, piece: Piece): boolean {
  if (target.path === undefined || piece.path === undefined) return false;
  const names = piece.shown === undefined ? [piece.path] : [piece.path, piece.shown];
  return names.some(
    (name) => within(name, target.path as string) || (target.glob === true && globRegExp(target.path as string).test(name)),
  );
}

/** Does a git effect happen in the repository the piece belongs to? */
function inSame(effect: Effect & { repo: { dir: string | undefined } }, piece: Piece, scene: Scene): boolean {
  const repository = scene.repositoryFor(effect.repo);
  return repository !== undefined && piece.repository !== undefined && repository.found.gitDir === piece.repository.found.gitDir;
}

function stashSaves(effect: EffectOf<'git.stash'>, piece: Piece): boolean {
  const top = piece.repository?.found.top;
  if (
    effect.paths.length > 0 &&
    !(
      piece.path !== undefined &&
      top !== undefined &&
      effect.paths.some((path) => within(piece.path as string, path.startsWith('/') ? path : `${effect.repo.dir}/${path}`))
    )
  )
    return false;
  if (piece.kind === 'modified' || piece.kind === 'staged') return true;
  if (piece.kind === 'untracked') return effect.untracked || effect.ignored;
  return piece.kind === 'ignored' && effect.ignored;
}

function commitSaves(effect: EffectOf<'git.commit'>, before: readonly Effect[], piece: Piece, scene: Scene): boolean {
  if (effect.paths.length > 0)
    return effect.paths.some((path) => covers(path, piece)) && (piece.kind === 'modified' || piece.kind === 'staged');
  if (piece.kind === 'staged') return true;
  if (piece.kind === 'modified' && effect.all) return true;
  return before.some((each) => each.kind === 'git.stage' && inSame(each, piece, scene) && stageCovers(each, piece));
}

/** Does a patch hold the piece? One against the index only while the index stays; one of text only text. */
function patchSaves(effect: EffectOf<'git.kept'>, piece: Piece, question: LossQuestion): boolean {
  if (effect.what === 'commit') return isTip(piece, [effect.revision]);
  if (effect.what === 'stash') return question.about === 'stash' && question.entry === effect.entry;
  if (question.about !== 'worktree' || piece.path === undefined) return false;
  if (effect.paths !== undefined && !effect.paths.some((path) => covers(path, piece))) return false;
  if (!effect.binary && !isText(piece.path)) return false;
  if (piece.kind === 'modified') return effect.what === 'both' || (effect.what === 'worktree' && question.loses === 'worktree');
  return piece.kind === 'staged' && (piece.blob === undefined ? effect.what !== 'worktree' : effect.what === 'index');
}

/** No NUL in the first 8000 bytes: what git itself holds for text. */
function isText(path: string): boolean {
  try {
    return !readFileSync(path).subarray(0, 8000).includes(0);
  } catch {
    return false;
  }
}

function stageCovers(effect: EffectOf<'git.stage'>, piece: Piece): boolean {
  if (piece.kind === 'staged') return false;
  if (piece.kind === 'ignored' && !effect.force) return false;
  if (piece.kind === 'untracked' && effect.update) return false;
  if (effect.all && effect.paths.length === 0) return piece.kind === 'modified' || piece.kind === 'untracked' || effect.force;
  return effect.paths.some((path) => covers(path, piece));
}

function checkpointSaves(effect: EffectOf<'guard.checkpoint'>, piece: Piece): boolean {
  if (!piece.savable) return false;
  if (effect.paths !== undefined && effect.paths.length > 0) return effect.paths.some((path) => covers(path, piece));
  const top = piece.repository?.found.top;
  return piece.kind !== 'ignored' && piece.kind !== 'outside' && effect.cwd !== undefined && top !== undefined && within(effect.cwd, top);
}
