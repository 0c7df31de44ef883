/** Programs that move, copy and link: mv, cp, install, ln and their GNU names. */
import type { Command } from '../shell/command.ts';
import { hasGlob, shapeOf, textOf, type Word } from '../shell/word.ts';
import type { Base, Effect, Target } from './effect.ts';
import { baseOf, type EffectContext, type FamilyTable, pathTarget, targetOf } from './family.ts';
import { baseName, targetsOf, writing } from './files-paths.ts';
import { type Grammar, type Parsed, parseOptions } from './options.ts';

const COMMON = [
  'f',
  'force',
  'i',
  'interactive',
  'n',
  'no-clobber',
  'v',
  'verbose',
  'T',
  'no-target-directory',
  'h',
  'Z',
  'strip-trailing-slashes',
  'help',
  'version',
];
const ALIASES = {
  n: 'no-clobber',
  T: 'no-target-directory',
  t: 'target-directory',
  b: 'backup',
  S: 'suffix',
  r: 'recursive',
  R: 'recursive',
};

const MV: Grammar = {
  flags: [...COMMON, 'u', 'b', 'exchange', 'no-copy', 'debug'],
  values: ['t', 'target-directory', 'S', 'suffix'],
  optional: ['backup', 'update'],
  aliases: ALIASES,
};
const CP: Grammar = {
  flags: [
    ...COMMON,
    ...'abdHLlPpRrsuxXc',
    'archive',
    'attributes-only',
    'copy-contents',
    'dereference',
    'no-dereference',
    'link',
    'symbolic-link',
    'recursive',
    'remove-destination',
    'one-file-system',
    'parents',
    'debug',
    'keep-directory-symlink',
  ],
  values: ['t', 'target-directory', 'S', 'suffix'],
  optional: ['backup', 'update', 'preserve', 'reflink', 'sparse', 'context', 'no-preserve'],
  aliases: { ...ALIASES, a: 'recursive', archive: 'recursive' },
};
const INSTALL: Grammar = {
  flags: [...'bcCdDpsTvUMN', 'directory', 'compare', 'preserve-timestamps', 'strip', 'no-target-directory', 'verbose', 'help', 'version'],
  values: ['t', 'target-directory', 'S', 'suffix', 'm', 'mode', 'o', 'owner', 'g', 'group', 'strip-program', 'f'],
  optional: ['backup'],
  aliases: { ...ALIASES, d: 'directory', m: 'mode', o: 'owner', g: 'group' },
};

interface Operands {
  sources: readonly Word[];
  dest: Word;
  into: boolean;
}

/** Sources and destination; undefined when there are too few operands to do anything. */
function split(parsed: Parsed): Operands | undefined {
  const folder = parsed.word('target-directory');
  if (folder) return parsed.operands.length > 0 ? { sources: parsed.operands, dest: folder, into: true } : undefined;
  if (parsed.operands.length < 2) return undefined;
  return { sources: parsed.operands.slice(0, -1), dest: parsed.operands.at(-1)!, into: !parsed.has('no-target-directory') };
}

const asksOnly = (parsed: Parsed): boolean => parsed.has('help') || parsed.has('version');

/** The destination's name does not vary while the source does: each turn lands on the file of the turn before. */
function collides(command: Command, { sources, dest }: Operands): boolean {
  if (!command.looped || shapeOf(dest).endsWith('/')) return false;
  const varies = (word: Word) =>
    hasGlob(word) ||
    word.parts.some(
      (part) =>
        part.kind === 'hole' &&
        (['loop', 'argument', 'input', 'variable'].includes(part.why) || (part.why === 'command' && part.name !== undefined)),
    );
  const counted = command.counters?.some((name) => new RegExp(`\\$\\{?${name}\\b`).test(dest.raw)) === true;
  return sources.some(varies) && !varies(dest) && !counted;
}

function mv(command: Command): Effect[] {
  const parsed = parseOptions(command.args, MV);
  const operands = split(parsed);
  if (!operands || asksOnly(parsed)) return [];
  // The null device is no place to keep a file: either mv fails, or the file is gone.
  if (textOf(operands.dest) === '/dev/null' && operands.sources.length === 1) {
    return [
      {
        kind: 'file.delete',
        ...baseOf(command),
        targets: targetsOf(operands.sources, command.cwd),
        recursive: false,
        how: 'mv',
        command: command.source,
      },
    ];
  }
  return [
    {
      kind: 'file.move',
      ...baseOf(command),
      sources: targetsOf(operands.sources, command.cwd),
      dest: targetOf(operands.dest, command.cwd),
      into: operands.into,
      noClobber: keeps(parsed),
      backup: parsed.has('backup'),
      command: command.source,
      ...(collides(command, operands) ? { colliding: true } : {}),
    },
  ];
}

/** -n, or --update=none: what is there stays. A later -f takes it back. */
function keeps(parsed: Parsed): boolean {
  if (parsed.text('update') === 'none' || parsed.text('update') === 'none-fail') return true;
  const order = [...parsed.options.keys()];
  const forced = Math.max(order.indexOf('f'), order.indexOf('force'));
  return parsed.has('no-clobber') && order.indexOf('no-clobber') > forced;
}

