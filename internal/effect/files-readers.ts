/** Programs that read files, with the grammar of their options: what is an operand, what hides the content. */
import type { Grammar, Parsed } from './options.ts';

/** How a program names the files it reads. */
export interface Reader {
  grammar: Grammar;
  /** Operands before the files: a pattern, a filter. 0 by default. */
  skip?: number;
  /** Options that take the place of those operands. */
  instead?: readonly string[];
  /** Options under which the content itself is not printed. */
  hides?: readonly string[];
  /** Options that name a file whose lines are printed too. */
  also?: readonly string[];
  /** Never prints content: counts and sums only. */
  blind?: boolean;
  recursive?: (parsed: Parsed) => boolean;
}

const letters = (text: string): string[] => [...text];
const SHOW: Reader = { grammar: { flags: letters('AbeEnstTuvlhfqrizZ') } };

const GREP: Reader = {
  grammar: {
    flags: [
      ...letters('EFGPivwxcLlqsbHhnTUZzaIrRyoO0p'),
      ...'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count files-without-match files-with-matches only-matching quiet silent'.split(
        ' ',
      ),
      ...'no-messages byte-offset with-filename no-filename line-number initial-tab null null-data text recursive dereference-recursive line-buffered binary help version'.split(
        ' ',
      ),
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
      'label',
      'include',
      'exclude',
      'exclude-dir',
      'exclude-from',
      'binary-files',
    ],
    optional: ['color', 'colour'],
    aliases: {
      regexp: 'e',
      file: 'f',
      count: 'c',
      'files-with-matches': 'l',
      'files-without-match': 'L',
      quiet: 'q',
      silent: 'q',
      recursive: 'r',
      'dereference-recursive': 'r',
      R: 'r',
    },
  },
  skip: 1,
  instead: ['e', 'f'],
  hides: ['c', 'l', 'L', 'q'],
  recursive: (parsed) => parsed.has('r'),
};

const RIPGREP: Reader = {
  grammar: {
    flags: [
      ...letters('FiSsvwxclqnNHhIpPUz0La.uo'),
      ...'fixed-strings ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files-with-matches files-without-match quiet line-number no-line-number with-filename no-filename'.split(
        ' ',
      ),
      ...'hidden no-ignore no-ignore-vcs follow multiline multiline-dotall only-matching pcre2 json vimgrep heading no-heading null text trim files unrestricted passthru stats type-list column no-messages crlf one-file-system help version'.split(
        ' ',
      ),
    ],
    values: [
      'e',
      'regexp',
      'f',
      'file',
      'g',
      'glob',
      'iglob',
      't',
      'type',
      'T',
      'type-not',
      'A',
      'after-context',
      'B',
      'before-context',
      'C',
      'context',
      'm',
      'max-count',
      'M',
      'max-columns',
      'j',
      'threads',
      'r',
      'replace',
      'd',
      'max-depth',
      'E',
      'encoding',
      'sort',
      'sortr',
      'color',
      'colors',
      'engine',
      'ignore-file',
      'path-separator',
      'max-filesize',
      'type-add',
      'context-separator',
    ],
    aliases: {
      regexp: 'e',
      file: 'f',
      count: 'c',
      'files-with-matches': 'l',
      quiet: 'q',
      'count-matches': 'c',
      'files-without-match': 'l',
    },
  },
  skip: 1,
  instead: ['e', 'f', 'files', 'type-list'],
  hides: ['c', 'l', 'q', 'files', 'type-list'],
  recursive: () => true,
};

const SED: Reader = {
  grammar: {
    flags: [
      ...letters('nErszualHbI'),
      'quiet',
      'silent',
      'regexp-extended',
      'posix',
      'debug',
      'sandbox',
      'separate',
      'unbuffered',
      'null-data',
      'help',
      'version',
    ],
    values: ['e', 'expression', 'f', 'file', 'line-length'],
    optional: ['i', 'in-place'],
    aliases: { expression: 'e', file: 'f', 'in-place': 'i' },
  },
  skip: 1,
  instead: ['e', 'f'],
  hides: ['i'],
};

const AWK: Reader = {
  grammar: {
    flags: ['help', 'version', 'sandbox', 'posix', 'traditional', 'csv'],
    values: ['F', 'v', 'f', 'e', 'i', 'l', 'file', 'assign', 'field-separator', 'source', 'include', 'load'],
    optional: ['d', 'p', 'o', 'W'],
  },
  skip: 1,
  instead: ['f', 'e', 'file', 'source'],
};
export const JQ: Reader = {
  grammar: {
    flags: [
      ...letters('acCeHjMnrRsSV'),
      'tab',
      'raw-output',
      'slurp',
      'compact-output',
      'null-input',
      'exit-status',
      'raw-input',
      'sort-keys',
      'join-output',
      'seq',
      'stream',
      'help',
      'version',
      'args',
      'jsonargs',
    ],
    values: ['f', 'from-file', 'indent', 'L'],
  },
  skip: 1,
  instead: ['f', 'from-file'],
};
const numbered = (extra: readonly string[] = []): Reader => ({
  grammar: {
    flags: [...letters('qvzfFr0123456789'), 'quiet', 'silent', 'verbose', 'follow', 'retry', 'help', 'version'],
    values: ['n', 'lines', 'c', 'bytes', 's', 'sleep-interval', 'pid', ...extra],
    optional: ['follow'],
  },
});
const BLIND: Reader = { grammar: { flags: letters('clLwmbtzqs') }, blind: true };

