/** How Lua and R are written. */

import type { Lexer, Lexis } from './lex.ts';
import { delimiter, readString } from './lex-strings.ts';

// ---- Lua and R
const longBracket = (lexer: Lexer, at: number): string | undefined => {
  const open = /^\[(=*)\[/.exec(lexer.text.slice(at, at + 20));
  return open ? `]${open[1]}]` : undefined;
};

export const LUA: Lexis = {
  comments: [],
  blockComments: [],
  operators: ['...', '..', '==', '~=', '<=', '>=', '//', '::', '<<', '>>'],
  hook(lexer) {
    const { text } = lexer;
    const c = text[lexer.at]!;
    if (c === '-' && text[lexer.at + 1] === '-') {
      const close = longBracket(lexer, lexer.at + 2);
      const stop = close ? text.indexOf(close, lexer.at) : text.indexOf('\n', lexer.at);
      lexer.at = stop < 0 ? lexer.end : stop + (close ? close.length : 0);
      return true;
    }
    if (c === "'" || c === '"') {
      lexer.at++;
      lexer.push('str', '', readString(lexer, { close: c, escapes: 'lua', oneLine: true }));
      return true;
    }
    if (c === '[') {
      const close = longBracket(lexer, lexer.at);
      if (!close) return false;
      const start = lexer.at + close.length;
      const stop = text.indexOf(close, start);
      lexer.at = stop < 0 ? lexer.end : stop + close.length;
      lexer.push('str', '', [text.slice(start, stop < 0 ? lexer.end : stop)]);
      return true;
    }
    return false;
  },
};

export const R: Lexis = {
  comments: ['#'],
  blockComments: [],
  nameEnd: '.',
  operators: ['<<-', '->>', '<-', '->', ':::', '::', '==', '!=', '<=', '>=', '&&', '||', '|>'],
  hook(lexer) {
    const { text } = lexer;
    const c = text[lexer.at]!;
    const raw = /^[rR](["'])(-*)([([{])/.exec(text.slice(lexer.at, lexer.at + 12));
    if (raw) {
      const close = `${delimiter(raw[3]!).close}${raw[2]}${raw[1]}`;
      const start = lexer.at + raw[0].length;
      const stop = text.indexOf(close, start);
      lexer.at = stop < 0 ? lexer.end : stop + close.length;
      lexer.push('str', '', [text.slice(start, stop < 0 ? lexer.end : stop)]);
      return true;
    }
    if (c === "'" || c === '"') {
      lexer.at++;
      lexer.push('str', '', readString(lexer, { close: c, escapes: 'c' }));
      return true;
    }
    return false;
  },
};
