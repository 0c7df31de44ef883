/**
 * Reads the parts of git's index that no question shows: files git was told not to look at (assume-unchanged,
 * skip-worktree), submodules, and which blobs it holds. The format is documented in git's gitformat-index.
 */
import { readFileSync } from 'node:fs';

export interface IndexScan {
  /** Files git does not compare: relative path and blob. */
  hidden: readonly { path: string; oid: string; mode: number }[];
  /** Paths of submodules. */
  gitlinks: readonly string[];
  /** All blobs in the index. */
  blobs: ReadonlySet<string>;
  /** Paths with an entry: for "is it tracked". */
  paths: ReadonlySet<string>;
}

const EMPTY: IndexScan = { hidden: [], gitlinks: [], blobs: new Set(), paths: new Set() };
/** Larger indexes are not read in-process. About 300,000 files. */
const MAX_BYTES = 48 * 1024 * 1024;

/** Scans the index of a git directory. An absent one is empty; undefined when it cannot be read in-process (split, sparse, damaged, huge). */
export function scanIndex(file: string, oidBytes: 20 | 32): IndexScan | undefined {
  let data: Buffer;
  try {
    data = readFileSync(file);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? EMPTY : undefined;
  }
  if (data.length > MAX_BYTES) return undefined;
  try {
    return parseIndex(data, oidBytes);
  } catch {
    return undefined;
  }
}

/** Parses index versions 2 to 4. */
export function parseIndex(data: Buffer, oidBytes: 20 | 32): IndexScan | undefined {
  if (data.length < 12 || data.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = data.readUInt32BE(4);
  const count = data.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const hidden: { path: string; oid: string; mode: number }[] = [];
  const gitlinks: string[] = [];
  const blobs = new Set<string>();
  const paths = new Set<string>();
  let at = 12;
  let previous = '';
  for (let i = 0; i < count; i++) {
    const start = at;
    const mode = data.readUInt32BE(at + 24);
    const oid = data.toString('hex', at + 40, at + 40 + oidBytes);
    const flags = data.readUInt16BE(at + 40 + oidBytes);
    let extended = 0;
    at += 42 + oidBytes;
    if (flags & 0x4000) {
      extended = data.readUInt16BE(at);
      at += 2;
    }
    let path: string;
    if (version === 4) {
      const [strip, next] = varint(data, at);
      const end = data.indexOf(0, next);
      path = previous.slice(0, previous.length - strip) + data.toString('latin1', next, end);
      at = end + 1;
    } else {
      const end = data.indexOf(0, at);
      path = data.toString('latin1', at, end);
      // Entries are padded with 1 to 8 NUL bytes to a multiple of 8.
      at = start + ((end - start + 8) & ~7);
    }
    previous = path;
    const name = Buffer.from(path, 'latin1').toString('utf8');
    paths.add(name);
    if ((mode & 0o170000) === 0o160000) gitlinks.push(name);
    else if ((mode & 0o170000) === 0o040000)
      return undefined; // sparse directory
    else blobs.add(oid);
    if (flags & 0x8000 || extended & 0x4000) hidden.push({ path: name, oid, mode });
  }
  while (at + 8 <= data.length - oidBytes) {
    const name = data.toString('latin1', at, at + 4);
    if (name === 'link' || name === 'sdir') return undefined; // split or sparse index: not the whole list
    at += 8 + data.readUInt32BE(at + 4);
  }
  return { hidden, gitlinks, blobs, paths };
}

/** git's offset encoding: big-endian groups of seven bits, each step adds one. */
function varint(data: Buffer, start: number): [number, number] {
  let at = start;
  let byte = data[at++] as number;
  let value = byte & 127;
  while (byte & 128) {
    byte = data[at++] as number;
    value = ((value + 1) << 7) | (byte & 127);
  }
  return [value, at];
}

/**
 * Is any file of an index hidden from git (assume-unchanged, skip-worktree)? Looks at the flags alone, so that 20,000 files cost a few
 * milliseconds. True also where that cannot be told in-process.
 */
export function mayHide(file: string, oidBytes: 20 | 32): boolean {
  let data: Buffer;
  try {
    data = readFileSync(file);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
  if (data.length < 12 || data.toString('latin1', 0, 4) !== 'DIRC') return true;
  const version = data.readUInt32BE(4);
  if (version !== 2 && version !== 3) return true;
  const count = data.readUInt32BE(8);
  let at = 12;
  for (let i = 0; i < count; i++) {
    const start = at;
    at += 40 + oidBytes;
    if (at + 4 > data.length) return true;
    const flags = data.readUInt16BE(at);
    const extended = flags & 0x4000 ? data.readUInt16BE(at + 2) : 0;
    if (flags & 0x8000 || extended & 0x4000) return true;
    const name = at + (flags & 0x4000 ? 4 : 2);
    const length = flags & 0x0fff;
    const end = length < 0x0fff ? name + length : data.indexOf(0, name);
    at = start + ((end - start + 8) & ~7);
  }
  // A split index has its other half elsewhere.
  return at + 8 <= data.length - oidBytes && hasExtension(data, at, oidBytes, ['link', 'sdir']);
}

function hasExtension(data: Buffer, start: number, oidBytes: number, names: readonly string[]): boolean {
  for (let at = start; at + 8 <= data.length - oidBytes; at += 8 + data.readUInt32BE(at + 4))
    if (names.includes(data.toString('latin1', at, at + 4))) return true;
  return false;
}
