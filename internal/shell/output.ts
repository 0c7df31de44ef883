/** What a command prints, where it can be known without running it. */

import { basename, dirname, resolve } from 'node:path/posix';
import type { Look, Redirect, Stdin } from './command.ts';
import { parseOptions } from './options.ts';
import { readPlain } from './sensitive.ts';
import { literal, type Part, textOf, type Word } from './word.ts';

/** What the known-output table may ask. */
export interface OutputContext {
  look: Look;
  cwd: string | undefined;
  stdin: Stdin;
  redirects: readonly Redirect[];
  /** A name for the n-th `mktemp` of this line. */
  fresh(): number;
  /** Is there a directory of this line's own making at a path. */
  exists(path: string): boolean;
}

const READ_LIMIT = 4096;

type Printer = (args: readonly Word[], context: OutputContext) => Word | undefined;

const text = (value: string): Word => literal(value);

function join(words: readonly Word[], end: string): Word {
  const parts: Part[] = words.flatMap((word, i) => [...(i > 0 ? [{ kind: 'text', text: ' ' } as const] : []), ...word.parts]);
  if (end) parts.push({ kind: 'text', text: end });
  return { parts, raw: words.map((word) => word.raw).join(' ') };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  e: '\u001b',
  '"': '"',
  "'": "'",
};

