/** Programs that write to disks, partitions, volumes and file systems as a whole. */
import type { Command } from '../shell/command.ts';
import { prefixOf, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family, type FamilyTable, targetOf } from './family.ts';
import { isDevice, vanishes, writing } from './files-paths.ts';
import { type Grammar, parseOptions } from './options.ts';

const disk = (command: Command, device: Word): Effect => ({
  kind: 'disk.write',
  ...baseOf(command),
  device: targetOf(device, command.cwd),
  how: command.name,
  command: command.source,
});

/** A device, or a volume by its own name. A regular file that holds an image is written like any file. */
function onDevice(command: Command, word: Word): Effect[] {
  const target = targetOf(word, command.cwd);
  // A drive of Windows as a whole: `D:`.
  if (isDevice(target) || target.path === undefined || /^[A-Z]:\/?$/.test(target.path)) return [disk(command, word)];
  return writing(baseOf(command), [target], { mode: 'truncate', how: command.name, command: command.source });
}

const HELP = ['help', 'version', 'usage'];

/** mkfs and mkfs.TYPE: the device is the first operand; -n (ext) and -N only print. */
const mkfs: Family = (command) => {
  const parsed = parseOptions(command.args, {
    flags: [...'cDFjnqSvVKfkaI', ...HELP, 'force', 'quiet', 'dry-run'],
    values: [...'bCdeEgGiIJlLmMNoOrtTuUdnsapAxRzhHPQ'].filter((letter) => !'nI'.includes(letter) || command.name === 'mkfs.xfs'),
  });
  if (parsed.has('V') || parsed.has('help') || parsed.has('version') || parsed.has('dry-run')) return [];
  if (parsed.has('n') && /mke2fs|mkfs\.ext|^mkfs$/.test(command.name)) return [];
  if (parsed.has('N') && command.name === 'mkfs.xfs') return [];
  const device = parsed.operands.find((word) => targetOf(word, command.cwd).prefix.startsWith('/dev/')) ?? parsed.operands[0];
  return device ? onDevice(command, device) : [];
};

/** One operand is the device, unless one of the quiet options is there. */
const first =
  (grammar: Grammar, quiet: readonly string[] = []): Family =>
  (command) => {
    const parsed = parseOptions(command.args, { ...grammar, flags: [...(grammar.flags ?? []), ...HELP] });
    if ([...HELP, ...quiet].some((option) => parsed.has(option)) || parsed.operands.length === 0) return [];
    return onDevice(command, parsed.operands[0]!);
  };

/** Only under one of these options does it write. */
const only =
  (grammar: Grammar, writes: readonly string[], at = -1): Family =>
  (command) => {
    const parsed = parseOptions(command.args, grammar);
    const device = parsed.operands.at(at);
    if (!device || !writes.some((option) => parsed.has(option))) return [];
    return onDevice(command, device);
  };

const wipefs = only(
  {
    flags: ['a', 'all', 'b', 'backup', 'f', 'force', 'i', 'noheadings', 'J', 'json', 'n', 'no-act', 'p', 'parsable', 'q', 'quiet', ...HELP],
    values: ['O', 'output', 't', 'types', 'o', 'offset', 'lock'],
    aliases: { all: 'a', offset: 'o', 'no-act': 'n' },
  },
  ['a', 'o'],
);
const quietWipe: Family = (command, context) =>
  command.args.some((word) => /^-(?:-no-act|[abfiJpq]*n[a-z]*)$/.test(textOf(word) ?? '')) ? [] : wipefs(command, context);

/** `parted DEVICE print` and `-l` only look. Without a command it asks on a terminal nobody has. */
const parted: Family = (command) => {
  const parsed = parseOptions(command.args, {
    flags: ['l', 'list', 'm', 'machine', 'j', 'json', 's', 'script', 'f', 'fix', 'h', 'v', ...HELP],
    values: ['a', 'align'],
    stopAtOperand: true,
  });
  const [device, ...verbs] = parsed.operands;
  const names = verbs.map((word) => textOf(word) ?? '');
  const changes = names.some((name) =>
    /^(?:mklabel|mktable|mkpart|rm|resizepart|rescue|set|name|toggle|disk_set|disk_toggle|type)$/.test(name),
  );
  return device && changes ? [disk(command, device)] : [];
};

