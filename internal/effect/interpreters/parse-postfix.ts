/** What hangs on a value: members, indexes, calls with and without brackets, blocks. */
import type { Arg, Block, Expr } from './ast.ts';
import type { Token } from './lex.ts';
import { accept, isName, isOp, next, type Parser, partsOf, peek, skipUntil } from './parse-core.ts';
import { expression, startsOperand } from './parse-expr.ts';
import { comprehension, list, primary } from './parse-values.ts';

/** Names before a block that is their first argument. */
const PERL_BLOCK_CALLS = new Set(['map', 'grep', 'sort', 'first', 'any', 'all', 'none', 'find', 'finddepth', 'try', 'eval', 'do']);

/** Functions that work on `$_` or `@_` when they stand alone. */
const PERL_ALONE = new Set(['unlink', 'rmdir', 'shift', 'pop', 'print', 'say', 'eval', 'getcwd', 'cwd', 'fork', 'glob']);

/** Does `f x` go on as a call without brackets. */
function startsArgument(p: Parser, fn: Expr, token: Token): boolean {
  if (!token.space || (token.line && p.dialect.lines)) return false;
  if (token.k === 'name') return startsOperand(p, token) && !(p.dialect.name === 'ruby' && token.t === 'do');
  if (token.k !== 'op')
    return (
      token.k === 'str' ||
      token.k === 'num' ||
      token.k === 'words' ||
      token.k === 'shell' ||
      token.k === 'glob' ||
      token.k === 'regex' ||
      token.k === 'subst'
    );
  const glued = !peek(p, 1).space;
  if (token.t === '[' || token.t === '-' || token.t === '*' || token.t === '&' || token.t === '::')
    return glued && fn.t !== 'index' && (token.t !== '[' || p.dialect.name === 'ruby');
  if (token.t === '->' || token.t === '**') return p.dialect.name === 'ruby';
  if (token.t === '\\' || token.t === '!') return true;
  return token.t === '{' && p.dialect.name === 'perl' && fn.t === 'name' && (fn.name === 'print' || fn.name === 'bless');
}

