/** Values of PowerShell expressions, as far as they can be told without running anything. */
import { decodeBase64 } from './powershell-decode.ts';
import type { Expr } from './powershell-parse.ts';
import { concat, emit, holeWord, NOTHING, pathWord, type Run, unknown, type Val } from './powershell-run.ts';
import { literal, textOf, type Word } from './word.ts';

const MAX_TEXT = 64 * 1024;
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

/** Methods: of .NET's file classes, of downloads, of strings. */
function called(expr: Expr & { t: 'call' }, run: Run): Val {
  const of = valueIn(expr.of, run);
  const args = expr.args.map((arg) => valueIn(arg, run));
  const words = args.map((arg) => single(arg, ''));
  const type = (of.type ?? '').replace(/^system\./, '');
  if (expr.name === 'cast') {
    if (type === 'scriptblock' || type === 'string' || type.endsWith('[]')) return args[0] ?? NOTHING;
    if (type === 'char') {
      const chars = (args[0]?.words ?? []).map((word) => Number(textOf(word)));
      return chars.every((code) => code > 0 && code < 0x10ffff)
        ? { words: chars.map((code) => literal(String.fromCodePoint(code))) }
        : unknown('[char]');
    }
    return args[0] ?? NOTHING;
  }
  const paths = words.map(pathWord);
  const act = (name: string, list: readonly Word[]): Val => ({ words: [], steps: [emit(run, { name, args: list })] });
  const write = (op: '>' | '>>'): Val => ({
    words: [],
    steps: [
      emit(run, {
        name: 'printf',
        args: [literal('%s'), ...words.slice(1, 2)],
        redirects: paths[0] ? [{ fds: [1], op, target: paths[0] }] : [],
      }),
    ],
  });
  if (type === 'io.file' || type === 'io.directory' || type === 'io.path') {
    switch (expr.name) {
      case 'delete':
        return act(
          'rm',
          type === 'io.directory'
            ? [literal(textOf(words[1])?.toLowerCase() === 'true' ? '-r' : '-d'), literal('-f'), ...paths.slice(0, 1)]
            : [literal('-f'), ...paths.slice(0, 1)],
        );
      case 'writealltext':
      case 'writealllines':
      case 'writeallbytes':
      case 'create':
      case 'createtext':
        return write('>');
      case 'appendalltext':
      case 'appendalllines':
        return write('>>');
      case 'copy':
        return act('cp', [...(textOf(words[2])?.toLowerCase() === 'true' ? [] : [literal('-n')]), ...paths.slice(0, 2)]);
      case 'move':
        return act('mv', [...(textOf(words[2])?.toLowerCase() === 'true' ? [] : [literal('-n')]), ...paths.slice(0, 2)]);
      case 'replace':
        return act('mv', paths.slice(0, 2));
      case 'createdirectory':
        return act('mkdir', [literal('-p'), ...paths.slice(0, 1)]);
      case 'readalltext':
      case 'readalllines':
      case 'readallbytes':
        return { words: [holeWord('ReadAllText')], mark: 'content', steps: [emit(run, { name: 'cat', args: paths.slice(0, 1) })] };
      case 'combine':
        return { words: [joinPath(paths)] };
      case 'gettemppath':
        return { words: [literal(run.look.tmp)] };
      case 'gettempfilename':
        return { words: [concat(literal(`${run.look.tmp}/`), holeWord('tmp'))] };
    }
  }
  if (type === 'environment') {
    const name = textOf(words[0]);
    if (expr.name === 'getenvironmentvariable' && name)
      return valueIn({ t: 'var', name: `env:${name.toLowerCase()}`, raw: `$env:${name}` }, run);
    if (expr.name === 'getfolderpath')
      return {
        words: [/userprofile/i.test(name ?? '') ? literal(run.look.home) : concat(literal(`${run.look.home}/`), literal(name ?? ''))],
      };
  }
  if (type === 'convert' && expr.name === 'frombase64string') {
    const decoded = decodeBase64(textOf(words[0]));
    return { words: [decoded === undefined ? holeWord('FromBase64String') : literal(decoded)], mark: 'decoded' };
  }
  if (expr.name === 'getstring' && args[0]?.mark === 'decoded') return args[0];
  if (type === 'scriptblock' && expr.name === 'create') return args[0] ?? NOTHING;
  if (type.endsWith('webclient') || type.endsWith('httpclient')) {
    if (/^(?:downloadstring|downloaddata|getstringasync|getasync)/.test(expr.name)) {
      return {
        words: [holeWord('download')],
        mark: 'download',
        steps: [emit(run, { name: 'curl', args: [literal('-sL'), ...words.slice(0, 1)] })],
      };
    }
    if (expr.name.startsWith('downloadfile'))
      return act('curl', [literal('-sL'), literal('-o'), ...paths.slice(1, 2), ...words.slice(0, 1)]);
    if (expr.name.startsWith('uploadfile')) return act('curl', [literal('-T'), ...paths.slice(-1), ...words.slice(0, 1)]);
    if (/^(?:upload|post|put)/.test(expr.name)) return act('curl', [literal('-d'), ...words.slice(-1), ...words.slice(0, 1)]);
  }
  if (of.mark === 'download' || of.mark === 'decoded') return of;
  if (of.mark === 'process' && expr.name === 'kill') return act('pkill', [literal('-x'), ...of.words]);
  if (of.mark === 'files' && expr.name === 'delete')
    return act('rm', [...(textOf(words[0])?.toLowerCase() === 'true' ? [literal('-r')] : []), literal('-f'), ...of.words]);
  if (of.block && (expr.name === 'invoke' || expr.name === 'invokereturnasis')) return run.run(of.block);
  if (expr.name === 'invokescript' || (type.endsWith('powershell') && expr.name === 'addscript')) {
    const text = textOf(words[0]);
    return text === undefined ? unknown('script') : run.nested('powershell', text, 'iex');
  }
  return ofString(of, expr.name, words);
}

/** Methods of a text that is certain. */
function ofString(of: Val, name: string, args: readonly Word[]): Val {
  const text = of.words.length === 1 ? textOf(of.words[0]) : undefined;
  if (text === undefined || text.length > MAX_TEXT) return unknown(`.${name}()`);
  const first = textOf(args[0]);
  const second = textOf(args[1]);
  switch (name) {
    case 'tostring':
    case 'trim':
      return { words: [literal(text.trim())] };
    case 'tolower':
    case 'tolowerinvariant':
      return { words: [literal(text.toLowerCase())] };
    case 'toupper':
    case 'toupperinvariant':
      return { words: [literal(text.toUpperCase())] };
    case 'replace':
      if (first !== undefined && first !== '' && second !== undefined) return { words: [literal(text.split(first).join(second))] };
      break;
    case 'tochararray':
      return { words: [...text.slice(0, 4096)].map((char) => literal(char)) };
    case 'substring':
      return { words: [literal(text.slice(Number(first), second === undefined ? undefined : Number(first) + Number(second)))] };
    case 'split':
      if (first)
        return {
          words: text
            .split(first)
            .slice(0, 1000)
            .map((piece) => literal(piece)),
        };
  }
  return unknown(`.${name}()`);
}

/** Path parts as one path. */
export function joinPath(parts: readonly Word[]): Word {
  return concat(...parts.flatMap((part, i) => (i === 0 ? [part] : [literal('/'), part])));
}
