/** Expressions of all languages: operators by their strength, calls with and without brackets, literals, functions. */
import type { Arg, Block, Expr } from './ast.ts';
import type { Token } from './lex.ts';
import { accept, acceptName, deeper, isName, isOp, MANY, next, type Parser, partsOf, peek, skipUntil } from './parse-core.ts';

/** Strength of operators; higher binds tighter. */
const STRENGTH: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  xor: 1,
  '=': 4,
  '+=': 4,
  '-=': 4,
  '*=': 4,
  '/=': 4,
  '%=': 4,
  '.=': 4,
  '|=': 4,
  '&=': 4,
  '^=': 4,
  '**=': 4,
  '//=': 4,
  '||=': 4,
  '&&=': 4,
  '??=': 4,
  ':=': 4,
  '<-': 4,
  '<<-': 4,
  '->>': 4,
  '?': 5,
  '||': 6,
  '??': 6,
  '&&': 7,
  '|': 8,
  '^': 9,
  '&': 10,
  '==': 11,
  '!=': 11,
  '===': 11,
  '!==': 11,
  '~=': 11,
  '=~': 15,
  '!~': 15,
  '<=>': 11,
  eq: 11,
  ne: 11,
  is: 12,
  in: 12,
  instanceof: 12,
  '<': 12,
  '>': 12,
  '<=': 12,
  '>=': 12,
  lt: 12,
  gt: 12,
  le: 12,
  ge: 12,
  cmp: 11,
  '..': 12.5,
  '...': 12.5,
  '<<': 13,
  '>>': 13,
  '>>>': 13,
  '|>': 12,
  '+': 14,
  '-': 14,
  '.': 14,
  '*': 15,
  '/': 15,
  '%': 15,
  x: 15,
  '//': 15,
  '**': 17,
};
const ASSIGN = 4;
const TERNARY = 5;
const UNARY = 16;
export const ASSIGNS: ReadonlySet<string> = new Set([
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '.=',
  '|=',
  '&=',
  '^=',
  '**=',
  '//=',
  '||=',
  '&&=',
  '??=',
  ':=',
  '<-',
  '<<-',
]);
const WORD_OPERATORS: Readonly<Record<string, ReadonlySet<string>>> = {
  python: new Set(['or', 'and', 'is', 'in']),
  js: new Set(['in', 'instanceof']),
  php: new Set(['or', 'and', 'xor', 'instanceof']),
  perl: new Set(['or', 'and', 'xor', 'eq', 'ne', 'lt', 'gt', 'le', 'ge', 'cmp', 'x']),
  ruby: new Set(['or', 'and']),
  lua: new Set(['or', 'and']),
  r: new Set([]),
};
const PREFIX_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  python: new Set(['not', 'await', 'yield']),
  js: new Set(['await', 'typeof', 'void', 'delete', 'new', 'yield']),
  php: new Set(['new', 'clone', 'print', 'include', 'include_once', 'require', 'require_once', 'throw', 'yield']),
  perl: new Set(['not', 'defined', 'my', 'our', 'local', 'return', 'scalar', 'state', 'ref', 'lc', 'uc', 'new']),
  ruby: new Set(['not', 'defined?', 'return', 'yield', 'raise', 'break', 'next']),
  lua: new Set(['not']),
  r: new Set([]),
};
const PREFIX_OPS = new Set(['!', '-', '+', '~', '\\', '*', '&', '**', '...', '++', '--', '@', '#', '?']);
/** Names before a block that is their first argument. */
const PERL_BLOCK_CALLS = new Set(['map', 'grep', 'sort', 'first', 'any', 'all', 'none', 'find', 'finddepth', 'try', 'eval', 'do']);

/** Functions that work on `$_` or `@_` when they stand alone. */
const PERL_ALONE = new Set(['unlink', 'rmdir', 'shift', 'pop', 'print', 'say', 'eval', 'getcwd', 'cwd', 'fork', 'glob']);

