/** Steps that the lexers of several languages share. */

import { type Lexer, type Lexis, newLexer, type Token } from './lex.ts';
import { hereBody, readString } from './lex-strings.ts';

export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const isLetter = (c: string | undefined): boolean => c !== undefined && /[A-Za-z_]/.test(c);

/** A text with what is put into it, lexed on its own. */
export function interpolated(
  text: string,
  put: (lexer: Lexer) => readonly Token[] | undefined,
  language: Lexis,
  depth: number,
): (string | readonly Token[])[] {
  return readString(newLexer(text, language, 0, depth + 1), { close: '\uffff', escapes: 'perl', put });
}

export function heredoc(
  lexer: Lexer,
  tag: string,
  indented: boolean,
  put: ((lexer: Lexer) => readonly Token[] | undefined) | undefined,
): void {
  lexer.push('str', '', []);
  const token = lexer.last()!;
  lexer.pending.push({
    token,
    read() {
      const body = hereBody(lexer, tag, indented);
      token.parts = put ? interpolated(body, put, lexer.language, lexer.depth) : [body];
    },
  });
}
