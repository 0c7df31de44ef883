/**
 * PowerShell text -> a small syntax tree. Scannerless, because the language changes its mode between a command's
 * arguments and an expression. One pass, no backtracking; what it does not know becomes `unknown` and reading goes on.
 */

/** A stretch of a string or bare word. */
export type Piece = { text: string; glob?: boolean } | { expr: Expr };

export type Expr =
  | { t: 'text'; pieces: readonly Piece[]; quoted: boolean; raw: string }
  | { t: 'var'; name: string; raw: string }
  | { t: 'type'; name: string }
  | { t: 'member'; of: Expr; name: string; static: boolean }
  | { t: 'call'; of: Expr; name: string; static: boolean; args: readonly Expr[] }
  | { t: 'index'; of: Expr; at: Expr }
  | { t: 'op'; op: string; left: Expr; right: Expr }
  | { t: 'list'; items: readonly Expr[] }
  | { t: 'paren'; body: Script; raw: string }
  | { t: 'block'; body: Script; raw: string }
  | { t: 'param'; name: string; value: Expr | undefined; raw: string }
  | { t: 'unknown'; raw: string };

export interface Redirection {
  fds: readonly number[];
  op: '>' | '>>' | 'dup';
  target: Expr;
}

/** One stage of a pipeline: a command with arguments, or an expression. */
export type Stage =
  | { t: 'command'; call: '&' | '.' | undefined; words: readonly Expr[]; redirects: readonly Redirection[]; raw: string }
  | { t: 'expr'; expr: Expr; redirects: readonly Redirection[]; raw: string };

export interface Pipeline {
  stages: readonly Stage[];
  /** How it is joined to the one before. */
  after: ';' | '&&' | '||';
  background: boolean;
}

export type Statement =
  | { t: 'pipeline'; pipeline: Pipeline }
  | { t: 'assign'; name: string; op: string; value: Statement | undefined }
  | { t: 'branch'; conditions: readonly Script[]; bodies: readonly Script[]; loop: boolean }
  | { t: 'try'; body: Script; catches: readonly Script[]; last: Script | undefined }
  | { t: 'foreach'; name: string; over: Script; body: Script }
  | { t: 'function'; name: string; body: Script };
export type Script = readonly Statement[];

export interface ParsedPowershell {
  script: Script;
  /** Text that was not understood, or a limit that was met. */
  unread: readonly { why: 'syntax' | 'limit'; detail: string; rest: string }[];
}