/** The programs, by name. */
export const READERS: Readonly<Record<string, Reader>> = {
  // Dates that it cannot read are printed as they stand.
  date: {
    grammar: {
      flags: ['u', 'R', 'utc', 'rfc-email', 'debug'],
      values: ['d', 'f', 'r', 's', 'date', 'file', 'reference', 'set'],
      optional: ['I'],
    },
    skip: 9,
    also: ['f', 'file'],
  },
  cat: SHOW,
  gcat: SHOW,
  tac: SHOW,
  nl: { grammar: { flags: letters('p'), values: letters('bdfhilnsvw') } },
  bat: {
    grammar: {
      flags: [...letters('pAnudPhV'), 'plain', 'show-all', 'number', 'diff', 'list-themes'],
      values: [
        'l',
        'language',
        'r',
        'line-range',
        'H',
        'highlight-line',
        'style',
        'color',
        'paging',
        'theme',
        'wrap',
        'm',
        'map-syntax',
        'tabs',
        'file-name',
        'decorations',
        'terminal-width',
      ],
    },
  },
  batcat: { grammar: { flags: letters('pAnudPhV'), values: ['l', 'r', 'H', 'style', 'color', 'paging', 'theme'] } },
  head: numbered(),
  ghead: numbered(),
  tail: numbered(),
  gtail: numbered(),
  less: { grammar: { flags: letters('aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWX~'), values: letters('bhjkoOpPtTxyz') } },
  more: { grammar: { flags: letters('dflcpsuV'), values: ['n'] } },
  most: SHOW,
  od: { grammar: { flags: letters('abcdfilosxv'), values: letters('AjNStw') } },
  xxd: { grammar: { flags: letters('abCeEipruv'), values: ['c', 'g', 'l', 'n', 'o', 's', 'R'], singleDash: true } },
  hexdump: { grammar: { flags: letters('bcCdoxv'), values: letters('efns') } },
  hd: { grammar: { flags: letters('bcCdoxv'), values: letters('efns') } },
  strings: { grammar: { flags: letters('afwvV'), values: letters('nteTs') } },
  base64: { grammar: { flags: [...letters('dDi'), 'decode', 'ignore-garbage'], values: ['w', 'wrap', 'b', 'o', 'i'] } },
  base32: { grammar: { flags: [...letters('di'), 'decode'], values: ['w', 'wrap'] } },
  cut: {
    grammar: {
      flags: [...letters('nsz'), 'only-delimited', 'complement', 'zero-terminated'],
      values: ['b', 'bytes', 'c', 'characters', 'd', 'delimiter', 'f', 'fields', 'output-delimiter'],
    },
  },
  sort: {
    grammar: { flags: letters('bdfghiMnRrVcCsuzm'), values: ['k', 'key', 't', 'field-separator', 'S', 'T', 'o', 'output'] },
    hides: ['o', 'output'],
  },
  uniq: { grammar: { flags: letters('cdDiuz'), values: letters('fsw') } },
  rev: SHOW,
  fold: { grammar: { flags: letters('bs'), values: ['w'] } },
  fmt: { grammar: { flags: letters('cstu'), values: letters('gpw') } },
  pr: { grammar: { flags: letters('acdFfJmrtTv'), values: letters('DehilnNoSsWw') } },
  paste: { grammar: { flags: letters('sz'), values: ['d'] } },
  column: { grammar: { flags: letters('tnex'), values: letters('cosNRHOWE') } },
  expand: SHOW,
  unexpand: SHOW,
  iconv: { grammar: { flags: letters('clsV'), values: ['f', 't', 'o', 'from-code', 'to-code', 'output'] } },
  diff: {
    grammar: {
      flags: letters('abBcdeEilnNpPqrstTuwyH'),
      values: ['U', 'C', 'W', 'I', 'x', 'X', 'F', 'S', 'L', 'label', 'exclude', 'color'],
    },
    hides: ['q'],
  },
  comm: { grammar: { flags: letters('123iz') } },
  join: { grammar: { flags: letters('iz'), values: letters('aejotv12') } },
  zcat: SHOW,
  gzcat: SHOW,
  bzcat: SHOW,
  xzcat: SHOW,
  zstdcat: SHOW,
  zless: SHOW,
  grep: GREP,
  ggrep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  rg: RIPGREP,
  ag: RIPGREP,
  ack: RIPGREP,
  sed: SED,
  gsed: SED,
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  jq: JQ,
  gojq: JQ,
  jaq: JQ,
  yq: JQ,
  wc: BLIND,
  cksum: BLIND,
  md5sum: BLIND,
  sha1sum: BLIND,
  sha256sum: BLIND,
  sha512sum: BLIND,
  shasum: { grammar: { flags: letters('btUcqsw'), values: ['a', 'algorithm'] }, blind: true },
  md5: BLIND,
  cmp: { grammar: { flags: letters('bls'), values: letters('in') }, blind: true },
};
