/** Walks a program once, shallowly: what its values are, what it calls. */
import type { Part } from '../../shell/word.ts';
import type { Arg, Block, Expr, Stmt } from './ast.ts';
import { type Called, environment, type Machine, runsText } from './machine.ts';
import { textMethod } from './texts.ts';
import {
  concat,
  derived,
  each,
  either,
  type Func,
  hole,
  Mark,
  NONE,
  num,
  ref,
  type Scope,
  sources,
  text,
  textIn,
  UNKNOWN,
  type Value,
  wordIn,
} from './value.ts';

/** Depth of expressions, and of calls in calls, that is followed. */
const MAX_DEPTH = 250;
const MAX_ITEMS = 24;

/** Runs statements. `returned`: a `return` certainly ended them. */
export function runBlock(block: Block, m: Machine): { value: Value | undefined; returned: boolean } {
  let value: Value | undefined;
  // Functions and classes may stand behind their use.
  for (const statement of block) if (statement.t === 'def' || statement.t === 'class') declare(statement, m);
  for (const statement of block) {
    if (statement.t === 'return') {
      const given = statement.value ? evaluate(statement.value, m) : NONE;
      return { value: value ? either(value, given) : given, returned: true };
    }
    const inner = runStatement(statement, m);
    if (inner.value) value = value ? either(value, inner.value) : inner.value;
    if (inner.returned) return { value, returned: true };
  }
  return { value, returned: false };
}

function declare(statement: Stmt & { t: 'def' | 'class' }, m: Machine): void {
  if (statement.t === 'def') {
    const value: Value = { fn: { params: statement.params, body: statement.body, scope: m.scope, called: false }, marks: 0 };
    m.scope.vars.set(statement.name, value);
    m.functions.push({ name: statement.name, value });
    return;
  }
  const scope: Scope = { vars: new Map(), parent: m.scope, own: true };
  m.scope.vars.set(statement.name, { type: `class ${statement.name}`, fields: scope.vars, marks: 0 });
  const before = m.scope;
  m.scope = scope;
  runBlock(statement.body, m);
  m.scope = before;
}

type Outcome = { value: Value | undefined; returned: boolean };
const DONE: Outcome = { value: undefined, returned: false };

function runStatement(statement: Stmt, m: Machine): Outcome {
  switch (statement.t) {
    case 'expr': {
      const value = evaluate(statement.value, m);
      // The last value of a body is what it gives in Ruby and Perl.
      if (m.language.name === 'ruby' || m.language.name === 'perl') m.scope.vars.set('*last', value);
      return DONE;
    }
    case 'import':
      for (const { name, as } of statement.names) {
        const from = statement.from.replace(/^node:/, '');
        if (name === '*') m.scope.vars.set(`*from ${from}`, ref(from));
        else
          m.scope.vars.set(
            as,
            name === '*module' ? moduleRef(from, as) : (m.language.constant(`${from}.${name}`, m) ?? ref(`${from}.${name}`)),
          );
      }
      return DONE;
    case 'for':
      return loop(statement.target, evaluate(statement.over, m), () => runBlock(statement.body, m), m);
    case 'block': {
      for (const head of statement.heads) {
        evaluate(head, m);
      }
      const looped = m.looped;
      m.looped ||= statement.looped === true;
      let value: Value | undefined;
      let returned = false;
      for (const body of statement.bodies) {
        const outcome = statement.sure ? runBlock(body, m) : unsure(m, () => runBlock(body, m));
        if (outcome.value) value = value ? either(value, outcome.value) : outcome.value;
        if (outcome.returned && statement.sure) returned = true;
      }
      m.looped = looped;
      return { value, returned };
    }
    default:
      return DONE;
  }
}

/** `import os.path` binds `os`; with an alias the module itself. */
const moduleRef = (from: string, as: string): Value => ref(from.includes('.') && from.split('.')[0] === as ? as : from);

