/** Methods of texts and lists that every language has, under their many names. */
import { Limit } from './ast.ts';
import { kept } from './choose.ts';
import type { Called, Machine } from './machine.ts';
import { concat, derived, each, hole, Mark, sources, text, textIn, UNKNOWN, type Value } from './value.ts';

const SAME = new Set(
  'encode decode strip trim trimEnd trimStart rstrip lstrip chomp chop toString to_s to_str to_sym toJSON valueOf freeze dup clone copy expandtabs force_encoding unicode_normalize normalize await utf8 as_posix to_path fspath __str__ __fspath__ b'.split(
    ' ',
  ),
);
const REPLACE = new Set('replace replaceAll sub gsub sub! gsub! tr translate removeprefix removesuffix str_replace'.split(' '));
const LOOPS = new Set(
  'forEach each map flatMap filter each_with_index each_entry select reject collect some every find find_all reduce each_slice each_line times tap then'.split(
    ' ',
  ),
);
const LIMIT = 64 * 1024;

/** The value of a common method; undefined when it is none. */
export function textMethod(call: Called, m: Machine): Value | undefined {
  const { self, name, args } = call;
  if (!self) return undefined;
  const fn =
    args.find((arg) => arg.fn) ??
    (call.named.get('&')?.fn ? call.named.get('&') : undefined) ??
    (args.length === 1 && args[0]!.ref !== undefined ? args[0] : undefined);
  if (fn && LOOPS.has(name)) return overEach(self, fn, name, m);
  if (self.items && self.parts === undefined) return listMethod(self, name, args, m);
  if (name === 'join' && self.parts !== undefined && args[0]) return joinedBy(each(args[0]), textIn(self) ?? '');
  if (REPLACE.has(name)) return replaced(self, name, args);
  if (self.parts === undefined) return undefined;
  if (SAME.has(name)) return name === 'strip' || name === 'trim' || name === 'chomp' ? trimmed(self, args) : self;
  const known = textIn(self);
  switch (name) {
    case 'lower':
    case 'toLowerCase':
    case 'downcase':
      return known === undefined ? self : { ...self, ...text(known.toLowerCase()) };
    case 'upper':
    case 'toUpperCase':
    case 'upcase':
      return known === undefined ? self : { ...self, ...text(known.toUpperCase()) };
    case 'reverse':
      return known === undefined ? { ...hole('text'), ...sources(self) } : text([...known].reverse().join(''));
    case 'concat':
      return concat([self, ...args]);
    case 'format':
    case 'format_map':
      return pythonFormat(self, args, call.named);
    case 'split':
    case 'splitlines':
    case 'lines':
    case 'words':
      return splitted(self, args[0]);
    case 'slice':
    case 'substring':
    case 'substr': {
      const from = args[0]?.num;
      if (known !== undefined && from !== undefined && known.length < LIMIT)
        return text(
          name === 'substr'
            ? known.slice(from, args[1]?.num === undefined ? undefined : from + args[1].num)
            : known.slice(from, args[1]?.num),
        );
      return { ...hole('text'), ...sources(self) };
    }
    case 'startswith':
    case 'endswith':
    case 'startsWith':
    case 'endsWith':
    case 'includes':
    case 'match':
    case 'test':
      return UNKNOWN;
    default:
      return undefined;
  }
}

/** A function for each item. */
function overEach(self: Value, fn: Value, name: string, m: Machine): Value {
  if (name === 'then' || name === 'tap') return m.call(fn, [self]);
  const items = self.items
    ? each(self).slice(0, 24)
    : self.parts?.some((part) => part.kind === 'glob')
      ? [self]
      : [{ ...hole('item'), ...sources(self) }];
  if (m.budget < 0) throw new Limit('too many calls');
  const results = items.map((item) => m.call(fn, [item]));
  if (name === 'map' || name === 'flatMap' || name === 'collect') return { items: results, marks: 0 };
  const filters = name === 'filter' || name === 'select' || name === 'find_all';
  return filters && fn.fn && self.parts ? kept(self, fn.fn.params, fn.fn.body, m) : self;
}

