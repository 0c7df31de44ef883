/** Text from outside made visible: nothing in it can move the cursor, hide words or turn their order round. */

/**
 * Control characters, marks that turn the order of words round, zero-width and tag characters, private use, lone surrogates,
 * line separators and the blank letters of Hangul. Line feed stays: the views write lines.
 */
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|[\u{e0100}-\u{e01ef}]/gu;

/** Each hidden character as `\u{…}`. */
export const visible = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(HIDDEN, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`);

/** The usual case, told without the long expression. */
const PLAIN = /^[\n\x20-\x7e]*$/;

/** One line, visible, cut to `max` characters. */
export function line(text: string, max: number): string {
  const shown = visible(text.replace(/\s*\n\s*/g, ' '));
  return shown.length > max ? `${shown.slice(0, max - 1)}…` : shown;
}