/** Work that may not happen: its effects are uncertain, and what it assigns is one of two values. */
function unsure<T>(m: Machine, work: () => T): T {
  const certain = m.certain;
  m.certain = false;
  const result = work();
  m.certain = certain;
  return result;
}

/** A body for each item of what is looped over. */
function loop(target: Expr, over: Value, body: () => Outcome, m: Machine): Outcome {
  const items = over.parts === undefined || over.others ? each(over) : [elementOf(over)];
  const looped = m.looped;
  const certain = m.certain;
  m.looped = true;
  let result: Outcome = DONE;
  const turns = items.length === 0 && !over.items ? [elementOf(over)] : m.budget > 0 ? items.slice(0, MAX_ITEMS) : items.slice(0, 1);
  if (items.length > MAX_ITEMS) m.certain = false;
  turns.forEach((item) => {
    m.budget--;
    assign(target, item.parts === undefined && !item.items && !item.fields && !item.fn ? elementOf(item) : item, m, true);
    const outcome = body();
    if (outcome.value) result = { value: outcome.value, returned: false };
  });
  m.looped = looped;
  m.certain = certain;
  return result;
}

/** An item of something that is no list here: a glob stands for its matches; else only its origin is known. */
function elementOf(value: Value): Value {
  if (value.type === 'Walk')
    return { items: [value.of ?? UNKNOWN, { items: [], marks: 0 }, { items: [hole('name')], marks: 0 }], marks: 0 };
  if (value.parts?.some((part) => part.kind === 'glob')) return value;
  if (value.type === 'File' && value.of) return { ...hole('line'), ...fileMarks(value.of) };
  return { ...hole('item'), ...sources(value) };
}

const fileMarks = (path: Value): Pick<Value, 'marks' | 'reads'> => ({ marks: Mark.read, reads: [wordIn(path)] });

/** Gives a name its value. `fresh`: whatever was there before. */
export function assign(target: Expr, value: Value, m: Machine, fresh = false): void {
  switch (target.t) {
    case 'name':
      setName(target.name, value, m, fresh);
      return;
    case 'assign':
      assign(target.target, value, m, fresh);
      return;
    case 'list':
      target.items.forEach((item, i) => {
        const part = value.items ? (value.items[i] ?? UNKNOWN) : { ...hole('item'), ...sources(value) };
        assign(item, part, m, fresh);
      });
      return;
    case 'dict':
      for (const { key, value: inner } of target.entries) {
        const name = key && key.t === 'str' && typeof key.parts[0] === 'string' ? key.parts[0] : undefined;
        if (name === undefined) continue;
        assign(inner, member(value, name, m), m, fresh);
      }
      return;
    case 'attr': {
      const owner = evaluate(target.of, m);
      owner.fields?.set(target.name, value);
      if (target.name === 'exports') noteUse(value, m);
      return;
    }
    case 'index': {
      const owner = evaluate(target.of, m);
      const key = textIn(evaluate(target.at, m));
      if (key !== undefined && owner.fields && owner.fields.size < 1000) owner.fields.set(key, value);
      return;
    }
    case 'many':
      for (const item of target.items) assign(item, value, m, fresh);
      return;
    default:
      evaluate(target, m);
  }
}

function setName(name: string, value: Value, m: Machine, fresh: boolean): void {
  let scope: Scope = m.scope;
  if (!scope.own)
    for (let at: Scope | undefined = scope; at; at = at.parent) {
      if (at.vars.has(name)) {
        scope = at;
        break;
      }
      if (at.own) break;
    }
  const before = scope.vars.get(name);
  scope.vars.set(name, before && !m.certain && !fresh && !before.fn && before.ref === undefined ? either(before, value) : value);
}

function lookup(name: string, m: Machine): Value | undefined {
  for (let scope: Scope | undefined = m.scope; scope; scope = scope.parent) {
    const value = scope.vars.get(name);
    if (value) return value;
  }
  return undefined;
}

