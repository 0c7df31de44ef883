/** What the first lines of a file say about itself. A word of its own only: never proof. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** So much of a file is looked at: markers stand at the top. */
const HEAD_BYTES = 2048;
const HEAD_LINES = 12;

/** What starts a comment, in the languages that generators write. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|;|%|<!--|\{\/\*|"""|'''|rem\b|'|!|dnl\b|"(?:\/\/|_?comment|\$comment|@?generated)")/i;
const MARKERS = [
  /@generated\b/,
  /\bcode generated\b.*\bdo not edit\b/i,
  /\bDO NOT (?:EDIT|MODIFY)\b/,
  /\b(?:auto-?)?generated\b.*\bdo not (?:edit|modify|change)\b/i,
  /\bdo not (?:edit|modify|change)\b.*\bgenerated\b/i,
];
/** `source: api.proto`, `Generated from rules/a.ts`. */
const SOURCE = /(?:\bsources?:\s*|\bgenerated (?:by \S+ )?from:?\s+)["'`]?([\w@.][\w@./-]*\.\w+)/i;

/** The marker's file of origin, where it names one that exists. undefined: no marker. */
export function headerOf(path: string, top: string | undefined): { from?: string } | undefined {
  const lines = headLines(path);
  if (!lines) return undefined;
  // In Markdown `#` is a heading.
  const comments = lines.filter((line) => (/\.(?:md|markdown|mdx|rst)$/i.test(path) ? /^\s*(?:<!--|\{\/\*|\.\. )/ : COMMENT).test(line));
  if (!comments.some((line) => MARKERS.some((marker) => marker.test(spoken(line))))) return undefined;
  const named = comments.map((line) => SOURCE.exec(line)?.[1]).find((name) => name !== undefined);
  const from =
    named === undefined
      ? undefined
      : [dirname(path), ...(top === undefined ? [] : [top])].map((dir) => join(dir, named)).find((each) => each !== path && isFile(each));
  return from === undefined ? {} : { from };
}

/** A comment without what it quotes: one that tells about markers is none. A key of JSON is quoted by its nature. */
const spoken = (line: string): string => (/^\s*["']/.test(line) ? line : line.replace(/`[^`]*`|"[^"]*"|'[^']*'/g, ''));

function headLines(path: string): readonly string[] | undefined {
  if (!isFile(path)) return undefined;
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      const head = bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0));
      return head.includes(0) ? undefined : head.toString('utf8').split('\n', HEAD_LINES);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
