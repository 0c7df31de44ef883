/** Calls that can do nothing any rule is about, told without reading them as a shell would. The test beside holds this against the engine. */
import type { Action } from '../action/action.ts';

/**
 * Programs that only look, and runners of checks that no family knows: whatever plain words follow them, they have no effect.
 * A program leaves this list when a family learns it; the test says so.
 */
const LOOKING: ReadonlySet<string> = new Set(
  'ls pwd whoami id uname which true false du df tree basename dirname realpath readlink stat file uptime cal seq tty groups who locale ps tsc eslint vitest jest pytest'.split(
    ' ',
  ),
);

/** Longer lines and words are read in full: a long word may be a credential. */
const MAX_LINE = 400;
const MAX_WORD = 48;

/** True for a single command of plain words that starts with a program that only looks, and for tools without any effect. */
export function isPlain(action: Action): boolean {
  if (action.moment !== 'before') return false;
  if (action.surface === 'harmless') return true;
  const { command, dialect } = action.input;
  if (action.surface !== 'shell' || dialect !== 'posix' || command === undefined || command.length > MAX_LINE) return false;
  const words = plainWords(command);
  return words !== undefined && LOOKING.has(words[0]!);
}

/** The words of a line in which no character means anything to a shell; undefined for any other line. */
function plainWords(line: string): readonly string[] | undefined {
  for (let at = 0; at < line.length; at++) if (!isPlainCode(line.charCodeAt(at))) return undefined;
  const words = line.split(' ').filter((word) => word !== '');
  return words.length > 0 && words.every((word) => word.length <= MAX_WORD) ? words : undefined;
}

/** Letters, digits, space and `- . / _ , @ +`. */
function isPlainCode(code: number): boolean {
  if (code >= 0x61 && code <= 0x7a) return true;
  if (code >= 0x41 && code <= 0x5a) return true;
  if (code >= 0x2b && code <= 0x39) return true;
  return code === 0x20 || code === 0x5f || code === 0x40;
}
