/** Programs that rewrite files in place: sed -i, perl -i, ruby -i, gawk -i inplace. Their program texts are judged by `interpreters/`. */
import type { Command } from '../shell/command.ts';
import { literal, shapeOf, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type FamilyTable } from './family.ts';
import { targetsOf, writing } from './files-paths.ts';
import { readSedScript, type SedScript } from './files-sed-script.ts';
import { type Grammar, parseOptions } from './options.ts';

const SED: Grammar = {
  flags: [
    ...'nErszualH',
    'quiet',
    'silent',
    'regexp-extended',
    'posix',
    'debug',
    'sandbox',
    'separate',
    'unbuffered',
    'null-data',
    'follow-symlinks',
    'help',
    'version',
  ],
  values: ['e', 'expression', 'f', 'file', 'line-length'],
  optional: ['i', 'in-place', 'I'],
  aliases: { expression: 'e', file: 'f', 'in-place': 'i', I: 'i' },
};

function sed(command: Command, context: EffectContext): Effect[] {
  const parsed = parseOptions(command.args, SED);
  if (parsed.has('help') || parsed.has('version')) return [];
  // BSD's `-i ''` keeps the suffix in a word of its own, which GNU reads as an empty script.
  const bsd = parsed.has('i') && parsed.options.get('i')?.at(-1) === undefined && isEmpty(parsed.operands[0]);
  const operands = bsd ? parsed.operands.slice(1) : parsed.operands;
  const given = [...(parsed.options.get('e') ?? [])].filter((word): word is Word => word !== undefined);
  const file = parsed.word('f');
  const scripts = given.length > 0 || file ? given : operands.slice(0, 1);
  const files = given.length > 0 || file ? operands : operands.slice(1);
  const text = scripts.length > 0 && scripts.every((word) => textOf(word) !== undefined) ? scripts.map(textOf).join('\n') : undefined;
  const script: SedScript = text === undefined || parsed.has('sandbox') ? { writes: [], runs: [] } : readSedScript(text);
  const base = baseOf(command);
  const effects: Effect[] = [];
  if (parsed.has('i') && files.length > 0) {
    const edit =
      script.plain && !file
        ? { before: script.plain.before, after: script.plain.after, ...(script.plain.all ? { all: true } : {}) }
        : undefined;
    effects.push(
      ...writing(base, targetsOf(files, command.cwd), {
        mode: 'in-place',
        how: 'sed -i',
        ...(edit ? { edit } : {}),
        command: command.source,
        preview: sedPreview(command, files, bsd),
      }),
    );
  }
  if (script.writes.length > 0)
    effects.push(
      ...writing(
        base,
        targetsOf(
          script.writes.map((path) => literal(path)),
          command.cwd,
        ),
        { mode: 'truncate', how: 'sed w', command: command.source },
      ),
    );
  for (const run of script.runs) if (run !== '') effects.push(...context.effectsOf(run, command.cwd));
  return effects;
}

const isEmpty = (word: Word | undefined): boolean => word !== undefined && textOf(word) === '';

/** The same words without the in-place option and the files: `sed -E 's/a/b/'`, to show the change instead of making it. */
function sedPreview(command: Command, files: readonly Word[], bsd: boolean): readonly string[] | undefined {
  const words: string[] = ['sed'];
  for (const word of command.args) {
    if (files.includes(word)) continue;
    const text = textOf(word);
    if (text === undefined) return undefined;
    if (bsd && text === '') continue;
    if (/^-(?:i|I|-in-place)/.test(text)) continue;
    if (/^-[nErszu]+[iI]/.test(text)) words.push(text.slice(0, text.search(/[iI]/)));
    else words.push(text);
  }
  return words;
}

/** Letters after which the rest of the cluster, or the next word, belongs to the option. */
const TAKES_REST = 'IMmCFxDVrKWTS';

/** perl -pi -e, ruby -pi -e: clusters such as -pi.bak, -i -pe, -0pi. In `-pie` the e is the suffix of a backup. */
function interpreter(command: Command): Effect[] {
  const preview: string[] = [command.name];
  let inPlace = false;
  let code = false;
  let at = 0;
  for (; at < command.args.length; at++) {
    const text = textOf(command.args[at]) ?? shapeOf(command.args[at]!);
    if (text === '--') at++;
    if (text === '--' || !text.startsWith('-') || text === '-') break;
    if (text.startsWith('--')) {
      preview.push(text);
      continue;
    }
    let kept = '-';
    for (let i = 1; i < text.length; i++) {
      const letter = text[i]!;
      if (letter === 'i') {
        inPlace = true;
        break;
      }
      kept += letter;
      if (letter === 'e' || (letter === 'E' && command.name === 'perl')) {
        code = true;
        if (i + 1 < text.length) kept += text.slice(i + 1);
        else {
          preview.push(kept);
          kept = textOf(command.args[++at]) ?? '';
        }
        break;
      }
      if (TAKES_REST.includes(letter)) {
        kept += text.slice(i + 1);
        break;
      }
    }
    if (kept !== '-') preview.push(kept);
  }
  const rest = command.args.slice(at);
  const files = code ? rest : rest.slice(1);
  if (!inPlace || files.length === 0) return [];
  return writing(baseOf(command), targetsOf(files, command.cwd), {
    mode: 'in-place',
    how: `${command.name} -i`,
    substitutes: true,
    command: command.source,
    ...(code ? { preview } : {}),
  });
}

/** gawk -i inplace, --include=inplace. */
function awk(command: Command): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: ['sandbox', 'posix', 'help', 'version'],
    values: ['F', 'v', 'f', 'e', 'i', 'l', 'include', 'file', 'source', 'assign', 'field-separator', 'load'],
    aliases: { include: 'i', file: 'f', source: 'e' },
  });
  if (parsed.text('i') !== 'inplace') return [];
  const files = (parsed.has('f') || parsed.has('e') ? parsed.operands : parsed.operands.slice(1)).filter(
    (word) => !/^[A-Za-z_]\w*=/.test(textOf(word) ?? ''),
  );
  if (files.length === 0) return [];
  return writing(baseOf(command), targetsOf(files, command.cwd), {
    mode: 'in-place',
    how: 'awk -i inplace',
    substitutes: true,
    command: command.source,
  });
}

export const IN_PLACE: FamilyTable = { sed, gsed: sed, perl: interpreter, ruby: interpreter, awk, gawk: awk };
