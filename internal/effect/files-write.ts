/** Programs that write the files they are told to: tee, dd, truncate, touch, mkdir, sort -o, sponge, patch, editors in batch mode. */

import type { Command } from '../shell/command.ts';
import { prefixOf, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type FamilyTable, pathTarget } from './family.ts';
import { inputText } from './files-content.ts';
import { targetsOf, writing } from './files-paths.ts';
import { commandAt } from './line-index.ts';
import { type Grammar, parseOptions } from './options.ts';

const HELP = ['help', 'version'];

function tee(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: ['a', 'append', 'i', 'ignore-interrupts', 'p', ...HELP],
    optional: ['output-error'],
    aliases: { a: 'append' },
  });
  if (parsed.has('help') || parsed.has('version') || parsed.operands.length === 0) return [];
  const append = parsed.has('append');
  const content = inputText(command);
  return writing(baseOf(command), targetsOf(parsed.operands, command.cwd), {
    mode: append ? 'append' : 'truncate',
    ...(content !== undefined ? { content } : {}),
    how: 'tee',
    command: command.source,
  });
}

/** dd speaks key=value. */
function dd(command: Command): Effect[] {
  const values = new Map<string, Word>();
  for (const word of command.args) {
    const text = prefixOf(word);
    const equals = text.indexOf('=');
    if (equals > 0) values.set(text.slice(0, equals), rest(word, equals + 1));
  }
  const base = baseOf(command);
  const input = values.get('if');
  const output = values.get('of');
  const flags = `${textOf(values.get('conv')) ?? ''},${textOf(values.get('oflag')) ?? ''}`.split(',');
  const effects: Effect[] = input ? reads(base, input, command, output === undefined) : [];
  if (!output) return effects;
  const empties = textOf(input) === '/dev/null' && !flags.includes('notrunc');
  return [
    ...effects,
    ...writing(base, targetsOf([output], command.cwd), {
      mode: flags.includes('append') ? 'append' : flags.includes('excl') ? 'create' : 'truncate',
      ...(empties ? { content: '' } : {}),
      how: 'dd',
      command: command.source,
    }),
  ];
}

function reads(base: ReturnType<typeof baseOf>, input: Word, command: Command, shown: boolean): Effect[] {
  const targets = targetsOf([input], command.cwd);
  return targets[0]?.path?.startsWith('/dev/') ? [] : [{ kind: 'file.read', ...base, targets, shown }];
}

/** The word from an offset of its leading text on. */
function rest(word: Word, from: number): Word {
  const [first, ...others] = word.parts;
  if (first?.kind !== 'text') return word;
  const text = first.text.slice(from);
  return { parts: text === '' ? others : [{ ...first, text }, ...others], raw: word.raw.slice(word.raw.indexOf('=') + 1) };
}

/** A size with a sign in front only grows (`+`, `>`), or never grows (`-`, `<`). */
function truncate(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: ['c', 'no-create', 'o', 'io-blocks', ...HELP],
    values: ['r', 'reference', 's', 'size'],
    aliases: { s: 'size', r: 'reference' },
  });
  if (parsed.has('help') || parsed.has('version') || parsed.operands.length === 0) return [];
  const size = parsed.text('size');
  if (size !== undefined && (/^[+>%]/.test(size) || size === '-0')) return [];
  return writing(baseOf(command), targetsOf(parsed.operands, command.cwd), {
    mode: 'truncate',
    ...(size !== undefined && /^0[A-Za-z]*$/.test(size) ? { content: '' } : {}),
    how: 'truncate',
    command: command.source,
  });
}

/** touch makes a file where none is, and leaves the content of one that is there. */
function touch(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: ['a', 'c', 'no-create', 'f', 'h', 'no-dereference', 'm', 'A', ...HELP],
    values: ['d', 'date', 'r', 'reference', 't', 'time'],
    aliases: { c: 'no-create' },
  });
  if (parsed.has('help') || parsed.has('version') || parsed.has('no-create') || parsed.operands.length === 0) return [];
  return writing(baseOf(command), targetsOf(parsed.operands, command.cwd), {
    mode: 'create',
    content: '',
    how: 'touch',
    command: command.source,
  });
}

