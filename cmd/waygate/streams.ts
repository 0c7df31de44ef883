/** Standard input and output of a hook: whole, synchronous, and without an exception. */
import { readSync, writeSync } from 'node:fs';
import { PAYLOAD_LIMIT } from '../../internal/host/payload.ts';

const CHUNK = 64 * 1024;
/** How long to sleep when a non-blocking pipe has nothing yet, in milliseconds. */
const PAUSE_MS = 2;

/** All of standard input. Read to its end, also past the limit: a host whose write breaks takes the hook for failed. `head`: its beginning. */
export function readAll(fd = 0, limit = PAYLOAD_LIMIT, head?: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = head?.length ? [head] : [];
  let total = head?.length ?? 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let got: number;
    try {
      got = readSync(fd, chunk, 0, CHUNK, null);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EAGAIN') {
        pause();
        continue;
      }
      // EOF on Windows; a closed descriptor asks nothing.
      break;
    }
    if (got === 0) break;
    total += got;
    if (total <= limit + CHUNK) chunks.push(chunk.subarray(0, got));
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Writes everything. A reader that is gone changes nothing. */
export function writeAll(fd: number, text: string): void {
  let bytes = Buffer.from(text, 'utf8');
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      pause();
    }
  }
}

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
