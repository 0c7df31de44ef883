/** Statements of Python: blocks by indentation. */
import type { Block, Expr, Stmt } from './ast.ts';
import { PYTHON } from './lex-python.ts';
import { accept, acceptName, type Dialect, deeper, isName, isOp, next, type Parser, peek, skipUntil } from './parse-core.ts';
import { ASSIGNS, expression, expressionList } from './parse-expr.ts';
import { args } from './parse-postfix.ts';
import { parameters, returnType, targetList } from './parse-values.ts';

const RESERVED = new Set(
  'if elif else for while try except finally with return def class import from as pass break continue raise assert global nonlocal del and or in is not'.split(
    ' ',
  ),
);

export const PYTHON_DIALECT: Dialect = {
  name: 'python',
  lexis: PYTHON,
  joins: new Set(['+']),
  members: new Set(['.']),
  commandCalls: false,
  lines: true,
  reserved: RESERVED,
  program: (p) => statements(p, false),
  body: (p) => suite(p),
};

function statements(p: Parser, inner: boolean): Block {
  const list: Stmt[] = [];
  while (peek(p).k !== 'end') {
    const token = peek(p);
    if (token.k === 'dedent') {
      p.at++;
      if (inner) return list;
      continue;
    }
    if (token.k === 'line' || token.k === 'indent' || isOp(token, ';')) {
      p.at++;
      continue;
    }
    const start = p.at;
    deeper(p, () => statement(p, list));
    if (p.at === start) p.at++;
  }
  return list;
}

/** `: stmt; stmt` or an indented block. */
function suite(p: Parser): Block {
  returnType(p);
  if (!accept(p, ':')) {
    skipUntil(p, [':'], 60);
    accept(p, ':');
  }
  if (peek(p).k === 'line') {
    p.at++;
    if (peek(p).k !== 'indent') return [];
    p.at++;
    return statements(p, true);
  }
  const list: Stmt[] = [];
  while (peek(p).k !== 'line' && peek(p).k !== 'end') {
    if (isOp(peek(p), ';')) {
      p.at++;
      continue;
    }
    const start = p.at;
    deeper(p, () => statement(p, list));
    if (p.at === start) p.at++;
  }
  accept(p, '');
  return list;
}

