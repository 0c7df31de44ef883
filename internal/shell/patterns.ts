/** Shell patterns against text, for `${x#…}` and the like. Small patterns only; anything else is unknown. */

/** A shell pattern as an anchored regular expression; undefined when it is too complex. */
export function patternSource(pattern: string, greedy: boolean): string | undefined {
  if (pattern.length > 200 || (pattern.match(/\*/g)?.length ?? 0) > 3) return undefined;
  let out = '';
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!;
    if (c === '*') out += greedy ? '[\\s\\S]*' : '[\\s\\S]*?';
    else if (c === '?') out += '[\\s\\S]';
    else if (c === '[') {
      const end = pattern.indexOf(']', i + 2);
      if (end < 0) return undefined;
      const set = pattern
        .slice(i + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\');
      if (set.includes('[')) return undefined;
      out += `[${set}]`;
      i = end;
    } else out += c.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }
  return out;
}

/** `${text#pattern}` and its three sisters. */
export function removeAffix(text: string, operator: string, pattern: string): string | undefined {
  const longest = operator.length === 2;
  if (operator.startsWith('#')) {
    const source = patternSource(pattern, longest);
    return source === undefined ? undefined : text.replace(new RegExp(`^${source}`), '');
  }
  const source = patternSource(pattern, longest);
  if (source === undefined) return undefined;
  const whole = new RegExp(`^${source}$`);
  const starts = [...Array(text.length + 1).keys()];
  const at = (longest ? starts : starts.reverse()).find((start) => whole.test(text.slice(start)));
  return at === undefined ? text : text.slice(0, at);
}

/** `${text/pattern/replacement}` and its sisters. */
export function replacePattern(text: string, operator: string, pattern: string, replacement: string): string | undefined {
  const source = patternSource(pattern, true);
  if (source === undefined || source === '') return undefined;
  const anchored = operator === '/#' ? `^${source}` : operator === '/%' ? `${source}$` : source;
  return text.replace(new RegExp(anchored, operator === '//' ? 'g' : ''), () => replacement);
}

/**
 * Whether a pattern of `case` matches a text; undefined where that cannot be told.
 * @param source the pattern as it is written
 * @param text the same expanded, where it is certain
 */
export function patternHits(source: string, text: string | undefined, subject: string): boolean | undefined {
  if (source === '*') return true;
  if (!/[*?[\\$`'"(]/.test(source)) return (text ?? source) === subject;
  if (/^"[^"$`\\]*"$|^'[^']*'$/.test(source)) return source.slice(1, -1) === subject;
  if (/["'\\$`(]/.test(source)) return undefined;
  const pattern = patternSource(source, true);
  return pattern === undefined ? undefined : new RegExp(`^${pattern}$`).test(subject);
}
