/** Expressions of PowerShell: operators, members, calls, casts. */
import { braced, parens } from './powershell-parse.ts';
import { deeper, joined, plain, QUOTES, type Scan, skip, typeName } from './powershell-scan.ts';
import type { Expr } from './powershell-tree.ts';
import { hereString, quoted, variable } from './powershell-words.ts';

const OPERATORS = new Set(
  'f join split replace creplace ireplace match notmatch like notlike eq ne gt lt ge le ceq ieq and or xor not band bor bnot is isnot as in notin contains notcontains shl shr'.split(
    ' ',
  ),
);

export function expression(s: Scan): Expr {
  return deeper<Expr>(
    s,
    () => {
      let left = operand(s);
      for (;;) {
        skip(s);
        const c = s.text[s.at];
        if (c === ',') {
          s.at++;
          skip(s, true);
          const next = operand(s);
          left = joined(left, next);
          continue;
        }
        const dashed = /^-([A-Za-z]+)(?![\w-])/.exec(s.text.slice(s.at, s.at + 20));
        if (dashed && OPERATORS.has(dashed[1]!.toLowerCase())) {
          s.at += dashed[0].length;
          skip(s, true);
          left = { t: 'op', op: dashed[1]!.toLowerCase(), left, right: rightOf(s) };
          continue;
        }
        if (c === '+' || c === '*' || c === '/' || c === '%' || (c === '-' && !dashed)) {
          s.at++;
          if (s.text[s.at] === c) {
            s.at++;
            continue;
          }
          skip(s, true);
          left = { t: 'op', op: c, left, right: operand(s) };
          continue;
        }
        if (c === '.' && s.text[s.at + 1] === '.') {
          s.at += 2;
          left = { t: 'op', op: '..', left, right: operand(s) };
          continue;
        }
        return left;
      }
    },
    { t: 'unknown', raw: '' },
  );
}

/** The right side of `-f`, `-join`: a list binds tighter there. */
function rightOf(s: Scan): Expr {
  const items = [operand(s)];
  for (;;) {
    skip(s);
    if (s.text[s.at] !== ',') break;
    s.at++;
    skip(s, true);
    items.push(operand(s));
  }
  return items.length === 1 ? items[0]! : { t: 'list', items };
}

function operand(s: Scan): Expr {
  skip(s);
  if (s.text[s.at] === '!' || (s.text[s.at] === '-' && /^-(not|join|split|bnot)\b/i.test(s.text.slice(s.at, s.at + 7)))) {
    const op = s.text[s.at] === '!' ? 'not' : /^-(\w+)/.exec(s.text.slice(s.at, s.at + 7))![1]!.toLowerCase();
    s.at += op === 'not' && s.text[s.at] === '!' ? 1 : op.length + 1;
    skip(s);
    const value = operand(s);
    return op === 'join' ? { t: 'op', op: 'join', left: value, right: plain('') } : { t: 'op', op, left: value, right: plain('') };
  }
  return deeper<Expr>(s, () => primary(s), { t: 'unknown', raw: '' });
}

/** A value with what hangs on it: members, calls, indexes. */
export function primary(s: Scan): Expr {
  const start = s.at;
  let value = atom(s);
  for (;;) {
    const c = s.text[s.at];
    if (c === '.' && /[\w$('"]/.test(s.text[s.at + 1] ?? '') && value.t !== 'unknown') {
      s.at++;
      value = member(s, value, false);
    } else if (c === ':' && s.text[s.at + 1] === ':') {
      s.at += 2;
      value = member(s, value, true);
    } else if (
      c === '[' &&
      (value.t === 'var' || value.t === 'paren' || value.t === 'text' || value.t === 'member' || value.t === 'call' || value.t === 'index')
    ) {
      s.at++;
      skip(s, true);
      const index = expression(s);
      skip(s, true);
      if (s.text[s.at] === ']') s.at++;
      value = { t: 'index', of: value, at: index };
    } else if (value.t === 'type' && c !== undefined && /[$('"@[]/.test(c)) {
      // A cast: the value itself.
      value = operandAfterCast(s, value);
    } else break;
    if (s.at - start > 200_000) break;
  }
  return value;
}

function operandAfterCast(s: Scan, type: Expr): Expr {
  const value = deeper<Expr>(s, () => primary(s), { t: 'unknown', raw: '' });
  return { t: 'call', of: type, name: 'cast', static: true, args: [value] };
}

function member(s: Scan, of: Expr, isStatic: boolean): Expr {
  let name: string;
  const found = /^\w+/.exec(s.text.slice(s.at, s.at + 100));
  if (found) {
    name = found[0];
    s.at += name.length;
  } else {
    const computed = atom(s);
    name = computed.t === 'text' ? computed.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('') : '';
  }
  if (s.text[s.at] !== '(') {
    if (s.text[s.at] === '{') return { t: 'call', of, name: name.toLowerCase(), static: isStatic, args: [atom(s)] };
    return { t: 'member', of, name: name.toLowerCase(), static: isStatic };
  }
  s.at++;
  const args: Expr[] = [];
  for (;;) {
    skip(s, true);
    if (s.at >= s.end || s.text[s.at] === ')') break;
    if (s.text[s.at] === ',') {
      s.at++;
      continue;
    }
    const before = s.at;
    const value = expression(s);
    if (value.t === 'list') args.push(...value.items);
    else args.push(value);
    if (s.at === before) s.at++;
  }
  if (s.text[s.at] === ')') s.at++;
  return { t: 'call', of, name: name.toLowerCase(), static: isStatic, args };
}

function atom(s: Scan): Expr {
  const start = s.at;
  const c = s.text[s.at];
  if (c === undefined) return { t: 'unknown', raw: '' };
  if (c in QUOTES) return { t: 'text', pieces: quoted(s), quoted: true, raw: s.text.slice(start, s.at) };
  if (c === '$') {
    if (s.text[s.at + 1] === '(') s.at++;
    else return variable(s);
  }
  if (s.text[s.at] === '(') {
    const body = parens(s);
    return { t: 'paren', body, raw: s.text.slice(start, s.at) };
  }
  if (c === '{') return { t: 'block', body: braced(s), raw: s.text.slice(start, s.at) };
  if (c === '[') return { t: 'type', name: typeName(s) };
  if (c === '@') {
    const next = s.text[s.at + 1];
    if (next === '(') {
      s.at++;
      const body = parens(s);
      return { t: 'paren', body, raw: s.text.slice(start, s.at) };
    }
    if (next === "'" || next === '"') return hereString(s);
    if (next === '{') {
      s.at++;
      braced(s);
      return { t: 'unknown', raw: s.text.slice(start, Math.min(s.at, start + 80)) };
    }
    s.at++;
    const name = /^\w+/.exec(s.text.slice(s.at, s.at + 80))?.[0] ?? '';
    s.at += name.length;
    return { t: 'var', name: name.toLowerCase(), raw: s.text.slice(start, s.at) };
  }
  const number = /^\d[\w.]*/.exec(s.text.slice(s.at, s.at + 40));
  if (number) {
    s.at += number[0].length;
    return plain(number[0]);
  }
  // A bare word where a value was expected: keep going.
  const word = /^[\w.-]+/.exec(s.text.slice(s.at, s.at + 200));
  s.at += word ? word[0].length : 1;
  return { t: 'unknown', raw: s.text.slice(start, s.at) };
}
