/** How PHP is written. */

import { COMMON_OPERATORS, type Lexer, type Lexis, lex, type Token } from './lex.ts';
import { isLetter } from './lex-shared.ts';
import { hereBody, readString } from './lex-strings.ts';

// ---- PHP
const phpPut = (lexer: Lexer): readonly Token[] | undefined => {
  const { text } = lexer;
  const c = text[lexer.at];
  if (c === '{' && text[lexer.at + 1] === '$') {
    lexer.at++;
    return lexer.inner('}');
  }
  if (c !== '$' || !isLetter(text[lexer.at + 1])) return undefined;
  const found = /^\$[A-Za-z_]\w*(?:->[A-Za-z_]\w*|\[[^\]\n]{1,80}\])?/.exec(text.slice(lexer.at, lexer.at + 200))!;
  lexer.at += found[0].length;
  return lex(found[0].replace(/\[(?!['"$\d])([^\]]+)\]$/, "['$1']"), PHP_INNER);
};

const phpHook = (lexer: Lexer): boolean => {
  const { text } = lexer;
  const c = text[lexer.at]!;
  if (c === '?' && text[lexer.at + 1] === '>') {
    const next = text.indexOf('<?', lexer.at);
    lexer.at = next < 0 ? lexer.end : next;
    lexer.push('op', ';');
    return true;
  }
  if (c === '<' && text[lexer.at + 1] === '?') {
    lexer.at += text.startsWith('<?php', lexer.at) ? 5 : text.startsWith('<?=', lexer.at) ? 3 : 2;
    return true;
  }
  if (c === "'" || c === '"' || c === '`') {
    lexer.at++;
    const parts = readString(lexer, { close: c, escapes: c === "'" ? 'quote' : 'c', ...(c === "'" ? {} : { put: phpPut }) });
    lexer.push(c === '`' ? 'shell' : 'str', '', parts);
    return true;
  }
  if (c === '<' && text.startsWith('<<<', lexer.at)) {
    const tag = /^<<<[ \t]*(['"]?)([A-Za-z_]\w*)\1[ \t]*\r?\n/.exec(text.slice(lexer.at, lexer.at + 120));
    if (!tag) return false;
    lexer.at += tag[0].length;
    lexer.push('str', '', [hereBody(lexer, tag[2]!, true)]);
    return true;
  }
  return false;
};

export const PHP: Lexis = {
  comments: ['//', '#'],
  blockComments: [['/*', '*/']],
  nameStart: '$\\',
  nameEnd: '\\',
  operators: COMMON_OPERATORS.filter((operator) => !['//', '//=', '..', '=~', '!~', ':=', '<-', '?.'].includes(operator)),
  hook: phpHook,
};

const PHP_INNER: Lexis = PHP;
