/** Statements of JavaScript, PHP, Perl and R: blocks in braces. */
import type { Block, Expr, Stmt } from './ast.ts';
import { JS } from './lex-js.ts';
import { R } from './lex-lua.ts';
import { PERL } from './lex-perl.ts';
import { PHP } from './lex-php.ts';
import { accept, acceptName, type Dialect, deeper, isName, isOp, MANY, next, type Parser, partsOf, peek, skipUntil } from './parse-core.ts';
import { expression, expressionList } from './parse-expr.ts';
import { skipType } from './parse-postfix.ts';
import { list as listOf, parameters, returnType, withPatterns } from './parse-values.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const shared = { lines: true, program: (p: Parser): Block => statements(p, undefined), body: (p: Parser): Block => statements(p, '}') };

export const JS_DIALECT: Dialect = {
  ...shared,
  name: 'js',
  lexis: JS,
  joins: new Set(['+']),
  members: new Set(['.', '?.']),
  commandCalls: false,
  reserved: words(
    'if else for while do switch case default try catch finally return break continue var let const import export extends of in instanceof',
  ),
};
export const PHP_DIALECT: Dialect = {
  ...shared,
  lines: false,
  name: 'php',
  lexis: PHP,
  joins: new Set(['.']),
  members: new Set(['->', '?->', '::']),
  commandCalls: false,
  reserved: words('if else elseif for foreach while do switch case default try catch finally return break continue as'),
};
export const PERL_DIALECT: Dialect = {
  ...shared,
  lines: false,
  name: 'perl',
  lexis: PERL,
  joins: new Set(['.']),
  members: new Set(['->']),
  commandCalls: true,
  reserved: words('if elsif else unless for foreach while until and or xor not x eq ne lt gt le ge cmp'),
};
export const R_DIALECT: Dialect = {
  ...shared,
  name: 'r',
  lexis: R,
  joins: new Set([]),
  members: new Set(['$', '::', ':::', '@']),
  commandCalls: false,
  reserved: words('if else for while repeat in function'),
};