/** fdisk and its kin change the table by commands on standard input. */
const table =
  (looks: readonly string[]): Family =>
  (command) => {
    const parsed = parseOptions(command.args, {
      flags: [
        ...'lxcdgGVJLnqsvpiRUOzZoeEP',
        'list',
        'dump',
        'json',
        'show-size',
        'show-geometry',
        'list-types',
        'verify',
        'print',
        'zap',
        'zap-all',
        'clear',
        'no-act',
        'help',
        'version',
      ],
      values: [...'bCHSotuwNWXaA', 'new', 'delete', 'typecode', 'change-name'],
    });
    const device = parsed.operands[0];
    if (!device || looks.some((option) => parsed.has(option))) return [];
    const fed = command.stdin.from === 'text' || command.stdin.from === 'pipe' || command.stdin.from === 'file';
    return fed || /^(?:sg|c?g)disk$/.test(command.name) ? [disk(command, device)] : [];
  };
const sgdisk: Family = (command) => {
  const texts = command.args.map((word) => textOf(word) ?? '');
  const changes = texts.some((text) =>
    /^(?:-[zZodnNtcgGhlmrRsuUAeE]|--(?:zap|zap-all|clear|delete|new|largest-new|typecode|change-name|mbrtogpt|gpttombr|randomize-guids|disk-guid|load-backup|replicate|sort|attributes|move-second-header|transpose))/.test(
      text,
    ),
  );
  const device = command.args.find((word) => prefixOf(word).startsWith('/dev/')) ?? command.args.at(-1);
  return changes && device ? [disk(command, device)] : [];
};

/** Verb first: `cryptsetup luksFormat DEVICE`, `zpool destroy POOL`, `diskutil eraseDisk … DEVICE`. */
/** `sfdisk --delete` takes partitions away, whatever else is asked. */
const sfdisk =
  (looks: readonly string[]): Family =>
  (command, context) => {
    const texts = command.args.map((word) => textOf(word));
    const device =
      texts.includes('--delete') && !texts.some((text) => text === '-n' || text === '--no-act')
        ? command.args.find((word) => prefixOf(word).startsWith('/dev/'))
        : undefined;
    return device ? [disk(command, device)] : table(looks)(command, context);
  };

const verbs =
  (writes: RegExp, device: 'first' | 'last' = 'first'): Family =>
  (command) => {
    const words = command.args.filter((word) => !prefixOf(word).startsWith('-'));
    const verb = textOf(words[0]);
    const target = device === 'first' ? words[1] : words.at(-1);
    if (verb === undefined || !writes.test(verb) || !target || words.length < 2) return [];
    if (command.args.some((word) => ['-n', '--test', '--dry-run'].includes(textOf(word) ?? ''))) return [];
    return [disk(command, target)];
  };

/** LVM: every operand is a volume. `-t` only tries. */
const volumes: Family = (command) => {
  const parsed = parseOptions(command.args, {
    flags: [
      ...'ftvyqdnrh',
      'force',
      'test',
      'yes',
      'resizefs',
      'longhelp',
      'verbose',
      'quiet',
      'debug',
      'noudevsync',
      'nohistory',
      'nolocking',
      ...HELP,
    ],
    values: [
      ...'ALlSk',
      'autobackup',
      'size',
      'extents',
      'select',
      'commandprofile',
      'config',
      'devices',
      'devicesfile',
      'driverloaded',
      'journal',
      'lockopt',
      'profile',
      'reportformat',
    ],
  });
  if (['t', 'test', 'h', 'help', 'longhelp', 'version'].some((option) => parsed.has(option))) return [];
  return parsed.operands
    .filter((word) => !vanishes(word))
    .slice(0, 20)
    .map((word) => disk(command, word));
};

