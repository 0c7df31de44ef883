/** Effects that fill a disk, the memory or the process table. */
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family, type FamilyTable } from './family.ts';

const shown = (word: Word): string => textOf(word) ?? word.raw;
const exhausts = (command: Command, how: string): Effect => ({
  kind: 'system.exhaustion',
  ...baseOf(command),
  how,
  command: command.source,
});

/** Files a command's output goes to; devices that swallow it do not count. */
const outputs = (command: Command): string[] =>
  command.redirects
    .filter((redirect) => redirect.op.startsWith('>') && redirect.fds.includes(1))
    .map((redirect) => shown(redirect.target))
    .filter((path) => !/^\/dev\/(null|stdout|stderr|tty)$/.test(path));

const ENDLESS = /^\/dev\/(zero|urandom|random|full)$/;
/** From here on a file is taken for a disk filler: 100 GiB is more than agents' machines have to spare. */
const HUGE = 100 * 2 ** 30;

/** `10G`, `1TB`, `512k`: bytes. */
export function bytesOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([kKmMgGtTpP]?)(i?[bB])?$/.exec(text);
  return match ? Number(match[1]) * 1024 ** ' kmgtp'.indexOf((match[2] || ' ').toLowerCase()) : undefined;
}

/** A stage behind that stops after a while: head, dd with a count, timeout around. */
const bounded = (command: Command): boolean => command.via.some((wrapper) => wrapper.startsWith('timeout'));

const yes: Family = (command) => {
  const to = outputs(command);
  return to.length > 0 && !bounded(command) ? [exhausts(command, `\`${to[0]}\` grows until the disk is full`)] : [];
};

const cat: Family = (command) => {
  const endless = [...command.args, ...(command.stdin.from === 'file' ? [command.stdin.file] : [])]
    .map(shown)
    .find((text) => ENDLESS.test(text));
  if (endless === undefined || bounded(command)) return [];
  const to = outputs(command);
  if (to.length > 0) return [exhausts(command, `\`${to[0]}\` grows until the disk is full`)];
  return command.name === 'tail' || command.name === 'sort' ? [exhausts(command, `\`${endless}\` never ends, and the memory fills`)] : [];
};

const dd: Family = (command) => {
  const values = new Map(
    command.args
      .map((word) => shown(word))
      .flatMap((text): [string, string][] =>
        text.includes('=') ? [[text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]] : [],
      ),
  );
  const to = values.get('of');
  if (!ENDLESS.test(values.get('if') ?? '') || to === undefined || to.startsWith('/dev/') || bounded(command)) return [];
  const count = Number(values.get('count') ?? Number.NaN);
  if (!values.has('count')) return [exhausts(command, `\`${to}\` grows until the disk is full`)];
  const size = (bytesOf(values.get('bs') ?? '512') ?? 0) * count;
  return size >= HUGE ? [exhausts(command, `\`${to}\` takes ${values.get('count')} blocks of ${values.get('bs') ?? '512 bytes'}`)] : [];
};

/** fallocate -l, head -c: a size that no disk here has to spare. */
const sized =
  (option: RegExp): Family =>
  (command) => {
    const texts = command.args.map(shown);
    const size = texts.flatMap((text, i) => {
      const attached = option.exec(text);
      return attached ? [attached[1] || texts[i + 1] || ''] : [];
    })[0];
    const bytes = size === undefined ? undefined : bytesOf(size);
    if (bytes === undefined || bytes < HUGE) return [];
    return command.name !== 'head' || outputs(command).length > 0 ? [exhausts(command, `${size} are written at once`)] : [];
  };

const stress: Family = (command) =>
  command.args.length > 0 && !command.args.some((word) => /^(--help|--version|-V|-\?)$/.test(shown(word)))
    ? [exhausts(command, 'every core and the memory are loaded on purpose')]
    : [];

/** Programs that may use up the machine. */
export const EXHAUSTION_FAMILIES: FamilyTable = {
  yes,
  cat,
  tail: cat,
  sort: cat,
  cp: (command) => {
    const operands = command.args.filter((word) => !isOption(word)).map(shown);
    return operands.length >= 2 && ENDLESS.test(operands[0]!) && !operands.at(-1)!.startsWith('/dev/')
      ? [exhausts(command, `\`${operands.at(-1)}\` grows until the disk is full`)]
      : [];
  },
  dd,
  fallocate: sized(/^(?:-l|--length=?)(.*)$/),
  head: sized(/^(?:-c|--bytes=?)(.*)$/),
  stress,
  'stress-ng': stress,
};
