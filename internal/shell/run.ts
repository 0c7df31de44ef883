/** What a command runs: aliases, functions, builtins, wrappers, code given as text, local scripts. */
import { resolve } from 'node:path/posix';
import { parse, type Word as SourceWord } from 'unbash';
import { applyBuiltin } from './builtins.ts';
import type { Redirect, Stdin } from './command.ts';
import { descriptorAt, givenBy, readFrom } from './descriptors.ts';
import { expand } from './expand.ts';
import { isKnownProgram } from './known-programs.ts';
import { bindOf, type Mount, rootOf, volumeOf } from './mounts.ts';
import { stdinText } from './output.ts';
import { directory, hidesOutput, LIMITS, LimitExceeded, normalized, programName, type Reader } from './reader.ts';
import { recipesOf } from './recipes.ts';
import { type Frame, type FunctionBody, fork, joined, NOTHING, type Outcome, type Scope } from './scope.ts';
import { isShellScript, type LocalScript, makeRecipes, npmScripts, SCRIPT_LIMIT } from './scripts.ts';
import { withoutCredentials } from './sensitive.ts';
import { literal, textOf, type Word } from './word.ts';
import { isTransparent, unwrap } from './wrappers.ts';
import { type Inner, replaceIn } from './wrappers-core.ts';

