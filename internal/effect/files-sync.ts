/** rsync and its relatives: what they copy, and what they delete on the other side. Sending to another machine is the network family's. */

import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type FamilyTable, targetOf } from './family.ts';
import { targetsOf } from './files-paths.ts';
import { type Grammar, type Parsed, parseOptions } from './options.ts';

const RSYNC: Grammar = {
  flags: [
    ...'vqcarRbuldLkKHpEAXogDtOJUNSnWxmIhizPsyFC0468'.split(''),
    ...'verbose quiet checksum archive recursive relative backup update links copy-links copy-unsafe-links safe-links munge-links copy-dirlinks keep-dirlinks hard-links perms executability acls xattrs owner group devices specials times'.split(
      ' ',
    ),
    ...'omit-dir-times omit-link-times super fake-super sparse dry-run whole-file one-file-system existing ignore-existing remove-source-files del delete delete-before delete-during delete-delay delete-after delete-excluded ignore-errors force'.split(
      ' ',
    ),
    ...'partial delay-updates prune-empty-dirs numeric-ids size-only ignore-times fuzzy compress cvs-exclude from0 stats human-readable progress itemize-changes list-only inplace append append-verify dirs no-motd help version old-args secluded-args'.split(
      ' ',
    ),
    ...'protect-args blocking-io 8-bit-output crtimes open-noatime preallocate ignore-missing-args delete-missing-args msgs2stderr mkpath trust-sender ipv4 ipv6 fsync old-dirs'.split(
      ' ',
    ),
    ...'no-recursive no-r no-relative no-R no-perms no-p no-owner no-o no-group no-g no-times no-t no-links no-l no-D no-dirs no-implied-dirs no-whole-file no-inc-recursive no-i-r no-delete no-n no-dry-run no-compress no-z'.split(
      ' ',
    ),
  ],
  values: [
    ...'eBTfM'.split(''),
    ...'rsh rsync-path backup-dir suffix chmod block-size max-delete max-size min-size partial-dir timeout contimeout modify-window temp-dir compare-dest copy-dest link-dest compress-level skip-compress filter exclude exclude-from include include-from files-from'.split(
      ' ',
    ),
    ...'address port sockopts out-format log-file log-file-format password-file bwlimit write-batch only-write-batch read-batch protocol iconv checksum-seed usermap groupmap chown remote-option early-input compress-choice zc checksum-choice cc max-alloc stop-after stop-at outbuf copy-as'.split(
      ' ',
    ),
  ],
  optional: ['info', 'debug', 'stderr'],
  aliases: {
    n: 'dry-run',
    del: 'delete',
    b: 'backup',
    e: 'rsh',
    r: 'recursive',
    a: 'archive',
    'delete-before': 'delete',
    'delete-during': 'delete',
    'delete-delay': 'delete',
    'delete-after': 'delete',
  },
};

/** `host:path`, `user@host:path`, `host::module`, `rsync://`. A colon after a slash belongs to a name. */
export function isRemotePath(word: Word): boolean {
  const text = word.parts.map((part) => (part.kind === 'hole' ? '\u0000' : part.text)).join('');
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(text)) return true;
  const colon = text.indexOf(':');
  const slash = text.indexOf('/');
  return colon > 0 && (slash < 0 || colon < slash) && !/^[A-Za-z]:[\\/]/.test(text);
}

