/**
 * Where the output of a command ends up: shown to the agent, or only given to another program; and what of it is left on
 * the way. `cut -d= -f1 .env` shows names, `cat .env | docker login --password-stdin` shows nothing.
 */
import type { Command } from '../shell/command.ts';
import { shapeOf, textOf, type Word } from '../shell/word.ts';
import type { EffectContext } from './family.ts';
import { isAway } from './files-paths.ts';
import { commandAt, takersOf } from './line-index.ts';
import { parseOptions } from './options.ts';

/** Programs that pass their input on as text, in whole or in part. */
const FILTERS = new Set(
  'cat tac head tail less more bat batcat sort uniq grep egrep fgrep rg ag sed gsed awk gawk mawk tr rev cut paste column fold fmt nl od xxd hexdump hd strings base64 base32 tee sponge jq yq iconv expand unexpand pr xargs python python3 node ruby perl read mapfile readarray while open pbcopy xclip select-object select-string where-object foreach-object sort-object out-string out-host write-output write-host format-table format-list format-hex convertfrom-json convertto-json get-unique'.split(
    ' ',
  ),
);
/** Programs that print what they are given as words. */
const PRINTERS = new Set(['echo', 'printf', 'print', 'logger', 'wall', 'say', 'die', 'warn', 'info', 'log']);
/** Programs that print a text handed to them on standard input: `cat <<< "$(<f)"`. */
const FED = new Set([
  'cat',
  'tee',
  'tac',
  'head',
  'tail',
  'base64',
  'base32',
  'xxd',
  'od',
  'hexdump',
  'rev',
  'tr',
  'fold',
  'nl',
  'sort',
  'sed',
  'awk',
  'grep',
]);
const DEPTH = 12;
/** On a line of so few commands an answer is found as soon as remembered. */
const SHORT = 16;

/** Answers given already, on long lines: the same command is asked about by several families. */
const answered = new WeakMap<Command, boolean>();

/** Does the output of a command reach the agent with its values in it? */
export function isShown(command: Command, context: EffectContext, depth = 0): boolean {
  if (depth > DEPTH) return true;
  if (context.commands.length <= SHORT) return reaches(command, context, depth);
  const old = answered.get(command);
  if (old !== undefined) return old;
  const shown = reaches(command, context, depth);
  if (depth === 0) answered.set(command, shown);
  return shown;
}

function reaches(command: Command, context: EffectContext, depth: number): boolean {
  if (hidesValues(command)) return false;
  if (isAway(command) && command.name !== 'tee') return false;
  if (command.pipedInto) {
    return command.pipedInto.some((step) => {
      const next = commandAt(step, context);
      return next !== undefined && FILTERS.has(next.name) && isShown(next, context, depth + 1);
    });
  }
  if (!command.captured) return true;
  return takersOf(command.step, context).some(
    (each) => (PRINTERS.has(each.name) || (each.stdin.from === 'text' && FED.has(each.name))) && isShown(each, context, depth + 1),
  );
}

/** The commands through which the output of a command passes as text, itself first. */
export function passage(command: Command, context: EffectContext): Command[] {
  const list = [command];
  let last = command;
  while (last.pipedInto?.length === 1 && list.length < DEPTH) {
    const next = commandAt(last.pipedInto[0]!, context);
    if (!next || !FILTERS.has(next.name)) break;
    list.push(next);
    last = next;
  }
  return list;
}

