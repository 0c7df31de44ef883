/** Statements of Ruby and Lua: blocks that close with `end`. */
import type { Block, Expr, Stmt } from './ast.ts';
import { LUA } from './lex-lua.ts';
import { RUBY } from './lex-ruby.ts';
import { accept, acceptName, type Dialect, deeper, isName, isOp, next, type Parser, peek } from './parse-core.ts';
import { expression, expressionList, startsOperand } from './parse-expr.ts';
import { parameters, targetList } from './parse-values.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const RUBY_DIALECT: Dialect = {
  name: 'ruby',
  lexis: RUBY,
  joins: new Set(['+', '<<']),
  members: new Set(['.', '&.', '::']),
  commandCalls: true,
  lines: true,
  reserved: words('if elsif else unless while until for in case when then do end begin rescue ensure def class module and or not'),
  program: (p) => statements(p, []),
  body: (p) => block(p),
  valueStatement: (p) => {
    const list: Stmt[] = [];
    if (!keyword(p, list)) return undefined;
    return { t: 'call', fn: { t: 'fn', params: [], body: list }, args: [] };
  },
};
export const LUA_DIALECT: Dialect = {
  name: 'lua',
  lexis: LUA,
  joins: new Set(['..']),
  members: new Set(['.', ':']),
  commandCalls: false,
  lines: false,
  reserved: words('if elseif else while for in repeat until then do end function local return and or not break goto'),
  program: (p) => statements(p, []),
  body: (p) => statements(p, ['end'], true),
};

/** A body that a brace or `end` closes; both are taken. */
function block(p: Parser): Block {
  return statements(p, ['end', '}'], true);
}

function statements(p: Parser, stops: readonly string[], take = false): Block {
  return deeper(p, () => {
    const list: Stmt[] = [];
    while (peek(p).k !== 'end') {
      const token = peek(p);
      if ((token.k === 'name' || isOp(token, '}')) && stops.includes(token.t)) {
        if (take) p.at++;
        return list;
      }
      if (isOp(token, ';', '}', ')', ']', ',') || isName(token, 'end', 'then')) {
        p.at++;
        continue;
      }
      const start = p.at;
      statement(p, list);
      if (p.at === start) p.at++;
    }
    return list;
  });
}

function statement(p: Parser, list: Stmt[]): void {
  if (peek(p).k === 'name' && !isOp(peek(p, 1), '=') && keyword(p, list)) {
    modify(p, list);
    return;
  }
  let value: Expr = assigned(p, expressionList(p));
  while (isName(peek(p), 'or', 'and') && !peek(p).line) {
    p.at++;
    value = { t: 'many', items: [value, expression(p)] };
  }
  list.push({ t: 'expr', value });
  modify(p, list);
}

function assigned(p: Parser, left: Expr): Expr {
  if (left.t !== 'list' || !isOp(peek(p), '=')) return left;
  p.at++;
  return { t: 'assign', target: left, op: '=', value: expressionList(p) };
}

/** `… if …`, `… while …`, `… rescue …` of Ruby. */
function modify(p: Parser, list: Stmt[]): void {
  if (p.dialect.name !== 'ruby') return;
  for (;;) {
    const token = peek(p);
    if (token.line || !isName(token, 'if', 'unless', 'while', 'until', 'rescue')) return;
    p.at++;
    const last = list.pop();
    const head = expression(p, 1);
    if (token.t === 'rescue')
      list.push(...(last ? [last] : []), { t: 'block', heads: [], bodies: [[{ t: 'expr', value: head }]], sure: false });
    else
      list.push({
        t: 'block',
        heads: [token.t === 'unless' ? { t: 'op', op: '!', items: [head] } : head],
        bodies: [last ? [last] : []],
        sure: false,
        looped: token.t === 'while' || token.t === 'until',
      });
  }
}

/** A head in front of `do` or `then`. */
function head(p: Parser): Expr {
  p.noDo++;
  const value = expression(p, 1);
  p.noDo--;
  acceptName(p, 'do', 'then');
  return value;
}

