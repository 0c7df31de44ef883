/**
 * The expression of find, read by its own grammar: what it does, and to which of the things below its roots.
 * `-a` binds tighter than `-o`, and an action sees only what the terms before it in its own list have let through.
 */
import { literal, prefixOf, shapeOf, textOf, type Word } from './word.ts';

/** What is let through up to some point of an expression. */
export interface Narrow {
  /** Patterns of which everything found matches one: names, or whole paths as find compares them. undefined: no such test. */
  patterns: readonly Pattern[] | undefined;
  /** Only this type. */
  type?: string;
  /** Only empty files and folders. */
  empty: boolean;
  /** There are tests besides name, path and type. */
  filtered: boolean;
}

type Pattern = { name: string } | { path: string };

/** One thing find does. `list`: prints paths, one a line. */
export interface FindAction {
  does: 'delete' | 'run' | 'list' | 'other';
  /** For `run`: the words of the command. */
  words: readonly Word[];
  /** The predicate: `-exec`, `-delete`. */
  by: string;
  narrow: Narrow;
}

export interface FindExpression {
  roots: readonly Word[];
  actions: readonly FindAction[];
  /** Files that -fprint and its kin write. */
  prints: readonly Word[];
  /** Only what lies directly in the roots (`-maxdepth 1`). */
  shallow: boolean;
  /** The roots themselves are left out (`-mindepth 1`). */
  inside: boolean;
  /** Links are followed (`-L`, `-follow`). */
  follows: boolean;
}

/** Predicates with one argument, which is therefore never a predicate itself. */
const ONE = new Set(
  (
    '-amin -anewer -atime -cmin -cnewer -context -ctime -flags -fstype -gid -group -ilname -inum -iregex -links -lname -ls0 ' +
    '-mmin -mtime -newer -perm -regex -regextype -samefile -size -uid -used -user -xtype -xattrname -Bmin -Btime -Bnewer -files0-from -f'
  ).split(' '),
);
const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
/** Words that steer the walk or hold for everything. */
const NEUTRAL = new Set(
  '-depth -d -noleaf -mount -xdev -x -warn -nowarn -a -and -daystart -true -quit -prune -ignore_readdir_race -noignore_readdir_race'.split(
    ' ',
  ),
);
const ALL: Narrow = { patterns: undefined, empty: false, filtered: false };
const SOME: Narrow = { ...ALL, filtered: true };

/** Reads the words after `find`. */
export function readExpression(words: readonly Word[]): FindExpression {
  const roots: Word[] = [];
  const actions: FindAction[] = [];
  const prints: Word[] = [];
  let follows = false;
  let shallow = false;
  let inside = false;
  let at = 0;
  for (; at < words.length; at++) {
    const text = textOf(words[at]) ?? '';
    if (text === '-D') at++;
    else if (text === '-f' && at + 1 < words.length) roots.push(words[++at]!);
    else if (/^-(?:[HLPEXdsx]+|O\d*)$/.test(text)) follows ||= text.includes('L');
    else if (text !== '--') break;
  }
  while (at < words.length && !startsExpression(words[at]!)) roots.push(words[at++]!);

  const act = (does: FindAction['does'], by: string, narrow: Narrow, argv: readonly Word[] = []): Narrow => {
    actions.push({ does, by, narrow, words: argv });
    return ALL;
  };
  const next = (): string | undefined => textOf(words[++at]);

  function list(before: Narrow): Narrow {
    let sum = both(before);
    while (['-o', '-or', ','].includes(textOf(words[at]) ?? '')) {
      at++;
      sum = either(sum, both(before));
    }
    return sum;
  }

  function both(before: Narrow): Narrow {
    let now = before;
    for (; at < words.length; at++) {
      const text = textOf(words[at]);
      if (text === ')' || text === '-o' || text === '-or' || text === ',') break;
      now = and(now, term(now));
    }
    return now;
  }

  /** One term; afterwards `at` stands on its last word. */
  function term(before: Narrow): Narrow {
    const text = textOf(words[at]);
    if (text === '(') {
      at++;
      return list(before);
    }
    if (text === '!' || text === '-not') {
      at++;
      const of = at < words.length ? term(before) : ALL;
      return of.empty && of.patterns === undefined ? ALL : SOME;
    }
    if (text === '-name') return named(next(), (name) => name);
    if (text === '-iname') return named(next(), anyCase);
    if (text === '-path' || text === '-wholename') return pathed(next(), (path) => path);
    if (text === '-ipath' || text === '-iwholename') return pathed(next(), anyCase);
    if (text === '-type') {
      const type = next();
      return type === 'f' || type === 'd' ? { ...ALL, type } : { ...SOME, ...(type === undefined ? {} : { type }) };
    }
    if (text === '-empty') return { ...ALL, empty: true };
    if (text === '-maxdepth') {
      shallow = ['0', '1'].includes(next() ?? '');
      return shallow ? ALL : SOME;
    }
    if (text === '-mindepth') {
      const depth = next();
      inside = depth !== '0';
      return depth === '0' || depth === '1' ? ALL : SOME;
    }
    if (text === '-follow') {
      follows = true;
      return ALL;
    }
    if (text === '-delete') return act('delete', text, before);
    if (text === '-print' || text === '-print0') return act('list', text, before);
    if (text === '-printf') return act(/^%p(?:\\n|\\0)$/.test(next() ?? '') ? 'list' : 'other', text, before);
    if (text === '-ls') return act('other', text, before);
    if (text === '-fprint' || text === '-fprint0' || text === '-fls' || text === '-fprintf') {
      prints.push(...words.slice(at + 1, at + 2));
      at += text === '-fprintf' ? 2 : 1;
      return act('other', text, before);
    }
    if (text !== undefined && RUNS.has(text)) {
      const end = endOfRun(words, at);
      const argv = words.slice(at + 1, end);
      at = end;
      act('run', text, before, argv);
      // The command's status is a test: what comes behind it sees only some.
      return SOME;
    }
    if (text !== undefined && NEUTRAL.has(text)) return ALL;
    if (text !== undefined && (ONE.has(text) || /^-newer..$/.test(text))) at++;
    return SOME;
  }

  const found = list(ALL);
  // Words behind an unmatched parenthesis still do what they do.
  while (at < words.length) {
    at++;
    list(SOME);
  }
  if (!actions.some((action) => action.does !== 'other' || action.by !== '-ls') && prints.length === 0)
    actions.push({ does: 'list', by: '-print', words: [], narrow: found });
  return { roots: roots.length > 0 ? roots : [literal('.')], actions, prints, shallow, inside, follows };
}

