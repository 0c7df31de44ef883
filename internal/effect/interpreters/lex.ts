/** The tokens of a program, for every language: the common part is here, what a language writes differently is its hook. */
import { Limit } from './ast.ts';

export type TokenKind =
  | 'name'
  | 'num'
  | 'str'
  | 'shell'
  | 'regex'
  | 'subst'
  | 'words'
  | 'glob'
  | 'op'
  | 'line'
  | 'indent'
  | 'dedent'
  | 'end';

export interface Token {
  k: TokenKind;
  /** Name, operator, or number as written. */
  t: string;
  /** For strings: text and the tokens of what is put in. */
  parts?: readonly (string | readonly Token[])[];
  /** White space, or a new line, before it. */
  space: boolean;
  line: boolean;
  /** Flags of a pattern; `symbol` for `:name`. */
  flags?: string;
}

export interface Lexer {
  text: string;
  at: number;
  end: number;
  tokens: Token[];
  /** Nesting of interpolations. */
  depth: number;
  language: Lexis;
  /** The last token, white space left out. */
  last(): Token | undefined;
  push(kind: TokenKind, text: string, parts?: Token['parts'], flags?: string): void;
  /** Tokens of a stretch inside a string, until `close` on the same level; leaves `at` behind it. */
  inner(close: string): readonly Token[];
  /** Here-documents announced on this line, read at its end. */
  pending: { token: Token; read(): void }[];
}

/** How a language is written. */
export interface Lexis {
  comments: readonly string[];
  blockComments: readonly (readonly [string, string])[];
  /** Reads what is special here; false when there is nothing special. */
  hook(lexer: Lexer): boolean;
  /** Characters that belong to names besides letters, digits and `_`. */
  nameStart?: string;
  nameEnd?: string;
  /** Line structure by indentation (Python). */
  indented?: boolean;
  operators: readonly string[];
}

const MAX_DEPTH = 40;
/** Tokens of one program, those inside of strings included. */
const MAX_TOKENS = 200_000;
let spent = 0;

/** Starts the count of tokens for a new program. */
export function startCounting(): void {
  spent = 0;
}

export const COMMON_OPERATORS = [
  '>>>=',
  '...',
  '===',
  '!==',
  '**=',
  '<=>',
  '>>>',
  '<<=',
  '>>=',
  '&&=',
  '||=',
  '??=',
  '//=',
  '=>',
  '->',
  '::',
  '?->',
  '?.',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '??',
  '++',
  '--',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '.=',
  '|=',
  '&=',
  '^=',
  '**',
  '//',
  '<<',
  '>>',
  '..',
  '=~',
  '!~',
  ':=',
  '<-',
];

const isNameStart = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code > 127;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The tokens of a text. Throws {@link Limit} when it is nested too deeply or too long. */
export function lex(text: string, language: Lexis): readonly Token[] {
  const lexer = newLexer(text, language, 0, 0);
  run(lexer, undefined);
  if (language.indented) closeIndents(lexer);
  lexer.push('end', '');
  return lexer.tokens;
}

/** A lexer over a text of its own, `depth` strings deep. */
export function newLexer(text: string, language: Lexis, at: number, depth: number): Lexer {
  if (depth > MAX_DEPTH) throw new Limit('strings nested too deeply');
  const lexer: Lexer = {
    text,
    at,
    end: text.length,
    tokens: [],
    depth,
    language,
    pending: [],
    last: () => lexer.tokens.at(-1),
    push(k, t, parts, flags) {
      if (++spent > MAX_TOKENS) throw new Limit('too many tokens');
      lexer.tokens.push({ k, t, space: spaceSeen, line: lineSeen, ...(parts ? { parts } : {}), ...(flags ? { flags } : {}) });
      spaceSeen = false;
      lineSeen = false;
    },
    inner(close) {
      const sub = newLexer(text, language, lexer.at, depth + 1);
      sub.end = lexer.end;
      run(sub, close);
      lexer.at = sub.at;
      sub.push('end', '');
      return sub.tokens;
    },
  };
  let spaceSeen = false;
  let lineSeen = true;
  seen.set(lexer, (line) => {
    spaceSeen = true;
    if (line) lineSeen = true;
  });
  return lexer;
}

/** How a lexer learns of the white space before its next token. */
const seen = new WeakMap<Lexer, (line: boolean) => void>();

