/**
 * What the earlier effects of a line change for the later ones (design.md section 3: a line is a sequence).
 * What saves content counts only when it has certainly happened; what can do harm counts in any case.
 */
import { basename } from 'node:path/posix';
import type { Effect, EffectOf, Target } from '../effect/effect.ts';
import type { GitPlace } from '../effect/types-git.ts';
import { changingBefore, sureBefore } from './earlier.ts';
import type { LossQuestion } from './facts.ts';
import { gatherStash } from './gather-commits.ts';
import { gatherAdded, gatherNew, gatherWorktree } from './gather-worktree.ts';
import { isTakenAway, saves } from './overlay-saves.ts';
import type { Piece } from './piece.ts';
import { within } from './places.ts';
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
  /** Has this one certainly happened when the asking effect comes? */
  isSure(effect: Effect): boolean;
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
  isSure: () => false,
};

/** The overlay of the effects before `asking`. Nothing is worked out before it is asked for: most rules ask for none of it. */
export function overlayOf(earlier: readonly Effect[], asking: Effect | undefined, scene: Scene, line: readonly Effect[] = []): Overlay {
  if (earlier.length === 0) return NO_OVERLAY;
  const isLocal = (effect: Effect): boolean => !effect.remote && effect.step !== asking?.step;
  const isSure = (effect: Effect): boolean =>
    !effect.remote && effect.certain && (asking === undefined || asking.given.includes(effect.step));
  // The caller's list grows on: what comes later is not this overlay's.
  const count = earlier.length;
  const made: { local?: readonly Effect[]; sure?: readonly Effect[]; changing?: readonly Effect[]; refs?: Refs } = {};
  const local = () => (made.local ??= earlier.slice(0, count).filter(isLocal));
  const sure = () => (made.sure ??= sureBefore(asking, earlier, count).filter((effect) => isLocal(effect) && isSure(effect)));
  const changing = () => (made.changing ??= changingBefore(earlier, count).filter(isLocal));
  const refs = () => (made.refs ??= refsAfter(changing(), scene));
  return {
    rewrite: (question) => rewrite(question, changing(), scene),
    adds: (question) => [...adds(question, changing(), scene), ...staged(question, local, scene)],
    saves: (piece, question) =>
      sure().some(
        (effect, index) =>
          saves(effect, sure().slice(0, index), piece, question, scene) &&
          !isTakenAway(effect, line, asking?.step ?? Number.POSITIVE_INFINITY) &&
          !(effect.kind === 'git.stage' && changing().some((each) => each.step > effect.step && unstages(each, question, scene))),
      ),
    branch: (repository) => branchAfter(changing(), repository, scene),
    isSure,
    get fetched() {
      return refs().fetched;
    },
    get moved() {
      return refs().moved;
    },
    get repointed() {
      return refs().repointed;
    },
    get config() {
      return refs().config;
    },
    get earlier() {
      return local();
    },
  };
}

type Refs = Pick<Overlay, 'fetched' | 'moved' | 'repointed' | 'config'>;