/** A statement that starts with a keyword. False when it does not; then nothing is taken. */
function keyword(p: Parser, list: Stmt[]): boolean {
  const token = peek(p);
  const ruby = p.dialect.name === 'ruby';
  switch (token.t) {
    case 'if':
    case 'unless':
    case 'while':
    case 'until': {
      p.at++;
      const heads: Expr[] = [token.t === 'unless' ? { t: 'op', op: '!', items: [head(p)] } : head(p)];
      const bodies: Block[] = [];
      for (;;) {
        bodies.push(statements(p, ['end', 'elsif', 'elseif', 'else', 'when', 'in']));
        if (acceptName(p, 'elsif', 'elseif')) heads.push(head(p));
        else if (!acceptName(p, 'else')) break;
      }
      acceptName(p, 'end');
      list.push({ t: 'block', heads, bodies, sure: false, looped: token.t === 'while' || token.t === 'until' });
      return true;
    }
    case 'case': {
      if (!ruby) return false;
      p.at++;
      const heads = peek(p).line ? [] : [expression(p, 1)];
      const bodies: Block[] = [];
      while (peek(p).k !== 'end') {
        if (acceptName(p, 'when', 'in')) {
          p.noDo++;
          heads.push(expressionList(p, 5));
          p.noDo--;
          acceptName(p, 'then');
        } else if (!acceptName(p, 'else')) break;
        bodies.push(statements(p, ['end', 'when', 'in', 'else']));
      }
      acceptName(p, 'end');
      list.push({ t: 'block', heads, bodies, sure: false });
      return true;
    }
    case 'for': {
      p.at++;
      const target = targetList(p);
      if (!ruby && accept(p, '=')) {
        p.noDo++;
        const items = [expression(p)];
        while (accept(p, ',')) items.push(expression(p));
        p.noDo--;
        acceptName(p, 'do');
        list.push({ t: 'block', heads: items, bodies: [statements(p, ['end'], true)], sure: false, looped: true });
        return true;
      }
      acceptName(p, 'in');
      p.noDo++;
      const over = expressionList(p);
      p.noDo--;
      acceptName(p, 'do');
      list.push({ t: 'for', target, over, body: statements(p, ['end'], true) });
      return true;
    }
    case 'begin':
    case 'do': {
      if (token.t === 'begin' && !ruby) return false;
      p.at++;
      list.push({ t: 'block', heads: [], bodies: [guarded(p)], sure: true });
      return true;
    }
    case 'repeat': {
      if (ruby) return false;
      p.at++;
      const bodies = [statements(p, ['until'], true)];
      list.push({ t: 'block', heads: [expression(p, 1)], bodies, sure: true, looped: true });
      return true;
    }
    case 'def': {
      if (!ruby) return false;
      p.at++;
      let name = next(p).t;
      while (accept(p, '.')) name = next(p).t;
      if (isOp(peek(p), '=') && !peek(p).space && isOp(peek(p, 1), '(')) p.at++;
      let params: readonly string[] = [];
      if (accept(p, '(')) params = parameters(p);
      else if (!peek(p).line && startsOperand(p, peek(p))) params = bareParameters(p);
      if (accept(p, '=')) {
        list.push({ t: 'def', name, params, body: [{ t: 'return', value: expression(p) }] });
        return true;
      }
      list.push({ t: 'def', name, params, body: guarded(p) });
      return true;
    }
    case 'function': {
      if (ruby || peek(p, 1).k !== 'name') return false;
      p.at++;
      let name = next(p).t;
      while (accept(p, '.') || accept(p, ':')) name = next(p).t;
      const params = accept(p, '(') ? parameters(p) : [];
      list.push({ t: 'def', name, params, body: statements(p, ['end'], true) });
      return true;
    }
    case 'local': {
      if (ruby) return false;
      p.at++;
      if (isName(peek(p), 'function')) return keyword(p, list);
      const left = targetList(p);
      if (accept(p, '=')) list.push({ t: 'expr', value: { t: 'assign', target: left, op: '=', value: expressionList(p) } });
      return true;
    }
    case 'class':
    case 'module': {
      if (!ruby || peek(p, 1).k !== 'name') {
        if (ruby && isOp(peek(p, 1), '<<')) {
          p.at += 3;
          list.push({ t: 'block', heads: [], bodies: [statements(p, ['end'], true)], sure: true });
          return true;
        }
        return false;
      }
      p.at++;
      let name = next(p).t;
      while (accept(p, '::')) name = next(p).t;
      if (accept(p, '<')) expression(p, 14);
      list.push({ t: 'class', name, body: statements(p, ['end'], true) });
      return true;
    }
    case 'BEGIN':
    case 'END':
      if (!ruby || !isOp(peek(p, 1), '{')) return false;
      p.at += 2;
      list.push({ t: 'block', heads: [], bodies: [statements(p, ['}'], true)], sure: true });
      return true;
    case 'return':
      p.at++;
      list.push({ t: 'return', value: startsOperand(p, peek(p)) && !(peek(p).line && ruby) ? expressionList(p) : undefined });
      return true;
    case 'alias':
    case 'undef':
      if (!ruby) return false;
      p.at += token.t === 'alias' ? 3 : 2;
      return true;
    case 'break':
    case 'goto':
      if (ruby) return false;
      p.at++;
      return true;
    default:
      return false;
  }
}

/** A body with `rescue`, `else`, `ensure`, up to `end`, which is taken. */
function guarded(p: Parser): Block {
  const inner: Stmt[] = [...statements(p, ['end', 'rescue', 'ensure', 'else'])];
  while (peek(p).k !== 'end') {
    if (acceptName(p, 'rescue')) {
      while (!peek(p).line && !isName(peek(p), 'then') && !isOp(peek(p), ';') && peek(p).k !== 'end') p.at++;
      inner.push({ t: 'block', heads: [], bodies: [statements(p, ['end', 'rescue', 'ensure', 'else'])], sure: false });
    } else if (acceptName(p, 'ensure', 'else')) inner.push(...statements(p, ['end', 'rescue', 'ensure', 'else']));
    else break;
  }
  acceptName(p, 'end');
  return inner;
}

function bareParameters(p: Parser): string[] {
  const names: string[] = [];
  while (!peek(p).line && peek(p).k !== 'end' && !isOp(peek(p), ';', '=')) {
    const token = next(p);
    if (token.k === 'name') names.push(token.t);
    if (isOp(token, '=')) expression(p);
  }
  return names;
}
