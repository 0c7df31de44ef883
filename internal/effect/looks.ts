/**
 * Looks: calls that only see how far something is. Repeated in a row they are a poll. Only made within a session, where it is known
 * what came before; a call that does anything besides is no look, and ends the row.
 */
import type { Action } from '../action/action.ts';
import type { Look } from '../shell/command.ts';
import { readLine } from '../shell/read.ts';
import type { Effect, EffectOf } from './effect.ts';
import { baseOf } from './family.ts';
import { follows, mayLook, onlyLooks, statusOf } from './looks-programs.ts';
import { baseOfCall } from './tools.ts';

export type LookEffect = EffectOf<'line.look'>;

/** Longer lines do more than look. */
const MAX_LINE = 1000;
/** Files of one call that are followed. */
const MAX_FILES = 8;

/** Effects that leave everything as it was. */
const CALM: ReadonlySet<Effect['kind']> = new Set<Effect['kind']>([
  'run.capture',
  'line.environment',
  'file.read',
  'net.fetch',
  'line.shape',
  'process.kill',
  'process.wait',
]);

/** The looks of a call; none where it looks at nothing that could go on by itself. undefined: it does something else as well. */
export function looksOf(action: Action, effects: readonly Effect[], look: Look): readonly LookEffect[] | undefined {
  switch (action.surface) {
    case 'read':
    case 'search':
      return effects.every((effect) => effect.kind === 'file.read') ? filesOf(effects) : undefined;
    case 'watch':
      return taskOf(action);
    case 'fetch':
      return action.input.url === undefined ? [] : [{ kind: 'line.look', ...baseOfCall(action), at: 'status', what: action.input.url }];
    case 'harmless':
      return [];
    case 'shell':
      return shellLooks(action, effects, look);
    default:
      return undefined;
  }
}

/** Output of a task in the background. A call that waits for its end is what a poll should have been. */
function taskOf(action: Action): readonly LookEffect[] {
  const { raw, tool } = action;
  const id = ['task_id', 'bash_id', 'shell_id', 'agentId', 'id'].map((name) => raw[name]).find((value) => typeof value === 'string');
  const waits = tool === 'TaskOutput' ? raw['block'] !== false : raw['block'] === true;
  return id === undefined || waits ? [] : [{ kind: 'line.look', ...baseOfCall(action), at: 'task', what: id as string }];
}

function shellLooks(action: Action, effects: readonly Effect[], look: Look): readonly LookEffect[] | undefined {
  const { command: text, dialect, background } = action.input;
  if (text === undefined || dialect !== 'posix' || background || text.length > MAX_LINE || !mayLook(firstWord(text))) return undefined;
  if (!effects.every((effect) => CALM.has(effect.kind) && !(effect.kind === 'process.kill' && !effect.probe))) return undefined;
  const { commands, unread } = readLine(text, { cwd: action.cwd, look });
  if (unread.length > 0) return undefined;
  const status: LookEffect[] = [];
  for (const command of commands) {
    const asks = statusOf(command);
    if (command.background || command.remote || (!asks && !onlyLooks(command.name))) return undefined;
    if (asks?.what !== undefined)
      status.push({ kind: 'line.look', ...baseOf(command), at: 'status', what: asks.what, ...(asks.wait ? { wait: asks.wait } : {}) });
  }
  const waiting = new Set(commands.filter(follows).map((command) => command.step));
  return [...filesOf(effects.filter((effect) => !waiting.has(effect.step))), ...status];
}

const firstWord = (text: string): string => /^\s*([^\s;&|()<>]*)/.exec(text)![1]!.replace(/^.*\//, '');

/** Single files that are read, whichever way. */
function filesOf(effects: readonly Effect[]): readonly LookEffect[] {
  const found = new Map<string, LookEffect>();
  for (const effect of effects) {
    if (effect.kind !== 'file.read' || effect.remote) continue;
    for (const { path, glob } of effect.targets) {
      if (path === undefined || glob || found.size === MAX_FILES || found.has(path)) continue;
      const { targets: _targets, shown: _shown, recursive: _recursive, pattern: _pattern, selects: _selects, ...base } = effect;
      found.set(path, { at: 'file', ...base, kind: 'line.look', what: path });
    }
  }
  return [...found.values()];
}
