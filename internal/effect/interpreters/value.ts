/** What an expression is known to be: a text with holes, a list, a module, a function, an object of a known class. */
import type { Part, Word } from '../../shell/word.ts';
import type { FileEffect } from '../types-files.ts';
import type { Block } from './ast.ts';

/** Where a value comes from. Bits, so that they join. */
export const Mark = { read: 1, replaced: 2, net: 4, decoded: 8, input: 16 } as const;

export interface Func {
  params: readonly string[];
  body: Block;
  scope: Scope;
  called: boolean;
  self?: Value;
}

export interface Value {
  /** Text as far as it is known. */
  parts?: readonly Part[];
  items?: readonly Value[];
  fields?: Map<string, Value>;
  /** A module, class or function of the language by its full name. */
  ref?: string;
  fn?: Func;
  /** Class of an object: Path, File, Response, Environment. */
  type?: string;
  /** What the object is about: the path of a file, the receiver of a method. */
  of?: Value;
  /** Union of {@link Mark}. */
  marks: number;
  /** Files whose content is in it. */
  reads?: readonly Word[];
  /** Environment variables whose value is in it. */
  vars?: readonly string[];
  /** URL it was fetched from. */
  url?: string;
  /** Other values it may have instead. */
  others?: readonly Value[];
  /** The write an open file stands for, so that what is written can be told. */
  write?: { -readonly [K in keyof WriteEffect]: WriteEffect[K] };
  num?: number;
}
type WriteEffect = Extract<FileEffect, { kind: 'file.write' }>;

export interface Scope {
  vars: Map<string, Value>;
  parent: Scope | undefined;
  /** Functions look for assigned names here only. */
  own: boolean;
}

export const UNKNOWN: Value = { marks: 0 };
export const NONE: Value = { marks: 0, type: 'None' };

export const text = (value: string): Value => ({ parts: value === '' ? [] : [{ kind: 'text', text: value }], marks: 0 });
export const num = (value: number): Value => ({ num: value, marks: 0 });
export const ref = (name: string): Value => ({ ref: name, marks: 0 });

/** A value only the run knows, with a name for messages. */
export const hole = (shown: string, more: Partial<Value> = {}): Value => ({
  parts: [{ kind: 'hole', text: shown, why: 'variable', ...(/^\w+$/.test(shown) ? { name: shown } : {}) }],
  marks: 0,
  ...more,
});

/** Certain text of a value. */
export function textIn(value: Value | undefined): string | undefined {
  if (!value) return undefined;
  if (value.num !== undefined && value.parts === undefined) return String(value.num);
  if (value.parts === undefined) return undefined;
  let out = '';
  for (const part of value.parts) {
    if (part.kind !== 'text') return undefined;
    out += part.text;
  }
  return out;
}

const MAX_PARTS = 400;
const MAX_TEXT = 64 * 1024;

/** Values one after the other as one text; marks and sources join. */
export function concat(values: readonly Value[]): Value {
  const parts: Part[] = [];
  let length = 0;
  for (const value of values) {
    for (const part of partsIn(value)) {
      const last = parts.at(-1);
      length += part.text.length;
      if (length > MAX_TEXT || parts.length > MAX_PARTS) {
        if (last?.kind !== 'hole') parts.push({ kind: 'hole', text: '…', why: 'variable' });
        continue;
      }
      if (part.kind === 'text' && last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + part.text };
      else parts.push(part);
    }
  }
  return { parts, ...joined(values) };
}

/** The parts of a value as text: a hole when it is none. */
export function partsIn(value: Value): readonly Part[] {
  if (value.parts) return value.parts;
  if (value.num !== undefined) return [{ kind: 'text', text: String(value.num) }];
  if (value.items)
    return value.items
      .flatMap((item, i) => (i === 0 ? partsIn(item) : [{ kind: 'text' as const, text: ',' }, ...partsIn(item)]))
      .slice(0, 100);
  if (value.of && (value.type === 'File' || value.type === 'Temp')) return partsIn(value.of);
  return [{ kind: 'hole', text: value.ref ?? 'value', why: 'variable' }];
}

/** Marks and sources of several values. */
export function joined(values: readonly Value[]): Pick<Value, 'marks' | 'reads' | 'vars' | 'url'> {
  let marks = 0;
  let reads: Word[] | undefined;
  let vars: string[] | undefined;
  let url: string | undefined;
  for (const value of values) {
    marks |= value.marks;
    if (value.reads) reads = [...(reads ?? []), ...value.reads].slice(0, 20);
    if (value.vars) vars = [...(vars ?? []), ...value.vars].slice(0, 20);
    url ??= value.url;
  }
  return { marks, ...(reads ? { reads } : {}), ...(vars ? { vars } : {}), ...(url ? { url } : {}) };
}

/** All marks inside a value, lists and objects included. */
export function sources(value: Value, depth = 0): Pick<Value, 'marks' | 'reads' | 'vars' | 'url'> {
  if (depth > 4) return { marks: 0 };
  const inner = [
    ...(value.items ?? []),
    ...(value.fields ? [...value.fields.values()] : []),
    ...(value.others ?? []),
    ...(value.of ? [value.of] : []),
  ].slice(0, 50);
  if (inner.length === 0) return joined([value]);
  return joined([value, ...inner.map((item) => ({ ...sources(item, depth + 1) }))]);
}

/** A value that keeps only where it comes from. */
export const derived = (...values: readonly Value[]): Value => {
  const found = joined(values.map((value) => sources(value)));
  return found.marks === 0 && !found.vars && !found.reads ? UNKNOWN : { ...found };
};

/** A value as a word of a command. */
export function wordIn(value: Value): Word {
  const parts = partsIn(value);
  return { parts, raw: parts.map((part) => (part.kind === 'hole' ? `{${part.name ?? part.text}}` : part.text)).join('') };
}

/** The single values of a list, of alternatives, or of the value itself; at most 200. */
export function each(value: Value, depth = 0): Value[] {
  if (depth > 3) return [value];
  const all = value.others ? [{ ...value, others: undefined }, ...value.others] : [value];
  return all
    .flatMap((one) => (one.items && one.parts === undefined ? one.items.flatMap((item) => each(item, depth + 1)) : [one]))
    .slice(0, 200);
}

/** One of two values. */
export function either(a: Value, b: Value): Value {
  if (a === b) return a;
  const ta = textIn(a);
  if (ta !== undefined && ta === textIn(b)) return a;
  const all = [a, b].flatMap((value) => [{ ...value, others: undefined }, ...(value.others ?? [])]).slice(0, 6);
  return { ...all[0]!, others: all.slice(1) };
}
