/** The intents of one workspace, across sessions: `intents/<workspace>.jsonl` in the state folder, one record a line and a write. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realOf } from '../grant/store.ts';
import { makeFolder } from '../ledger/folder.ts';
import type { ResolvedRecord } from '../ledger/records.ts';
import { stateDir } from '../ledger/state.ts';
import type { OpenIntent } from './unresolved.ts';

type Env = NodeJS.ProcessEnv;

/** An intent as it is stored: one more fact, whether the host of its session had reported any outcome. */
export interface StoredIntent extends OpenIntent {
  t: 'intent';
  tool: string;
  /** The host had reported no outcome at all so far: its silence about this call says nothing. */
  silent?: true;
}

/** A status query was let through: its success closes the intent. */
interface AskedRecord {
  t: 'asked';
  at: string;
  intent: string;
  session: string;
  agent: string;
  call?: string;
  digest: string;
}

type IntentFileRecord = StoredIntent | AskedRecord | ResolvedRecord;

/** An intent with what became of it. */
export interface KnownIntent extends StoredIntent {
  resolved?: ResolvedRecord;
}

const fileOf = (workspace: string, env: Env): string =>
  join(stateDir(env), 'intents', `${createHash('sha256').update(realOf(workspace)).digest('hex').slice(0, 32)}.jsonl`);

/** What is known about the end of an open one. */
export const interruptedNote = (intent: KnownIntent): string =>
  intent.silent
    ? 'its host reports no outcomes: it is not held against a repetition'
    : 'making the same call again is refused until its end is known';

/** Is there anything to read at all? One look at the file system. */
export const hasIntents = (workspace: string, env: Env = process.env): boolean => existsSync(fileOf(workspace, env));

/** All intents of a workspace, oldest first. */
export function readIntents(workspace: string, env: Env = process.env): readonly KnownIntent[] {
  const records = recordsIn(fileOf(workspace, env));
  const resolved = new Map(records.flatMap((record) => (record.t === 'resolved' ? [[record.intent, record] as const] : [])));
  const opened = new Map(records.flatMap((record) => (record.t === 'intent' ? [[record.id, record] as const] : [])));
  return [...opened.values()].map((intent) => ({ ...intent, ...(resolved.has(intent.id) ? { resolved: resolved.get(intent.id)! } : {}) }));
}

/** The id of what a call leaves open, equal in every hook that is asked about it; undefined where the host gives calls no id. */
export function intentId({ session, agent, call, digest }: Caller, boundary: string): string | undefined {
  if (call === undefined) return undefined;
  const hex = createHash('sha256').update([session, agent, call, digest, boundary].join('\n')).digest('hex');
  return [...hex.slice(0, 52).matchAll(/../g)].map(([byte]) => CROCKFORD[Number.parseInt(byte, 16) % 32]).join('');
}

/** The letters of all ids. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const appendIntent = (workspace: string, record: IntentFileRecord, env: Env = process.env): void =>
  append(fileOf(workspace, env), record);

/** Who made a call: enough to tell its outcome from others'. */
export interface Caller {
  session: string;
  agent: string;
  call?: string;
  digest: string;
}

/**
 * Closes what the outcome of a call tells about: the intents it opened, and with a success those it was the status query of.
 * Returns the records that were written. Something that was interrupted tells nothing.
 */
export function closeIntents(
  workspace: string,
  caller: Caller,
  result: 'ok' | 'failed' | 'refused',
  at: Date,
  env: Env = process.env,
): readonly ResolvedRecord[] {
  const records = recordsIn(fileOf(workspace, env));
  const closed = new Set(records.flatMap((record) => (record.t === 'resolved' ? [record.intent] : [])));
  const written: ResolvedRecord[] = [];
  const resolve = (intent: string, by: ResolvedRecord['by'], how: ResolvedRecord['how']) => {
    if (closed.has(intent)) return;
    closed.add(intent);
    const record: ResolvedRecord = { t: 'resolved', at: at.toISOString(), intent, by, how };
    append(fileOf(workspace, env), record);
    written.push(record);
  };
  for (const record of records) {
    if (record.t === 'resolved' || !isSameCall(record, caller)) continue;
    if (record.t === 'intent') resolve(record.id, 'outcome', HOW[result]);
    else if (result === 'ok') resolve(record.intent, 'status', 'done');
  }
  return written;
}

/** What the host refused did not run. */
const HOW = { ok: 'done', failed: 'failed', refused: 'not-done' } as const;

const isSameCall = (record: StoredIntent | AskedRecord, caller: Caller): boolean =>
  record.session === caller.session && record.agent === caller.agent && record.call === caller.call && record.digest === caller.digest;

function recordsIn(path: string): readonly IntentFileRecord[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{"t":"') ? [JSON.parse(line) as IntentFileRecord] : [];
    } catch {
      return [];
    }
  });
}

function append(path: string, record: object): void {
  makeFolder(dirname(path));
  const file = openSync(path, 'a+', 0o600);
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    const torn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
    writeSync(file, `${torn ? '\n' : ''}${JSON.stringify(record)}\n`);
  } finally {
    closeSync(file);
  }
}
