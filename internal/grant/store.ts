/** The two files of requests and grants in the state folder: appended with one write per record, torn lines skipped. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, realpathSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../ledger/folder.ts';
import { stateDir } from '../ledger/state.ts';
import {
  type Decided,
  type Grant,
  type GrantRecord,
  NOTHING_DECIDED,
  type OwnerRecord,
  type RejectedRecord,
  type RequestRecord,
} from './records.ts';

type Env = NodeJS.ProcessEnv;

const requestsFile = (env: Env): string => join(stateDir(env), 'requests.jsonl');
const grantsFile = (env: Env): string => join(stateDir(env), 'grants.jsonl');

/** Files that are compared with their digest at most: 16 MB. */
const MAX_DIGESTED = 16 * 1024 * 1024;

/** The requests of a workspace, oldest first; of all workspaces without one. */
export const readRequests = (workspace?: string, env: Env = process.env): readonly RequestRecord[] =>
  (recordsIn(requestsFile(env)) as readonly RequestRecord[]).filter(
    (record) => record.t === 'request' && (workspace === undefined || record.workspace === workspace),
  );

export const appendRequest = (record: RequestRecord, env: Env = process.env): void => append(requestsFile(env), record, env);

/** Only a person's verb writes grants, revocations and rejections. */
export const appendOwner = (record: OwnerRecord, env: Env = process.env): void => append(grantsFile(env), record, env);

/** Everything the owner decided, oldest first. A file that others may write counts as empty: nothing is granted then. */
export function readOwner(env: Env = process.env): readonly OwnerRecord[] {
  const path = grantsFile(env);
  const stat = quietly(() => statSync(path, { throwIfNoEntry: false }), undefined);
  const own = process.getuid?.();
  if (!stat?.isFile() || (stat.mode & 0o022) !== 0 || (own !== undefined && stat.uid !== own)) return [];
  return recordsIn(path) as readonly OwnerRecord[];
}

/** What was decided for calls of one session in one workspace, now. Reads the named files of a live grant. */
export function decidedFor(at: { workspace: string; session: string; now: Date }, env: Env = process.env): Decided {
  const records = quietly(() => readOwner(env));
  if (records.length === 0) return NOTHING_DECIDED;
  const workspace = realOf(at.workspace);
  const grants = grantsIn(records, at.now).filter((grant) => covers(grant, workspace, at.session));
  return {
    grants: grants.map((grant) => (grant.dead === undefined ? withFiles(grant) : grant)),
    rejections: rejectionsIn(records).filter((each) => each.workspace === workspace),
  };
}

/** Every grant with its state. Pure but for its name: the records are given. */
export function grantsIn(records: readonly OwnerRecord[], now: Date): readonly Grant[] {
  const revoked = revokedIn(records);
  const used = new Map<string, Set<string>>();
  for (const record of records) {
    if (record.t !== 'used') continue;
    const keys = used.get(record.grant) ?? new Set();
    used.set(record.grant, keys.add(record.key));
  }
  return records
    .filter((record): record is GrantRecord => record.t === 'grant')
    .map((grant) => {
      const count = used.get(grant.id)?.size ?? 0;
      const dead = revoked.has(grant.id)
        ? 'revoked'
        : !(Date.parse(grant.until) > now.getTime())
          ? 'expired'
          : grant.uses !== undefined && count >= grant.uses
            ? 'used up'
            : undefined;
      return { used: count, ...grant, ...(dead ? { dead } : {}) } as Grant;
    });
}

/** The rejections that stand. */
export function rejectionsIn(records: readonly OwnerRecord[]): readonly RejectedRecord[] {
  const revoked = revokedIn(records);
  return records.filter((record): record is RejectedRecord => record.t === 'rejected' && !revoked.has(record.id));
}

const revokedIn = (records: readonly OwnerRecord[]): ReadonlySet<string> =>
  new Set(records.flatMap((record) => (record.t === 'revoked' ? [record.id] : [])));

function covers(grant: GrantRecord, workspace: string, session: string): boolean {
  if (grant.scope === 'all') return true;
  return grant.workspace === workspace && (grant.scope === 'workspace' || grant.session === session);
}

/** The object of the grant is what the owner saw: other bytes are another object. */
function withFiles(grant: Grant): Grant {
  const changed = grant.files?.find((file) => fileDigest(file.path) !== file.digest);
  return changed ? { ...grant, dead: 'changed', changed: changed.path } : grant;
}

/** `sha256:` over a regular file; undefined when there is none, or it is too large. */
export function fileDigest(path: string): string | undefined {
  return quietly(() => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > MAX_DIGESTED) return undefined;
    return digestOfBytes(readFileSync(path));
  }, undefined);
}

export const digestOfBytes = (bytes: string | Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/**
 * Takes one use of a grant. Safe side by side: everybody appends first, and the place in the file decides who was in time.
 * `first`: nobody had used it before.
 */
export function claim(
  grant: Pick<GrantRecord, 'id' | 'uses'>,
  key: string,
  at: Date,
  env: Env = process.env,
): { ok: boolean; first: boolean } {
  try {
    append(grantsFile(env), { t: 'used', at: at.toISOString(), grant: grant.id, key }, env);
    const keys = [...new Set(readOwner(env).flatMap((record) => (record.t === 'used' && record.grant === grant.id ? [record.key] : [])))];
    const place = keys.indexOf(key);
    return { ok: place >= 0 && (grant.uses === undefined || place < grant.uses), first: place === 0 };
  } catch {
    // What cannot be counted is not used.
    return { ok: false, first: false };
  }
}

/** A path without links; as it is when nothing lies there. */
export const realOf = (path: string): string => quietly(() => realpathSync(path), path);

function quietly<T>(read: () => readonly T[]): readonly T[];
function quietly<T>(read: () => T, otherwise: T): T;
function quietly<T>(read: () => T, otherwise: unknown = []): T {
  try {
    return read();
  } catch {
    return otherwise as T;
  }
}

function recordsIn(path: string): readonly unknown[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  const records: unknown[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('{"t":"')) continue;
    try {
      records.push(JSON.parse(line));
    } catch {
      // torn: it costs itself
    }
  }
  return records;
}

function append(path: string, record: object, env: Env): void {
  makeFolder(stateDir(env));
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
