/** Expressions of all languages: operators by their strength, calls with and without brackets, literals, functions. */
import type { Expr } from './ast.ts';
import type { Token } from './lex.ts';
import { accept, acceptName, deeper, isName, isOp, MANY, type Parser, peek } from './parse-core.ts';
import { postfix } from './parse-postfix.ts';
import { primary } from './parse-values.ts';

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

export const TERNARY = 5;

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

/** Words in front of a value that only tell something about it. */
const ABOUT = new Set(['not', 'typeof', 'defined', 'defined?']);

const PREFIX_OPS = new Set(['!', '-', '+', '~', '\\', '*', '&', '**', '...', '++', '--', '@', '#', '?']);

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
export const closed = new WeakSet<Expr>();

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
    const operand = expression(p, token.t === 'not' ? 3 : UNARY);
    // What they give is a word about the value, never the value.
    return ABOUT.has(token.t) ? { t: 'op', op: token.t, items: [operand] } : { t: 'many', items: [operand] };
  }
  if (token.k === 'op' && PREFIX_OPS.has(token.t)) {
    p.at++;
    const value = deeper(p, () => unary(p));
    if (token.t === '-' && value.t === 'num') return { t: 'num', value: -value.value };
    if (token.t === '!') return { t: 'op', op: '!', items: [value] };
    return token.t === '~' ? { t: 'many', items: [value] } : value;
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
