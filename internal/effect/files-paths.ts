/** Writing to a path: what is a file, what a device, what swallows everything. Every family that writes goes through here. */
import type { Command, Redirect } from '../shell/command.ts';
import type { Word } from '../shell/word.ts';
import type { Base, Effect, Target } from './effect.ts';
import { targetOf } from './family.ts';
import type { FileEffect } from './types-files.ts';

/** Places that keep nothing, so that a write to them loses nothing. */
const SINKS = new Set([
  '/dev/null',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/stdin',
  '/dev/tty',
  '/dev/zero',
  '/dev/full',
  '/dev/random',
  '/dev/urandom',
  '/dev/console',
]);
const SINK_FOLDERS = ['/dev/fd/', '/dev/pts/', '/dev/tcp/', '/dev/udp/', '/proc/self/fd/'];

/** True for /dev/null and its kind, and for the shell's network paths, which are no files. */
export const isSink = (path: string): boolean => SINKS.has(path) || SINK_FOLDERS.some((folder) => path.startsWith(folder));

/** Names of block devices and memory below /dev, as the kernels of Linux, macOS and the BSDs give them. */
const DEVICE =
  /^(?:[shv]d[a-z]+\d*|xvd[a-z]+\d*|nvme\d+(?:c\d+)?(?:n\d+(?:p\d+)?)?|mmcblk\d+(?:p\d+|boot\d+)?|r?disk\d+(?:s\d+)*|loop\d+(?:p\d+)?|pmem\d+(?:s?p?\d+)*|dax\d+\.\d+|dm-\d+|md\d+(?:p\d+)?|ram\d+|zram\d+|nbd\d+(?:p\d+)?|zd\d+(?:p\d+)?|sr\d+|fd\d+|(?:ada|da|vtbd|nda|nvd|wd|sd)\d+(?:[ps]\d+)*[a-h]?|mem|kmem|port|mapper\/.+|disk\/by-[a-z]+\/.+|mtd(?:block)?\d+)$/;
/** Starts of such names, for globs: `/dev/sd?`. */
const DEVICE_STEM = /^(?:[shv]d[a-z]*\d*|xvd.*|nvme.*|mmcblk.*|r?disk.*|loop.*|md\d*|mapper\/.*|dm-.*)?$/;

/** Is the path a disk, a partition or memory? A glob counts when its certain start is the start of such a name. */
export function isDevice(target: Target): boolean {
  if (!target.prefix.startsWith('/dev/')) return false;
  if (!target.glob) return target.path !== undefined && DEVICE.test(target.path.slice('/dev/'.length));
  return DEVICE_STEM.test(target.prefix.slice('/dev/'.length));
}

/** Kernel settings that look like files: writing them changes the running system. */
const isKernel = (target: Target): boolean => /^\/(?:proc|sys)\/./.test(target.prefix) && !/^\/proc\/(?:self|\d+)\//.test(target.prefix);

type Written = Extract<FileEffect, { kind: 'file.write' }>;
/** What a write is, besides where it goes. */
export type Writing = Pick<Written, 'mode' | 'how' | 'command'> &
  Partial<Pick<Written, 'content' | 'edits' | 'substitutes' | 'edit' | 'preview' | 'packs'>>;

/** The effects of writing to targets: disks and kernel settings apart, sinks left out. On another machine devices are that machine's. */
export function writing(base: Base, targets: readonly Target[], how: Writing): Effect[] {
  const effects: Effect[] = [];
  const files: Target[] = [];
  for (const target of targets) {
    if (target.path !== undefined && isSink(target.path)) continue;
    if (isDevice(target)) effects.push({ kind: 'disk.write', ...base, device: target, how: how.how, command: how.command });
    else if (isKernel(target))
      effects.push({
        kind: 'system.state',
        ...base,
        how: 'kernel',
        detail: `writes ${target.path ?? target.prefix}`,
        command: how.command,
      });
    else files.push(target);
  }
  if (files.length > 0) effects.push({ kind: 'file.write', ...base, targets: files, ...how });
  return effects;
}

/** Words as targets. A word that is one of a listing (`find … | while read f`) stands for all of it. */
export const targetsOf = (words: readonly Word[], cwd: string | undefined): Target[] =>
  words.flatMap((word) => listed(word).map((each) => targetOf(each, cwd)));

function listed(word: Word): readonly Word[] {
  const at = word.parts.findIndex((part) => part.kind === 'hole' && part.among);
  const hole = word.parts[at];
  if (hole?.kind !== 'hole' || !hole.among || word.parts.some((part, i) => i !== at && part.kind === 'hole')) return [word];
  return hole.among.map((each) => ({ parts: [...word.parts.slice(0, at), ...each.parts, ...word.parts.slice(at + 1)], raw: word.raw }));
}

/** Last part of a path, without a slash at its end. */
export const baseName = (path: string): string => path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1).replace(/\/+$/, '');

/** Its output goes to a file (or nowhere), so that nobody reads it here. */
export const isAway = (command: Command): boolean =>
  command.redirects.some((redirect) => redirect.fds.includes(1) && ['>', '>>', '>|'].includes(redirect.op) && !toTerminal(redirect));

function toTerminal(redirect: Redirect): boolean {
  const text = redirect.target.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return /^\/dev\/(?:stdout|stderr|tty|fd\/|tcp\/|udp\/)/.test(text);
}

/** Run by `find -exec` once per file found: what it does it does to the whole tree below. */
export const isWalked = (command: Command): boolean => command.via.some((step) => step.startsWith('find -'));

/** Nothing but variables that are set nowhere: the program gets an empty name or none, and does nothing. */
export const vanishes = (word: Word): boolean =>
  word.parts.length > 0 &&
  word.parts.every((part) => (part.kind === 'hole' ? part.why === 'unset' : part.kind === 'text' && part.text === ''));
