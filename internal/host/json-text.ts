/** JSON as text with positions: enough to put one entry into a settings file, and take it out, without touching anything else. */

export type JsonNode =
  | { kind: 'object'; start: number; end: number; members: readonly Member[] }
  | { kind: 'array'; start: number; end: number; items: readonly JsonNode[] }
  | { kind: 'scalar'; start: number; end: number; value: unknown };

export interface Member {
  key: string;
  /** Where the key's quote stands. */
  start: number;
  value: JsonNode;
}

/** Not JSON: where, as line and column from 1. */
export class JsonError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(text: string, at: number, expected: string) {
    const before = text.slice(0, at).split('\n');
    super(`${before.length}:${before.at(-1)!.length + 1} expected ${expected}`);
    this.line = before.length;
    this.column = before.at(-1)!.length + 1;
  }
}

const MAX_DEPTH = 200;

/** Parses strict JSON. A byte order mark in front is skipped. */
export function parseJson(text: string): JsonNode {
  const start = skip(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const node = valueAt(text, start, 0);
  const rest = skip(text, node.end);
  if (rest < text.length) throw new JsonError(text, rest, 'the end of the file');
  return node;
}

function valueAt(text: string, at: number, depth: number): JsonNode {
  if (depth > MAX_DEPTH) throw new JsonError(text, at, `at most ${MAX_DEPTH} levels`);
  const first = text[at];
  if (first === '{') return objectAt(text, at, depth);
  if (first === '[') return arrayAt(text, at, depth);
  const end = scalarEnd(text, at);
  try {
    return { kind: 'scalar', start: at, end, value: JSON.parse(text.slice(at, end)) };
  } catch {
    throw new JsonError(text, at, 'a value');
  }
}

function objectAt(text: string, start: number, depth: number): JsonNode {
  const members: Member[] = [];
  let at = skip(text, start + 1);
  if (text[at] === '}') return { kind: 'object', start, end: at + 1, members };
  for (;;) {
    if (text[at] !== '"') throw new JsonError(text, at, 'a key in double quotes');
    const key = valueAt(text, at, depth + 1);
    const colon = skip(text, key.end);
    if (text[colon] !== ':') throw new JsonError(text, colon, '`:`');
    const value = valueAt(text, skip(text, colon + 1), depth + 1);
    members.push({ key: (key as { value: string }).value, start: at, value });
    at = skip(text, value.end);
    if (text[at] === '}') return { kind: 'object', start, end: at + 1, members };
    if (text[at] !== ',') throw new JsonError(text, at, '`,` or `}`');
    at = skip(text, at + 1);
  }
}

function arrayAt(text: string, start: number, depth: number): JsonNode {
  const items: JsonNode[] = [];
  let at = skip(text, start + 1);
  if (text[at] === ']') return { kind: 'array', start, end: at + 1, items };
  for (;;) {
    const item = valueAt(text, at, depth + 1);
    items.push(item);
    at = skip(text, item.end);
    if (text[at] === ']') return { kind: 'array', start, end: at + 1, items };
    if (text[at] !== ',') throw new JsonError(text, at, '`,` or `]`');
    at = skip(text, at + 1);
  }
}

function scalarEnd(text: string, at: number): number {
  if (text[at] !== '"') {
    let end = at;
    while (end < text.length && !/[\s,:\]}[{"]/.test(text[end]!)) end++;
    return end;
  }
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === '"') return end + 1;
  }
  throw new JsonError(text, at, 'the end of this string');
}

function skip(text: string, at: number): number {
  let next = at;
  while (next < text.length && ' \t\r\n'.includes(text[next]!)) next++;
  return next;
}

/** The value of a member; the last one counts, as with JSON.parse. */
export const memberOf = (node: JsonNode | undefined, key: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined;

/** A scalar's string. */
export const stringAt = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
