/** Effects of tools that are no shell: write, edit, read, search, fetch, MCP. */
import type { Action } from '../action/action.ts';
import type { Look } from '../shell/command.ts';
import type { Effect } from './effect.ts';

/** The effects of a call that is not a POSIX shell line. */
export function effectsOfTool(_action: Action, _look: Look): readonly Effect[] {
  return [];
}
