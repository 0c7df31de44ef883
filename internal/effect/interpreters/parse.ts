/** Text -> syntax tree, by language. */
import type { Block } from './ast.ts';
import { lex, type Token } from './lex.ts';
import { JS_DIALECT, PERL_DIALECT, PHP_DIALECT, R_DIALECT } from './parse-braces.ts';
import type { Dialect, LanguageName, Parser } from './parse-core.ts';
import { LUA_DIALECT, RUBY_DIALECT } from './parse-ends.ts';
import { expressionList } from './parse-expr.ts';
import { PYTHON_DIALECT } from './parse-python.ts';

export const DIALECTS: Readonly<Record<LanguageName, Dialect>> = {
  python: PYTHON_DIALECT,
  js: JS_DIALECT,
  php: PHP_DIALECT,
  perl: PERL_DIALECT,
  ruby: RUBY_DIALECT,
  lua: LUA_DIALECT,
  r: R_DIALECT,
};

/** Parses a program. Throws `Limit` when it is nested too deeply or too long; wrong syntax is read as far as it goes. */
export function parse(text: string, language: LanguageName): Block {
  const dialect = DIALECTS[language];
  return dialect.program(parser(lex(text, dialect.lexis), dialect, 0));
}

function parser(tokens: readonly Token[], dialect: Dialect, depth: number): Parser {
  const p: Parser = {
    tokens,
    at: 0,
    dialect,
    depth,
    noDo: 0,
    noBrace: 0,
    sub: (inner) => expressionList(parser(inner, dialect, p.depth + 1)),
  };
  return p;
}