/** The program of -e is the network family's. */
function rsync(command: Command): Effect[] {
  const parsed = parseOptions(command.args, RSYNC);
  if (parsed.has('help') || parsed.has('version') || parsed.operands.length < 2) return [];
  if (parsed.has('list-only') || dry(parsed.options)) return [];
  const sources = parsed.operands.slice(0, -1);
  const dest = parsed.operands.at(-1)!;
  const remoteDest = isRemotePath(dest);
  const base = baseOf(command);
  const effects: Effect[] = [];
  const local = sources.filter((word) => !isRemotePath(word));
  const texts = command.argv.map(textOf);
  const dryRun = texts.every((text) => text !== undefined)
    ? quoteLine([texts[0]!, '--dry-run', '--itemize-changes', ...(texts.slice(1) as string[])])
    : undefined;
  for (const source of sources) {
    effects.push({
      kind: 'file.sync',
      ...base,
      from: targetOf(source, command.cwd),
      dest: remoteDest ? { path: undefined, prefix: '', raw: dest.raw, unknown: 'another machine' } : targetOf(dest, command.cwd),
      deletes: parsed.has('delete') || parsed.has('delete-excluded') || parsed.has('delete-missing-args'),
      ...(parsed.has('delete-excluded') ? { excludesDeleted: true } : {}),
      remoteDest,
      keeps: parsed.has('ignore-existing') || parsed.has('backup'),
      ...(isWhole(parsed) ? { whole: true } : {}),
      command: command.source,
      ...(dryRun ? { dryRunCommand: dryRun } : {}),
    });
  }
  if (parsed.has('remove-source-files') && local.length > 0 && !remoteDest) {
    effects.push({
      kind: 'file.move',
      ...base,
      sources: targetsOf(local, command.cwd),
      dest: targetOf(dest, command.cwd),
      into: true,
      noClobber: true,
      backup: false,
      command: command.source,
    });
  }
  return effects;
}

/** Recursive, and nothing chooses among the files. */
const isWhole = (parsed: Parsed): boolean =>
  (parsed.has('archive') || parsed.has('recursive')) &&
  ![
    'exclude',
    'include',
    'exclude-from',
    'include-from',
    'filter',
    'f',
    'F',
    'C',
    'cvs-exclude',
    'files-from',
    'max-size',
    'min-size',
    'existing',
    'ignore-existing',
    'u',
    'update',
    'd',
    'dirs',
  ].some((option) => parsed.has(option));

/** The last of -n, --dry-run and --no-dry-run counts. */
function dry(options: ReadonlyMap<string, unknown>): boolean {
  const order = [...options.keys()];
  return options.has('dry-run') && order.indexOf('dry-run') > Math.max(order.indexOf('no-dry-run'), order.indexOf('no-n'));
}

/** robocopy /MIR and /PURGE delete what the source has not; /L only lists. */
function robocopy(command: Command): Effect[] {
  const flags = command.args.map((word) => (textOf(word) ?? '').toLowerCase());
  const operands = command.args.filter((word) => !(textOf(word) ?? '').startsWith('/') || (textOf(word) ?? '').indexOf('/', 1) > 0);
  const [source, dest] = operands;
  if (!source || !dest || flags.includes('/l')) return [];
  const deletes = flags.includes('/mir') || flags.includes('/purge');
  return [
    {
      kind: 'file.sync',
      ...baseOf(command),
      from: targetOf(source, command.cwd),
      dest: targetOf(dest, command.cwd),
      deletes,
      remoteDest: false,
      command: command.source,
    },
  ];
}

/** rclone sync deletes at the destination; copy does not. A destination without a colon is a local folder. */
function rclone(command: Command): Effect[] {
  const [verb, ...rest] = command.args;
  const name = textOf(verb);
  if (rest.some((word) => ['-n', '--dry-run'].includes(textOf(word) ?? ''))) return [];
  if (name === 'purge' || name === 'delete' || name === 'deletefile') {
    const folders = rest.filter((word) => !(textOf(word) ?? '-').startsWith('-') && !isRemotePath(word));
    const targets = targetsOf(folders, command.cwd);
    return targets.length === 0
      ? []
      : [{ kind: 'file.delete', ...baseOf(command), targets, recursive: true, how: 'rclone', command: command.source }];
  }
  if (name !== 'sync' && name !== 'move' && name !== 'copy') return [];
  const [source, dest] = rest.filter((word) => !(textOf(word) ?? '').startsWith('-'));
  if (!source || !dest) return [];
  const remoteDest = isRemotePath(dest);
  return [
    {
      kind: 'file.sync',
      ...baseOf(command),
      from: targetOf(source, command.cwd),
      dest: remoteDest ? { path: undefined, prefix: '', raw: dest.raw, unknown: 'another machine' } : targetOf(dest, command.cwd),
      deletes: name === 'sync',
      remoteDest,
      command: command.source,
      dryRunCommand: quoteLine(['rclone', '--dry-run', ...command.args.map((word) => textOf(word) ?? word.raw)]),
    },
  ];
}

export const SYNCING: FamilyTable = { rsync, openrsync: rsync, robocopy, rclone };