/** The value of an expression. */
export function evaluate(expr: Expr, m: Machine): Value {
  if (m.depth >= MAX_DEPTH) {
    m.limited = true;
    return UNKNOWN;
  }
  m.depth++;
  const value = valueIn(expr, m);
  m.depth--;
  return value;
}

function valueIn(expr: Expr, m: Machine): Value {
  switch (expr.t) {
    case 'str':
      return textOfParts(expr.parts, m);
    case 'num':
      return num(expr.value);
    case 'name':
      return named(expr.name, m);
    case 'attr':
      return member(evaluate(expr.of, m), expr.name, m);
    case 'index':
      return indexed(evaluate(expr.of, m), evaluate(expr.at, m), m);
    case 'call':
      return called(expr.fn, expr.args, m);
    case 'list': {
      if (expr.items.length === 1 && expr.items[0]!.t === 'each') return evaluate(expr.items[0]!, m);
      return { items: expr.items.slice(0, 5000).map((item) => evaluate(item, m)), marks: 0 };
    }
    case 'dict': {
      const fields = new Map<string, Value>();
      const loose: Value[] = [];
      for (const { key, value } of expr.entries) {
        const name = key && textIn(evaluate(key, m));
        const inner = evaluate(value, m);
        if (name !== undefined) fields.set(name, inner);
        else loose.push(inner);
      }
      // A set, or Lua's list.
      if (fields.size === 0 && loose.length > 0) return { items: loose, marks: 0 };
      return { fields, marks: 0 };
    }
    case 'op':
      return operation(expr.op, expr.items, m);
    case 'either': {
      evaluate(expr.test, m);
      return unsure(m, () => either(evaluate(expr.yes, m), evaluate(expr.no, m)));
    }
    case 'assign': {
      const given = evaluate(expr.value, m);
      let value = given;
      if (expr.op === '+=' || expr.op === '.=' || expr.op === '<<') {
        const before = evaluate(expr.target, m);
        value = before.items
          ? { items: [...before.items, ...(given.items ?? [given])].slice(0, 5000), marks: before.marks | given.marks }
          : concat([before, given]);
      } else if (expr.op === '||=' || expr.op === '??=' || expr.op === '//=') value = either(evaluate(expr.target, m), given);
      assign(expr.target, value, m, value !== given);
      return value;
    }
    case 'fn': {
      const value: Value = { fn: { params: expr.params, body: expr.body, scope: m.scope, called: false }, marks: 0 };
      return value;
    }
    case 'shell': {
      const line = textOfParts(expr.parts, m);
      runsText(m, line, 'shell', '`…`');
      return { ...hole('output'), marks: sources(line).marks };
    }
    case 'regex': {
      if (expr.runs) evaluate(expr.runs, m);
      if (expr.to) setName('$_', { ...named('$_', m), marks: named('$_', m).marks | Mark.replaced }, m, true);
      return UNKNOWN;
    }
    case 'each': {
      const results: Value[] = [];
      const turn = (at: number): void => {
        const next = expr.loops[at];
        if (!next) {
          results.push(evaluate(expr.value, m));
          return;
        }
        loop(
          next.target,
          evaluate(next.over, m),
          () => {
            turn(at + 1);
            return DONE;
          },
          m,
        );
      };
      turn(0);
      return { items: results.slice(0, 5000), marks: 0 };
    }
    case 'glob':
      return globbed(textOfParts(expr.parts, m));
    case 'many': {
      let last: Value = UNKNOWN;
      for (const item of expr.items) last = evaluate(item, m);
      return last;
    }
  }
}

const HOLE = /\ue000(\d+)\ue001/;

/** Text with what is put in. Holes of the command line stand in it as marks. */
function textOfParts(parts: readonly (string | Expr)[], m: Machine): Value {
  if (parts.length === 1 && typeof parts[0] === 'string' && !parts[0].includes('\ue000')) return text(parts[0]);
  const values: Value[] = [];
  for (const part of parts) {
    if (typeof part !== 'string') {
      values.push(evaluate(part, m));
      continue;
    }
    part.split(HOLE).forEach((piece, i) => {
      if (i % 2 === 1) values.push(m.holes[Number(piece)] ?? hole('value'));
      else if (piece !== '') values.push(text(piece));
    });
  }
  return concat(values.map((value) => (value.type === 'Path' ? { ...value, type: undefined } : value)));
}

