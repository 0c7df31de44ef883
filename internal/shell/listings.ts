/** Programs that print the paths of files, one a line: which these may be, as globs. For loops over them, and for xargs. */
import type { Command, Stdin } from './command.ts';
import { below, foundWords, readExpression } from './find-expression.ts';
import { parseOptions } from './options.ts';
import { hasHole, literal, textOf, type Word } from './word.ts';

type Read = Pick<Command, 'name' | 'args' | 'stdin'>;
type Lister = (args: readonly Word[], isFolder: (word: Word) => boolean) => readonly Word[] | undefined;

/** Filters that pass some of their lines on unchanged. */
const CHOOSES_LINES = new Set(['grep', 'egrep', 'fgrep', 'rg', 'sort', 'uniq', 'head', 'tail', 'tac', 'shuf', 'cat', 'tee']);

const find: Lister = (args) => {
  const search = readExpression(args);
  const lists = search.actions.filter((action) => action.does === 'list');
  // Empty files and folders hold nothing.
  if (lists.length === 0 || lists.every(({ narrow }) => narrow.empty)) return undefined;
  return lists.flatMap(({ narrow }) => foundWords(search, narrow, true));
};

const fd: Lister = (args) => {
  const call = readFd(args);
  return call.runs ? undefined : call.found;
};

/** fd: what it finds, and the command of `-x` or `-X`. It leaves out what is hidden or ignored, unless it is told not to. */
export function readFd(args: readonly Word[]): { found: readonly Word[]; runs: readonly Word[] | undefined; by: string } {
  const at = args.findIndex((word) => ['-x', '-X', '--exec', '--exec-batch'].includes(textOf(word) ?? ''));
  const parsed = parseOptions(at < 0 ? args : args.slice(0, at), {
    flags: [
      ...'HIusipLag0lqF1'.split(''),
      ...'hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path'.split(' '),
      ...'list-details follow full-path print0 prune quiet show-errors one-file-system no-follow strip-cwd-prefix'.split(' '),
    ],
    values: [
      ...'detESojc'.split(''),
      ...'max-depth min-depth exact-depth exclude type extension size changed-within changed-before owner max-results threads'.split(' '),
      ...'color base-directory search-path path-separator format and'.split(' '),
    ],
    aliases: { extension: 'e', glob: 'g', 'max-depth': 'd', 'exact-depth': 'd', 'fixed-strings': 'F' },
  });
  const [pattern, ...places] = parsed.operands;
  const roots = parsed.options.get('search-path') ?? (places.length > 0 ? places : [parsed.word('base-directory') ?? literal('.')]);
  const text = textOf(pattern);
  const ends = (parsed.options.get('e') ?? []).map((word) => textOf(word)?.replace(/^\./, '')).filter((end) => end !== undefined);
  const name = text === undefined || text === '' || text === '.' ? '*' : parsed.has('g') ? text : globOfRegex(text);
  const names = ends.length > 0 && name === '*' ? ends.map((end) => `*.${end}`) : [name];
  const deep = parsed.text('d') === '1' ? '' : '**/';
  return {
    found: roots.filter((word): word is Word => word !== undefined).flatMap((root) => names.map((each) => below(root, `${deep}${each}`))),
    runs: at < 0 ? undefined : args.slice(at + 1).filter((word) => textOf(word) !== ';'),
    by: textOf(args[at]) ?? '',
  };
}

/** A regular expression on names as a glob that matches at least as much. */
function globOfRegex(regex: string): string {
  if (/^[\w-]+$/.test(regex)) return `*${regex}*`;
  const end = /\\\.([\w-]+)\$$/.exec(regex);
  if (end) return `*.${end[1]}`;
  const whole = /^\^([\w.-]+)\$$/.exec(regex.replaceAll('\\.', '.'));
  return whole ? whole[1]! : '*';
}

/** ls prints what it is given; the content of a folder by bare names. */
const ls: Lister = (args, isFolder) => {
  const options = args.flatMap((word) => (/^-./.test(textOf(word) ?? '') ? [textOf(word)!] : []));
  if (options.some((option) => /^-\w*[lRsiFpmgno]/.test(option) || option.startsWith('--recursive'))) return undefined;
  const operands = args.filter((word) => !/^-./.test(textOf(word) ?? ''));
  const names = [{ parts: [{ kind: 'glob', text: '*' }], raw: '*' } satisfies Word];
  if (operands.length === 0) return names;
  if (operands.length > 1 || options.some((option) => /^-\w*d/.test(option)) || !isFolder(operands[0]!)) return operands;
  return names;
};

const LISTERS: Readonly<Record<string, Lister>> = { find, gfind: find, fd, fdfind: fd, ls, gls: ls };

/** The paths that a step prints, itself or through filters that only choose lines. undefined: they are not known. */
export function listing(
  steps: readonly number[],
  commands: readonly Read[],
  isFolder: (word: Word) => boolean,
): readonly Word[] | undefined {
  const last = commands[steps.at(-1) ?? -1];
  if (!last) return undefined;
  if (Object.hasOwn(LISTERS, last.name)) {
    const words = LISTERS[last.name]!(last.args, isFolder);
    return words?.length && !words.some(hasHole) ? words : undefined;
  }
  return CHOOSES_LINES.has(last.name) && last.stdin.from === 'pipe' && reads(last)
    ? listing(last.stdin.steps, commands, isFolder)
    : undefined;
}

/** The filter has no file of its own to read. */
const reads = (command: Read): boolean => command.stdin.from === 'pipe' && (command.name !== 'cat' || command.args.length === 0);

/** The paths that come in at a standard input. */
export const listedIn = (stdin: Stdin, commands: readonly Read[], isFolder: (word: Word) => boolean): readonly Word[] | undefined =>
  stdin.from === 'pipe'
    ? listing(stdin.steps, commands, isFolder)
    : stdin.from === 'file'
      ? listing(
          stdin.file.parts.flatMap((part) => (part.kind === 'hole' && part.why === 'process' ? (part.steps ?? []) : [])),
          commands,
          isFolder,
        )
      : undefined;
