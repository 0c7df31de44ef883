/**
 * The part of YAML that task files are written in: block maps and lists, flow collections, quoted, plain and block scalars, anchors and
 * merge keys. The hook must answer without loading a YAML library. What it cannot read gives nothing, never an error.
 */

/** A document, and the line of each of its keys. */
export interface Document {
  value: unknown;
  /** The line a key stands on, counted from 1; by the path of keys and indexes. */
  line(...path: readonly (string | number)[]): number | undefined;
}

interface Line {
  indent: number;
  text: string;
  no: number;
}

interface State {
  lines: Line[];
  raw: readonly string[];
  at: number;
  places: Map<string, number>;
  anchors: Map<string, unknown>;
}

/** Deeper nesting is no task file. */
const MAX_DEPTH = 40;

/** A text that this part of YAML does not hold. */
class Unreadable extends Error {}

/** Reads the first document; undefined when it uses what is not known here. */
export function readYaml(text: string): Document | undefined {
  const raw = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const from = raw.findIndex((line) => /^---(\s|$)/.test(line));
  const start =
    from !== -1 && raw.slice(0, from).every((line) => line.trim() === '' || line.startsWith('#') || line.startsWith('%')) ? from + 1 : 0;
  const rest = raw.slice(start).findIndex((line) => /^(---|\.\.\.)(\s|$)/.test(line));
  const end = rest === -1 ? raw.length : start + rest;
  const lines = raw
    .slice(start, end)
    .map((line, index) => ({ indent: line.length - line.trimStart().length, text: line.trim(), no: start + index + 1 }));
  const state: State = { lines, raw: raw.slice(start, end), at: 0, places: new Map(), anchors: new Map() };
  try {
    const value = block(state, 0, []);
    skip(state);
    if (state.at < state.lines.length) return undefined;
    return { value, line: (...path) => state.places.get(path.join('\n')) };
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return undefined;
    throw error;
  }
}

type Path = readonly (string | number)[];

/** Over blank lines and comments. */
function skip(state: State): Line | undefined {
  while (state.at < state.lines.length) {
    const line = state.lines[state.at] as Line;
    if (line.text !== '' && !line.text.startsWith('#')) return line;
    state.at++;
  }
  return undefined;
}

const isItem = (text: string): boolean => text === '-' || text.startsWith('- ');

/** What stands at this place with at least this indentation; null when nothing does. */
function block(state: State, least: number, path: Path): unknown {
  if (path.length > MAX_DEPTH) throw new Unreadable();
  const line = skip(state);
  if (!line || line.indent < least) return null;
  if (/^\t/.test(state.raw[state.at] ?? '')) throw new Unreadable();
  if (isItem(line.text)) return list(state, line.indent, path);
  if (keyOf(line.text)) return map(state, line.indent, path);
  state.at++;
  return value(line.text, state, line.indent - 1, path);
}

function list(state: State, indent: number, path: Path): unknown[] {
  const items: unknown[] = [];
  for (let line = skip(state); line && line.indent === indent && isItem(line.text); line = skip(state)) {
    const own = [...path, items.length];
    state.places.set(own.join('\n'), line.no);
    const rest = line.text.slice(1).trimStart();
    if (rest === '' || rest.startsWith('#')) {
      state.at++;
      items.push(block(state, indent + 1, own));
      continue;
    }
    const column = indent + line.text.length - rest.length;
    if (isItem(rest) || keyOf(rest)) {
      // `- name: x` opens a map whose other keys stand below the first one.
      state.lines[state.at] = { indent: column, text: rest, no: line.no };
      items.push(block(state, column, own));
    } else {
      state.at++;
      items.push(value(rest, state, indent, own));
    }
  }
  return items;
}

function map(state: State, indent: number, path: Path): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (let line = skip(state); line && line.indent === indent; line = skip(state)) {
    const found = keyOf(line.text);
    if (!found || isItem(line.text)) throw new Unreadable();
    const own = [...path, found.key];
    state.places.set(own.join('\n'), line.no);
    state.at++;
    const given = value(found.rest, state, indent, own, true);
    if (found.key === '<<') for (const each of Array.isArray(given) ? given : [given]) merge(made, each);
    else set(made, found.key, given);
  }
  const next = skip(state);
  if (next && next.indent > indent) throw new Unreadable();
  return made;
}