/** The running part of a reader. */
export function createRun(reader: Reader): Pick<Reader, 'run'> {
  const { look, shapes, unread, made, outputs, waiting, context } = reader;

  /** Runs words as a command: alias, function, builtin, wrapper or program. */
  function run(
    argv: readonly Word[],
    scope: Scope,
    frame: Frame,
    redirections: readonly Redirect[],
    text: string,
    guarded = false,
  ): Outcome {
    if (reader.commands.length > LIMITS.commands) throw new LimitExceeded(`the line holds more than ${LIMITS.commands} reader.commands`);
    const name = programName(argv[0]!);
    const alias = scope.aliases.get(name);
    if (alias !== undefined && !frame.calls.includes(`alias ${name}`)) {
      const again = parse(alias);
      const words = again.commands[0]?.command;
      if (again.commands.length === 1 && words?.type === 'Command' && words.name) {
        const front = [words.name, ...words.args.filter((each): each is SourceWord => each.type === 'Word')].flatMap((word) =>
          expand(word, scope, frame, context),
        );
        return run(
          [...front, ...argv.slice(1)],
          scope,
          { ...frame, calls: [...frame.calls, `alias ${name}`] },
          redirections,
          text,
          guarded,
        );
      }
      return reader.script(again, alias, scope, { ...frame, calls: [...frame.calls, `alias ${name}`] });
    }
    const called = scope.functions.get(textOf(argv[0]!) ?? '');
    if (called) return callFunction(textOf(argv[0]!)!, called, argv.slice(1), scope, frame);
    const fallback = scope.functions.get(NOT_FOUND);
    if (fallback && name !== '' && !textOf(argv[0]!)!.includes('/') && !isKnownProgram(name) && !frame.calls.includes(NOT_FOUND))
      callFunction(NOT_FOUND, fallback, argv, scope, { ...frame, certain: false });

    const args = [...optionsOf(name, frame.env), ...argv.slice(1)];
    const inners = unwrap(name, args);
    const transparent = isTransparent(inners);
    const local = localScripts(name, argv, scope, frame);
    const outer = transparent ? NOTHING : reader.emitted([argv[0]!, ...args], frame, scope, redirections, frame.env, text, name);
    const hidden = frame.captured || hidesOutput(redirections);
    const steps = [...outer.steps];
    let ok = outer.ok;
    let output = transparent ? undefined : outer.output;
    for (const inner of inners) {
      // What a command of its own runs prints through that command's redirections.
      const outlet: Frame['outlet'] =
        transparent || redirections.length === 0 ? frame.outlet : { kind: 'files', redirects: redirections, outer: frame.outlet };
      const outcome = inside(inner, scope, { ...frame, captured: hidden, outlet }, text, transparent ? redirections : []);
      for (const step of outcome.steps) steps.push(step);
      ok = joined(ok, outcome.ok);
      output = inners.length === 1 && !hidesOutput(redirections) ? outcome.output : undefined;
    }
    for (const each of local) {
      const outcome = runLocal(each, scope, { ...frame, captured: hidden });
      for (const step of outcome.steps) steps.push(step);
    }
    applyBuiltin(name, args, scope, {
      look,
      made: (path) => made.has(path),
      guarded: guarded || scope.errexit,
      perhaps: frame.chained === true,
      ...(readsInput(name) ? inputOf(args, scope, frame) : { input: undefined }),
    });
    if (name === 'trap') trap(args, scope, frame);
    return { ok, steps, output };
  }

  /** What `read` and its kin get: the text where it is known, the steps it comes from. */
  function inputOf(
    args: readonly Word[],
    scope: Scope,
    frame: Frame,
  ): { input: string | undefined; from: readonly number[]; among?: readonly Word[] } {
    const descriptor = readFrom(args);
    const stdin = descriptor === undefined ? frame.stdin : givenBy(scope.fds?.get(descriptor));
    if (!stdin) return { input: undefined, from: [] };
    const from =
      stdin.from === 'pipe'
        ? stdin.steps
        : stdin.from === 'file'
          ? stdin.file.parts.flatMap((part) => (part.kind === 'hole' ? (part.steps ?? []) : []))
          : [];
    const among = reader.listed(stdin, scope);
    return { input: inputText(stdin, scope), from, ...(among ? { among } : {}) };
  }

  /** The text that comes in, also from `< <(…)`, where it is known. */
  function inputText(stdin: Stdin, scope: Scope): string | undefined {
    const hole = stdin.from === 'file' ? stdin.file.parts[0] : undefined;
    if (hole?.kind === 'hole' && hole.why === 'process' && hole.steps) return textOf(outputs.get(hole.steps.at(-1) ?? -1));
    return textOf(stdinText({ stdin, look, cwd: scope.cwd }));
  }

  function callFunction(name: string, node: FunctionBody, args: readonly Word[], scope: Scope, frame: Frame): Outcome {
    if (frame.calls.includes(name)) {
      const background = frame.background || frame.stdin.from === 'pipe' || frame.captured;
      if (background && !shapes.some((shape) => shape.shape === 'fork-bomb')) shapes.push({ shape: 'fork-bomb', source: name });
      return NOTHING;
    }
    waiting.delete(node);
    const { args: outer, locals } = scope;
    scope.args = args;
    scope.locals = new Map();
    const outcome = reader.body(node, scope, { ...frame, calls: [...frame.calls, name] });
    for (const [variable, value] of scope.locals) {
      if (value) scope.vars.set(variable, value);
      else scope.vars.delete(variable);
    }
    scope.args = outer;
    scope.locals = locals;
    return outcome;
  }

  /** `trap CODE SIGNAL…`: the code runs later, in this shell. */
  function trap(args: readonly Word[], scope: Scope, frame: Frame): void {
    const operands = args.filter((word) => textOf(word) !== '--');
    const code = operands[0];
    if (!code || operands.length < 2 || ['-', '', '-l', '-p'].includes(textOf(code) ?? 'x')) return;
    readCode(code, scope, { ...frame, certain: false, via: [...frame.via, 'trap'], given: [] });
  }

  /** What a container or a changed root sees of this machine. Behind another machine nothing is this machine's. */
  const mountsOf = (inner: Inner, cwd: string | undefined, frame: Frame): readonly Mount[] =>
    frame.remote
      ? []
      : (inner.binds ?? []).flatMap(
          ({ how, word }) => (how === 'volume' ? volumeOf(word, cwd) : how === 'mount' ? bindOf(word, cwd) : rootOf(word, cwd)) ?? [],
        );

  const insideOf = (inner: Inner): string | undefined => (inner.inside ? directory(inner.inside, '/') : undefined);

  /** What a wrapper runs. */
  function inside(inner: Inner, scope: Scope, frame: Frame, text: string, redirections: readonly Redirect[]): Outcome {
    const env = new Map(inner.clearEnv ? [] : frame.env);
    for (const [name, word] of inner.env ?? []) env.set(name, word);
    const cwd = inner.chdir ? directory(inner.chdir, scope.cwd) : scope.cwd;
    const next: Frame = {
      ...frame,
      env,
      via: inner.via === 'command' || inner.via === 'builtin' || inner.via === 'exec' ? frame.via : [...frame.via, inner.via],
      root: frame.root || inner.root === true,
      remote: frame.remote || inner.remote === true,
      ...(inner.remote ? { mounts: mountsOf(inner, scope.cwd, frame) } : {}),
      looped: frame.looped || inner.looped === true,
      maybe: false,
      certain: frame.certain && inner.perhaps !== true,
      ...(inner.bound ? { bound: inner.bound } : {}),
      ...(inner.timed ? { timed: true } : {}),
    };
    const same = (inner.kind === 'code' || inner.kind === 'file') && inner.same === true;
    const shell = same ? scope : { ...fork(scope), cwd: inner.remote ? insideOf(inner) : cwd };
    if (inner.kind === 'argv') {
      const stdin: Stdin = inner.fromStdin?.file ? { from: 'file', file: inner.fromStdin.file } : frame.stdin;
      if (inner.fromStdin?.unlessEmpty && textOf(stdinText({ stdin, look, cwd: scope.cwd }))?.trim() === '') return NOTHING;
      const argv = inner.fromStdin ? withInput(inner, stdin, scope) : inner.argv;
      const lines = inner.fromStdin && SHELLS.has(programName(inner.argv[0]!)) ? linesOf(stdin, scope) : [];
      // How the input is cut into words depends on options and quotes: each whole line is read as well.
      for (const line of lines) run([...inner.argv, literal(line)], fork(scope), { ...next, certain: false }, [], text);
      const at = inner.chdir || inner.remote ? shell : scope;
      // `git() { command git "$@"; }`: behind these the program is meant, also where a function has its name.
      const name = inner.via === 'command' || inner.via === 'env' ? (textOf(argv[0]!) ?? '') : '';
      const called = at.functions.get(name);
      if (called) at.functions.delete(name);
      const outcome = run(argv, at, next, redirections, inner.via.startsWith('find') || inner.fromStdin ? text : raw(argv));
      if (called) at.functions.set(name, called);
      return outcome;
    }
    if (!same) {
      // A new shell has the environment and nothing else of this one.
      shell.vars = new Map();
      shell.pipefail = inner.pipefail === true;
      shell.opened = undefined;
      assignEnv(shell, env);
    }
    const startup = /^r?bash\b/.test(inner.via) ? textOf(env.get('BASH_ENV')) : undefined;
    if (startup !== undefined && !same)
      runFile({ kind: 'file', file: literal(startup), args: [], same: true, via: 'BASH_ENV' }, shell, next);
    if (inner.kind === 'lines') return escapes(inner, shell, next, scope.cwd);
    if (inner.kind === 'stdin') {
      const code = stdinText({ stdin: frame.stdin, look, cwd: scope.cwd });
      return code ? readCode(code, shell, { ...next, stdin: { from: 'inherit' } }) : NOTHING;
    }
    if (inner.kind === 'code') {
      const code =
        inner.fromStdin?.replace === undefined
          ? inner.code
          : (withInput({ argv: [inner.code], ...inner, kind: 'argv' }, frame.stdin, scope)[0] ?? inner.code);
      if (!same) {
        shell.args = inner.args ?? [];
        shell.name = inner.zero;
      }
      return readCode(code, shell, next);
    }
    return runFile(inner, shell, next);
  }

  /** The lines for a shell in what a program reads as its own language. */
  function escapes(inner: Extract<Inner, { kind: 'lines' }>, shell: Scope, frame: Frame, cwd: string | undefined): Outcome {
    if (frame.stdin.from === 'inherit' || frame.stdin.from === 'closed') return NOTHING;
    const text = textOf(stdinText({ stdin: frame.stdin, look, cwd }));
    if (text === undefined || text.length > SCRIPT_LIMIT) return NOTHING;
    const steps: number[] = [];
    for (const line of text.split('\n')) {
      const code = inner.escape(line);
      if (code !== undefined) steps.push(...readCode(literal(code), shell, { ...frame, stdin: { from: 'inherit' } }).steps);
    }
    return { ok: [], steps };
  }

  /** A new shell sees the exported variables and those given to it. */
  function assignEnv(scope: Scope, env: ReadonlyMap<string, Word | undefined>): void {
    for (const [name, word] of env) scope.vars.set(name, word ? { word } : { unset: true });
  }

  const raw = (argv: readonly Word[]): string => argv.map((word) => word.raw).join(' ');

  /** The lines of a known input that hold more than one word. */
  function linesOf(stdin: Stdin, scope: Scope): readonly string[] {
    const known = inputText(stdin, scope);
    return known === undefined || known.length > 2000
      ? []
      : known
          .split('\n')
          .filter((line) => /\S\s+\S/.test(line))
          .slice(0, LIMITS.items);
  }

  /** The arguments that xargs and parallel make of their input. */
  function withInput(inner: Inner & { kind: 'argv' }, stdin: Stdin, scope: Scope): Word[] {
    const known = inputText(stdin, scope);
    const among = reader.listed(stdin, scope);
    let values: Word[];
    // Text with NUL in it is what `xargs -0` gets: NUL ends an argument, and nothing else does.
    if (known !== undefined && known.length < 20_000)
      values = known
        .split(known.includes('\0') ? '\0' : inner.fromStdin?.replace === undefined ? /\s+/ : /\n/)
        .filter(Boolean)
        .map((each) => literal(each));
    else if (among) values = [...among];
    else
      values = [
        {
          parts: [{ kind: 'hole', text: 'the input', why: 'input', split: true, ...(stdin.from === 'pipe' ? { steps: stdin.steps } : {}) }],
          raw: '…',
        },
      ];
    return replaceIn(inner.argv, inner.fromStdin?.replace ?? '\u0000', values);
  }

  /** Text that a shell reads as reader.commands. What is not certain in it stays a hole in the words. */
  function readCode(code: Word, scope: Scope, frame: Frame): Outcome {
    if (frame.depth >= LIMITS.depth) throw new LimitExceeded(`reader.commands inside reader.commands, more than ${LIMITS.depth} deep`);
    const text = textOf(code);
    if (text !== undefined) {
      const plainText = normalized(text);
      return reader.script(parse(plainText), plainText, scope, { ...frame, depth: frame.depth + 1 });
    }
    // Holes become variables of the inner shell with the same unknown value: `bash -c "rm -rf $X"`.
    let made = '';
    const holes: [string, Word][] = [];
    for (const part of code.parts) {
      if (part.kind === 'hole') {
        const name = `__waygate_${holes.length}`;
        holes.push([name, { parts: [{ ...part, split: true }], raw: part.text }]);
        made += `\${${name}}`;
      } else made += part.text;
    }
    const only = code.parts.length === 1;
    if (only) {
      const part = code.parts[0]!;
      unread.push({ why: 'dynamic', detail: part.kind === 'hole' ? part.text : code.raw });
      return NOTHING;
    }
    for (const [name, word] of holes) scope.vars.set(name, { word });
    return reader.script(parse(made), made, scope, { ...frame, depth: frame.depth + 1 });
  }

  // ---------------------------------------------------------------- local scripts

  function localScripts(name: string, argv: readonly Word[], scope: Scope, frame: Frame): readonly LocalScript[] {
    if (frame.remote) return [];
    const args = argv.slice(1);
    if (['npm', 'yarn', 'pnpm', 'bun'].includes(name)) return npmScripts(name, args, scope.cwd, look);
    if (name === 'make' || name === 'gmake') return makeRecipes(args, scope.cwd, look);
    if (WITH_RECIPES.has(name)) return recipesOf(name, args, scope.cwd, look);
    const path = textOf(argv[0]!);
    if (!path?.includes('/') || scope.cwd === undefined) return [];
    const file = resolve(scope.cwd, path);
    const code = look.read(file, SCRIPT_LIMIT);
    if (code === undefined || !isShellScript(file, code, false)) return [];
    return [{ code, cwd: scope.cwd, via: path, file, args }];
  }

  function runLocal(local: LocalScript, scope: Scope, frame: Frame): Outcome {
    if (++reader.counters.scripts > LIMITS.scripts || frame.depth >= LIMITS.depth || frame.script === local.file + local.via)
      return NOTHING;
    const inner: Scope = {
      ...fork(scope),
      functions: new Map(),
      aliases: new Map(),
      cwd: local.cwd,
      args: local.args,
      errexit: false,
      pipefail: false,
      opened: undefined,
      name: literal(local.file),
    };
    assignEnv(inner, frame.env);
    for (const each of local.given ?? [])
      if (!inner.vars.has(each))
        inner.vars.set(each, { word: { parts: [{ kind: 'hole', text: `$${each}`, why: 'argument', name: each }], raw: `$${each}` } });
    const code = local.args.length > 0 && local.via.includes(' run ') ? `${local.code} "$@"` : local.code;
    const next: Frame = { ...frame, via: [...frame.via, local.via], script: local.file, depth: frame.depth + 1, calls: [] };
    return reader.script(parse(normalized(code)), normalized(code), inner, next);
  }

  function runFile(inner: Inner & { kind: 'file' }, scope: Scope, frame: Frame): Outcome {
    const descriptor = descriptorAt(inner.file);
    const given = descriptor === undefined ? undefined : givenBy(scope.fds?.get(descriptor));
    if (given) {
      const code = stdinText({ stdin: given, look, cwd: scope.cwd });
      return code ? readCode(code, scope, frame) : NOTHING;
    }
    const hole = inner.file.parts.find((part) => part.kind === 'hole');
    if (hole?.kind === 'hole' && hole.why === 'process' && hole.steps) {
      const code = outputs.get(hole.steps.at(-1) ?? -1);
      return code ? readCode(code, scope, frame) : NOTHING;
    }
    const path = textOf(inner.file);
    if (path === undefined || scope.cwd === undefined || frame.remote) return NOTHING;
    const file = resolve(scope.cwd, path);
    const text = look.read(file, SCRIPT_LIMIT);
    const code = text === undefined ? undefined : withoutCredentials(file, text);
    if (code === undefined || !isShellScript(file, code, true)) return NOTHING;
    if (++reader.counters.scripts > LIMITS.scripts || frame.script === file) return NOTHING;
    if (inner.same) {
      const outer = scope.args;
      if (inner.args.length > 0) scope.args = inner.args;
      const outcome = readScript(code, scope, { ...frame, via: [...frame.via.slice(0, -1), `${inner.via} ${path}`], script: file });
      scope.args = outer;
      return outcome;
    }
    scope.args = inner.args;
    scope.name = literal(file);
    scope.functions = new Map();
    return readScript(code, scope, { ...frame, via: [...frame.via.slice(0, -1), `${inner.via} ${path}`], script: file });
  }

  function readScript(code: string, scope: Scope, frame: Frame): Outcome {
    if (frame.depth >= LIMITS.depth) return NOTHING;
    const text = normalized(code);
    return reader.script(parse(text), text, scope, { ...frame, depth: frame.depth + 1, calls: [] });
  }

  return { run };
}