function listMethod(self: Value, name: string, args: readonly Value[], _m: Machine): Value | undefined {
  const items = self.items as Value[];
  switch (name) {
    case 'join':
      return joinedBy(items, textIn(args[0]) ?? (args.length === 0 ? '' : ' '));
    case 'append':
    case 'push':
    case 'add':
    case '<<':
      if (items.length < 5000) items.push(...args);
      return self;
    case 'extend':
      if (items.length < 5000) items.push(...(args[0]?.items ?? args));
      return self;
    case 'concat':
      return { items: [...items, ...args.flatMap((arg) => arg.items ?? [arg])], marks: self.marks };
    case 'reverse':
    case 'reversed':
      return { items: [...items].reverse(), marks: self.marks };
    case 'shift':
    case 'first':
    case 'popleft':
      return items[0] ?? UNKNOWN;
    case 'pop':
    case 'last':
      return items.at(-1) ?? UNKNOWN;
    case 'slice':
      return { items: items.slice(args[0]?.num ?? 0, args[1]?.num), marks: self.marks };
    case 'sort':
    case 'sorted':
    case 'uniq':
    case 'compact':
    case 'flat':
    case 'flatten':
    case 'values':
    case 'to_a':
    case 'filter':
    case 'select':
      return self;
    default:
      return undefined;
  }
}

/** Texts with a separator between them. */
export function joinedBy(items: readonly Value[], separator: string): Value {
  return concat(items.flatMap((item, i) => (i === 0 || separator === '' ? [item] : [text(separator), item])));
}

/** Replacing: exact for plain texts, else only its mark. */
export function replaced(self: Value, name: string, args: readonly Value[]): Value {
  const known = textIn(self);
  const from = textIn(args[0]);
  const to = textIn(args[1]);
  const found = sources(self);
  const marks = { ...found, marks: found.marks | Mark.replaced };
  if (known !== undefined && from && to !== undefined && known.length < LIMIT && name !== 'tr' && name !== 'translate') {
    const result =
      name === 'sub' || (name === 'replace' && args[0]?.type === 'first') ? known.replace(from, () => to) : known.split(from).join(to);
    if (result.length < LIMIT * 4) return { ...text(result), ...marks };
  }
  return { ...hole('text'), ...marks };
}

function trimmed(self: Value, args: readonly Value[]): Value {
  const known = textIn(self);
  return known === undefined || args.length > 0 ? self : { ...self, ...text(known.trim()), ...sources(self) };
}

function splitted(self: Value, by: Value | undefined): Value {
  const known = textIn(self);
  const separator = by === undefined ? /\s+/ : textIn(by);
  if (known === undefined || separator === undefined || known.length > LIMIT) return { ...derived(self), type: 'List' };
  return {
    items: known
      .split(separator)
      .slice(0, 2000)
      .filter((piece) => by !== undefined || piece !== '')
      .map((piece) => text(piece)),
    marks: self.marks,
  };
}

/** `'{} {name}'.format(…)`. */
function pythonFormat(self: Value, args: readonly Value[], named: ReadonlyMap<string, Value>): Value {
  const known = textIn(self);
  if (known === undefined || known.length > LIMIT) return { ...hole('text'), ...sources(self) };
  let next = 0;
  const values = known.split(/(\{[^{}]*\})/).map((piece, i) => {
    if (i % 2 === 0) return text(piece.replaceAll('{{', '{').replaceAll('}}', '}'));
    const key = piece.slice(1, -1).split(/[:!.[]/)[0]!;
    return named.get(key) ?? (/^\d+$/.test(key) ? args[Number(key)] : key === '' ? args[next++] : undefined) ?? hole(key || 'value');
  });
  return concat(values);
}
