/**
 * Stands in for `node:crypto` in the hook's bundle. Node's own module brings streams and ciphers along, about 5 ms of a start;
 * a digest of a few kilobytes is done here instead, and what is larger or another algorithm goes to Node's.
 */
import { sha256Hex } from './sha256.ts';

/** Above this many bytes Node's own code is faster, its loading included. */
const OWN_LIMIT = 64 * 1024;

interface Hash {
  update(data: string | Uint8Array, encoding?: BufferEncoding): Hash;
  digest(encoding: 'hex'): string;
}

const real = (): typeof import('node:crypto') => require('node:crypto');

/** A hash with the two calls that the sources use. */
export function createHash(algorithm: string): Hash {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const hash: Hash = {
    update(data, encoding) {
      const bytes = typeof data === 'string' ? Buffer.from(data, encoding ?? 'utf8') : data;
      pieces.push(bytes);
      size += bytes.length;
      return hash;
    },
    digest(encoding) {
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      if (algorithm === 'sha256' && size <= OWN_LIMIT) return sha256Hex(bytes);
      return real().createHash(algorithm).update(bytes).digest(encoding);
    },
  };
  return hash;
}

/** Bytes that make an id unique; nothing secret depends on them. */
export function randomBytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => Math.floor(Math.random() * 256));
}

export const timingSafeEqual = (a: NodeJS.ArrayBufferView, b: NodeJS.ArrayBufferView): boolean => real().timingSafeEqual(a, b);
