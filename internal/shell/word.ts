/**
 * A word of a command after every expansion that can be done without running anything.
 * What cannot be known stays a hole with its reason, so that a rule can tell `rm -rf build` from `rm -rf $X`.
 */

/** A stretch of a word. */
export type Part =
  /** Text that is certain. */
  | { kind: 'text'; text: string; quoted?: boolean }
  /** An unquoted glob: `*`, `?`, `[a-z]`, `+(x)`. May become several words, or none. */
  | { kind: 'glob'; text: string }
  /**
   * Something only the run will know. `name` where it is a variable; `split` where it is unquoted and may become several
   * words; `steps`: the commands whose output it is, for a substitution (also when it came through a variable);
   * `among`: where that output is a listing of files, the words it is one of.
   */
  | { kind: 'hole'; text: string; why: Hole; name?: string; split?: boolean; steps?: readonly number[]; among?: readonly Word[] };

/** Why a part is unknown. `unset`: a variable that is set nowhere, so it is probably empty. `stop`: `${X:?}` of such a one ends the shell. */
export type Hole = 'variable' | 'unset' | 'command' | 'arithmetic' | 'process' | 'loop' | 'argument' | 'input' | 'stop';

/** One word. `raw` is its source text, for messages. */
export interface Word {
  parts: readonly Part[];
  raw: string;
}

/** A word that is certain. */
export const literal = (text: string, raw = text): Word => ({ parts: text === '' ? [] : [{ kind: 'text', text }], raw });

/** The text of the word when all of it is certain (no hole, no glob); else undefined. */
export function textOf(word: Word | undefined): string | undefined {
  if (!word) return undefined;
  let text = '';
  for (const part of word.parts) {
    if (part.kind !== 'text') return undefined;
    text += part.text;
  }
  return text;
}

/** The word with globs as they are written and holes left empty: for looking at its shape only, never as a path to trust. */
export function shapeOf(word: Word): string {
  return word.parts.map((part) => (part.kind === 'hole' ? '' : part.text)).join('');
}

/** The certain text before the first hole or glob. */
export function prefixOf(word: Word): string {
  let text = '';
  for (const part of word.parts) {
    if (part.kind !== 'text') break;
    text += part.text;
  }
  return text;
}

/** True when some part is a hole. */
export const hasHole = (word: Word): boolean => word.parts.some((part) => part.kind === 'hole');

/** `${X:?}` with nothing in X: the shell ends before the command starts. */
export const stopsShell = (word: Word): boolean => word.parts.some((part) => part.kind === 'hole' && part.why === 'stop');

/** True when some part is an unquoted glob. */
export const hasGlob = (word: Word): boolean => word.parts.some((part) => part.kind === 'glob');

/** True when the word starts like an option. A word that starts with a hole is not held for one. */
export const isOption = (word: Word): boolean => prefixOf(word).startsWith('-');

/** What several commands print one after the other; undefined where one of them is not known. */
export function concat(outputs: readonly (Word | undefined)[]): Word | undefined {
  if (outputs.length === 0 || outputs.some((output) => output === undefined)) return undefined;
  return { parts: outputs.flatMap((output) => output!.parts), raw: '' };
}

/** A word with a variable that is set nowhere: under `set -u` the shell ends there. */
export const isUnset = (word: Word): boolean => word.parts.some((part) => part.kind === 'hole' && part.why === 'unset');