function run(lexer: Lexer, close: string | undefined): void {
  const { text, language } = lexer;
  const mark = seen.get(lexer)!;
  const operators = operatorsOf(language);
  const indents = [0];
  let brackets = 0;
  let lineStart = language.indented === true && close === undefined;
  lexer.tokens.length = 0;
  indentStacks.set(lexer, indents);
  while (lexer.at < lexer.end) {
    const c = text[lexer.at]!;
    if (lineStart) {
      lineStart = false;
      if (!indentation(lexer, indents)) {
        lineStart = true;
        continue;
      }
      continue;
    }
    if (c === '\n') {
      lexer.at++;
      if (lexer.pending.length > 0) for (const waiting of lexer.pending.splice(0)) waiting.read();
      mark(true);
      if (language.indented && brackets === 0 && close === undefined) {
        if (lexer.tokens.length > 0 && lexer.last()!.k !== 'line') lexer.push('line', '');
        lineStart = true;
      }
      continue;
    }
    if (c === ' ' || c === '\t' || c === '\r' || c === '\f' || c === '\v' || c === '\u00a0' || c === '\ufeff') {
      lexer.at++;
      mark(false);
      continue;
    }
    if (c === '\\' && (text[lexer.at + 1] === '\n' || text.startsWith('\r\n', lexer.at + 1))) {
      lexer.at += text[lexer.at + 1] === '\n' ? 2 : 3;
      mark(false);
      continue;
    }
    if (skipComment(lexer)) {
      mark(false);
      continue;
    }
    if (close !== undefined && brackets === 0 && text.startsWith(close, lexer.at)) {
      lexer.at += close.length;
      return;
    }
    if (language.hook(lexer)) continue;
    const code = text.charCodeAt(lexer.at);
    if (isDigit(code) || (c === '.' && isDigit(text.charCodeAt(lexer.at + 1)))) {
      number(lexer);
      continue;
    }
    if (isNameStart(code) || language.nameStart?.includes(c)) {
      word(lexer);
      continue;
    }
    if (c === '(' || c === '[' || c === '{') brackets++;
    else if (c === ')' || c === ']' || c === '}') brackets = Math.max(0, brackets - 1);
    const operator = operators.get(c)?.find((each) => text.startsWith(each, lexer.at)) ?? c;
    lexer.at += operator.length;
    lexer.push('op', operator);
  }
}

const indentStacks = new WeakMap<Lexer, number[]>();

function closeIndents(lexer: Lexer): void {
  const indents = indentStacks.get(lexer) ?? [0];
  if (lexer.last() && lexer.last()!.k !== 'line') lexer.push('line', '');
  for (let i = 1; i < indents.length; i++) lexer.push('dedent', '');
}

/** Reads the blanks at a line's start. False when the line is blank or only a comment. */
function indentation(lexer: Lexer, indents: number[]): boolean {
  const { text } = lexer;
  let width = 0;
  while (lexer.at < lexer.end) {
    const c = text[lexer.at];
    if (c === ' ') width++;
    else if (c === '\t') width = (Math.floor(width / 8) + 1) * 8;
    else break;
    lexer.at++;
  }
  const c = text[lexer.at];
  if (c === '#') {
    const line = text.indexOf('\n', lexer.at);
    lexer.at = line < 0 ? lexer.end : line + 1;
    return false;
  }
  if (c === '\n' || c === '\r') {
    lexer.at++;
    return false;
  }
  if (lexer.at >= lexer.end) return true;
  if (width > indents.at(-1)!) {
    // A program given whole may be indented as a block.
    if (lexer.tokens.length > 0) {
      indents.push(width);
      if (indents.length > 200) throw new Limit('indented too deeply');
      lexer.push('indent', '');
    } else indents[0] = width;
  }
  while (width < indents.at(-1)! && indents.length > 1) {
    indents.pop();
    lexer.push('dedent', '');
  }
  return true;
}

function skipComment(lexer: Lexer): boolean {
  const { text, language } = lexer;
  for (const [open, close] of language.blockComments) {
    if (!text.startsWith(open, lexer.at)) continue;
    const stop = text.indexOf(close, lexer.at + open.length);
    lexer.at = stop < 0 ? lexer.end : stop + close.length;
    return true;
  }
  for (const open of language.comments) {
    if (!text.startsWith(open, lexer.at)) continue;
    const stop = text.indexOf('\n', lexer.at);
    lexer.at = stop < 0 ? lexer.end : stop;
    return true;
  }
  return false;
}

function number(lexer: Lexer): void {
  const start = lexer.at;
  const { text } = lexer;
  while (lexer.at < lexer.end) {
    const code = text.charCodeAt(lexer.at);
    if (isDigit(code) || isNameStart(code)) lexer.at++;
    else if (text[lexer.at] === '.' && isDigit(text.charCodeAt(lexer.at + 1)) && text[lexer.at - 1] !== '.') lexer.at++;
    else break;
  }
  lexer.push('num', text.slice(start, lexer.at));
}

function word(lexer: Lexer): void {
  const start = lexer.at;
  const { text, language } = lexer;
  lexer.at++;
  while (lexer.at < lexer.end) {
    const code = text.charCodeAt(lexer.at);
    if (!isNameStart(code) && !isDigit(code) && !language.nameEnd?.includes(text[lexer.at]!)) break;
    lexer.at++;
  }
  lexer.push('name', text.slice(start, lexer.at));
}

const OPERATORS = new WeakMap<Lexis, Map<string, string[]>>();

/** The operators of a language by their first character, longest first. */
function operatorsOf(language: Lexis): Map<string, string[]> {
  const known = OPERATORS.get(language);
  if (known) return known;
  const map = new Map<string, string[]>();
  for (const operator of [...language.operators].sort((a, b) => b.length - a.length)) {
    const list = map.get(operator[0]!);
    if (list) list.push(operator);
    else map.set(operator[0]!, [operator]);
  }
  OPERATORS.set(language, map);
  return map;
}

/** May a pattern or another operand stand here: is the last token no end of an operand. */
export function operandExpected(lexer: Lexer, keywords: ReadonlySet<string>): boolean {
  const last = lexer.last();
  if (!last) return true;
  if (last.k === 'op') return last.t !== ')' && last.t !== ']' && last.t !== '}' && last.t !== '++' && last.t !== '--';
  if (last.k === 'name') return keywords.has(last.t);
  return last.k === 'line' || last.k === 'indent' || last.k === 'dedent';
}
