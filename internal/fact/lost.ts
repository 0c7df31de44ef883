/** Answers "what would be lost": gathers the pieces of a question and takes away what exists elsewhere. */
import { discoverAt, realOf } from './discover.ts';
import type { LossQuestion, Stake } from './facts.ts';
import { gatherBranches, gatherMove, gatherStash, gatherUnreachable } from './gather-commits.ts';
import { isRepositoryTop } from './gather-entry.ts';
import { gatherPaths } from './gather-files.ts';
import { gatherWhole } from './gather-whole.ts';
import { gatherClean, gatherWorktree } from './gather-worktree.ts';
import { isRemakable } from './generated-declared.ts';
import type { Overlay } from './overlay.ts';
import { type Gathered, nothing, together } from './piece.ts';
import { linkedWorktrees } from './repository.ts';
import type { Scene } from './scene.ts';
import { settle } from './settle.ts';

/** The answer to a question, with the earlier effects of the line taken into account. */
export function lost(question: LossQuestion, scene: Scene, overlay: Overlay): Stake {
  const rewritten = overlay.rewrite(question);
  const gathered = together(rewritten.map((each) => gather(each, scene)));
  const remade = scene.policy.generated.length > 0 ? (path: string) => isRemakable(path, scene.policy) : undefined;
  const pieces = [...gathered.pieces, ...overlay.adds(question)].filter(
    (piece) => !(piece.path !== undefined && !piece.commits && remade?.(piece.path)) && !overlay.saves(piece, question),
  );
  return settle({ ...gathered, pieces }, scene);
}

/** The pieces of a question, as the world is now. */
export function gather(question: LossQuestion, scene: Scene): Gathered {
  switch (question.about) {
    case 'paths':
      return gatherPaths(question.targets, { tree: question.tree, writes: question.writes === true }, scene);
    case 'worktree-dir':
      return question.path.path === undefined
        ? {
            pieces: [{ kind: 'unknown', name: question.path.raw, savable: false }],
            unread: `\`${question.path.raw}\` is not known before the run`,
          }
        : together(namedWorktrees(question.path.path, question.path.raw, question.cwd).map((each) => gatherWhole(each, scene)));
    default:
      return inRepository(question, scene);
  }
}

function inRepository(question: Exclude<LossQuestion, { about: 'paths' } | { about: 'worktree-dir' }>, scene: Scene): Gathered {
  if (question.repo.fresh) return nothing();
  if (question.repo.dir === undefined) return { pieces: [], unread: 'the directory is not known before the run' };
  const repository = scene.repositoryFor(question.repo);
  // No repository: git fails and loses nothing.
  if (!repository) return nothing();
  switch (question.about) {
    case 'worktree':
      return gatherWorktree(question, repository, scene);
    case 'clean':
      return gatherClean(question, repository, scene);
    case 'stash':
      return gatherStash(repository, question.entry);
    case 'branches':
      return gatherBranches(repository, question.names);
    case 'move':
      return gatherMove(repository, question.branch, question.to);
    case 'unreachable':
      return gatherUnreachable(repository, question.stash);
  }
}

/**
 * The linked worktrees that git would take a name for: the one at that path, else those whose path ends in it. A directory
 * inside a work tree is none, and git then removes nothing.
 */
function namedWorktrees(path: string, raw: string, cwd: string | undefined): readonly string[] {
  const at = realOf(path);
  if (isRepositoryTop(at)) return [at];
  const from = path.endsWith(`/${raw}`) ? path.slice(0, -raw.length - 1) : cwd;
  const found = from === undefined ? undefined : discoverAt(from);
  const ending = `/${raw.replace(/\/+$/, '')}`;
  return found ? linkedWorktrees(found.commonDir).flatMap((each) => (each.top.endsWith(ending) ? [each.top] : [])) : [];
}
