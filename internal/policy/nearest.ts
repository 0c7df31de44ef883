/** The nearest of some known names, for mistyped ones. Pure. */

/** Names longer than this are cut before they are compared: the distance costs length times length. */
const MAX_LENGTH = 80;

/** The known name with the smallest edit distance, when it is near enough to be meant: a third of the name, at most 4 edits. One that holds the other counts too. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const given = name.slice(0, MAX_LENGTH).toLowerCase();
  const limit = Math.min(4, Math.max(1, Math.floor(given.length / 3)));
  let best: string | undefined;
  let least = limit + 1;
  for (const each of known) {
    const distance = editDistance(given, each.toLowerCase(), least);
    if (distance < least) [best, least] = [each, distance];
  }
  return best ?? within(joined(given), known);
}

/** A name that holds the other one, dashes aside: `git-forcepush` for `force-push`. */
function within(given: string, known: Iterable<string>): string | undefined {
  if (given.length < 4) return undefined;
  return [...known].find((each) => joined(each).length >= 4 && (joined(each).includes(given) || given.includes(joined(each))));
}

const joined = (name: string): string => name.toLowerCase().replaceAll('-', '');

/** Levenshtein distance with swapped neighbours as one edit; stops counting at `limit`. */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
