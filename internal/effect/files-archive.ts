/** Archives: what extraction lays over existing files, what creation overwrites and reads. */
import type { Command } from '../shell/command.ts';
import { literal, prefixOf, textOf, type Word } from '../shell/word.ts';
import type { Effect, Target } from './effect.ts';
import { baseOf, type EffectContext, type FamilyTable, targetOf } from './family.ts';
import { isAway, targetsOf, writing } from './files-paths.ts';
import { isRemotePath } from './files-sync.ts';
import { commandAt } from './line-index.ts';
import { type Grammar, type Parsed, parseOptions } from './options.ts';

const TAR: Grammar = {
  flags: [
    ...'AcdrtuxvzjJZaOkmnpPSsUWwhilBGqy'.split(''),
    ...'create extract get list append update diff compare concatenate catenate delete test-label gzip bzip2 xz lzip lzma lzop zstd compress auto-compress verbose to-stdout keep-old-files skip-old-files keep-newer-files overwrite unlink-first'.split(
      ' ',
    ),
    ...'recursive-unlink no-recursion recursion absolute-names dereference hard-dereference preserve-permissions same-owner no-same-owner no-same-permissions touch verify wildcards no-wildcards anchored ignore-case one-file-system sparse remove-files'.split(
      ' ',
    ),
    ...'multi-volume interactive confirmation force-local show-defaults null no-null totals numeric-owner seek check-links help usage version full-time utc keep-directory-symlink overwrite-dir one-top-level backup exclude-vcs exclude-caches'.split(
      ' ',
    ),
  ],
  values: [
    ...'fCTXbgHIKLNVF'.split(''),
    ...'file directory files-from exclude exclude-from use-compress-program info-script new-volume-script to-command checkpoint-action rsh-command rmt-command strip-components transform xform owner group mode mtime format label newer after-date starting-file tape-length blocking-factor record-size suffix level-file sort index-file occurrence pax-option add-file no-quote-chars quoting-style warning volno-file'.split(
      ' ',
    ),
  ],
  optional: ['checkpoint', 'one-top-level', 'backup', 'occurrence', 'totals'],
  aliases: {
    c: 'create',
    x: 'extract',
    get: 'extract',
    t: 'list',
    r: 'append',
    u: 'update',
    A: 'append',
    f: 'file',
    C: 'directory',
    I: 'use-compress-program',
    F: 'info-script',
    'new-volume-script': 'info-script',
    O: 'to-stdout',
    k: 'keep-old-files',
    'skip-old-files': 'keep-old-files',
    'keep-newer-files': 'keep-old-files',
    T: 'files-from',
    d: 'diff',
    compare: 'diff',
  },
};

/** tar's first word may be a cluster without a dash: `tar xzf a.tgz`; its values follow in order. */
function tarWords(words: readonly Word[]): readonly Word[] {
  const first = textOf(words[0]);
  if (first === undefined || !/^[A-Za-z]+$/.test(first)) return words;
  const takes = [...first].filter((letter) => TAR.values!.includes(letter));
  const values = words.slice(1, 1 + takes.length);
  const flags = [...first].filter((letter) => !TAR.values!.includes(letter)).join('');
  return [
    ...(flags ? [literal(`-${flags}`)] : []),
    ...takes.flatMap((letter, i) => [literal(`-${letter}`), ...(values[i] ? [values[i]!] : [])]),
    ...words.slice(1 + takes.length),
  ];
}

/** A tar call, parsed. The reader has put the words of TAR_OPTIONS in front. */
export const tarCall = (command: Command): Parsed => parseOptions(tarWords(command.args), TAR);

