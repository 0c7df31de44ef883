/** What names an action and a decision: digest, summary, id. Light, since every call needs it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Action } from '../action/action.ts';

const SUMMARY_LIMIT = 200;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** sha256 over tool and input, independent of key order. */
export function digestOf(action: Pick<Action, 'tool' | 'raw'>): string {
  return `sha256:${sha256(`{"input":${stable(action.raw)},"tool":${JSON.stringify(action.tool)}}`)}`;
}

// Named imports of what every Node 20 has: the hook's bundle translates imports one by one (hack/lazy.mjs) and has no namespace objects.
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (value && typeof value === 'object') {
    const names = Object.keys(value);
    if (names.length > 1) names.sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${stable((value as Record<string, unknown>)[name])}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** What the action is about, on one line of at most 200 characters. Not redacted yet. */
export function summaryOf(action: Action): string {
  const text = action.input.command ?? action.input.path ?? action.input.url ?? action.input.pattern ?? action.tool;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SUMMARY_LIMIT ? `${line.slice(0, SUMMARY_LIMIT - 1)}…` : line;
}

/** A ULID: sorts by time, 26 characters. */
export function newId(now: Date): string {
  let time = now.getTime();
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = CROCKFORD[time % 32] + head;
    time = Math.floor(time / 32);
  }
  let tail = '';
  for (const byte of chance()) tail += CROCKFORD[byte % 32];
  return head + tail;
}

/** Random bytes of one id. */
const BYTES = 16;
/** Ids that one question to the system is enough for: it costs more than all the rest of an id. */
const POOLED = 64;
let pool: Uint8Array = new Uint8Array(0);
let used = 0;
let asked = false;

/** The first id of a process asks for its own bytes only: a hook's process makes no second one. */
function chance(): Uint8Array {
  if (used >= pool.length) {
    pool = randomBytes(asked ? BYTES * POOLED : BYTES);
    asked = true;
    used = 0;
  }
  used += BYTES;
  return pool.subarray(used - BYTES, used);
}
