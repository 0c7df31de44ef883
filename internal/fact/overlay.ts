/**
 * What the earlier effects of a line change for the later ones (design.md section 3: a line is a sequence).
 * What saves content counts only when it has certainly happened; what can do harm counts in any case.
 */
import { basename } from 'node:path/posix';
import type { Effect, EffectOf, Target } from '../effect/effect.ts';
import type { GitPlace } from '../effect/types-git.ts';
import type { LossQuestion } from './facts.ts';
import { resolveCommit } from './gather-commits.ts';
import { gatherWorktree } from './gather-worktree.ts';
import type { Piece } from './piece.ts';
import { within } from './places.ts';
import { globRegExp } from './regenerable.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';

export interface Overlay {
  /** The question as it has to be asked of the world as it is now. Several when it is not certain. */
  rewrite(question: LossQuestion): readonly LossQuestion[];
  /** Content that only comes into being on the line. */
  adds(question: LossQuestion): readonly Piece[];
  /** Has the line put this piece somewhere safe before? */
  saves(piece: Piece, question: LossQuestion): boolean;
  /** The branch the repository is on after the earlier effects; undefined: as it is. `made`: the line made it. */
  branch(repository: Repository): { name: string | undefined; made: boolean } | undefined;
  /** Remotes (and `remote/branch`) whose tracking branches the line has refreshed. */
  readonly fetched: ReadonlySet<string>;
  /** Local branches the line moved to another commit, with where to. */
  readonly moved: ReadonlyMap<string, string>;
  /** Remotes whose address the line changed. */
  readonly repointed: ReadonlySet<string>;
  /** Configuration the line set before: key in lower case -> value. */
  readonly config: ReadonlyMap<string, string | undefined>;
  readonly earlier: readonly Effect[];
}

/** No earlier effects. */
export const NO_OVERLAY: Overlay = {
  rewrite: (question) => [question],
  adds: () => [],
  saves: () => false,
  branch: () => undefined,
  fetched: new Set(),
  moved: new Map(),
  repointed: new Set(),
  config: new Map(),
  earlier: [],
};

/** The overlay of the effects before `asking`. */
export function overlayOf(earlier: readonly Effect[], asking: Effect | undefined, scene: Scene): Overlay {
  if (earlier.length === 0) return NO_OVERLAY;
  const certain = (effect: Effect): boolean =>
    !effect.remote && effect.certain && (asking === undefined || asking.given.includes(effect.step));
  const local = earlier.filter((effect) => !effect.remote && effect.step !== asking?.step);
  const sure = local.filter(certain);
  const fetched = new Set<string>();
  const moved = new Map<string, string>();
  const repointed = new Set<string>();
  const config = new Map<string, string | undefined>();
  for (const effect of local) {
    if (effect.kind === 'git.fetch') {
      const remote = effect.remoteName ?? '*';
      if (effect.refs.length === 0) fetched.add(remote);
      for (const ref of effect.refs) fetched.add(`${remote}/${ref.replace(/^\+?(refs\/heads\/)?/, '').replace(/:.*$/, '')}`);
    } else if (effect.kind === 'git.merge' && effect.how === 'pull') fetched.add('*');
    else if (effect.kind === 'git.branch-move') {
      const name = effect.name ?? currentName(effect.repo, earlier.slice(0, earlier.indexOf(effect)), scene);
      // A revision from HEAD is one of the branch that is current then, not now.
      if (name !== undefined) moved.set(name, effect.name === undefined ? effect.to.replace(/^(HEAD|@)(?=$|[~^])/, name) : effect.to);
    } else if (effect.kind === 'git.history-rewrite' && effect.how === 'amend') {
      const name = currentName(effect.repo, earlier.slice(0, earlier.indexOf(effect)), scene);
      if (name !== undefined) moved.set(name, `${moved.get(name) ?? name}~1`);
    } else if (effect.kind === 'git.remote' && (effect.op === 'set-url' || effect.op === 'add')) repointed.add(effect.name);
    else if (effect.kind === 'git.config') config.set(effect.key.toLowerCase(), effect.unset ? undefined : effect.value);
    else if (effect.kind === 'remote.ref') fetched.add('*');
  }
  return {
    rewrite: (question) => rewrite(question, local, scene),
    adds: (question) => adds(question, local, scene),
    saves: (piece, question) => sure.some((effect, index) => saves(effect, sure.slice(0, index), piece, question, scene)),
    branch: (repository) => branchAfter(local, repository, scene),
    fetched,
    moved,
    repointed,
    config,
    earlier: local,
  };
}

/** The branch that is current after some effects. */
function currentName(place: GitPlace, before: readonly Effect[], scene: Scene): string | undefined {
  const repository = scene.repositoryFor(place);
  return repository && (branchAfter(before, repository, scene)?.name ?? repository.head().branch);
}

