/** Who runs the gate, as far as the surroundings tell. */
import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { refusal } from '../person/person.ts';

/** A person sits at a terminal with no agent above; everything else counts as an agent. */
export function callerHere(): 'agent' | 'person' {
  if (process.platform === 'win32' || !isatty(0) || refusal() !== undefined) return 'agent';
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return 'person';
  } catch {
    return 'agent';
  }
}
