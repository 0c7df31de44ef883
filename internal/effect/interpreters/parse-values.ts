/** Values: literals, lists, dictionaries, functions, comprehensions. */
import type { Block, Expr, Stmt } from './ast.ts';
import type { Token } from './lex.ts';
import { accept, acceptName, isName, isOp, MANY, next, type Parser, partsOf, peek, skipUntil } from './parse-core.ts';
import { closed, expression, TERNARY } from './parse-expr.ts';
import { afterName, postfix, skipType, trailingBlock } from './parse-postfix.ts';

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

export function comprehension(p: Parser, value: Expr): Expr {
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
  return { t: 'each', value, loops, ...(conditions.length > 0 ? { when: conditions } : {}) };
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
export function primary(p: Parser): Expr {
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
  return { t: 'fn', params, body: withPatterns(params, p.dialect.body(p)) };
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
  const found: Pattern[] = [];
  for (let i = 0; i < 1000; i++) {
    while (isOp(peek(p), ',', '*', '**', '...', '&', '/', '@')) p.at++;
    const token = peek(p);
    if (token.k === 'end' || isOp(token, ')')) break;
    if (isOp(token, '{', '[')) {
      const name = `*${names.length}`;
      names.push(name);
      found.push({ name, pattern: primary(p) });
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
  if (found.length > 0) patterns.set(names, found);
  return names;
}

interface Pattern {
  name: string;
  pattern: Expr;
}

/** Parameters that take an object or a list apart, by the list of names they stand in. */
const patterns = new WeakMap<readonly string[], readonly Pattern[]>();

/** A body that takes its parameters apart first. */
export function withPatterns(params: readonly string[], body: Block): Block {
  const found = patterns.get(params);
  if (!found) return body;
  return [
    ...found.map(
      ({ name, pattern }): Stmt => ({ t: 'expr', value: { t: 'assign', target: pattern, op: '=', value: { t: 'name', name } } }),
    ),
    ...body,
  ];
}

function arrow(p: Parser, params: readonly string[]): Expr {
  if (accept(p, '{')) return { t: 'fn', params, body: withPatterns(params, p.dialect.body(p)) };
  return { t: 'fn', params, body: withPatterns(params, [{ t: 'return', value: expression(p) }]) };
}

/** The items in brackets in front of `=>` as parameters. */
function asParameters(items: readonly Expr[]): string[] {
  const found: Pattern[] = [];
  const names = items.map((item, i) => {
    const pattern = item.t === 'assign' ? item.target : item;
    if (pattern.t !== 'dict' && pattern.t !== 'list') return paramName(item);
    const name = `*${i}`;
    found.push({ name, pattern });
    return name;
  });
  if (found.length > 0) patterns.set(names, found);
  return names;
}

const paramName = (expr: Expr): string => (expr.t === 'name' ? expr.name : expr.t === 'assign' ? paramName(expr.target) : '');

function bracketed(p: Parser, token: Token): Expr {
  const { name: language } = p.dialect;
  switch (token.t) {
    case '(': {
      const items = list(p, ')');
      if (language === 'js') {
        if (isOp(peek(p), ':') && arrowAhead(p)) skipUntil(p, ['=>'], 60);
        if (accept(p, '=>')) return arrow(p, asParameters(items));
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