/** One expression. */
export function expression(p: Parser, min = ASSIGN): Expr {
  return deeper(p, () => {
    let left = unary(p);
    for (;;) {
      const token = peek(p);
      if (p.dialect.name === 'python' && isName(token, 'if') && min <= TERNARY) {
        p.at++;
        const test = expression(p, TERNARY + 0.5);
        left = { t: 'either', test, yes: left, no: acceptName(p, 'else') ? expression(p, TERNARY) : MANY };
        continue;
      }
      const op = binary(p, token);
      if (op === undefined) return left;
      const strength = STRENGTH[op]!;
      if (strength < min) return left;
      if (ASSIGNS.has(op)) {
        p.at++;
        left = { t: 'assign', target: left, op, value: expression(p, ASSIGN) };
        continue;
      }
      if (op === '?') {
        p.at++;
        const yes = expression(p, ASSIGN);
        accept(p, ':');
        left = { t: 'either', test: left, yes, no: expression(p, ASSIGN) };
        continue;
      }
      p.at++;
      if (op === 'is') acceptName(p, 'not');
      if (op === 'in' && isName(token, 'not')) p.at++;
      const right = expression(p, strength + (op === '**' ? 0 : 0.1));
      const kind = p.dialect.joins.has(op) ? '+' : op;
      if (left.t === 'op' && left.op === kind && !closed.has(left)) (left.items as Expr[]).push(right);
      else left = { t: 'op', op: kind, items: [left, right] };
    }
  });
}

/** Operations in brackets: not to be joined with what follows. */
const closed = new WeakSet<Expr>();

/** The binary operator a token is here; undefined when the expression ends. */
function binary(p: Parser, token: Token): string | undefined {
  const { dialect } = p;
  if (token.k === 'op') {
    if (!(token.t in STRENGTH)) return undefined;
    if (token.line && dialect.lines && dialect.name !== 'js' && !isContinuing(token)) return undefined;
    if (token.t === '.' && !dialect.joins.has('.')) return undefined;
    if (token.t === '?' && (dialect.name === 'python' || dialect.name === 'lua')) return undefined;
    if (token.t === '//' && dialect.name === 'ruby') return undefined;
    // Python assigns in statements only; `a, b = 1, 2` is one of them.
    if (dialect.name === 'python' && token.t !== ':=' && ASSIGNS.has(token.t)) return undefined;
    return token.t;
  }
  if (token.k !== 'name') return undefined;
  if (dialect.name === 'python' && token.t === 'not' && isName(peek(p, 1), 'in')) return 'in';
  return WORD_OPERATORS[dialect.name]!.has(token.t) ? token.t : undefined;
}

const isContinuing = (token: Token): boolean =>
  token.t === '||' || token.t === '&&' || token.t === '|>' || token.t === '?' || token.t === '+' || token.t === '.';

function unary(p: Parser): Expr {
  const token = peek(p);
  const { dialect } = p;
  if (token.k === 'name' && PREFIX_WORDS[dialect.name]!.has(token.t) && !isOp(peek(p, 1), '=>', ')', '=', ',', ';')) {
    p.at++;
    if (
      token.t === 'return' ||
      token.t === 'yield' ||
      token.t === 'raise' ||
      token.t === 'throw' ||
      token.t === 'break' ||
      token.t === 'next'
    ) {
      acceptName(p, 'from');
      if (!startsOperand(p, peek(p))) return MANY;
      return { t: 'many', items: [expression(p)] };
    }
    if (token.t === 'my' || token.t === 'our' || token.t === 'local' || token.t === 'state' || token.t === 'new' || token.t === 'await')
      return deeper(p, () => unary(p));
    if (!startsOperand(p, peek(p))) return MANY;
    if (token.t === 'include' || token.t === 'require' || token.t === 'include_once' || token.t === 'require_once')
      return { t: 'call', fn: { t: 'name', name: token.t }, args: [{ value: expression(p) }] };
    return { t: 'many', items: [expression(p, token.t === 'not' ? 3 : UNARY)] };
  }
  if (token.k === 'op' && PREFIX_OPS.has(token.t)) {
    p.at++;
    const value = deeper(p, () => unary(p));
    if (token.t === '-' && value.t === 'num') return { t: 'num', value: -value.value };
    return token.t === '!' || token.t === '~' ? { t: 'many', items: [value] } : value;
  }
  return postfix(p, primary(p));
}