/** Programs that tar starts are the network family's. */
function tar(command: Command, context: EffectContext): Effect[] {
  const parsed = tarCall(command);
  if (parsed.has('help') || parsed.has('version') || parsed.has('usage')) return [];
  const effects: Effect[] = [];
  const base = baseOf(command);
  const folder = parsed.word('directory');
  const cwd = folder ? targetOf(folder, command.cwd).path : command.cwd;
  const archive = parsed.word('file');
  if (parsed.has('extract')) {
    if (!parsed.has('to-stdout') && !parsed.has('to-command'))
      effects.push({
        kind: 'file.extract',
        ...base,
        dest: targetOf(folder ?? literal('.'), command.cwd),
        overwrites: !parsed.has('keep-old-files'),
        command: command.source,
        ...archived(command, context),
      });
    return effects;
  }
  if (!parsed.has('create') && !parsed.has('append') && !parsed.has('update')) return effects;
  const toFile = archive && textOf(archive) !== '-' && !isRemotePath(archive);
  const members = parsed.operands.filter((word) => !prefixOf(word).startsWith('@'));
  if (members.length > 0)
    effects.push({
      kind: 'file.read',
      ...base,
      targets: targetsOf(members, cwd),
      shown: !toFile && !isAway(command),
      recursive: !parsed.has('no-recursion'),
    });
  if (toFile)
    effects.push(
      ...writing(base, targetsOf([archive], command.cwd), {
        mode: parsed.has('create') ? 'truncate' : 'in-place',
        how: 'tar',
        command: command.source,
        ...(leavesOut(parsed) ? {} : { packs: targetsOf(members, cwd) }),
      }),
    );
  if (parsed.has('remove-files') && members.length > 0)
    effects.push({
      kind: 'file.delete',
      ...base,
      targets: targetsOf(members, cwd),
      recursive: true,
      how: 'tar --remove-files',
      command: command.source,
    });
  return effects;
}

/** Not all of what is named gets into the archive. */
const leavesOut = (parsed: Parsed): boolean =>
  ['exclude', 'X', 'exclude-from', 'exclude-vcs', 'exclude-caches', 'no-recursion', 'newer', 'N', 'after-date', 'files-from'].some(
    (option) => parsed.has(option),
  );

/** The folder whose content is unpacked, where the line packs it before: `git archive HEAD | tar -x -C DIR`, `tar -c . | tar -x -C DIR`. */
function archived(command: Command, context: EffectContext): { from?: Target } {
  const { stdin } = command;
  if (stdin.from !== 'pipe') return {};
  for (const step of stdin.steps) {
    const packer = commandAt(step, context);
    if (packer?.name === 'git' && packer.args.some((word) => textOf(word) === 'archive')) {
      const at = packer.args.findIndex((word) => textOf(word) === '-C');
      return { from: targetOf((at >= 0 && packer.args[at + 1]) || literal('.'), packer.cwd) };
    }
    if (packer && /^(?:tar|gtar|bsdtar)$/.test(packer.name)) {
      const parsed = tarCall(packer);
      const folder = parsed.word('directory');
      const cwd = folder ? targetOf(folder, packer.cwd).path : packer.cwd;
      if (parsed.has('create') && parsed.operands.length === 1) return { from: targetOf(parsed.operands[0]!, cwd) };
    }
  }
  return {};
}

function unzip(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: [...'lvtzZpcnofjaCLXUuqhKM1sTVWDb'.split(''), 'help', 'version'],
    values: ['d', 'x', 'P'],
  });
  const looks = ['l', 'v', 't', 'z', 'Z', 'p', 'c', 'h', 'help', 'version'].some((flag) => parsed.has(flag));
  if (looks || parsed.operands.length === 0) return [];
  const dest = parsed.word('d') ?? literal('.');
  // Without -o it asks before it overwrites, and an agent's standard input answers nothing.
  return [
    { kind: 'file.extract', ...baseOf(command), dest: targetOf(dest, command.cwd), overwrites: parsed.has('o'), command: command.source },
  ];
}

function sevenZip(command: Command): Effect[] {
  const [verb, ...rest] = command.args;
  const text = textOf(verb)?.toLowerCase();
  const base = baseOf(command);
  const options = rest.map((word) => textOf(word) ?? '');
  const operands = rest.filter((word) => !prefixOf(word).startsWith('-'));
  if (text === 'x' || text === 'e') {
    const out = options.find((option) => /^-o./.test(option))?.slice(2) ?? '.';
    return [
      {
        kind: 'file.extract',
        ...base,
        dest: targetOf(literal(out), command.cwd),
        overwrites: options.includes('-aoa') || options.includes('-y'),
        command: command.source,
      },
    ];
  }
  if (text === 'a' && options.includes('-sdel') && operands.length > 1)
    return [
      {
        kind: 'file.delete',
        ...base,
        targets: targetsOf(operands.slice(1), command.cwd),
        recursive: true,
        how: '7z -sdel',
        command: command.source,
      },
    ];
  return [];
}

