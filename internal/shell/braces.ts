/** Brace expansion on the text of a word, bounded: `{a,b}` and `{1..9}`. */

/** The alternatives of one brace expression `{…}`; undefined when it is none or too many. */
export function alternatives(text: string, limit: number): string[] | undefined {
  const inner = text.slice(1, -1);
  const parts = splitTop(inner);
  if (parts.length > 1) return parts.length <= limit ? parts : undefined;
  return sequence(inner, limit);
}

/** Splits at commas that are in no quotes, braces, or substitutions. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '\\') i++;
    else if (quote) quote = c === quote ? '' : quote;
    else if (c === '"' || c === "'" || c === '`') quote = c;
    else if (c === '{' || c === '(') depth++;
    else if (c === '}' || c === ')') depth--;
    else if (c === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function sequence(inner: string, limit: number): string[] | undefined {
  const ends = inner.split('..');
  if (ends.length < 2 || ends.length > 3) return undefined;
  const [from, to, by] = ends as [string, string, string | undefined];
  const step = Math.abs(Number(by ?? 1)) || 1;
  const numeric = /^-?\d+$/.test(from) && /^-?\d+$/.test(to);
  const letters = /^[A-Za-z]$/.test(from) && /^[A-Za-z]$/.test(to);
  if (!numeric && !letters) return undefined;
  const a = numeric ? Number(from) : from.charCodeAt(0);
  const b = numeric ? Number(to) : to.charCodeAt(0);
  if (Math.abs(b - a) / step + 1 > limit) return undefined;
  const width = numeric && (/^-?0\d/.test(from) || /^-?0\d/.test(to)) ? Math.max(from.length, to.length) : 0;
  const out: string[] = [];
  for (let n = a; a <= b ? n <= b : n >= b; n += a <= b ? step : -step) {
    out.push(numeric ? String(n).padStart(width, '0') : String.fromCharCode(n));
  }
  return out;
}
