/** A unified diff of two texts that differ in one stretch. Pure. */

const CONTEXT = 3;

/** The diff, '' when the texts are equal. `before` undefined: the file is new. */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  const old = lines(before ?? '');
  const now = lines(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const from = Math.max(0, head - CONTEXT);
  const oldEnd = Math.min(old.length, old.length - tail + CONTEXT);
  const newEnd = Math.min(now.length, now.length - tail + CONTEXT);
  const range = (start: number, end: number): string => (end - start === 0 ? `${start},0` : `${start + 1},${end - start}`);
  return [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${path}`,
    `@@ -${range(from, oldEnd)} +${range(from, newEnd)} @@`,
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, oldEnd).map((line) => ` ${line}`),
  ].join('\n');
}

/** Without the empty piece after the last line feed; a file without one at its end says so, as diff does. */
function lines(text: string): string[] {
  if (text === '') return [];
  const parts = text.split('\n');
  if (parts.at(-1) === '') parts.pop();
  else parts.push('\\ No newline at end of file');
  return parts;
}