const MAX_DEPTH = 150;
const SPACE = new Set([' ', '\t', '\r', '\f', '\v', '\u00a0']);
const BARE_END = new Set([' ', '\t', '\r', '\n', '\f', '\v', '\u00a0', ';', '|', '&', '(', ')', '{', '}', ',', '<', '>']);
const QUOTES: Readonly<Record<string, string>> = {
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
const DASHES = new Set(['-', '–', '—', '―']);
const BACKTICK: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', a: '\x07', b: '\b', f: '\f', v: '\v' };
const OPERATORS = new Set(
  'f join split replace creplace ireplace match notmatch like notlike eq ne gt lt ge le ceq ieq and or xor not band bor bnot is isnot as in notin contains notcontains shl shr'.split(
    ' ',
  ),
);

/** Parses PowerShell text. Never throws. */
export function parsePowershell(text: string): ParsedPowershell {
  const unread: { why: 'syntax' | 'limit'; detail: string; rest: string }[] = [];
  let at = 0;
  let depth = 0;
  const end = text.length;

  const note = (why: 'syntax' | 'limit', detail: string) => {
    if (unread.length < 20) unread.push({ why, detail, rest: text.slice(at, at + 400) });
  };
  const deeper = <T>(work: () => T, otherwise: T): T => {
    if (depth >= MAX_DEPTH) {
      note('limit', 'nested too deeply');
      at = end;
      return otherwise;
    }
    depth++;
    const result = work();
    depth--;
    return result;
  };

  /** Blanks, comments, line continuations; newlines too when asked. */
  function skip(lines = false): void {
    while (at < end) {
      const c = text[at]!;
      if (SPACE.has(c) || (lines && c === '\n')) at++;
      else if (c === '`' && (text[at + 1] === '\n' || text.startsWith('\r\n', at + 1))) at += text[at + 1] === '\n' ? 2 : 3;
      else if (c === '<' && text[at + 1] === '#') {
        const close = text.indexOf('#>', at + 2);
        at = close < 0 ? end : close + 2;
      } else if (c === '#' && (at === 0 || BARE_END.has(text[at - 1]!))) {
        const line = text.indexOf('\n', at);
        at = line < 0 ? end : line;
      } else break;
    }
  }

  function script(close: string | undefined): Script {
    return deeper(() => {
      const list: Statement[] = [];
      let after: Pipeline['after'] = ';';
      for (;;) {
        skip(true);
        if (at >= end) break;
        const c = text[at]!;
        if (c === close) break;
        if (c === ';') {
          at++;
          after = ';';
          continue;
        }
        if (c === ')' || c === '}') {
          note('syntax', `unexpected ${c}`);
          at++;
          continue;
        }
        const before = at;
        const item = statement(after);
        if (item) list.push(item);
        skip();
        after = ';';
        if (text.startsWith('&&', at) || text.startsWith('||', at)) {
          after = text.slice(at, at + 2) as '&&' | '||';
          at += 2;
        }
        if (at === before) at++;
      }
      return list;
    }, []);
  }

  function braced(): Script {
    skip(true);
    if (text[at] !== '{') return [];
    at++;
    const body = script('}');
    if (text[at] === '}') at++;
    return body;
  }

  function parens(): Script {
    skip(true);
    if (text[at] !== '(') return [];
    at++;
    const body = script(')');
    if (text[at] === ')') at++;
    return body;
  }

  function statement(after: Pipeline['after']): Statement | undefined {
    const word = /^[A-Za-z]+/.exec(text.slice(at, at + 12))?.[0].toLowerCase();
    const next = word ? text[at + word.length] : undefined;
    if (word && (next === undefined || BARE_END.has(next))) {
      const keyword = keywordStatement(word);
      if (keyword !== 'none') return keyword;
    }
    if (text[at] === '$' || text[at] === '[') {
      const assigned = assignment();
      if (assigned) return assigned;
    }
    return { t: 'pipeline', pipeline: pipeline(after) };
  }

  function keywordStatement(word: string): Statement | undefined | 'none' {
    switch (word) {
      case 'if': {
        at += 2;
        const conditions = [parens()];
        const bodies = [braced()];
        for (;;) {
          skip(true);
          const more = /^else(if)?(?![\w-])/i.exec(text.slice(at, at + 8));
          if (!more) break;
          at += more[0].length;
          if (more[1]) conditions.push(parens());
          bodies.push(braced());
        }
        return { t: 'branch', conditions, bodies, loop: false };
      }
      case 'while':
      case 'switch': {
        at += word.length;
        const condition = parens();
        return { t: 'branch', conditions: [condition], bodies: [braced()], loop: word === 'while' };
      }
      case 'for': {
        at += 3;
        const head = parens();
        return { t: 'branch', conditions: [head], bodies: [braced()], loop: true };
      }
      case 'do': {
        at += 2;
        const body = braced();
        skip(true);
        const tail = /^(while|until)(?![\w-])/i.exec(text.slice(at, at + 6));
        if (tail) at += tail[0].length;
        return { t: 'branch', conditions: tail ? [parens()] : [], bodies: [body], loop: true };
      }
      case 'foreach': {
        const start = at;
        at += 7;
        skip();
        if (text[at] !== '(') {
          at = start;
          return 'none';
        }
        at++;
        skip(true);
        const name = text[at] === '$' ? variable().name : '';
        skip(true);
        if (/^in(?![\w-])/i.test(text.slice(at, at + 3))) at += 2;
        const over = script(')');
        if (text[at] === ')') at++;
        return { t: 'foreach', name, over, body: braced() };
      }
      case 'try': {
        at += 3;
        const body = braced();
        const catches: Script[] = [];
        let last: Script | undefined;
        for (;;) {
          skip(true);
          const more = /^(catch|finally)(?![\w-])/i.exec(text.slice(at, at + 8));
          if (!more) break;
          at += more[0].length;
          skip(true);
          while (text[at] === '[') {
            typeName();
            skip(true);
            if (text[at] === ',') at++;
            skip(true);
          }
          if (more[1]!.toLowerCase() === 'catch') catches.push(braced());
          else last = braced();
        }
        return { t: 'try', body, catches, last };
      }
      case 'function':
      case 'filter': {
        at += word.length;
        skip();
        const name = /^[\w:-]+/.exec(text.slice(at, at + 200))?.[0] ?? '';
        at += name.length;
        skip(true);
        if (text[at] === '(') parens();
        return { t: 'function', name: name.toLowerCase(), body: braced() };
      }
      case 'param': {
        at += 5;
        parens();
        return undefined;
      }
      case 'begin':
      case 'process':
      case 'end': {
        const start = at;
        at += word.length;
        skip(true);
        if (text[at] === '{') return { t: 'branch', conditions: [], bodies: [braced()], loop: false };
        at = start;
        return 'none';
      }
      case 'return':
      case 'throw':
      case 'exit': {
        at += word.length;
        skip();
        if (at >= end || text[at] === '\n' || text[at] === ';' || text[at] === '}') return undefined;
        return { t: 'pipeline', pipeline: pipeline(';') };
      }
      default:
        return 'none';
    }
  }

  /** `$x = …`, `[type]$x += …`. Gives nothing and stays where it is when it is none. */
  function assignment(): Statement | undefined {
    const head = /^(?:\[[\w.[\], ]{1,60}\]\s*){0,3}\$(?:\{([^}]{1,100})\}|((?:\w+:)?\w+))\s*([+\-*/%]|\?\?)?=(?!=)/.exec(
      text.slice(at, at + 400),
    );
    if (!head) return undefined;
    at += head[0].length;
    skip(true);
    return { t: 'assign', name: (head[1] ?? head[2])!.toLowerCase(), op: head[3] ?? '', value: statement(';') };
  }

  function pipeline(after: Pipeline['after']): Pipeline {
    const stages: Stage[] = [];
    let background = false;
    for (;;) {
      skip(stages.length > 0);
      stages.push(stage());
      skip();
      if (text[at] === '|' && text[at + 1] !== '|') {
        at++;
        continue;
      }
      // A pipe may open the next line.
      const ahead = /^[ \t\r]*\n[\s]*\|(?!\|)/.exec(text.slice(at, at + 200));
      if (ahead) {
        at += ahead[0].length;
        continue;
      }
      if (text[at] === '&' && text[at + 1] !== '&') {
        at++;
        background = true;
      }
      return { stages, after, background };
    }
  }

  function stage(): Stage {
    const start = at;
    const c = text[at];
    let call: '&' | '.' | undefined;
    if (c === '&' && text[at + 1] !== '&') call = '&';
    else if (c === '.' && SPACE.has(text[at + 1] ?? '')) call = '.';
    if (call) {
      at++;
      skip();
    }
    if (!call && startsExpression()) {
      const expr = expression();
      const redirects: Redirection[] = [];
      for (;;) {
        skip();
        const redirect = redirection();
        if (!redirect) break;
        redirects.push(redirect);
      }
      return { t: 'expr', expr, redirects, raw: text.slice(start, at) };
    }
    const words: Expr[] = [];
    const redirects: Redirection[] = [];
    for (;;) {
      skip();
      if (at >= end) break;
      const here = text[at]!;
      if (here === '\n' || here === ';' || here === '|' || here === ')' || here === '}') break;
      if (here === '&') break;
      const redirect = redirection();
      if (redirect) {
        redirects.push(redirect);
        continue;
      }
      if (here === ',') {
        at++;
        skip(true);
        const more = argument();
        const last = words.pop();
        words.push(last ? joined(last, more) : more);
        continue;
      }
      if (text.startsWith('--%', at) && (at + 3 >= end || SPACE.has(text[at + 3]!))) {
        const line = text.indexOf('\n', at);
        const rest = text.slice(at + 3, line < 0 ? end : line);
        at = line < 0 ? end : line;
        for (const piece of rest.split(/\s+/)) if (piece) words.push(plain(piece));
        break;
      }
      const before = at;
      const word = argument();
      words.push(word);
      if (at === before) at++;
    }
    return { t: 'command', call, words, redirects, raw: text.slice(start, at).trim() };
  }

  /** A pipeline stage is an expression when it starts with a value. */
  function startsExpression(): boolean {
    const c = text[at];
    if (c === undefined) return false;
    if (c === '$' || c === '(' || c === '[' || c === '{' || c === '!' || c in QUOTES) return true;
    if (c === '@') return true;
    if (c >= '0' && c <= '9') return /^\d[\d.]*(?:[kmgt]b)?(?=[\s;|)}+\-*/%,]|$)/i.test(text.slice(at, at + 40));
    return false;
  }

  function redirection(): Redirection | undefined {
    const found = /^([1-6*]?)(>>|>)(&[12])?/.exec(text.slice(at, at + 5));
    if (!found) return undefined;
    at += found[0].length;
    const fds = found[1] === '*' ? [1, 2] : [found[1] ? Number(found[1]) : 1];
    if (found[3]) return { fds, op: 'dup', target: plain(found[3].slice(1)) };
    skip();
    return { fds, op: found[2] as '>' | '>>', target: argument() };
  }

  /** Lists grow in place; long ones would otherwise be copied again and again. */
  function joined(left: Expr, right: Expr): Expr {
    if (left.t !== 'list') return { t: 'list', items: [left, right] };
    (left.items as Expr[]).push(right);
    return left;
  }

  function plain(value: string): Expr {
    return { t: 'text', pieces: [{ text: value }], quoted: false, raw: value };
  }

  /** One argument of a command. */
  function argument(): Expr {
    const c = text[at]!;
    if (DASHES.has(c)) {
      const name = /^[–—―-]([A-Za-z_?][\w-]*)(:)?/.exec(text.slice(at, at + 80));
      const after = name ? text[at + name[0].length] : undefined;
      if (name && (name[2] || after === undefined || BARE_END.has(after))) {
        const start = at;
        at += name[0].length;
        let value: Expr | undefined;
        if (name[2]) {
          skip();
          value = at < end && text[at] !== '\n' && text[at] !== ';' ? argument() : undefined;
        }
        return { t: 'param', name: name[1]!, value, raw: text.slice(start, at) };
      }
    }
    if (c === '(' || c === '{' || c === '[') return c === '[' ? bare() : primary();
    if (c === '@' && (text[at + 1] === '(' || text[at + 1] === '{' || text[at + 1] === "'" || text[at + 1] === '"')) return primary();
    if (c === '$') {
      // `$x.Name`, `$x[0]`, `$x::y` are members even here; `$x/y` is text.
      const start = at;
      const value = primary();
      if (at >= end || BARE_END.has(text[at]!)) return value;
      return bare([{ expr: value }], start);
    }
    return bare();
  }

  /** A bare word, with quoted stretches and variables in it. */
  function bare(pieces: Piece[] = [], start = at): Expr {
    let buffer = '';
    let quotedOnly = pieces.length === 0;
    let hasQuote = false;
    const flush = () => {
      if (buffer) pieces.push({ text: buffer });
      buffer = '';
    };
    while (at < end) {
      const c = text[at]!;
      if (c in QUOTES) {
        hasQuote = true;
        flush();
        pieces.push(...quoted());
        continue;
      }
      if (c === '`') {
        buffer += text[at + 1] === undefined ? '' : (BACKTICK[text[at + 1]!] ?? text[at + 1]!);
        at += 2;
        quotedOnly = false;
        continue;
      }
      if (c === '$' && /[\w{(:?]/.test(text[at + 1] ?? '')) {
        flush();
        pieces.push({ expr: interpolation() });
        quotedOnly = false;
        continue;
      }
      if (BARE_END.has(c)) break;
      quotedOnly = false;
      if (c === '*' || c === '?') {
        flush();
        pieces.push({ text: c, glob: true });
      } else buffer += c;
      at++;
    }
    flush();
    return { t: 'text', pieces, quoted: quotedOnly && hasQuote, raw: text.slice(start, at) };
  }

  /** A quoted string at `at`; gives its pieces. */
  function quoted(): Piece[] {
    const kind = QUOTES[text[at]!]!;
    at++;
    const pieces: Piece[] = [];
    let buffer = '';
    const flush = () => {
      if (buffer) pieces.push({ text: buffer });
      buffer = '';
    };
    while (at < end) {
      const c = text[at]!;
      if (QUOTES[c] === kind) {
        at++;
        if (QUOTES[text[at] ?? ''] === kind) {
          buffer += text[at];
          at++;
          continue;
        }
        flush();
        return pieces;
      }
      if (kind === '"' && c === '`') {
        buffer += text[at + 1] === undefined ? '' : (BACKTICK[text[at + 1]!] ?? text[at + 1]!);
        at += 2;
      } else if (kind === '"' && c === '$' && /[\w{(]/.test(text[at + 1] ?? '')) {
        flush();
        pieces.push({ expr: interpolation() });
      } else {
        buffer += c;
        at++;
      }
    }
    note('syntax', 'a string is not closed');
    flush();
    return pieces;
  }

  function hereString(): Expr {
    const kind = text[at + 1]!;
    const start = at;
    const line = text.indexOf('\n', at);
    const close = line < 0 ? -1 : text.indexOf(`\n${kind}@`, line);
    if (close < 0) {
      note('syntax', 'a here-string is not closed');
      at = end;
      return { t: 'unknown', raw: text.slice(start, start + 80) };
    }
    const body = close <= line ? '' : text.slice(line + 1, close);
    at = close + 3;
    if (kind === "'" || !body.includes('$')) return { t: 'text', pieces: [{ text: body }], quoted: true, raw: text.slice(start, at) };
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
  function interpolation(): Expr {
    if (text[at + 1] === '(') {
      const start = at;
      at++;
      const body = parens();
      return { t: 'paren', body, raw: text.slice(start, at) };
    }
    return variable();
  }

  function variable(): Expr & { t: 'var' } {
    const start = at;
    const found = /^\$(?:\{([^}]{0,200})\}|((?:\w+:)?[\w]+|[?^$_]))/.exec(text.slice(at, at + 220));
    if (!found) {
      at++;
      return { t: 'var', name: '', raw: '$' };
    }
    at += found[0].length;
    return { t: 'var', name: (found[1] ?? found[2] ?? '').toLowerCase(), raw: text.slice(start, at) };
  }

  function typeName(): string {
    const near = text.slice(at, at + 200).indexOf(']');
    const close = at + near;
    if (near < 0) {
      at++;
      return '';
    }
    let stop = close;
    while (text[stop + 1] === ']') stop++;
    const name = text.slice(at + 1, close);
    at = stop + 1;
    return name.trim().toLowerCase();
  }

  function expression(): Expr {
    return deeper<Expr>(
      () => {
        let left = operand();
        for (;;) {
          skip();
          const c = text[at];
          if (c === ',') {
            at++;
            skip(true);
            const next = operand();
            left = joined(left, next);
            continue;
          }
          const dashed = /^-([A-Za-z]+)(?![\w-])/.exec(text.slice(at, at + 20));
          if (dashed && OPERATORS.has(dashed[1]!.toLowerCase())) {
            at += dashed[0].length;
            skip(true);
            left = { t: 'op', op: dashed[1]!.toLowerCase(), left, right: rightOf() };
            continue;
          }
          if (c === '+' || c === '*' || c === '/' || c === '%' || (c === '-' && !dashed)) {
            at++;
            if (text[at] === c) {
              at++;
              continue;
            }
            skip(true);
            left = { t: 'op', op: c, left, right: operand() };
            continue;
          }
          if (c === '.' && text[at + 1] === '.') {
            at += 2;
            left = { t: 'op', op: '..', left, right: operand() };
            continue;
          }
          return left;
        }
      },
      { t: 'unknown', raw: '' },
    );
  }

  /** The right side of `-f`, `-join`: a list binds tighter there. */
  function rightOf(): Expr {
    const items = [operand()];
    for (;;) {
      skip();
      if (text[at] !== ',') break;
      at++;
      skip(true);
      items.push(operand());
    }
    return items.length === 1 ? items[0]! : { t: 'list', items };
  }

  function operand(): Expr {
    skip();
    if (text[at] === '!' || (text[at] === '-' && /^-(not|join|split|bnot)\b/i.test(text.slice(at, at + 7)))) {
      const op = text[at] === '!' ? 'not' : /^-(\w+)/.exec(text.slice(at, at + 7))![1]!.toLowerCase();
      at += op === 'not' && text[at] === '!' ? 1 : op.length + 1;
      skip();
      const value = operand();
      return op === 'join' ? { t: 'op', op: 'join', left: value, right: plain('') } : { t: 'op', op, left: value, right: plain('') };
    }
    return deeper<Expr>(primary, { t: 'unknown', raw: '' });
  }

  /** A value with what hangs on it: members, calls, indexes. */
  function primary(): Expr {
    const start = at;
    let value = atom();
    for (;;) {
      const c = text[at];
      if (c === '.' && /[\w$('"]/.test(text[at + 1] ?? '') && value.t !== 'unknown') {
        at++;
        value = member(value, false);
      } else if (c === ':' && text[at + 1] === ':') {
        at += 2;
        value = member(value, true);
      } else if (
        c === '[' &&
        (value.t === 'var' ||
          value.t === 'paren' ||
          value.t === 'text' ||
          value.t === 'member' ||
          value.t === 'call' ||
          value.t === 'index')
      ) {
        at++;
        skip(true);
        const index = expression();
        skip(true);
        if (text[at] === ']') at++;
        value = { t: 'index', of: value, at: index };
      } else if (value.t === 'type' && c !== undefined && /[$('"@[]/.test(c)) {
        // A cast: the value itself.
        value = operandAfterCast(value);
      } else break;
      if (at - start > 200_000) break;
    }
    return value;
  }

  function operandAfterCast(type: Expr): Expr {
    const value = deeper<Expr>(primary, { t: 'unknown', raw: '' });
    return { t: 'call', of: type, name: 'cast', static: true, args: [value] };
  }

  function member(of: Expr, isStatic: boolean): Expr {
    let name: string;
    const found = /^\w+/.exec(text.slice(at, at + 100));
    if (found) {
      name = found[0];
      at += name.length;
    } else {
      const computed = atom();
      name = computed.t === 'text' ? computed.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('') : '';
    }
    if (text[at] !== '(') {
      if (text[at] === '{') return { t: 'call', of, name: name.toLowerCase(), static: isStatic, args: [atom()] };
      return { t: 'member', of, name: name.toLowerCase(), static: isStatic };
    }
    at++;
    const args: Expr[] = [];
    for (;;) {
      skip(true);
      if (at >= end || text[at] === ')') break;
      if (text[at] === ',') {
        at++;
        continue;
      }
      const before = at;
      const value = expression();
      if (value.t === 'list') args.push(...value.items);
      else args.push(value);
      if (at === before) at++;
    }
    if (text[at] === ')') at++;
    return { t: 'call', of, name: name.toLowerCase(), static: isStatic, args };
  }

  function atom(): Expr {
    const start = at;
    const c = text[at];
    if (c === undefined) return { t: 'unknown', raw: '' };
    if (c in QUOTES) return { t: 'text', pieces: quoted(), quoted: true, raw: text.slice(start, at) };
    if (c === '$') {
      if (text[at + 1] === '(') at++;
      else return variable();
    }
    if (text[at] === '(') {
      const body = parens();
      return { t: 'paren', body, raw: text.slice(start, at) };
    }
    if (c === '{') return { t: 'block', body: braced(), raw: text.slice(start, at) };
    if (c === '[') return { t: 'type', name: typeName() };
    if (c === '@') {
      const next = text[at + 1];
      if (next === '(') {
        at++;
        const body = parens();
        return { t: 'paren', body, raw: text.slice(start, at) };
      }
      if (next === "'" || next === '"') return hereString();
      if (next === '{') {
        at++;
        braced();
        return { t: 'unknown', raw: text.slice(start, Math.min(at, start + 80)) };
      }
      at++;
      const name = /^\w+/.exec(text.slice(at, at + 80))?.[0] ?? '';
      at += name.length;
      return { t: 'var', name: name.toLowerCase(), raw: text.slice(start, at) };
    }
    const number = /^\d[\w.]*/.exec(text.slice(at, at + 40));
    if (number) {
      at += number[0].length;
      return plain(number[0]);
    }
    // A bare word where a value was expected: keep going.
    const word = /^[\w.-]+/.exec(text.slice(at, at + 200));
    at += word ? word[0].length : 1;
    return { t: 'unknown', raw: text.slice(start, at) };
  }

  return { script: script(undefined), unread };
}
