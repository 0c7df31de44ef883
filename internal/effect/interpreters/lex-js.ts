/** How JavaScript and TypeScript are written; patterns between slashes. */

import { COMMON_OPERATORS, type Lexer, type Lexis, operandExpected, type Token } from './lex.ts';
import { isLetter, words } from './lex-shared.ts';
import { readString } from './lex-strings.ts';

// ---- JavaScript and TypeScript
const JS_BEFORE_PATTERN = words('return typeof case in of delete void throw new instanceof yield await else do');

const jsPut = (lexer: Lexer): readonly Token[] | undefined => {
  if (lexer.text[lexer.at] !== '$' || lexer.text[lexer.at + 1] !== '{') return undefined;
  lexer.at += 2;
  return lexer.inner('}');
};

export const JS: Lexis = {
  comments: ['//'],
  blockComments: [['/*', '*/']],
  nameStart: '$#@',
  nameEnd: '$',
  operators: COMMON_OPERATORS.filter(
    (operator) => !['//', '//=', '..', '=~', '!~', ':=', '<-', '::', '.=', '->', '?->', '<=>'].includes(operator),
  ),
  hook(lexer) {
    const c = lexer.text[lexer.at]!;
    if (lexer.at === 0 && lexer.text.startsWith('#!')) {
      const line = lexer.text.indexOf('\n');
      lexer.at = line < 0 ? lexer.end : line;
      return true;
    }
    if (c === "'" || c === '"') {
      lexer.at++;
      lexer.push('str', '', readString(lexer, { close: c, escapes: 'c', oneLine: true }));
      return true;
    }
    if (c === '`') {
      lexer.at++;
      lexer.push('str', '`', readString(lexer, { close: '`', escapes: 'c', put: jsPut }));
      return true;
    }
    if (c === '/' && operandExpected(lexer, JS_BEFORE_PATTERN)) return pattern(lexer);
    return false;
  },
};

/** `/…/flags` on one line. False when it is no pattern. */
export function pattern(lexer: Lexer): boolean {
  const { text } = lexer;
  let inClass = false;
  const stop = Math.min(lexer.end, lexer.at + 4000);
  for (let i = lexer.at + 1; i < stop; i++) {
    const c = text[i]!;
    if (c === '\n') return false;
    if (c === '\\') i++;
    else if (c === '[') inClass = true;
    else if (c === ']') inClass = false;
    else if (c === '/' && !inClass) {
      let end = i + 1;
      while (isLetter(text[end])) end++;
      lexer.at = end;
      lexer.push('regex', '', []);
      return true;
    }
  }
  return false;
}
