/**
 * The fold's checkpoint: the view of a session up to a place of its ledger, so that a call reads only what came after.
 * It is derived: whatever is wrong with it (torn, changed by hand, of another fold, of another ledger), the fold starts anew.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerFile } from './append.ts';
import { FOLD, foldAll } from './fold.ts';
import { recordsOf } from './read.ts';
import { EMPTY_VIEW, type SessionView } from './records.ts';
import { sessionDir } from './state.ts';

const FILE = 'view.json';
/** Records and bytes behind a checkpoint that make a new one worth its write. */
const DUE_RECORDS = 16;
const DUE_BYTES = 64 * 1024;
/** Bytes of the ledger before the checkpoint's place that must still be the same. */
const MARK = 256;

/** A view with the place it stands for. `due`: a new checkpoint should be written. */
export interface Folded {
  view: SessionView;
  offset: number;
  mark: string;
  due: boolean;
}

const NOTHING: Folded = { view: EMPTY_VIEW, offset: 0, mark: '', due: false };

/** The present view of a session. */
export function readView(session: string, env: NodeJS.ProcessEnv = process.env): Folded {
  let file: number;
  try {
    file = openSync(ledgerFile(session, env), 'r');
  } catch {
    return NOTHING;
  }
  try {
    const { size } = fstatSync(file);
    const start = startFrom(file, size, readCheckpoint(session, env));
    const tail = wholeLines(bytesOf(file, start.offset, size));
    if (tail.length === 0) return start;
    const { records } = recordsOf(tail.toString('utf8'));
    const offset = start.offset + tail.length;
    const mark = markAt(file, offset);
    return { view: foldAll(start.view, records), offset, mark, due: records.length >= DUE_RECORDS || tail.length >= DUE_BYTES };
  } catch {
    return NOTHING;
  } finally {
    closeSync(file);
  }
}

/** The checkpoint, when it belongs to this ledger; else the beginning. */
function startFrom(file: number, size: number, checkpoint: Folded | undefined): Folded {
  if (!checkpoint || checkpoint.offset > size || markAt(file, checkpoint.offset) !== checkpoint.mark) return NOTHING;
  return checkpoint;
}

function bytesOf(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  const read = readSync(file, bytes, 0, bytes.length, from);
  return bytes.subarray(0, read);
}

/** A line without its end is still being written, or torn: it is left for the next reader. */
const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);

const markAt = (file: number, offset: number): string => checksum(bytesOf(file, Math.max(0, offset - MARK), offset));

function readCheckpoint(session: string, env: NodeJS.ProcessEnv): Folded | undefined {
  try {
    const bytes = readFileSync(join(sessionDir(session, env), FILE));
    const cut = bytes.indexOf(0x0a);
    const [fold, offset, mark, digest] = bytes.toString('latin1', 0, cut).split(' ');
    const body = bytes.subarray(cut + 1);
    const head = `${fold} ${offset} ${mark}`;
    if (cut < 0 || Number(fold) !== FOLD || digest !== checksum(Buffer.from(head), body)) return undefined;
    return { view: JSON.parse(body.toString('utf8')) as SessionView, offset: Number(offset), mark: mark!, due: false };
  } catch {
    return undefined;
  }
}

/** Puts a checkpoint in place, whole or not at all. A state folder that cannot be written costs time at the next call, nothing else. */
export function writeCheckpoint(session: string, folded: Folded, env: NodeJS.ProcessEnv = process.env): void {
  const path = join(sessionDir(session, env), FILE);
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2, 10)}`;
  const body = Buffer.from(JSON.stringify(folded.view));
  const head = `${FOLD} ${folded.offset} ${folded.mark}`;
  try {
    writeFileSync(draft, Buffer.concat([Buffer.from(`${head} ${checksum(Buffer.from(head), body)}\n`), body]), { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch {
    try {
      rmSync(draft, { force: true });
    } catch {
      // nothing to take away
    }
  }
}

/**
 * A checksum over some bytes, four at a time in two lanes: tells torn and edited files at a fraction of the cost of a digest that
 * resists an attacker, who could as well compute that one anew. Writing to the state folder is what the rule state-write refuses.
 */
export function checksum(...pieces: readonly Uint8Array[]): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (const bytes of pieces) {
    const words = bytes.length >> 2;
    const aligned = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (words << 2)));
    for (let i = 0; i < words; i++) {
      a = Math.imul(a ^ aligned[i]!, 0x01000193);
      b = (b + a) ^ (b >>> 5);
    }
    for (let i = words << 2; i < bytes.length; i++) a = Math.imul(a ^ bytes[i]!, 0x01000193);
    b ^= bytes.length;
  }
  return ((a ^ (a >>> 16)) >>> 0).toString(16).padStart(8, '0') + ((b ^ (b >>> 16)) >>> 0).toString(16).padStart(8, '0');
}
