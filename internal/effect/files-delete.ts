/** Programs that remove files: rm and its kin, shred, find -delete. Moving to a wastebasket is no removal. */
import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { foundWords, readExpression } from '../shell/find-expression.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family, type FamilyTable } from './family.ts';
import { isDevice, isWalked, targetsOf, vanishes, writing } from './files-paths.ts';
import { rebased } from './interpreters/words.ts';
import { type Grammar, parseOptions } from './options.ts';

/** GNU and BSD rm together; -P, -W, -x are BSD's. */
const RM: Grammar = {
  flags: [
    'f',
    'i',
    'I',
    'r',
    'R',
    'v',
    'd',
    'P',
    'W',
    'x',
    'recursive',
    'force',
    'one-file-system',
    'no-preserve-root',
    'dir',
    'verbose',
    'help',
    'version',
  ],
  optional: ['interactive', 'preserve-root'],
  aliases: { r: 'recursive', R: 'recursive' },
};

function rm(command: Command): Effect[] {
  const parsed = parseOptions(command.args, RM);
  const operands = parsed.operands.filter((word) => !vanishes(word));
  if (parsed.has('help') || parsed.has('version') || operands.length === 0) return [];
  return [
    {
      kind: 'file.delete',
      ...baseOf(command),
      targets: targetsOf(operands, command.cwd),
      recursive: parsed.has('recursive') || isWalked(command),
      how: command.name,
      command: command.source,
    },
  ];
}

const UNLINK: Grammar = { flags: ['help', 'version'] };

function unlink(command: Command): Effect[] {
  const parsed = parseOptions(command.args, UNLINK);
  if (parsed.has('help') || parsed.has('version') || parsed.operands.length !== 1) return [];
  return [
    {
      kind: 'file.delete',
      ...baseOf(command),
      targets: targetsOf(parsed.operands, command.cwd),
      recursive: false,
      how: 'unlink',
      command: command.source,
    },
  ];
}

const SHRED: Grammar = {
  flags: ['f', 'force', 'u', 'v', 'verbose', 'x', 'exact', 'z', 'zero', 'help', 'version'],
  values: ['n', 'iterations', 's', 'size', 'random-source'],
  optional: ['remove'],
};

/** shred overwrites what is there: the content is gone whether the name stays or not. */
function shred(command: Command): Effect[] {
  const parsed = parseOptions(command.args, SHRED);
  if (parsed.has('help') || parsed.has('version')) return [];
  const targets = targetsOf(parsed.operands, command.cwd);
  const devices = targets.filter(isDevice);
  const files = targets.filter((target) => !isDevice(target));
  const base = baseOf(command);
  return [
    ...writing(base, devices, { mode: 'truncate', how: 'shred', command: command.source }),
    ...(files.length > 0
      ? [{ kind: 'file.delete' as const, ...base, targets: files, recursive: false, how: 'shred', command: command.source }]
      : []),
  ];
}

/** find -delete. Programs of -exec are read as commands of their own by the shell reader. */
function find(command: Command): Effect[] {
  const search = readExpression(command.args);
  const base = baseOf(command);
  const effects: Effect[] = [];
  if (search.prints.length > 0)
    effects.push(
      ...writing(base, targetsOf(search.prints, command.cwd), { mode: 'truncate', how: 'find -fprint', command: command.source }),
    );
  for (const { does, narrow } of search.actions) {
    // A folder goes only when it is empty.
    if (does !== 'delete' || narrow.empty || narrow.type === 'd') continue;
    const targets = targetsOf(foundWords(search, narrow), command.cwd);
    if (targets.length === 0) continue;
    effects.push({
      kind: 'file.delete',
      ...base,
      targets: search.follows ? targets.map((target) => ({ ...target, slash: true })) : targets,
      recursive: !search.shallow,
      ...(narrow.filtered ? { filtered: true } : {}),
      how: 'find -delete',
      command: command.source,
    });
  }
  return effects;
}

/** rimraf and del take paths and globs, and always mean the tree. */
function rimraf(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: [
      'g',
      'glob',
      'no-glob',
      'v',
      'verbose',
      'V',
      'no-verbose',
      'preserve-root',
      'no-preserve-root',
      'i',
      'interactive',
      'r',
      'f',
      'h',
      'help',
      'version',
      'force',
      'dry-run',
    ],
    values: ['impl', 'tmp', 'max-retries', 'backoff', 'retry-delay'],
  });
  if (parsed.has('help') || parsed.has('h') || parsed.has('version') || parsed.has('dry-run') || parsed.operands.length === 0) return [];
  return [
    {
      kind: 'file.delete',
      ...baseOf(command),
      targets: targetsOf(parsed.operands, command.cwd),
      recursive: true,
      how: command.name,
      command: command.source,
    },
  ];
}

/** `npx shx rm …`: the program of the shell by that name. Without npx in front the shell reader has taken it away. */
const shx: Family = (command, context) => {
  const words = command.args.map((word) => textOf(word));
  return words.length > 0 && words.every((word) => word !== undefined)
    ? rebased(context.effectsOf(quoteLine(words as string[]), command.cwd), baseOf(command), 'shx')
    : [];
};

export const DELETING: FamilyTable = {
  shx,
  rm,
  grm: rm,
  srm: rm,
  unlink,
  gunlink: unlink,
  shred,
  gshred: shred,
  wipe: shred,
  find,
  gfind: find,
  rimraf,
  del: rimraf,
  'del-cli': rimraf,
};
