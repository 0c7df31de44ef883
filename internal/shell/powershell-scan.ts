/** The place in a PowerShell text, blanks, comments, limits. */
import type { Expr } from './powershell-tree.ts';

const MAX_DEPTH = 150;

export const SPACE = new Set([' ', '\t', '\r', '\f', '\v', '\u00a0']);

export const BARE_END = new Set([' ', '\t', '\r', '\n', '\f', '\v', '\u00a0', ';', '|', '&', '(', ')', '{', '}', ',', '<', '>']);

export const QUOTES: Readonly<Record<string, string>> = {
  "'": "'",
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '"': '"',
  '“': '"',
  '”': '"',
  '„': '"',
};

export const DASHES = new Set(['-', '–', '—', '―']);

export const BACKTICK: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** The place in the text. */
export interface Scan {
  text: string;
  at: number;
  end: number;
  depth: number;
  unread: { why: 'syntax' | 'limit'; detail: string; rest: string }[];
}

export function note(s: Scan, why: 'syntax' | 'limit', detail: string): void {
  if (s.unread.length < 20) s.unread.push({ why, detail, rest: s.text.slice(s.at, s.at + 400) });
}

export function deeper<T>(s: Scan, work: () => T, otherwise: T): T {
  if (s.depth >= MAX_DEPTH) {
    note(s, 'limit', 'nested too deeply');
    s.at = s.end;
    return otherwise;
  }
  s.depth++;
  const result = work();
  s.depth--;
  return result;
}

/** Blanks, comments, line continuations; newlines too when asked. */
export function skip(s: Scan, lines = false): void {
  while (s.at < s.end) {
    const c = s.text[s.at]!;
    if (SPACE.has(c) || (lines && c === '\n')) s.at++;
    else if (c === '`' && (s.text[s.at + 1] === '\n' || s.text.startsWith('\r\n', s.at + 1))) s.at += s.text[s.at + 1] === '\n' ? 2 : 3;
    else if (c === '<' && s.text[s.at + 1] === '#') {
      const close = s.text.indexOf('#>', s.at + 2);
      s.at = close < 0 ? s.end : close + 2;
    } else if (c === '#' && (s.at === 0 || BARE_END.has(s.text[s.at - 1]!))) {
      const line = s.text.indexOf('\n', s.at);
      s.at = line < 0 ? s.end : line;
    } else break;
  }
}

/** Lists grow in place; long ones would otherwise be copied again and again. */
export function joined(left: Expr, right: Expr): Expr {
  if (left.t !== 'list') return { t: 'list', items: [left, right] };
  (left.items as Expr[]).push(right);
  return left;
}

export function plain(value: string): Expr {
  return { t: 'text', pieces: [{ text: value }], quoted: false, raw: value };
}

export function typeName(s: Scan): string {
  const near = s.text.slice(s.at, s.at + 200).indexOf(']');
  const close = s.at + near;
  if (near < 0) {
    s.at++;
    return '';
  }
  let stop = close;
  while (s.text[stop + 1] === ']') stop++;
  const name = s.text.slice(s.at + 1, close);
  s.at = stop + 1;
  return name.trim().toLowerCase();
}