/** Backslash escapes: of printf's format (`\nnn`), or of `echo -e` and `%b` (`\0nnn`). A byte keeps its low eight bits. */
export function unescaped(value: string, of: 'format' | 'echo' = 'echo'): string {
  const octals =
    of === 'format'
      ? /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|([ntrabfv\\e"']))/g
      : /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([ntrabfv\\e"']))/g;
  return value.replace(octals, (_all, hex, uni, octal, simple) => {
    if (hex ?? uni) return String.fromCharCode(Number.parseInt(hex ?? uni, 16));
    return octal ? String.fromCharCode(Number.parseInt(octal, 8) & 0xff) : ESCAPES[simple]!;
  });
}

const echo: Printer = (args) => {
  let words = args;
  let newline = true;
  let escapes = false;
  while (words.length > 0 && /^-[neE]+$/.test(textOf(words[0]) ?? '')) {
    const flag = textOf(words[0])!;
    if (flag.includes('n')) newline = false;
    if (flag.includes('e')) escapes = true;
    words = words.slice(1);
  }
  const joined = join(words, newline ? '\n' : '');
  if (!escapes) return joined;
  return { ...joined, parts: joined.parts.map((part) => (part.kind === 'text' ? { ...part, text: unescaped(part.text) } : part)) };
};

/** printf with %s, %b, %d, %q and %%; the format is used again while arguments are left. */
export function printf(args: readonly Word[]): Word | undefined {
  const words = textOf(args[0]) === '--' ? args.slice(1) : args;
  const format = textOf(words[0]);
  if (format === undefined) return undefined;
  const pieces = format.split(/(%(?:[-+ 0#]*\d*(?:\.\d+)?[sbdiqxXofeEgGuc]|%))/);
  const takes = pieces.filter((piece, i) => i % 2 === 1 && piece !== '%%').length;
  const values = words.slice(1);
  const parts: Part[] = [];
  let at = 0;
  do {
    for (const [i, piece] of pieces.entries()) {
      if (i % 2 === 0) {
        if (piece) parts.push({ kind: 'text', text: unescaped(piece, 'format') });
      } else if (piece === '%%') parts.push({ kind: 'text', text: '%' });
      else if (values[at]) {
        const value = values[at++]!;
        if (piece.endsWith('q')) parts.push({ kind: 'hole', text: piece, why: 'argument' });
        else
          parts.push(
            ...(piece.endsWith('b')
              ? value.parts.map((part): Part => (part.kind === 'text' ? { ...part, text: unescaped(part.text) } : part))
              : value.parts),
          );
      } else at++;
    }
  } while (takes > 0 && at < values.length && parts.length < 2000);
  return { parts: mergeTexts(parts), raw: words.map((word) => word.raw).join(' ') };
}

function mergeTexts(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') out[out.length - 1] = { kind: 'text', text: last.text + part.text };
    else out.push(part);
  }
  return out;
}

/** The text that comes in, when it is known. */
export function stdinText(context: Pick<OutputContext, 'stdin' | 'look' | 'cwd'>): Word | undefined {
  const { stdin } = context;
  if (stdin.from === 'text') return stdin.text;
  if (stdin.from === 'pipe') return stdin.text;
  if (stdin.from === 'file') {
    const file = textOf(stdin.file);
    if (file === undefined || context.cwd === undefined) return undefined;
    const content = readPlain(context.look, resolve(context.cwd, file), 256 * 1024);
    return content === undefined ? undefined : text(content);
  }
  return undefined;
}

const cat: Printer = (args, context) => {
  const operands = args.filter((word) => !/^-[AbeEnstTuv]+$/.test(textOf(word) ?? ''));
  if (operands.length !== args.length) return undefined;
  if (operands.length === 0 || textOf(operands[0]) === '-') return stdinText(context);
  const texts = operands.map((word) => {
    const path = textOf(word);
    return path === undefined || context.cwd === undefined ? undefined : readPlain(context.look, resolve(context.cwd, path), READ_LIMIT);
  });
  return texts.every((each) => each !== undefined) ? text(texts.join('')) : undefined;
};

/** One operand that is a path, as text. */
const onPath =
  (change: (path: string, args: readonly string[]) => string | undefined): Printer =>
  (args) => {
    const texts = args.map((word) => textOf(word));
    if (texts.some((each) => each === undefined)) return undefined;
    const operands = (texts as string[]).filter((each) => !each.startsWith('-'));
    const result = operands[0] === undefined ? undefined : change(operands[0], operands);
    return result === undefined ? undefined : text(`${result}\n`);
  };

const mktemp: Printer = (args, context) => {
  const parsed = parseOptions(args, {
    flags: ['d', 'directory', 'q', 'quiet', 'u', 'dry-run', 't'],
    values: ['p', 'suffix'],
    optional: ['tmpdir'],
    aliases: { directory: 'd' },
  });
  const n = context.fresh();
  const template = textOf(parsed.operands[0]);
  const base = parsed.text('p') ?? parsed.text('tmpdir') ?? context.look.tmp;
  const name = (template ?? 'tmp.XXXXXXXXXX').replace(/X{3,}/, `waygate${n}`);
  if (template && !parsed.has('p') && !parsed.has('tmpdir') && !parsed.has('t')) {
    return context.cwd === undefined && !template.startsWith('/') ? undefined : text(`${resolve(context.cwd ?? '/', name)}\n`);
  }
  return text(`${resolve(base, basename(name))}\n`);
};

/** The top of the repository around a directory. */
export function repositoryTop(cwd: string | undefined, look: Look): string | undefined {
  for (let at = cwd; at !== undefined; at = at === '/' ? undefined : dirname(at)) {
    if (look.stat(at === '/' ? '/.git' : `${at}/.git`)) return at;
  }
  return undefined;
}

const git: Printer = (args, context) => {
  const texts = args.map((word) => textOf(word));
  if (texts[0] !== 'rev-parse' || texts.length !== 2) return undefined;
  const top = repositoryTop(context.cwd, context.look);
  return texts[1] === '--show-toplevel' && top !== undefined ? text(`${top}\n`) : undefined;
};

const base64: Printer = (args, context) => {
  const parsed = parseOptions(args, {
    flags: ['d', 'D', 'decode', 'i', 'ignore-garbage'],
    values: ['w', 'wrap', 'i', 'o'],
    aliases: { decode: 'd', D: 'd' },
  });
  if (!parsed.has('d')) return undefined;
  const source = textOf(stdinText(context));
  return source === undefined ? undefined : text(Buffer.from(source.replace(/\s/g, ''), 'base64').toString('utf8'));
};

const xxd: Printer = (args, context) => {
  const parsed = parseOptions(args, { flags: ['r', 'p', 'ps'], singleDash: true });
  const clustered = args.some((word) => ['-rp', '-pr'].includes(textOf(word) ?? ''));
  if (!clustered && !(parsed.has('r') && (parsed.has('p') || parsed.has('ps')))) return undefined;
  const source = textOf(stdinText(context));
  return source === undefined ? undefined : text(Buffer.from(source.replace(/[^0-9a-fA-F]/g, ''), 'hex').toString('utf8'));
};

const rev: Printer = (_args, context) => {
  const source = textOf(stdinText(context));
  return source === undefined ? undefined : text(source.replace(/[^\n]+/g, (line) => [...line].reverse().join('')));
};

/** `tr SET1 SET2` and `tr -d SET` on known text; plain sets and ranges only. */
const tr: Printer = (args, context) => {
  const source = textOf(stdinText(context));
  const texts = args.map((word) => textOf(word));
  if (source === undefined || texts.some((each) => each === undefined)) return undefined;
  const [first, second] = texts as string[];
  if (first === '-d' && second !== undefined) {
    const drop = new Set(range(second));
    return text([...source].filter((c) => !drop.has(c)).join(''));
  }
  if (first === undefined || second === undefined || first.startsWith('-')) return undefined;
  const from = range(first);
  const to = range(second);
  return text([...source].map((c) => (from.includes(c) ? (to[from.lastIndexOf(c)] ?? to.at(-1) ?? c) : c)).join(''));
};

function range(set: string): string[] {
  const plain = unescaped(set);
  const out: string[] = [];
  for (let i = 0; i < plain.length; i++) {
    if (plain[i + 1] === '-' && i + 2 < plain.length) {
      for (let code = plain.charCodeAt(i); code <= plain.charCodeAt(i + 2) && out.length < 1000; code++)
        out.push(String.fromCharCode(code));
      i += 2;
    } else out.push(plain[i]!);
  }
  return out;
}

/** `which X`, `command -v X`, `type -P X`: where a program lies. */
const located: Printer = (args, context) => {
  const operands = args.map((word) => textOf(word)).filter((word) => !/^-[avPp]+$/.test(word ?? ''));
  const [name] = operands;
  if (operands.length !== 1 || name === undefined || !/^[\w.+-]+$/.test(name)) return undefined;
  const folders = (context.look.env('PATH') ?? '/usr/bin:/bin').split(':').slice(0, 40);
  const found = folders.find((folder) => folder.startsWith('/') && context.look.stat(`${folder}/${name}`));
  return found === undefined ? undefined : text(`${found}/${name}\n`);
};

const PRINTERS: Readonly<Record<string, Printer>> = {
  echo,
  printf: (args) => (textOf(args[0]) === '-v' ? undefined : printf(args)),
  cat,
  tee: (_args, context) => stdinText(context),
  pwd: (_args, context) => (context.cwd === undefined ? undefined : text(`${context.cwd}\n`)),
  basename: onPath((path, [, suffix]) => basename(path, suffix)),
  dirname: onPath((path) => dirname(path)),
  mktemp,
  git,
  base64,
  gbase64: base64,
  xxd,
  rev,
  tr,
  realpath: () => undefined,
  which: located,
  command: (args, context) => (textOf(args[0]) === '-v' ? located(args, context) : undefined),
  type: (args, context) => (/^-[pP]$/.test(textOf(args[0]) ?? '') ? located(args, context) : undefined),
};

/** The standard output of a command, ending in its newline, as far as it is certain. */
export function outputOf(name: string, args: readonly Word[], context: OutputContext): Word | undefined {
  if (name === 'realpath' || name === 'readlink') return absolutePath(args, context);
  return Object.hasOwn(PRINTERS, name) ? PRINTERS[name]!(args, context) : undefined;
}

function absolutePath(args: readonly Word[], context: OutputContext): Word | undefined {
  const operands = args.filter((word) => !(textOf(word) ?? '').startsWith('-'));
  const path = textOf(operands[0]);
  if (path === undefined || context.cwd === undefined || operands.length !== 1) return undefined;
  const full = resolve(context.cwd, path);
  return context.look.stat(full)?.kind === 'link' ? undefined : text(`${full}\n`);
}
