/**
 * Coverage on a line: what the commands before a push make of HEAD and of the work tree. What is certain counts; a commit whose
 * files cannot be told is not covered.
 */
import type { Effect, EffectOf, Target } from '../effect/effect.ts';
import type { Coverage } from '../gate/coverage.ts';
import type { GateLook } from '../gate/look.ts';
import { targetsOf } from '../policy/targets.ts';
import type { Overlay } from './overlay.ts';
import { within } from './places.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import { commitOf, stagedTree, treeOf } from './tree-digest.ts';

export interface LineScene {
  look: GateLook;
  repository: Repository;
  scene: Scene;
  overlay: Overlay;
}

/** What the line has made of a repository so far. */
interface State {
  /** HEAD: as it is now, a commit with this tree, or nobody knows. */
  head: 'now' | 'unknown' | { tree: string } | { revision: string };
  /** The files are still those of now. */
  same: boolean;
  /** What the work tree has of the tracked files is what HEAD has: `ask` compares, as long as nothing has changed. */
  headIsWork: 'yes' | 'no' | 'ask';
  /** What the line stages, as long as nothing changes afterwards. */
  staged: readonly EffectOf<'git.stage'>[];
  /** The gate ran on the line and HEAD has been what it saw ever since. */
  covered: boolean;
  /** Trees that a gate on the line sees. */
  seen: ReadonlySet<string>;
}

const START: State = { head: 'now', same: true, headIsWork: 'ask', staged: [], covered: false, seen: new Set() };

/** Coverage of a revision, of the work tree without one, after the earlier commands of the line. */
export function coverageOnLine(revision: string | undefined, line: LineScene): Coverage {
  const { look, repository, overlay } = line;
  const earlier = overlay.earlier.filter((effect) => concerns(effect, line));
  if (earlier.length === 0 && (revision === undefined || look.coverage(revision).commit !== undefined)) return look.coverage(revision);
  const state = earlier.reduce((before, effect) => after(before, effect, line), START);
  if (revision === undefined) return ofWorkTree(state, look);
  if (!isHead(revision, line)) {
    const found = look.coverage(revision);
    // A branch or a tag that is not there yet is made on the line, on HEAD; else git refuses to push it.
    return found.commit === undefined ? ofHead(state, look) : found;
  }
  return state.head === 'now' && !state.covered ? look.coverage(repository.head().oid ?? 'HEAD') : ofHead(state, look);
}

function ofWorkTree(state: State, look: GateLook): Coverage {
  const found = look.coverage(undefined);
  if (state.same) return state.seen.size > 0 ? { ...found, state: 'passed', proven: true, why: onLine(found) } : found;
  return { state: 'unknown', commit: found.commit, command: found.command, why: 'The line changes files before.' };
}

function ofHead(state: State, look: GateLook): Coverage {
  if (!state.covered && state.head === 'now') return look.coverage('HEAD');
  if (!state.covered && typeof state.head === 'object' && 'revision' in state.head) return look.coverage(state.head.revision);
  const tree = typeof state.head === 'object' && 'tree' in state.head ? state.head.tree : undefined;
  const found = look.ofTree(tree ?? '');
  if (state.covered || (tree !== undefined && state.seen.has(tree))) return { ...found, state: 'passed', why: onLine(found) };
  if (tree !== undefined) return found.state === 'passed' ? found : { ...found, way: { how: 'line' } };
  return {
    state: 'absent',
    commit: undefined,
    command: found.command,
    why: `The line makes a commit that \`${found.command}\` has not seen.`,
    way: { how: 'line' },
  };
}

const onLine = ({ command }: Coverage): string => `\`${command}\` runs on these files before, on the same line.`;

