/** cmd.exe lines -> commands, with the built-ins under the names of the POSIX programs of the same effect. */
import type { Command, Line, Look, Redirect, Stdin, Unread } from './command.ts';
import { readPowershell } from './powershell.ts';
import { powershellArgs } from './powershell-arguments.ts';
import { afterCondition, builtin, nameOf, normal, pathWhenPath } from './powershell-cmd-builtins.ts';
import { type Token, tokenize } from './powershell-cmd-tokens.ts';
import { globbed, MAX_COMMANDS, pathWord, type Writable } from './powershell-run.ts';
import { literal, textOf, type Word } from './word.ts';

const MAX_DEPTH = 8;

/** `for %i in (…) do`: its brackets hold a list, not commands. */
function inForHead(tokens: readonly Token[], start: number, at: number): boolean {
  const first = tokens[start];
  if (!first || 'sign' in first || at - start > 500 || !/^@?for$/i.test(textOf(first.word) ?? '')) return false;
  return !tokens.slice(start, at).some((token) => !('sign' in token) && /^do$/i.test(textOf(token.word) ?? ''));
}

/** What stands in the brackets of `for %i in (…) do`: file names and patterns. Options (`/f`) make something else of it. */
function listOf(head: readonly Word[]): readonly Word[] {
  if (head.some((word) => /^\/[flr]$/i.test(textOf(word) ?? ''))) return [];
  const at = head.findIndex((word) => textOf(word)?.toLowerCase() === 'in');
  return head.slice(at + 1).flatMap((word) => {
    const parts = word.parts.map((part) => (part.kind === 'text' ? { ...part, text: part.text.replace(/^\(|\)$/g, '') } : part));
    return parts.some((part) => part.text !== '') ? [globbed(pathWord({ parts, raw: word.raw }))] : [];
  });
}

/** A word with the loop's variable in it, which is one of the list. */
const each = (word: Word, list: readonly Word[]): Word =>
  list.length === 0
    ? word
    : { ...word, parts: word.parts.map((part) => (part.kind === 'hole' && part.why === 'loop' ? { ...part, among: list } : part)) };

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
      const body = args.slice(at < 0 ? args.length : at + 1);
      dispatch(
        body.map((word) => each(word, listOf(args.slice(0, Math.max(at, 0))))),
        redirects,
        false,
        pipedFrom,
      );
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
