/** Files that a call would take away, wherever they lie. */
import { lstatSync, statSync } from 'node:fs';
import type { Target } from '../effect/effect.ts';
import { isSink } from './assume.ts';
import { realOf, realParentOf } from './discover.ts';
import { gatherDetached, gatherHistory } from './gather-commits.ts';
import { filePiece, isFilled, isRepositoryTop, learn, withHidden } from './gather-entry.ts';
import { gatherOther, gatherWhole } from './gather-whole.ts';
import { expandGlob } from './glob.ts';
import { type Gathered, MAX_SAVED, nothing, type Piece, together } from './piece.ts';
import { within } from './places.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';
import type { StatusEntry } from './status.ts';
import { walk } from './walk.ts';

/** A path to look at: real (links of the parents resolved), and as the caller wrote it. */
interface Spot {
  path: string;
  shown: string;
  kind: 'file' | 'dir';
}

/** About paths: what lies there and is no link, no scratch and not made again. */
export function gatherPaths(targets: readonly Target[], options: { tree: boolean; writes: boolean }, scene: Scene): Gathered {
  const spots: Spot[] = [];
  const pieces: Piece[] = [];
  let unread: string | undefined;
  for (const target of targets) {
    if (target.path === undefined) {
      if (isScratchPrefix(target, scene)) continue;
      pieces.push({ kind: 'unknown', name: target.raw, savable: false });
      unread ??= `\`${target.raw}\` is not known before the run`;
      continue;
    }
    const matches = target.glob ? expandGlob(target.path) : { paths: [target.path], cut: false };
    if (matches.cut) unread ??= `more matches than are looked at`;
    for (const path of matches.paths) {
      const spot = spotAt(path, target.slash === true || options.writes);
      if (spot === 'device') pieces.push({ kind: 'outside', path, savable: false });
      else if (spot && (spot.kind === 'file' || options.tree)) spots.push(spot);
    }
  }
  const gathered = gatherSpots(spots, scene);
  return { pieces: [...pieces, ...gathered.pieces], ...((unread ?? gathered.unread) ? { unread: unread ?? gathered.unread } : {}) };
}

/** Nothing but scratch or output can be meant: `/tmp/x/$NAME`, `dist/$NAME`. */
function isScratchPrefix(target: Target, scene: Scene): boolean {
  if (target.prefix === '' || target.prefix === '/') return false;
  const place = scene.place(target.prefix);
  // The prefix itself must be below the root, not the root: `/tmp/$X` with an empty X is /tmp.
  return (
    place === 'regenerable' ||
    (place === 'temp' && !scene.grounds.temps.includes(target.prefix) && !target.unset) ||
    (place === 'temp' && target.prefix.split('/').length > 3)
  );
}

/** What lies at a path and may be lost with it; undefined when that is nothing. */
function spotAt(path: string, through: boolean): Spot | 'device' | undefined {
  let real = realParentOf(path);
  try {
    let stat = lstatSync(real);
    if (stat.isSymbolicLink()) {
      // Deleting a link deletes the link: its text can be written again.
      if (!through) return undefined;
      real = realOf(real);
      stat = statSync(real);
    }
    if (stat.isBlockDevice()) return 'device';
    if (stat.isCharacterDevice()) return isSink(path) || isSink(real) ? undefined : 'device';
    if (stat.isFile()) return stat.size === 0 ? undefined : { path: real, shown: path, kind: 'file' };
    if (stat.isDirectory()) return { path: real, shown: path, kind: 'dir' };
    return undefined;
  } catch {
    return undefined;
  }
}

/** Groups the spots by repository and asks each once. */
function gatherSpots(spots: readonly Spot[], scene: Scene): Gathered {
  const parts: Gathered[] = [];
  const byRepository = new Map<Repository, Spot[]>();
  for (const spot of spots) {
    const place = scene.place(spot.path);
    if (place === 'regenerable' && !holdsTracked(spot, scene)) continue;
    if (spot.kind === 'dir' && isRepositoryTop(spot.path)) {
      parts.push(gatherWhole(spot.path, scene));
      continue;
    }
    const repository = scene.repositoryOf(spot.path);
    if (repository && within(spot.path, repository.found.gitDir)) {
      parts.push(gatherInGitDir(spot, repository, scene));
      continue;
    }
    if (place === 'temp' && spot.kind === 'file') continue;
    if (!repository?.found.top) {
      parts.push(gatherLoose(spot, scene));
      continue;
    }
    const list = byRepository.get(repository);
    if (list) list.push(spot);
    else byRepository.set(repository, [spot]);
  }
  for (const [repository, list] of byRepository) parts.push(gatherInRepository(repository, list, scene));
  return together(parts);
}

/** A regenerable name may still hold tracked files with changes: `build/` with sources in it. */
function holdsTracked(spot: Spot, scene: Scene): boolean {
  const repository = scene.repositoryOf(spot.path);
  const top = repository?.found.top;
  if (!repository || top === undefined || !within(spot.path, top)) return false;
  const scan = repository.index();
  if (!scan) return false;
  const relative = spot.path.slice(top.length + 1);
  if (scan.paths.has(relative)) return true;
  for (const path of scan.paths) if (path.startsWith(`${relative}/`)) return true;
  return false;
}