/** Paths that the line has moved or linked are looked for where they are now. */
function rewrite(question: LossQuestion, earlier: readonly Effect[], scene: Scene): readonly LossQuestion[] {
  if (question.about === 'paths') {
    let targets: readonly Target[] = question.targets;
    for (const effect of [...earlier].reverse()) targets = targets.flatMap((target) => before(target, effect));
    return [{ ...question, targets }];
  }
  if (question.about === 'move' && question.branch === undefined) {
    const repository = scene.repositoryFor(question.repo);
    const branch = repository && branchAfter(earlier, repository, scene);
    // On a branch the line has just made, the old branch still holds every commit.
    if (branch?.made) return [];
    if (branch?.name !== undefined) return [{ ...question, branch: branch.name }];
  }
  return [question];
}

/** Where the content of a target lies before an effect. */
function before(target: Target, effect: Effect): readonly Target[] {
  const path = target.path;
  if (path === undefined) return [target];
  if (effect.kind === 'file.move') {
    return [
      target,
      ...effect.sources.flatMap((source): Target[] => {
        if (source.path === undefined || effect.dest.path === undefined) return [];
        const landing = effect.into ? [`${effect.dest.path}/${basename(source.path)}`, effect.dest.path] : [effect.dest.path];
        return landing
          .filter((place) => within(path, place) || within(place, path))
          .map((place) => {
            const from = within(path, place) ? source.path + path.slice(place.length) : (source.path as string);
            return { ...target, path: from, prefix: from, raw: target.raw };
          });
      }),
    ];
  }
  if (effect.kind === 'file.link' && effect.symbolic && effect.at.path !== undefined && effect.target.path !== undefined) {
    if (path !== effect.at.path && within(path, effect.at.path))
      return [target, moveTo(target, effect.target.path + path.slice(effect.at.path.length))];
    if (path === effect.at.path && target.slash) return [target, { ...moveTo(target, effect.target.path), slash: true }];
  }
  return [target];
}

const moveTo = (target: Target, path: string): Target => ({ ...target, path, prefix: path });

/** `reset --hard HEAD~1` after a commit of the same line takes that commit back: it saves nothing. */
const takesCommitsBack = (question: LossQuestion): boolean =>
  question.about === 'branches' || (question.about === 'worktree' && /^(HEAD|@)([~^]|@\{)/.test(question.from));

/** A stash entry or a branch that the line itself has filled and takes away again: then the edits themselves are at stake. */
function adds(question: LossQuestion, earlier: readonly Effect[], scene: Scene): readonly Piece[] {
  const filled =
    (question.about === 'stash' &&
      (question.entry === 'all' || question.entry === 0) &&
      earlier.some((effect) => effect.kind === 'git.stash' && effect.op === 'push' && effect.repo.dir === question.repo.dir)) ||
    (question.about === 'branches' && commitsOn(question.names, earlier));
  if (!filled) return [];
  const repository = scene.repositoryFor(question.repo);
  if (!repository) return [];
  return gatherWorktree(
    { about: 'worktree', repo: question.repo, paths: undefined, loses: 'both', from: 'HEAD', overUntracked: false },
    repository,
  ).pieces;
}

/** Does the line switch to one of these branches and commit there? */
function commitsOn(names: readonly string[], earlier: readonly Effect[]): boolean {
  let on = false;
  for (const effect of earlier) {
    if (effect.kind === 'git.switch') on = effect.to !== undefined && names.includes(effect.to);
    else if (effect.kind === 'git.commit' && on) return true;
  }
  return false;
}

/** Does one certain effect put the piece somewhere it stays? */
function saves(effect: Effect, before: readonly Effect[], piece: Piece, question: LossQuestion, scene: Scene): boolean {
  switch (effect.kind) {
    case 'file.copy':
      return copySaves(effect, piece, question);
    case 'file.move':
      return (
        piece.path !== undefined &&
        effect.sources.some((source) => covers(source, piece)) &&
        !isTarget(effect.dest.path, question) &&
        !landsIn(effect, question)
      );
    case 'git.stash':
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
    case 'guard.checkpoint':
      return checkpointSaves(effect, piece);
    default:
      return false;
  }
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

/** The branch after the switches of the line. */
function branchAfter(
  earlier: readonly Effect[],
  repository: Repository,
  scene: Scene,
): { name: string | undefined; made: boolean } | undefined {
  let after: { name: string | undefined; made: boolean } | undefined;
  for (const effect of earlier) {
    if (effect.kind !== 'git.switch') continue;
    const there = scene.repositoryFor(effect.repo);
    if (there && there.found.gitDir === repository.found.gitDir)
      after = { name: effect.detach ? undefined : effect.to, made: effect.create };
  }
  return after;
}