/** Runners whose recipes `recipes.ts` reads: it is loaded for these alone. */
const WITH_RECIPES = new Set(['just', 'task', 'go-task', 'mise', 'rtx']);

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh']);

/** The function bash calls for a program it does not find. */
const NOT_FOUND = 'command_not_found_handle';

/** Variables whose words a program reads before its own: documented by GNU tar, Info-ZIP, gzip, xz, GNU grep, rsync and ripgrep's kin. */
const OPTION_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  tar: ['TAR_OPTIONS'],
  gtar: ['TAR_OPTIONS'],
  zip: ['ZIPOPT', 'ZIP'],
  unzip: ['UNZIP'],
  gzip: ['GZIP'],
  xz: ['XZ_DEFAULTS', 'XZ_OPT'],
  grep: ['GREP_OPTIONS'],
  ls: ['LS_OPTIONS'],
};

/** The options that the environment adds to a program's own. */
const optionsOf = (name: string, env: Frame['env']): readonly Word[] =>
  Object.hasOwn(OPTION_VARIABLES, name) && env.size > 0
    ? OPTION_VARIABLES[name]!.flatMap((variable) =>
        (textOf(env.get(variable)) ?? '')
          .split(/\s+/)
          .filter(Boolean)
          .map((each) => literal(each)),
      )
    : [];

/** Builtins that put their input into variables. */
const readsInput = (name: string): boolean => name === 'read' || name === 'mapfile' || name === 'readarray';
