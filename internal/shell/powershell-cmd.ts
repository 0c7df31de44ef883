/** cmd.exe lines -> commands, with the built-ins under the names of the POSIX programs of the same effect. */
import type { Command, Line, Look, Redirect, Stdin, Unread } from './command.ts';
import { powershellArgs, readPowershell } from './powershell.ts';
import { MAX_COMMANDS, pathWord, type Writable } from './powershell-run.ts';
import { literal, textOf, type Word } from './word.ts';

type Token = { word: Word; quoted: boolean } | { sign: string };

const MAX_DEPTH = 8;

/** `for %i in (…) do`: its brackets hold a list, not commands. */
function inForHead(tokens: readonly Token[], start: number, at: number): boolean {
  const first = tokens[start];
  if (!first || 'sign' in first || at - start > 500 || !/^@?for$/i.test(textOf(first.word) ?? '')) return false;
  return !tokens.slice(start, at).some((token) => !('sign' in token) && /^do$/i.test(textOf(token.word) ?? ''));
}

/** Reads a cmd.exe line. `cwd`: the absolute directory it starts in. Never throws on input. */
export function readCmd(text: string, from: { cwd: string | undefined; look: Look }, depth = 0): Line {
  const commands: Writable<Command>[] = [];
  const unread: Unread[] = [];
  if (depth > MAX_DEPTH) return { text, commands, unread: [{ why: 'limit', detail: 'nested too deeply' }], shapes: [], look: from.look };
  const vars = new Map<string, string>();
  let cwd = from.cwd;
  let given: number[] = [];

  for (const row of text.split(/\r?\n/)) {
    // Variables are expanded line by line, before anything else.
    const tokens = tokenize(row, vars, from.look);
    let start = 0;
    let joined = '&';
    let pipedFrom: number | undefined;
    for (let i = 0; i <= tokens.length; i++) {
      const token = tokens[i];
      const sign = token && 'sign' in token ? token.sign : undefined;
      if ((sign === '(' || sign === ')') && inForHead(tokens, start, i)) continue;
      if (commands.length >= MAX_COMMANDS) {
        if (unread.at(-1)?.why !== 'limit') unread.push({ why: 'limit', detail: 'too many commands' });
        break;
      }
      if (token && sign !== '&' && sign !== '&&' && sign !== '||' && sign !== '|' && sign !== '(' && sign !== ')') continue;
      const first = commands.length;
      if (joined === '&') given = [];
      run(tokens.slice(start, i), joined !== '||', pipedFrom);
      pipedFrom = sign === '|' ? (commands.length > first ? commands.length - 1 : pipedFrom) : undefined;
      if (commands.length > first && joined !== '||') given = [...given, commands.length - 1].slice(-50);
      joined = sign ?? '&';
      start = i + 1;
    }
  }
  return { text, commands, unread, shapes: [], look: from.look };

  function run(tokens: readonly Token[], certain: boolean, pipedFrom: number | undefined): void {
    const words: { word: Word; quoted: boolean }[] = [];
    const redirects: Redirect[] = [];
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!;
      if (!('sign' in token)) {
        words.push(token);
        continue;
      }
      const next = tokens[i + 1];
      const match = /^(\d?)(>>|>|<)$/.exec(token.sign);
      if (!match || !next || 'sign' in next) continue;
      i++;
      const target = /^nul$/i.test(textOf(next.word) ?? '') ? literal('/dev/null', next.word.raw) : pathWord(next.word);
      if (/^&\d$/.test(textOf(target) ?? '')) continue;
      redirects.push({ fds: [match[2] === '<' ? 0 : Number(match[1] || 1)], op: match[2] as '>' | '>>' | '<', target });
    }
    dispatch(
      words.map((each) => each.word),
      redirects,
      certain,
      pipedFrom,
    );
  }

  function dispatch(words: readonly Word[], redirects: readonly Redirect[], certain: boolean, pipedFrom: number | undefined): void {
    const head = words[0];
    if (!head) return;
    const name = nameOf(textOf(head) ?? '');
    const args = words.slice(1);
    if (name === 'if') {
      const rest = afterCondition(args);
      dispatch(rest, redirects, false, pipedFrom);
      return;
    }
    if (name === 'for') {
      const at = args.findIndex((word) => textOf(word)?.toLowerCase() === 'do');
      dispatch(args.slice(at < 0 ? args.length : at + 1), redirects, false, pipedFrom);
      return;
    }
    if (name === 'call' || name === 'start' || name === '@') {
      const skipped = (word: Word, i: number) =>
        name === 'start' && (/^\/\w+/.test(textOf(word) ?? '') || (i === 0 && word.raw.startsWith('"')));
      dispatch(
        args.filter((word, i) => !skipped(word, i)),
        redirects,
        certain,
        pipedFrom,
      );
      return;
    }
    if (name === 'cd' || name === 'chdir' || name === 'pushd') {
      const to = args.find((word) => !/^\/d$/i.test(textOf(word) ?? ''));
      const text = to && textOf(pathWord(to));
      if (to)
        cwd =
          text === undefined
            ? undefined
            : text.startsWith('/') || /^[A-Za-z]:/.test(text)
              ? text
              : cwd === undefined
                ? undefined
                : normal(`${cwd}/${text}`);
      return;
    }
    if (name === 'set') {
      const [key, ...value] = args
        .map((word) => textOf(word) ?? '')
        .join(' ')
        .split('=');
      if (key && value.length > 0) vars.set(key.toUpperCase(), value.join('='));
      return;
    }
    if (
      name === 'rem' ||
      name === 'exit' ||
      name === 'setlocal' ||
      name === 'endlocal' ||
      name === 'pause' ||
      name === 'title' ||
      name.startsWith(':')
    )
      return;
    if (name === 'cmd') {
      const at = args.findIndex((word) => /^\/[ck]$/i.test(textOf(word) ?? ''));
      const inner = args.slice(at + 1).map((word) => textOf(word) ?? word.raw);
      adopt(readCmd(inner.join(' '), { cwd, look: from.look }, depth + 1), 'cmd /c', certain);
      return;
    }
    if (name === 'powershell' || name === 'pwsh') {
      const found = powershellArgs(args);
      if (found.dynamic) unread.push({ why: 'dynamic', detail: 'the text given to PowerShell is not known' });
      if (found.encoded) push('base64', [literal('-d')], [], certain, undefined, true);
      if (found.command !== undefined)
        adopt(readPowershell(found.command, { cwd, look: from.look }, depth + 1), 'powershell -Command', certain);
      return;
    }
    const known = builtin(name, args);
    if (known) push(known.name, known.args, redirects, certain, pipedFrom);
    else if (known === undefined) push(name, args.map(pathWhenPath), redirects, certain, pipedFrom);
    else if (redirects.length > 0) push('echo', [], redirects, certain, pipedFrom);
  }

  function push(
    name: string,
    args: readonly Word[],
    redirects: readonly Redirect[],
    certain: boolean,
    pipedFrom: number | undefined,
    toShell = false,
  ): void {
    const step = commands.length;
    const before = pipedFrom === undefined ? undefined : commands[pipedFrom];
    if (before) before.pipedInto = [step];
    const stdin: Stdin = before ? { from: 'pipe', steps: [before.step] } : { from: 'inherit' };
    commands.push({
      step,
      given,
      name,
      argv: [literal(name), ...args],
      args,
      env: new Map(),
      redirects,
      stdin,
      cwd,
      via: [],
      remote: false,
      root: false,
      looped: false,
      background: false,
      certain,
      captured: false,
      source: [name, ...args.map((word) => word.raw)].join(' '),
    });
    if (toShell) push('sh', [], [], certain, step);
  }

  function adopt(line: Line, via: string, certain: boolean): void {
    const offset = commands.length;
    unread.push(...line.unread);
    for (const command of line.commands) {
      const moved: Writable<Command> = {
        ...command,
        step: command.step + offset,
        given: [...given, ...command.given.map((step) => step + offset)],
        via: [via, ...command.via],
        certain: certain && command.certain,
      };
      if (command.stdin.from === 'pipe') moved.stdin = { from: 'pipe', steps: command.stdin.steps.map((step) => step + offset) };
      if (command.pipedInto) moved.pipedInto = command.pipedInto.map((step) => step + offset);
      commands.push(moved);
    }
  }
}

