/** What names an action and a decision: digest, summary, id. Light, since every call needs it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Action } from '../action/action.ts';

const SUMMARY_LIMIT = 200;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** sha256 over tool and input, independent of key order. */
export function digestOf(action: Pick<Action, 'tool' | 'raw'>): string {
  return `sha256:${createHash('sha256')
    .update(stable({ tool: action.tool, input: action.raw }))
    .digest('hex')}`;
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${stable(item)}`).join(',')}}`;
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
  return head + [...randomBytes(16)].map((byte) => CROCKFORD[byte % 32]).join('');
}