function named(name: string, m: Machine): Value {
  const value = lookup(name, m);
  if (value) {
    if (value.fn) m.used.add(name);
    return value;
  }
  const mark = HOLE.exec(name);
  if (mark) return m.holes[Number(mark[1])] ?? hole('value');
  return m.language.constant(name, m) ?? ref(starred(name, m) ?? name);
}

/** `from os import *`. */
function starred(name: string, m: Machine): string | undefined {
  let scope: Scope | undefined = m.scope;
  while (scope?.parent) scope = scope.parent;
  for (const key of scope?.vars.keys() ?? []) {
    if (!key.startsWith('*from ')) continue;
    const full = `${key.slice(6)}.${name}`;
    if (m.language.calls[m.language.canonical(full)]) return full;
  }
  return undefined;
}

/** A member of a value, without calling it. */
export function member(of: Value, name: string, m: Machine): Value {
  if (of.ref !== undefined) {
    const full = `${of.ref}.${name}`;
    return m.language.constant(m.language.canonical(full), m) ?? ref(full);
  }
  const field = of.fields?.get(name);
  if (field) return field.fn && of.type ? { ...field, fn: { ...field.fn, self: of } } : field;
  if (of.type === 'Environment') return environment(m, name);
  if (of.type) {
    const constant = m.language.constant(`${of.type}#${name}`, m);
    if (constant) return { ...constant, ...(constant.parts ? {} : {}), of };
    const handler = m.language.methods[`${of.type}#${name}`];
    if (handler) return handler({ args: [], named: new Map(), self: of, name }, m) ?? UNKNOWN;
  }
  return { ...derived(of), ...(of.parts && (name === 'stdout' || name === 'value') ? { parts: of.parts } : {}), of, type: `.${name}` };
}

function indexed(of: Value, at: Value, m: Machine): Value {
  const key = textIn(at);
  if (key !== undefined) {
    if (of.type === 'Environment') return environment(m, key);
    if (of.ref === 'Dir' && m.language.name === 'ruby') return globbed(at);
    if (of.ref !== undefined) return member(of, key, m);
    const field = of.fields?.get(key);
    if (field) return field;
    if (of.items && /^-?\d+$/.test(key)) return of.items.at(Number(key)) ?? UNKNOWN;
    if (of.type === 'Arguments') return hole('argument', { marks: Mark.input });
  }
  if (of.parts?.some((part) => part.kind === 'glob')) return of;
  if (of.items && of.items.length > 0 && of.items.length < 20) return of.items.slice(1).reduce(either, of.items[0]!);
  return { ...derived(of), ...(of.parts ? hole('item', sources(of)) : {}) };
}