/** The command prints no values of what it reads: counts, sums, names, file names. */
export function hidesValues(command: Command): boolean {
  const { name } = command;
  if (/^(wc|cksum|md5sum|md5|shasum|b2sum|sha\d+sum|cmp|true|false|test|\[)$/.test(name)) return true;
  if (name === 'openssl') return /^(dgst|md5|sha\d+)$/.test(textOf(command.args[0]) ?? '');
  if (name === 'cut') return isNameCut(command.args);
  if (/^g?sed$/.test(name)) return sedScripts(command.args).some(isNameSed);
  if (/^[gmn]?awk$/.test(name)) return isNameAwk(command.args);
  if (/^(e|f|z|gg?)?r?e?grep$|^rg$|^ag$/.test(name)) return isNameGrep(command.args);
  if (/^(jq|gojq|jaq|yq)$/.test(name) && command.args.some((word) => NAMING.test(textOf(word) ?? ''))) return true;
  if (/^(jq|gojq|jaq|yq)$/.test(name))
    return command.args.some((word) =>
      /^\s*(?:\.[\w.[\]"-]*\s*\|\s*)?(keys(_unsorted)?(\[\])?|paths|length|to_entries\s*\|\s*map\(\.key\)|map_values\(type\)|type|with_entries\(\.value\s*=\s*(""|"[^"$\\]*"|null|type)\))\s*$/.test(
        textOf(word) ?? '',
      ),
    );
  if (name === 'head' || name === 'tail') return /^-(c|n)?0$/.test(command.args.map((word) => shapeOf(word)).join(''));
  if (name === 'diff') return command.args.some((word) => /^(-q|--brief)$/.test(textOf(word) ?? ''));
  return false;
}

/** A jq program whose result is what things are called or how many there are: `.resource_changes[] | .address`. */
const NAMING = /(?:^|[\s|\][])\.(?:\w+\.)*(?:address|type|kind|mode|actions|status|name)(?:\[\])?\s*$|\|\s*length\s*$/;

/** `cut -d= -f1`: the part before the value. */
function isNameCut(args: readonly Word[]): boolean {
  // `-d=` holds the sign itself, so the words are read by hand.
  const given = (letter: string, long: string): string | undefined => {
    for (let at = 0; at < args.length; at++) {
      const text = textOf(args[at]) ?? '';
      if (text === `-${letter}` || text === `--${long}`) return textOf(args[at + 1]);
      if (text.startsWith(`--${long}=`)) return text.slice(long.length + 3);
      if (text.startsWith(`-${letter}`)) return text.slice(2);
    }
    return undefined;
  };
  const delimiter = given('d', 'delimiter');
  return (delimiter === '=' || delimiter === ':') && given('f', 'fields') === '1' && !args.some((word) => textOf(word) === '--complement');
}

function sedScripts(args: readonly Word[]): string[] {
  const parsed = parseOptions(args, {
    flags: ['n', 'E', 'r', 's', 'u', 'z', 'l', 'quiet', 'silent', 'regexp-extended'],
    values: ['e', 'f', 'expression', 'file'],
    optional: ['i', 'in-place'],
    aliases: { expression: 'e' },
  });
  if (parsed.has('f') || parsed.has('i') || parsed.has('in-place')) return [];
  const given = parsed.options.get('e') ?? parsed.operands.slice(0, 1);
  return given.map((word) => (word ? (textOf(word) ?? '') : ''));
}

/** `s=VALUE=<set>=`: everything after the sign is replaced, on every line. */
function isNameSed(script: string): boolean {
  const command = /^(?:\/[^/]*\/!?\s*[dp]\s*;\s*)?s(.)(.*)$/s.exec(script.trim());
  if (!command) return false;
  const mark = command[1]!;
  const [pattern, replacement, flags] = splitOn(command[2]!, mark);
  if (pattern === undefined || replacement === undefined) return false;
  // `(=).*` keeps the sign in a group of its own.
  const bare = pattern.replace(/\\?\$$/, '').replace(/\\?\(([=:])\\?\)/, '$1');
  const tail = /([=:])\s*(?:\\?\(|\()?\.[*+](?:\\?\)|\))?$/.exec(bare) ?? /([=:])\[\^[^\]]*\][*+]$/.exec(bare);
  if (!tail || replacement.includes('&') || /[dwe]/.test(flags ?? '')) return false;
  // A group that holds the value must not come back.
  const before = bare.slice(0, tail.index);
  const signed = /\\?\([=:]\\?\)/.test(pattern) ? 1 : 0;
  const groups = (before.match(/\\?\((?!\?)/g) ?? []).length + signed;
  if (groups - signed !== (before.match(/\\?\)/g) ?? []).length) return !/\\\d/.test(replacement);
  return [...replacement.matchAll(/\\(\d)/g)].every((match) => Number(match[1]) <= groups);
}

function splitOn(text: string, mark: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\\' && at + 1 < text.length) {
      part += char + text[at + 1]!;
      at++;
    } else if (char === mark) {
      parts.push(part);
      part = '';
    } else part += char;
  }
  return [...parts, part];
}

/** `awk -F= '{print $1}'`, with tests before it and plain text after it. */
function isNameAwk(args: readonly Word[]): boolean {
  const parsed = parseOptions(args, { values: ['F', 'v', 'f', 'field-separator', 'assign', 'file'], aliases: { 'field-separator': 'F' } });
  if (parsed.has('f')) return false;
  const program = (textOf(parsed.operands[0]) ?? '').replaceAll(/\s+/g, '');
  if (/^END\{printNR\}$/.test(program)) return true;
  const separator = parsed.text('F');
  return (
    (separator === '=' || separator === ':') &&
    /^(BEGIN\{[^{}$]*\})?(!?\/[^/]*\/(&&!?\/[^/]*\/)*|NF>\d|NF)?\{(print|printf)\(?(\$1|"[^"]*")([,]?(\$1|"[^"]*"))*\)?;?\}$/.test(program)
  );
}

