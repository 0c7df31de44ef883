/**
 * PowerShell and cmd lines -> the commands they would run, with cmdlets and built-ins under the names of the POSIX programs
 * that have the same effect (`Remove-Item -Recurse` is `rm -r`, `iex (iwr …)` is `curl … | sh`).
 */
import type { Command, Line, Look, Redirect, Stdin } from './command.ts';
import { readCmd } from './powershell-cmd.ts';
import { ALIASES, type Call, CMDLETS, runText } from './powershell-cmdlets.ts';
import { decodeBase64 } from './powershell-decode.ts';
import { paramsOf } from './powershell-params.ts';
import {
  type Expr,
  type Pipeline,
  parsePowershell,
  type Redirection,
  type Script,
  type Stage,
  type Statement,
} from './powershell-parse.ts';
import { emit, NOTHING, nativeWord, pathWord, pipe, type Run, unknown, type Val, type Writable } from './powershell-run.ts';
import { single, valueIn } from './powershell-values.ts';
import { readLine } from './read.ts';
import { literal, textOf, type Word } from './word.ts';

export { readCmd } from './powershell-cmd.ts';

/** Blocks, calls and nested texts of one line. */
const BUDGET = 5_000;
const MAX_NESTED = 6;
/** Items of a list that a loop body is read for, one by one. */
const MAX_ITEMS = 40;
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'wsl', 'ksh']);
/** Aliases whose name is also a program: meant is the program when its own options stand there. */
const NATIVE_TOO = new Set([
  'rm',
  'cp',
  'mv',
  'cat',
  'ls',
  'kill',
  'curl',
  'wget',
  'rmdir',
  'tee',
  'ps',
  'sleep',
  'echo',
  'sc',
  'dir',
  'type',
  'pwd',
]);
const WEB_PARAMETERS = /^(?:uri|outf|usebasic|meth|bod|head|inf|skipc|websess)/i;

/** Reads a PowerShell text. `cwd`: the absolute directory it starts in. Never throws on input. */
export function readPowershell(text: string, from: { cwd: string | undefined; look: Look }, nest = 0): Line {
  const parsed = parsePowershell(text.replaceAll('\0', ''));
  const run: Run = {
    look: from.look,
    cwd: from.cwd,
    vars: new Map(),
    env: new Map(),
    functions: new Map(),
    commands: [],
    unread: [...parsed.unread],
    given: [],
    via: [],
    certain: true,
    looped: false,
    background: false,
    remote: false,
    root: false,
    captured: 0,
    depth: 0,
    nesting: 0,
    budget: BUDGET,
    source: text,
    run: (body) => runScript(body, run),
    nested: (dialect, inner, via) => nested(dialect, inner, via, run, nest),
  };
  runScript(parsed.script, run);
  return { text, commands: run.commands as Command[], unread: run.unread, shapes: [], look: from.look };
}

function runScript(script: Script, run: Run): Val {
  if (run.budget <= 0 || run.depth > 100) {
    if (run.unread.at(-1)?.why !== 'limit') run.unread.push({ why: 'limit', detail: 'too many blocks' });
    return NOTHING;
  }
  run.budget--;
  run.depth++;
  let last: Val = NOTHING;
  // Functions may stand behind their use.
  for (const statement of script) if (statement.t === 'function') run.functions.set(statement.name, statement.body);
  for (const statement of script) last = runStatement(statement, run);
  run.depth--;
  return last;
}

