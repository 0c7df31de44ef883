/** Takes away what git or a checkpoint holds, and names the rest. */
import { readFileSync } from 'node:fs';
import { type CheckpointView, stampOf, storeFolder, viewOf } from '../checkpoint/store.ts';
import { blobIds, idsOf, MAX_HASHED, pointerId } from './content.ts';
import type { AtStake, Stake } from './facts.ts';
import { timeLeft } from './git.ts';
import type { Gathered, Piece } from './piece.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';

/** Items that are named in one answer. */
const MAX_ITEMS = 50;
/** Pieces that are looked at first: when they already fill the answer, the rest is only counted. */
const FIRST = 100;
/** Bytes that are hashed for one answer. About 0.5 s. */
const MAX_TOTAL = 256 * 1024 * 1024;

/**
 * The answer for these pieces. `more` counts the pieces that are not named; when there are many, those beyond the first
 * hundred are counted without having been compared.
 */
export function settle(gathered: Gathered, scene: Scene): Stake {
  const pieces = distinct(gathered.pieces);
  const stores = storesOf(scene);
  const items: AtStake[] = [];
  const held: { name: string; checkpoint: string }[] = [];
  let more = 0;
  for (const batch of [pieces.slice(0, FIRST), pieces.slice(FIRST)]) {
    if (items.length >= MAX_ITEMS) {
      more += batch.length;
      continue;
    }
    const { open, safe } = sift(batch, stores, scene);
    held.push(...safe);
    for (const piece of open) {
      if (items.length < MAX_ITEMS) items.push(itemOf(piece, scene));
      else more++;
    }
  }
  return { items, more, held, ...(gathered.unread === undefined ? {} : { unread: gathered.unread }) };
}

/** What exists nowhere else, and what only a checkpoint holds. */
function sift(
  pieces: readonly Piece[],
  stores: Stores,
  scene: Scene,
): { open: readonly Piece[]; safe: readonly { name: string; checkpoint: string }[] } {
  const ids = hashAll(pieces, stores, scene);
  const changed = pieces.filter((piece) => !(piece.known ?? []).some((oid) => idsFor(piece, ids).includes(oid)));
  const inGit = committed(changed, ids);
  const loose = changed.filter((piece) => piece.repository === undefined || !idsFor(piece, ids).some((oid) => inGit.has(oid)));
  const checkpoints = heldBy(loose, ids, stores);
  return {
    open: loose.filter((piece) => !checkpoints.has(piece)),
    safe: loose.flatMap((piece) =>
      checkpoints.has(piece) ? [{ name: nameOf(piece, scene), checkpoint: checkpoints.get(piece) as string }] : [],
    ),
  };
}

const nameOf = (piece: Piece, scene: Scene): string => piece.name ?? scene.show(piece.shown ?? piece.path ?? '');

const itemOf = (piece: Piece, scene: Scene): AtStake => ({
  kind: piece.kind,
  name: nameOf(piece, scene),
  savable: piece.savable,
  ...(piece.path ? { path: piece.shown ?? piece.path } : {}),
  ...(piece.count === undefined ? {} : { count: piece.count }),
});

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
function hashAll(pieces: readonly Piece[], stores: Stores, scene: Scene): Ids {
  const ids = new Map<Piece, readonly string[]>();
  const files = pieces.filter((piece) => piece.path && !piece.blob && piece.savable);
  const total = files.reduce((sum, piece) => sum + (piece.size ?? 0), 0);
  const known = files.length > MANY_FILES || total > MANY_BYTES;
  let read = 0;
  for (const piece of files) {
    const path = piece.path as string;
    const unchanged = known
      ? stores
          .of(piece)
          .stamps()
          .get(`${path}\n${stampOf(path)}`)
      : undefined;
    if (unchanged !== undefined) {
      ids.set(piece, [unchanged]);
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
  const wanted = new Set(open);
  const paths = pieces
    .filter((piece) => idsFor(piece, ids).some((oid) => wanted.has(oid)))
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

/** The checkpoint stores that concern the pieces, each read once. A store that does not exist costs nothing. */
interface Stores {
  of(piece: Piece): CheckpointView;
}

function storesOf(scene: Scene): Stores {
  const opened = new Map<string, CheckpointView>();
  return {
    of: (piece) => {
      const key = piece.repository?.found.commonDir ?? OUTSIDE;
      const known = opened.get(key) ?? viewOf(storeFolder(scene.grounds.state, key), scene.budget, scene.env);
      opened.set(key, known);
      return known;
    },
  };
}

/** Key of the store for files outside repositories. */
const OUTSIDE = '/';

/** The checkpoint that holds each piece whole, for those that one holds. */
function heldBy(pieces: readonly Piece[], ids: Ids, stores: Stores): ReadonlyMap<Piece, string> {
  const byStore = new Map<CheckpointView, Piece[]>();
  for (const piece of pieces) {
    const list = byStore.get(stores.of(piece));
    if (list) list.push(piece);
    else byStore.set(stores.of(piece), [piece]);
  }
  const found = new Map<Piece, string>();
  for (const [store, list] of byStore) {
    const objects = (piece: Piece): readonly string[] => piece.commits ?? idsFor(piece, ids).slice(0, 1);
    const held = store.held(list.flatMap(objects));
    for (const piece of list) {
      const own = objects(piece);
      if (own.length > 0 && own.every((oid) => held.has(oid))) found.set(piece, held.get(own[0] as string) as string);
    }
  }
  return found;
}
