/**
 * Reading a shell line: text -> the commands it would run, in order, with what the shell knows when each starts.
 * The parser is unbash; this walks its tree, expands words, follows wrappers, functions and local scripts, and never runs anything.
 */
import {
  forEachChild,
  parse,
  type Assignment,
  type CommandNode,
  type CompoundList,
  type Command as SourceCommand,
  type ParsedScript,
  type PipelineNode,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word as SourceWord,
} from 'unbash';
import { basename, resolve } from 'node:path/posix';
import { applyBuiltin } from './builtins.ts';
import type { Command, Line, Look, Redirect, Shape, Stdin, Unread } from './command.ts';
import { expand, expandOne, expandParts, type ExpandContext } from './expand.ts';
import { outputOf, stdinText } from './output.ts';
import { type Frame, fork, type FunctionBody, joined, NOTHING, type Outcome, type Scope, type Value } from './scope.ts';
import { readPlain, withoutCredentials } from './sensitive.ts';
import { isShellScript, makeRecipes, npmScripts, SCRIPT_LIMIT, type LocalScript } from './scripts.ts';
import { shapesOf } from './shapes.ts';
import { spawnLoop } from './spawn-loops.ts';
import { literal, textOf, type Part, type Word } from './word.ts';
import { findTargets, type Inner, isTransparent, replaceIn, unwrap } from './wrappers.ts';

/** Bounds of one reading. Beyond them the line counts as not read, which is a refusal. */
const LIMITS = { text: 8 * 1024 * 1024, commands: 100_000, depth: 12, items: 16, nestedItems: 3, scripts: 40 };

/** A step while it is being read: the next pipeline stage is only known later. */
type Draft = { -readonly [K in keyof Command]: Command[K] };

/** Filters that pass some of their lines on unchanged. */
const CHOOSES_LINES = new Set(['grep', 'egrep', 'fgrep', 'rg', 'sort', 'uniq', 'head', 'tail', 'tac', 'shuf', 'cat', 'tee']);

/** How much of what could not be read is kept, in characters. */
const REST = 20_000;

class LimitExceeded extends Error {}

/** Reads a line. `cwd`: the absolute directory it starts in. Never throws on input. */
export function readLine(text: string, from: { cwd: string; look: Look }): Line {
  const files = new Map<string, Word | undefined>();
  const look = overlaid(from.look, files);
  const commands: Draft[] = [];
  const unread: Unread[] = [];
  const shapes: Shape[] = [];
  const dormant: Draft[] = [];
  const line: Line = { text, commands, dormant, unread, shapes, look };
  if (text.length > LIMITS.text) {
    unread.push({ why: 'limit', detail: `the line is longer than ${LIMITS.text / 1024 / 1024} MB` });
    return line;
  }
  try {
    const source = normalized(text);
    const reader = createReader({ look, files, commands, unread, shapes });
    const script = parse(source);
    const scope: Scope = { vars: new Map(), exported: new Set(), functions: new Map(), aliases: new Map(), cwd: from.cwd, stack: [], args: [], name: undefined, errexit: false };
    reader.script(script, source, scope, START);
    shapes.push(...shapesOf(script, source, commands));
    dormant.push(...reader.dormant());
  } catch (error) {
    if (error instanceof LimitExceeded) unread.push({ why: 'limit', detail: error.message });
    else if (error instanceof RangeError) unread.push({ why: 'limit', detail: 'the line is nested too deeply' });
    else throw error;
  }
  return line;
}

const START: Frame = {
  given: [],
  certain: true,
  looped: false,
  background: false,
  captured: false,
  via: [],
  remote: false,
  root: false,
  env: new Map(),
  stdin: { from: 'inherit' },
  calls: [],
  depth: 0,
};

/** Carriage returns at line ends are typing, not part of words; bash would keep them, and `rm\r` must not hide. */
const normalized = (text: string): string => (text.includes('\r') ? text.replace(/\r+\n/g, '\n').replace(/\r+$/, '').replaceAll('\r', ' ') : text);

