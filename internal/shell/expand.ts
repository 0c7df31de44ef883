/** Expansion: one word of the source becomes the words a program would get, as far as that can be known. */

import { type ParameterExpansionPart, type ParsedScript, parse, type Word as SourceWord, type WordPart } from 'unbash';
import { secretVariableName } from '../secret/names.ts';
import { alternatives } from './braces.ts';
import type { Look } from './command.ts';
import { removeAffix, replacePattern } from './patterns.ts';
import type { Frame, Outcome, Scope, Value } from './scope.ts';
import { type Part, textOf, type Word } from './word.ts';

/** What expansion needs from the reader. */
export interface ExpandContext {
  look: Look;
  /** Walks the script of a substitution in a copy of the scope. */
  substitute(script: ParsedScript | undefined, scope: Scope, frame: Frame): Outcome;
  /** The paths that these steps print, where they list files. */
  listed(steps: readonly number[], scope: Scope): readonly Word[] | undefined;
  /** Collects the substitutions inside something that is no word: arithmetic, for instance. */
  nested(node: WordPart, scope: Scope, frame: Frame): void;
}

const BRACE_LIMIT = 256;

/** The words a source word becomes. May be none. */
export function expand(word: SourceWord, scope: Scope, frame: Frame, context: ExpandContext): Word[] {
  if (isPlain(word)) return [{ parts: [{ kind: 'text', text: word.value }], raw: word.text }];
  const words = isEndlessBraces(word) ? [word] : braced(word, BRACE_LIMIT);
  return words.flatMap((each) => fields(each, scope, frame, context));
}

/** The usual word: nothing in it to expand. */
const isPlain = (word: SourceWord): boolean =>
  !word.parts && word.value !== '' && !word.text.startsWith('~') && word.value.length <= VALUE_LIMIT && !word.value.includes(SPLIT);

/** The one word of an assignment, a redirection target or a quoted place: no splitting, no brace expansion. */
export function expandOne(word: SourceWord, scope: Scope, frame: Frame, context: ExpandContext): Word {
  if (isPlain(word)) return { parts: [{ kind: 'text', text: word.value }], raw: word.text };
  const parts: Part[] = [];
  for (const atom of atoms(word, scope, frame, context)) {
    if (atom.kind === 'words')
      for (const [i, each] of atom.words.entries()) parts.push(...(i > 0 ? [{ kind: 'text', text: ' ' } as const] : []), ...each.parts);
    else parts.push(atom.kind === 'hole' ? { ...atom, split: false } : atom);
  }
  return { parts: merge(parts), raw: word.text };
}

/** Text that is expanded like the inside of double quotes: the body of a here-document. */
export function expandParts(parts: readonly WordPart[], raw: string, scope: Scope, frame: Frame, context: ExpandContext): Word {
  return { parts: merge(parts.flatMap((part) => plain(part, true, scope, frame, context))), raw };
}

/** A long word with more braces than could be written out: each attempt would parse all of it again, some 500 times. */
const isEndlessBraces = (word: SourceWord): boolean =>
  word.text.length > 400 && (word.parts?.filter((part) => part.type === 'BraceExpansion').length ?? 0) > Math.log2(BRACE_LIMIT);

/** Brace expansion on the source text: each alternative is parsed again. */
function braced(word: SourceWord, budget: number): SourceWord[] {
  const brace = word.parts?.find((part) => part.type === 'BraceExpansion');
  if (!brace) return [word];
  const from = brace.pos - word.pos;
  const options = alternatives(brace.text, budget);
  if (!options) return [word];
  const out: SourceWord[] = [];
  for (const option of options) {
    const text = word.text.slice(0, from) + option + word.text.slice(from + brace.text.length);
    if (text === '') continue;
    const again = reparse(text);
    if (!again) return [word];
    out.push(...braced(again, Math.floor(budget / options.length)));
    if (out.length > budget) return [word];
  }
  return out;
}

