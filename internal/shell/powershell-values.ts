/** Values of PowerShell expressions, as far as they can be told without running anything. */
import { called } from './powershell-methods.ts';
import { concat, holeWord, type Run, unknown, type Val } from './powershell-run.ts';
import type { Expr } from './powershell-tree.ts';
import { literal, textOf, type Word } from './word.ts';

export const MAX_TEXT = 64 * 1024;

/** Values in values that are followed. */
const MAX_NESTING = 400;

/** The value of an expression. Commands in it join the line. */
export function valueIn(expr: Expr, run: Run): Val {
  if (run.nesting > MAX_NESTING) return unknown('…');
  run.nesting++;
  const value = known(expr, run);
  run.nesting--;
  return value;
}

function known(expr: Expr, run: Run): Val {
  switch (expr.t) {
    case 'text': {
      const parts: Word[] = expr.pieces.map((piece) => {
        if ('text' in piece) return piece.glob ? { parts: [{ kind: 'glob', text: piece.text }], raw: piece.text } : literal(piece.text);
        return single(valueIn(piece.expr, run), 'raw' in piece.expr ? piece.expr.raw : '');
      });
      return { words: [{ ...concat(...parts), raw: expr.raw }] };
    }
    case 'var':
      return variable(expr.name, expr.raw, run);
    case 'list': {
      const values = expr.items.map((item) => valueIn(item, run));
      return { words: values.flatMap((value) => value.words), ...markOf(values) };
    }
    case 'op':
      return operation(expr.op, expr.left, expr.right, run);
    case 'paren': {
      run.captured++;
      const value = run.run(expr.body);
      run.captured--;
      return value;
    }
    case 'block':
      return { words: [], block: expr.body };
    case 'index':
      return indexed(valueIn(expr.of, run), valueIn(expr.at, run));
    case 'member':
      return memberOf(expr, run);
    case 'call':
      return called(expr, run);
    case 'param':
      return { words: [literal(expr.raw)] };
    case 'type':
      return { words: [], type: expr.name };
    case 'unknown':
      return unknown(expr.raw);
  }
}

/** One word of a value: joined when there are several, a hole when there is none. */
export function single(value: Val, raw: string): Word {
  if (value.words.length === 1) return value.words[0]!;
  if (value.mark === 'null') return literal('');
  if (value.words.length === 0) return holeWord(raw);
  return concat(...value.words.flatMap((word, i) => (i === 0 ? [word] : [literal(' '), word])));
}

const markOf = (values: readonly Val[]): Pick<Val, 'mark' | 'steps'> => {
  const marked = values.find((value) => value.mark === 'download' || value.mark === 'decoded');
  return marked ? { mark: marked.mark, steps: marked.steps } : {};
};

/** Variables that are paths of this machine. The rest stays unknown: its value is no business of a reader. */
function variable(name: string, raw: string, run: Run): Val {
  const plain = name.replace(/^(?:global|script|local|private|using|variable):/, '');
  const set = run.vars.get(plain);
  if (set) return set;
  switch (plain) {
    case 'null':
      return { words: [], mark: 'null' };
    case 'true':
    case 'false':
      return { words: [literal(plain)] };
    case 'home':
    case 'env:home':
    case 'env:userprofile':
      return { words: [literal(run.look.home)] };
    case 'pwd':
    case 'env:pwd':
      return run.cwd === undefined ? unknown(raw) : { words: [literal(run.cwd)] };
    case 'env:temp':
    case 'env:tmp':
    case 'env:tmpdir':
      return { words: [literal(run.look.tmp)] };
    case 'env:systemdrive':
      return { words: [literal('C:')] };
    case 'env:systemroot':
    case 'env:windir':
      return { words: [literal('C:/Windows')] };
    case 'env:appdata':
      return { words: [literal(`${run.look.home}/AppData/Roaming`)] };
    case 'env:localappdata':
      return { words: [literal(`${run.look.home}/AppData/Local`)] };
    case 'env:programfiles':
      return { words: [literal('C:/Program Files')] };
    case 'profile':
      return { words: [literal(`${run.look.home}/Documents/PowerShell/Microsoft.PowerShell_profile.ps1`)] };
  }
  if (plain.startsWith('env:')) {
    const key = plain.slice(4).toUpperCase();
    const given = run.env.get(key);
    return { words: [given ?? holeWord(raw, key)] };
  }
  return { words: [holeWord(raw, plain)] };
}

function operation(op: string, leftExpr: Expr, rightExpr: Expr, run: Run): Val {
  const left = valueIn(leftExpr, run);
  const right = valueIn(rightExpr, run);
  const mark = markOf([left, right]);
  switch (op) {
    case '+':
      if (left.words.length > 1) return { words: [...left.words, ...right.words], ...mark };
      return { words: [concat(single(left, ''), single(right, ''))], ...mark };
    case 'join': {
      const separator = textOf(right.words[0]) ?? '';
      return {
        words: [concat(...left.words.flatMap((word, i) => (i === 0 || separator === '' ? [word] : [literal(separator), word])))],
        ...mark,
      };
    }
    case 'f': {
      const format = textOf(left.words[0]);
      if (format === undefined || format.length > MAX_TEXT) return { ...unknown('format'), ...mark };
      const pieces = format.split(/\{(\d+)(?:[,:][^}]*)?\}/);
      return {
        words: [concat(...pieces.map((piece, i) => (i % 2 === 0 ? literal(piece) : (right.words[Number(piece)] ?? literal('')))))],
        ...mark,
      };
    }
    case 'replace':
    case 'creplace':
    case 'ireplace': {
      const text = textOf(left.words[0]);
      const from = textOf(right.words[0]);
      const to = textOf(right.words[1]) ?? '';
      // Only patterns that are plain text: others are not run here.
      if (text === undefined || from === undefined || /[.*+?^$()[\]{}|\\]/.test(from) || to.includes('$'))
        return { words: left.words.map((word) => holeWord(word.raw)), ...mark };
      return { words: [literal(from === '' ? text : text.split(from).join(to))], ...mark };
    }
    case '*': {
      const text = textOf(left.words[0]);
      const times = Number(textOf(right.words[0]));
      if (text !== undefined && times >= 0 && text.length * times <= 4096) return { words: [literal(text.repeat(times))] };
      return unknown('*');
    }
    default:
      return { ...unknown(`-${op}`), ...mark };
  }
}

function indexed(of: Val, at: Val): Val {
  const picked: Word[] = [];
  for (const word of at.words) {
    const index = Number(textOf(word));
    if (!Number.isInteger(index)) return unknown('[…]');
    const text = of.words.length === 1 ? textOf(of.words[0]) : undefined;
    const found = text !== undefined ? (text.at(index) === undefined ? undefined : literal(text.at(index)!)) : of.words.at(index);
    if (!found) return unknown('[…]');
    picked.push(found);
  }
  return { words: picked, ...(of.mark ? { mark: of.mark, steps: of.steps } : {}) };
}

function memberOf(expr: Expr & { t: 'member' }, run: Run): Val {
  const of = valueIn(expr.of, run);
  if (of.mark === 'download') return of;
  if (['fullname', 'path', 'pspath', 'source', 'name'].includes(expr.name) && of.mark === 'files') return of;
  if (['id', 'name', 'processname'].includes(expr.name) && of.mark === 'process') return of;
  return { ...unknown(`.${expr.name}`), ...(of.type ? { type: `${of.type}.${expr.name}` } : {}) };
}

/** Path parts as one path. */
export function joinPath(parts: readonly Word[]): Word {
  return concat(...parts.flatMap((part, i) => (i === 0 ? [part] : [literal('/'), part])));
}
