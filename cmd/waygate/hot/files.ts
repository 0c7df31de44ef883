/** What the lane asks of the file system, and Node's answer. The compiled executable has one that starts sooner (libc.ts). */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';

/** Each call throws where the system refuses it: the whole hook meets that again, and says so. */
export interface Files {
  /** False only where nothing is there. */
  exists(path: string): boolean;
  /** A file that is there, to read it or to read it and add to its end; its number. */
  open(path: string, use: 'read' | 'append'): number;
  /** Bytes. */
  size(file: number): number;
  /** Reads at most `length` bytes to the place `at` of `into`, from a place in the file or, with -1, from where it stands. How many there were. */
  read(file: number, into: Uint8Array, at: number, length: number, from: number): number;
  /** Adds the text, whole. */
  append(file: number, text: string): void;
  close(file: number): void;
}

export const nodeFiles: Files = {
  exists: (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
  open: (path, use) => openSync(path, use === 'append' ? constants.O_RDWR | constants.O_APPEND : constants.O_RDONLY),
  size: (file) => fstatSync(file).size,
  read: (file, into, at, length, from) => readSync(file, into, at, length, from < 0 ? null : from),
  append: (file, text) => void writeSync(file, text),
  close: closeSync,
};
