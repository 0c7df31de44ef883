/** What a verb of the command line is. Its file is loaded only when it is asked for. */
import type { Command } from 'commander';
import type { Exit } from './terminal.ts';

export interface VerbModule {
  /** Gives the command its arguments, options, examples and action. The action reports an exit code other than 0 through `exit`. */
  define(command: Command, exit: (code: Exit) => void): void;
}

/** A verb that reads its own words, because a word of it may be a path or `--`. */
export interface OwnParser {
  /** Gives the exit code: 0, 1 or 2, or that of a program it runs. */
  run(argv: readonly string[]): Promise<number>;
}

export interface Verb {
  name: string;
  /** One line for the overview. */
  summary: string;
  load(): Promise<VerbModule | OwnParser>;
}

/** Examples below the help of a verb: the line to type, and what it is for. */
export const examples = (command: Command, lines: readonly (readonly [line: string, what: string])[]): Command => {
  const width = Math.max(...lines.map(([line]) => line.length));
  return command.addHelpText('after', `\nExamples:\n${lines.map(([line, what]) => `  $ ${line.padEnd(width)}   ${what}`).join('\n')}`);
};