/** Outside every repository: files in scratch places do not count, repositories found on the way do. */
function gatherLoose(spot: Spot, scene: Scene): Gathered {
  const isTemp = (path: string) => scene.place(path) === 'temp';
  if (spot.kind === 'file') return { pieces: isTemp(spot.path) ? [] : [filePiece('outside', spot.path, spot.shown)] };
  const scratch = isTemp(spot.path);
  const walked = walk(spot.path, scene.budget, (path) => scene.regenerable(path));
  const inner = walked.repositories.map((path) => gatherWhole(path, scene));
  const files = scratch ? [] : walked.files.filter((file) => file.kind === 'file' && file.size > 0);
  const pieces = files.map(
    (file): Piece => ({
      kind: 'outside',
      path: file.path,
      shown: spot.shown + file.path.slice(spot.path.length),
      size: file.size,
      savable: file.size <= MAX_SAVED,
    }),
  );
  return together([{ pieces, ...(walked.cut && !scratch ? { unread: `more than ${walked.files.length} files` } : {}) }, ...inner]);
}

/** Files and directories of one work tree, in one question. Only the work tree is lost: what the index holds stays. */
function gatherInRepository(repository: Repository, spots: readonly Spot[], scene: Scene): Gathered {
  const top = repository.found.top as string;
  const pathspecs = spots.some((spot) => spot.path === top)
    ? undefined
    : spots.map((spot) => `:(top,literal)${spot.path.slice(top.length + 1)}`);
  const status = repository.status(pathspecs, true);
  const shownOf = (path: string): string => {
    const spot = spots.find((each) => within(path, each.path));
    return spot ? spot.shown + path.slice(spot.path.length) : path;
  };
  const covered = (path: string) => spots.some((spot) => within(path, spot.path));
  const parts: Gathered[] = [];
  learn(repository, status.entries, scene);
  for (const entry of withHidden(repository, status.entries, covered)) {
    const path = `${top}/${entry.path}`;
    if (entry.submodule) continue;
    if (entry.kind === 'changed' || entry.kind === 'unmerged') {
      if (entry.y === 'D' || !isFilled(path)) continue;
      if (entry.kind === 'changed' && entry.y === '.') continue;
      parts.push({
        pieces: [
          filePiece('modified', path, shownOf(path), { repository, known: [entry.head, entry.index].filter((oid) => oid !== undefined) }),
        ],
      });
    } else if (covered(path)) parts.push(gatherOther(repository, entry, path, shownOf(path), scene));
    // git names the ignored folder; only what was asked about goes.
    else for (const spot of spots) if (within(spot.path, path)) parts.push(gatherBelow(repository, entry, spot, scene));
  }
  for (const link of repository.index()?.gitlinks ?? []) {
    const path = `${top}/${link}`;
    if (covered(path) && isRepositoryTop(path)) parts.push(gatherWhole(path, scene));
  }
  return together([...parts, { pieces: [], ...(status.unread ? { unread: status.unread } : {}) }]);
}

/** A file or directory inside a directory that git ignores or does not track as a whole. */
function gatherBelow(repository: Repository, entry: StatusEntry, spot: Spot, scene: Scene): Gathered {
  const path = spot.path.slice((repository.found.top as string).length + 1);
  return gatherOther(repository, { ...entry, path, directory: spot.kind === 'dir' }, spot.path, spot.shown, scene);
}

/** Something below a git directory: the whole of it or its objects and refs take history along; hooks and settings are files. */
function gatherInGitDir(spot: Spot, repository: Repository, scene: Scene): Gathered {
  const { gitDir, commonDir } = repository.found;
  if (spot.path === gitDir || spot.path === commonDir) {
    const history =
      gitDir === commonDir || spot.path === commonDir ? gatherHistory(repository, scene.show(spot.path)) : gatherDetached(repository);
    const staged = repository.status(undefined, false).entries.flatMap((entry): Piece[] =>
      entry.kind === 'changed' && entry.index && entry.x !== '.' && entry.y !== '.'
        ? [
            {
              kind: 'staged',
              path: `${repository.found.top}/${entry.path}`,
              shown: `${repository.found.top}/${entry.path}`,
              repository,
              blob: entry.index,
              savable: true,
            },
          ]
        : [],
    );
    return together([history, { pieces: staged }]);
  }
  const below = spot.path.slice((within(spot.path, commonDir) ? commonDir : gitDir).length + 1);
  if (/^(objects|refs|packed-refs|logs|HEAD)(\/|$)/.test(below)) return gatherHistory(repository, scene.show(commonDir));
  if (/^(hooks|info|config|modules)(\/|$)/.test(below)) {
    if (spot.kind === 'file') return { pieces: spot.path.endsWith('.sample') ? [] : [filePiece('outside', spot.path, spot.shown)] };
    const walked = walk(spot.path, scene.budget, (path) => path.endsWith('.sample'));
    return {
      pieces: walked.files
        .filter((file) => file.kind === 'file' && file.size > 0)
        .map((file): Piece => ({ kind: 'outside', path: file.path, shown: file.path, size: file.size, savable: true })),
    };
  }
  return nothing();
}