/** Operators on values. */
function operation(op: string, items: readonly Expr[], m: Machine): Value {
  const values = items.map((item) => evaluate(item, m));
  switch (op) {
    case '+':
      if (values.every((value) => value.num !== undefined)) return num(values.reduce((sum, value) => sum + value.num!, 0));
      if (values.some((value) => value.items && value.parts === undefined))
        return { items: values.flatMap((value) => value.items ?? [value]).slice(0, 5000), ...sourcesOf(values) };
      return alternatives(values, concat);
    case '/':
      if (values.some((value) => value.type === 'Path')) return joinPaths(values, m, 'Path');
      return UNKNOWN;
    case '%': {
      const format = values[0]!;
      if (m.language.name === 'python' || m.language.name === 'ruby')
        return formatted(format, values[1]?.items ?? values.slice(1), /%(?:\(\w+\))?[-+0-9.]*[sdrfx]/);
      return UNKNOWN;
    }
    case '*':
    case 'x': {
      const [first, second] = values;
      const piece = textIn(first);
      const times = second?.num ?? Number.NaN;
      if (piece !== undefined && first?.num === undefined && times >= 0 && piece.length * times <= 4096) return text(piece.repeat(times));
      if (first?.items && times > 0) return first;
      return values.every((value) => value.num !== undefined) ? num(values.reduce((product, value) => product * value.num!, 1)) : UNKNOWN;
    }
    case '||':
    case '??':
    case 'or':
    case '//': {
      const first = values[0]!;
      const known = textIn(first);
      if (known !== undefined && known !== '') return first;
      return values.slice(1).reduce(either, first);
    }
    case '&&':
    case 'and':
      return values.at(-1)!;
    case '=~':
      if (items[1]?.t === 'regex' && items[1].to) assign(items[0]!, { ...values[0]!, marks: values[0]!.marks | Mark.replaced }, m, true);
      return UNKNOWN;
    case '|':
      // Flags of an open file.
      return concat(values);
    case '<<':
    case '>>':
    case '|>':
      return derived(...values);
    default:
      return UNKNOWN;
  }
}

const sourcesOf = (values: readonly Value[]): Pick<Value, 'marks' | 'reads' | 'vars'> => {
  const found = derived(...values);
  return { marks: found.marks, ...(found.reads ? { reads: found.reads } : {}), ...(found.vars ? { vars: found.vars } : {}) };
};

/** Joins values of which some may be one of several. */
function alternatives(values: readonly Value[], join: (values: readonly Value[]) => Value): Value {
  const at = values.findIndex((value) => value.others);
  if (at < 0) return join(values);
  const variants = [{ ...values[at]!, others: undefined }, ...values[at]!.others!].slice(0, 4);
  return variants.map((variant) => join(values.map((value, i) => (i === at ? variant : { ...value, others: undefined })))).reduce(either);
}

/** Path parts as one path; an absolute one starts anew. */
export function joinPaths(values: readonly Value[], _m: Machine, type?: string): Value {
  const joined = alternatives(values, (all) => {
    const kept: Value[] = [];
    for (const value of all) {
      const first = value.parts?.[0];
      if (first?.kind === 'text' && first.text.startsWith('/') && kept.length > 0) kept.length = 0;
      if (kept.length > 0) kept.push(text('/'));
      kept.push(value);
    }
    return concat(kept);
  });
  return { ...joined, ...(type ? { type, others: joined.others?.map((other) => ({ ...other, type })) } : {}) };
}

/** A format with its arguments put in. */
export function formatted(format: Value, args: readonly Value[], place: RegExp): Value {
  const known = textIn(format);
  if (known === undefined || known.length > 16_384) return { ...hole('text'), ...sourcesOf([format, ...args]) };
  const values: Value[] = [];
  let next = 0;
  known.split(new RegExp(`(${place.source})`)).forEach((piece, i) => {
    if (i % 2 === 0) values.push(text(piece));
    else values.push(args[next++] ?? hole('value'));
  });
  return concat(values);
}

/** A text whose `*`, `?`, `[…]` are a pattern of file names. */
export function globbed(value: Value): Value {
  const parts = (value.parts ?? []).flatMap((part): readonly Part[] =>
    part.kind === 'text'
      ? part.text
          .split(/([*?]+|\[[^\]/]*\]|\{[^}/]*,[^}/]*\})/)
          .filter((piece) => piece !== '')
          .map((piece) =>
            /^(?:[*?]+|\[[^\]/]*\]|\{.*\})$/.test(piece) ? { kind: 'glob' as const, text: piece } : { kind: 'text' as const, text: piece },
          )
      : [part],
  );
  return { ...value, parts };
}

