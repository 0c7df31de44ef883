/** Action -> effects. Dispatches by surface; a shell line goes through the reader and the table of families. */
import type { Action, Dialect } from '../action/action.ts';
import type { Command, Line, Look } from '../shell/command.ts';
import { readCmd, readPowershell } from '../shell/powershell.ts';
import { readLine } from '../shell/read.ts';
import type { Effect } from './effect.ts';
import { EVERY_COMMAND, familiesOf } from './families.ts';
import type { EffectContext } from './family.ts';
import { lifecycleEffects } from './lifecycle.ts';
import { lineEffects } from './line.ts';
import { placed } from './preview-place.ts';
import { captureOfCall } from './run-capture.ts';
import { innerCommands } from './runners.ts';
import { refineReads } from './secrets-reads.ts';
import { consequences } from './system-places.ts';
import { effectsOfTool, type ReadShell } from './tools.ts';

/** All effects an action would have, in order. Never throws on input; a bug surfaces as an exception to the caller's guard. */
export function effectsOf(action: Action, look: Look): readonly Effect[] {
  const effects = directEffects(action, look);
  return [...effects, ...consequences(effects, look)];
}

/** What the call does itself, before what follows from where it does it. */
function directEffects(action: Action, look: Look): readonly Effect[] {
  const { timeoutMs, background, command } = action.input;
  const shell: ReadShell = (text, cwd, dialect) => {
    const line = readIn(dialect, text, cwd, look);
    const own = text === command && dialect === 'posix';
    const call = own ? { text, background: background === true, ...(timeoutMs === undefined ? {} : { timeoutMs }) } : undefined;
    const effects = effectsOfCommands(line.commands, line.look, cwd, 0, call);
    return [
      ...effects,
      ...lifecycleEffects(effects, look, (script, dir) => shell(script, dir, 'posix')),
      ...lineEffects(line, action, effects),
    ];
  };
  if (action.surface !== 'shell') {
    const effects = [...effectsOfTool(action, look, shell), ...captureOfCall(action)];
    return [...effects, ...lifecycleEffects(effects, look, (script, dir) => shell(script, dir, 'posix'))];
  }
  return shell(action.input.command ?? '', action.cwd, action.input.dialect ?? 'posix');
}

function readIn(dialect: Dialect, text: string, cwd: string, look: Look): Line {
  if (dialect === 'powershell') return readPowershell(text, { cwd, look });
  if (dialect === 'cmd') return readCmd(text, { cwd, look });
  return readLine(text, { cwd, look });
}

/** Programs that commands hand on are read this deep: an alias that runs an alias, a hook that runs a shell. */
const MAX_DEPTH = 4;

/**
 * The effects of commands that have been read, whatever dialect they came from.
 * `start`: absolute directory the line starts in; that of the first command when not given.
 */
export function effectsOfCommands(
  commands: readonly Command[],
  look: Look,
  start = commands[0]?.cwd,
  depth = 0,
  call?: EffectContext['call'],
): Effect[] {
  const context: EffectContext = {
    look,
    commands,
    start,
    call,
    effectsOf: (text, cwd) => {
      if (depth >= MAX_DEPTH) return [];
      const line = readLine(text, { cwd: cwd ?? start ?? '/', look });
      return effectsOfCommands(line.commands, line.look, cwd ?? start, depth + 1);
    },
    effectsOfRead: (read, cwd) => (depth >= MAX_DEPTH ? [] : effectsOfCommands(read, look, cwd ?? start, depth + 1)),
  };
  const effects: Effect[] = [];
  for (const command of commands) {
    for (const each of [command, ...innerCommands(command, commands)]) {
      for (const family of familiesOf(each.name)) for (const effect of family(each, context)) effects.push(placed(effect, each, commands));
    }
    for (const family of EVERY_COMMAND) effects.push(...family(command, context));
  }
  return refineReads(effects, context);
}
