/** Programs whose result goes to a file that an option or the last operand names, and that write over what is there. */
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
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

/** Families by program. */
export const OUTPUTS: FamilyTable = { openssl, iconv, xxd, age, rage: age };