/** Can an operand start with this token. */
export function startsOperand(p: Parser, token: Token): boolean {
  switch (token.k) {
    case 'name':
      return !p.dialect.reserved.has(token.t) && !WORD_OPERATORS[p.dialect.name]!.has(token.t);
    case 'op':
      return ['(', '[', '{', '-', '!', '\\', '@', '*', '&', '+', '~', '->', '::', '...'].includes(token.t);
    case 'line':
    case 'indent':
    case 'dedent':
    case 'end':
      return false;
    default:
      return true;
  }
}

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
function postfix(p: Parser, start: Expr): Expr {
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
function afterName(p: Parser, value: Expr): Expr {
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
function trailingBlock(p: Parser, value: Expr): Expr {
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

/** Expressions up to `close`, which is taken; comprehensions, spreads and `a => b` included. */
export function list(p: Parser, close: string): Expr[] {
  const items: Expr[] = [];
  const before = { noDo: p.noDo, noBrace: p.noBrace };
  p.noDo = 0;
  p.noBrace = 0;
  while (peek(p).k !== 'end' && !isOp(peek(p), close)) {
    const start = p.at;
    if (isOp(peek(p), '*', '**', '...')) p.at++;
    if (accept(p, ',') || accept(p, ';')) continue;
    const item = expression(p);
    items.push(item);
    if (isName(peek(p), 'for', 'async') && p.dialect.name === 'python') items[items.length - 1] = comprehension(p, item);
    if (isOp(peek(p), '=>') && p.dialect.name !== 'js') {
      p.at++;
      items[items.length - 1] = { t: 'many', items: [item, expression(p)] };
    }
    if (p.dialect.name === 'js') {
      accept(p, '?');
      if (accept(p, ':')) {
        skipType(p);
        if (accept(p, '=')) expression(p);
      }
    }
    // A slice.
    if (p.dialect.name === 'python') while (accept(p, ':')) if (!isOp(peek(p), close, ',', ':')) items.push(expression(p));
    if (!accept(p, ',') && !accept(p, ';') && !isOp(peek(p), close)) {
      if (!skipUntil(p, [',', close], 2000)) break;
      accept(p, ',');
    }
    if (p.at === start) p.at++;
  }
  accept(p, close);
  p.noDo = before.noDo;
  p.noBrace = before.noBrace;
  return items;
}

function comprehension(p: Parser, value: Expr): Expr {
  const loops: { target: Expr; over: Expr }[] = [];
  const conditions: Expr[] = [];
  for (;;) {
    acceptName(p, 'async');
    if (acceptName(p, 'for')) {
      const target = targetList(p);
      acceptName(p, 'in');
      loops.push({ target, over: expression(p, TERNARY + 0.5) });
    } else if (acceptName(p, 'if')) conditions.push(expression(p, TERNARY + 0.5));
    else break;
    if (loops.length + conditions.length > 50) break;
  }
  return { t: 'each', value: conditions.length > 0 ? { t: 'many', items: [...conditions, value] } : value, loops };
}

/** `a, (b, c)` in front of `in`. */
export function targetList(p: Parser): Expr {
  const items: Expr[] = [];
  for (;;) {
    items.push(postfix(p, primary(p)));
    if (!accept(p, ',')) break;
    if (isName(peek(p), 'in')) break;
  }
  return items.length === 1 ? items[0]! : { t: 'list', items };
}

/** A value: literal, name, bracketed list, function. */
function primary(p: Parser): Expr {
  const token = next(p);
  switch (token.k) {
    case 'str':
      return strings(p, token);
    case 'words':
      return {
        t: 'list',
        items: (typeof token.parts?.[0] === 'string' ? token.parts[0] : '')
          .split(/\s+/)
          .filter(Boolean)
          .slice(0, 10_000)
          .map((text) => ({ t: 'str', parts: [text] })),
      };
    case 'shell':
      return { t: 'shell', parts: partsOf(p, token) };
    case 'glob':
      return { t: 'glob', parts: partsOf(p, token) };
    case 'regex':
      return { t: 'regex', to: false };
    case 'subst':
      return {
        t: 'regex',
        to: true,
        ...(token.parts?.length
          ? { runs: { t: 'many', items: partsOf(p, token).filter((part): part is Expr => typeof part !== 'string') } }
          : {}),
      };
    case 'num':
      return {
        t: 'num',
        value: Number(
          token.t.replaceAll('_', '').replace(/^0o?(?=\d)/, (all) => (all === '0o' ? '0o' : token.t.includes('.') ? '0' : '0o')),
        ),
      };
    case 'name':
      return named(p, token);
    case 'op':
      return bracketed(p, token);
    default:
      p.at--;
      if (token.k !== 'end') p.at++;
      return MANY;
  }
}

/** Strings that stand side by side are one. */
function strings(p: Parser, first: Token): Expr {
  const parts = partsOf(p, first);
  while (
    peek(p).k === 'str' &&
    !(peek(p).line && p.dialect.lines) &&
    p.dialect.name !== 'js' &&
    p.dialect.name !== 'perl' &&
    !peek(p).flags
  )
    parts.push(...partsOf(p, next(p)));
  return { t: 'str', parts };
}

function named(p: Parser, token: Token): Expr {
  const { dialect } = p;
  switch (token.t) {
    case 'lambda':
      if (dialect.name === 'python') {
        const params: string[] = [];
        while (!isOp(peek(p), ':') && peek(p).k !== 'end' && peek(p).k !== 'line') {
          const each = next(p);
          if (each.k === 'name') params.push(each.t);
          if (isOp(each, '=')) expression(p);
        }
        accept(p, ':');
        return { t: 'fn', params, body: [{ t: 'return', value: expression(p) }] };
      }
      if (dialect.name === 'ruby') return trailingBlock(p, { t: 'name', name: 'lambda' });
      break;
    case 'async':
      if (dialect.name === 'js' && (isName(peek(p), 'function') || isOp(peek(p), '(') || (peek(p).k === 'name' && isOp(peek(p, 1), '=>'))))
        return primary(p);
      break;
    case 'function':
    case 'sub':
    case 'fn':
      if (
        dialect.name === 'lua' ||
        dialect.name === 'js' ||
        dialect.name === 'php' ||
        dialect.name === 'r' ||
        (dialect.name === 'perl' && token.t === 'sub')
      )
        return functionValue(p, token.t);
      break;
    case 'class':
      if (dialect.name === 'js' || dialect.name === 'php') {
        if (skipUntil(p, ['{'], 40)) {
          p.at++;
          return { t: 'fn', params: [], body: dialect.body(p) };
        }
        return MANY;
      }
      break;
    case 'if':
    case 'unless':
    case 'case':
    case 'begin':
    case 'while':
    case 'def':
    case 'do': {
      p.at--;
      const value = dialect.valueStatement?.(p);
      if (value) return value;
      p.at++;
      break;
    }
  }
  if (isOp(peek(p), '=>') && dialect.name === 'js') {
    p.at++;
    return arrow(p, [token.t]);
  }
  return afterName(p, { t: 'name', name: token.t });
}

function functionValue(p: Parser, word: string): Expr {
  accept(p, '*');
  accept(p, '&');
  if (peek(p).k === 'name' && !isOp(peek(p), '(')) p.at++;
  const params = accept(p, '(') ? parameters(p) : [];
  if (word === 'fn' && accept(p, '=>')) return { t: 'fn', params, body: [{ t: 'return', value: expression(p) }] };
  if (acceptName(p, 'use')) if (accept(p, '(')) parameters(p);
  returnType(p);
  if (p.dialect.name === 'lua') return { t: 'fn', params, body: p.dialect.body(p) };
  if (!accept(p, '{'))
    return p.dialect.name === 'r' ? { t: 'fn', params, body: [{ t: 'return', value: expression(p) }] } : { t: 'fn', params, body: [] };
  return { t: 'fn', params, body: p.dialect.body(p) };
}

/** `: Type` in front of a body. */
export function returnType(p: Parser): void {
  if (p.dialect.name === 'php' || p.dialect.name === 'js') {
    if (isOp(peek(p), ':')) skipUntil(p, ['{', '=>', ';'], 60);
  }
  if (p.dialect.name === 'python' && isOp(peek(p), '->')) skipUntil(p, [':'], 60);
}

/** Names of parameters up to `)`, which is taken. Patterns count as one without a name. */
export function parameters(p: Parser): string[] {
  const names: string[] = [];
  for (let i = 0; i < 1000; i++) {
    while (isOp(peek(p), ',', '*', '**', '...', '&', '/', '@')) p.at++;
    const token = peek(p);
    if (token.k === 'end' || isOp(token, ')')) break;
    if (isOp(token, '{', '[')) {
      names.push('');
      p.at++;
      list(p, token.t === '{' ? '}' : ']');
    } else if (token.k === 'name') {
      p.at++;
      // `public string $x`: the last name counts.
      let last = token.t;
      while (peek(p).k === 'name') last = next(p).t;
      names.push(last);
    } else p.at++;
    if (isOp(peek(p), ':', '?')) skipUntil(p, [',', ')', '='], 80);
    if (accept(p, '=')) expression(p);
  }
  accept(p, ')');
  return names;
}

function arrow(p: Parser, params: readonly string[]): Expr {
  if (accept(p, '{')) return { t: 'fn', params, body: p.dialect.body(p) };
  return { t: 'fn', params, body: [{ t: 'return', value: expression(p) }] };
}

const paramName = (expr: Expr): string => (expr.t === 'name' ? expr.name : expr.t === 'assign' ? paramName(expr.target) : '');

function bracketed(p: Parser, token: Token): Expr {
  const { name: language } = p.dialect;
  switch (token.t) {
    case '(': {
      const items = list(p, ')');
      if (language === 'js') {
        if (isOp(peek(p), ':') && arrowAhead(p)) skipUntil(p, ['=>'], 60);
        if (accept(p, '=>')) return arrow(p, items.map(paramName));
      }
      if (items.length === 1) {
        if (items[0]!.t === 'op') closed.add(items[0]!);
        return items[0]!;
      }
      return items.length === 0
        ? { t: 'list', items }
        : language === 'js' || language === 'php'
          ? { t: 'many', items }
          : { t: 'list', items };
    }
    case '[':
      return { t: 'list', items: language === 'php' || language === 'js' ? list(p, ']') : list(p, ']') };
    case '{':
      return dictionary(p);
    case '->':
      // Ruby's lambda.
      if (language === 'ruby') {
        const params = accept(p, '(') ? parameters(p) : [];
        if (accept(p, '{')) return { t: 'fn', params, body: p.dialect.body(p) };
        if (acceptName(p, 'do')) return { t: 'fn', params, body: p.dialect.body(p) };
      }
      return MANY;
    case '::':
      return peek(p).k === 'name' ? primary(p) : MANY;
    case '<':
    case '<<':
      return MANY;
    case ')':
    case ']':
    case '}':
    case ';':
    case ',':
      p.at--;
      return MANY;
    default:
      return MANY;
  }
}

const arrowAhead = (p: Parser): boolean => {
  for (let i = 1; i < 40; i++) {
    const token = peek(p, i);
    if (isOp(token, '=>')) return true;
    if (token.k === 'end' || isOp(token, ';', ')', '}', ',')) return false;
  }
  return false;
};

/** `{ … }` as a value: entries with keys, a set, methods. */
function dictionary(p: Parser): Expr {
  const entries: { key: Expr | undefined; value: Expr }[] = [];
  const { name: language } = p.dialect;
  const before = { noDo: p.noDo, noBrace: p.noBrace };
  p.noDo = 0;
  p.noBrace = 0;
  while (peek(p).k !== 'end' && !isOp(peek(p), '}')) {
    const start = p.at;
    if (accept(p, ',') || accept(p, ';')) continue;
    while (isOp(peek(p), '*', '**', '...')) p.at++;
    const token = peek(p);
    const after = peek(p, 1);
    if (language === 'js' && token.k === 'name' && ['async', 'get', 'set'].includes(token.t) && after.k === 'name') p.at++;
    const key = peek(p);
    if (key.k === 'name' && isOp(peek(p, 1), ':', '=>') && !(isOp(peek(p, 1), ':') && language === 'python')) {
      p.at += 2;
      entries.push({ key: { t: 'str', parts: [key.t] }, value: expression(p) });
    } else if (key.k === 'name' && language === 'lua' && isOp(peek(p, 1), '=')) {
      p.at += 2;
      entries.push({ key: { t: 'str', parts: [key.t] }, value: expression(p) });
    } else if (language === 'js' && (key.k === 'name' || key.k === 'str') && isOp(peek(p, 1), '(')) {
      p.at += 2;
      const params = parameters(p);
      returnType(p);
      const body = accept(p, '{') ? p.dialect.body(p) : [];
      entries.push({ key: { t: 'str', parts: [key.t] }, value: { t: 'fn', params, body } });
    } else if (key.k === 'name' && language === 'js' && isOp(peek(p, 1), ',', '}')) {
      p.at++;
      entries.push({ key: { t: 'str', parts: [key.t] }, value: { t: 'name', name: key.t } });
    } else {
      const first = expression(p);
      if (accept(p, ':') || accept(p, '=>') || (language === 'lua' && accept(p, '='))) entries.push({ key: first, value: expression(p) });
      else if (first.t === 'assign' && language === 'js')
        entries.push({ key: first.target.t === 'name' ? { t: 'str', parts: [first.target.name] } : undefined, value: first.target });
      else entries.push({ key: undefined, value: first });
      if (isName(peek(p), 'for') && language === 'python') {
        const last = entries.pop()!;
        entries.push({ key: undefined, value: comprehension(p, { t: 'many', items: [...(last.key ? [last.key] : []), last.value] }) });
      }
    }
    if (!accept(p, ',') && !isOp(peek(p), '}')) {
      if (!skipUntil(p, [',', '}'], 2000)) break;
      accept(p, ',');
    }
    if (p.at === start) p.at++;
  }
  accept(p, '}');
  p.noDo = before.noDo;
  p.noBrace = before.noBrace;
  return { t: 'dict', entries };
}

/** `a, b` of a statement: one expression, or a list. */
export function expressionList(p: Parser, min = ASSIGN): Expr {
  const first = expression(p, min);
  if (!isOp(peek(p), ',')) return first;
  const items = [first];
  while (accept(p, ',')) {
    if (!startsOperand(p, peek(p))) break;
    accept(p, '*');
    items.push(expression(p, min));
  }
  return { t: 'list', items };
}
