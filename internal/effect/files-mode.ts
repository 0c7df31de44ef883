/** Who may do what with a file: chmod, chown, chgrp, ACLs and attributes. */
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type FamilyTable } from './family.ts';
import { isWalked, targetsOf } from './files-paths.ts';
import { parseOptions } from './options.ts';
import type { FileEffect } from './types-files.ts';

type Change = Extract<FileEffect, { kind: 'file.mode' }>['change'];

function mode(command: Command, targets: readonly Word[], recursive: boolean, change: Change, value: string): Effect[] {
  if (targets.length === 0) return [];
  return [
    {
      kind: 'file.mode',
      ...baseOf(command),
      targets: targetsOf(targets, command.cwd),
      recursive: recursive || isWalked(command),
      change,
      value,
      command: command.source,
    },
  ];
}

const FLAGS = [
  'R',
  'recursive',
  'c',
  'changes',
  'f',
  'silent',
  'quiet',
  'v',
  'verbose',
  'h',
  'no-dereference',
  'dereference',
  'H',
  'L',
  'P',
  'n',
  'x',
  'preserve-root',
  'no-preserve-root',
  'help',
  'version',
];

/** `-w`, `-x`, `-rwx`: a mode that takes rights away, not a cluster of options. */
const isMinusMode = (text: string): boolean => /^-[rwxXst]+(?:,.*)?$/.test(text);

function chmod(command: Command): Effect[] {
  const at = command.args.findIndex((word) => isMinusMode(textOf(word) ?? ''));
  const words = at < 0 ? command.args : [...command.args.slice(0, at), ...command.args.slice(at + 1)];
  const parsed = parseOptions(words, { flags: FLAGS, values: ['reference'], aliases: { R: 'recursive' } });
  // An option that is not known or not unique is an error: nothing is changed.
  if (parsed.has('help') || parsed.has('version') || parsed.unknown.some((option) => option.startsWith('--'))) return [];
  const named = at >= 0 || parsed.has('reference');
  const value =
    at >= 0
      ? textOf(command.args[at])!
      : parsed.has('reference')
        ? `as ${parsed.word('reference')?.raw}`
        : (textOf(parsed.operands[0]) ?? parsed.operands[0]?.raw ?? '');
  return mode(command, parsed.operands.slice(named ? 0 : 1), parsed.has('recursive'), 'mode', value);
}

function chown(command: Command): Effect[] {
  const parsed = parseOptions(command.args, { flags: FLAGS, values: ['reference', 'from'], aliases: { R: 'recursive' } });
  if (parsed.has('help') || parsed.has('version')) return [];
  const named = parsed.has('reference');
  return mode(
    command,
    parsed.operands.slice(named ? 0 : 1),
    parsed.has('recursive'),
    'owner',
    named ? `as ${parsed.word('reference')?.raw}` : (parsed.operands[0]?.raw ?? ''),
  );
}

function setfacl(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: [
      'b',
      'remove-all',
      'k',
      'remove-default',
      'n',
      'd',
      'default',
      'R',
      'recursive',
      'L',
      'P',
      'test',
      'v',
      'version',
      'h',
      'help',
      'mask',
      'no-mask',
    ],
    values: ['m', 'modify', 'M', 'x', 'remove', 'X', 'set', 'set-file', 'restore'],
    aliases: { R: 'recursive', m: 'modify', x: 'remove' },
  });
  if (parsed.has('help') || parsed.has('version') || parsed.has('test')) return [];
  return mode(
    command,
    parsed.operands,
    parsed.has('recursive'),
    'acl',
    parsed.text('modify') ?? parsed.text('remove') ?? parsed.text('set') ?? 'removed',
  );
}

/** chattr +i FILE, chattr -R -a DIR. The mode starts with +, - or = and is no option. */
function chattr(command: Command): Effect[] {
  const texts = command.args.map((word) => textOf(word) ?? word.raw);
  const at = texts.findIndex((text) => /^[+=-][aAcCdDeFijmPsStTux]+$/.test(text) && text !== '-R');
  if (at < 0) return [];
  return mode(
    command,
    command.args.slice(at + 1),
    texts.slice(0, at).some((text) => /^-[a-zA-Z]*R/.test(text)),
    'attribute',
    texts[at]!,
  );
}

/** macOS: chflags [-R] FLAGS FILE, xattr -w / -d / -c. */
function chflags(command: Command): Effect[] {
  const parsed = parseOptions(command.args, { flags: [...'fHLPRhvx'] });
  return mode(command, parsed.operands.slice(1), parsed.has('R'), 'attribute', parsed.operands[0]?.raw ?? '');
}

function xattr(command: Command): Effect[] {
  const parsed = parseOptions(command.args, { flags: [...'wdcrlspvx'] });
  const skip = parsed.has('w') ? 2 : parsed.has('d') ? 1 : parsed.has('c') ? 0 : undefined;
  return skip === undefined ? [] : mode(command, parsed.operands.slice(skip), parsed.has('r'), 'attribute', parsed.operands[0]?.raw ?? '');
}

/** icacls and takeown on Windows. */
function icacls(command: Command): Effect[] {
  const texts = command.args.map((word) => (textOf(word) ?? '').toLowerCase());
  if (!texts.some((text) => ['/grant', '/deny', '/remove', '/reset', '/setowner', '/inheritance:r'].some((flag) => text.startsWith(flag))))
    return [];
  return mode(command, command.args.slice(0, 1), texts.includes('/t'), 'acl', texts.slice(1).join(' '));
}

export const MODES: FamilyTable = { chmod, gchmod: chmod, chown, gchown: chown, chgrp: chown, setfacl, chattr, chflags, xattr, icacls };
