/** The tree of a line, walked in order of execution. */
import {
  type Assignment,
  type CommandNode,
  type CompoundList,
  forEachChild,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirection,
  type Command as SourceCommand,
  type Word as SourceWord,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import type { Outlet, Redirect, Stdin } from './command.ts';
import { descriptorKey, givenBy, type Open } from './descriptors.ts';
import { both, hasTest, type Missing, missingAfter, missingAfterClause, reaching, redefines, UNKNOWN } from './existence.ts';
import { type ExpandContext, expand, expandOne, expandParts } from './expand.ts';
import { checkIn, checkInClause, endsShell, neverFilled, vain } from './filled.ts';
import { patternHits } from './patterns.ts';
import { countersOf, turnsOf } from './read-loop.ts';
import { type Draft, directory, hidesOutput, LIMITS, LimitExceeded, type Reader } from './reader.ts';
import { environment, type Frame, fork, joined, NOTHING, type Outcome, type Scope, setVariable, type Value } from './scope.ts';
import { spawnBurst, spawnLoop } from './spawn-loops.ts';
import { concat, isUnset, literal, type Part, prefixOf, stopsShell, textOf, type Word } from './word.ts';

/** How much of what could not be read is kept, in characters. */
const REST = 20_000;

/** The walking part of a reader. */
export function createWalk(reader: Reader): Pick<Reader, 'script' | 'body' | 'context'> & { dormant(): readonly Draft[] } {
  const { look, unread, shapes, waiting } = reader;
  let source = '';
  /** The text of the line itself: offsets into it can be told. */
  let root: string | undefined;

  const context: ExpandContext = {
    look,
    substitute(inner, scope, frame) {
      if (!inner) return NOTHING;
      return inScript(inner, fork(scope), { ...frame, stdin: { from: 'inherit' }, outlet: { kind: 'captured' }, span: undefined });
    },
    listed: (steps, scope) => reader.listed({ from: 'pipe', steps }, scope),
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
    root ??= text;
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
    for (const error of errors.slice(0, 1))
      unread.push({ why: 'syntax', detail: error.message, rest: source.slice(error.pos, error.pos + REST) });
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
      const inner: Frame = { ...frame, given, background: frame.background || background, chained: false };
      last = background ? andOr(statement.command, fork(scope), inner) : andOr(statement.command, scope, inner);
      for (const step of last.steps) steps.push(step);
      outputs.push(last.output);
      if (scope.errexit && !background) given = joined(given, last.ok);
    }
    const output = outputs.length === 1 ? outputs[0] : concat(outputs);
    return { ok: scope.errexit ? joined(given, last.ok) : last.ok, steps, output };
  }

  function andOr(node: Statement['command'], scope: Scope, frame: Frame): Outcome {
    if (node.type !== 'AndOr') return pipeline(node, scope, frame);
    let ok: readonly number[] = [];
    const steps: number[] = [];
    let certain = frame.certain;
    let output: Word | undefined;
    const told =
      hasTest(node) && !redefines(scope, frame.env) ? node.commands.map((each) => missingAfter(each, pathOf(scope, frame))) : undefined;
    let missing: Missing | undefined = told?.[0];
    const check = told && vain(checkIn(node.commands[0]!), scope, look);
    const restore = check && node.operators[0] === (check.filled ? '&&' : '||') ? neverFilled(check, scope) : undefined;
    const leaves = check !== undefined && !restore && endsShell(node.commands[1]!, frame.calls.length > 0);
    node.commands.forEach((each, i) => {
      const operator = i === 0 ? undefined : node.operators[i - 1];
      if (i > 1 && node.operators[i - 1] !== node.operators[0]) restore?.();
      if (operator === '||') {
        ok = [];
        certain = false;
      }
      const guarded = node.operators[i] === '&&';
      const outcome = pipeline(
        each,
        scope,
        {
          ...frame,
          certain,
          maybe: frame.maybe || i > 0,
          chained: i > 0 && i === node.commands.length - 1,
          given: joined(frame.given, ok),
          ...(operator && missing ? absentIn(frame, reaching(operator, missing)) : {}),
        },
        guarded,
      );
      if (operator && missing) missing = both(operator, missing, told![i]!);
      for (const step of outcome.steps) steps.push(step);
      ok = operator === '||' ? [] : joined(ok, outcome.ok);
      output = i === 0 ? outcome.output : operator === '&&' ? concat([output, outcome.output]) : output;
    });
    restore?.();
    if (leaves) neverFilled(check!, scope);
    return { ok, steps, output };
  }

  /** A word of a test as a path. What runs something is left to the walk itself. */
  const pathOf =
    (scope: Scope, frame: Frame) =>
    (word: SourceWord): string | undefined =>
      /[`(]/.test(word.text) ? undefined : directory(expandOne(word, scope, frame, context), scope.cwd);

  const absentIn = (frame: Frame, paths: readonly string[]): Pick<Frame, 'absent'> =>
    paths.length === 0 ? {} : { absent: [...(frame.absent ?? []), ...paths] };

  /** The frame with the place of a pipeline in the line, where that can be told. A group's own commands have places of their own. */
  function placed(node: PipelineNode, frame: Frame): Frame {
    if (frame.span || source !== root || frame.depth > 0) return frame;
    if (node.type !== 'Pipeline' && node.type !== 'Command' && node.type !== 'Redirected') return frame;
    const negated = node.type === 'Pipeline' && node.prefixes.some((prefix) => prefix.type === 'Negation');
    const start = negated ? (node.commands[0]?.pos ?? node.pos) : node.pos; // a lone `!` has none
    return { ...frame, span: [start, node.end] };
  }

  function pipeline(node: PipelineNode, scope: Scope, outer: Frame, guarded = false): Outcome {
    const frame = placed(node, outer);
    if (node.type !== 'Pipeline') return command(node, scope, frame, guarded);
    const negated = node.prefixes.some((prefix) => prefix.type === 'Negation');
    const timed = node.prefixes.some((prefix) => prefix.type === 'Time') ? ({ timed: true } as const) : {};
    if (node.commands.length === 1) {
      const only = command(node.commands[0]!, scope, { ...frame, ...timed }, guarded);
      return negated ? { ...only, ok: [] } : only;
    }
    const steps: number[] = [];
    let stdin = frame.stdin;
    let last = NOTHING;
    let before: readonly number[] = [];
    let into: (Outlet & { kind: 'pipe' }) | undefined;
    node.commands.forEach((each, i) => {
      const final = i === node.commands.length - 1;
      const pipe: typeof into = final
        ? undefined
        : { kind: 'pipe', steps: [], both: node.operators[i] === '|&', pipefail: scope.pipefail === true, outer: frame.outlet };
      last = command(each, final && scope.lastpipe ? scope : fork(scope), {
        ...frame,
        ...timed,
        stdin,
        captured: frame.captured || !final,
        outlet: pipe ?? frame.outlet,
      });
      if (into) into.steps = last.steps;
      into = pipe;
      for (const step of before) {
        const draft = reader.commands[step];
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
        const socket = found.redirects.find(
          (each) => each.op !== '<' && each.fds.includes(1) && /^\/dev\/(?:tcp|udp)\//.test(prefixOf(each.target)),
        );
        const opened = found.redirects.some((each) => each !== socket && each.op !== 'dup' && each.op !== '<')
          ? reader.emitted([literal(':')], { ...frame, stdin }, scope, found.redirects, new Map(), slice(node), undefined)
          : NOTHING;
        const outcome = command(node.command, scope, {
          ...frame,
          stdin,
          captured: frame.captured || hidesOutput(found.redirects),
          outlet: { kind: 'files', redirects: found.redirects, outer: frame.outlet },
        });
        // All that the group prints goes into the connection.
        if (socket) {
          const through: Stdin = { from: 'pipe', steps: outcome.steps, text: outcome.output };
          reader.emitted([literal('cat')], { ...frame, stdin: through }, scope, [socket], new Map(), slice(node), undefined);
        }
        return {
          ...outcome,
          steps: [...opened.steps, ...outcome.steps],
          output: hidesOutput(found.redirects) ? undefined : outcome.output,
        };
      }
      case 'Subshell':
        return list(node.body.commands, fork(scope), { ...frame, maybe: false });
      case 'BraceGroup':
        return list(node.body.commands, scope, frame);
      case 'If': {
        const steps = [...list(node.clause.commands, scope, frame).steps];
        const branch: Frame = { ...frame, certain: false, maybe: true };
        const own = redefines(scope, frame.env);
        const missing = own ? UNKNOWN : missingAfterClause(node.clause, pathOf(scope, frame));
        const check = own ? undefined : vain(checkInClause(node.clause), scope, look);
        const bodies = [node.then, ...node.elif.flatMap((each) => [each.clause, each.then]), ...(node.else ? [node.else] : [])];
        for (const body of bodies) {
          const restore = check && check.filled === (body === node.then) ? neverFilled(check, scope) : undefined;
          steps.push(
            ...list(body.commands, scope, { ...branch, ...absentIn(frame, reaching(body === node.then ? '&&' : '||', missing)) }).steps,
          );
          restore?.();
        }
        if (check && !check.filled && endsShell(node.then, frame.calls.length > 0)) neverFilled(check, scope);
        return { ok: [], steps };
      }
      case 'While': {
        const spawns = spawnLoop(node, source);
        if (spawns) shapes.push(spawns);
        const loop: Frame = { ...frame, looped: true, ...countersOf(node.body) };
        const steps: number[] = [];
        const text = source.slice(node.clause.pos, node.clause.end);
        const most = frame.looped ? LIMITS.nestedItems : LIMITS.items;
        for (const stdin of turnsOf(text, { stdin: frame.stdin, look, cwd: scope.cwd }, most)) {
          const turn: Frame = { ...loop, stdin };
          steps.push(...list(node.clause.commands, scope, turn).steps, ...list(node.body.commands, scope, turn).steps);
        }
        return { ok: [], steps };
      }
      case 'For':
      case 'Select': {
        const burst = spawnBurst(node, source);
        if (burst) shapes.push(burst);
        return loop(node.name.value, node.wordlist, node.body, scope, frame);
      }
      case 'ArithmeticFor': {
        const spawns = spawnLoop(node, source) ?? spawnBurst(node, source);
        if (spawns) shapes.push(spawns);
        for (const part of [node.initialize, node.test, node.update]) if (part) substitutionsIn(part, scope, frame);
        return { ...list(node.body.commands, scope, { ...frame, looped: true }), ok: [] };
      }
      case 'Case': {
        const steps: number[] = [];
        const subject = textOf(expandOne(node.word, scope, frame, context));
        // In a loop the same words stand for another turn's value; `;&` falls through; what is spelt out needs no `case`.
        const known =
          subject !== undefined &&
          node.word.parts !== undefined &&
          !frame.looped &&
          node.items.every((item) => (item.terminator ?? ';;') === ';;');
        let sure = known;
        for (const item of node.items) {
          const hits = item.pattern.map((pattern) => {
            const word = expandOne(pattern, scope, frame, context);
            return known ? patternHits(pattern.text, textOf(word), subject) : undefined;
          });
          const hit = hits.includes(true) ? true : hits.includes(undefined) ? undefined : false;
          if (hit === false) continue;
          const only = hit === true && sure;
          steps.push(
            ...list(item.body.commands, scope, {
              ...frame,
              certain: (only || node.items.length === 1) && frame.certain,
              maybe: only ? frame.maybe : true,
            }).steps,
          );
          if (hit === true) break;
          sure = false;
        }
        return { ok: [], steps };
      }
      case 'TestCommand':
        substitutionsIn(node.expression, scope, frame);
        return NOTHING;
      case 'ArithmeticCommand':
        if (node.expression) substitutionsIn(node.expression, scope, frame);
        // Shells without arithmetic commands read two subshells: `sh -c '((rm -rf / x))'`.
        if (/^\s*(?:sudo\s+)?(?:rm|dd|mkfs|shred|git|chmod|chown|mv|find)\s+(?:-[a-zA-Z]|[a-z]+\s+-)/.test(node.body))
          reader.script(parse(node.body), node.body, fork(scope), { ...frame, certain: false });
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
      case 'Coproc': {
        const outcome =
          node.body.type === 'CompoundList'
            ? list(node.body.commands, fork(scope), frame)
            : command(node.body, fork(scope), { ...frame, background: true });
        open(scope, `$${node.name?.value ?? 'COPROC'}`, { from: 'pipe', steps: outcome.steps, text: outcome.output });
        return outcome;
      }
    }
  }

  function loop(name: string, words: readonly SourceWord[] | undefined, body: CompoundList, scope: Scope, frame: Frame): Outcome {
    const items = words ? words.flatMap((word) => expand(word, scope, frame, context)) : [...scope.args];
    const steps: number[] = [];
    const leaves = source.slice(body.pos, body.end).includes('break');
    const inner: Frame = {
      ...frame,
      maybe: frame.maybe || leaves,
      looped: items.length !== 1 || items[0]!.parts.some((part) => part.kind !== 'text'),
      ...countersOf(body),
    };
    const shown = items.slice(0, frame.looped ? LIMITS.nestedItems : LIMITS.items);
    for (const item of shown.length > 0 ? shown : [literal('')]) {
      const value = item.parts.some((part) => part.kind === 'hole')
        ? { parts: item.parts.map((part): Part => (part.kind === 'hole' ? { ...part, name: part.name ?? name } : part)), raw: item.raw }
        : item;
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
    if (assignment.value.type === 'ArrayValue') {
      const items = assignment.value.elements.flatMap((word) => expand(word, scope, frame, context));
      const before = assignment.append ? scope.vars.get(assignment.name) : undefined;
      return {
        list: before && 'list' in before ? [...before.list, ...items] : before && 'word' in before ? [before.word, ...items] : items,
      };
    }
    const word = expandOne(assignment.value, scope, frame, context);
    if (!assignment.append) return { word };
    const old = scope.vars.get(assignment.name);
    return { word: old && 'word' in old ? { parts: [...old.word.parts, ...word.parts], raw: word.raw } : word };
  }

  function redirects(
    nodes: readonly Redirection[],
    scope: Scope,
    frame: Frame,
  ): { redirects: Redirect[]; stdin?: Stdin; opens: readonly (readonly [string, Open])[] } {
    const out: Redirect[] = [];
    const opens: [string, Open][] = [];
    let stdin: Stdin | undefined;
    for (const node of nodes) {
      const fd = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined;
      const key = node.descriptor?.type === 'FileDescriptorVariable' ? `$${node.descriptor.name}` : fd ? String(fd) : undefined;
      const isInput = key === undefined || fd === 0;
      if (node.type === 'HereDoc') {
        const text = node.body.parts
          ? expandParts(node.body.parts, node.body.text, scope, frame, context)
          : literal(stripTabs(node.body.text, node.operator));
        const given: Stdin = { from: 'text', text, quoted: node.delimiter?.quoted ?? false };
        if (isInput) stdin = given;
        else opens.push([key, given]);
        continue;
      }
      if (!node.target) continue;
      const target = expandOne(node.target, scope, frame, context);
      if (node.type === 'HereString') {
        const given: Stdin = { from: 'text', text: target, quoted: true };
        if (isInput) stdin = given;
        else opens.push([key, given]);
        continue;
      }
      const op = node.operator;
      if (op === '<') {
        if (isInput) stdin = { from: 'file', file: target };
        else opens.push([key, { from: 'file', file: target }]);
        out.push({ fds: [fd ?? 0], op: '<', target });
      } else if (op === '<&' || op === '>&') {
        const text = textOf(target);
        const dup = op === '<&' || text === undefined || /^\d*-?$/.test(text);
        if (dup) {
          if (op === '<&' && text === '-' && (fd === undefined || fd === 0)) stdin = { from: 'closed' };
          else if (op === '<&' && isInput) stdin = givenBy(scope.fds?.get(descriptorKey(target) ?? '')) ?? stdin;
          out.push({ fds: [fd ?? (op === '<&' ? 0 : 1)], op: 'dup', target });
        } else out.push({ fds: [1, 2], op: '>', target });
      } else if (op === '&>' || op === '&>>') out.push({ fds: [1, 2], op: op === '&>' ? '>' : '>>', target });
      else {
        out.push({ fds: [fd ?? (op === '<>' ? 0 : 1)], op, target });
        const hole = target.parts[0];
        if (key !== undefined && hole?.kind === 'hole' && hole.why === 'process' && hole.steps)
          opens.push([key, { from: 'writer', steps: hole.steps }]);
      }
    }
    return { redirects: out, stdin, opens };
  }

  function simple(node: SourceCommand, scope: Scope, frame: Frame, guarded: boolean): Outcome {
    const assignments = node.prefix.filter((each): each is Assignment => each.type === 'Assignment');
    const values = assignments.map((each) => [scope.refs?.get(each.name) ?? each.name, assign(each, scope, frame)] as const);
    const all = wordsOf(node, scope, frame);
    const found = redirects(node.redirects, scope, frame);
    const stdin = found.stdin ?? frame.stdin;
    // `${X:?}` with nothing in X: the shell says so and ends, and the command never starts.
    if (all.some(stopsShell) || (scope.nounset && all.some(isUnset)) || found.redirects.some((each) => stopsShell(each.target)))
      return { ...NOTHING, ok: [] };
    if (all.length === 0) {
      for (const [name, value] of values) setVariable(name, value, scope, frame);
      if (found.redirects.length === 0) return { ...NOTHING, ok: [] };
      return reader.emitted([literal(':')], { ...frame, stdin }, scope, found.redirects, new Map(), slice(node), undefined);
    }
    const env = environment(values, scope, frame);
    for (const [key, given] of found.opens) open(scope, key, given);
    const outcome = reader.run(all, scope, { ...frame, stdin, env }, found.redirects, slice(node), guarded);
    if (textOf(all[0]) === 'exec' && all.length === 1 && found.redirects.length > 0)
      scope.opened = [...(scope.opened ?? []), ...found.redirects];
    if (textOf(all[0]) !== 'exec' || all.length > 1) for (const [key] of found.opens) scope.fds?.delete(key);
    feed(outcome, found.redirects, scope, frame);
    const others = scope.maybe ? alternatives(node, all, scope, { ...frame, stdin, env, certain: false }, found.redirects) : [];
    return others.length === 0 ? outcome : { ...outcome, steps: [...outcome.steps, ...others] };
  }

  const open = (scope: Scope, key: string, given: Open): void => {
    scope.fds ??= new Map();
    scope.fds.set(key, given);
  };

  /** `printf … >&$fd`, where a process substitution reads the other end: what is written becomes its input. */
  function feed(outcome: Outcome, redirections: readonly Redirect[], scope: Scope, frame: Frame): void {
    if (!scope.fds || !outcome.output) return;
    for (const each of redirections) {
      if (each.op !== 'dup' || !each.fds.includes(1)) continue;
      const given = scope.fds.get(descriptorKey(each.target) ?? '');
      if (given?.from !== 'writer') continue;
      for (const step of given.steps) {
        const draft = reader.commands[step];
        if (draft?.stdin.from !== 'inherit') continue;
        const input: Stdin = { from: 'text', text: outcome.output, quoted: true };
        reader.run(draft.argv, fork(scope), { ...frame, stdin: input, given: [] }, draft.redirects, draft.source);
      }
    }
  }

  /** The command with the other values that its variables may have. */
  function alternatives(
    node: SourceCommand,
    words: readonly Word[],
    scope: Scope,
    frame: Frame,
    redirections: readonly Redirect[],
  ): number[] {
    const text = slice(node);
    const steps: number[] = [];
    for (const [name, values] of scope.maybe ?? []) {
      const named = text.includes(`$${name}`) || text.includes(`\${${name}`);
      if (!named && !(scope.exported.has(name) && name.endsWith('_OPTIONS'))) continue;
      for (const value of values) {
        const inner = fork(scope);
        inner.maybe = undefined;
        inner.vars.set(name, { word: value });
        const env = new Map(frame.env);
        if (scope.exported.has(name)) env.set(name, value);
        const again = named ? wordsOf(node, inner, frame) : words;
        if (again.length > 0) steps.push(...reader.run(again, inner, { ...frame, env }, redirections, text).steps);
      }
    }
    return steps;
  }

  /** The words of a command. Arguments that look like assignments (`export A=1`, `dd of=…`) keep their place. */
  function wordsOf(node: SourceCommand, scope: Scope, frame: Frame): Word[] {
    const out = node.name ? expand(node.name, scope, frame, context) : [];
    for (const each of node.args) {
      if (each.type === 'Word') out.push(...expand(each, scope, frame, context));
      else {
        const value = assign(each, scope, frame);
        if (each.value.type === 'Word' && each.value.parts?.some((part) => part.type === 'BraceExpansion')) {
          for (const alternative of expand(each.value, scope, frame, context))
            out.push({ parts: [{ kind: 'text', text: `${each.name}=` }, ...alternative.parts], raw: each.text });
          continue;
        }
        const word = 'word' in value ? value.word : literal('');
        out.push({ parts: [{ kind: 'text', text: `${each.name}=` }, ...word.parts], raw: each.text });
        if ('list' in value) scope.vars.set(each.name, value);
      }
    }
    return out;
  }

  /** What stands in functions that were never called. Read last, so that calls anywhere in the line count. */
  function dormant(): readonly Draft[] {
    const running = reader.commands;
    const seen = shapes.length;
    reader.commands = [];
    try {
      for (const read of [...waiting.values()].slice(0, 50)) read();
      return reader.commands;
    } finally {
      reader.commands = running;
      // What never runs has no shape.
      shapes.length = seen;
    }
  }
  return { script, body, context, dormant };
}

const stripTabs = (text: string, operator: string): string => (operator === '<<-' ? text.replace(/^\t+/gm, '') : text);