function runStatement(statement: Statement, run: Run): Val {
  switch (statement.t) {
    case 'pipeline':
      return runPipeline(statement.pipeline, run);
    case 'assign': {
      run.captured++;
      const value = statement.value ? runStatement(statement.value, run) : NOTHING;
      run.captured--;
      const name = statement.name.replace(/^(?:global|script|local|private):/, '');
      const before = run.vars.get(name);
      const kept: Val = !run.certain || run.looped ? { ...value, words: [...value.words] } : value;
      const next: Val =
        statement.op === '+' && before
          ? {
              ...kept,
              words:
                before.words.length === 1 && kept.words.length === 1
                  ? [joinWords(before.words[0]!, kept.words[0]!)]
                  : [...before.words, ...kept.words],
            }
          : kept;
      if (name.startsWith('env:')) run.env.set(name.slice(4).toUpperCase(), next.words.length > 0 ? single(next, '') : undefined);
      else run.vars.set(name, next);
      return NOTHING;
    }
    case 'branch': {
      const looped = run.looped;
      run.looped ||= statement.loop;
      for (const condition of statement.conditions) runScript(condition, run);
      uncertain(run, () => {
        for (const body of statement.bodies) runScript(body, run);
      });
      run.looped = looped;
      return NOTHING;
    }
    case 'try': {
      const value = runScript(statement.body, run);
      uncertain(run, () => {
        for (const body of statement.catches) runScript(body, run);
      });
      if (statement.last) runScript(statement.last, run);
      return value;
    }
    case 'foreach': {
      run.captured++;
      const over = runScript(statement.over, run);
      run.captured--;
      return eachOf(over, statement.name, statement.body, run);
    }
    case 'function':
      return NOTHING;
  }
}

const joinWords = (a: Word, b: Word): Word => ({ parts: [...a.parts, ...b.parts], raw: a.raw + b.raw });

function uncertain(run: Run, work: () => void): void {
  const before = run.certain;
  run.certain = false;
  work();
  run.certain = before;
}

/** A body for each item, with the variable set; once with an unknown when the items are not known. */
function eachOf(over: Val, name: string, body: Script, run: Run): Val {
  const items: Val[] = over.words
    .slice(0, MAX_ITEMS)
    .map((word) => ({ words: [word], mark: over.mark, steps: over.steps, type: over.type }));
  if (over.words.length === 0 || over.words.length > MAX_ITEMS) items.push({ ...unknown(`$${name}`), mark: over.mark, steps: over.steps });
  const before = { looped: run.looped, value: run.vars.get(name), certain: run.certain };
  run.looped = true;
  let last: Val = NOTHING;
  for (const item of items) {
    run.vars.set(name, item);
    last = runScript(body, run);
  }
  run.looped = before.looped;
  if (before.value) run.vars.set(name, before.value);
  return last;
}

function runPipeline(pipeline: Pipeline, run: Run): Val {
  const before = { given: run.given, certain: run.certain, background: run.background };
  if (pipeline.after === '||') run.certain = false;
  if (pipeline.after === ';') run.given = [];
  run.background ||= pipeline.background;
  const first = run.commands.length;
  let value: Val | undefined;
  pipeline.stages.forEach((stage, index) => {
    const last = index === pipeline.stages.length - 1;
    if (!last) run.captured++;
    value = runStage(stage, index === 0 ? undefined : value, last, run);
    if (!last) run.captured--;
  });
  run.certain = before.certain;
  run.background = before.background;
  run.given =
    pipeline.after === '||' || pipeline.background
      ? []
      : [
          ...(pipeline.after === '&&' ? before.given : []),
          ...run.commands
            .slice(first)
            .filter((command) => command.certain)
            .map((command) => command.step),
        ].slice(-50);
  return value ?? NOTHING;
}

