/** What names an action and a decision: digest, summary, id. Light, since every call needs it. */
import { createHash, hash, randomBytes } from 'node:crypto';
import type { Action } from '../action/action.ts';

const SUMMARY_LIMIT = 200;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** sha256 over tool and input, independent of key order. */
export function digestOf(action: Pick<Action, 'tool' | 'raw'>): string {
  return `sha256:${sha256(`{"input":${stable(action.raw)},"tool":${JSON.stringify(action.tool)}}`)}`;
}

/** In one go where Node can (20.12 and newer). Named imports: the hook's bundle translates them one by one and has no namespace objects. */
const sha256 = (text: string): string =>
  typeof hash === 'function' ? hash('sha256', text, 'hex') : createHash('sha256').update(text).digest('hex');

/** Digest of how the tool is read (`readingOf` of action/tools.ts). */
export const registryOf = ({ reading }: Pick<Action, 'reading'>): { registry?: string } =>
  reading === undefined ? {} : { registry: `sha256:${sha256(reading)}` };

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
  let tail = '';
  for (const byte of chance()) tail += CROCKFORD[byte % 32];
  return stampOf(now).head + tail;
}

/** A time as JSON writes it. */
export const isoOf = (now: Date): string => stampOf(now).iso;

/** The texts of the latest millisecond: several calls may be judged in one. */
let stamp = { time: Number.NaN, head: '', iso: '' };

function stampOf(now: Date): typeof stamp {
  const time = now.getTime();
  if (time === stamp.time) return stamp;
  let head = '';
  for (let i = 0, rest = time; i < 10; i++) {
    head = CROCKFORD[rest % 32] + head;
    rest = Math.floor(rest / 32);
  }
  stamp = { time, head, iso: now.toISOString() };
  return stamp;
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
