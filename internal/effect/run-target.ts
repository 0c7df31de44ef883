/** Calls of the workspace's task runner. */
import type { RunnerName } from '../profile/profile.ts';
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable, targetOf } from './family.ts';
import { aroundOf, bareOf, othersOf } from './run-call.ts';
import { CALLS } from './run-calls.ts';
import { outputFlow } from './run-flow.ts';
import { RUNNER_OF } from './run-programs.ts';
import type { RunnerCall } from './types-run.ts';

/** A command as the call of a runner; undefined when it runs no target. */
export function runnerCall(command: Command, context: EffectContext): RunnerCall | undefined {
  const runner = Object.hasOwn(RUNNER_OF, command.name) ? RUNNER_OF[command.name] : undefined;
  const said = runner && CALLS[runner]?.(command.args, command.cwd, context.look);
  if (!runner || !said) return undefined;
  const { dir, file, ...rest } = said;
  const place = dir ? targetOf(dir, command.cwd).path : command.cwd;
  const named = file && targetOf(file, place).path;
  return { runner, ...rest, dir: place, ...(named === undefined ? {} : { file: named }) };
}

/** The effect of a call that has been read. `gate`: it is the declared gate. */
export function targetEffect(command: Command, call: RunnerCall, context: EffectContext, gate = false): Effect {
  const { bound } = command;
  const timeoutMs = context.call?.timeoutMs;
  return {
    kind: 'run.target',
    ...baseOf(command),
    call,
    output: outputFlow(command, context),
    ...(bound ? { bound } : {}),
    timed: command.timed === true,
    ...(timeoutMs === undefined ? {} : { hostTimeoutMs: timeoutMs }),
    background: command.background || context.call?.background === true,
    logged: command.via.includes('waygate run'),
    argv: command.argv.map((word) => textOf(word) ?? ''),
    bare: bareOf(command, context),
    around: aroundOf(command, context),
    others: othersOf(context),
    looped: command.looped,
    ...restatedOf(command, context),
    ...(gate ? { gate: true } : {}),
    command: command.source,
  };
}

/** A print of fixed words at the end of the line, after `&&` behind this call. */
function restatedOf(command: Command, { commands, call }: EffectContext): { restated?: string } {
  const last = commands.at(-1);
  if (!call || !last || (last.name !== 'echo' && last.name !== 'printf') || last.step === command.step) return {};
  const plain =
    last.script === undefined &&
    last.redirects.length === 0 &&
    !last.outlet &&
    !last.background &&
    last.args.every((word) => textOf(word) !== undefined && !/[$`]/.test(word.raw));
  const previous = commands.findLast((each) => each !== last && each.script === undefined);
  const behind = last.given.includes(command.step) && (previous?.step === command.step || previous?.source === command.source);
  return plain && behind ? { restated: last.source } : {};
}

const target: Family = (command, context) => {
  const call = runnerCall(command, context);
  return call ? [targetEffect(command, call, context)] : [];
};

const table = (names: readonly string[]): FamilyTable => Object.fromEntries(names.map((name) => [name, target]));

/** The programs that are runners. */
export const RUN_TARGETS: FamilyTable = table(Object.keys(RUNNER_OF) satisfies readonly (string | RunnerName)[]);
