/** The expression of find, read by its own grammar: which words are tests, what they narrow to, what it does. */
import { prefixOf, textOf, type Word } from '../shell/word.ts';

export interface Search {
  roots: readonly Word[];
  /** Has -delete. */
  deletes: boolean;
  /** Files that -fprint and its kin write. */
  prints: readonly Word[];
  /** The one glob of -name that everything found matches. */
  name: string | undefined;
  /** Only empty files and folders are found, or only folders, which -delete removes when they are empty. */
  empty: boolean;
  /** There are tests besides the name, so that not all below the roots is found. */
  filtered: boolean;
}

/** Predicates with one argument, which is therefore never a predicate itself. */
const ONE = new Set(
  (
    '-amin -anewer -atime -cmin -cnewer -context -ctime -flags -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -ls0 -maxdepth -mindepth -mmin -mtime ' +
    '-name -newer -path -perm -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype -xattrname -Bmin -Btime -Bnewer -files0-from -f'
  ).split(' '),
);
const PRINTS_ONE = new Set(['-fprint', '-fprint0', '-fls']);
const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
/** Words that steer the walk but narrow nothing. */
const NEUTRAL = new Set([
  '-delete',
  '-depth',
  '-d',
  '-print',
  '-print0',
  '-ls',
  '-noleaf',
  '-mount',
  '-xdev',
  '-x',
  '-warn',
  '-nowarn',
  '-follow',
  '-a',
  '-and',
  '-daystart',
  '-true',
  '(',
  ')',
]);

/** Reads the words after `find`. */
export function readFind(words: readonly Word[]): Search {
  const roots: Word[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const text = textOf(words[at]) ?? '';
    if (text === '-D') at++;
    else if (text === '-f' && at + 1 < words.length) roots.push(words[++at]!);
    else if (!/^-(?:[HLPEXdsx]+|O\d*)$/.test(text) && text !== '--') break;
  }
  while (at < words.length && !startsExpression(words[at]!)) roots.push(words[at++]!);

  const prints: Word[] = [];
  const names: string[] = [];
  let deletes = false;
  let filtered = false;
  let either = false;
  let empty = false;
  let negated = false;
  for (; at < words.length; at++) {
    const text = textOf(words[at]);
    if (text === '-delete') deletes = true;
    if (text === '!' || text === '-not') {
      negated = true;
      continue;
    }
    if (text === ',' || text === '-o' || text === '-or') either = true;
    else if (text === '-empty') empty ||= !negated;
    else if (text === '-name' || text === '-iname') {
      const pattern = textOf(words[++at]);
      if (pattern !== undefined && !negated) names.push(text === '-name' ? pattern : anyCase(pattern));
      else filtered = true;
    } else if (text === '-type') {
      const kind = textOf(words[++at]);
      if (kind === 'd' && !negated) empty = true;
      else filtered ||= kind !== 'f' || negated;
    } else if (text === '-mindepth') filtered ||= !['0', '1'].includes(textOf(words[++at]) ?? '');
    else if (text !== undefined && PRINTS_ONE.has(text)) prints.push(...words.slice(++at, at + 1));
    else if (text === '-fprintf') {
      prints.push(...words.slice(at + 1, at + 2));
      at += 2;
    } else if (text === '-printf') at++;
    else if (text !== undefined && RUNS.has(text)) {
      at = endOfRun(words, at);
      filtered = true;
    } else if (text === undefined || !NEUTRAL.has(text)) {
      filtered = true;
      if (text !== undefined && (ONE.has(text) || /^-newer..$/.test(text))) at++;
    }
    negated = false;
  }
  const name = either ? undefined : names[0];
  return {
    roots,
    deletes,
    prints,
    name: name === '*' ? undefined : name,
    empty: empty && !either,
    filtered: filtered || either || names.length > 1,
  };
}

/** A glob that matches in either case: `*.Log` -> `*.[lL][oO][gG]`. */
const anyCase = (pattern: string): string => pattern.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/** An expression starts at the first word with a dash, a parenthesis, a comma or `!`. */
function startsExpression(word: Word): boolean {
  const text = prefixOf(word);
  return text.startsWith('-') || text === '(' || text === ')' || text === ',' || text === '!';
}

/** Index of the word that ends `-exec …`: `;` or `{} +`. */
function endOfRun(words: readonly Word[], from: number): number {
  for (let at = from + 1; at < words.length; at++) {
    const text = textOf(words[at]);
    if (text === ';') return at;
    if (text === '+' && at > from + 1 && words[at - 1]!.raw.includes('{}')) return at;
  }
  return words.length;
}