function runStage(stage: Stage, input: Val | undefined, last: boolean, run: Run): Val {
  const redirects = stage.redirects.flatMap((redirect) => redirectOf(redirect, run));
  if (stage.t === 'expr') {
    const value = valueIn(stage.expr, run);
    if (value.block && last && stage.expr.t !== 'block') return value;
    const named = value.words.some((word) =>
      word.parts.some((part) => part.kind === 'hole' && part.name !== undefined && part.name === part.name.toUpperCase()),
    );
    if (redirects.some((redirect) => redirect.op !== 'dup') || (last && named && run.captured === 0)) {
      emit(run, { name: 'echo', args: value.words, redirects, source: stage.raw });
    }
    return value;
  }
  const head = stage.words[0];
  if (!head) return NOTHING;
  const called = valueIn(head, run);
  if (called.block) return runScript(called.block, run);
  if (called.mark === 'download' || called.mark === 'decoded')
    return runText(called, { words: [], redirects, input, source: stage.raw }, run);
  const call: Call = { words: stage.words.slice(1), redirects, input, source: stage.raw };
  const program = textOf(called.words.length === 1 ? pathWord(called.words[0]!) : undefined);
  if (program === undefined) {
    run.unread.push({ why: 'dynamic', detail: 'the command is not known', rest: stage.raw.slice(0, 200) });
    emit(run, { name: '', args: nativeArgs(call, run), redirects, source: stage.raw });
    return NOTHING;
  }
  return runCommand(program, stage.call, call, run);
}

function redirectOf(redirect: Redirection, run: Run): Redirect[] {
  if (redirect.op === 'dup') return [{ fds: redirect.fds, op: 'dup', target: single(valueIn(redirect.target, run), '') }];
  const value = valueIn(redirect.target, run);
  const target = value.mark === 'null' ? literal('/dev/null', '$null') : pathWord(single(value, ''));
  return [{ fds: redirect.fds, op: redirect.op, target: /^nul$/i.test(textOf(target) ?? '') ? literal('/dev/null', target.raw) : target }];
}

function runCommand(program: string, callOperator: '&' | '.' | undefined, call: Call, run: Run): Val {
  const base = program
    .slice(program.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, '');
  const isPath = program.includes('/');
  const alias = run.vars.get(`alias:${base}`)?.words[0];
  const name = isPath ? base : ((alias && textOf(alias)?.toLowerCase()) ?? ALIASES[base] ?? base);

  const body = run.functions.get(base);
  if (body && run.depth < 50) {
    const args = call.words.filter((word) => word.t !== 'param').map((word) => valueIn(word, run));
    const before = run.vars.get('args');
    run.vars.set('args', { words: args.flatMap((value) => value.words) });
    const value = runScript(body, run);
    if (before) run.vars.set('args', before);
    return value;
  }
  const special = specialCommand(name, base, call, run);
  if (special) return special;

  const cmdlet = Object.hasOwn(CMDLETS, name) ? CMDLETS[name] : undefined;
  if (cmdlet && !isPath) {
    if (!(NATIVE_TOO.has(base) && name !== base && meansProgram(base, call, run))) {
      const given = paramsOf(call.words, cmdlet.spec, run);
      if (given.has('whatif') || textOf(run.vars.get('whatifpreference')?.words[0]) === 'true') return NOTHING;
      return cmdlet.act(given, call, run);
    }
    return native(base, call, run);
  }
  if (/\.ps1$/i.test(program)) return scriptFile(program, run);
  return native(callOperator || isPath || !name.includes('-') ? base : name, call, run);
}

/** `rm -rf x` and `curl -sL x` in PowerShell mean the programs. */
function meansProgram(base: string, call: Call, _run: Run): boolean {
  const names = call.words.flatMap((word) => (word.t === 'param' ? [word.name] : []));
  if (base === 'curl' || base === 'wget')
    return (
      !names.some((name) => WEB_PARAMETERS.test(name)) &&
      (names.length > 0 || call.words.some((word) => word.t === 'text' && word.raw.startsWith('-')))
    );
  if (call.words.some((word) => word.t === 'text' && /^-(?:-|\d)/.test(word.raw))) return true;
  return names.some((name) =>
    base === 'rm'
      ? /^(?:rf|fr|rfv|Rf|fR)$/.test(name)
      : /^[a-zA-Z]{2,4}$/.test(name) && !/^(?:fo|fi|rec|pa|lp|na|id|dest|des|ea)$/i.test(name),
  );
}

