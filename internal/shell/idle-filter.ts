/** Filters without input: programs that read standard input when no file is named, by each program's own grammar. */
import { type Grammar, parseOptions } from './options.ts';
import { textOf, type Word } from './word.ts';

/** How a program takes its operands: how many come before the files, and which options change that. */
interface Filter {
  grammar: Grammar;
  /** Operands before the first file. */
  own: number;
  /** Options that give what the operands would (grep -e, sed -f): then all operands are files. */
  replaces?: readonly string[];
  /** Options with which the program reads no standard input. */
  quiet?: readonly string[];
  /** The line with an input named, where one can be. */
  fix?: (source: string, args: readonly Word[]) => string;
}

const HELP = ['help', 'version', 'V'];

const GREP: Filter = {
  grammar: {
    flags: [
      ...'EFGPwxivcloqsnHhbaIrRLzZUuTy',
      'extended-regexp',
      'fixed-strings',
      'basic-regexp',
      'perl-regexp',
      'ignore-case',
      'word-regexp',
      'line-regexp',
      'count',
      'files-with-matches',
      'files-without-match',
      'only-matching',
      'quiet',
      'silent',
      'no-messages',
      'line-number',
      'with-filename',
      'no-filename',
      'invert-match',
      'recursive',
      'dereference-recursive',
      'text',
      'null',
      'help',
      'version',
      'V',
    ],
    values: [
      'e',
      'regexp',
      'f',
      'file',
      'm',
      'max-count',
      'A',
      'after-context',
      'B',
      'before-context',
      'C',
      'context',
      'd',
      'directories',
      'D',
      'devices',
      'include',
      'exclude',
      'exclude-dir',
      'exclude-from',
      'label',
      'binary-files',
    ],
    optional: ['color', 'colour'],
  },
  own: 1,
  replaces: ['e', 'regexp', 'f', 'file'],
  quiet: ['r', 'R', 'recursive', 'dereference-recursive', ...HELP],
  fix: (source) => `${source.replace(/^(\S*grep)\b/, '$1 -r')} .`,
};

const plain = (flags: string, values: readonly string[], own = 0, longs: readonly string[] = []): Filter => ({
  grammar: { flags: [...flags, ...longs, ...HELP], values, optional: ['color'] },
  own,
  quiet: HELP,
});

const FILTERS: Readonly<Record<string, Filter>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  sed: {
    ...plain('nErsuz', ['e', 'expression', 'f', 'file', 'l'], 1, ['quiet', 'silent', 'regexp-extended', 'null-data']),
    replaces: ['e', 'expression', 'f', 'file'],
  },
  jq: {
    ...plain('nrcCMSaejs', ['f', 'from-file', 'L', 'indent', 'arg', 'argjson', 'slurpfile', 'rawfile'], 1, [
      'null-input',
      'raw-output',
      'compact-output',
      'sort-keys',
      'exit-status',
      'slurp',
      'raw-input',
      'args',
      'jsonargs',
      'tab',
    ]),
    replaces: ['f', 'from-file'],
    quiet: ['n', 'null-input', ...HELP],
  },
  head: plain('qvz', ['n', 'lines', 'c', 'bytes'], 0, ['quiet', 'verbose']),
  tail: plain('qvzfFr', ['n', 'lines', 'c', 'bytes', 's', 'pid'], 0, ['follow', 'quiet', 'verbose']),
  wc: plain('lwcmL', [], 0, ['lines', 'words', 'bytes', 'chars', 'max-line-length']),
  cat: plain('AbeEnstTuv', [], 0, ['number', 'show-all']),
  sort: plain('bdfgiMhnRrVcCmsuz', ['k', 'key', 't', 'field-separator', 'o', 'S', 'T', 'parallel', 'files0-from'], 0, [
    'numeric-sort',
    'reverse',
    'unique',
    'version-sort',
    'stable',
  ]),
  uniq: plain('cdDiuz', ['f', 's', 'w'], 0, ['count', 'repeated', 'unique', 'ignore-case']),
  cut: plain('nsz', ['b', 'bytes', 'c', 'characters', 'd', 'delimiter', 'f', 'fields', 'output-delimiter'], 0, [
    'complement',
    'only-delimited',
  ]),
  tac: plain('br', ['s'], 0),
  rev: plain('', [], 0),
  nl: plain('p', ['b', 'd', 'f', 'h', 'i', 'l', 'n', 's', 'v', 'w'], 0),
  tr: { ...plain('cCdst', [], 99, ['complement', 'delete', 'squeeze-repeats', 'truncate-set1']) },
};

/** When a program would wait for standard input: how to name an input. undefined: it would not, or that cannot be told. */
export function idleFilter(name: string, args: readonly Word[]): { instead(source: string): string } | undefined {
  if (!Object.hasOwn(FILTERS, name)) return undefined;
  const filter = FILTERS[name]!;
  // `head -20`, `tail -5`: the old spelling of a number.
  const words = args.filter((word) => !/^-\d+$/.test(textOf(word) ?? ''));
  const parsed = parseOptions(words, filter.grammar);
  if (parsed.unknown.length > 0 || filter.quiet?.some((option) => parsed.has(option))) return undefined;
  const own = filter.replaces?.some((option) => parsed.has(option)) ? 0 : filter.own;
  if (parsed.operands.length > own) return undefined;
  if (own > 0 && own < 99 && parsed.operands.length === 0) return undefined;
  if (own === 99 && parsed.operands.length === 0) return undefined;
  return { instead: (source) => (filter.fix ? filter.fix(source, args) : `${source} < /dev/null`) };
}
