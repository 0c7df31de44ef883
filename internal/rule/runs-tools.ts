/** Which target of the workspace does what a tool was called for. */
import type { Effect, EffectOf } from '../effect/effect.ts';
import { TEST_TOOLS, TOOLS } from '../effect/run-programs.ts';
import type { Facts } from '../fact/facts.ts';
import type { Cover, Runner, Target } from '../profile/profile.ts';
import { targetsNamed } from '../profile/resolve.ts';
import { sameRunner } from '../profile/target.ts';
import { effectsAt } from './lookup.ts';
import { quote } from './quote.ts';

const list = (words: string): readonly string[] => words.split(' ');

export type RunTool = EffectOf<'run.tool'>;

export interface Wrapped {
  runner: Runner;
  target: Target;
  cover: Cover;
  /** The call of the target that does the same. */
  call: string;
}

/** Words that make a tool write, or keep it from writing: a target with another of these does something else. */
const MODES: ReadonlySet<string> = new Set(
  list(
    '--write --fix -w -i --in-place --unsafe --check --noEmit --dry-run --diff -l -d --apply --no-write --emitDeclarationOnly --build -b --update -u',
  ),
);
/** Words with which it runs until it is interrupted. */
const ENDLESS: ReadonlySet<string> = new Set(list('--watch --watchAll --ui --serve watch dev serve preview start open'));
/** Tools that run their tests without a subcommand too. */
const RUNS_BARE: ReadonlySet<string> = new Set(['vitest']);

/** A run of tests by the tool itself, of the caller's own line, that comes to an end. */
export const isTests = (tool: RunTool): boolean => {
  if (tool.script !== undefined || tool.remote || tool.logged || tool.mode !== 'run' || !Object.hasOwn(TEST_TOOLS, tool.program))
    return false;
  const verb = TEST_TOOLS[tool.program];
  return (verb === undefined || tool.argv.includes(verb)) && !tool.argv.some((word) => ENDLESS.has(word));
};

/** The targets that do what this call does, the best first; none when no target does all of it. */
export function wrappers(tool: RunTool, effects: readonly Effect[], facts: Pick<Facts, 'profile'>): readonly Wrapped[] {
  if (tool.script !== undefined || tool.remote || tool.root || tool.mode !== 'run' || tool.cwd === undefined) return [];
  if (tool.argv.some((word) => word === '' || ENDLESS.has(word))) return [];
  const profile = facts.profile(tool.cwd);
  if (!profile) return [];
  const own = effectsAt(tool.step, effects).flatMap((each) => (each.kind === 'run.target' ? [each.call] : []));
  // What is called is a target of this runner itself: `cargo test`.
  const isOwn = (runner: Runner): boolean =>
    // `uv run pytest` runs in the project's own environment: tox and nox would make another.
    (own.length > 0 && (runner.name === 'tox' || runner.name === 'nox')) ||
    own.some((call) => sameRunner(call.runner, runner.name) && targetsNamed(profile, call).length > 0);
  const found = profile.runners
    .filter((runner) => runner.dir === tool.cwd && !isOwn(runner))
    .flatMap((runner) => runner.targets.flatMap((target) => ofTarget(tool, runner, target)));
  return found.sort((a, b) => Number(b.cover.whole) - Number(a.cover.whole) || a.call.length - b.call.length);
}

function ofTarget(tool: RunTool, runner: Runner, target: Target): readonly Wrapped[] {
  if (target.endless) return [];
  for (const cover of target.covers) {
    const call = cover.program === tool.program ? callOf(tool, runner, target, cover) : undefined;
    if (call !== undefined) return [{ runner, target, cover, call }];
  }
  return [];
}

/** The call of the target with what the tool was told besides; undefined when it would do something else. */
function callOf(tool: RunTool, runner: Runner, target: Target, cover: Cover): string | undefined {
  const verbs = Object.hasOwn(TOOLS, tool.program) ? (TOOLS[tool.program]!.verbs ?? []) : [];
  const asked = split(tool.argv, verbs);
  const done = split(cover.argv, verbs);
  if (
    asked.verb !== done.verb &&
    !(asked.verb === undefined && RUNS_BARE.has(tool.program)) &&
    !(done.verb === undefined && asked.verb === 'run')
  )
    return undefined;
  if (!sameModes(asked.rest, done.rest)) return undefined;
  const extra = [...(asked.verb !== undefined && done.verb === undefined ? [asked.verb] : []), ...without(asked.rest, done.rest)];
  if (extra.length === 0) return target.command;
  if (!cover.whole || runner.pass === undefined) return undefined;
  // A target that names files of its own would go on running them all.
  if (extra.some(isOperand) && done.rest.some((word, i) => isOperand(word) && !isValue(done.rest, i))) return undefined;
  return `${target.command} ${runner.pass.replace('{args}', () => extra.map(quote).join(' '))}`;
}

function split(argv: readonly string[], verbs: readonly string[]): { verb: string | undefined; rest: readonly string[] } {
  const at = argv.findIndex((word) => !word.startsWith('-'));
  const verb = at >= 0 && verbs.includes(argv[at]!) ? argv[at] : undefined;
  return { verb, rest: verb === undefined ? argv : argv.filter((_, i) => i !== at) };
}

/** Words with which a tool reports and writes nothing: a target without them does another thing. */
const REPORTS: ReadonlySet<string> = new Set(list('--noEmit --check --dry-run --diff -l -d --no-write'));

/** What the call adds is handed on; what only the target has would be done besides. */
const sameModes = (asked: readonly string[], done: readonly string[]): boolean =>
  done.every((word) => !MODES.has(word) || asked.includes(word)) && asked.every((word) => !REPORTS.has(word) || done.includes(word));

/** The words that the target does not give by itself. */
function without(words: readonly string[], given: readonly string[]): readonly string[] {
  const left = [...given];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

const isOperand = (word: string): boolean => !word.startsWith('-');
/** Most likely the value of the option in front of it: `--config x.json`. */
const isValue = (words: readonly string[], at: number): boolean =>
  at > 0 && /^-/.test(words[at - 1]!) && !words[at - 1]!.includes('=') && !MODES.has(words[at - 1]!);
