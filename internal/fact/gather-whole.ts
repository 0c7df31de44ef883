/** What goes with a directory: files git does not hold, and, where it is a repository, its history. */
import { discoverAt } from './discover.ts';
import { gatherDetached, gatherHistory } from './gather-commits.ts';
import { filePiece, filledSize, isFilled, isRepositoryTop, learn, withHidden } from './gather-entry.ts';
import { type Gathered, MAX_SAVED, nothing, type Piece, together } from './piece.ts';
import { isTemp, within } from './places.ts';
import { linkedWorktrees, type Repository, remotesOf } from './repository.ts';
import type { Scene } from './scene.ts';
import type { StatusEntry } from './status.ts';
import { walk } from './walk.ts';

/** An untracked or ignored entry: a file, an ignored directory, or a repository of its own. */
export function gatherOther(repository: Repository, entry: StatusEntry, path: string, shown: string, scene: Scene): Gathered {
  const ignored = entry.kind === 'ignored' && scene.isIgnored(repository, path);
  if (scene.regenerable(path, ignored)) return nothing();
  if (!entry.directory) {
    const size = filledSize(path);
    if (size === 0) return nothing();
    return {
      pieces: [{ kind: entry.kind === 'ignored' ? 'ignored' : 'untracked', path, shown, repository, size, savable: size <= MAX_SAVED }],
    };
  }
  if (isRepositoryTop(path)) return gatherWhole(path, scene);
  return gatherTree(repository, entry.kind === 'ignored' ? 'ignored' : 'untracked', path, shown, scene);
}

/** All files of a directory that git does not track. */
export function gatherTree(repository: Repository, kind: 'ignored' | 'untracked', path: string, shown: string, scene: Scene): Gathered {
  const ignored = kind === 'ignored' && scene.isIgnored(repository, path);
  const walked = walk(path, scene.budget, (each) => scene.regenerable(each, ignored));
  const pieces = walked.files
    .filter((file) => file.kind === 'file' && file.size > 0)
    .map(
      (file): Piece => ({
        kind,
        path: file.path,
        shown: shown + file.path.slice(path.length),
        size: file.size,
        repository,
        savable: file.size <= MAX_SAVED,
      }),
    );
  return together([
    { pieces, ...(walked.cut ? { unread: `more than ${walked.files.length} files` } : {}) },
    ...walked.repositories.map((each) => gatherWhole(each, scene)),
  ]);
}

/**
 * A directory that is a work tree, a submodule or a bare repository, removed as a whole: its uncommitted files, and, where
 * its history goes with it, the commits and stash entries that no remote has.
 */
export function gatherWhole(path: string, scene: Scene): Gathered {
  const found = discoverAt(path);
  if (!found) return nothing();
  const repository = scene.open(found);
  if (isScratch(repository, path, scene)) return nothing();
  const shown = scene.show(path);
  const files = found.top === undefined ? nothing() : gatherAllFiles(repository, scene);
  const history = within(found.commonDir, path) ? gatherHistory(repository, shown) : gatherDetached(repository);
  return together([files, history]);
}

/** A repository that was made in a temporary directory and never shared: a test of something, not anybody's work. */
const isScratch = (repository: Repository, path: string, scene: Scene): boolean =>
  isTemp(path, scene.grounds) &&
  repository.found.linked === undefined &&
  !within(scene.grounds.workspace, path) &&
  linkedWorktrees(repository.found.commonDir).length === 0 &&
  remotesOf(repository.config()).length === 0;

function gatherAllFiles(repository: Repository, scene: Scene): Gathered {
  const top = repository.found.top as string;
  const status = repository.status(undefined, true);
  const parts: Gathered[] = [];
  learn(repository, status.entries, scene);
  const historyStays = !within(repository.found.commonDir, top);
  for (const entry of withHidden(repository, status.entries, () => true)) {
    const path = `${top}/${entry.path}`;
    if (entry.submodule) continue;
    if (entry.kind === 'untracked' || entry.kind === 'ignored') {
      parts.push(gatherOther(repository, entry, path, path, scene));
      continue;
    }
    const known = [entry.head, entry.index].filter((oid) => oid !== undefined);
    if (entry.y !== '.' && entry.y !== 'D' && isFilled(path))
      parts.push({ pieces: [filePiece('modified', path, path, { repository, known: entry.head ? [entry.head] : [] })] });
    // The index of a linked worktree goes with it, that of a whole repository too.
    if (
      entry.x !== '.' &&
      entry.x !== 'D' &&
      entry.index &&
      (entry.y !== '.' || historyStays || !isFilled(path) || entry.x === 'A' || entry.x === 'M')
    )
      parts.push({ pieces: [{ kind: 'staged', path, shown: path, repository, blob: entry.index, known, savable: true }] });
  }
  for (const link of repository.index()?.gitlinks ?? []) {
    const path = `${top}/${link}`;
    if (isRepositoryTop(path)) parts.push(gatherWhole(path, scene));
  }
  return together([...parts, { pieces: [], ...(status.unread ? { unread: status.unread } : {}) }]);
}