const nameOf = (text: string): string => {
  const base = text.replaceAll('\\', '/').replace(/^@/, '');
  return base
    .slice(base.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, '');
};

const normal = (path: string): string => {
  const pieces: string[] = [];
  for (const piece of path.split('/')) {
    if (piece === '..') pieces.pop();
    else if (piece !== '.') pieces.push(piece);
  }
  return pieces.join('/') || '/';
};

/** `if [not] exist X`, `if [not] defined X`, `if A==B`, `if errorlevel N`. */
function afterCondition(args: readonly Word[]): readonly Word[] {
  let at = 0;
  const text = () => (textOf(args[at]) ?? '').toLowerCase();
  while (text() === 'not' || text() === '/i') at++;
  if (text() === 'exist' || text() === 'defined' || text() === 'errorlevel') return args.slice(at + 2);
  if (text().includes('==')) return args.slice(at + 1);
  return args.slice(at + (textOf(args[at + 1]) === '==' ? 3 : 1));
}

const isSwitch = (word: Word): boolean => /^\/[A-Za-z?-][\w:-]*$/.test(textOf(word) ?? '');
const pathWhenPath = (word: Word): Word => (/^(?:[A-Za-z]:\\|\.{1,2}\\)/.test(textOf(word) ?? '') ? pathWord(word) : word);