/** Calls: of known functions, of the program's own, of methods. */
function called(fnExpr: Expr, argExprs: readonly Arg[], m: Machine): Value {
  const self = fnExpr.t === 'attr' ? evaluate(fnExpr.of, m) : fnExpr.t === 'index' ? evaluate(fnExpr.of, m) : undefined;
  const methodName = fnExpr.t === 'attr' ? fnExpr.name : fnExpr.t === 'index' ? textIn(evaluate(fnExpr.at, m)) : undefined;
  const args: Value[] = [];
  const names = new Map<string, Value>();
  for (const arg of argExprs) {
    const value = evaluate(arg.value, m);
    if (arg.spread) {
      if (value.items) args.push(...value.items.slice(0, 100));
      else if (value.fields) for (const [key, field] of value.fields) names.set(key, field);
      else args.push(value);
    } else if (arg.name !== undefined) names.set(arg.name, value);
    else args.push(value);
  }
  if (self !== undefined && methodName !== undefined) {
    const variants = self.others && self.ref === undefined ? [{ ...self, others: undefined }, ...self.others] : [self];
    const results = variants.map((one) => method(one, methodName, args, names, m));
    return results.reduce(either);
  }
  return apply(evaluate(fnExpr, m), args, names, m);
}

/** A value called as a function. */
export function apply(fn: Value, args: readonly Value[], names: ReadonlyMap<string, Value>, m: Machine): Value {
  if (fn.fn) return callOwn(fn, args, m, names);
  if (fn.ref !== undefined) {
    const name = m.language.canonical(fn.ref);
    const handler = Object.hasOwn(m.language.calls, name) ? m.language.calls[name] : undefined;
    if (handler) {
      const result = handler({ args, named: names, self: fn.of, name }, m);
      if (result) return result;
    } else {
      const cut = name.lastIndexOf('.');
      const loose = cut > 0 && Object.hasOwn(m.language.loose, name.slice(cut + 1)) ? m.language.loose[name.slice(cut + 1)] : undefined;
      if (loose) return loose({ args, named: names, self: ref(name.slice(0, cut)), name: name.slice(cut + 1) }, m) ?? UNKNOWN;
      if (cut > 0 && isCallback(name.slice(cut + 1)) && args.some((arg) => arg.fn)) {
        for (const arg of args)
          if (arg.fn)
            unsure(m, () =>
              callOwn(
                arg,
                arg.fn!.params.map((param) => hole(param || 'value')),
                m,
              ),
            );
        return derived(...args);
      }
    }
    handOn([...args, ...names.values()], m);
    return { ...derived(...args, ...names.values()), type: `of ${name}` };
  }
  if (fn.type?.startsWith('class ')) {
    const made: Value = { fields: new Map(fn.fields), type: `instance ${fn.type.slice(6)}`, marks: 0 };
    const init =
      fn.fields?.get('__init__') ?? fn.fields?.get('constructor') ?? fn.fields?.get('initialize') ?? fn.fields?.get('__construct');
    if (init?.fn) callOwn({ ...init, fn: { ...init.fn, self: made } }, args, m, names);
    return made;
  }
  handOn(args, m);
  return derived(fn, ...args);
}

const isCallback = (name: string): boolean => /^(?:then|catch|finally|on|once|map|forEach|each|filter|nextTick)$/.test(name);

/** A method of a value. */
function method(self: Value, name: string, args: readonly Value[], names: ReadonlyMap<string, Value>, m: Machine): Value {
  if (self.ref !== undefined) {
    const dynamic = dynamicMember(self, name, args, m);
    if (dynamic) return dynamic;
    return apply(member(self, name, m), args, names, m);
  }
  const call: Called = { args, named: names, self, name };
  const field = self.fields?.get(name);
  if (field?.fn) return callOwn({ ...field, fn: { ...field.fn, self } }, args, m, names);
  if (field) return apply(field, args, names, m);
  if (self.type) {
    if (self.type.startsWith('class ') && (name === 'new' || name === 'call')) return apply(self, args, names, m);
    const handler = Object.hasOwn(m.language.methods, `${self.type}.${name}`) ? m.language.methods[`${self.type}.${name}`] : undefined;
    const result = handler?.(call, m);
    if (result) return result;
  }
  if (self.fn && (name === 'call' || name === 'apply' || name === 'bind' || name === '()'))
    return callOwn(self, name === 'call' && m.language.name === 'js' ? args.slice(1) : args, m, names);
  const common = textMethod(call, m);
  if (common) return common;
  if (Object.hasOwn(m.language.loose, name) && self.items === undefined) {
    const result = m.language.loose[name]!(call, m);
    if (result) return result;
  }
  handOn([...args, ...names.values()], m);
  return { ...derived(self, ...args), of: self, type: `.${name}` };
}

