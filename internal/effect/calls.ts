/** The call itself and each of its commands as effects. Only made when the workspace has rules of its own about them. */
import type { Action } from '../action/action.ts';
import type { Command, Look } from '../shell/command.ts';
import { readCmd, readPowershell } from '../shell/powershell.ts';
import { readLine } from '../shell/read.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, targetOf } from './family.ts';
import { innerCommands } from './runners.ts';

/** `tool.call`, and `line.command` for every command of a shell line, those behind `npx` and the like included. */
export function callEffects(action: Action, look: Look): readonly Effect[] {
  const source = (action.input.command ?? action.tool).slice(0, 200);
  const commands = action.input.command === undefined ? [] : commandsOf(action, look);
  const base = { given: [], certain: true, cwd: action.cwd, via: [], remote: false, root: false, by: action.tool, source };
  // the call is no command of its own, so it shares the first one's step
  const call: Effect = { kind: 'tool.call', ...base, step: commands[0]?.step ?? 0, tool: action.tool, ...searchOf(action) };
  return [call, ...commands.flatMap((command) => [command, ...innerCommands(command)].map(commandEffect))];
}

function commandsOf(action: Action, look: Look): readonly Command[] {
  const context = { cwd: action.cwd, look };
  const text = action.input.command ?? '';
  if (action.input.dialect === 'powershell') return readPowershell(text, context).commands;
  if (action.input.dialect === 'cmd') return readCmd(text, context).commands;
  return readLine(text, context).commands;
}

function commandEffect(command: Command): Effect {
  const argv = [command.name, ...command.args.map((word) => textOf(word) ?? '')];
  const globs = command.args.flatMap((word) => {
    const { glob, path } = targetOf(word, command.cwd);
    return glob && path !== undefined ? [path] : [];
  });
  return { kind: 'line.command', ...baseOf(command), argv, ...(globs.length > 0 ? { globs } : {}) };
}

/** Where a search looks. Grep's pattern is about content, which is an effect of its own. */
function searchOf({ surface, tool, input, cwd }: Action): { path?: string; pattern?: string } {
  if (surface !== 'search') return {};
  const names = input.pattern !== undefined && /^(?:glob|find_?files?|file_?search)/i.test(tool);
  return { path: input.path ?? cwd, ...(names ? { pattern: input.pattern } : {}) };
}