/** A built-in under its POSIX name; undefined: not one; null: it does nothing. */
function builtin(name: string, args: readonly Word[]): { name: string; args: Word[] } | undefined | null {
  const switches = args.filter(isSwitch).map((word) => textOf(word)!.toLowerCase());
  const operands = args.filter((word) => !isSwitch(word)).map(pathWord);
  const has = (flag: string) => switches.includes(flag);
  const flag = (on: boolean, text: string): Word[] => (on ? [literal(text)] : []);
  switch (name) {
    case 'del':
    case 'erase':
      return { name: 'rm', args: [...flag(has('/s'), '-r'), literal('-f'), ...operands] };
    case 'rd':
    case 'rmdir':
      return has('/s') ? { name: 'rm', args: [literal('-r'), ...flag(has('/q'), '-f'), ...operands] } : { name: 'rmdir', args: operands };
    case 'format':
      return /^[A-Za-z]:$/.test(textOf(operands[0]) ?? '') ? { name: 'mkfs', args: operands } : undefined;
    case 'copy':
    case 'xcopy':
      return { name: 'cp', args: [...flag(name === 'xcopy', '-r'), ...operands] };
    case 'robocopy':
      return {
        name: 'rsync',
        args: [literal('-a'), ...flag(has('/mir') || has('/purge'), '--delete'), ...flag(has('/l'), '--dry-run'), ...operands.slice(0, 2)],
      };
    case 'move':
      return { name: 'mv', args: [...flag(has('/-y'), '-n'), ...operands] };
    case 'ren':
    case 'rename': {
      const from = textOf(operands[0]);
      const cut = from?.lastIndexOf('/') ?? -1;
      const to =
        from !== undefined && cut >= 0 && textOf(operands[1]) !== undefined
          ? literal(from.slice(0, cut + 1) + textOf(operands[1]))
          : operands[1];
      return { name: 'mv', args: [literal('-n'), ...operands.slice(0, 1), ...(to ? [to] : [])] };
    }
    case 'type':
    case 'more':
      return { name: 'cat', args: operands };
    case 'md':
    case 'mkdir':
      return { name: 'mkdir', args: [literal('-p'), ...operands] };
    case 'dir':
      return { name: 'ls', args: operands };
    case 'mklink':
      return { name: 'ln', args: [...flag(!has('/h'), '-s'), ...operands.slice(1, 2), ...operands.slice(0, 1)] };
    case 'shutdown':
      return has('/a') || has('/?')
        ? null
        : { name: has('/r') ? 'reboot' : 'shutdown', args: has('/r') ? [] : [literal('-h'), literal('now')] };
    case 'echo':
    case 'echo.':
      return { name: 'echo', args: [...args] };
    default:
      return undefined;
  }
}