function merge(into: Record<string, unknown>, from: unknown): void {
  if (typeof from !== 'object' || from === null) return;
  for (const [key, each] of Object.entries(from)) if (!Object.hasOwn(into, key)) set(into, key, each);
}

/** A key named `__proto__` is a key. */
const set = (into: Record<string, unknown>, key: string, given: unknown): void => {
  Object.defineProperty(into, key, { value: given, enumerable: true, writable: true, configurable: true });
};

/** The key that opens a line, and what follows its colon. */
function keyOf(text: string): { key: string; rest: string } | undefined {
  if (text.startsWith('? ')) throw new Unreadable();
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*:(?:\s+(.*))?$/s.exec(text);
  if (quoted) return { key: String(unquoted(quoted[1] as string)), rest: quoted[2] ?? '' };
  if (/^[[{"'|>&*!%@`]/.test(text) && !text.startsWith('*')) return undefined;
  const plain = /^([^#]*?)\s*:(?:\s+(.*))?$/s.exec(text);
  if (!plain || plain[1] === undefined) return undefined;
  return / #/.test(plain[1]) ? undefined : { key: plain[1], rest: plain[2] ?? '' };
}

/** The value behind a key or a dash. `ofKey`: a list below may stand at the key's own indentation. */
function value(given: string, state: State, indent: number, path: Path, ofKey = false): unknown {
  let text = given;
  let anchor: string | undefined;
  for (let more = true; more; ) {
    const mark = /^([&!])(\S*)\s*/.exec(text);
    more = mark !== null;
    if (!mark) break;
    if (mark[1] === '&') anchor = mark[2];
    text = text.slice(mark[0].length);
  }
  const result = plainValue(text, state, indent, path, ofKey);
  if (anchor !== undefined) state.anchors.set(anchor, result);
  return result;
}

function plainValue(text: string, state: State, indent: number, path: Path, ofKey: boolean): unknown {
  if (text === '' || text.startsWith('#')) {
    const next = skip(state);
    return next && ofKey && next.indent === indent && isItem(next.text) ? list(state, indent, path) : block(state, indent + 1, path);
  }
  if (text.startsWith('*')) {
    const name = /^\*(\S+)/.exec(text)?.[1] ?? '';
    return state.anchors.get(name) ?? null;
  }
  if (/^[|>][+-]?\d?[+-]?\s*(#.*)?$/.test(text)) return blockScalar(text, state, indent);
  if (text.startsWith('"') || text.startsWith("'")) return quoted(text, state);
  if (text.startsWith('[') || text.startsWith('{')) return flow(text, state);
  let whole = text.replace(/\s#.*$/s, '');
  if (whole === text) {
    // A plain scalar goes on over deeper lines.
    for (
      let line = state.lines[state.at];
      line && line.text !== '' && line.indent > indent && !line.text.startsWith('#');
      line = state.lines[state.at]
    ) {
      if (keyOf(line.text)) throw new Unreadable();
      whole += ` ${line.text.replace(/\s#.*$/s, '')}`;
      state.at++;
    }
  }
  return scalar(whole.trim());
}

/** `|` keeps its lines, `>` folds them. */
function blockScalar(head: string, state: State, indent: number): string {
  const lines: string[] = [];
  let own = /\d/.exec(head)?.[0] === undefined ? undefined : indent + Number(/\d/.exec(head)?.[0]);
  while (state.at < state.lines.length) {
    const line = state.lines[state.at] as Line;
    if (line.text !== '' && line.indent <= indent) break;
    if (line.text !== '') own ??= line.indent;
    if (line.text !== '' && line.indent < (own ?? 0)) break;
    lines.push((state.raw[state.at] as string).slice(own ?? line.indent));
    state.at++;
  }
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  const text = head.startsWith('|') ? lines.join('\n') : lines.join('\n').replace(/([^\n])\n(?=[^\n\s])/g, '$1 ');
  return head.includes('-') ? text : `${text}\n`;
}

/** Lines of one quoted scalar. */
const MAX_QUOTED = 200;

/** A quoted scalar, over several lines where it does not end on its own. */
function quoted(text: string, state: State): unknown {
  const pattern = text.startsWith('"') ? /^"(?:[^"\\]|\\.)*"/s : /^'(?:[^']|'')*'/s;
  let whole = text;
  for (let lines = 0; lines < MAX_QUOTED; lines++) {
    const found = pattern.exec(whole);
    if (found) return unquoted(found[0]);
    const next = state.lines[state.at];
    if (!next) break;
    state.at++;
    whole += next.text === '' ? '\n' : ` ${next.text}`;
  }
  throw new Unreadable();
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
  '/': '/',
  ' ': ' ',
};

function unquoted(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return text
    .slice(1, -1)
    .replace(
      /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|(.))/gs,
      (_all, u: string | undefined, x: string | undefined, char: string | undefined) =>
        u !== undefined || x !== undefined
          ? String.fromCharCode(Number.parseInt((u ?? x) as string, 16))
          : (ESCAPES[char as string] ?? (char as string)),
    );
}

/** `[a, "b"]` and `{a: b}`, over several lines. */
function flow(text: string, state: State): unknown {
  const parts = [text.replace(/\s#.*$/, '')];
  const open = { depth: 0, quote: '' };
  for (follow(parts[0] as string, open); open.depth > 0 || open.quote !== ''; ) {
    const next = state.lines[state.at];
    if (!next) throw new Unreadable();
    state.at++;
    const part = next.text.startsWith('#') ? '' : next.text.replace(/\s#.*$/, '');
    follow(` ${part}`, open);
    parts.push(part);
  }
  return flowValue({ text: parts.join(' '), i: 0 }, state, 0);
}

/** What is still open after this text. */
function follow(text: string, open: { depth: number; quote: string }): void {
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (open.quote !== '') {
      if (char === '\\' && open.quote === '"') i++;
      else if (char === open.quote) open.quote = '';
    } else if ((char === '"' || char === "'") && (i === 0 || /[\s,[{:]/.test(text[i - 1] as string))) open.quote = char;
    else if (char === '[' || char === '{') open.depth++;
    else if (char === ']' || char === '}') open.depth--;
  }
}

interface Cursor {
  text: string;
  i: number;
}

const space = (at: Cursor): void => {
  while (at.i < at.text.length && /\s/.test(at.text[at.i] as string)) at.i++;
};

function flowValue(at: Cursor, state: State, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Unreadable();
  space(at);
  const char = at.text[at.i];
  if (char === '[') return flowList(at, state, depth);
  if (char === '{') return flowMap(at, state, depth);
  if (char === '"' || char === "'") {
    const found = char === '"' ? /"(?:[^"\\]|\\.)*"/sy : /'(?:[^']|'')*'/sy;
    found.lastIndex = at.i;
    const match = found.exec(at.text);
    if (!match) throw new Unreadable();
    at.i += match[0].length;
    return unquoted(match[0]);
  }
  const plain = /(?:[^,[\]{}:]|:(?![\s,\]}]|$))*/y;
  plain.lastIndex = at.i;
  const match = (plain.exec(at.text) as RegExpExecArray)[0];
  at.i += match.length;
  const text = match.trim();
  return text.startsWith('*') ? (state.anchors.get(text.slice(1)) ?? null) : scalar(text);
}

function flowList(at: Cursor, state: State, depth: number): unknown[] {
  const items: unknown[] = [];
  at.i++;
  for (;;) {
    space(at);
    if (at.i >= at.text.length) throw new Unreadable();
    if (at.text[at.i] === ']') break;
    items.push(flowValue(at, state, depth + 1));
    space(at);
    if (at.text[at.i] === ',') at.i++;
    else if (at.text[at.i] !== ']') throw new Unreadable();
  }
  at.i++;
  return items;
}

function flowMap(at: Cursor, state: State, depth: number): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  at.i++;
  for (;;) {
    space(at);
    if (at.i >= at.text.length) throw new Unreadable();
    if (at.text[at.i] === '}') break;
    const key = String(flowValue(at, state, depth + 1));
    space(at);
    let given: unknown = null;
    if (at.text[at.i] === ':') {
      at.i++;
      given = flowValue(at, state, depth + 1);
    }
    set(made, key, given);
    space(at);
    if (at.text[at.i] === ',') at.i++;
    else if (at.text[at.i] !== '}') throw new Unreadable();
  }
  at.i++;
  return made;
}

/** A plain scalar by YAML's core schema. */
function scalar(text: string): unknown {
  if (text === '' || text === '~' || /^null$/i.test(text)) return null;
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (/^[-+]?\d{1,15}$/.test(text)) return Number(text);
  return text;
}
