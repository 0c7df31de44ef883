/** How Perl is written: sigils, quote-like operators, here-documents. */

import { COMMON_OPERATORS, type Lexer, type Lexis, lex, operandExpected, type Token } from './lex.ts';
import { pattern } from './lex-js.ts';
import { heredoc, interpolated, isLetter, words } from './lex-shared.ts';
import { delimiter, readString } from './lex-strings.ts';

// ---- Perl
const PERL_BEFORE_PATTERN = words('return and or not if unless while until split grep map push unshift x lt gt le ge eq ne join print');

const perlPut = (lexer: Lexer): readonly Token[] | undefined => {
  const { text } = lexer;
  const c = text[lexer.at];
  if (c === '@' && text[lexer.at + 1] === '{') {
    lexer.at += 2;
    return lexer.inner('}');
  }
  if (c !== '$' && !(c === '@' && isLetter(text[lexer.at + 1]))) return undefined;
  const found =
    /^(?:\$\{\s*(\^?\w+)\s*\}|[$@](?:[A-Za-z_]\w*(?:::\w+)*|\d+|[&_$0!@]))(?:(?:->)?(?:\{[^}\n]{1,80}\}|\[[^\]\n]{1,80}\]))*/.exec(
      text.slice(lexer.at, lexer.at + 300),
    );
  if (!found) return undefined;
  lexer.at += found[0].length;
  return lex(found[1] ? found[0].replace(/^\$\{\s*(\^?\w+)\s*\}/, '$$$1') : found[0], PERL);
};

/** q, qq, qw, qx, m, qr, s, tr, y with any delimiter. */
function perlQuote(lexer: Lexer): boolean {
  const { text } = lexer;
  const found = /^(qq|qw|qx|qr|q|m|s|tr|y)(\s*)([^\w\s,;=)])/.exec(text.slice(lexer.at, lexer.at + 12));
  if (!found) return false;
  const before = text[lexer.at - 1];
  if (before && /[\w$@%&>]/.test(before)) return false;
  if (found[3] === '=' || found[3] === '}' || (found[3] === '-' && text[lexer.at + found[0].length] === '>')) return false;
  if (found[3] === '#' && found[2] !== '') return false;
  const operator = found[1]!;
  const limits = delimiter(found[3]!);
  lexer.at += found[0].length;
  const literalText = operator === 'q' || operator === 'qw' || limits.close === "'";
  const first = readString(lexer, {
    escapes: operator === 'q' || operator === 'qw' ? 'quote' : operator === 'qq' || operator === 'qx' ? 'perl' : 'none',
    ...limits,
    ...(literalText || operator === 'tr' || operator === 'y' ? {} : { put: operator === 'qq' || operator === 'qx' ? perlPut : undefined }),
  });
  if (operator === 'q' || operator === 'qq') lexer.push('str', '', first);
  else if (operator === 'qw') lexer.push('words', '', first);
  else if (operator === 'qx') lexer.push('shell', '', first);
  else if (operator === 'm' || operator === 'qr') {
    flagsOf(lexer);
    lexer.push('regex', '', []);
  } else {
    if (limits.open) {
      while (/\s/.test(text[lexer.at] ?? '')) lexer.at++;
      const second = delimiter(text[lexer.at] ?? '');
      lexer.at++;
      const start = lexer.at;
      readString(lexer, { escapes: 'none', ...second });
      substitution(lexer, text.slice(start, lexer.at - 1), operator);
    } else {
      const start = lexer.at;
      readString(lexer, { escapes: 'none', ...limits });
      substitution(lexer, text.slice(start, lexer.at - 1), operator);
    }
  }
  return true;
}

/** `s/…/…/e` runs its right side as code. */
function substitution(lexer: Lexer, right: string, operator: string): void {
  const flags = flagsOf(lexer);
  if (operator === 's' && flags.includes('e') && lexer.depth < 5) lexer.push('subst', '', [lex(right, PERL)], flags);
  else lexer.push('subst', '', [], flags);
}

function flagsOf(lexer: Lexer): string {
  const start = lexer.at;
  while (isLetter(lexer.text[lexer.at])) lexer.at++;
  return lexer.text.slice(start, lexer.at);
}