/** Words and signs of a row; `%NAME%` is expanded where it is known, a hole where not. */
function tokenize(row: string, vars: ReadonlyMap<string, string>, look: Look): Token[] {
  const tokens: Token[] = [];
  let parts: Word['parts'][number][] = [];
  let buffer = '';
  let raw = '';
  let quoted = false;
  let open = false;
  const flush = () => {
    if (buffer) parts.push({ kind: 'text', text: buffer });
    buffer = '';
  };
  const finish = () => {
    flush();
    if (parts.length > 0 || quoted) tokens.push({ word: { parts, raw }, quoted });
    parts = [];
    raw = '';
    quoted = false;
  };
  for (let i = 0; i < row.length; i++) {
    const c = row[i]!;
    if (c === '"') {
      open = !open;
      quoted = true;
      raw += c;
    } else if (c === '^' && !open) {
      buffer += row[++i] ?? '';
    } else if (c === '%') {
      const name = /^%([A-Za-z_][\w()]*)(?::[^%]{0,80})?%/.exec(row.slice(i, i + 140));
      const loop = name ? null : /^%%?~?[a-z]*[A-Za-z]/.exec(row.slice(i, i + 6));
      if (name) {
        const known = envOf(name[1]!.toUpperCase(), vars, look);
        if (known !== undefined) buffer += known;
        else {
          flush();
          parts.push({ kind: 'hole', text: name[0], why: 'variable', name: name[1]! });
        }
        raw += name[0];
        i += name[0].length - 1;
      } else if (loop) {
        flush();
        parts.push({ kind: 'hole', text: loop[0], why: 'loop' });
        raw += loop[0];
        i += loop[0].length - 1;
      } else {
        buffer += c;
        raw += c;
      }
    } else if (!open && (c === ' ' || c === '\t' || c === ',' || c === ';')) {
      finish();
    } else if (!open && (c === '&' || c === '|')) {
      // `2>&1` names a descriptor.
      if (c === '&' && tokens.length > 0 && parts.length === 0 && buffer === '' && isRedirect(tokens.at(-1)!)) {
        buffer += c;
        raw += c;
        continue;
      }
      finish();
      if (row[i + 1] === c) i++;
      tokens.push({ sign: row[i - 1] === c && i > 0 && row[i] === c ? c + c : c });
    } else if (!open && (c === '(' || c === ')') && buffer === '' && parts.length === 0) {
      tokens.push({ sign: c });
    } else if (!open && c === ')') {
      finish();
      tokens.push({ sign: c });
    } else if (!open && (c === '>' || c === '<')) {
      const fd = /^[0-9]$/.test(buffer) && parts.length === 0 ? buffer : '';
      if (fd) {
        buffer = '';
        raw = '';
      }
      finish();
      const twice = c === '>' && row[i + 1] === '>';
      if (twice) i++;
      tokens.push({ sign: fd + (twice ? '>>' : c) });
    } else if (!open && (c === '*' || c === '?')) {
      flush();
      parts.push({ kind: 'glob', text: c });
      raw += c;
    } else {
      buffer += c;
      raw += c;
    }
  }
  finish();
  return tokens;
}

const isRedirect = (token: Token): boolean => 'sign' in token && /^[0-9]?>>?$/.test(token.sign);

function envOf(name: string, vars: ReadonlyMap<string, string>, look: Look): string | undefined {
  const set = vars.get(name);
  if (set !== undefined) return set;
  if (name === 'USERPROFILE' || name === 'HOME') return look.home;
  if (name === 'TEMP' || name === 'TMP') return look.tmp;
  if (name === 'APPDATA') return `${look.home}/AppData/Roaming`;
  if (name === 'LOCALAPPDATA') return `${look.home}/AppData/Local`;
  if (name === 'SYSTEMDRIVE') return 'C:';
  if (name === 'WINDIR' || name === 'SYSTEMROOT') return 'C:/Windows';
  return undefined;
}