/** zip -m deletes what it packed; the archive itself is updated in place. */
function zip(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: [...'mrRjuqfdyTvcDeAgJklozXF@0123456789h'.split(''), 'move', 'help', 'show-files', 'sf'],
    values: ['x', 'i', 'b', 'n', 't', 'P', 'O', 's', 'tt', 'out', 'exclude', 'include', 'password'],
  });
  const [archive, ...members] = parsed.operands;
  if (!archive || parsed.has('help') || parsed.has('h')) return [];
  const base = baseOf(command);
  const effects: Effect[] =
    members.length > 0
      ? [{ kind: 'file.read', ...base, targets: targetsOf(members, command.cwd), shown: false, recursive: parsed.has('r') }]
      : [];
  if (textOf(archive) !== '-')
    effects.push(
      ...writing(base, targetsOf([archive], command.cwd), {
        mode: 'in-place',
        how: 'zip',
        command: command.source,
        ...(parsed.has('r') && !['x', 'exclude', 'i', 'include', 't', 'tt'].some((option) => parsed.has(option))
          ? { packs: targetsOf(members, command.cwd) }
          : {}),
      }),
    );
  if ((parsed.has('m') || parsed.has('move')) && members.length > 0)
    effects.push({
      kind: 'file.delete',
      ...base,
      targets: targetsOf(members, command.cwd),
      recursive: parsed.has('r'),
      how: 'zip -m',
      command: command.source,
    });
  return effects;
}

const COMPRESS: Grammar = {
  flags: [
    ...'cdfhklLnNqrtvVz123456789e'.split(''),
    'stdout',
    'to-stdout',
    'decompress',
    'uncompress',
    'force',
    'keep',
    'list',
    'test',
    'recursive',
    'fast',
    'best',
    'quiet',
    'verbose',
    'rm',
    'help',
    'version',
    'name',
    'no-name',
    'rsyncable',
  ],
  values: ['S', 'suffix', 'T', 'threads', 'o', 'M', 'memlimit', 'F', 'format', 'D'],
  aliases: { 'to-stdout': 'c', stdout: 'c', keep: 'k', list: 'l', test: 't', recursive: 'r', decompress: 'd', force: 'f' },
};

/** gzip replaces a file by its packed form: the content lives on. Only its output, over an existing file with -f, or -c, matters. */
function compress(command: Command): Effect[] {
  const parsed = parseOptions(command.args, COMPRESS);
  if (parsed.operands.length === 0 || parsed.has('l') || parsed.has('t') || parsed.has('help') || parsed.has('version')) return [];
  const base = baseOf(command);
  if (parsed.has('c')) return [{ kind: 'file.read', ...base, targets: targetsOf(parsed.operands, command.cwd), shown: !isAway(command) }];
  const output = parsed.word('o');
  if (output)
    return writing(base, targetsOf([output], command.cwd), {
      mode: parsed.has('f') ? 'truncate' : 'create',
      how: command.name,
      command: command.source,
    });
  // With -f the unpacked file replaces what is there under that name.
  const packed = parsed.operands.filter((word) => /\.(?:gz|bz2|xz|zst|lz4)$/.test(textOf(word) ?? ''));
  const unpacks =
    parsed.has('d') ||
    parsed.has('uncompress') ||
    parsed.has('decompress') ||
    command.name.startsWith('un') ||
    command.name === 'gunzip' ||
    command.name === 'bunzip2';
  if (!parsed.has('f') || !unpacks || packed.length === 0) return [];
  const names = packed.map((word) => literal(textOf(word)!.replace(/\.[a-z0-9]+$/, '')));
  return writing(base, targetsOf(names, command.cwd), { mode: 'truncate', how: `${command.name} -f`, command: command.source });
}

export const ARCHIVING: FamilyTable = {
  tar,
  gtar: tar,
  bsdtar: tar,
  unzip,
  '7z': sevenZip,
  '7za': sevenZip,
  '7zr': sevenZip,
  '7zz': sevenZip,
  zip,
  gzip: compress,
  gunzip: compress,
  bzip2: compress,
  bunzip2: compress,
  xz: compress,
  unxz: compress,
  zstd: compress,
  unzstd: compress,
  lz4: compress,
  pigz: compress,
};
