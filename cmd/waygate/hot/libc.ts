/**
 * The lane's files by the system's C library, for the compiled executable on Linux: bun takes 0.5 ms less to bind eight functions than to
 * load `node:fs`, a tenth of a start (docs/adr/0007-start-up.md). Where they cannot be bound (another C library, memory that may not be
 * written and run) bun throws, and the lane goes by `node:fs`.
 */
import type { Files } from './files.ts';

/** Arguments are numbers, texts that end in NUL and bytes; 64-bit results come as number or bigint. */
type Call = (...args: readonly (number | Uint8Array)[]) => number | bigint;

interface Ffi {
  dlopen(library: string, functions: Readonly<Record<string, { args: string[]; returns: string }>>): { symbols: Record<string, Call> };
  read: { i32(pointer: number | bigint, offset: number): number };
}

// <fcntl.h>, <unistd.h> and <errno.h> of Linux on x86-64 and arm64. No call here has optional arguments: those are passed in another way.
const O_RDWR = 0o2;
const O_APPEND = 0o2000;
const O_CLOEXEC = 0o2000000;
const SEEK_END = 2;
const F_OK = 0;
const ENOENT = 2;
const ENOTDIR = 20;

/** Bytes for a path, or for a record. */
const ROOM = 16 * 1024;

type Writer = Buffer & { utf8Write(text: string, at: number): number };

/** Throws where bun cannot bind the library. */
export function libcFiles(): Files {
  const ffi = require('bun:ffi') as Ffi;
  const { symbols: c } = ffi.dlopen('libc.so.6', {
    access: { args: ['ptr', 'i32'], returns: 'i32' },
    open: { args: ['ptr', 'i32'], returns: 'i32' },
    lseek: { args: ['i32', 'i64', 'i32'], returns: 'i64' },
    read: { args: ['i32', 'ptr', 'usize'], returns: 'i64' },
    pread: { args: ['i32', 'ptr', 'usize', 'i64'], returns: 'i64' },
    write: { args: ['i32', 'ptr', 'usize'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
    __errno_location: { args: [], returns: 'ptr' },
  });
  const room = Buffer.allocUnsafeSlow(ROOM) as Writer;

  /** A C string ends at its first NUL, a path of JavaScript does not: one with NUL would be another path here. */
  const put = (text: string): number => {
    if (text.length * 3 >= ROOM || text.includes('\0')) throw new Error(text);
    const length = room.utf8Write(text, 0);
    room[length] = 0;
    return length;
  };
  const done = (result: number | bigint): number => {
    if (result < 0) throw new Error();
    return Number(result);
  };

  return {
    exists(path) {
      put(path);
      if (c['access']!(room, F_OK) === 0) return true;
      const errno = ffi.read.i32(c['__errno_location']!(), 0);
      if (errno !== ENOENT && errno !== ENOTDIR) throw new Error(path);
      return false;
    },
    open(path, use) {
      put(path);
      return done(c['open']!(room, use === 'append' ? O_RDWR | O_APPEND | O_CLOEXEC : O_CLOEXEC));
    },
    size: (file) => done(c['lseek']!(file, 0, SEEK_END)),
    read(file, into, at, length, from) {
      const to = at === 0 ? into : into.subarray(at);
      return done(from < 0 ? c['read']!(file, to, length) : c['pread']!(file, to, length, from));
    },
    append(file, text) {
      const length = put(text);
      if (done(c['write']!(file, room, length)) !== length) throw new Error();
    },
    close: (file) => void c['close']!(file),
  };
}