function reparse(text: string): SourceWord | undefined {
  const command = parse(`_ ${text}`).commands[0]?.command;
  const word = command?.type === 'Command' ? command.suffix[0] : undefined;
  return word?.type === 'Word' && word.text === text ? word : undefined;
}

/** A part, or several words at once (`"$@"`, `"${a[@]}"`). */
type Atom = Part | { kind: 'words'; words: readonly Word[]; quoted: boolean };

function fields(word: SourceWord, scope: Scope, frame: Frame, context: ExpandContext): Word[] {
  const done: Word[] = [];
  let current: Part[] = [];
  let open = false;
  const finish = () => {
    if (open) done.push({ parts: merge(current), raw: word.text });
    current = [];
    open = false;
  };
  for (const atom of atoms(word, scope, frame, context)) {
    if (atom.kind === 'words') {
      atom.words.forEach((each, i) => {
        if (i > 0) finish();
        current.push(...each.parts);
        open = true;
      });
    } else if (atom.kind === 'text' && atom.quoted === undefined && atom.text.includes(SPLIT)) {
      atom.text.split(SPLIT).forEach((piece, i) => {
        if (i > 0) finish();
        if (piece !== '') {
          current.push(...globbed(piece));
          open = true;
        }
      });
    } else {
      current.push(atom);
      open ||= atom.kind !== 'text' || atom.text !== '' || atom.quoted === true;
    }
  }
  finish();
  return done;
}

/** Marks where an unquoted expansion is split; cannot stand in a shell word. */
const SPLIT = '\u0000';

/** An unquoted expanded text: split at white space, globs alive. */
const splittable = (text: string, ifs?: string): Part[] => {
  const marked =
    ifs === undefined
      ? text.replace(/[ \t\n]+/g, SPLIT)
      : [...text]
          .map((c) => (ifs.includes(c) ? SPLIT : c))
          .join('')
          .replace(/\u0000+/g, SPLIT);
  return marked.includes(SPLIT) ? [{ kind: 'text', text: marked }] : globbed(text);
};

/** Text with its glob characters as glob parts. */
function globbed(text: string): Part[] {
  return text
    .split(/([*?]|\[[^\]]+\])/)
    .flatMap((piece, i): Part[] => (piece === '' ? [] : [i % 2 ? { kind: 'glob', text: piece } : { kind: 'text', text: piece }]));
}

function atoms(word: SourceWord, scope: Scope, frame: Frame, context: ExpandContext): Atom[] {
  if (!word.parts) return tilde([{ kind: 'text', text: word.value }], word.text, scope, context);
  const out: Atom[] = [];
  for (const part of word.parts) {
    if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
      out.push({ kind: 'text', text: '', quoted: true });
      for (const child of part.parts) {
        const many = child.type === 'SimpleExpansion' || child.type === 'ParameterExpansion' ? listOf(child, scope) : undefined;
        if (many) out.push({ kind: 'words', words: many, quoted: true });
        else out.push(...plain(child, true, scope, frame, context));
      }
    } else {
      const many = part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion' ? listOf(part, scope) : undefined;
      if (many) out.push({ kind: 'words', words: many, quoted: false });
      else out.push(...plain(part, false, scope, frame, context));
    }
  }
  return tilde(out, word.text, scope, context);
}

/** `$@`, `$*`, `${a[@]}` as a list of words; undefined for anything else. */
function listOf(part: Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' }>, scope: Scope): readonly Word[] | undefined {
  if (part.type === 'SimpleExpansion') return part.text === '$@' || part.text === '$*' ? scope.args : undefined;
  if (part.operation || part.prefix) return undefined;
  if (part.parameter === '@' || part.parameter === '*') return scope.args;
  const value = scope.vars.get(part.parameter);
  const index = part.index?.value;
  if (value && 'list' in value && (index === '@' || index === '*')) return value.list;
  return undefined;
}

