/** What the parsers of all languages share: the place in the tokens, the dialect, small steps. */
import { type Block, type Expr, Limit } from './ast.ts';
import type { Lexis, Token } from './lex.ts';

export type LanguageName = 'python' | 'js' | 'php' | 'perl' | 'ruby' | 'lua' | 'r';

/** How a language differs for the parser. */
export interface Dialect {
  name: LanguageName;
  lexis: Lexis;
  /** Operators that join texts. */
  joins: ReadonlySet<string>;
  /** Operators that lead to a member. */
  members: ReadonlySet<string>;
  /** `f x, y` calls. */
  commandCalls: boolean;
  /** A new line ends a statement. */
  lines: boolean;
  /** Words that start a statement or join its parts: never the start of an argument. */
  reserved: ReadonlySet<string>;
  /** The statements of a body, up to what closes it. */
  body(p: Parser): Block;
  /** The statements of the whole text. */
  program(p: Parser): Block;
  /** A statement that also stands as a value (`x = if …`). */
  valueStatement?(p: Parser): Expr | undefined;
}

export interface Parser {
  tokens: readonly Token[];
  at: number;
  dialect: Dialect;
  depth: number;
  /** Inside the head of a loop: `do` opens the loop's body, not a block. */
  noDo: number;
  /** Inside a head whose body opens with a brace: no brace blocks. */
  noBrace: number;
  /** Parses the tokens of an interpolation. */
  sub(tokens: readonly Token[]): Expr;
}

const MAX_DEPTH = 200;
const END: Token = { k: 'end', t: '', space: true, line: true };

export const peek = (p: Parser, ahead = 0): Token => p.tokens[p.at + ahead] ?? END;

export function next(p: Parser): Token {
  const token = peek(p);
  p.at++;
  return token;
}

export const isOp = (token: Token, ...texts: readonly string[]): boolean => token.k === 'op' && texts.includes(token.t);
export const isName = (token: Token, ...texts: readonly string[]): boolean => token.k === 'name' && texts.includes(token.t);

/** Takes an operator when it stands here. */
export function accept(p: Parser, text: string): boolean {
  if (!isOp(peek(p), text)) return false;
  p.at++;
  return true;
}

export function acceptName(p: Parser, ...texts: readonly string[]): boolean {
  if (!isName(peek(p), ...texts)) return false;
  p.at++;
  return true;
}

/** Runs a step one level deeper. Throws {@link Limit} when it gets too deep. */
export function deeper<T>(p: Parser, work: () => T): T {
  if (++p.depth > MAX_DEPTH) throw new Limit('nested too deeply');
  const result = work();
  p.depth--;
  return result;
}

export const MANY: Expr = { t: 'many', items: [] };

/** Skips tokens until one of these operators on the same level, at most `limit` of them; stays there. False when none came. */
export function skipUntil(p: Parser, stops: readonly string[], limit: number): boolean {
  let level = 0;
  for (let i = 0; i < limit; i++) {
    const token = peek(p, i);
    if (token.k === 'end') return false;
    if (token.k !== 'op') continue;
    if (level === 0 && stops.includes(token.t)) {
      p.at += i;
      return true;
    }
    if (token.t === '(' || token.t === '[' || token.t === '{') level++;
    else if (token.t === ')' || token.t === ']' || token.t === '}') {
      if (level === 0) return false;
      level--;
    }
  }
  return false;
}

/** The texts and expressions of a string token. */
export function partsOf(p: Parser, token: Token): (string | Expr)[] {
  return (token.parts ?? []).map((part) => (typeof part === 'string' ? part : p.sub(part)));
}
