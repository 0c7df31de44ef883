/** Methods that PowerShell calls: of .NET file classes, of downloads, of texts. */
import { decodeBase64 } from './powershell-decode.ts';
import { concat, emit, holeWord, NOTHING, pathWord, type Run, unknown, type Val } from './powershell-run.ts';
import type { Expr } from './powershell-tree.ts';
import { joinPath, MAX_TEXT, single, valueIn } from './powershell-values.ts';
import { literal, textOf, type Word } from './word.ts';

/** Methods: of .NET's file classes, of downloads, of strings. */
export function called(expr: Expr & { t: 'call' }, run: Run): Val {
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
  // `[scriptblock]::Create('…').Invoke()`: only a script has a method of that name.
  if (!of.block && (expr.name === 'invoke' || expr.name === 'invokereturnasis') && of.words.length === 1) {
    const script = textOf(of.words[0]);
    if (script !== undefined && /\s/.test(script.trim())) return run.nested('powershell', script, 'iex');
  }
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
