/** The bytes of files as git would name them, worked out in-process, and whether git already holds them. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';

/** Files larger than this are not hashed: they count as they are. 64 MB take about 0.1 s. */
export const MAX_HASHED = 64 * 1024 * 1024;

/**
 * The blob ids a file's content may have in git: as it lies there, with LF line ends, and as the pointer of a large file.
 * Empty when it cannot be read or is too large. A link's content is its text.
 */
export function blobIds(path: string, algorithm: 'sha1' | 'sha256' = 'sha1'): readonly string[] {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return [blobId(Buffer.from(readlinkSync(path)), algorithm)];
    if (!stat.isFile() || stat.size > MAX_HASHED) return [];
    return idsOf(readFileSync(path), algorithm);
  } catch {
    return [];
  }
}

/** The ids of some bytes: raw, with LF line ends where it has CRLF, and as a large-file pointer where it is larger than a pointer. */
export function idsOf(bytes: Buffer, algorithm: 'sha1' | 'sha256' = 'sha1'): readonly string[] {
  const ids = [blobId(bytes, algorithm)];
  if (bytes.includes('\r\n') && !bytes.includes(0))
    ids.push(blobId(Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'), algorithm));
  return ids;
}

/** The id of the pointer that git-lfs would have committed for this content. */
export function pointerId(bytes: Buffer, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  const oid = createHash('sha256').update(bytes).digest('hex');
  return blobId(Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${bytes.length}\n`), algorithm);
}

/** git's name of a blob. */
export function blobId(bytes: Buffer, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