/** A part of a word that is no list. */
function plain(part: WordPart, quoted: boolean, scope: Scope, frame: Frame, context: ExpandContext): Part[] {
  switch (part.type) {
    case 'Literal':
      return [{ kind: 'text', text: part.value, quoted: quoted || part.text !== part.value ? true : undefined }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      // A NUL ends the argument, as it does in bash.
      return [{ kind: 'text', text: part.value.split('\u0000')[0]!, quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return [{ kind: 'text', text: '', quoted: true }, ...part.parts.flatMap((child) => plain(child, true, scope, frame, context))];
    case 'Glob':
      return [{ kind: 'glob', text: part.text }];
    case 'ExtendedGlob':
      for (const child of part.parts ?? []) plain(child, quoted, scope, frame, context);
      return [{ kind: 'glob', text: part.text }];
    case 'BraceExpansion':
      return [{ kind: 'hole', text: part.text, why: 'loop', split: true }];
    case 'SimpleExpansion':
      return valueParts(part.text.slice(1), part.text, quoted, scope, context);
    case 'ParameterExpansion':
      return parameter(part, quoted, scope, frame, context);
    case 'CommandExpansion': {
      const outcome = context.substitute(part.script, scope, { ...frame, captured: true });
      const text = textOf(outcome.output);
      if (text !== undefined) {
        const trimmed = text.replace(/\n+$/, '');
        return quoted ? [{ kind: 'text', text: trimmed, quoted: true }] : splittable(trimmed);
      }
      const known = outcome.output;
      if (known?.parts.length && quoted) return trimEnd(known.parts);
      const among = context.listed(outcome.steps, scope);
      return [{ kind: 'hole', text: part.text, why: 'command', split: !quoted, steps: outcome.steps, ...(among ? { among } : {}) }];
    }
    case 'ProcessSubstitution': {
      const outcome = context.substitute(part.script, scope, { ...frame, captured: true });
      return [{ kind: 'hole', text: part.text, why: 'process', steps: outcome.steps }];
    }
    case 'ArithmeticExpansion':
      context.nested(part, scope, frame);
      return [{ kind: 'hole', text: part.text, why: 'arithmetic' }];
  }
}

function trimEnd(parts: readonly Part[]): Part[] {
  const copy = [...parts];
  const last = copy.at(-1);
  if (last?.kind === 'text') copy[copy.length - 1] = { ...last, text: last.text.replace(/\n+$/, '') };
  return copy;
}

/** The value of a variable: the line's own, else the environment's. */
export function lookUp(name: string, scope: Scope, look: Look): Value | undefined {
  const own = scope.vars.get(scope.refs?.get(name) ?? name);
  if (own) return own;
  if (name === 'HOME') return { word: { parts: [{ kind: 'text', text: look.home }], raw: '$HOME' } };
  if (name === 'PWD') return scope.cwd === undefined ? undefined : { word: { parts: [{ kind: 'text', text: scope.cwd }], raw: '$PWD' } };
  if (name === 'IFS') return { word: { parts: [{ kind: 'text', text: ' \t\n' }], raw: '$IFS' } };
  const inherited = look.env(name);
  // A credential is never put into words: they end up in messages, and its name is what the rules need.
  if (inherited && secretVariableName(name))
    return { word: { parts: [{ kind: 'hole', text: `$${name}`, why: 'variable', name }], raw: `$${name}` } };
  return inherited === undefined ? undefined : { word: { parts: [{ kind: 'text', text: inherited }], raw: `$${name}` } };
}

const SPECIAL = new Set([
  '?',
  '!',
  '$',
  '#',
  '-',
  '_',
  'RANDOM',
  'SECONDS',
  'LINENO',
  'UID',
  'EUID',
  'PPID',
  'BASHPID',
  'HOSTNAME',
  'EPOCHSECONDS',
  'REPLY',
  'FUNCNAME',
  'PIPESTATUS',
]);

function valueParts(name: string, text: string, quoted: boolean, scope: Scope, context: ExpandContext): Part[] {
  if (/^[0-9]+$/.test(name)) {
    const word = name === '0' ? scope.name : scope.args[Number(name) - 1];
    if (word) return spread(word, quoted);
    return [{ kind: 'hole', text, why: scope.args.length > 0 ? 'unset' : 'argument', name, split: !quoted }];
  }
  if (name === '@' || name === '*') {
    return scope.args.flatMap((word, i) => [...(i > 0 ? [{ kind: 'text', text: ' ' } as const] : []), ...spread(word, quoted)]);
  }
  const value = SPECIAL.has(name) ? scope.vars.get(name) : lookUp(name, scope, context.look);
  if (!value) return [{ kind: 'hole', text, why: SPECIAL.has(name) ? 'variable' : 'unset', name, split: !quoted }];
  if ('unset' in value) return [];
  const word = 'list' in value ? value.list[0] : value.word;
  const ifs = scope.vars.get('IFS');
  return word ? spread(word, quoted, name, ifs && 'word' in ifs ? textOf(ifs.word) : undefined) : [];
}

/** A known value put into a word: split and globbed unless quoted. Holes keep the name of the variable they came through. */
function spread(word: Word, quoted: boolean, name?: string, ifs?: string): Part[] {
  return word.parts.flatMap((part): Part[] => {
    if (part.kind === 'hole') return [{ ...part, split: !quoted, name: part.name ?? name }];
    if (part.kind === 'glob') return [part];
    return quoted ? [{ kind: 'text', text: part.text, quoted: true }] : splittable(part.text, ifs);
  });
}

/** `${…}` with its operations, on values that are certain; else a hole. */
function parameter(part: ParameterExpansionPart, quoted: boolean, scope: Scope, frame: Frame, context: ExpandContext): Part[] {
  const hole: Part = { kind: 'hole', text: part.text, why: 'variable', name: part.parameter, split: !quoted };
  const operation = part.operation;
  const current = valueParts(part.parameter, part.text, true, scope, context);
  const own = scope.vars.get(part.parameter);
  const isUnset = (own && 'unset' in own) || (current.length === 1 && current[0]?.kind === 'hole' && current[0].why === 'unset');
  const text = textOf({ parts: current, raw: '' });
  const put = (parts: readonly Part[]): Part[] => spread({ parts, raw: '' }, quoted, part.parameter);
  const operand = (word: SourceWord | undefined): Word | undefined => word && expandOne(word, scope, frame, context);

  if (part.index) operand(part.index);
  if (operation?.type === 'Slice') for (const word of [operation.offset, operation.length]) operand(word);
  if (operation?.type === 'Replace' && text === undefined) operand(operation.pattern);

  if (part.prefix === '!') {
    if (text === undefined || operation) return [hole];
    return valueParts(text, part.text, quoted, scope, context);
  }
  if (part.prefix === '#') return text === undefined ? [hole] : [{ kind: 'text', text: String(text.length) }];
  if (part.index) {
    const at = part.index.value;
    const value = scope.vars.get(part.parameter);
    if (value && 'list' in value && /^\d+$/.test(at)) {
      const item = value.list[Number(at)];
      return item ? put(item.parts) : [];
    }
    // Every element of an array that was read from an input comes from that input.
    const read = current.length > 0 && current.every((each) => each.kind === 'hole' && each.why === 'input');
    return (at === '0' || read) && !operation ? put(current) : [hole];
  }
  if (!operation) return put(current);
  if (operation.type === 'Default') {
    const word = operand(operation.operand);
    const empty = isUnset || (text === '' && operation.operator.startsWith(':'));
    if (operation.operator.endsWith('?')) {
      const missing = isUnset || (current.length === 1 && current[0]?.kind === 'hole' && current[0].why === 'argument');
      if (!missing && !(text === '' && operation.operator.startsWith(':'))) return put(current);
      // The shell ends here: what uses the variable later in it never starts either.
      if (!part.index) scope.vars.set(part.parameter, { word: { parts: [{ ...hole, why: 'stop' }], raw: hole.text } });
      return [{ ...hole, why: 'stop' }];
    }
    if (operation.operator.endsWith('+')) return empty ? [] : isUnset ? [hole] : put(word?.parts ?? []);
    if (!empty) return put(current);
    if (operation.operator.endsWith('=') && word) scope.vars.set(part.parameter, { word });
    return put(word?.parts ?? []);
  }
  if (text === undefined) {
    if (operation.type === 'Remove' || operation.type === 'Replace')
      operand(operation.type === 'Remove' ? operation.operand : operation.replacement);
    return isUnset ? [{ ...hole, why: 'unset' }] : [hole];
  }
  let result: string | undefined;
  if (operation.type === 'Remove') {
    const pattern = globText(operand(operation.operand));
    result = pattern === undefined ? undefined : removeAffix(text, operation.operator, pattern);
  } else if (operation.type === 'Replace') {
    const pattern = globText(operand(operation.pattern));
    const replacement = textOf(operand(operation.replacement));
    result =
      pattern === undefined || replacement === undefined ? undefined : replacePattern(text, operation.operator, pattern, replacement);
  } else if (operation.type === 'CaseModification' && !operation.operand) {
    const up = operation.operator.startsWith('^');
    const all = operation.operator.length === 2;
    const change = (s: string) => (up ? s.toUpperCase() : s.toLowerCase());
    result = all ? change(text) : change(text.slice(0, 1)) + text.slice(1);
  } else if (operation.type === 'Slice') {
    const offset = Number(operation.offset.value.trim());
    const length = operation.length ? Number(operation.length.value.trim()) : undefined;
    if (Number.isInteger(offset) && (length === undefined || Number.isInteger(length))) {
      const start = offset < 0 ? Math.max(0, text.length + offset) : offset;
      result = length === undefined ? text.slice(start) : length < 0 ? text.slice(start, length) : text.slice(start, start + length);
    }
  }
  return result === undefined ? [hole] : quoted ? [{ kind: 'text', text: result, quoted: true }] : splittable(result);
}

function globText(word: Word | undefined): string | undefined {
  if (!word) return undefined;
  let text = '';
  for (const part of word.parts) {
    if (part.kind === 'hole') return undefined;
    text += part.text;
  }
  return text;
}

/** `~`, `~/x`, `~user/x` at the start of a word that is written without quotes. */
function tilde(atoms: Atom[], source: string, scope: Scope, context: ExpandContext): Atom[] {
  const first = atoms[0];
  if (!source.startsWith('~') || first?.kind !== 'text' || first.quoted) return atoms;
  const match = /^~([A-Za-z_][A-Za-z0-9_-]*|\+|-)?(?=\/|$)/.exec(first.text);
  if (!match) return atoms;
  const user = match[1];
  const rest = first.text.slice(match[0].length);
  let base: readonly Part[];
  if (user === undefined) {
    const home = lookUp('HOME', scope, context.look);
    base = home && 'word' in home ? home.word.parts : [{ kind: 'text', text: context.look.home }];
  } else if (user === '+')
    base = scope.cwd === undefined ? [{ kind: 'hole', text: '~+', why: 'variable' }] : [{ kind: 'text', text: scope.cwd }];
  else if (user === '-') base = [{ kind: 'hole', text: '~-', why: 'variable', name: 'OLDPWD' }];
  else base = [{ kind: 'text', text: user === 'root' ? '/root' : `${parentOf(context.look.home)}/${user}` }];
  return [...base, { kind: 'text', text: rest }, ...atoms.slice(1)];
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/home';

/** A value that grows beyond this is not followed: `x=$x$x` doubles. Well above any line that is judged whole. */
const VALUE_LIMIT = 4 * 1024 * 1024;

/** Neighbouring texts become one. Whether they were quoted no longer matters. */
function merge(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  let length = 0;
  for (const part of parts) length += part.text.length;
  if (length > VALUE_LIMIT) return [{ kind: 'hole', text: '…', why: 'variable' }];
  for (const part of parts) {
    if (part.kind === 'text') {
      if (part.text === '') continue;
      const last = out.at(-1);
      const text = part.text.replaceAll(SPLIT, ' ');
      if (last?.kind === 'text') out[out.length - 1] = { kind: 'text', text: last.text + text };
      else out.push({ kind: 'text', text });
    } else out.push(part);
  }
  return out;
}
