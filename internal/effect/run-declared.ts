/** Runs that only waygate.yaml makes visible: a runner of the workspace's own, tools that its targets cover, a gate that is a script. */
import type { Action } from '../action/action.ts';
import type { Policy } from '../policy/policy.ts';
import type { Command, Look } from '../shell/command.ts';
import { readLine } from '../shell/read.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import type { EffectContext } from './family.ts';
import { isRunner, TOOLS } from './run-programs.ts';
import { targetEffect } from './run-target.ts';
import { toolEffect } from './run-tool.ts';
import { innerCommands } from './runners.ts';

type Says = Pick<Policy, 'runner' | 'gate'>;

/** A command that is declared, as words. `name` holds the place of a target: `{target}`. */
interface Declared {
  program: string;
  words: readonly string[];
  /** The target it is, where it is one; undefined where a word names it. */
  target?: string;
  gate?: true;
}

interface Declarations {
  calls: readonly Declared[];
  tools: ReadonlySet<string>;
}

const PLACE = '{target}';
const known = new WeakMap<Says, Declarations>();

/** What a policy declares that the tables do not know. Nothing for most. */
function declarationsOf(policy: Says): Declarations {
  let found = known.get(policy);
  if (!found) {
    const targets = Object.entries(policy.runner?.targets ?? {});
    const calls = [
      ...calling(policy.runner?.command),
      ...targets.flatMap(([target, each]) => calling('command' in each ? (each.command as string | undefined) : undefined, { target })),
      ...calling(policy.gate?.command, { gate: true }),
    ].filter((each) => !isRunner(each.program));
    const covered = targets.flatMap(([, each]) => each.covers ?? []).map((cover) => cover.trim().split(/\s+/)[0]!);
    found = { calls, tools: new Set(covered.filter((program) => program !== '' && !Object.hasOwn(TOOLS, program))) };
    known.set(policy, found);
  }
  return found;
}

/** A declared line as words; nothing when it is more than one plain command. */
function calling(line: string | undefined, more: Pick<Declared, 'target' | 'gate'> = {}): readonly Declared[] {
  const words = line?.trim().split(/\s+/) ?? [];
  if (words.length === 0 || words[0] === '' || !words.every((word) => word === PLACE || /^[\w@%+=:,./-]+$/.test(word))) return [];
  return [{ program: words[0]!.replace(/^.*\//, '').toLowerCase(), words, ...more }];
}

/** Does the policy make anything visible? */
export function wantsDeclared(policy: Says): boolean {
  if (!policy.runner && !policy.gate) return false;
  const { calls, tools } = declarationsOf(policy);
  return calls.length > 0 || tools.size > 0;
}

/** The effects of the declared runs on a line. */
export function declaredEffects(action: Action, policy: Says, look: Look): readonly Effect[] {
  const { command: text, dialect, timeoutMs, background } = action.input;
  if (action.surface !== 'shell' || dialect !== 'posix' || text === undefined) return [];
  const { calls, tools } = declarationsOf(policy);
  const line = readLine(text, { cwd: action.cwd, look });
  const context: EffectContext = {
    look: line.look,
    commands: line.commands,
    start: action.cwd,
    call: { text, background: background === true, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
    effectsOf: () => [],
    effectsOfRead: () => [],
  };
  return line.commands
    .filter((command) => command.script === undefined)
    .flatMap((command) => [command, ...innerCommands(command, line.commands)])
    .flatMap((command) => [
      ...calls.flatMap((declared) => callEffect(command, declared, context) ?? []),
      ...(tools.has(command.name) ? [toolEffect(command, command.name, wordsOf(command), context)] : []),
    ]);
}

const wordsOf = (command: Command): string[] => command.args.map((word) => textOf(word) ?? '');

/** The command as a call of what is declared; undefined when it is another. */
function callEffect(command: Command, declared: Declared, context: EffectContext): Effect | undefined {
  if (command.name !== declared.program) return undefined;
  const words = wordsOf(command);
  const wanted = declared.words.slice(1);
  if (words.length < wanted.length || !wanted.every((word, i) => word === words[i] || (word === PLACE && !words[i]!.startsWith('-'))))
    return undefined;
  const at = wanted.indexOf(PLACE);
  const target = declared.target ?? (at < 0 ? undefined : words[at]);
  const extra = words.slice(wanted.length);
  const help = extra.includes('--help') || extra.includes('-h');
  const call = {
    runner: 'declared' as const,
    targets: target === undefined ? [] : [target],
    dir: command.cwd,
    projects: [],
    extra,
    ...(help ? { looks: 'help' as const } : {}),
  };
  return targetEffect(command, call, context, declared.gate === true);
}
