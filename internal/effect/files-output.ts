/** Programs whose result goes to a file that an option or the last operand names, and that write over what is there. */
import type { Command } from '../shell/command.ts';
import { isOption, literal, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type FamilyTable } from './family.ts';
import { targetsOf, writing } from './files-paths.ts';
import { parseOptions } from './options.ts';

/** Options with one dash and a whole word, as openssl has them. */
function valuesOf(args: readonly Word[], names: readonly string[]): Word[] {
  return args.flatMap((word, at) => (names.includes(textOf(word) ?? '') ? (args[at + 1] ?? []) : []));
}

const written = (command: Command, files: readonly Word[], how: string): Effect[] =>
  files.length === 0 ? [] : writing(baseOf(command), targetsOf(files, command.cwd), { mode: 'truncate', how, command: command.source });

const openssl = (command: Command): Effect[] => written(command, valuesOf(command.args, ['-out', '-keyout', '-writerand']), 'openssl -out');

const iconv = (command: Command): Effect[] => {
  const parsed = parseOptions(command.args, {
    values: ['f', 't', 'o', 'from-code', 'to-code', 'output'],
    flags: ['c', 's', 'l', 'silent', 'verbose'],
  });
  return written(
    command,
    [parsed.word('o'), parsed.word('output')].filter((word) => word !== undefined),
    'iconv -o',
  );
};

/** `xxd [OPTIONS] [IN [OUT]]`. */
const xxd = (command: Command): Effect[] => {
  const { operands } = parseOptions(command.args, {
    flags: [...'abCdeEipPruv'],
    values: [...'cglnosR'],
    aliases: { plain: 'p', postscript: 'p', ps: 'p', revert: 'r', reverse: 'r', include: 'i', upper: 'u' },
    abbreviate: false,
    singleDash: true,
  });
  return written(command, operands.slice(1, 2), 'xxd');
};

const age = (command: Command): Effect[] => {
  const parsed = parseOptions(command.args, {
    values: ['o', 'output', 'r', 'recipient', 'R', 'recipients-file', 'i', 'identity'],
    flags: ['e', 'd', 'p', 'a', 'encrypt', 'decrypt', 'armor', 'passphrase'],
  });
  return written(
    command,
    [parsed.word('o'), parsed.word('output')].filter((word) => word !== undefined && textOf(word) !== '-') as Word[],
    'age -o',
  );
};

const pandoc = (command: Command): Effect[] => {
  const long = command.args.flatMap((word) => {
    const text = textOf(word);
    return text?.startsWith('--output=') ? [literal(text.slice('--output='.length))] : [];
  });
  return written(
    command,
    [...valuesOf(command.args, ['-o', '--output']), ...long].filter((word) => textOf(word) !== '-'),
    'pandoc -o',
  );
};

/** Only with -y it writes over a file that is there: nobody answers its question. */
const ffmpeg = (command: Command): Effect[] => {
  const last = command.args.at(-1);
  const asks = !command.args.some((word) => textOf(word) === '-y');
  return asks || !last || isOption(last) || textOf(last) === '-' ? [] : written(command, [last], 'ffmpeg -y');
};

/** ImageMagick: the last operand is written; mogrify writes each picture over itself. */
const convert = (command: Command): Effect[] => {
  const last = command.args.at(-1);
  return command.args.length < 2 || !last || isOption(last) || /^(?:[a-z]+:)?-$|^(?:info|null):/i.test(textOf(last) ?? '')
    ? []
    : written(command, [last], command.name);
};
const mogrify = (command: Command): Effect[] => {
  if (command.args.some((word) => ['-path', '-format'].includes(textOf(word) ?? ''))) return [];
  const at = command.args.findLastIndex((word) => isOption(word));
  // The last option may take the word behind it: one picture at least is left.
  return written(command, command.args.slice(at + 1).slice(command.args.length - at > 2 ? 1 : 0), 'mogrify');
};

/** Families by program. */
export const OUTPUTS: FamilyTable = { openssl, iconv, xxd, age, rage: age, pandoc, ffmpeg, convert, magick: convert, mogrify };
