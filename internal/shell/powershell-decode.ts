/** Base64 as PowerShell uses it: bytes that are UTF-16 (little end first) or UTF-8 text. */

const MAX_ENCODED = 512 * 1024;

/** The text behind a base64 word; undefined when it is none. `wide`: it must be UTF-16. */
export function decodeBase64(encoded: string | undefined, wide = false): string | undefined {
  if (encoded === undefined || encoded.length > MAX_ENCODED) return undefined;
  const packed = encoded.replace(/\s+/g, '');
  if (packed.length < 4 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(packed)) return undefined;
  const bytes = Buffer.from(packed, 'base64');
  const looksWide =
    bytes.length >= 2 &&
    bytes.length % 2 === 0 &&
    bytes.subarray(0, 64).filter((byte, i) => i % 2 === 1 && byte === 0).length >= Math.min(32, bytes.length / 2) / 2;
  return wide || looksWide ? bytes.toString('utf16le') : bytes.toString('utf8');
}