function mkdir(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: ['p', 'parents', 'v', 'verbose', 'Z', ...HELP],
    values: ['m', 'mode'],
    optional: ['context'],
  });
  if (parsed.has('help') || parsed.has('version') || parsed.operands.length === 0) return [];
  return [{ kind: 'file.mkdir', ...baseOf(command), targets: targetsOf(parsed.operands, command.cwd) }];
}

const SORT: Grammar = {
  flags: [...'bdfghimMnRrVcCsuz', ...HELP],
  values: [
    'k',
    'key',
    't',
    'field-separator',
    'o',
    'output',
    'S',
    'buffer-size',
    'T',
    'temporary-directory',
    'files0-from',
    'compress-program',
    'batch-size',
    'random-source',
  ],
  optional: ['parallel', 'sort', 'check'],
  aliases: { o: 'output', k: 'key' },
};

/** `sort -o f f` reads all of f before it writes it. */
function sort(command: Command): Effect[] {
  const parsed = parseOptions(command.args, SORT);
  const output = parsed.word('output');
  if (!output || parsed.has('help') || parsed.has('version')) return [];
  const path = textOf(output);
  const itself = parsed.operands.some((word) => textOf(word) === path);
  return writing(baseOf(command), targetsOf([output], command.cwd), {
    mode: itself ? 'in-place' : 'truncate',
    how: 'sort -o',
    command: command.source,
  });
}

/** sponge takes in all of its input before it writes: in place when the same pipeline reads the file. */
function sponge(command: Command, { commands }: EffectContext): Effect[] {
  const parsed = parseOptions(command.args, { flags: ['a'] });
  if (parsed.operands.length === 0) return [];
  const targets = targetsOf(parsed.operands, command.cwd);
  const steps = command.stdin.from === 'pipe' ? command.stdin.steps : [];
  const feeds = steps.flatMap((step) => commandAt(step, { commands }) ?? []);
  const itself = feeds.some((other) =>
    [...other.args, ...other.redirects.map((redirect) => redirect.target)].some((word) => textOf(word) === textOf(parsed.operands[0])),
  );
  return writing(baseOf(command), targets, {
    mode: parsed.has('a') ? 'append' : itself ? 'in-place' : 'truncate',
    how: 'sponge',
    command: command.source,
  });
}

const PATCH: Grammar = {
  flags: [
    ...'bcefElNnRsTtuvZ',
    'backup',
    'batch',
    'binary',
    'context',
    'dry-run',
    'ed',
    'force',
    'forward',
    'normal',
    'reverse',
    'silent',
    'quiet',
    'unified',
    'verbose',
    'remove-empty-files',
    ...HELP,
  ],
  values: [...'BDdFgiopVxYz', 'input', 'output', 'strip', 'directory', 'fuzz', 'prefix', 'suffix', 'reject-file', 'r'],
  aliases: { i: 'input', o: 'output', p: 'strip', d: 'directory' },
};
/** A patch file is read up to this size to learn which files it changes. */
const PATCH_LIMIT = 256 * 1024;

function patch(command: Command, { look }: EffectContext): Effect[] {
  const parsed = parseOptions(command.args, PATCH);
  if (parsed.has('help') || parsed.has('version') || parsed.has('dry-run')) return [];
  const base = baseOf(command);
  const output = parsed.word('output');
  if (output) return writing(base, targetsOf([output], command.cwd), { mode: 'truncate', how: 'patch', command: command.source });
  const folder = parsed.word('directory');
  const cwd = folder ? targetsOf([folder], command.cwd)[0]?.path : command.cwd;
  const [file, patchFile] = parsed.operands;
  if (file) return writing(base, targetsOf([file], cwd), { mode: 'in-place', how: 'patch', command: command.source });
  const source = parsed.word('input') ?? patchFile ?? (command.stdin.from === 'file' ? command.stdin.file : undefined);
  const path = source && targetsOf([source], cwd)[0]?.path;
  const text = path === undefined ? inputText(command) : look.read(path, PATCH_LIMIT);
  const strip = Number(parsed.text('strip') ?? Number.NaN);
  const targets = patchedFiles(text ?? '', strip).map((name) => pathTarget(name, cwd));
  return targets.length > 0 ? writing(base, targets, { mode: 'in-place', how: 'patch', command: command.source }) : [];
}

