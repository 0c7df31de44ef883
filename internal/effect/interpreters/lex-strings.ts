/** The inside of string literals: escapes, and what is put in. */
import { Limit } from './ast.ts';
import type { Lexer, Token } from './lex.ts';

export type Escapes = 'none' | 'quote' | 'c' | 'perl' | 'lua';

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  '0': '\0',
  '\n': '',
};

/** Reads the escape at `at` (a backslash); gives its text and the offset behind it. */
export function readEscape(text: string, at: number, kind: Escapes): [string, number] {
  const c = text[at + 1];
  if (c === undefined) return ['\\', at + 1];
  if (kind === 'none') return [`\\${c}`, at + 2];
  if (kind === 'quote') return c === "'" || c === '\\' ? [c, at + 2] : [`\\${c}`, at + 2];
  if (c === 'x' || c === 'u' || c === 'U') {
    const braced = /^\{\s*([0-9A-Fa-f]{1,8})\s*\}/.exec(text.slice(at + 2, at + 16));
    if (braced) return [codePoint(Number.parseInt(braced[1]!, 16)), at + 2 + braced[0].length];
    const width = c === 'x' ? 2 : c === 'u' ? 4 : 8;
    const hex = /^[0-9A-Fa-f]+/.exec(text.slice(at + 2, at + 2 + width))?.[0];
    return hex ? [codePoint(Number.parseInt(hex, 16)), at + 2 + hex.length] : [c, at + 2];
  }
  if (c >= '0' && c <= '9') {
    const decimal = kind === 'lua';
    const digits = (decimal ? /^[0-9]{1,3}/ : /^[0-7]{1,3}/).exec(text.slice(at + 1, at + 4))?.[0];
    if (digits && (decimal || digits.length > 1 || c !== '0'))
      return [codePoint(Number.parseInt(digits, decimal ? 10 : 8)), at + 1 + digits.length];
  }
  return [SIMPLE[c] ?? c, at + 2];
}

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** How a string goes on. */
export interface StringRules {
  close: string;
  /** Opening bracket of the same kind: they nest (`q{a{b}c}`). */
  open?: string;
  escapes: Escapes;
  /** Reads what is put in at `lexer.at`; undefined when nothing is. */
  put?(lexer: Lexer): readonly Token[] | undefined;
  /** Ends at the end of the line when it is not closed. */
  oneLine?: boolean;
}

/** Reads a string whose opening is behind `at`; leaves `at` behind its end. */
export function readString(lexer: Lexer, rules: StringRules): (string | readonly Token[])[] {
  const { text } = lexer;
  const parts: (string | readonly Token[])[] = [];
  const pieces: string[] = [];
  let from = lexer.at;
  let level = 0;
  const flush = (to: number) => {
    if (to > from) pieces.push(text.slice(from, to));
  };
  const whole = () => {
    if (pieces.length > 0) parts.push(pieces.join(''));
    pieces.length = 0;
  };
  while (lexer.at < lexer.end) {
    const c = text[lexer.at]!;
    if (c === '\\') {
      flush(lexer.at);
      const [decoded, next] = readEscape(text, lexer.at, rules.escapes);
      pieces.push(rules.close.length === 1 && rules.escapes === 'none' && decoded === `\\${rules.close}` ? decoded : decoded);
      lexer.at = Math.min(next, lexer.end);
      from = lexer.at;
      continue;
    }
    if (rules.open && c === rules.open) level++;
    else if (c === rules.close[0] && text.startsWith(rules.close, lexer.at)) {
      if (level === 0) {
        flush(lexer.at);
        lexer.at += rules.close.length;
        whole();
        return parts;
      }
      level--;
    }
    if (rules.oneLine && c === '\n') break;
    if (rules.put) {
      const before = lexer.at;
      const tokens = rules.put(lexer);
      if (tokens) {
        if (lexer.at <= before) throw new Limit('no progress in a string');
        flush(before);
        whole();
        parts.push(tokens);
        from = lexer.at;
        continue;
      }
    }
    lexer.at++;
  }
  flush(lexer.at);
  whole();
  return parts;
}

const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** The delimiter of a quote-like operator: its closing, and its opening when it nests. */
export function delimiter(open: string): { close: string; open?: string } {
  const close = BRACKETS[open];
  return close ? { close, open } : { close: open };
}

/** Reads a here-document's body from the line start at `at` until its tag; gives its text. */
export function hereBody(lexer: Lexer, tag: string, indented: boolean): string {
  const { text } = lexer;
  const lines: string[] = [];
  while (lexer.at < lexer.end) {
    const stop = text.indexOf('\n', lexer.at);
    const line = text.slice(lexer.at, stop < 0 ? lexer.end : stop);
    lexer.at = stop < 0 ? lexer.end : stop + 1;
    const bare = indented ? line.trimStart() : line;
    if (bare === tag || bare === `${tag};` || bare.replace(/[;,).]+$/, '') === tag) {
      return strip(lines, indented);
    }
    lines.push(line);
  }
  return strip(lines, indented);
}

function strip(lines: string[], indented: boolean): string {
  if (!indented) return lines.map((line) => `${line}\n`).join('');
  const widths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const width = widths.length > 0 ? widths.reduce((a, b) => Math.min(a, b)) : 0;
  return lines.map((line) => `${line.slice(width)}\n`).join('');
}
