/** Reading a shell line: text -> the commands it would run. */
import type { Line, Look } from './command.ts';

/** Reads a line. `cwd`: the absolute directory it starts in. Never throws on input. */
export function readLine(text: string, _from: { cwd: string; look: Look }): Line {
  return { text, commands: [], unread: [], shapes: [] };
}