const GREP_HIDES = ['c', 'l', 'L', 'q', 'count', 'quiet', 'silent', 'files-with-matches', 'files-without-match', 'count-matches', 'files'];

const grepOptions = (args: readonly Word[]) =>
  parseOptions(args, {
    flags: [
      ...'EFGPivwxclLqsbHhnTUZzaIrRyoOSNup',
      'only-matching',
      'invert-match',
      'ignore-case',
      'count',
      'quiet',
      'silent',
      'files-with-matches',
      'files-without-match',
      'extended-regexp',
      'fixed-strings',
      'perl-regexp',
      'line-number',
      'no-messages',
      'recursive',
      'no-filename',
      'with-filename',
      'hidden',
      'no-ignore',
      'files',
      'count-matches',
      'word-regexp',
      'line-regexp',
      'smart-case',
    ],
    values: [
      'e',
      'f',
      'm',
      'A',
      'B',
      'C',
      'd',
      'D',
      'regexp',
      'file',
      'max-count',
      'after-context',
      'before-context',
      'context',
      'include',
      'exclude',
      'exclude-dir',
      'g',
      'glob',
      't',
      'type',
    ],
    optional: ['color', 'colour'],
    aliases: { regexp: 'e', 'only-matching': 'o', 'invert-match': 'v', file: 'f', 'ignore-case': 'i' },
  });

/** Counts and file names, or `grep -o '^[A-Z_]*='`: what matches ends before the value. */
function isNameGrep(args: readonly Word[]): boolean {
  const parsed = grepOptions(args);
  if (GREP_HIDES.some((name) => parsed.has(name))) return true;
  if (!parsed.has('o') || parsed.has('v') || parsed.has('f')) return false;
  const patterns = parsed.has('e') ? (parsed.options.get('e') ?? []) : parsed.operands.slice(0, 1);
  return patterns.length > 0 && patterns.every((word) => isNamePattern(word ? (textOf(word) ?? '.') : '.'));
}

/** `^`, then only letters, digits, underscores and classes of them, at most one sign at the end. */
const isNamePattern = (pattern: string): boolean =>
  /^\^(export\\?[ s]\+?|\\s\*|\[\[:space:\]\]\*|\(\?:export )?(\[(?:[A-Za-z0-9_.-]|\[:(?:alpha|alnum|upper|lower|digit):\])+\][*+?]?|\[\^[^\]]*[=:][^\]]*\][*+]|\\w[*+]|\w+|\(|\)|\\[+?{}])+(\{\d*,?\d*\})?\s*[=:]?\)?$/.test(
    pattern,
  ) || /^\^?\[\^=\][*+]\\?\+?=?$/.test(pattern);

/** Which lines a grep lets through, when its pattern is a choice of plain words. */
export interface LineFilter {
  words: readonly string[];
  /** The lines without them instead. */
  inverted: boolean;
}

/** The filter a grep is; undefined when its pattern is more than words. */
export function lineFilter(command: Command): LineFilter | undefined {
  if (!/^([ef]|gg?)?grep$|^rg$|^ag$/.test(command.name)) return undefined;
  const parsed = grepOptions(command.args);
  const inverted = parsed.has('v');
  if (parsed.has('f') || ['A', 'B', 'C', 'after-context', 'before-context', 'context'].some((name) => parsed.has(name))) return undefined;
  const patterns = parsed.has('e') ? (parsed.options.get('e') ?? []) : parsed.operands.slice(0, 1);
  return wordsFilter(
    patterns.map((word) => (word ? (textOf(word) ?? '.') : '.')),
    inverted,
  );
}

/** Patterns that are a choice of plain words, as a filter of lines. */
export function wordsFilter(patterns: readonly string[], inverted = false): LineFilter | undefined {
  const words = patterns.flatMap((pattern) =>
    pattern
      .replaceAll('\\|', '|')
      .replace(/^\((.*)\)$/, '$1')
      .split('|'),
  );
  // An inverted filter takes the words as they stand: an anchor would let more lines through than the word alone.
  const plain = inverted ? words : words.map((word) => word.replace(/^\^/, '').replace(/[=:]?(\.\*)?\$?$/, ''));
  return plain.length > 0 && plain.every((word) => /^[\w-]{2,}$/.test(word)) ? { words: plain, inverted } : undefined;
}

/** The words a grep lets through; undefined when it lets through anything else. */
export function selectedWords(command: Command): readonly string[] | undefined {
  const filter = lineFilter(command);
  return filter && !filter.inverted ? filter.words : undefined;
}
