/** What a command reads and prints, where it is certain: the new text of a file that a redirection writes. */
import type { Command } from '../shell/command.ts';
import { outputOf } from '../shell/output.ts';
import { textOf } from '../shell/word.ts';
import type { EffectContext } from './family.ts';

/** The text on a command's standard input, when all of it is known. */
export function inputText({ stdin }: Command): string | undefined {
  return stdin.from === 'text' || stdin.from === 'pipe' ? textOf(stdin.text) : undefined;
}

/** Commands that print nothing whatever they are given. */
const SILENT = new Set(['', ':', 'true', 'false']);

/** The text a command prints, when all of it is known. */
export function outputText(command: Command, { look }: EffectContext): string | undefined {
  if (SILENT.has(command.name) && command.args.length === 0) return '';
  if (command.name === ':' || command.name === 'true') return '';
  if (command.name === 'cat' && command.args.length === 1 && textOf(command.args[0]) === '/dev/null') return '';
  const { cwd, stdin } = command;
  return textOf(outputOf(command.name, command.args, { look, cwd, stdin, redirects: [], fresh: () => 0, exists: () => false }));
}
