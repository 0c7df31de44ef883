/** Names, members and indexes: what they are known to be, and what they are given. */
import type { Expr } from './ast.ts';
import { noteUse } from './calls.ts';
import { evaluate } from './evaluate.ts';
import { environment, type Machine } from './machine.ts';
import { globbed } from './operators.ts';
import { derived, either, hole, Mark, ref, type Scope, sources, textIn, UNKNOWN, type Value } from './value.ts';

/** Work that may not happen: its effects are uncertain, and what it assigns is one of two values. */
export function unsure<T>(m: Machine, work: () => T): T {
  const certain = m.certain;
  m.certain = false;
  const result = work();
  m.certain = certain;
  return result;
}

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

export function setName(name: string, value: Value, m: Machine, fresh: boolean): void {
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

export const HOLE = /\ue000(\d+)\ue001/;

export function named(name: string, m: Machine): Value {
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
  for (const module of m.stars) {
    const full = `${module}.${name}`;
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
  // How long a text is says nothing of what is in it.
  if (name === 'length' && m.language.name === 'js') return UNKNOWN;
  return { ...derived(of), ...(of.parts && (name === 'stdout' || name === 'value') ? { parts: of.parts } : {}), of, type: `.${name}` };
}

export function indexed(of: Value, at: Value, m: Machine): Value {
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
  if (of.type === 'Environment') return of;
  if (of.parts?.some((part) => part.kind === 'glob')) return of;
  if (of.items && of.items.length > 0 && of.items.length < 20) return of.items.slice(1).reduce(either, of.items[0]!);
  return { ...derived(of), ...(of.parts ? hole('item', sources(of)) : {}) };
}