/** Commands that change how the rest is read. */
function specialCommand(name: string, base: string, call: Call, run: Run): Val | undefined {
  const words = () => call.words.filter((word) => word.t !== 'param').flatMap((word) => valueIn(word, run).words);
  switch (name) {
    case 'foreach-object':
    case 'foreach':
    case '%': {
      const blocks = call.words.flatMap((word) =>
        word.t === 'block' ? [word.body] : word.t === 'param' && word.value?.t === 'block' ? [word.value.body] : [],
      );
      if (blocks.length === 0) return call.input ?? NOTHING;
      let last: Val = NOTHING;
      for (const body of blocks) last = eachOf(call.input ?? NOTHING, '_', body, run);
      return last;
    }
    case 'where-object':
    case 'where':
    case '?':
    case 'select-object':
    case 'select':
    case 'sort-object':
    case 'sort':
    case 'group-object':
    case 'out-string':
    case 'get-unique':
      return name === 'sort' || name === 'where' ? (call.input && !call.input.steps ? call.input : undefined) : (call.input ?? NOTHING);
    case 'set-location':
    case 'push-location':
    case 'cd':
    case 'sl':
    case 'chdir':
    case 'pushd': {
      const to = words()[0];
      const text = to && textOf(pathWord(to));
      run.cwd = to === undefined ? run.cwd : text === undefined ? undefined : enter(run.cwd, text.replace(/^~(?=\/|$)/, run.look.home));
      return NOTHING;
    }
    case 'pop-location':
    case 'popd':
      run.cwd = undefined;
      return NOTHING;
    case 'set-alias':
    case 'new-alias':
    case 'sal':
    case 'nal': {
      const given = paramsOf(call.words, { positional: ['name', 'value'], values: ['option', 'scope'], switches: ['force'] }, run);
      const key = textOf(given.words('name')[0]);
      if (key) run.vars.set(`alias:${key.toLowerCase()}`, { words: given.words('value') });
      return NOTHING;
    }
    case 'set-variable':
    case 'sv': {
      const given = paramsOf(call.words, { positional: ['name', 'value'], values: ['option', 'scope'], switches: ['force'] }, run);
      const key = textOf(given.words('name')[0]);
      if (key) run.vars.set(key.toLowerCase(), given.value('value') ?? NOTHING);
      return NOTHING;
    }
    case 'get-command':
    case 'gcm':
      return { words: words().slice(0, 1) };
    case 'get-variable':
    case 'gv': {
      const key = textOf(words()[0]);
      return key ? valueIn({ t: 'var', name: key.toLowerCase(), raw: `$${key}` }, run) : NOTHING;
    }
    case 'powershell':
    case 'pwsh':
      return nestedPowershell(call, run);
    case 'cmd': {
      const args = nativeArgs(call, run, false).map((word) => textOf(word));
      const at = args.findIndex((arg) => /^\/[ck]$/i.test(arg ?? ''));
      if (at < 0 || args.slice(at + 1).some((arg) => arg === undefined)) return undefined;
      return run.nested('cmd', args.slice(at + 1).join(' '), 'cmd /c');
    }
    case 'sudo':
    case 'gsudo': {
      const before = run.root;
      run.root = true;
      const head = call.words.findIndex((word) => word.t !== 'param');
      const value =
        head < 0
          ? NOTHING
          : runStage({ t: 'command', call: '&', words: call.words.slice(head), redirects: [], raw: call.source }, call.input, true, run);
      run.root = before;
      return value;
    }
  }
  if (SHELLS.has(base)) {
    const args = nativeArgs(call, run);
    const at = args.findIndex((word) => /^-[a-z]*c$/.test(textOf(word) ?? ''));
    const text =
      at >= 0 ? textOf(args[at + 1]) : call.input && !call.input.steps && args.length === 0 ? textOf(call.input.words[0]) : undefined;
    if (text !== undefined) return run.nested('posix', text, `${base} -c`);
    if (base === 'wsl' && args.length > 0 && args.every((word) => textOf(word) !== undefined))
      return run.nested(
        'posix',
        args
          .filter((word) => textOf(word) !== '--')
          .map((word) => textOf(word))
          .join(' '),
        'wsl',
      );
  }
  return undefined;
}

