/** Words of PowerShell: a command's arguments, strings, variables. */
import { primary } from './powershell-expr.ts';
import { parens } from './powershell-parse.ts';
import { BACKTICK, BARE_END, DASHES, note, QUOTES, type Scan, skip } from './powershell-scan.ts';
import type { Expr, Piece } from './powershell-tree.ts';

/** One argument of a command. */
export function argument(s: Scan): Expr {
  const c = s.text[s.at]!;
  if (DASHES.has(c)) {
    const name = /^[–—―-]([A-Za-z_?][\w-]*)(:)?/.exec(s.text.slice(s.at, s.at + 80));
    const after = name ? s.text[s.at + name[0].length] : undefined;
    if (name && (name[2] || after === undefined || BARE_END.has(after))) {
      const start = s.at;
      s.at += name[0].length;
      let value: Expr | undefined;
      if (name[2]) {
        skip(s);
        value = s.at < s.end && s.text[s.at] !== '\n' && s.text[s.at] !== ';' ? argument(s) : undefined;
      }
      return { t: 'param', name: name[1]!, value, raw: s.text.slice(start, s.at) };
    }
  }
  if (c === '(' || c === '{' || c === '[') return c === '[' ? bare(s) : primary(s);
  if (c === '@' && (s.text[s.at + 1] === '(' || s.text[s.at + 1] === '{' || s.text[s.at + 1] === "'" || s.text[s.at + 1] === '"'))
    return primary(s);
  if (c === '$') {
    // `$x.Name`, `$x[0]`, `$x::y` are members even here; `$x/y` is text.
    const start = s.at;
    const value = primary(s);
    if (s.at >= s.end || BARE_END.has(s.text[s.at]!)) return value;
    return bare(s, [{ expr: value }], start);
  }
  return bare(s);
}

/** A bare word, with quoted stretches and variables in it. */
function bare(s: Scan, pieces: Piece[] = [], start = s.at): Expr {
  let buffer = '';
  let quotedOnly = pieces.length === 0;
  let hasQuote = false;
  const flush = () => {
    if (buffer) pieces.push({ text: buffer });
    buffer = '';
  };
  while (s.at < s.end) {
    const c = s.text[s.at]!;
    if (c in QUOTES) {
      hasQuote = true;
      flush();
      pieces.push(...quoted(s));
      continue;
    }
    if (c === '`') {
      buffer += s.text[s.at + 1] === undefined ? '' : (BACKTICK[s.text[s.at + 1]!] ?? s.text[s.at + 1]!);
      s.at += 2;
      quotedOnly = false;
      continue;
    }
    if (c === '$' && /[\w{(:?]/.test(s.text[s.at + 1] ?? '')) {
      flush();
      pieces.push({ expr: interpolation(s) });
      quotedOnly = false;
      continue;
    }
    if (BARE_END.has(c)) break;
    quotedOnly = false;
    if (c === '*' || c === '?') {
      flush();
      pieces.push({ text: c, glob: true });
    } else buffer += c;
    s.at++;
  }
  flush();
  return { t: 'text', pieces, quoted: quotedOnly && hasQuote, raw: s.text.slice(start, s.at) };
}

/** A quoted string at `at`; gives its pieces. */
export function quoted(s: Scan): Piece[] {
  const kind = QUOTES[s.text[s.at]!]!;
  s.at++;
  const pieces: Piece[] = [];
  let buffer = '';
  const flush = () => {
    if (buffer) pieces.push({ text: buffer });
    buffer = '';
  };
  while (s.at < s.end) {
    const c = s.text[s.at]!;
    if (QUOTES[c] === kind) {
      s.at++;
      if (QUOTES[s.text[s.at] ?? ''] === kind) {
        buffer += s.text[s.at];
        s.at++;
        continue;
      }
      flush();
      return pieces;
    }
    if (kind === '"' && c === '`') {
      buffer += s.text[s.at + 1] === undefined ? '' : (BACKTICK[s.text[s.at + 1]!] ?? s.text[s.at + 1]!);
      s.at += 2;
    } else if (kind === '"' && c === '$' && /[\w{(]/.test(s.text[s.at + 1] ?? '')) {
      flush();
      pieces.push({ expr: interpolation(s) });
    } else {
      buffer += c;
      s.at++;
    }
  }
  note(s, 'syntax', 'a string is not closed');
  flush();
  return pieces;
}

export function hereString(s: Scan): Expr {
  const kind = s.text[s.at + 1]!;
  const start = s.at;
  const line = s.text.indexOf('\n', s.at);
  const close = line < 0 ? -1 : s.text.indexOf(`\n${kind}@`, line);
  if (close < 0) {
    note(s, 'syntax', 'a here-string is not closed');
    s.at = s.end;
    return { t: 'unknown', raw: s.text.slice(start, start + 80) };
  }
  const body = close <= line ? '' : s.text.slice(line + 1, close);
  s.at = close + 3;
  if (kind === "'" || !body.includes('$')) return { t: 'text', pieces: [{ text: body }], quoted: true, raw: s.text.slice(start, s.at) };
  return {
    t: 'text',
    pieces: [
      { text: body.slice(0, body.indexOf('$')) },
      { expr: { t: 'unknown', raw: body.slice(body.indexOf('$'), body.indexOf('$') + 40) } },
    ],
    quoted: true,
    raw: body,
  };
}

/** `$name`, `${name}`, `$env:NAME`, `$(…)` inside a string or bare word. */
function interpolation(s: Scan): Expr {
  if (s.text[s.at + 1] === '(') {
    const start = s.at;
    s.at++;
    const body = parens(s);
    return { t: 'paren', body, raw: s.text.slice(start, s.at) };
  }
  return variable(s);
}

export function variable(s: Scan): Expr & { t: 'var' } {
  const start = s.at;
  const found = /^\$(?:\{([^}]{0,200})\}|((?:\w+:)?[\w]+|[?^$_]))/.exec(s.text.slice(s.at, s.at + 220));
  if (!found) {
    s.at++;
    return { t: 'var', name: '', raw: '$' };
  }
  s.at += found[0].length;
  return { t: 'var', name: (found[1] ?? found[2] ?? '').toLowerCase(), raw: s.text.slice(start, s.at) };
}
