/** What a database client reads from its standard input or a file, and whether a database is only there to be thrown away. */

import type { Command } from '../shell/command.ts';
import { shapeOf, textOf, type Word } from '../shell/word.ts';
import { type EffectContext, pathTarget } from './family.ts';
import { commandAt } from './line-index.ts';

/** The largest script that is read, in bytes. */
const SCRIPT_LIMIT = 1_000_000;

/** The text a command gets on its standard input, as far as it stands in the line or in a file; holes are left out. */
export function stdinText(command: Command, context: EffectContext): string | undefined {
  const { stdin } = command;
  if (stdin.from === 'text') return shapeOf(stdin.text);
  if (stdin.from === 'file') return fileText(stdin.file, openedBy(command, context), context);
  if (stdin.from !== 'pipe') return undefined;
  const feeder = commandAt(stdin.steps.at(-1) ?? -1, context);
  return feeder && printedBy(feeder, context);
}

/** Whose file it is: `docker exec -i db psql < x.sql` reads here, `ssh host 'psql < x.sql'` there. */
function openedBy(command: Command, context: EffectContext): Command {
  if (!command.remote || command.redirects.some((redirect) => redirect.op === '<')) return command;
  return context.commands.find((other) => !other.remote && other.stdin === command.stdin) ?? command;
}

/** What `echo`, `printf` and `cat` print. */
export function printedBy(command: Command, context: EffectContext): string | undefined {
  if (command.name === 'echo' || command.name === 'printf') return command.args.map(shapeOf).join(' ').replaceAll('\\n', '\n');
  if (command.name !== 'cat') return undefined;
  const files = command.args.filter((word) => !shapeOf(word).startsWith('-'));
  if (files.length === 0) return stdinText(command, context);
  const texts = files.map((file) => fileText(file, command, context) ?? '');
  return texts.join('\n');
}

/** The text of a file named by a word. */
export function fileText(file: Word | undefined, command: Command, context: EffectContext): string | undefined {
  const text = textOf(file);
  if (text === undefined || command.remote) return undefined;
  const path = pathTarget(text, command.cwd).path;
  return path === undefined ? undefined : context.look.read(path, SCRIPT_LIMIT);
}

/** The command's questions are answered for it: `yes | X`, `echo y | X`, `X <<< y`. */
export function isAnswered(command: Command, context: EffectContext): boolean {
  const { stdin } = command;
  if (stdin.from === 'pipe') {
    const feeder = commandAt(stdin.steps.at(-1) ?? -1, context);
    if (feeder?.name === 'yes') return true;
  }
  const text = stdinText(command, context)?.trim().toLowerCase();
  return text !== undefined && /^(y|yes|true|1)(\s|$)/.test(text);
}

const THROWAWAY_WORDS = new Set(['test', 'tests', 'testing', 'tmp', 'temp', 'scratch', 'ci', 'e2e', 'throwaway', 'ephemeral']);

/** A name whose words say that it is a test or scratch database: `app_test`, `ci-tmp`. */
export const isThrowawayName = (name: string | undefined): boolean =>
  name
    ?.toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => THROWAWAY_WORDS.has(word)) ?? false;

/** A connection address whose database is throwaway: in memory, or named so. */
export function isThrowawayUrl(url: string | undefined): boolean {
  if (!url) return false;
  if (/:memory:|mode=memory/.test(url)) return true;
  const path = url.replace(/[?#].*$/, '');
  return /^[a-z][a-z0-9+.-]*:/i.test(path) && isThrowawayName(path.slice(path.lastIndexOf('/') + 1));
}

/** The host part of an address or name is this machine. */
export const isLocalHost = (host: string): boolean =>
  /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal|.*\.(localhost|test|local\.test))$/i.test(host);

/**
 * The variable that chooses a framework's database says test, in the line or in the environment. `names`: the variables
 * this framework reads. NODE_ENV counts only where the line sets it: in an agent's environment it says something else.
 */
export function isTestMode(command: Command, context: EffectContext, names: readonly string[]): boolean {
  const value = (name: string) =>
    command.env.has(name) ? textOf(command.env.get(name)) : name === 'NODE_ENV' ? undefined : context.look.env(name);
  return names.some((name) =>
    (name === 'DJANGO_SETTINGS_MODULE' ? /(^|[._])tests?($|[._])/ : /^(test|testing|ci)$/i).test(value(name) ?? ''),
  );
}