function cp(command: Command, { look }: EffectContext): Effect[] {
  const parsed = parseOptions(command.args, CP);
  const operands = split(parsed);
  if (!operands || asksOnly(parsed)) return [];
  const base = baseOf(command);
  const dest = targetOf(operands.dest, command.cwd);
  if (parsed.has('s') || parsed.has('symbolic-link') || parsed.has('l') || parsed.has('link')) {
    const symbolic = parsed.has('s') || parsed.has('symbolic-link');
    return operands.sources.map((source) => link(base, command, source, operands, symbolic, parsed.has('f') || parsed.has('force'), look));
  }
  if (parsed.has('attributes-only')) return [];
  const [only] = operands.sources;
  if (operands.sources.length === 1 && textOf(only) === '/dev/null')
    return writing(base, [dest], { mode: 'truncate', content: '', how: 'cp', command: command.source });
  if (dest.path?.startsWith('/dev/'))
    return [
      { kind: 'file.read', ...base, targets: targetsOf(operands.sources, command.cwd), shown: true },
      ...writing(base, [dest], { mode: 'truncate', how: 'cp', command: command.source }),
    ];
  const copy = (sources: readonly Word[], into: boolean): Effect => ({
    kind: 'file.copy',
    ...base,
    sources: targetsOf(sources, command.cwd),
    dest,
    into,
    noClobber: keeps(parsed),
    backup: parsed.has('backup'),
    recursive: parsed.has('recursive'),
    command: command.source,
  });
  // `cp -r a/. b`: what is in the folder, and not the folder, lands in the destination.
  const contents = parsed.has('recursive') ? operands.sources.filter((word) => /(?:^|\/)\.$/.test(textOf(word) ?? '')) : [];
  const others = operands.sources.filter((word) => !contents.includes(word));
  return [...contents.map((word) => copy([word], false)), ...(others.length > 0 ? [copy(others, operands.into)] : [])];
}

/** ditto of macOS lays what is in a folder over the destination. */
function ditto(command: Command): Effect[] {
  const parsed = parseOptions(command.args, { flags: [...'vVXkxzcj'], values: ['arch', 'bom', 'zlibCompressionLevel'], singleDash: true });
  const operands = split(parsed);
  if (!operands || parsed.has('c') || parsed.has('x')) return [];
  return [
    {
      kind: 'file.copy',
      ...baseOf(command),
      sources: targetsOf(operands.sources, command.cwd),
      dest: targetOf(operands.dest, command.cwd),
      into: false,
      noClobber: false,
      backup: false,
      recursive: true,
      command: command.source,
    },
  ];
}

function install(command: Command): Effect[] {
  const parsed = parseOptions(command.args, INSTALL);
  if (asksOnly(parsed)) return [];
  const base = baseOf(command);
  if (parsed.has('directory'))
    return parsed.operands.length > 0 ? [{ kind: 'file.mkdir', ...base, targets: targetsOf(parsed.operands, command.cwd) }] : [];
  const operands = split(parsed);
  if (!operands) return [];
  const dest = targetOf(operands.dest, command.cwd);
  const mode = parsed.text('mode');
  const copy: Effect = {
    kind: 'file.copy',
    ...base,
    sources: targetsOf(operands.sources, command.cwd),
    dest,
    into: operands.into && !parsed.has('D'),
    noClobber: false,
    backup: parsed.has('backup'),
    recursive: false,
    command: command.source,
  };
  if (mode === undefined) return [copy];
  return [copy, { kind: 'file.mode', ...base, targets: [dest], recursive: false, change: 'mode', value: mode, command: command.source }];
}

const LN: Grammar = {
  flags: [
    ...'bdfFhiLnPrsTvw',
    'directory',
    'force',
    'interactive',
    'logical',
    'no-dereference',
    'physical',
    'relative',
    'symbolic',
    'no-target-directory',
    'verbose',
    'help',
    'version',
  ],
  values: ['t', 'target-directory', 'S', 'suffix'],
  optional: ['backup'],
  aliases: { ...ALIASES, s: 'symbolic', f: 'force', n: 'no-dereference', h: 'no-dereference' },
};

function ln(command: Command, { look }: EffectContext): Effect[] {
  const parsed = parseOptions(command.args, LN);
  if (asksOnly(parsed) || parsed.operands.length === 0) return [];
  const one = parsed.operands.length === 1 && !parsed.has('target-directory');
  const operands: Operands | undefined = one
    ? { sources: parsed.operands, dest: { parts: [{ kind: 'text', text: '.' }], raw: '.' }, into: true }
    : split(parsed);
  if (!operands) return [];
  const flat = parsed.has('no-dereference') && !one;
  return operands.sources.map((source) =>
    link(
      baseOf(command),
      command,
      source,
      flat ? { ...operands, into: operands.into && !isLink(operands.dest, command, look) } : operands,
      parsed.has('symbolic'),
      parsed.has('force'),
      look,
    ),
  );
}

function isLink(word: Word, command: Command, look: EffectContext['look']): boolean {
  const path = targetOf(word, command.cwd).path;
  return path !== undefined && look.stat(path)?.kind === 'link';
}

/** One link. In a directory it gets the target's own name. */
function link(
  base: Base,
  command: Command,
  source: Word,
  { dest, into }: Operands,
  symbolic: boolean,
  force: boolean,
  look: EffectContext['look'],
): Effect {
  const place = targetOf(dest, command.cwd);
  const inside = into && place.path !== undefined && (place.path === command.cwd || isFolder(place.path, look));
  const at: Target = inside ? pathTarget(`${place.path}/${baseName(shapeOf(source))}`, command.cwd, place.raw) : place;
  const from = symbolic && at.path !== undefined ? at.path.slice(0, Math.max(at.path.lastIndexOf('/'), 1)) : command.cwd;
  return { kind: 'file.link', ...base, target: targetOf(source, from), at, symbolic, force };
}

function isFolder(path: string, look: EffectContext['look']): boolean {
  const stat = look.stat(path);
  if (stat?.kind === 'link' && stat.target) return look.stat(stat.target)?.kind === 'dir';
  return stat?.kind === 'dir';
}

export const MOVING: FamilyTable = { mv, gmv: mv, cp, gcp: cp, ditto, install, ginstall: install, ln, gln: ln };
