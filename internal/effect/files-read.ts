/** Programs whose output is the content of files: cat, head, grep, jq and their kin. Rules about secrets look at these. */
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type FamilyTable, targetOf } from './family.ts';
import { isAway, isSink } from './files-paths.ts';
import { JQ, READERS } from './files-readers.ts';
import { parseOptions } from './options.ts';

/** Does the program print what it reads? An interpreter prints the line it stumbles over. */
export const isReader = (name: string): boolean =>
  (Object.hasOwn(READERS, name) && !READERS[name]!.blind) || /^(python[\d.]*|node|ruby|perl|php|lua)$/.test(name);

/** What a reading program reads. The content is shown unless options hide it or the output goes to a file. */
function read(command: Command): Effect[] {
  const reader = READERS[command.name];
  if (!reader) return [];
  const parsed = parseOptions(command.args, reader.grammar);
  if (parsed.has('help') || parsed.has('version')) return [];
  const skip = (reader.instead ?? []).some((option) => parsed.has(option)) ? 0 : (reader.skip ?? 0);
  const files = [
    ...fileOperands(command.name, parsed.operands.slice(skip)),
    ...(reader.also ?? []).flatMap((option) => parsed.options.get(option) ?? []).filter((word) => word !== undefined),
  ];
  const recursive = reader.recursive?.(parsed) ?? false;
  const words = files.length > 0 || !recursive || command.stdin.from !== 'inherit' ? files : [HERE];
  const targets = words.map((word) => targetOf(word, command.cwd)).filter((target) => target.path === undefined || !isSink(target.path));
  if (targets.length === 0) return [];
  const hidden = reader.blind || (reader.hides ?? []).some((option) => parsed.has(option)) || isAway(command);
  const pattern = reader.skip && skip > 0 ? textOf(parsed.operands[0]) : parsed.text('e');
  return [
    {
      kind: 'file.read',
      ...baseOf(command),
      targets,
      shown: !hidden,
      ...(recursive ? { recursive } : {}),
      ...(pattern !== undefined ? { pattern } : {}),
    },
  ];
}

const HERE: Word = { parts: [{ kind: 'text', text: '.' }], raw: '.' };

/** `-` is standard input; `+10` belongs to tail, `name=value` to awk, uniq's second operand is its output. */
function fileOperands(name: string, words: readonly Word[]): Word[] {
  return words.filter((word, at) => {
    const text = textOf(word);
    if (text === '-' || text === '') return false;
    if ((name === 'tail' || name === 'head' || name === 'sort') && text?.startsWith('+')) return false;
    if (name.endsWith('awk') && text !== undefined && /^[A-Za-z_]\w*=/.test(text)) return false;
    return !(name === 'uniq' && at > 0);
  });
}

/** jq's `--arg name value` takes two words, which are no files. */
function jq(command: Command): Effect[] {
  const words: Word[] = [];
  for (let at = 0; at < command.args.length; at++) {
    const text = textOf(command.args[at]) ?? '';
    if (['--arg', '--argjson', '--slurpfile', '--rawfile'].includes(text)) at += 2;
    else if (text === '--args' || text === '--jsonargs') break;
    else words.push(command.args[at]!);
  }
  return read({ ...command, args: words });
}

export const READING: FamilyTable = Object.fromEntries(Object.keys(READERS).map((name) => [name, READERS[name] === JQ ? jq : read]));