/** Does the revision mean what is checked out? */
function isHead(revision: string, { repository, overlay }: LineScene): boolean {
  if (revision === 'HEAD' || revision === '@') return true;
  const name = revision.replace(/^refs\/heads\//, '');
  const current = overlay.branch(repository)?.name ?? repository.head().branch;
  // A full object name says what is pushed now; the line may have moved on from it.
  return name === current || revision === repository.head().oid;
}

/** Effects on this repository's files or refs. */
function concerns(effect: Effect, { repository, scene }: LineScene): boolean {
  if (effect.kind === 'run.gate' || effect.kind.startsWith('git.')) {
    const there = 'repo' in effect && effect.repo ? scene.repositoryFor(effect.repo) : undefined;
    return there !== undefined && there.found.gitDir === repository.found.gitDir;
  }
  // A check that says so only reads; a target may write whatever its recipe says.
  if (effect.kind === 'run.target') return effect.call.looks === undefined && inTree(effect.cwd, repository);
  if (effect.kind === 'run.tool') return effect.mode === 'run' && inTree(effect.cwd, repository);
  if (effect.kind === 'line.work' || effect.kind === 'package.install' || effect.kind === 'package.wipe')
    return inTree(effect.cwd, repository);
  return changesFiles(effect, repository);
}

const inTree = (cwd: string | undefined, { found }: Repository): boolean =>
  cwd === undefined || (found.top !== undefined && (within(cwd, found.top) || within(found.top, cwd)));

/** Kinds of effects on files that leave their content as it is. */
const HARMLESS: ReadonlySet<string> = new Set(['file.read', 'file.list', 'file.search']);

function changesFiles(effect: Effect, repository: Repository): boolean {
  if (!effect.kind.startsWith('file.') || HARMLESS.has(effect.kind)) return false;
  const { top, gitDir } = repository.found;
  const targets: readonly Target[] = targetsOf(effect as unknown as Record<string, unknown>);
  return targets.some((target) => {
    const path = target.path ?? target.prefix;
    return path === '' || (top !== undefined && within(path, top) && !within(path, gitDir)) || (top !== undefined && within(top, path));
  });
}

const UNCHANGED: ReadonlySet<string> = new Set([
  'git.push',
  'git.fetch',
  'git.config',
  'git.remote',
  'git.identity',
  'git.kept',
  'git.worktree-add',
  'git.branch-delete',
  'git.hook-bypass',
  'git.inline-program',
  'git.internals',
]);

function after(state: State, effect: Effect, line: LineScene): State {
  if (UNCHANGED.has(effect.kind)) return state;
  const sure = line.overlay.isSure(effect);
  if (effect.kind === 'run.gate') {
    if (!sure) return state;
    const equal = state.headIsWork === 'yes' || (state.headIsWork === 'ask' && headStands(line));
    const { digest } = state.same ? line.look.standing() : { digest: undefined };
    return {
      ...state,
      covered: state.covered || equal,
      seen: digest ? new Set([...state.seen, digest.tracked, digest.all]) : state.seen,
    };
  }
  if (effect.kind === 'git.stage')
    return { ...state, staged: sure ? [...state.staged, effect] : [], ...(sure ? {} : { headIsWork: 'no' }) };
  if (effect.kind === 'git.commit') return committed(state, effect, line);
  // A new branch on the same commit: nothing has moved.
  if (effect.kind === 'git.switch' && effect.create && effect.track === undefined) return state;
  if (effect.kind === 'git.branch-create') return effect.start === undefined || effect.start === 'HEAD' ? state : moved(state);
  if (effect.kind === 'git.branch-move') return placed(state, effect, line);
  // An amended commit is one of the index: `git.commit` beside it says so.
  if (effect.kind === 'git.history-rewrite' && effect.how === 'amend') return state;
  return effect.kind.startsWith('git.') ? moved(state) : { ...state, same: false, staged: [], headIsWork: 'no' };
}

const moved = (state: State): State => ({ ...state, head: 'unknown', same: false, staged: [], headIsWork: 'no', covered: false });

/** The current branch goes to another commit; another branch does not concern HEAD. */
function placed(state: State, effect: EffectOf<'git.branch-move'>, { repository, overlay }: LineScene): State {
  const current = overlay.branch(repository)?.name ?? repository.head().branch;
  if (effect.name !== undefined && effect.name !== current) return state;
  const told = overlay.isSure(effect) && state.head === 'now' && !effect.to.startsWith('-');
  return { ...moved(state), head: told ? { revision: effect.to } : 'unknown' };
}

/** What a commit makes: a tree that can be told when the files are those of now, no hook rewrites them and everything is certain. */
function committed(state: State, effect: EffectOf<'git.commit'>, line: LineScene): State {
  const { repository } = line;
  const everything = effect.all || state.staged.some((stage) => stagesAll(stage, repository));
  const next = { ...state, staged: [], covered: false };
  const told = line.overlay.isSure(effect) && effect.paths.length === 0 && !repository.repo().hooks.includes('pre-commit');
  if (!told) return { ...next, head: 'unknown', headIsWork: 'no' };
  if (!state.same) return { ...next, head: 'unknown', headIsWork: everything ? 'yes' : 'no' };
  const tree = stagedTree(repository, stagedPaths(state.staged, effect.all, line));
  if (tree === undefined) return { ...next, head: 'unknown', headIsWork: everything ? 'yes' : 'no' };
  return { ...next, head: { tree }, headIsWork: everything || line.look.standing().digest?.tracked === tree ? 'yes' : 'no' };
}

function stagedPaths(stages: readonly EffectOf<'git.stage'>[], all: boolean, { look }: LineScene): readonly string[] {
  const { entries, untracked } = look.standing();
  const tracked = entries.filter(({ path }) => all || stages.some((stage) => names(stage, path, look))).map(({ path }) => path);
  const adding = stages.filter((stage) => !stage.update);
  return adding.length === 0 ? tracked : [...tracked, ...untracked().filter((path) => adding.some((stage) => names(stage, path, look)))];
}

function names(stage: EffectOf<'git.stage'>, path: string, look: GateLook): boolean {
  if (stage.paths.length === 0) return stage.all || stage.update;
  const full = `${look.top}/${path}`;
  return stage.paths.some((target) => target.path !== undefined && !target.glob && within(full, target.path));
}

const stagesAll = (stage: EffectOf<'git.stage'>, { found }: Repository): boolean =>
  stage.paths.length === 0
    ? stage.all || stage.update
    : stage.paths.some((target) => target.path !== undefined && found.top !== undefined && within(found.top, target.path));

/** Has the work tree of the tracked files what HEAD has, now? */
function headStands({ repository, look }: LineScene): boolean {
  const commit = commitOf(repository, 'HEAD');
  const tree = commit && treeOf(repository, commit);
  return tree !== undefined && look.standing().digest?.tracked === tree;
}
