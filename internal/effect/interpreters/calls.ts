/** Calls: of functions a language knows, of the program's own, of methods. */
import type { Arg, Expr } from './ast.ts';
import { evaluate, runBlock } from './evaluate.ts';
import type { Called, Machine } from './machine.ts';
import { member, unsure } from './names.ts';
import { textMethod } from './texts.ts';
import { derived, either, type Func, hole, ref, textIn, UNKNOWN, type Value } from './value.ts';

/** Calls: of known functions, of the program's own, of methods. */
export function called(fnExpr: Expr, argExprs: readonly Arg[], m: Machine): Value {
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
    const cut = name.lastIndexOf('.');
    const handler = Object.hasOwn(m.language.calls, name) ? m.language.calls[name] : undefined;
    if (handler) {
      const result = handler({ args, named: names, self: fn.of, name }, m);
      if (result) return result;
    } else {
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
    // What a client answers is not the login it was made with.
    if (isClient(name.slice(cut + 1), args, names)) return { type: `of ${name}`, marks: 0 };
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

/** Methods that only tell something about a text. */
const ABOUT =
  /^(?:length|size|count|empty\?|nil\?|present\?|blank\?|key\?|has_key\?|include\?|start_with\?|end_with\?|starts[Ww]ith|ends[Ww]ith|includes|isdigit|isalnum|isspace)$/;

/** Names of functions and classes that make a connection or the client of a service. */
const CLIENT =
  /(?:^|_|[a-z])(?:[Cc]onnect|[Cc]onnection|[Pp]ool|[Ee]ngine|[Cc]lient|[Dd]atabase|[Dd]atasource|DataSource)$|^(?:Redis|Sequelize|Octokit|Github|Gitlab|[Kk]nex|neon|postgres|drizzle|mongoose|stripe|Stripe|twilio|from_url|from_dsn|from_uri)$/;
/** Classes that only carry what they are given. */
const CARRIERS = /^(?:Request|Headers|URLSearchParams|FormData|Blob|File|URL|String|Array|Map|Set|Object|Buffer|Response|Error|Exception)$/;
const LOGIN = /^(?:api_?key|apikey|auth|access_?token|token|password|connection_?string|credentials?)$/i;

/** The call makes a client: by its name, or a class that is given a login by name. */
function isClient(name: string, args: readonly Value[], names: ReadonlyMap<string, Value>): boolean {
  if (CLIENT.test(name)) return true;
  if (!/^[A-Z]/.test(name) || CARRIERS.test(name)) return false;
  return [...names.keys(), ...args.flatMap((arg) => [...(arg.fields?.keys() ?? [])])].some((key) => LOGIN.test(key));
}

const isCallback = (name: string): boolean => /^(?:then|catch|finally|on|once|map|forEach|each|filter|nextTick)$/.test(name);

/** A method of a value. */
function method(self: Value, name: string, args: readonly Value[], names: ReadonlyMap<string, Value>, m: Machine): Value {
  if (self.ref !== undefined) {
    if (name === 'then' && args[0] && m.language.name === 'js') return m.call(args[0], [self]);
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
  if (ABOUT.test(name)) return UNKNOWN;
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

export function noteUse(value: Value, m: Machine): void {
  if (m.functions.length > 2_000) return;
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
