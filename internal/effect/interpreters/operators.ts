/** Operators on values: joining texts and paths, formats, file patterns. */
import type { Part } from '../../shell/word.ts';
import type { Expr } from './ast.ts';
import { evaluate } from './evaluate.ts';
import type { Machine } from './machine.ts';
import { assign } from './names.ts';
import { concat, derived, either, hole, Mark, num, text, textIn, UNKNOWN, type Value } from './value.ts';

/** Operators on values. */
export function operation(op: string, items: readonly Expr[], m: Machine): Value {
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
