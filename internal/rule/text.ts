/** Small pieces of sentences, shared by the rules. */

/** `1 file`, `3 files`; the plural is made with s unless given. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and 3 more`. At most `max` are named. */
export function list(items: readonly string[], max = 3, more = 0): string {
  const shown = items.slice(0, max);
  const rest = items.length - shown.length + more;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Names in backticks, as a list. */
export const names = (items: readonly string[], max = 3, more = 0): string =>
  list(
    items.map((item) => `\`${item}\``),
    max,
    more,
  );

/** A remote as texts and remedies name it: `origin` when none is named, an address without the credentials in it. */
export const remoteShown = (name: string | undefined): string => (name ?? 'origin').replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');

/** `1st`, `2nd`, `11th`. */
export function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' } as Record<number, string>)[n % 10];
  return `${n}${ending ?? 'th'}`;
}
