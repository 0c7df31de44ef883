/** Answers "what would be lost": gathers the pieces of a question and takes away what exists elsewhere. */
import { readFileSync } from 'node:fs';
import { heldIn, stampOf, stampsIn, storeFolder } from '../checkpoint/store.ts';
import { blobIds, idsOf, MAX_HASHED, pointerId } from './content.ts';
import { realOf } from './discover.ts';
import type { AtStake, LossQuestion, Stake } from './facts.ts';
import { gatherBranches, gatherMove, gatherStash, gatherUnreachable } from './gather-commits.ts';
import { gatherPaths } from './gather-files.ts';
import { gatherWhole } from './gather-whole.ts';
import { gatherClean, gatherWorktree } from './gather-worktree.ts';
import { timeLeft } from './git.ts';
import type { Overlay } from './overlay.ts';
import { type Gathered, nothing, type Piece, together } from './piece.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';

/** Items that are named in one answer. */
const MAX_ITEMS = 50;
/** Bytes that are hashed for one answer. About 0.5 s. */
const MAX_TOTAL = 256 * 1024 * 1024;

/** The answer to a question, with the earlier effects of the line taken into account. */
export function lost(question: LossQuestion, scene: Scene, overlay: Overlay): Stake {
  const rewritten = overlay.rewrite(question);
  const gathered = together(rewritten.map((each) => gather(each, scene)));
  const pieces = [...gathered.pieces, ...overlay.adds(question)].filter((piece) => !overlay.saves(piece, question));
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
        : gatherWhole(realOf(question.path.path), scene);
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
      return gatherWorktree(question, repository);
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

/** Takes away what git or a checkpoint holds and names the rest. */
export function settle(gathered: Gathered, scene: Scene): Stake {
  const items: AtStake[] = [];
  const held: { name: string; checkpoint: string }[] = [];
  let rest: readonly Piece[] = distinct(gathered.pieces);
  const ids = hashAll(rest, scene);
  rest = rest.filter((piece) => !(piece.known ?? []).some((oid) => idsFor(piece, ids).includes(oid)));
  const inGit = committed(rest, ids);
  rest = rest.filter((piece) => !idsFor(piece, ids).some((oid) => inGit.has(oid)) || piece.repository === undefined);
  const stores = heldBy(rest, ids, scene);
  let more = 0;
  for (const piece of rest) {
    const checkpoint = checkpointOf(piece, ids, stores);
    const name = piece.name ?? scene.show(piece.shown ?? piece.path ?? '');
    if (checkpoint !== undefined) held.push({ name, checkpoint });
    else if (items.length < MAX_ITEMS)
      items.push({
        kind: piece.kind,
        name,
        savable: piece.savable,
        ...(piece.path ? { path: piece.shown ?? piece.path } : {}),
        ...(piece.count === undefined ? {} : { count: piece.count }),
      });
    else more++;
  }
  return { items, more, held, ...(gathered.unread === undefined ? {} : { unread: gathered.unread }) };
}

/** One path may be met by several targets. */
function distinct(pieces: readonly Piece[]): readonly Piece[] {
  const seen = new Set<string>();
  return pieces.filter((piece) => {
    const key = `${piece.kind === 'staged' && piece.blob ? piece.blob : ''}\n${piece.path ?? piece.name}\n${piece.commits?.[0] ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

type Ids = ReadonlyMap<Piece, readonly string[]>;

const idsFor = (piece: Piece, ids: Ids): readonly string[] => (piece.blob ? [piece.blob] : (ids.get(piece) ?? []));

/** The blob ids of the files, within the bounds of bytes and time. A file that is not hashed counts as it is. */
function hashAll(pieces: readonly Piece[], scene: Scene): Ids {
  const ids = new Map<Piece, readonly string[]>();
  const files = pieces.filter((piece) => piece.path && !piece.blob && piece.savable);
  const total = files.reduce((sum, piece) => sum + (piece.size ?? 0), 0);
  const stamps = files.length > MANY_FILES || total > MANY_BYTES ? stampsOf(files, scene) : undefined;
  let read = 0;
  for (const piece of files) {
    const path = piece.path as string;
    const known = stamps?.get(keyOf(piece))?.get(`${path}\n${stampOf(path)}`);
    if (known !== undefined) {
      ids.set(piece, [known]);
      continue;
    }
    const size = piece.size ?? 0;
    if (size > MAX_HASHED || read + size > MAX_TOTAL || timeLeft(scene.budget) < 150) continue;
    read += size;
    const repository = piece.repository;
    ids.set(piece, repository && usesLfs(repository) ? withPointer(path, repository) : blobIds(path, repository?.algorithm));
  }
  return ids;
}

/** From here on a file that has not changed since a checkpoint read it is not read again. */
const MANY_FILES = 300;
const MANY_BYTES = 32 * 1024 * 1024;

const stampsOf = (pieces: readonly Piece[], scene: Scene): ReadonlyMap<string, ReadonlyMap<string, string>> =>
  new Map([...new Set(pieces.map(keyOf))].map((key) => [key, stampsIn(storeFolder(scene.grounds.state, key))]));

const usesLfs = (repository: Repository): boolean => repository.filters().includes('lfs');

function withPointer(path: string, repository: Repository): readonly string[] {
  try {
    const bytes = readFileSync(path);
    return [...idsOf(bytes, repository.algorithm), pointerId(bytes, repository.algorithm)];
  } catch {
    return [];
  }
}

/** The blobs among these that a commit, or the index at a place that stays, holds. */
function committed(pieces: readonly Piece[], ids: Ids): ReadonlySet<string> {
  const safe = new Set<string>();
  const byRepository = new Map<Repository, Piece[]>();
  for (const piece of pieces) {
    if (!piece.repository || !piece.path || piece.commits) continue;
    const list = byRepository.get(piece.repository);
    if (list) list.push(piece);
    else byRepository.set(piece.repository, [piece]);
  }
  for (const [repository, list] of byRepository) {
    const wanted = new Set(list.flatMap((piece) => idsFor(piece, ids)));
    if (wanted.size === 0) continue;
    const answer = repository.ask(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input: `${[...wanted].join('\n')}\n` });
    const there = answer.out.split('\n').flatMap((line) => (line.endsWith(' blob') ? [line.slice(0, -5)] : []));
    if (there.length === 0) continue;
    // git may hold the bytes only by chance (added once, then changed): a commit has to hold them.
    const staged = new Set(list.flatMap((piece) => (piece.blob ? [piece.blob] : [])));
    const dirty = new Set(
      repository
        .status(undefined, false)
        .entries.flatMap((entry) => (entry.kind === 'changed' && entry.x !== '.' && entry.index ? [entry.index] : [])),
    );
    const index = repository.index();
    const open: string[] = [];
    for (const oid of there) {
      if (index?.blobs.has(oid) && !staged.has(oid) && !dirty.has(oid)) safe.add(oid);
      else open.push(oid);
    }
    if (open.length > 0) for (const oid of inHistory(repository, list, ids, open)) safe.add(oid);
  }
  return safe;
}

/** Which of these blobs a commit of some ref had at one of the paths. */
function inHistory(repository: Repository, pieces: readonly Piece[], ids: Ids, open: readonly string[]): readonly string[] {
  const top = repository.found.top;
  if (top === undefined || repository.head().oid === undefined) return [];
  const paths = pieces
    .filter((piece) => idsFor(piece, ids).some((oid) => open.includes(oid)))
    .slice(0, 100)
    .map((piece) => `:(top,literal)${(piece.path as string).slice(top.length + 1)}`);
  const answer = repository.ask([
    'log',
    '--branches',
    '--tags',
    '--remotes',
    'HEAD',
    '--format=',
    '--raw',
    '--no-abbrev',
    '-m',
    '--',
    ...paths,
  ]);
  const seen = new Set(answer.out.split('\n').flatMap((line) => (line.startsWith(':') ? line.split(' ').slice(2, 4) : [])));
  return open.filter((oid) => seen.has(oid));
}

type Stores = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Key of the store for files outside repositories. */
export const OUTSIDE = '/';

const keyOf = (piece: Piece): string => piece.repository?.found.commonDir ?? OUTSIDE;

/** What the stores of these pieces hold. A store that does not exist costs nothing. */
function heldBy(pieces: readonly Piece[], ids: Ids, scene: Scene): Stores {
  const byKey = new Map<string, Set<string>>();
  for (const piece of pieces) {
    const set = byKey.get(keyOf(piece)) ?? new Set<string>();
    for (const oid of [...idsFor(piece, ids).slice(0, 1), ...(piece.commits ?? [])]) set.add(oid);
    byKey.set(keyOf(piece), set);
  }
  return new Map([...byKey].map(([key, oids]) => [key, heldIn(storeFolder(scene.grounds.state, key), oids, scene.budget, scene.env)]));
}

/** The checkpoint that holds a piece whole. */
function checkpointOf(piece: Piece, ids: Ids, stores: Stores): string | undefined {
  const store = stores.get(keyOf(piece));
  if (!store || store.size === 0) return undefined;
  if (piece.commits) return piece.commits.every((oid) => store.has(oid)) ? store.get(piece.commits[0] as string) : undefined;
  const first = idsFor(piece, ids)[0];
  return first === undefined ? undefined : store.get(first);
}