export const PERL: Lexis = {
  comments: ['#'],
  blockComments: [],
  nameStart: '$@%&',
  operators: COMMON_OPERATORS.filter((operator) => !['?.', '?->', ':=', '<-', '===', '!==', '//', '=>'].includes(operator)).concat([
    '//',
    '=>',
  ]),
  hook(lexer) {
    const { text } = lexer;
    const c = text[lexer.at]!;
    const lineStart = lexer.at === 0 || text[lexer.at - 1] === '\n';
    if (lineStart && c === '=' && isLetter(text[lexer.at + 1])) {
      const cut = text.indexOf('\n=cut', lexer.at);
      const line = cut < 0 ? -1 : text.indexOf('\n', cut + 1);
      lexer.at = cut < 0 || line < 0 ? lexer.end : line;
      return true;
    }
    if (lineStart && /^__(?:END|DATA)__\s*(?:\n|$)/.test(text.slice(lexer.at, lexer.at + 10))) {
      lexer.at = lexer.end;
      return true;
    }
    if (c === '$' || c === '@' || c === '%' || c === '&') return perlVariable(lexer, c);
    if (c === "'" || c === '"' || c === '`') {
      lexer.at++;
      const parts = readString(lexer, { close: c, escapes: c === "'" ? 'quote' : 'perl', ...(c === "'" ? {} : { put: perlPut }) });
      lexer.push(c === '`' ? 'shell' : 'str', '', parts);
      return true;
    }
    if (c === '<') {
      const here = /^<<(~?)(?:"([^"\n]+)"|'([^'\n]+)'|([A-Za-z_]\w*))/.exec(text.slice(lexer.at, lexer.at + 100));
      if (here) {
        lexer.at += here[0].length;
        heredoc(lexer, here[2] ?? here[3] ?? here[4]!, here[1] === '~', here[3] === undefined ? perlPut : undefined);
        return true;
      }
      if (
        operandExpected(lexer, words('unlink glob for foreach in return print map grep sort push chomp my while')) ||
        ['unlink', 'rmtree', '}'].includes(lexer.last()?.t ?? '')
      ) {
        const glob = /^<([^<>\n=;]*)>/.exec(text.slice(lexer.at, lexer.at + 200));
        if (glob) {
          lexer.at += glob[0].length;
          if (/^\$?\w*$/.test(glob[1]!)) lexer.push('name', '<>');
          else lexer.push('glob', '', interpolated(glob[1]!, perlPut, PERL, lexer.depth));
          return true;
        }
      }
    }
    if (/[a-z]/.test(c) && perlQuote(lexer)) return true;
    if (c === '/' && operandExpected(lexer, PERL_BEFORE_PATTERN)) return pattern(lexer);
    return false;
  },
};

function perlVariable(lexer: Lexer, sigil: string): boolean {
  const { text } = lexer;
  const rest = text.slice(lexer.at, lexer.at + 200);
  if (
    sigil !== '$' &&
    sigil !== '@' &&
    !operandExpected(lexer, words('return my our local keys values each delete exists and or not if unless scalar defined push print x'))
  )
    return false;
  const found = /^[$@%&]#?(?:\{\s*\^?(\w+)\s*\}|((?:::)?[A-Za-z_]\w*(?:(?:::|')[A-Za-z_]\w*)*)|(\d+))/.exec(rest);
  if (found) {
    lexer.at += found[0].length;
    lexer.push('name', `${sigil === '&' ? '' : '$'}${found[1] ?? found[2] ?? found[3]}`);
    return true;
  }
  // `$$x`, `@$x`, `@{…}`: what is behind them counts.
  if (/^[$@%]#?[${]/.test(rest) && !/^\$\$[^\w{]/.test(rest)) {
    lexer.at += /^[$@%]#?/.exec(rest)![0].length;
    return true;
  }
  if (sigil === '$') {
    const special = /^\$(?:[&`'+!@/\\,;.<>()[\]0-9_$?^|"-])/.exec(rest);
    if (special) {
      lexer.at += 2;
      lexer.push('name', special[0]);
      return true;
    }
  }
  if (sigil === '@' && (rest[1] === '_' || rest[1] === '-')) {
    lexer.at += 2;
    lexer.push('name', '$_args');
    return true;
  }
  return false;
}