/** `powershell -Command …`, `-EncodedCommand …`, `-File …`. */
function nestedPowershell(call: Call, run: Run): Val {
  const text = commandOf(nativeArgs(call, run, false), call.words, run);
  if (text.block) return runScript(text.block, run);
  if (text.file !== undefined) return scriptFile(text.file, run);
  if (text.encoded) {
    const first = emit(run, { name: 'base64', args: [literal('-d')], source: call.source });
    emit(run, { name: 'sh', args: [], stdin: pipe(run, [first], first + 1), source: call.source });
  }
  if (text.command !== undefined) return run.nested('powershell', text.command, 'powershell -Command');
  const input = call.input;
  if (text.stdin && input?.steps?.length) {
    emit(run, { name: 'sh', args: [], stdin: pipe(run, input.steps, run.commands.length), source: call.source });
    return NOTHING;
  }
  if (text.stdin && input && textOf(input.words[0]) !== undefined)
    return run.nested('powershell', input.words.map((word) => textOf(word) ?? '').join('\n'), 'powershell');
  return NOTHING;
}

/** What `powershell ARGS` would run. */
export interface PowershellArgs {
  command?: string;
  /** It was given as base64. */
  encoded?: boolean;
  file?: string;
  stdin?: boolean;
  block?: Script;
  /** The text is there but not known. */
  dynamic?: boolean;
}

/** Reads the arguments of powershell or pwsh: names may be cut, a text without a name is the command. */
export function powershellArgs(args: readonly Word[]): PowershellArgs {
  for (let i = 0; i < args.length; i++) {
    const text = textOf(args[i]);
    if (text === undefined) return { dynamic: true };
    const name = /^[-/–—]{1,2}([A-Za-z]+)$/.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) return /\.ps1$/i.test(text) ? { file: text } : rest(args.slice(i));
    if ('commandwithargs' === name || name === 'cwa') return rest(args.slice(i + 1, i + 2));
    if ('command'.startsWith(name)) return textOf(args[i + 1]) === '-' || i + 1 >= args.length ? { stdin: true } : rest(args.slice(i + 1));
    if ('encodedcommand'.startsWith(name) || name === 'ec') {
      const value = textOf(args[i + 1]);
      if (value?.startsWith('-')) return {};
      const command = decodeBase64(value, true);
      return command === undefined ? { encoded: true, dynamic: true } : { encoded: true, command };
    }
    if ('file'.startsWith(name)) {
      const value = textOf(args[i + 1]);
      return value === undefined ? { dynamic: true } : value === '-' ? { stdin: true } : { file: value };
    }
    if (name === 'version' || name === 'help') return {};
    if (
      /^(?:ex|ep|executionpolicy|w|wi|windowstyle|inputformat|inp|outputformat|o|of|wd|workingdirectory|configurationname|config|psconsolefile|settingsfile|settings|custompipename|v)/.test(
        name,
      ) &&
      !'noexit'.startsWith(name)
    )
      i++;
  }
  return { stdin: true };

  function rest(words: readonly Word[]): PowershellArgs {
    const texts = words.map((word) => textOf(word));
    return texts.includes(undefined) ? { dynamic: true } : { command: texts.join(' ') };
  }
}

function commandOf(args: readonly Word[], words: readonly Expr[], run: Run): PowershellArgs {
  const block = words.find((word) => word.t === 'block');
  if (block?.t === 'block') return { block: block.body };
  const found = powershellArgs(args);
  if (found.dynamic) run.unread.push({ why: 'dynamic', detail: 'the text given to PowerShell is not known' });
  return found;
}

const SCRIPT_LIMIT = 256 * 1024;

