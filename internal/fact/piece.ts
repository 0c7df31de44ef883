/** A piece of content that a call would take away, before it is known whether it exists elsewhere. */
import type { AtStake } from './facts.ts';
import type { Repository } from './repository.ts';

export interface Piece {
  kind: AtStake['kind'];
  /** What to call it, where it is no path. */
  name?: string;
  /** Absolute path, links of its parents resolved. */
  path?: string;
  /** The path as the caller means it, when it differs. */
  shown?: string;
  repository?: Repository;
  /** Bytes of the file. */
  size?: number;
  /** Blob ids in the index or in HEAD that are known to hold this path's content, to compare with. */
  known?: readonly string[];
  /** The content is this blob already (staged content). */
  blob?: string;
  /** The content is these commits. */
  commits?: readonly string[];
  count?: number;
  savable: boolean;
}

/** What was gathered, and why it may not be all. */
export interface Gathered {
  pieces: Piece[];
  unread?: string;
}

/** Files larger than this a checkpoint does not take: 100 MB. */
export const MAX_SAVED = 100 * 1024 * 1024;

export const nothing = (): Gathered => ({ pieces: [] });

/** Several gatherings as one; the first reason counts. */
export function together(parts: readonly Gathered[]): Gathered {
  const pieces = parts.flatMap((part) => part.pieces);
  const unread = parts.find((part) => part.unread !== undefined)?.unread;
  return unread === undefined ? { pieces } : { pieces, unread };
}