const hdparm = only(
  {
    flags: [
      ...'aAbBcCdDfFgHiIJkKLmMnNpPqQrRsStTuUvVwWxXyYzZ',
      'direct',
      'security-freeze',
      'yes-i-know-what-i-am-doing',
      'please-destroy-my-drive',
      'trim-sector-ranges-stdin',
      'dco-restore',
    ],
    values: [
      'security-erase',
      'security-erase-enhanced',
      'trim-sector-ranges',
      'write-sector',
      'repair-sector',
      'make-bad-sector',
      'user-master',
      'security-set-pass',
      'fwdownload',
    ],
    abbreviate: false,
  },
  [
    'security-erase',
    'security-erase-enhanced',
    'trim-sector-ranges',
    'trim-sector-ranges-stdin',
    'write-sector',
    'repair-sector',
    'make-bad-sector',
    'dco-restore',
    'security-set-pass',
    'fwdownload',
  ],
);

const MKFS_NAMES = [
  'mkfs',
  ...'ext2 ext3 ext4 xfs btrfs vfat fat msdos ntfs exfat f2fs reiserfs jfs minix cramfs bfs nilfs2 udf'
    .split(' ')
    .map((type) => `mkfs.${type}`),
  'mke2fs',
  'mkdosfs',
  'mkntfs',
  'mkexfatfs',
  'newfs',
  'newfs_apfs',
  'newfs_hfs',
  'newfs_msdos',
  'mkreiserfs',
];

export const DISKS: FamilyTable = {
  ...Object.fromEntries(MKFS_NAMES.map((name) => [name, mkfs])),
  mkswap: first({ flags: ['c', 'check', 'f', 'force', 'q', 'quiet', 'V'], values: ['L', 'label', 'p', 'pagesize', 'U', 'uuid', 'v'] }, [
    'V',
  ]),
  wipefs: quietWipe,
  blkdiscard: first(
    { flags: [...'fsvzqV', 'force', 'secure', 'verbose', 'zeroout'], values: ['o', 'offset', 'l', 'length', 'p', 'step'] },
    ['V'],
  ),
  badblocks: only({ flags: [...'fnswvBX'], values: [...'bcdehiopt'] }, ['w'], 0),
  parted,
  fdisk: table(['l', 'list', 's', 'x', 'h', 'help', 'version']),
  cfdisk: table(['h', 'help', 'version']),
  sfdisk: sfdisk([
    'l',
    'list',
    'd',
    'dump',
    'J',
    'json',
    's',
    'show-size',
    'g',
    'V',
    'verify',
    'T',
    'list-types',
    'n',
    'no-act',
    'help',
    'version',
  ]),
  gdisk: table(['l', 'list']),
  cgdisk: table(['h']),
  sgdisk,
  hdparm,
  cryptsetup: verbs(/^(?:luksFormat|luksErase|erase|reencrypt|luksKillSlot|luksRemoveKey)$/),
  zpool: verbs(/^(?:labelclear|create)$/),
  btrfs: verbs(/^(?:format)$/),
  lvremove: volumes,
  lvreduce: volumes,
  vgremove: volumes,
  pvremove: volumes,
  mdadm: only(
    { flags: [...'zSsQDEfqvR', 'zero-superblock', 'stop', 'force', 'run'], values: ['create', 'level', 'raid-devices', 'C', 'l', 'n'] },
    ['zero-superblock', 'create', 'C'],
    -1,
  ),
  nvme: verbs(/^(?:format|sanitize|write-zeroes|write-uncor|delete-ns|dsm)$/),
  diskutil: verbs(/^(?:erasedisk|erasevolume|reformat|zerodisk|randomdisk|secureerase|partitiondisk|erasecd|eraseoptical)$/i, 'last'),
};
