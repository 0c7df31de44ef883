/**
 * Calls that can do nothing any rule is about, told without reading them as a shell would. The test beside holds this against the engine.
 * Written with few and simple calls: it runs once per process, before anything is compiled.
 */
import type { Action } from '../action/action.ts';

/**
 * Programs that only look: whatever plain words follow them, they have no effect.
 * A program leaves this list when a family learns it; the test says so.
 */
const LOOKING =
  ' ls pwd whoami id uname which true false du df tree basename dirname realpath readlink stat file uptime cal seq tty groups who locale ';

/** Longer lines and words are read in full: a long word may be a credential. */
const MAX_LINE = 400;
const MAX_WORD = 48;
const SPACE = 0x20;

/** True for a single command of plain words that starts with a program that only looks, and for tools without any effect. */
export function isPlain(action: Action): boolean {
  if (action.moment !== 'before') return false;
  if (action.surface === 'harmless') return true;
  const { command, dialect } = action.input;
  return action.surface === 'shell' && dialect === 'posix' && command !== undefined && isPlainLine(command);
}

/** A line in which no character means anything to a shell, of words that are not long, the first of them such a program. */
export function isPlainLine(line: string): boolean {
  const { length } = line;
  if (length > MAX_LINE) return false;
  let program = '';
  let start = -1;
  for (let at = 0; at <= length; at++) {
    const code = at < length ? line.charCodeAt(at) : SPACE;
    if (code !== SPACE) {
      if (!isPlainCode(code)) return false;
      if (start < 0) start = at;
      continue;
    }
    if (start < 0) continue;
    if (at - start > MAX_WORD) return false;
    if (program === '') program = line.slice(start, at);
    start = -1;
  }
  return program !== '' && LOOKING.includes(` ${program} `);
}

/** Letters, digits and `- . / _ , @ +`. */
function isPlainCode(code: number): boolean {
  if (code >= 0x61 && code <= 0x7a) return true;
  if (code >= 0x41 && code <= 0x5a) return true;
  if (code >= 0x2b && code <= 0x39) return true;
  return code === 0x5f || code === 0x40;
}