/** What hangs on a value: members, indexes, calls, blocks. */
export function postfix(p: Parser, start: Expr): Expr {
  let value = start;
  const { dialect } = p;
  for (;;) {
    const token = peek(p);
    if (token.k === 'op') {
      if (dialect.members.has(token.t) && !(token.t === ':' && (token.space || peek(p, 1).k !== 'name' || !isOp(peek(p, 2), '(')))) {
        if (token.t === '.' && token.space && peek(p, 1).space && dialect.joins.has('.')) return value;
        const after = peek(p, 1);
        if (isOp(after, '(') && !after.space) {
          p.at++;
          continue;
        }
        if (isOp(after, '[', '{')) {
          p.at++;
          value = subscript(p, value);
          continue;
        }
        if (after.k === 'name' || after.k === 'str') {
          p.at += 2;
          const member = after.k === 'name' ? after.t : typeof after.parts?.[0] === 'string' ? after.parts[0] : '';
          value =
            member.startsWith('$') && dialect.name !== 'js'
              ? { t: 'index', of: value, at: { t: 'name', name: member } }
              : { t: 'attr', of: value, name: member.replace(/^#/, '') };
          value = afterName(p, value);
          continue;
        }
        p.at++;
        continue;
      }
      if (token.t === '(' && !(token.line && dialect.lines) && (!token.space || dialect.name !== 'ruby')) {
        p.at++;
        value = { t: 'call', fn: value, args: args(p, ')') };
        value = trailingBlock(p, value);
        continue;
      }
      if (token.t === '[' && !(token.line && dialect.lines) && !(token.space && dialect.name === 'ruby')) {
        value = subscript(p, value);
        continue;
      }
      if (
        token.t === '{' &&
        dialect.name === 'perl' &&
        !token.space &&
        (value.t === 'name' || value.t === 'index') &&
        (value.t === 'index' || value.name.startsWith('$'))
      ) {
        value = subscript(p, value);
        continue;
      }
      if (token.t === '{' && dialect.name === 'lua' && (value.t === 'name' || value.t === 'attr')) {
        value = { t: 'call', fn: value, args: [{ value: primary(p) }] };
        continue;
      }
      if (token.t === '++' || token.t === '--' || (token.t === '!' && dialect.name === 'js' && !token.space && !isOp(peek(p, 1), '='))) {
        p.at++;
        continue;
      }
      if (
        token.t === '{' &&
        dialect.name === 'ruby' &&
        p.noBrace === 0 &&
        (value.t === 'call' || value.t === 'attr' || value.t === 'name') &&
        !token.line
      ) {
        const block = trailingBlock(p, value);
        if (block === value) return value;
        value = block;
        continue;
      }
    }
    if (token.k === 'name') {
      if (dialect.name === 'ruby' && token.t === 'do' && p.noDo === 0 && (value.t === 'call' || value.t === 'attr' || value.t === 'name')) {
        value = trailingBlock(p, value);
        continue;
      }
      if (dialect.name === 'js' && (token.t === 'as' || token.t === 'satisfies') && !token.line && peek(p, 1).k === 'name') {
        p.at++;
        skipType(p);
        continue;
      }
    }
    if (
      token.k === 'str' &&
      token.t === '`' &&
      dialect.name === 'js' &&
      (value.t === 'name' || value.t === 'attr' || value.t === 'call') &&
      !token.line
    ) {
      p.at++;
      value = { t: 'call', fn: value, args: [{ value: { t: 'str', parts: partsOf(p, token) } }] };
      continue;
    }
    if (token.k === 'str' && dialect.name === 'lua' && (value.t === 'name' || value.t === 'attr')) {
      p.at++;
      value = { t: 'call', fn: value, args: [{ value: { t: 'str', parts: partsOf(p, token) } }] };
      continue;
    }
    return value;
  }
}

/** A type after `as` or `:`: names, members, generics, arrays. */
export function skipType(p: Parser): void {
  for (let i = 0; i < 60; i++) {
    const token = peek(p);
    if (token.k === 'name' || token.k === 'str' || token.k === 'num') p.at++;
    else return;
    if (isOp(peek(p), '<')) {
      let level = 0;
      for (let j = 0; j < 60; j++) {
        const inner = next(p);
        if (inner.t === '<') level++;
        else if (inner.t === '>') level--;
        else if (inner.t === '>>') level -= 2;
        else if (inner.k === 'end') return;
        if (level <= 0) break;
      }
    }
    while (isOp(peek(p), '[') && isOp(peek(p, 1), ']')) p.at += 2;
    if (isOp(peek(p), '|', '&', '.')) p.at++;
    else return;
  }
}

/** `[x]`, `{x}`; a bare word in braces is a key. */
function subscript(p: Parser, of: Expr): Expr {
  const close = next(p).t === '[' ? ']' : '}';
  const first = peek(p);
  if (close === '}' && (first.k === 'name' || isOp(first, '-')) && isOp(peek(p, 1), '}')) {
    p.at += 2;
    return { t: 'index', of, at: first.t.startsWith('$') ? { t: 'name', name: first.t } : { t: 'str', parts: [first.t] } };
  }
  const items = list(p, close);
  return { t: 'index', of, at: items.length === 1 ? items[0]! : { t: 'many', items } };
}

/** A name or member may go on as a call without brackets, and with a block. */
export function afterName(p: Parser, value: Expr): Expr {
  const { dialect } = p;
  if (!dialect.commandCalls) return value;
  if (value.t === 'name' && value.name.startsWith('$')) return value;
  if (dialect.name === 'perl' && value.t === 'attr') return value;
  if (dialect.name === 'perl' && value.t === 'name' && PERL_BLOCK_CALLS.has(value.name) && isOp(peek(p), '{')) {
    p.at++;
    const body = bracedBody(p);
    const fn: Arg = { value: { t: 'fn', params: ['$_'], body } };
    if (value.name === 'eval' || value.name === 'do' || value.name === 'try')
      return { t: 'call', fn: { t: 'name', name: 'do' }, args: [fn] };
    accept(p, ',');
    return { t: 'call', fn: value, args: [fn, ...openArgs(p)] };
  }
  const token = peek(p);
  if (dialect.name === 'perl' && value.t === 'name' && isOp(token, '=>')) return value;
  if (dialect.name === 'ruby' && value.t === 'name' && /^[A-Z]/.test(value.name) && token.k !== 'str') return value;
  if (!startsArgument(p, value, token)) {
    const alone =
      dialect.name === 'perl' && value.t === 'name' && PERL_ALONE.has(value.name) && !isOp(token, '(', '->', '::', '{', '=>', '=');
    return alone ? { t: 'call', fn: value, args: [] } : value;
  }
  return trailingBlock(p, { t: 'call', fn: value, args: openArgs(p) });
}

/** Arguments without brackets, up to the statement's end. */
function openArgs(p: Parser): Arg[] {
  const found: Arg[] = [];
  for (let i = 0; i < 10_000; i++) {
    if (!startsOperand(p, peek(p))) break;
    found.push(argument(p));
    if (accept(p, ',') || (p.dialect.name === 'perl' && accept(p, '=>'))) continue;
    // `print $fh "text"`: the handle has no comma.
    if (
      p.dialect.name === 'perl' &&
      found.length === 1 &&
      ['str', 'name', 'num'].includes(peek(p).k) &&
      startsOperand(p, peek(p)) &&
      !peek(p).line
    )
      continue;
    break;
  }
  return found;
}

/** `{ |x| … }` and `do |x| … end` behind a Ruby call. */
export function trailingBlock(p: Parser, value: Expr): Expr {
  if (p.dialect.name !== 'ruby') return value;
  const token = peek(p);
  const brace = isOp(token, '{') && p.noBrace === 0 && !token.line;
  const word = isName(token, 'do') && p.noDo === 0;
  if (!brace && !word) return value;
  if (brace && value.t === 'name' && /^[A-Z]/.test(value.name)) return value;
  p.at++;
  const params: string[] = [];
  if (accept(p, '|')) {
    for (let i = 0; i < 100 && !isOp(peek(p), '|') && peek(p).k !== 'end'; i++) {
      const each = next(p);
      if (each.k === 'name') params.push(each.t);
    }
    accept(p, '|');
  } else if (accept(p, '||')) params.length = 0;
  const before = { noDo: p.noDo, noBrace: p.noBrace };
  p.noDo = 0;
  p.noBrace = 0;
  const body = brace ? bracedBody(p) : p.dialect.body(p);
  p.noDo = before.noDo;
  p.noBrace = before.noBrace;
  if (params.length === 0) params.push('it');
  const fn: Arg = { name: '&', value: { t: 'fn', params, body } };
  return value.t === 'call' ? { ...value, args: [...value.args, fn] } : { t: 'call', fn: value, args: [fn] };
}

/** Statements up to the closing brace, which is taken. The opening one is taken already. */
export function bracedBody(p: Parser): Block {
  const body = p.dialect.body(p);
  return body;
}

/** Arguments up to `close`, which is taken. */
export function args(p: Parser, close: string): Arg[] {
  const found: Arg[] = [];
  const before = { noDo: p.noDo, noBrace: p.noBrace };
  p.noDo = 0;
  p.noBrace = 0;
  while (peek(p).k !== 'end' && !isOp(peek(p), close)) {
    const start = p.at;
    found.push(argument(p));
    if (isName(peek(p), 'for') && p.dialect.name === 'python') found[found.length - 1] = { value: comprehension(p, found.at(-1)!.value) };
    if (!accept(p, ',') && !(p.dialect.name === 'perl' && accept(p, '=>')) && !isOp(peek(p), close)) {
      if (p.dialect.name === 'perl' && startsOperand(p, peek(p)) && found.length === 1) continue;
      if (!skipUntil(p, [',', close], 400)) break;
      accept(p, ',');
    }
    if (p.at === start) p.at++;
  }
  accept(p, close);
  p.noDo = before.noDo;
  p.noBrace = before.noBrace;
  return found;
}

function argument(p: Parser): Arg {
  const token = peek(p);
  const { name: language } = p.dialect;
  if (token.k === 'name') {
    const after = peek(p, 1);
    if ((language === 'python' || language === 'r') && isOp(after, '=')) {
      p.at += 2;
      return { name: token.t, value: expression(p) };
    }
    if ((language === 'ruby' || language === 'php') && isOp(after, ':') && !after.space && !isOp(peek(p, 2), ':')) {
      p.at += 2;
      if (isOp(peek(p), ',', ')')) return { name: token.t, value: { t: 'name', name: token.t } };
      return { name: token.t, value: expression(p) };
    }
  }
  if (isOp(token, '*', '**', '...')) {
    p.at++;
    return { spread: true, value: expression(p) };
  }
  const value = expression(p);
  if (isOp(peek(p), '=>') && (language === 'ruby' || language === 'php')) {
    p.at++;
    const right = expression(p);
    return value.t === 'str' && typeof value.parts[0] === 'string' ? { name: value.parts[0], value: right } : { value: right };
  }
  if (language === 'ruby' && value.t === 'str' && isOp(peek(p), ':')) {
    p.at++;
    return { name: typeof value.parts[0] === 'string' ? value.parts[0] : '', value: expression(p) };
  }
  return { value };
}
