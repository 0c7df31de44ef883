/** Toolchain programs called directly: `vitest run`, `npx eslint src`, `python -m pytest`. */
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import type { Effect, EffectOf } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from './family.ts';
import { aroundOf, bareOf } from './run-call.ts';
import { outputFlow } from './run-flow.ts';
import { ONLY_VERBS, TOOLS, type Tool } from './run-programs.ts';

type Mode = EffectOf<'run.tool'>['mode'];

/** The effect of a call of a tool. `launcher`: what started it, where that is not the program itself. */
export function toolEffect(command: Command, program: string, argv: readonly string[], context: EffectContext, launcher?: string): Effect {
  return {
    kind: 'run.tool',
    ...baseOf(command),
    program,
    argv,
    ...(launcher === undefined ? {} : { launcher }),
    mode: modeOf(argv, Object.hasOwn(TOOLS, program) ? TOOLS[program]! : {}),
    output: outputFlow(command, context),
    logged: command.via.includes('waygate run'),
    bare: bareOf(command, context),
    around: aroundOf(command, context),
    command: command.source,
  };
}

/** Does it ask about the tool, only report, or do its work? */
function modeOf(argv: readonly string[], tool: Tool): Mode {
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (own.some((word) => word === '--help' || word === '--version' || (own.length === 1 && /^-[hvV]$/.test(word)))) return 'help';
  if (own[0] === 'help' || own[0] === 'version') return 'help';
  if (own.some((word) => tool.tells?.includes(word))) return 'help';
  if (own.some((word) => tool.checks?.includes(word)) && !own.some((word) => WRITES.has(word))) return 'check';
  return 'run';
}

/** With one of these a tool changes files whatever else it is told. */
const WRITES: ReadonlySet<string> = new Set(['-w', '--write', '--fix', '-i', '--in-place']);

/** Launchers whose inner program the effect of that program tells already. */
const OUTERMOST =
  /^(?:npx|pnpx|bunx|npm|pnpm|yarn|bun|uv|uvx|poetry|pipx|pdm|hatch|rye|pixi|pipenv|bundle|mise|asdf|corepack|cross-env|dotenv|dotenvx|env-cmd|node)$/;

const tool: Family = (command, context) => {
  const argv = command.args.map((word) => textOf(word) ?? '');
  const known = TOOLS[command.name];
  if (known && ONLY_VERBS.has(command.name) && !known.verbs?.includes(verbOf(argv))) return [];
  const launcher = command.via.findLast((via) => OUTERMOST.test(via));
  return [toolEffect(command, command.name, argv, context, launcher)];
};

const verbOf = (argv: readonly string[]): string => argv.find((word) => !word.startsWith('-') && !word.startsWith('+')) ?? '';

/** `python -m pytest`, `node node_modules/.bin/vitest` is read by the runners of internal/effect/runners.ts. */
const module: Family = (command, context) => {
  const words = command.args.map((word) => textOf(word) ?? '');
  const at = words.indexOf('-m');
  const name = words[at + 1];
  if (at < 0 || name === undefined || !words.slice(0, at).every((word) => word.startsWith('-'))) return [];
  const program = name.split('.')[0]!;
  return Object.hasOwn(TOOLS, program) ? [toolEffect(command, program, words.slice(at + 2), context, `${command.name} -m`)] : [];
};

/** `bun test`: bun's own test runner, which is no script. */
const bunTest: Family = (command, context) => {
  const words = command.args.map((word) => textOf(word) ?? '');
  return words[0] === 'test' ? [toolEffect(command, 'bun', words, context)] : [];
};

const each = (programs: readonly string[], family: Family): FamilyTable => Object.fromEntries(programs.map((program) => [program, family]));

export const RUN_TOOLS: readonly FamilyTable[] = [
  each(Object.keys(TOOLS), tool),
  each(['python', 'python3', 'py', 'python3.10', 'python3.11', 'python3.12', 'python3.13', 'python3.14'], module),
  each(['bun'], bunTest),
];
