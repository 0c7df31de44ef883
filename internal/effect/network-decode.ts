/** Programs whose output nobody can read in the line: decoders, decompressors, ciphers. */
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';

const DECOMPRESSORS = new Set([
  'gunzip',
  'zcat',
  'gzcat',
  'bunzip2',
  'bzcat',
  'unxz',
  'xzcat',
  'unzstd',
  'zstdcat',
  'unlz4',
  'lz4cat',
  'uncompress',
  'uudecode',
  'uudeview',
  'qprint',
]);
const COMPRESSORS = new Set(['gzip', 'bzip2', 'xz', 'zstd', 'lz4', 'lzma', 'brotli']);

/** What the command decodes, in a word; undefined when it does not. */
export function decodes(command: Command): string | undefined {
  const { name } = command;
  if (DECOMPRESSORS.has(name)) return name;
  const texts = () => command.args.map((word) => textOf(word) ?? '');
  const cluster = (letters: string) =>
    texts().some((text) => /^-[a-zA-Z]+$/.test(text) && [...letters].some((letter) => text.includes(letter)));
  switch (name) {
    case 'base64':
    case 'gbase64':
    case 'base32':
    case 'basenc':
      return cluster('dD') || texts().some((text) => text.startsWith('--d')) ? `${name} -d` : undefined;
    case 'xxd':
      return cluster('r') || texts().some((text) => /^-r(evert)?$/.test(text)) ? 'xxd -r' : undefined;
    case 'openssl':
      return texts().includes('-d') || texts().includes('-decrypt') ? 'openssl' : undefined;
    case 'gpg':
    case 'gpg2':
      return cluster('d') || texts().includes('--decrypt') ? 'gpg -d' : undefined;
    case 'rev':
    case 'tr':
      return name;
    case 'tar':
      return (/^[a-zA-Z]*O/.test(texts()[0] ?? '') && !texts()[0]!.startsWith('-')) || cluster('O') || texts().includes('--to-stdout')
        ? 'tar -O'
        : undefined;
    case 'unzip':
      return cluster('p') ? 'unzip -p' : undefined;
    default:
      return COMPRESSORS.has(name) && (cluster('d') || texts().some((text) => /^--(decompress|uncompress)$/.test(text)))
        ? `${name} -d`
        : undefined;
  }
}
