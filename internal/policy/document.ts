/** A YAML or JSON text with the position of everything in it. Only the compiler loads this. */
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** A spot in a file: 1-based line and column, and the line's text. */
export interface Spot {
  line: number;
  column: number;
  excerpt: string;
}

export type Path = readonly (string | number)[];

export interface Document {
  /** Plain data; undefined for an empty file. */
  value: unknown;
  /** What keeps the text from being read. Not empty: `value` says nothing. */
  problems: readonly (Spot & { message: string })[];
  /** Where a value stands, or its key. A path that leads nowhere gives the nearest thing above it. */
  at(path: Path, what?: 'key' | 'value'): Spot;
}

/** Aliases are resolved at most this often: a file of a few lines could else grow without end. */
const MAX_ALIASES = 100;

/** Reads a text. Never throws. */
export function readDocument(text: string): Document {
  const counter = new LineCounter();
  const lines = text.split(/\r?\n/);
  const spot = (offset: number): Spot => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), excerpt: lines[line - 1] ?? '' };
  };
  const doc = parseDocument(held(text), { lineCounter: counter, prettyErrors: false, uniqueKeys: true, version: '1.2', strict: true });
  const problems = [...doc.errors, ...doc.warnings].map((error) => ({ ...spot(error.pos[0]), message: plain(error.message) }));
  let value: unknown;
  if (problems.length === 0) {
    try {
      value = released(doc.toJS({ maxAliasCount: MAX_ALIASES })) ?? undefined;
    } catch (error) {
      problems.push({ ...spot(0), message: plain(error instanceof Error ? error.message : String(error)) });
    }
  }
  const at = (path: Path, what: 'key' | 'value' = 'value'): Spot => spot(offsetOf(doc.contents as Node | null, path, what));
  return { value, problems, at };
}

/**
 * `{target}` and `{args}` within a text: `runner: { command: npm run {target} }` is what everybody writes, and YAML would take the
 * braces for a map. They are held in other characters, of the same number, while the text is read.
 */
const PLACES = ['target', 'args'] as const;
const OPEN = '\uE0A0';
const CLOSE = '\uE0A1';

const held = (text: string): string => text.replace(/(?<=[\w"'`./-] ?)\{(target|args)\}/g, (_all, name: string) => OPEN + name + CLOSE);

function released(value: unknown): unknown {
  if (typeof value === 'string') return PLACES.reduce((text, name) => text.replaceAll(OPEN + name + CLOSE, `{${name}}`), value);
  if (Array.isArray(value)) return value.map(released);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [released(key), released(each)]));
}

/** A parser's message as the start of a sentence of ours. */
const plain = (message: string): string => (message.charAt(0).toLowerCase() + message.slice(1)).replace(/\s+/g, ' ').replace(/[.:]$/, '');

function offsetOf(root: Node | null, path: Path, what: 'key' | 'value'): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [index, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step));
      if (!pair) return offset;
      const key = pair.key as Node;
      offset = key.range?.[0] ?? offset;
      if (index === path.length - 1 && what === 'key') return offset;
      node = pair.value;
    } else if (isSeq(node)) node = node.items[Number(step)];
    else return offset;
    offset = (node as Node | null)?.range?.[0] ?? offset;
  }
  return offset;
}