/** Statements up to a closing brace, which is taken. */
function statements(p: Parser, close: string | undefined): Block {
  return deeper(p, () => {
    const list: Stmt[] = [];
    while (peek(p).k !== 'end') {
      if (close !== undefined && isOp(peek(p), close)) {
        p.at++;
        return list;
      }
      if (isOp(peek(p), ';', ',', '}', ')', ']')) {
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

/** A block in braces, or one statement. */
function body(p: Parser): Block {
  if (accept(p, '{')) return statements(p, '}');
  // PHP's `if (…): … endif`.
  if (p.dialect.name === 'php' && accept(p, ':')) {
    const list: Stmt[] = [];
    while (peek(p).k !== 'end' && !isName(peek(p), 'endif', 'endforeach', 'endfor', 'endwhile', 'else', 'elseif')) {
      const start = p.at;
      if (!accept(p, ';')) statement(p, list);
      if (p.at === start) p.at++;
    }
    acceptName(p, 'endif', 'endforeach', 'endfor', 'endwhile');
    return list;
  }
  const list: Stmt[] = [];
  if (!isOp(peek(p), ';', '}') && peek(p).k !== 'end') deeper(p, () => statement(p, list));
  return list;
}

const head = (p: Parser): Expr[] => (accept(p, '(') ? listOf(p, ')') : []);

function statement(p: Parser, list: Stmt[]): void {
  const token = peek(p);
  const { name: language } = p.dialect;
  if (isOp(token, '{')) {
    p.at++;
    list.push({ t: 'block', heads: [], bodies: [statements(p, '}')], sure: true });
    return;
  }
  if (token.k === 'name' && !isOp(peek(p, 1), '=', '=>', '.', ':') && keyword(p, token.t, list)) return;
  if (language === 'js' && token.k === 'name' && isOp(peek(p, 1), ':') && !isOp(peek(p, 2), ':')) {
    p.at += 2;
    return;
  }
  if (isOp(token, '@') && language === 'js') p.at++;
  const value = language === 'php' || language === 'perl' ? lowList(p) : language === 'js' ? commaList(p) : expression(p, 1);
  if (language === 'perl') {
    modifiers(p, value, list);
    return;
  }
  // A method of a class body: `name(args) { … }`.
  if (language === 'js' && value.t === 'call' && value.fn.t === 'name' && isOp(peek(p), '{', ':') && !peek(p).line) {
    returnType(p);
    if (accept(p, '{')) {
      const params = value.args.map((arg) =>
        arg.value.t === 'name' ? arg.value.name : arg.value.t === 'assign' && arg.value.target.t === 'name' ? arg.value.target.name : '',
      );
      list.push({ t: 'def', name: value.fn.name, params, body: statements(p, '}') });
      return;
    }
  }
  list.push({ t: 'expr', value });
}

/** With `or die` behind it. */
function lowList(p: Parser): Expr {
  let value = expressionList(p);
  while (isName(peek(p), 'or', 'and', 'xor')) {
    p.at++;
    value = { t: 'many', items: [value, expressionList(p)] };
  }
  return value;
}

function commaList(p: Parser): Expr {
  const first = expression(p);
  if (!isOp(peek(p), ',')) return first;
  const items = [first];
  while (accept(p, ',')) items.push(expression(p));
  return { t: 'many', items };
}

/** `… if …`, `… for …` of Perl. */
function modifiers(p: Parser, value: Expr, list: Stmt[]): void {
  const token = peek(p);
  if (isName(token, 'if', 'unless', 'while', 'until')) {
    p.at++;
    list.push({
      t: 'block',
      heads: [token.t === 'unless' ? { t: 'op', op: '!', items: [expression(p, 1)] } : expression(p, 1)],
      bodies: [[{ t: 'expr', value }]],
      sure: false,
      looped: token.t === 'while' || token.t === 'until',
    });
    return;
  }
  if (isName(token, 'for', 'foreach')) {
    p.at++;
    list.push({ t: 'for', target: { t: 'name', name: '$_' }, over: lowList(p), body: [{ t: 'expr', value }] });
    return;
  }
  list.push({ t: 'expr', value });
}

/** A statement that starts with a keyword. False when it does not. */
function keyword(p: Parser, word: string, list: Stmt[]): boolean {
  const { name: language } = p.dialect;
  switch (word) {
    case 'if':
    case 'unless':
    case 'while':
    case 'until':
    case 'switch': {
      if (!isOp(peek(p, 1), '(')) return false;
      p.at++;
      const heads = word === 'unless' ? [{ t: 'op', op: '!', items: head(p) } satisfies Expr] : head(p);
      const bodies = [body(p)];
      for (;;) {
        if (isOp(peek(p), ';') && isName(peek(p, 1), 'else')) p.at++;
        if (acceptName(p, 'elsif', 'elseif')) {
          heads.push(...head(p));
          bodies.push(body(p));
        } else if (acceptName(p, 'else')) {
          if (acceptName(p, 'if')) heads.push(...head(p));
          bodies.push(body(p));
        } else if (isName(peek(p), 'continue') && isOp(peek(p, 1), '{')) {
          p.at++;
          bodies.push(body(p));
        } else break;
      }
      list.push({ t: 'block', heads, bodies, sure: false, looped: word === 'while' || word === 'until' });
      return true;
    }
    case 'for':
    case 'foreach':
      return forLoop(p, list);
    case 'do': {
      if (language === 'perl' || !isOp(peek(p, 1), '{')) return false;
      p.at++;
      const bodies = [body(p)];
      const heads = acceptName(p, 'while') ? head(p) : [];
      list.push({ t: 'block', heads, bodies, sure: true, looped: true });
      return true;
    }
    case 'repeat':
      if (language !== 'r') return false;
      p.at++;
      list.push({ t: 'block', heads: [], bodies: [body(p)], sure: true, looped: true });
      return true;
    case 'try': {
      if (!isOp(peek(p, 1), '{')) return false;
      p.at++;
      list.push({ t: 'block', heads: [], bodies: [body(p)], sure: true });
      for (;;) {
        if (acceptName(p, 'catch')) {
          if (accept(p, '(')) parameters(p);
          list.push({ t: 'block', heads: [], bodies: [body(p)], sure: false });
        } else if (acceptName(p, 'finally')) list.push({ t: 'block', heads: [], bodies: [body(p)], sure: true });
        else return true;
      }
    }
    case 'case':
    case 'default':
      p.at++;
      if (word === 'case') expression(p, 6);
      accept(p, ':');
      return true;
    case 'async':
      if (!isName(peek(p, 1), 'function')) return false;
      p.at++;
      return keyword(p, 'function', list);
    case 'function':
    case 'sub': {
      if (language === 'r') return false;
      const at = isOp(peek(p, 1), '*', '&') ? 2 : 1;
      if (peek(p, at).k !== 'name') return false;
      p.at += at;
      const name = next(p).t;
      const params = accept(p, '(') ? parameters(p) : [];
      returnType(p);
      list.push({ t: 'def', name, params, body: accept(p, '{') ? withPatterns(params, statements(p, '}')) : [] });
      return true;
    }
    case 'abstract':
    case 'final':
    case 'class':
    case 'interface':
    case 'trait':
    case 'enum': {
      if (peek(p, 1).k !== 'name') return false;
      p.at++;
      if (word === 'abstract' || word === 'final') p.at++;
      const name = next(p).t;
      if (skipUntil(p, ['{', ';'], 80) && accept(p, '{')) list.push({ t: 'class', name, body: statements(p, '}') });
      return true;
    }
    case 'public':
    case 'private':
    case 'protected':
    case 'static':
    case 'readonly':
      if (peek(p, 1).k !== 'name' && !isOp(peek(p, 1), '#')) return false;
      p.at++;
      return true;
    case 'namespace':
    case 'package':
      p.at++;
      if (peek(p).k === 'name') p.at++;
      while (accept(p, '::')) p.at++;
      return true;
    case 'type':
      if (language === 'js' && peek(p, 1).k === 'name' && isOp(peek(p, 2), '=')) {
        skipUntil(p, [';'], 200);
        return true;
      }
      return false;
    case 'import':
      return language === 'js' && !isOp(peek(p, 1), '(', '.') ? importing(p, list) : false;
    case 'export':
      p.at++;
      acceptName(p, 'default');
      if (isOp(peek(p), '{', '*')) {
        skipUntil(p, [';'], 100);
        return true;
      }
      return true;
    case 'use':
    case 'no':
    case 'declare':
      if (language === 'js' || language === 'r') return false;
      skipUntil(p, [';', '}'], 200);
      return true;
    case 'BEGIN':
    case 'END':
    case 'INIT':
      if (!isOp(peek(p, 1), '{')) return false;
      p.at += 2;
      list.push({ t: 'block', heads: [], bodies: [statements(p, '}')], sure: true });
      return true;
    case 'return':
      p.at++;
      if (isOp(peek(p), ';', '}') || peek(p).k === 'end' || (peek(p).line && p.dialect.lines) || isName(peek(p), 'if', 'unless'))
        list.push({ t: 'return', value: undefined });
      else list.push({ t: 'return', value: language === 'js' ? commaList(p) : expressionList(p) });
      if (language === 'perl' && isName(peek(p), 'if', 'unless')) {
        p.at++;
        const returned = list.pop()!;
        list.push({ t: 'block', heads: [expression(p, 1)], bodies: [[returned]], sure: false });
      }
      return true;
    case 'throw':
    case 'echo':
    case 'exit':
    case 'die':
      if (language === 'perl' || language === 'r' || isOp(peek(p, 1), '(', ';')) return false;
      p.at++;
      list.push({ t: 'expr', value: { t: 'call', fn: { t: 'name', name: word }, args: [{ value: commaList(p) }] } });
      return true;
    case 'break':
    case 'continue':
    case 'global':
      p.at++;
      while (peek(p).k === 'name' || isOp(peek(p), ',')) p.at++;
      return true;
    case 'var':
    case 'let':
    case 'const':
      if (language === 'perl' || language === 'r') return false;
      p.at++;
      if (acceptName(p, 'enum')) {
        skipUntil(p, ['{'], 10);
        return true;
      }
      declarations(p, list);
      return true;
    default:
      return false;
  }
}

/** `a = 1, {b} = x, [c] = y` behind const, let, var. */
function declarations(p: Parser, list: Stmt[]): void {
  for (let i = 0; i < 10_000; i++) {
    const token = peek(p);
    let target: Expr = MANY;
    if (token.k === 'name') {
      p.at++;
      target = { t: 'name', name: token.t };
    } else if (isOp(token, '{', '[')) target = expression(p, 14);
    else return;
    accept(p, '!');
    if (accept(p, ':')) typeAnnotation(p);
    if (accept(p, '=')) list.push({ t: 'expr', value: { t: 'assign', target, op: '=', value: expression(p) } });
    else if (isName(peek(p), 'of', 'in')) return;
    if (!accept(p, ',')) return;
  }
}

function typeAnnotation(p: Parser): void {
  if (peek(p).k === 'name') skipType(p);
  if (!isOp(peek(p), '=', ';', ',')) skipUntil(p, ['=', ';'], 40);
}

function forLoop(p: Parser, list: Stmt[]): boolean {
  const { name: language } = p.dialect;
  p.at++;
  acceptName(p, 'await');
  acceptName(p, 'my', 'our');
  // Perl: `for my $x (…) { … }`.
  if (language === 'perl' && peek(p).k === 'name') {
    const target: Expr = { t: 'name', name: next(p).t };
    const items = head(p);
    list.push({ t: 'for', target, over: items.length === 1 ? items[0]! : { t: 'list', items }, body: body(p) });
    return true;
  }
  if (!accept(p, '(')) return true;
  acceptName(p, 'const', 'let', 'var');
  const start = p.at;
  const token = peek(p);
  if (language === 'perl') {
    const items = listOf(p, ')');
    list.push({ t: 'for', target: { t: 'name', name: '$_' }, over: items.length === 1 ? items[0]! : { t: 'list', items }, body: body(p) });
    return true;
  }
  if (token.k === 'name' || isOp(token, '{', '[')) {
    if (language === 'php') {
      const over = expression(p, 6);
      if (acceptName(p, 'as')) {
        const first = expression(p, 6);
        const target = accept(p, '=>') ? expression(p, 6) : first;
        accept(p, ')');
        list.push({ t: 'for', target, over, body: body(p) });
        return true;
      }
      p.at = start;
    } else {
      const target: Expr = token.k === 'name' ? { t: 'name', name: next(p).t } : expression(p, 14);
      if (acceptName(p, 'of', 'in')) {
        const over = expression(p);
        accept(p, ')');
        list.push({ t: 'for', target, over, body: body(p) });
        return true;
      }
      p.at = start;
    }
  }
  const heads = listOf(p, ')');
  list.push({ t: 'block', heads, bodies: [body(p)], sure: false, looped: true });
  return true;
}

/** `import x, {a as b}, * as c from 'm'`. */
function importing(p: Parser, list: Stmt[]): boolean {
  p.at++;
  const names: { name: string; as: string }[] = [];
  for (let i = 0; i < 500; i++) {
    const token = peek(p);
    if (token.k === 'str') {
      p.at++;
      const from = partsOf(p, token)[0];
      list.push({ t: 'import', from: typeof from === 'string' ? from : '', names });
      return true;
    }
    if (token.k === 'end' || isOp(token, ';')) return true;
    p.at++;
    if (isName(token, 'from', 'type') && !isOp(peek(p), ',', '}')) continue;
    if (isOp(token, '*')) {
      acceptName(p, 'as');
      names.push({ name: '*module', as: next(p).t });
    } else if (isOp(token, '{')) {
      while (peek(p).k !== 'end' && !accept(p, '}')) {
        const each = next(p);
        if (each.k === 'name' || each.k === 'str') names.push({ name: each.t, as: acceptName(p, 'as') ? next(p).t : each.t });
      }
    } else if (token.k === 'name') names.push({ name: '*module', as: token.t });
  }
  return true;
}
