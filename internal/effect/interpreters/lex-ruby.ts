/** How Ruby is written. */

import { COMMON_OPERATORS, type Lexer, type Lexis, operandExpected, type Token } from './lex.ts';
import { pattern } from './lex-js.ts';
import { heredoc, words } from './lex-shared.ts';
import { delimiter, readString } from './lex-strings.ts';

// ---- Ruby
const RUBY_BEFORE_PATTERN = words('return and or not if unless while until when elsif in puts p then do case raise yield');

const rubyPut = (lexer: Lexer): readonly Token[] | undefined => {
  if (lexer.text[lexer.at] !== '#' || lexer.text[lexer.at + 1] !== '{') return undefined;
  lexer.at += 2;
  return lexer.inner('}');
};

export const RUBY: Lexis = {
  comments: ['#'],
  blockComments: [],
  nameStart: '$@',
  nameEnd: '?!',
  operators: COMMON_OPERATORS.filter(
    (operator) => !['//', '//=', '?->', '?.', ':=', '<-', '!==', '??', '??=', '.='].includes(operator),
  ).concat(['&.']),
  hook(lexer) {
    const { text } = lexer;
    const c = text[lexer.at]!;
    const lineStart = lexer.at === 0 || text[lexer.at - 1] === '\n';
    if (lineStart && text.startsWith('=begin', lexer.at)) {
      const stop = text.indexOf('\n=end', lexer.at);
      lexer.at = stop < 0 ? lexer.end : stop + 5;
      return true;
    }
    if (lineStart && /^__END__\s*(?:\n|$)/.test(text.slice(lexer.at, lexer.at + 9))) {
      lexer.at = lexer.end;
      return true;
    }
    if (c === "'" || c === '"' || c === '`') {
      lexer.at++;
      const parts = readString(lexer, { close: c, escapes: c === "'" ? 'quote' : 'c', ...(c === "'" ? {} : { put: rubyPut }) });
      lexer.push(c === '`' ? 'shell' : 'str', '', parts);
      return true;
    }
    if (c === '%' && operandExpected(lexer, RUBY_BEFORE_PATTERN)) {
      const found = /^%([qQwWiIxr]?)([^\w\s=])/.exec(text.slice(lexer.at, lexer.at + 4));
      if (found) {
        lexer.at += found[0].length;
        const kind = found[1]!;
        const plain = kind === 'q' || kind === 'w' || kind === 'i';
        const parts = readString(lexer, { escapes: plain ? 'quote' : 'c', ...delimiter(found[2]!), ...(plain ? {} : { put: rubyPut }) });
        lexer.push(kind === 'x' ? 'shell' : kind === 'r' ? 'regex' : /[wWiI]/.test(kind) ? 'words' : 'str', '', parts);
        return true;
      }
    }
    if (c === '%' && lexer.last()?.k === 'name') {
      const after = /^%([qQwWiIxr])([^\w\s=])/.exec(text.slice(lexer.at, lexer.at + 4));
      if (after && /\s/.test(text[lexer.at - 1] ?? '')) {
        lexer.at += after[0].length;
        const parts = readString(lexer, { escapes: 'quote', ...delimiter(after[2]!) });
        lexer.push(after[1] === 'x' ? 'shell' : after[1] === 'r' ? 'regex' : /[wWiI]/.test(after[1]!) ? 'words' : 'str', '', parts);
        return true;
      }
    }
    if (c === '<') {
      const here = /^<<([~-]?)(?:"([^"\n]+)"|'([^'\n]+)'|([A-Z_]\w*))/.exec(text.slice(lexer.at, lexer.at + 100));
      if (here && (here[1] || operandExpected(lexer, RUBY_BEFORE_PATTERN) || here[4])) {
        lexer.at += here[0].length;
        heredoc(lexer, here[2] ?? here[3] ?? here[4]!, here[1] !== '', here[3] === undefined ? rubyPut : undefined);
        return true;
      }
    }
    if (c === ':' && text[lexer.at + 1] !== ':' && text[lexer.at - 1] !== ':') {
      const symbol = /^:(?:"([^"\n]*)"|([A-Za-z_]\w*[?!=]?))/.exec(text.slice(lexer.at, lexer.at + 120));
      if (symbol && (operandExpected(lexer, RUBY_BEFORE_PATTERN) || /\s/.test(text[lexer.at - 1] ?? ''))) {
        lexer.at += symbol[0].length;
        lexer.push('str', '', [symbol[1] ?? symbol[2]!], 'symbol');
        return true;
      }
    }
    if (c === '/' && operandExpected(lexer, RUBY_BEFORE_PATTERN)) return pattern(lexer);
    return false;
  },
};
