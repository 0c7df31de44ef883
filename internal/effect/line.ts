/** Effects of the line itself: its shape, and what could not be read. */
import type { Action } from '../action/action.ts';
import type { Line } from '../shell/command.ts';
import type { Effect } from './effect.ts';

/** Shape and unread parts of a line as effects. */
export function lineEffects(line: Line, action: Action, _effects: readonly Effect[]): Effect[] {
  const base = { step: 0, given: [], certain: true, cwd: action.cwd, via: [], remote: false, root: false, by: action.tool };
  return line.shapes.map((shape) => ({ ...base, kind: 'line.shape', source: shape.source, shape }));
}