/** What the line did to refs, remotes and configuration. */
function refsAfter(effects: readonly Effect[], scene: Scene): Refs {
  const fetched = new Set<string>();
  const moved = new Map<string, string>();
  const repointed = new Set<string>();
  const config = new Map<string, string | undefined>();
  for (const [index, effect] of effects.entries()) {
    if (effect.kind === 'git.fetch') {
      const remote = effect.remoteName ?? '*';
      if (effect.refs.length === 0) fetched.add(remote);
      for (const ref of effect.refs) fetched.add(`${remote}/${ref.replace(/^\+?(refs\/heads\/)?/, '').replace(/:.*$/, '')}`);
    } else if (effect.kind === 'git.merge' && effect.how === 'pull') fetched.add('*');
    else if (effect.kind === 'git.branch-move') {
      const name = effect.name ?? currentName(effect.repo, effects.slice(0, index), scene);
      // A revision from HEAD is one of the branch that is current then, not now.
      if (name !== undefined) moved.set(name, effect.name === undefined ? effect.to.replace(/^(HEAD|@)(?=$|[~^])/, name) : effect.to);
    } else if (effect.kind === 'git.history-rewrite' && effect.how === 'amend') {
      const name = currentName(effect.repo, effects.slice(0, index), scene);
      if (name !== undefined) moved.set(name, `${moved.get(name) ?? name}~1`);
    } else if (effect.kind === 'git.remote' && (effect.op === 'set-url' || effect.op === 'add')) repointed.add(effect.name);
    else if (effect.kind === 'git.config') config.set(effect.key.toLowerCase(), effect.unset ? undefined : effect.value);
    else if (effect.kind === 'remote.ref') fetched.add('*');
  }
  return { fetched, moved, repointed, config };
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
    for (let at = earlier.length - 1; at >= 0; at--) {
      const effect = earlier[at]!;
      const place = effect.kind === 'file.move' ? effect.dest.path : effect.kind === 'file.link' ? effect.at.path : undefined;
      if (place !== undefined && targets.some(({ path }) => path !== undefined && (within(path, place) || within(place, path))))
        targets = targets.flatMap((target) => before(target, effect));
    }
    return targets === question.targets ? [question] : [{ ...question, targets }];
  }
  if (question.about === 'worktree' && question.from === 'index') {
    // Where the index is HEAD's again, it no longer holds what was staged.
    const again = earlier.flatMap((effect) => {
      const paths = unstages(effect, question, scene) ? both(effect.paths, question.paths) : [];
      return paths?.length === 0 ? [] : [{ ...question, paths, from: 'HEAD', loses: 'both' as const, unstaged: true }];
    });
    return [question, ...again];
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

/** What two lists of paths have in common; undefined is the whole tree. */
function both(some: readonly Target[] | undefined, others: readonly Target[] | undefined): readonly Target[] | undefined {
  if (some === undefined || others === undefined) return some ?? others;
  const inside = (one: Target, list: readonly Target[]) =>
    one.path === undefined || list.some((each) => each.path === undefined || each.glob || within(one.path as string, each.path));
  return [...some.filter((one) => inside(one, others)), ...others.filter((one) => inside(one, some))];
}

/** Does an effect take the index of the question's repository back to a commit? */
function unstages(effect: Effect, question: LossQuestion, scene: Scene): effect is EffectOf<'git.discard'> {
  if (effect.kind !== 'git.discard' || effect.loses !== 'index' || !('repo' in question)) return false;
  const there = scene.repositoryFor(effect.repo);
  return there !== undefined && there.found.gitDir === scene.repositoryFor(question.repo)?.found.gitDir;
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

/** A stash entry or a branch that the line itself has filled and takes away again: then the edits themselves are at stake. */
function adds(question: LossQuestion, earlier: readonly Effect[], scene: Scene): readonly Piece[] {
  if (question.about === 'worktree' && question.loses !== 'index') return popped(question, earlier, scene);
  if (question.about === 'clean') return unstaged(question, earlier, scene);
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
    scene,
  ).pieces;
}

/** What a `stash pop` of the line has brought into the work tree, and no entry holds any longer. */
function popped(question: Extract<LossQuestion, { about: 'worktree' }>, earlier: readonly Effect[], scene: Scene): readonly Piece[] {
  const pops = earlier.flatMap((effect, at) => (effect.kind === 'git.stash' && effect.op === 'pop' ? [{ effect, at }] : []));
  const repository = pops.length === 0 ? undefined : scene.repositoryFor(question.repo);
  if (!repository) return [];
  return pops.flatMap(({ effect, at }) => {
    // The entry that the line itself has put there holds what the question finds in the tree now.
    if (earlier.slice(0, at).some((each) => each.kind === 'git.stash' && each.op === 'push')) return [];
    const there = scene.repositoryFor(effect.repo);
    if (there?.found.commonDir !== repository.found.commonDir || there.found.top !== repository.found.top) return [];
    return gatherStash(repository, effect.entry ?? 0).pieces;
  });
}

/** New files that the line has put into the index: a hard reset takes these along. */
function staged(question: LossQuestion, earlier: () => readonly Effect[], scene: Scene): readonly Piece[] {
  if (question.about !== 'worktree' || question.paths !== undefined || question.loses !== 'both' || question.from === 'index') return [];
  const stages = earlier().flatMap((effect) => (effect.kind === 'git.stage' && !effect.update ? [effect] : []));
  const repository = stages.length === 0 ? undefined : scene.repositoryFor(question.repo);
  if (!repository) return [];
  const here = stages.filter((effect) => scene.repositoryFor(effect.repo)?.found.gitDir === repository.found.gitDir);
  if (here.length === 0) return [];
  const all = here.some((effect) => effect.all && effect.paths.length === 0);
  return gatherNew(all ? undefined : here.flatMap((effect) => effect.paths), repository);
}

/** New files that a `reset` of the line has taken out of the index: `git clean` takes them. */
function unstaged(question: Extract<LossQuestion, { about: 'clean' }>, earlier: readonly Effect[], scene: Scene): readonly Piece[] {
  const repository = scene.repositoryFor(question.repo);
  if (question.ignored === 'only' || repository === undefined) return [];
  const added = earlier.some((effect) => unstages(effect, question, scene)) ? gatherAdded(question, repository) : [];
  const { top } = repository.found;
  // A patch of the line that lies in the tree goes with what it holds.
  const patches = earlier.flatMap((effect): Piece[] =>
    effect.kind === 'git.kept' &&
    effect.what !== 'commit' &&
    effect.to.path !== undefined &&
    top !== undefined &&
    within(effect.to.path, top)
      ? [{ kind: 'unknown', name: effect.to.raw, savable: false }]
      : [],
  );
  return [...added, ...patches];
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

/** The branch after the switches of the line. */
function branchAfter(
  earlier: readonly Effect[],
  repository: Repository,
  scene: Scene,
): { name: string | undefined; made: boolean } | undefined {
  for (let at = earlier.length - 1; at >= 0; at--) {
    const effect = earlier[at]!;
    if (effect.kind !== 'git.switch') continue;
    const there = scene.repositoryFor(effect.repo);
    if (there && there.found.gitDir === repository.found.gitDir)
      return { name: effect.detach ? undefined : effect.to, made: effect.create };
  }
  return undefined;
}
