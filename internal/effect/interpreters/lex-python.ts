/** How Python is written. */

import { COMMON_OPERATORS, type Lexer, type Lexis, lex, type Token } from './lex.ts';
import { readString } from './lex-strings.ts';

// ---- Python
const PYTHON_PREFIX = /^(?:[rRbBuUfFtT]{1,2})?(?:'''|"""|'|")/;

/** `{expr!r:fmt}` of an f-string: the expression's tokens. */
function pythonPut(lexer: Lexer): readonly Token[] | undefined {
  const { text } = lexer;
  if (text[lexer.at] !== '{') return undefined;
  // `{{` is a brace of the text.
  let before = 0;
  while (before < 100 && text[lexer.at - 1 - before] === '{') before++;
  if (text[lexer.at + 1] === '{' || before % 2 === 1) return undefined;
  let level = 0;
  let stop = -1;
  let format = -1;
  let quote = '';
  for (let i = lexer.at + 1; i < Math.min(lexer.end, lexer.at + 4000); i++) {
    const c = text[i]!;
    if (quote) {
      if (c === quote) quote = '';
      continue;
    }
    if (c === "'" || c === '"') quote = c;
    else if (c === '(' || c === '[' || c === '{') level++;
    else if ((c === ')' || c === ']' || c === '}') && level > 0) level--;
    else if (c === '}') {
      stop = i;
      break;
    } else if (level === 0 && format < 0 && (c === ':' || (c === '!' && text[i + 1] !== '='))) format = i;
  }
  if (stop < 0) return undefined;
  const inner = text.slice(lexer.at + 1, format < 0 ? stop : format).replace(/=\s*$/, '');
  lexer.at = stop + 1;
  return lex(inner.trim(), PYTHON_INNER);
}

export const PYTHON: Lexis = {
  comments: ['#'],
  blockComments: [],
  indented: true,
  operators: COMMON_OPERATORS,
  hook(lexer) {
    const found = PYTHON_PREFIX.exec(lexer.text.slice(lexer.at, lexer.at + 5));
    if (!found) return false;
    const quote = /['"]+$/.exec(found[0])![0];
    const prefix = found[0].slice(0, -quote.length).toLowerCase();
    lexer.at += found[0].length;
    const parts = readString(lexer, {
      close: quote,
      escapes: prefix.includes('r') ? 'none' : 'c',
      ...(prefix.includes('f') || prefix.includes('t') ? { put: pythonPut } : {}),
    });
    lexer.push('str', '', parts);
    return true;
  },
};

const PYTHON_INNER: Lexis = { ...PYTHON, indented: false };
