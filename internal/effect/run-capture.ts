/** Lines picked out of a stored capture of a run: the guard's run log, or the host's file of a task in the background. */
import type { Action } from '../action/action.ts';
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, pathTarget, targetOf } from './family.ts';
import { outputFlow } from './run-flow.ts';
import { baseOfCall } from './tools.ts';

/** Programs that print some lines of what they read. */
const PICKERS: ReadonlySet<string> = new Set('grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk head tail cut sort uniq'.split(' '));
/** Programs that print a file whole: a picker may stand behind them. */
const PRINTERS: ReadonlySet<string> = new Set(['cat', 'tac', 'bat', 'nl', 'less', 'more']);

/** The id of the run or task whose output a file is; undefined when the path is none of a capture. */
export function captureOf(path: string): string | undefined {
  const own = /\/waygate\/(?:.+\/)?runs\/([^/]+)\.log$/.exec(path);
  // Claude Code keeps the output of its background tasks so, below its folder for temporary files.
  return own?.[1] ?? /\/tasks\/([A-Za-z0-9_-]+)\.output$/.exec(path)?.[1];
}

/** What a command picks out of the capture that an operand names. */
export function captureEffects(command: Command, operand: Word, context: EffectContext): readonly Effect[] {
  if (isPattern(command, operand)) return [];
  const target = targetOf(operand, command.cwd);
  const ref = target.path === undefined ? undefined : captureOf(target.path);
  if (ref === undefined) return [];
  const picker = PICKERS.has(command.name)
    ? { program: command.name, argv: command.args.map((word) => textOf(word) ?? '') }
    : PRINTERS.has(command.name)
      ? outputFlow(command, context).pipe.find((stage) => PICKERS.has(stage.program))
      : undefined;
  if (!picker || follows(picker.program, picker.argv)) return [];
  return [
    { kind: 'run.capture', ...baseOf(command), path: target, program: picker.program, argv: picker.argv, ref, command: command.source },
  ];
}

/** The first operand of these is what they look for. */
const PATTERN_FIRST: ReadonlySet<string> = new Set('grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk'.split(' '));

function isPattern(command: Command, operand: Word): boolean {
  if (!PATTERN_FIRST.has(command.name)) return false;
  const words = command.args.map((word) => textOf(word) ?? '');
  const given = words.some((word) => /^-[a-zA-Z]*[ef]$|^--(?:regexp|file|expression)/.test(word));
  return !given && command.args.find((word) => !isOption(word)) === operand;
}

/** `tail -f` waits for what is still to come. */
const follows = (program: string, argv: readonly string[]): boolean =>
  program === 'tail' && argv.some((word) => /^-\w*[fF]|^--follow/.test(word));

/** The host's own tools: a part of the file read, or a search in it. */
export function captureOfCall(action: Action): readonly Effect[] {
  const { path, offset, limit, pattern } = action.input;
  const part = action.surface === 'read' ? offset !== undefined || limit !== undefined : action.surface === 'search';
  const ref = part && path !== undefined ? captureOf(path) : undefined;
  if (ref === undefined || path === undefined) return [];
  const argv = action.surface === 'search' ? [pattern ?? ''] : [];
  return [
    {
      kind: 'run.capture',
      ...baseOfCall(action),
      path: pathTarget(path, action.cwd),
      program: action.tool,
      argv,
      ref,
      command: action.tool,
    },
  ];
}