function scriptFile(path: string, run: Run): Val {
  const at = run.cwd === undefined ? undefined : enter(run.cwd, path.replaceAll('\\', '/'));
  const text = at === undefined ? undefined : run.look.read(at, SCRIPT_LIMIT);
  return text === undefined ? NOTHING : run.nested('powershell', text, path.slice(path.lastIndexOf('/') + 1));
}

/** A directory seen from another. */
function enter(cwd: string | undefined, path: string): string | undefined {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return path;
  if (cwd === undefined) return undefined;
  const pieces = cwd.split('/');
  for (const piece of path.split('/')) {
    if (piece === '..') pieces.pop();
    else if (piece !== '.' && piece !== '') pieces.push(piece);
  }
  return pieces.join('/') || '/';
}

/** The words of a native program. */
function nativeArgs(call: Call, run: Run, paths = true): Word[] {
  return call.words.flatMap((word) => {
    if (word.t === 'param') return [literal(word.raw)];
    return valueIn(word, run).words.map((each) => (paths ? nativeWord(each) : each));
  });
}

/** A program that is no cmdlet, under its own name. */
function native(name: string, call: Call, run: Run): Val {
  const args = nativeArgs(call, run);
  const step = run.commands.length;
  const input = call.input;
  const stdin: Stdin | undefined = input?.steps?.length
    ? pipe(run, input.steps, step)
    : input && input.words.length > 0
      ? { from: 'text', text: single(input, ''), quoted: true }
      : undefined;
  emit(run, { name, args, redirects: call.redirects, source: call.source, ...(stdin ? { stdin } : {}) });
  const download = name === 'curl' || name === 'wget';
  const decoded = name === 'base64' || name === 'certutil';
  return {
    words: [{ parts: [{ kind: 'hole', text: call.source.slice(0, 60), why: 'command' }], raw: call.source.slice(0, 60) }],
    steps: [step],
    ...(download ? { mark: 'download' as const } : decoded ? { mark: 'decoded' as const } : {}),
  };
}

/** Text of any dialect inside this line: its commands are appended, with the wrapper named. */
function nested(dialect: 'powershell' | 'cmd' | 'posix', text: string, via: string, run: Run, nest: number): Val {
  if (run.via.length + nest >= MAX_NESTED) {
    run.unread.push({ why: 'limit', detail: 'nested too deeply' });
    return NOTHING;
  }
  const before = run.via;
  run.via = [...before, via];
  run.budget--;
  let value: Val = NOTHING;
  if (dialect === 'powershell') {
    const parsed = parsePowershell(text);
    run.unread.push(...parsed.unread);
    value = runScript(parsed.script, run);
  } else {
    const cwd = run.cwd ?? '';
    const line =
      dialect === 'cmd' ? readCmd(text, { cwd: run.cwd, look: run.look }, nest + run.via.length) : readLine(text, { cwd, look: run.look });
    run.unread.push(...line.unread);
    adopt(line.commands, run);
  }
  run.via = before;
  return value;
}

/** Commands of another reading as commands of this one: steps are renumbered, what holds outside holds inside. */
function adopt(commands: readonly Command[], run: Run): void {
  const offset = run.commands.length;
  for (const command of commands) {
    const moved: Writable<Command> = {
      ...command,
      step: command.step + offset,
      given: [...run.given, ...command.given.map((step) => step + offset)],
    };
    if (command.stdin.from === 'pipe') moved.stdin = { from: 'pipe', steps: command.stdin.steps.map((step) => step + offset) };
    if (command.pipedInto) moved.pipedInto = command.pipedInto.map((step) => step + offset);
    moved.via = [...run.via, ...command.via];
    moved.certain = command.certain && run.certain;
    moved.looped = command.looped || run.looped;
    moved.root = command.root || run.root;
    moved.remote = command.remote || run.remote;
    moved.background = command.background || run.background;
    if (run.cwd === undefined && command.cwd === '') moved.cwd = undefined;
    run.commands.push(moved);
  }
}