/** The world with the files this line writes. */
function overlaid(look: Look, files: ReadonlyMap<string, Word | undefined>): Look {
  return {
    ...look,
    env: (name) => look.env(name),
    stat: (path) => (files.has(path) ? { kind: 'file', size: textOf(files.get(path))?.length ?? 1 } : look.stat(path)),
    read: (path, limit) => (files.has(path) ? textOf(files.get(path)) : look.read(path, limit)),
    list: (path) => look.list(path),
    gitConfig: (cwd, key) => look.gitConfig(cwd, key),
  };
}

interface State {
  look: Look;
  files: Map<string, Word | undefined>;
  commands: Draft[];
  unread: Unread[];
  shapes: Shape[];
}

function createReader(state: State) {
  const { look, files, unread, shapes } = state;
  let commands = state.commands;
  const waiting = new Map<FunctionBody, () => void>();
  const made = new Set<string>();
  let temporary = 0;
  let scripts = 0;
  let source = '';

  const context: ExpandContext = {
    look,
    substitute(inner, scope, frame) {
      if (!inner) return NOTHING;
      return inScript(inner, fork(scope), { ...frame, stdin: { from: 'inherit' } });
    },
    nested(node, scope, frame) {
      substitutionsIn(node, scope, frame);
    },
  };

  /** Walks what stands in arithmetic and other places that hold substitutions but are no words. */
  function substitutionsIn(node: SyntaxNode, scope: Scope, frame: Frame): void {
    if (node.type === 'CommandExpansion' || node.type === 'ArithmeticCommandExpansion' || node.type === 'ProcessSubstitution') {
      context.substitute(node.script, scope, { ...frame, captured: true });
      return;
    }
    forEachChild(node, (child) => substitutionsIn(child, scope, frame));
  }

  /** A parsed script with its own source and errors. */
  function script(parsed: ParsedScript, text: string, scope: Scope, frame: Frame): Outcome {
    const outer = source;
    source = text;
    try {
      return inScript(parsed, scope, frame);
    } finally {
      source = outer;
    }
  }

  function inScript(parsed: ParsedScript, scope: Scope, frame: Frame): Outcome {
    const outer = source;
    if (parsed.source !== undefined) source = parsed.source;
    const errors = parsed.errors ?? [];
    if (errors.some((error) => error.message.includes('nesting depth exceeded'))) throw new LimitExceeded('the line is nested too deeply');
    for (const error of errors.slice(0, 1)) unread.push({ why: 'syntax', detail: error.message, rest: source.slice(error.pos, error.pos + REST) });
    try {
      return list(parsed.commands, scope, frame);
    } finally {
      source = outer;
    }
  }

  function list(statements: readonly Statement[], scope: Scope, frame: Frame): Outcome {
    let given = frame.given;
    const steps: number[] = [];
    const outputs: (Word | undefined)[] = [];
    let last = NOTHING;
    for (const statement of statements) {
      const background = statement.background === true;
      const inner: Frame = { ...frame, given, background: frame.background || background };
      last = background ? andOr(statement.command, fork(scope), inner) : andOr(statement.command, scope, inner);
      for (const step of last.steps) steps.push(step);
      outputs.push(last.output);
      if (scope.errexit && !background) given = joined(given, last.ok);
    }
    const output = outputs.length === 1 ? outputs[0] : concat(outputs);
    return { ok: scope.errexit ? joined(given, last.ok) : last.ok, steps, output };
  }

  function concat(outputs: readonly (Word | undefined)[]): Word | undefined {
    if (outputs.length === 0 || outputs.some((output) => output === undefined)) return undefined;
    return { parts: outputs.flatMap((output) => output!.parts), raw: '' };
  }

  function andOr(node: Statement['command'], scope: Scope, frame: Frame): Outcome {
    if (node.type !== 'AndOr') return pipeline(node, scope, frame);
    let ok: readonly number[] = [];
    const steps: number[] = [];
    let certain = frame.certain;
    let output: Word | undefined;
    node.commands.forEach((each, i) => {
      const operator = i === 0 ? undefined : node.operators[i - 1];
      if (operator === '||') {
        ok = [];
        certain = false;
      }
      const guarded = node.operators[i] === '&&';
      const outcome = pipeline(each, scope, { ...frame, certain, given: joined(frame.given, ok) }, guarded);
      for (const step of outcome.steps) steps.push(step);
      ok = operator === '||' ? [] : joined(ok, outcome.ok);
      output = i === 0 ? outcome.output : operator === '&&' ? concat([output, outcome.output]) : output;
    });
    return { ok, steps, output };
  }

  function pipeline(node: PipelineNode, scope: Scope, frame: Frame, guarded = false): Outcome {
    if (node.type !== 'Pipeline') return command(node, scope, frame, guarded);
    const negated = node.prefixes.some((prefix) => prefix.type === 'Negation');
    if (node.commands.length === 1) {
      const only = command(node.commands[0]!, scope, frame, guarded);
      return negated ? { ...only, ok: [] } : only;
    }
    const steps: number[] = [];
    let stdin = frame.stdin;
    let last = NOTHING;
    let before: readonly number[] = [];
    node.commands.forEach((each, i) => {
      const final = i === node.commands.length - 1;
      last = command(each, fork(scope), { ...frame, stdin, captured: frame.captured || !final });
      for (const step of before) {
        const draft = commands[step];
        if (draft && !draft.pipedInto) draft.pipedInto = last.steps;
      }
      before = last.steps;
      for (const step of last.steps) steps.push(step);
      stdin = { from: 'pipe', steps: last.steps, text: last.output };
    });
    return { ok: negated ? [] : last.ok, steps, output: last.output };
  }

  function command(node: CommandNode, scope: Scope, frame: Frame, guarded = false): Outcome {
    switch (node.type) {
      case 'Command':
        return simple(node, scope, frame, guarded);
      case 'Redirected': {
        const found = redirects(node.redirects, scope, frame);
        const stdin = found.stdin ?? frame.stdin;
        const opened = found.redirects.some((each) => each.op !== 'dup' && each.op !== '<') ? emitted([literal(':')], { ...frame, stdin }, scope, found.redirects, new Map(), slice(node), undefined) : NOTHING;
        const outcome = command(node.command, scope, { ...frame, stdin, captured: frame.captured || hidesOutput(found.redirects) });
        return { ...outcome, steps: [...opened.steps, ...outcome.steps], output: hidesOutput(found.redirects) ? undefined : outcome.output };
      }
      case 'Subshell':
        return list(node.body.commands, fork(scope), frame);
      case 'BraceGroup':
        return list(node.body.commands, scope, frame);
      case 'If': {
        const steps = [...list(node.clause.commands, scope, frame).steps];
        const branch: Frame = { ...frame, certain: false };
        const bodies = [node.then, ...node.elif.flatMap((each) => [each.clause, each.then]), ...(node.else ? [node.else] : [])];
        for (const body of bodies) steps.push(...list(body.commands, scope, branch).steps);
        return { ok: [], steps };
      }
      case 'While': {
        const spawns = spawnLoop(node, source);
        if (spawns) shapes.push(spawns);
        const loop: Frame = { ...frame, looped: true };
        const clause = list(node.clause.commands, scope, loop);
        const body = list(node.body.commands, scope, loop);
        return { ok: [], steps: [...clause.steps, ...body.steps] };
      }
      case 'For':
      case 'Select':
        return loop(node.name.value, node.wordlist, node.body, scope, frame);
      case 'ArithmeticFor': {
        const spawns = spawnLoop(node, source);
        if (spawns) shapes.push(spawns);
        for (const part of [node.initialize, node.test, node.update]) if (part) substitutionsIn(part, scope, frame);
        return { ...list(node.body.commands, scope, { ...frame, looped: true }), ok: [] };
      }
      case 'Case': {
        const steps: number[] = [];
        expandOne(node.word, scope, frame, context);
        for (const item of node.items) {
          for (const pattern of item.pattern) expandOne(pattern, scope, frame, context);
          steps.push(...list(item.body.commands, scope, { ...frame, certain: node.items.length === 1 && frame.certain }).steps);
        }
        return { ok: [], steps };
      }
      case 'TestCommand':
        substitutionsIn(node.expression, scope, frame);
        return NOTHING;
      case 'ArithmeticCommand':
        if (node.expression) substitutionsIn(node.expression, scope, frame);
        return NOTHING;
      case 'Function':
        scope.functions.set(node.name.value, node.body);
        if (!waiting.has(node.body)) {
          const text = source;
          waiting.set(node.body, () => {
            source = text;
            body(node.body, fork(scope), { ...frame, certain: false, calls: [node.name.value] });
          });
        }
        return NOTHING;
      case 'Coproc':
        return node.body.type === 'CompoundList' ? list(node.body.commands, fork(scope), frame) : command(node.body, fork(scope), { ...frame, background: true });
    }
  }

  function loop(name: string, words: readonly SourceWord[] | undefined, body: CompoundList, scope: Scope, frame: Frame): Outcome {
    const items = words ? words.flatMap((word) => expand(word, scope, frame, context)) : [...scope.args];
    const steps: number[] = [];
    const inner: Frame = { ...frame, looped: items.length !== 1 || items[0]!.parts.some((part) => part.kind !== 'text') };
    const shown = items.slice(0, frame.looped ? LIMITS.nestedItems : LIMITS.items);
    for (const item of shown.length > 0 ? shown : [literal('')]) {
      const value = item.parts.some((part) => part.kind === 'hole') ? { parts: item.parts.map((part): Part => (part.kind === 'hole' ? { ...part, name: part.name ?? name } : part)), raw: item.raw } : item;
      scope.vars.set(name, { word: value });
      steps.push(...list(body.commands, scope, inner).steps);
    }
    if (items.length > shown.length) {
      scope.vars.set(name, { word: { parts: [{ kind: 'hole', text: `$${name}`, why: 'loop', name }], raw: `$${name}` } });
      steps.push(...list(body.commands, scope, inner).steps);
    }
    return { ok: [], steps };
  }

  function body(node: CompoundList | CommandNode, scope: Scope, frame: Frame): Outcome {
    return node.type === 'CompoundList' ? list(node.commands, scope, frame) : command(node, scope, frame);
  }

  const slice = (node: { pos: number; end: number }): string => source.slice(node.pos, Math.min(node.end, node.pos + 2000));

  // ---------------------------------------------------------------- one simple command

  function assign(assignment: Assignment, scope: Scope, frame: Frame): Value {
    if (assignment.index) expandOne(assignment.index, scope, frame, context);
    if (assignment.value.type === 'ArrayValue') return { list: assignment.value.elements.flatMap((word) => expand(word, scope, frame, context)) };
    const word = expandOne(assignment.value, scope, frame, context);
    if (!assignment.append) return { word };
    const old = scope.vars.get(assignment.name);
    return { word: old && 'word' in old ? { parts: [...old.word.parts, ...word.parts], raw: word.raw } : word };
  }

  function redirects(nodes: readonly Redirection[], scope: Scope, frame: Frame): { redirects: Redirect[]; stdin?: Stdin } {
    const out: Redirect[] = [];
    let stdin: Stdin | undefined;
    for (const node of nodes) {
      const fd = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined;
      if (node.type === 'HereDoc') {
        const text = node.body.parts ? expandParts(node.body.parts, node.body.text, scope, frame, context) : literal(stripTabs(node.body.text, node.operator));
        if (fd === undefined || fd === 0) stdin = { from: 'text', text, quoted: node.delimiter?.quoted ?? false };
        continue;
      }
      if (!node.target) continue;
      const target = expandOne(node.target, scope, frame, context);
      if (node.type === 'HereString') {
        if (fd === undefined || fd === 0) stdin = { from: 'text', text: target, quoted: true };
        continue;
      }
      const op = node.operator;
      if (op === '<') {
        if (fd === undefined || fd === 0) stdin = { from: 'file', file: target };
        out.push({ fds: [fd ?? 0], op: '<', target });
      } else if (op === '<&' || op === '>&') {
        const text = textOf(target);
        const dup = op === '<&' || text === undefined || /^\d*-?$/.test(text);
        if (dup) {
          if (op === '<&' && text === '-' && (fd === undefined || fd === 0)) stdin = { from: 'closed' };
          out.push({ fds: [fd ?? (op === '<&' ? 0 : 1)], op: 'dup', target });
        } else out.push({ fds: [1, 2], op: '>', target });
      } else if (op === '&>' || op === '&>>') out.push({ fds: [1, 2], op: op === '&>' ? '>' : '>>', target });
      else out.push({ fds: [fd ?? (op === '<>' ? 0 : 1)], op, target });
    }
    return { redirects: out, stdin };
  }

  function simple(node: SourceCommand, scope: Scope, frame: Frame, guarded: boolean): Outcome {
    const assignments = node.prefix.filter((each): each is Assignment => each.type === 'Assignment');
    const values = assignments.map((each) => [each.name, assign(each, scope, frame)] as const);
    const all = wordsOf(node, scope, frame);
    const found = redirects(node.redirects, scope, frame);
    const stdin = found.stdin ?? frame.stdin;
    if (all.length === 0) {
      for (const [name, value] of values) scope.vars.set(name, value);
      if (found.redirects.length === 0) return { ...NOTHING, ok: [] };
      return emitted([literal(':')], { ...frame, stdin }, scope, found.redirects, new Map(), slice(node), undefined);
    }
    const env = new Map<string, Word | undefined>(frame.env);
    for (const name of scope.exported) {
      const value = scope.vars.get(name);
      if (value && 'word' in value) env.set(name, value.word);
    }
    for (const [name, value] of values) env.set(name, 'word' in value ? value.word : undefined);
    return run(all, scope, { ...frame, stdin, env }, found.redirects, slice(node), guarded);
  }

  /** The words of a command. Arguments that look like assignments (`export A=1`, `dd of=…`) keep their place. */
  function wordsOf(node: SourceCommand, scope: Scope, frame: Frame): Word[] {
    const out = node.name ? expand(node.name, scope, frame, context) : [];
    for (const each of node.args) {
      if (each.type === 'Word') out.push(...expand(each, scope, frame, context));
      else {
        const value = assign(each, scope, frame);
        const word = 'word' in value ? value.word : literal('');
        out.push({ parts: [{ kind: 'text', text: `${each.name}=` }, ...word.parts], raw: each.text });
        if ('list' in value) scope.vars.set(each.name, value);
      }
    }
    return out;
  }

  /** Runs words as a command: alias, function, builtin, wrapper or program. */
  function run(argv: readonly Word[], scope: Scope, frame: Frame, redirections: readonly Redirect[], text: string, guarded = false): Outcome {
    if (commands.length > LIMITS.commands) throw new LimitExceeded(`the line holds more than ${LIMITS.commands} commands`);
    const name = programName(argv[0]!);
    const alias = scope.aliases.get(name);
    if (alias !== undefined && !frame.calls.includes(`alias ${name}`)) {
      const again = parse(alias);
      const words = again.commands[0]?.command;
      if (again.commands.length === 1 && words?.type === 'Command' && words.name) {
        const front = [words.name, ...words.args.filter((each): each is SourceWord => each.type === 'Word')].flatMap((word) => expand(word, scope, frame, context));
        return run([...front, ...argv.slice(1)], scope, { ...frame, calls: [...frame.calls, `alias ${name}`] }, redirections, text, guarded);
      }
      return script(again, alias, scope, { ...frame, calls: [...frame.calls, `alias ${name}`] });
    }
    const called = scope.functions.get(textOf(argv[0]!) ?? '');
    if (called) return callFunction(textOf(argv[0]!)!, called, argv.slice(1), scope, frame);

    const args = argv.slice(1);
    const inners = unwrap(name, args);
    const transparent = isTransparent(inners);
    const local = localScripts(name, argv, scope, frame);
    const outer = transparent ? NOTHING : emitted(argv, frame, scope, redirections, frame.env, text, name);
    const hidden = frame.captured || hidesOutput(redirections);
    const steps = [...outer.steps];
    let ok = outer.ok;
    let output = transparent ? undefined : outer.output;
    for (const inner of inners) {
      const outcome = inside(inner, scope, { ...frame, captured: hidden }, text, isTransparent(inners) ? redirections : []);
      for (const step of outcome.steps) steps.push(step);
      ok = joined(ok, outcome.ok);
      output = inners.length === 1 && !hidesOutput(redirections) ? outcome.output : undefined;
    }
    for (const each of local) {
      const outcome = runLocal(each, scope, { ...frame, captured: hidden });
      for (const step of outcome.steps) steps.push(step);
    }
    applyBuiltin(name, args, scope, { look, made: (path) => made.has(path), guarded: guarded || scope.errexit, input: readsInput(name) ? textOf(stdinText({ stdin: frame.stdin, look, cwd: scope.cwd })) : undefined });
    if (name === 'trap') trap(args, scope, frame);
    return { ok, steps, output };
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
    const outcome = body(node, scope, { ...frame, calls: [...frame.calls, name] });
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
      looped: frame.looped || inner.looped === true,
      certain: frame.certain && inner.perhaps !== true,
    };
    const same = inner.kind !== 'argv' && inner.kind !== 'stdin' && inner.same === true;
    const shell = same ? scope : { ...fork(scope), cwd: inner.remote ? undefined : cwd };
    if (inner.kind === 'argv') {
      if (inner.fromStdin?.unlessEmpty && textOf(stdinText({ stdin: frame.stdin, look, cwd: scope.cwd }))?.trim() === '') return NOTHING;
      const argv = inner.fromStdin ? withInput(inner, frame.stdin, scope) : inner.argv;
      return run(argv, inner.chdir || inner.remote ? shell : scope, next, redirections, inner.via.startsWith('find') || inner.fromStdin ? text : raw(argv));
    }
    if (!same) assignEnv(shell, env);
    if (inner.kind === 'stdin') {
      const code = stdinText({ stdin: frame.stdin, look, cwd: scope.cwd });
      return code ? readCode(code, shell, { ...next, stdin: { from: 'inherit' } }) : NOTHING;
    }
    if (inner.kind === 'code') {
      const code = inner.fromStdin?.replace === undefined ? inner.code : (withInput({ ...inner, kind: 'argv', argv: [inner.code] }, frame.stdin, scope)[0] ?? inner.code);
      if (!same) {
        shell.args = inner.args ?? [];
        shell.name = inner.zero;
      }
      return readCode(code, shell, next);
    }
    return runFile(inner, shell, next);
  }

  /** A new shell sees the exported variables and those given to it. */
  function assignEnv(scope: Scope, env: ReadonlyMap<string, Word | undefined>): void {
    for (const [name, word] of env) scope.vars.set(name, word ? { word } : { unset: true });
  }

  const directory = (word: Word, cwd: string | undefined): string | undefined => {
    const text = textOf(word);
    if (text === undefined || (cwd === undefined && !text.startsWith('/'))) return undefined;
    return resolve(cwd ?? '/', text);
  };

  const raw = (argv: readonly Word[]): string => argv.map((word) => word.raw).join(' ');

  /** The arguments that xargs and parallel make of their input. */
  function withInput(inner: Inner & { kind: 'argv' }, stdin: Stdin, scope: Scope): Word[] {
    const known = textOf(stdinText({ stdin, look, cwd: scope.cwd }));
    const upstream = findUpstream(stdin);
    let values: Word[];
    if (known !== undefined && known.length < 20_000) values = known.split(inner.fromStdin?.replace === undefined ? /\s+/ : /\n/).filter(Boolean).map((each) => literal(each));
    else if (upstream) values = findTargets(upstream.args);
    else values = [{ parts: [{ kind: 'hole', text: 'the input', why: 'input', split: true, ...(stdin.from === 'pipe' ? { steps: stdin.steps } : {}) }], raw: '…' }];
    return replaceIn(inner.argv, inner.fromStdin?.replace ?? '\u0000', values);
  }

  /** The `find` whose result comes down the pipe, through filters that only choose lines. */
  function findUpstream(stdin: Stdin): Command | undefined {
    if (stdin.from !== 'pipe') return undefined;
    const stage = stdin.steps.map((step) => commands[step]).filter((each) => each !== undefined);
    const found = stage.find((each) => each.name === 'find');
    if (found) return found;
    const only = stage.length === 1 ? stage[0] : undefined;
    return only && CHOOSES_LINES.has(only.name) ? findUpstream(only.stdin) : undefined;
  }

  /** Text that a shell reads as commands. What is not certain in it stays a hole in the words. */
  function readCode(code: Word, scope: Scope, frame: Frame): Outcome {
    if (frame.depth >= LIMITS.depth) throw new LimitExceeded(`commands inside commands, more than ${LIMITS.depth} deep`);
    const text = textOf(code);
    if (text !== undefined) {
      const plainText = normalized(text);
      return script(parse(plainText), plainText, scope, { ...frame, depth: frame.depth + 1 });
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
    return script(parse(made), made, scope, { ...frame, depth: frame.depth + 1 });
  }

  // ---------------------------------------------------------------- local scripts

  function localScripts(name: string, argv: readonly Word[], scope: Scope, frame: Frame): readonly LocalScript[] {
    if (frame.remote) return [];
    const args = argv.slice(1);
    if (['npm', 'yarn', 'pnpm', 'bun'].includes(name)) return npmScripts(name, args, scope.cwd, look);
    if (name === 'make' || name === 'gmake') return makeRecipes(args, scope.cwd, look);
    const path = textOf(argv[0]!);
    if (!path?.includes('/') || scope.cwd === undefined) return [];
    const file = resolve(scope.cwd, path);
    const code = look.read(file, SCRIPT_LIMIT);
    if (code === undefined || !isShellScript(file, code, false)) return [];
    return [{ code, cwd: scope.cwd, via: path, file, args }];
  }

  function runLocal(local: LocalScript, scope: Scope, frame: Frame): Outcome {
    if (++scripts > LIMITS.scripts || frame.depth >= LIMITS.depth || frame.script === local.file + local.via) return NOTHING;
    const inner: Scope = { ...fork(scope), functions: new Map(), aliases: new Map(), cwd: local.cwd, args: local.args, errexit: false, name: literal(local.file) };
    assignEnv(inner, frame.env);
    const code = local.args.length > 0 && local.via.includes(' run ') ? `${local.code} "$@"` : local.code;
    const next: Frame = { ...frame, via: [...frame.via, local.via], script: local.file, depth: frame.depth + 1, calls: [] };
    return script(parse(normalized(code)), normalized(code), inner, next);
  }

  function runFile(inner: Inner & { kind: 'file' }, scope: Scope, frame: Frame): Outcome {
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
    if (++scripts > LIMITS.scripts || frame.script === file) return NOTHING;
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
    return script(parse(text), text, scope, { ...frame, depth: frame.depth + 1, calls: [] });
  }

  // ---------------------------------------------------------------- the record of a command

  const outputs = new Map<number, Word>();

  function emitted(argv: readonly Word[], frame: Frame, scope: Scope, redirections: readonly Redirect[], env: ReadonlyMap<string, Word | undefined>, text: string, known: string | undefined): Outcome {
    const name = known ?? programName(argv[0]!);
    const step = commands.length;
    const record = (cwd: string | undefined, certain: boolean): Draft => ({
      step: commands.length,
      given: frame.given,
      name,
      argv,
      args: argv.slice(1),
      env,
      redirects: redirections,
      stdin: frame.stdin,
      cwd,
      via: frame.via,
      remote: frame.remote,
      root: frame.root,
      looped: frame.looped,
      background: frame.background,
      certain,
      captured: frame.captured || hidesOutput(redirections),
      ...(frame.script === undefined ? {} : { script: frame.script }),
      source: text,
    });
    commands.push(record(scope.cwd, frame.certain));
    if (scope.otherCwd !== undefined && !['cd', ':'].includes(name)) commands.push(record(scope.otherCwd, false));
    const args = argv.slice(1);
    const output = outputOf(name, args, {
      look,
      cwd: scope.cwd,
      stdin: frame.stdin,
      redirects: redirections,
      fresh: () => ++temporary,
      exists: (path) => made.has(path),
    });
    if (output) outputs.set(step, output);
    if (!frame.remote) remember(name, args, redirections, output, frame, scope);
    const steps = commands.length > step + 1 ? [step, step + 1] : [step];
    return { ok: [step], steps, output: hidesOutput(redirections) ? literal('') : output };
  }

  /** Files whose new text is known, and directories the line makes. */
  function remember(name: string, args: readonly Word[], redirections: readonly Redirect[], output: Word | undefined, frame: Frame, scope: Scope): void {
    const at = (word: Word | undefined) => (word ? directory(word, scope.cwd) : undefined);
    for (const each of redirections) {
      if (!each.fds.includes(1) || each.op === 'dup' || each.op === '<') continue;
      const path = at(each.target);
      if (path === undefined || path.startsWith('/dev/')) continue;
      const old = each.op === '>>' ? (files.get(path) ?? textWord(readPlain(look, path, SCRIPT_LIMIT))) : literal('');
      files.set(path, output && old ? { parts: [...old.parts, ...output.parts], raw: '' } : undefined);
    }
    const operands = args.filter((word) => !(textOf(word) ?? '').startsWith('-'));
    if (name === 'tee') for (const word of operands) setFile(at(word), stdinText({ stdin: frame.stdin, look, cwd: scope.cwd }));
    if (name === 'cp' || name === 'mv') {
      const from = at(operands[0]);
      const to = at(operands[1]);
      if (from !== undefined && to !== undefined && operands.length === 2) setFile(to, textWord(readPlain(look, from, SCRIPT_LIMIT)));
    }
    if (name === 'mkdir' || (name === 'mktemp' && args.some((word) => /^-\w*d/.test(textOf(word) ?? '')))) {
      for (const word of name === 'mkdir' ? operands : output ? [trimmed(output)] : []) {
        const path = at(word);
        if (path !== undefined) made.add(path);
      }
    }
    if (name === 'git') {
      const verb = textOf(args[0]);
      if (verb === 'clone' || verb === 'worktree' || verb === 'init') {
        for (const word of operands.slice(1)) {
          const path = at(word);
          if (path !== undefined) made.add(path);
        }
      }
    }
  }

  const trimmed = (word: Word): Word => literal((textOf(word) ?? '').trimEnd());
  const textWord = (text: string | undefined): Word | undefined => (text === undefined ? undefined : literal(text));

  function setFile(path: string | undefined, content: Word | undefined): void {
    if (path !== undefined && content) files.set(path, content);
  }

  /** What stands in functions that were never called. Read last, so that calls anywhere in the line count. */
  function dormant(): readonly Draft[] {
    const running = commands;
    commands = [];
    try {
      for (const read of [...waiting.values()].slice(0, 50)) read();
      return commands;
    } finally {
      commands = running;
    }
  }

  return { script, dormant };
}

/** The program's base name in lower case, without `.exe`. */
export function programName(word: Word): string {
  const text = textOf(word);
  if (text === undefined) return '';
  const name = basename(text.replaceAll('\\', '/')).toLowerCase();
  if (text === '.' || text === '/') return text;
  return name.replace(/\.exe$/, '');
}

/** Builtins that put their input into variables. */
const readsInput = (name: string): boolean => name === 'read' || name === 'mapfile' || name === 'readarray';

/** Standard output goes to a file or nowhere. */
const hidesOutput = (redirects: readonly Redirect[]): boolean => redirects.some((each) => each.fds.includes(1) && (each.op === '>' || each.op === '>>' || each.op === '>|'));

const stripTabs = (text: string, operator: string): string => (operator === '<<-' ? text.replace(/^\t+/gm, '') : text);
