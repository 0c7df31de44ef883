/** The part of TOML that manifests are written in: all of it but exact dates and numbers, which nobody asks for here. Never throws. */

export interface TomlDocument {
  value: Readonly<Record<string, unknown>>;
  /** The line of a table or key, counted from 1; by its path. */
  line(...path: readonly string[]): number | undefined;
}

type Table = Record<string, unknown>;

interface Cursor {
  text: string;
  i: number;
}

class Unreadable extends Error {}

const MAX_DEPTH = 40;

/** Reads a document; undefined when it is no TOML. */
export function readToml(text: string): TomlDocument | undefined {
  const at: Cursor = { text: text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'), i: 0 };
  const root: Table = {};
  const places = new Map<string, number>();
  let table = root;
  let prefix: readonly string[] = [];
  try {
    for (;;) {
      blank(at, true);
      if (at.i >= at.text.length) break;
      const line = lineAt(at);
      if (at.text[at.i] === '[') {
        const list = at.text[at.i + 1] === '[';
        at.i += list ? 2 : 1;
        prefix = keyPath(at);
        expect(at, list ? ']]' : ']');
        table = list ? appended(root, prefix) : tableAt(root, prefix);
        if (!places.has(prefix.join('\n'))) places.set(prefix.join('\n'), line);
      } else {
        const path = keyPath(at);
        expect(at, '=');
        const given = value(at, 0);
        assign(tableAt(table, path.slice(0, -1)), path.at(-1) as string, given);
        for (let end = 1; end <= path.length; end++) {
          const key = [...prefix, ...path.slice(0, end)].join('\n');
          if (end === path.length || !places.has(key)) places.set(key, line);
        }
      }
      blank(at, false);
      if (at.i < at.text.length && at.text[at.i] !== '\n') throw new Unreadable();
    }
    return { value: root, line: (...path) => places.get(path.join('\n')) };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const lineAt = (at: Cursor): number => at.text.slice(0, at.i).split('\n').length;

/** Over white space and comments. */
function blank(at: Cursor, newlines: boolean): void {
  for (; at.i < at.text.length; at.i++) {
    const char = at.text[at.i];
    if (char === '#') {
      while (at.i < at.text.length && at.text[at.i] !== '\n') at.i++;
      at.i--;
    } else if (!(char === ' ' || char === '\t' || (newlines && char === '\n'))) return;
  }
}

function expect(at: Cursor, text: string): void {
  blank(at, false);
  if (!at.text.startsWith(text, at.i)) throw new Unreadable();
  at.i += text.length;
}

function keyPath(at: Cursor): string[] {
  const path: string[] = [];
  for (;;) {
    blank(at, false);
    const char = at.text[at.i];
    if (char === '"' || char === "'") path.push(string(at));
    else {
      const bare = /[\w-]+/y;
      bare.lastIndex = at.i;
      const match = bare.exec(at.text);
      if (!match) throw new Unreadable();
      path.push(match[0]);
      at.i += match[0].length;
    }
    blank(at, false);
    if (path.length > MAX_DEPTH) throw new Unreadable();
    if (at.text[at.i] !== '.') return path;
    at.i++;
  }
}

const assign = (into: Table, key: string, given: unknown): void => {
  Object.defineProperty(into, key, { value: given, enumerable: true, writable: true, configurable: true });
};

/** The table at a path, made where it is missing; of a list of tables the last one. */
function tableAt(root: Table, path: readonly string[]): Table {
  let table = root;
  for (const key of path) {
    if (!Object.hasOwn(table, key)) assign(table, key, {});
    const next = table[key];
    const inner = Array.isArray(next) ? next.at(-1) : next;
    if (typeof inner !== 'object' || inner === null) throw new Unreadable();
    table = inner as Table;
  }
  return table;
}

function appended(root: Table, path: readonly string[]): Table {
  const parent = tableAt(root, path.slice(0, -1));
  const key = path.at(-1) as string;
  if (!Object.hasOwn(parent, key)) assign(parent, key, []);
  const list = parent[key];
  if (!Array.isArray(list)) throw new Unreadable();
  const made: Table = {};
  list.push(made);
  return made;
}

function value(at: Cursor, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Unreadable();
  blank(at, false);
  const char = at.text[at.i];
  if (char === '"' || char === "'") return string(at);
  if (char === '[') return list(at, depth);
  if (char === '{') return inline(at, depth);
  const bare = /[^\s,\]}#]+(?: \d\d:[\d:.]+\S*)?/y;
  bare.lastIndex = at.i;
  const match = bare.exec(at.text);
  if (!match) throw new Unreadable();
  at.i += match[0].length;
  if (match[0] === 'true' || match[0] === 'false') return match[0] === 'true';
  const number = Number(match[0].replaceAll('_', ''));
  return Number.isNaN(number) ? match[0] : number;
}

function list(at: Cursor, depth: number): unknown[] {
  const items: unknown[] = [];
  at.i++;
  for (;;) {
    blank(at, true);
    if (at.text[at.i] === ']') break;
    items.push(value(at, depth + 1));
    blank(at, true);
    if (at.text[at.i] === ',') at.i++;
    else if (at.text[at.i] !== ']') throw new Unreadable();
  }
  at.i++;
  return items;
}

function inline(at: Cursor, depth: number): Table {
  const made: Table = {};
  at.i++;
  for (;;) {
    blank(at, true);
    if (at.text[at.i] === '}') break;
    const path = keyPath(at);
    expect(at, '=');
    assign(tableAt(made, path.slice(0, -1)), path.at(-1) as string, value(at, depth + 1));
    blank(at, true);
    if (at.text[at.i] === ',') at.i++;
    else if (at.text[at.i] !== '}') throw new Unreadable();
  }
  at.i++;
  return made;
}

/** The four kinds of strings. */
function string(at: Cursor): string {
  const quote = at.text[at.i] as string;
  const long = at.text.startsWith(quote.repeat(3), at.i);
  const pattern = long
    ? quote === '"'
      ? /"""\n?((?:[^\\]|\\[\s\S])*?"{0,2})"""(?!")/y
      : /'''\n?([\s\S]*?'{0,2})'''(?!')/y
    : quote === '"'
      ? /"((?:[^"\\\n]|\\.)*)"/y
      : /'([^'\n]*)'/y;
  pattern.lastIndex = at.i;
  const match = pattern.exec(at.text);
  if (!match) throw new Unreadable();
  at.i += match[0].length;
  const body = match[1] as string;
  return quote === '"' ? unescaped(body) : body;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', e: '\u001b', '"': '"', '\\': '\\' };

const unescaped = (text: string): string =>
  text.replace(
    /\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(\s*\n\s*)|(.))/gs,
    (_all, u: string | undefined, big: string | undefined, end: string | undefined, char: string | undefined) => {
      if (end !== undefined) return '';
      if (u !== undefined || big !== undefined) {
        const code = Number.parseInt((u ?? big) as string, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : '';
      }
      return ESCAPES[char as string] ?? (char as string);
    },
  );
