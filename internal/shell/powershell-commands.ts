/** One command of a PowerShell pipeline: cmdlet, alias, function, script, other shell, program. */
import type { Redirect, Stdin } from './command.ts';
import { eachOf, runScript } from './powershell.ts';
import { type PowershellArgs, powershellArgs } from './powershell-arguments.ts';
import type { Call } from './powershell-call.ts';
import { cmdText } from './powershell-cmd-tokens.ts';
import { ALIASES, CMDLETS } from './powershell-cmdlets.ts';
import { paramsOf } from './powershell-params.ts';
import { runText } from './powershell-programs.ts';
import { emit, NOTHING, nativeWord, pathWord, pipe, type Run, type Val } from './powershell-run.ts';
import type { Expr, Redirection, Stage } from './powershell-tree.ts';
import { single, valueIn } from './powershell-values.ts';
import { literal, textOf, type Word } from './word.ts';

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

export function runStage(stage: Stage, input: Val | undefined, last: boolean, run: Run): Val {
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
      const args = nativeArgs(call, run, false).map(cmdText);
      const at = args.findIndex((arg) => /^\/[ck]$/i.test(arg));
      if (at < 0) return undefined;
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
