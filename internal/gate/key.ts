/**
 * This machine's key for gate records: who can write a line into the log cannot thereby say that the gate passed.
 * It lies in the state folder, which no agent may write and whose key files count as secrets.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, stateFolder } from '../fact/grounds.ts';
import { makeFolder } from '../ledger/folder.ts';
import { canonical } from '../policy/direction.ts';
import type { RunRecord } from '../runlog/record.ts';

/** The key, or why there is none. */
export type Key = { key: Buffer } | { problem: string };

/** Bytes of a key: as long as the digest. */
const BYTES = 32;

export const keyFile = (env: Env): string => join(stateFolder(env), 'gate.key');

/** Reads the key; undefined when none has been made yet. */
export function readKey(env: Env): Key | undefined {
  const file = keyFile(env);
  try {
    const stat = statSync(file);
    const own = process.getuid?.();
    if (own !== undefined && stat.uid !== own) return { problem: `${file} belongs to another user` };
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
      return { problem: `${file} can be read by others: run chmod 600 ${file}` };
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
    return key.length === BYTES ? { key } : { problem: `${file} holds no key: move it away, and the next run makes a new one` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' ? undefined : { problem: `${file} cannot be read (${code ?? 'unknown'})` };
  }
}

/** The key, made when there is none. Two that make one at the same time use the first. */
export function ensureKey(env: Env): Key {
  const known = readKey(env);
  if (known) return known;
  const file = keyFile(env);
  try {
    makeFolder(stateFolder(env));
    // Written beside it and then linked: nobody ever reads half a key.
    const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
    writeFileSync(draft, `${randomBytes(BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    try {
      linkSync(draft, file);
    } finally {
      unlinkSync(draft);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EEXIST') return { problem: `${file} cannot be written (${code ?? 'unknown'})` };
  }
  return readKey(env) ?? { problem: `${file} is not there` };
}

/** The signature over everything else in a record. */
export const signatureOf = (record: RunRecord, key: Buffer): string => {
  const { signature: _signature, ...rest } = record;
  return createHmac('sha256', key).update(canonical(rest)).digest('hex');
};

/** Is the record as this machine wrote it? */
export function isSigned(record: RunRecord, key: Buffer): boolean {
  if (typeof record.signature !== 'string') return false;
  const said = Buffer.from(record.signature, 'hex');
  const right = Buffer.from(signatureOf(record, key), 'hex');
  return said.length === right.length && timingSafeEqual(said, right);
}
