/** What each language writes in its own way: strings, patterns, sigils, here-documents. */
import { COMMON_OPERATORS, type Lexer, type Lexis, lex, newLexer, operandExpected, type Token } from './lex.ts';
import { delimiter, hereBody, readString } from './lex-strings.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const isLetter = (c: string | undefined): boolean => c !== undefined && /[A-Za-z_]/.test(c);

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
function pattern(lexer: Lexer): boolean {
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
    ...limits,
    escapes: operator === 'q' || operator === 'qw' ? 'quote' : operator === 'qq' || operator === 'qx' ? 'perl' : 'none',
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
      readString(lexer, { ...second, escapes: 'none' });
      substitution(lexer, text.slice(start, lexer.at - 1), operator);
    } else {
      const start = lexer.at;
      readString(lexer, { ...limits, escapes: 'none' });
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

/** A text with what is put into it, lexed on its own. */
function interpolated(
  text: string,
  put: (lexer: Lexer) => readonly Token[] | undefined,
  language: Lexis,
  depth: number,
): (string | readonly Token[])[] {
  return readString(newLexer(text, language, 0, depth + 1), { close: '\uffff', escapes: 'perl', put });
}

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

function heredoc(lexer: Lexer, tag: string, indented: boolean, put: ((lexer: Lexer) => readonly Token[] | undefined) | undefined): void {
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
        const parts = readString(lexer, { ...delimiter(found[2]!), escapes: plain ? 'quote' : 'c', ...(plain ? {} : { put: rubyPut }) });
        lexer.push(kind === 'x' ? 'shell' : kind === 'r' ? 'regex' : /[wWiI]/.test(kind) ? 'words' : 'str', '', parts);
        return true;
      }
    }
    if (c === '%' && lexer.last()?.k === 'name') {
      const after = /^%([qQwWiIxr])([^\w\s=])/.exec(text.slice(lexer.at, lexer.at + 4));
      if (after && /\s/.test(text[lexer.at - 1] ?? '')) {
        lexer.at += after[0].length;
        const parts = readString(lexer, { ...delimiter(after[2]!), escapes: 'quote' });
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