const named = (pattern: string | undefined, spelt: (pattern: string) => string): Narrow =>
  pattern === undefined ? SOME : /^\*+$/.test(pattern) ? ALL : { ...ALL, patterns: [{ name: spelt(pattern) }] };

const pathed = (pattern: string | undefined, spelt: (pattern: string) => string): Narrow =>
  pattern === undefined ? SOME : { ...ALL, patterns: [{ path: spelt(pattern) }] };

/** Both hold. Of two sets of patterns one is kept, which is never too little; a path says more than a name. */
function and(a: Narrow, b: Narrow): Narrow {
  const patterns =
    a.patterns === undefined || b.patterns === undefined
      ? (a.patterns ?? b.patterns)
      : b.patterns.every((pattern) => 'path' in pattern)
        ? b.patterns
        : a.patterns;
  const type = b.type ?? a.type;
  return { patterns, ...(type === undefined ? {} : { type }), empty: a.empty || b.empty, filtered: a.filtered || b.filtered };
}

function either(a: Narrow, b: Narrow): Narrow {
  return {
    patterns: a.patterns && b.patterns ? [...a.patterns, ...b.patterns] : undefined,
    ...(a.type !== undefined && a.type === b.type ? { type: a.type } : {}),
    empty: a.empty && b.empty,
    filtered: a.filtered || b.filtered,
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

// ---------------------------------------------------------------- as words

/**
 * What is let through, as words. Where nothing narrows it these are the roots, which stand for all that lies below them;
 * with `each`, for a program that gets one path after the other, everything below them by itself.
 */
export function foundWords(search: FindExpression, narrow: Narrow, each = false): Word[] {
  return search.roots.flatMap((root) => {
    const { patterns } = narrow;
    if (patterns === undefined) {
      const own = search.inside || narrow.type === 'f' ? [] : [root];
      if (search.shallow) return [...(each ? own : []), below(root, '*'), below(root, '.[!.]*')];
      return each ? [...own, below(root, '**/*')] : [root];
    }
    return patterns.flatMap((pattern): Word[] => {
      if ('name' in pattern) return [below(root, search.shallow ? pattern.name : `**/${pattern.name}`)];
      const glob = globOf(pattern.path, root);
      return glob === undefined ? [] : [below(root, glob)];
    });
  });
}

/** A pattern of -path as a glob below its root. find's `*` stands for slashes too. undefined: it can match nothing. */
function globOf(pattern: string, root: Word): string | undefined {
  const start = textOf(root);
  if (start === undefined) return '**/*';
  const own = start.endsWith('/') ? start : `${start}/`;
  if (!pattern.startsWith('*') && !pattern.startsWith(own) && !/^[?[\\]/.test(pattern)) return undefined;
  const parts = (pattern.startsWith(own) ? pattern.slice(own.length) : pattern).split('/');
  const out: string[] = [];
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    if (/^\*+$/.test(part)) out.push(last ? '**/*' : '**');
    else if (!/[*?[\\]/.test(part)) out.push(part);
    // `a/*.bak` also means what lies deeper; any other star may stand for several parts.
    else return [...out, last && /^\*[^*?[\\]+$/.test(part) ? `**/${part}` : '**/*'].join('/');
  }
  return out.join('/');
}

/** A glob below a root. */
export function below(root: Word, glob: string): Word {
  const slash = shapeOf(root).endsWith('/') ? '' : '/';
  return { parts: [...root.parts, { kind: 'text', text: slash }, { kind: 'glob', text: glob }], raw: `${root.raw}${slash}${glob}` };
}
