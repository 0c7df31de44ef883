/** Paths of Python: joining, `~`, variables, what is absolute. */

import { environment, type Handler, type Machine } from './machine.ts';
import { joinPaths } from './operators.ts';
import { concat, hole, text, textIn, UNKNOWN, type Value } from './value.ts';

export const path: Handler = (call, m) => ({ ...joinPaths(call.args.length > 0 ? call.args : [text('.')], m), type: 'Path' });

export const asPath = (value: Value): Value => ({
  ...value,
  type: 'Path',
  others: value.others?.map((other) => ({ ...other, type: 'Path' })),
});

/** `~` at the start. */
export function expanded(value: Value | undefined, m: Machine): Value {
  const first = value?.parts?.[0];
  if (!value || first?.kind !== 'text' || !/^~(?=\/|$)/.test(first.text)) return value ?? UNKNOWN;
  return { ...value, parts: [{ ...first, text: m.look.home + first.text.slice(1) }, ...value.parts!.slice(1)] };
}

/** An absolute path, as far as the directory is known. */
export const absolute = (value: Value | undefined, m: Machine): Value => {
  const first = value?.parts?.[0];
  if (!value || m.cwd === undefined || (first?.kind === 'text' && first.text.startsWith('/'))) return value ?? UNKNOWN;
  return { ...joinPaths([text(m.cwd), value], m), ...(value.type ? { type: value.type } : {}) };
};

export function environmentOf(key: Value | undefined, otherwise: Value | undefined, m: Machine): Value {
  const name = textIn(key);
  if (name === undefined) return hole('variable');
  const value = environment(m, name);
  return textIn(value) !== undefined || !otherwise || otherwise.type === 'None' ? value : { ...value, others: [otherwise] };
}

export function expandVariables(value: Value | undefined, m: Machine): Value {
  const known = textIn(value);
  if (known === undefined || known.length > 8192) return value ?? UNKNOWN;
  return concat(known.split(/\$\{?(\w+)\}?/).map((piece, i) => (i % 2 === 0 ? text(piece) : environment(m, piece))));
}

export const onSelf =
  (work: (self: Value, m: Machine) => Value): Handler =>
  (call, m) =>
    work(call.self ?? UNKNOWN, m);

export function withSuffix(value: Value | undefined, suffix: Value | undefined): Value {
  const known = textIn(value);
  const tail = textIn(suffix);
  return known !== undefined && tail !== undefined ? text(known.replace(/\.[^./]*$/, '') + tail) : hole('path');
}