function statement(p: Parser, list: Stmt[]): void {
  const token = peek(p);
  if (token.k === 'name') {
    switch (token.t) {
      case 'import':
        p.at++;
        do {
          const from = dotted(p);
          const alias = acceptName(p, 'as') ? next(p).t : undefined;
          const first = from.split('.')[0]!;
          list.push({ t: 'import', from, names: [{ name: '*module', as: alias ?? first }] });
        } while (accept(p, ','));
        return;
      case 'from': {
        p.at++;
        const from = dotted(p);
        if (!acceptName(p, 'import')) return;
        const bracket = accept(p, '(');
        const names: { name: string; as: string }[] = [];
        for (let i = 0; i < 1000; i++) {
          while (peek(p).k === 'line' && bracket) p.at++;
          if (isOp(peek(p), '*')) names.push({ name: '*', as: '*' });
          else if (peek(p).k !== 'name') break;
          const imported = next(p).t;
          if (imported !== '*') names.push({ name: imported, as: acceptName(p, 'as') ? next(p).t : imported });
          if (!accept(p, ',')) break;
        }
        if (bracket) accept(p, ')');
        list.push({ t: 'import', from, names });
        return;
      }
      case 'async':
        p.at++;
        statement(p, list);
        return;
      case 'def': {
        p.at++;
        const name = next(p).t;
        const params = accept(p, '(') ? parameters(p) : [];
        list.push({ t: 'def', name, params, body: suite(p) });
        return;
      }
      case 'class': {
        p.at++;
        const name = next(p).t;
        if (accept(p, '(')) args(p, ')');
        list.push({ t: 'class', name, body: suite(p) });
        return;
      }
      case 'if':
      case 'while': {
        p.at++;
        const heads = [expression(p, 4)];
        const bodies = [suite(p)];
        for (;;) {
          if (isName(peek(p), 'elif')) {
            p.at++;
            heads.push(expression(p, 4));
            bodies.push(suite(p));
          } else if (isName(peek(p), 'else')) {
            p.at++;
            bodies.push(suite(p));
          } else break;
        }
        list.push({ t: 'block', heads, bodies, sure: isMain(heads[0]!), looped: token.t === 'while' });
        return;
      }
      case 'for': {
        p.at++;
        const target = targetList(p);
        acceptName(p, 'in');
        const over = expressionList(p);
        list.push({ t: 'for', target, over, body: suite(p) });
        if (isName(peek(p), 'else')) {
          p.at++;
          list.push({ t: 'block', heads: [], bodies: [suite(p)], sure: false });
        }
        return;
      }
      case 'try': {
        p.at++;
        list.push({ t: 'block', heads: [], bodies: [suite(p)], sure: true });
        for (;;) {
          const more = peek(p);
          if (isName(more, 'except')) {
            p.at++;
            if (!isOp(peek(p), ':')) skipUntil(p, [':'], 100);
            list.push({ t: 'block', heads: [], bodies: [suite(p)], sure: false });
          } else if (isName(more, 'else', 'finally')) {
            p.at++;
            list.push({ t: 'block', heads: [], bodies: [suite(p)], sure: true });
          } else return;
        }
      }
      case 'with': {
        p.at++;
        const heads: Expr[] = [];
        do {
          const value = expression(p, 4);
          if (acceptName(p, 'as')) heads.push({ t: 'assign', target: expression(p, 5), op: '=', value });
          else heads.push(value);
        } while (accept(p, ','));
        list.push({ t: 'block', heads, bodies: [suite(p)], sure: true });
        return;
      }
      case 'return': {
        p.at++;
        list.push({ t: 'return', value: ends(p) ? undefined : expressionList(p) });
        return;
      }
      case 'del':
      case 'assert':
        p.at++;
        list.push({ t: 'expr', value: { t: 'many', items: [expressionList(p)] } });
        return;
      case 'raise':
        p.at++;
        if (!ends(p)) list.push({ t: 'expr', value: { t: 'many', items: [expression(p)] } });
        if (acceptName(p, 'from')) expression(p);
        return;
      case 'global':
      case 'nonlocal':
      case 'pass':
      case 'break':
      case 'continue':
        while (!ends(p)) p.at++;
        return;
      case 'match':
      case 'case':
        // Soft keywords: only when a block follows.
        if (peek(p, 1).k !== 'op' || isOp(peek(p, 1), '(', '[', '{')) {
          const start = p.at;
          p.at++;
          if (skipUntil(p, [':'], 100) && peek(p, 1).k === 'line') {
            list.push({ t: 'block', heads: [], bodies: [suite(p)], sure: token.t === 'match' });
            return;
          }
          p.at = start;
        }
    }
  }
  if (isOp(token, '@')) {
    p.at++;
    list.push({ t: 'expr', value: expression(p) });
    return;
  }
  const value = expressionList(p);
  if (isOp(peek(p), ':')) {
    // An annotation.
    p.at++;
    expression(p, 5);
  }
  list.push({ t: 'expr', value: assigned(p, value) });
}

/** `a, b = …` and `a = b = …`. */
function assigned(p: Parser, left: Expr): Expr {
  if (peek(p).k !== 'op' || !ASSIGNS.has(peek(p).t)) return left;
  const op = next(p).t;
  return { t: 'assign', target: left, op, value: assigned(p, expressionList(p)) };
}

const ends = (p: Parser): boolean => peek(p).k === 'line' || peek(p).k === 'end' || peek(p).k === 'dedent' || isOp(peek(p), ';');

function dotted(p: Parser): string {
  let name = '';
  while (isOp(peek(p), '.', '...', '..')) name += next(p).t;
  for (;;) {
    if (peek(p).k !== 'name' || isName(peek(p), 'import')) return name;
    name += next(p).t;
    if (!isOp(peek(p), '.')) return name;
    p.at++;
    name += '.';
  }
}

/** `__name__ == '__main__'`: the body of a program that is run. */
const isMain = (test: Expr): boolean =>
  test.t === 'op' && test.op === '==' && test.items.some((item) => item.t === 'name' && item.name === '__name__');
