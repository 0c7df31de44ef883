/**
 * The commands of a recipe: read with the reader of shell lines, in a world without files, so that a recipe gives what it says
 * itself and not what the scripts behind it say.
 */
import { innerCommands } from '../effect/runners.ts';
import type { Command, Look } from '../shell/command.ts';
import { readLine } from '../shell/read.ts';
import { textOf } from '../shell/word.ts';

/** One command of a recipe. */
export interface Called {
  /** Base name of the program that does the work: behind `npx`, `cross-env`, `python -m` and the like. '' where it is not known. */
  program: string;
  /** The words after the program, '' for one that is not known. */
  argv: readonly string[];
  /** The command as it stands, launcher and all: what is asked for by `npx vitest` is npx. */
  outer: { program: string /** Its first word as written: a path, or a name. */; word: string; argv: readonly string[] };
  /** Directory it runs in, absolute; undefined where that is not known. */
  cwd: string | undefined;
  /** It runs whenever the recipe runs. */
  certain: boolean;
  background: boolean;
  source: string;
}

/** A recipe, read. */
export interface Read {
  calls: readonly Called[];
  /** The recipe is one simple command and nothing else: no second one, pipe, redirection, loop, or condition. */
  single: boolean;
}

const NO_FILES: Look = {
  env: () => undefined,
  home: '/',
  tmp: '/tmp',
  stat: () => undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};

/** Longer recipes are kept as text and not read: nobody writes them by hand. */
const MAX_RECIPE = 4 * 1024;

/** Reads a recipe. `dir`: the absolute directory it starts in. `limit`: characters of the longest one that is read. Never throws. */
export function readRecipe(text: string, dir: string, limit = MAX_RECIPE): Read {
  if (text.length > limit) return { calls: [], single: false };
  const line = readLine(text, { cwd: dir, look: NO_FILES });
  const calls = line.commands.map(calledOf);
  // A wrapper stands beside what it starts: one of the two is enough, and the wrapper is the one that was written.
  const kept = line.commands.flatMap((command, at) => {
    const starts = (earlier: number) =>
      command.via.some((via) => via.split(' ')[0] === line.commands[earlier]?.name) &&
      sameCall(calls[earlier] as Called, calls[at] as Called);
    if (line.commands.some((_each, earlier) => earlier < at && starts(earlier))) return [];
    // A shell with a text of its own stands beside the commands of that text.
    const shell = isShell(command) && line.commands.some((each) => each.via.some((via) => via.split(' ')[0] === command.name));
    return shell ? [] : [{ command, call: calls[at] as Called }];
  });
  const commands = kept.map((each) => each.command);
  const [only] = commands;
  const single =
    commands.length === 1 &&
    line.unread.length === 0 &&
    only?.certain === true &&
    !only.looped &&
    !only.background &&
    !only.captured &&
    !only.pipedInto &&
    only.stdin.from === 'inherit' &&
    only.redirects.every((each) => each.op === 'dup');
  return { calls: kept.map((each) => each.call), single };
}

const sameCall = (a: Called, b: Called): boolean => a.program === b.program && a.argv.join('\n') === b.argv.join('\n');

const isShell = (command: Command): boolean => /^(ba|z|da|k|a)?sh$/.test(command.name);

function calledOf(command: Command): Called {
  const last = innerCommands(command).at(-1) ?? command;
  const words = (each: Command) => each.args.map((word) => textOf(word) ?? '');
  return {
    ...moduleOf(last.name, words(last)),
    outer: { program: command.name, word: textOf(command.argv[0]) ?? '', argv: words(command) },
    cwd: command.cwd,
    certain: command.certain,
    background: command.background,
    source: command.source,
  };
}

/** `python -m pytest -q` is pytest. */
function moduleOf(program: string, argv: readonly string[]): { program: string; argv: readonly string[] } {
  if (!/^(python[\d.]*|py)$/.test(program)) return { program, argv };
  const at = argv.indexOf('-m');
  const module = at === -1 || !argv.slice(0, at).every((word) => word.startsWith('-')) ? undefined : argv[at + 1];
  return module ? { program: module.split('.')[0] as string, argv: argv.slice(at + 2) } : { program, argv };
}