/** `File.send(:unlink, x)`, `fs.rmSync.call(fs, x)`. */
function dynamicMember(self: Value, name: string, args: readonly Value[], m: Machine): Value | undefined {
  if (name === 'send' || name === 'public_send' || name === '__send__' || name === 'method' || name === 'const_get') {
    const target = textIn(args[0]);
    if (target === undefined || m.language.name !== 'ruby') return undefined;
    const found =
      name === 'const_get'
        ? ref(self.ref === 'Object' || self.ref === 'Kernel' ? target : `${self.ref}.${target}`)
        : member(self, target, m);
    return name === 'method' || name === 'const_get' ? found : apply(found, args.slice(1), new Map(), m);
  }
  if (m.language.name === 'js' && (name === 'call' || name === 'bind'))
    return name === 'bind' ? self : apply(self, args.slice(1), new Map(), m);
  if (m.language.name === 'js' && name === 'apply') return apply(self, args[1]?.items ?? [], new Map(), m);
  return undefined;
}

/** Functions that are handed to something unknown may be called by it. */
function handOn(args: readonly Value[], m: Machine): void {
  for (const arg of args) {
    if (arg.fn) {
      if (arg.fn.called || m.budget <= 0) continue;
      unsure(m, () =>
        callOwn(
          arg,
          arg.fn!.params.map((param) => hole(param || 'value')),
          m,
        ),
      );
    } else if (arg.fields) noteUse(arg, m);
  }
}

function noteUse(value: Value, m: Machine): void {
  for (const { name, value: known } of m.functions) if (known === value || value.fields?.get(name) === known) m.used.add(name);
}

/** Calls a function of the program itself. */
export function callOwn(value: Value, args: readonly Value[], m: Machine, names: ReadonlyMap<string, Value> = new Map()): Value {
  const fn = value.fn as Func;
  if (m.budget <= 0 || depthOf(m) > 8) {
    if (m.budget <= 0) m.limited = true;
    return UNKNOWN;
  }
  m.budget -= 5;
  fn.called = true;
  for (const known of m.functions) if (known.value.fn?.body === fn.body) known.value.fn.called = true;
  const before = m.scope;
  const vars = new Map<string, Value>();
  const python = m.language.name === 'python';
  const selfFirst = python && fn.self !== undefined;
  const given = selfFirst ? [fn.self!, ...args] : args;
  fn.params.forEach((param, i) => {
    if (param !== '' && param !== 'self') vars.set(param, names.get(param) ?? given[i] ?? hole(param));
    else if (param === 'self') vars.set(param, given[i] ?? UNKNOWN);
  });
  if (fn.self && !python) vars.set('this', fn.self).set('$this', fn.self).set('self', fn.self);
  vars.set('$_args', { items: [...args], marks: 0 });
  if (m.language.name === 'perl' && !vars.has('$_')) vars.set('@_', { items: [...args], marks: 0 });
  vars.set('arguments', { items: [...args], marks: 0 });
  m.scope = { vars, parent: fn.scope, own: python };
  nested.set(m, depthOf(m) + 1);
  const outcome = runBlock(fn.body, m);
  nested.set(m, depthOf(m) - 1);
  const last = m.scope.vars.get('*last');
  m.scope = before;
  return outcome.value ?? last ?? UNKNOWN;
}

const nested = new WeakMap<Machine, number>();
const depthOf = (m: Machine): number => nested.get(m) ?? 0;
