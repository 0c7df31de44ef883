/** Bytes of standard input -> a JSON value, or what is wrong with them. */
import type { Problem } from '../action/tools.ts';
import { typeName } from '../action/tools.ts';

/** Largest payload that is read, in bytes: far above the 1 MB a command may have, far below what would exhaust memory. */
export const PAYLOAD_LIMIT = 32 * 1024 * 1024;

/** The payload's value. `undefined` stands for an empty one. */
export type Payload = { value: Readonly<Record<string, unknown>> } | { empty: true } | { problem: Problem };

const SHAPE = 'one JSON object with hook_event_name, tool_name and tool_input';

/** Reads bytes: a byte order mark is dropped, UTF-16 is recognized by it, invalid UTF-8 becomes U+FFFD, a bare NUL in a string is kept. */
export function readPayload(bytes: Uint8Array): Payload {
  if (bytes.length > PAYLOAD_LIMIT)
    return { problem: { field: 'payload', expected: `at most ${PAYLOAD_LIMIT} bytes`, got: `${bytes.length} bytes` } };
  const text = decode(bytes);
  if (text.trim() === '') return { empty: true };
  return parsePayload(text);
}

/** The same for text. */
export function parsePayload(text: string): Payload {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    try {
      // JSON knows no bare NUL. As an escape it is legal inside strings and still an error anywhere else.
      value = JSON.parse(text.replaceAll('\0', '\\u0000'));
    } catch {
      return {
        problem: {
          field: 'payload',
          expected: SHAPE,
          got: text.trimStart().startsWith('{') ? 'JSON that is cut off or broken' : 'text that is not JSON',
        },
      };
    }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { problem: { field: 'payload', expected: SHAPE, got: typeName(value) } };
  return { value: value as Record<string, unknown> };
}

function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.subarray(2).toString('utf16le');
  const text = buffer.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