/** The files of a unified diff: the names behind `+++`, without their first parts. */
export function patchedFiles(text: string, strip: number): string[] {
  const files: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('+++ ')) continue;
    const name = line.slice(4).split('\t')[0]!.trim();
    if (name === '/dev/null') continue;
    const parts = name.split('/');
    files.push(Number.isNaN(strip) ? parts.at(-1)! : parts.slice(Math.min(strip, parts.length - 1)).join('/'));
  }
  return files.slice(0, 200);
}

/** Editors in batch mode write when a script of theirs says so: `w`, `x`, `wq`. */
function editor(command: Command): Effect[] {
  const batch = command.args.some((word) => /^-(?:[a-z]*[es][a-z]*|c)$/.test(textOf(word) ?? '') || (textOf(word) ?? '').startsWith('+'));
  const script = [inputText(command) ?? '', ...command.args.map((word) => textOf(word) ?? '')].join('\n');
  if (command.name !== 'ed' && command.name !== 'red' && !batch) return [];
  if (!/(?:^|[\n|:+"'\s])(?:wq?a?|x|update|ZZ)!?(?:$|[\n|"'\s])/.test(script)) return [];
  const parsed = parseOptions(command.args, { flags: [...'eEsnNRbdlmMvyZ'], values: ['c', 'u', 'p', 'S', 'cmd', 'i', 'T', 'W'] });
  const files = parsed.operands.filter((word) => !(textOf(word) ?? '').startsWith('+'));
  if (files.length === 0) return [];
  return writing(baseOf(command), targetsOf(files, command.cwd), {
    mode: 'in-place',
    substitutes: true,
    how: command.name,
    command: command.source,
  });
}

/** yq, jq-like and formatting tools that rewrite in place on request. */
function inPlaceFlag(command: Command): Effect[] {
  const at = command.args.findIndex((word) => /^(?:-i|--inplace|--in-place|--write|-w|-[a-zA-Z]*i)$/.test(textOf(word) ?? ''));
  if (at < 0) return [];
  const operands = command.args.filter((word) => !prefixOf(word).startsWith('-'));
  const file = operands.at(-1);
  if (!file || operands.length < 2) return [];
  return writing(baseOf(command), targetsOf([file], command.cwd), { mode: 'in-place', how: `${command.name} -i`, command: command.source });
}

/** dasel writes back into the file it is given: `dasel delete -f FILE PATH`, unless `-o` names another. */
function dasel(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: ['compact', 'pretty', 'colour', 'color'],
    values: ['f', 'file', 'o', 'out', 'r', 'read', 'w', 'write', 'p', 'parser', 'v', 'value', 't', 'type', 's', 'selector'],
    aliases: { file: 'f', out: 'o' },
  });
  if (!/^(?:put|delete)$/.test(textOf(parsed.operands[0]) ?? '')) return [];
  const file = parsed.options.get(parsed.has('o') ? 'o' : 'f')?.at(-1);
  if (!file || textOf(file) === '-') return [];
  return writing(baseOf(command), targetsOf([file], command.cwd), { mode: 'in-place', how: 'dasel', command: command.source });
}

/** `crudini --set FILE SECTION KEY VALUE` and `--del` change an INI file where it lies. */
function crudini(command: Command): Effect[] {
  if (!command.args.some((word) => /^--(?:set|del|merge)$/.test(textOf(word) ?? ''))) return [];
  const file = command.args.find((word) => !prefixOf(word).startsWith('-'));
  return file
    ? writing(baseOf(command), targetsOf([file], command.cwd), { mode: 'in-place', how: 'crudini', command: command.source })
    : [];
}

export const WRITING: FamilyTable = {
  tee,
  gtee: tee,
  dd,
  gdd: dd,
  truncate,
  gtruncate: truncate,
  touch,
  gtouch: touch,
  mkdir,
  gmkdir: mkdir,
  sort,
  gsort: sort,
  sponge,
  patch,
  gpatch: patch,
  ed: editor,
  red: editor,
  ex: editor,
  vi: editor,
  vim: editor,
  nvim: editor,
  yq: inPlaceFlag,
  jaq: inPlaceFlag,
  tomlq: inPlaceFlag,
  xq: inPlaceFlag,
  dasel,
  crudini,
};
