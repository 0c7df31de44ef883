/**
 * Stands in for `node:crypto` in the hook's bundle. Node's own module brings streams and ciphers along, about 5 ms of a start;
 * a digest of a few kilobytes is done here instead, and what is larger or another algorithm goes to Node's. The compiled executable has
 * a hash without loading anything.
 */
import { sha256Hex } from './sha256.ts';

/** Above this many bytes Node's own code is faster, its loading included. */
const OWN_LIMIT = 64 * 1024;

interface Hash {
  update(data: string | Uint8Array, encoding?: BufferEncoding): Hash;
  digest(encoding: 'hex'): string;
}

const real = (): typeof import('node:crypto') => require('node:crypto');

/** What bun has of it without loading a module. */
const bun = (
  globalThis as {
    Bun?: { SHA256: { hash(data: string, encoding: 'hex'): string }; CryptoHasher: new (algorithm: string) => Hash };
  }
).Bun;

/** SHA-256 of a text in UTF-8, in hexadecimal digits. */
export const sha256 = (text: string): string => (bun ? bun.SHA256.hash(text, 'hex') : sha256Hex(Buffer.from(text, 'utf8')));

/** A hash with the two calls that the sources use. */
export function createHash(algorithm: string): Hash {
  if (bun) return new bun.CryptoHasher(algorithm);
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

/** For the signature of a gate's record: asked only by a push where a gate is declared. */
export const createHmac = (algorithm: string, key: string | NodeJS.ArrayBufferView): import('node:crypto').Hmac =>
  real().createHmac(algorithm, key);
