/** Redirections of every command: `>` empties the file before the command starts, `>>` adds to it, `<` reads it. */
import type { Command, Redirect } from '../shell/command.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, targetOf } from './family.ts';
import { outputText } from './files-content.ts';
import { isAway, isSink, targetsOf, writing } from './files-paths.ts';
import { isReader } from './files-read.ts';

/** The file effects of a command's redirections, in order. */
export function redirections(command: Command, context: EffectContext): readonly Effect[] {
  const fed = fedByCompound(command);
  if (command.redirects.length === 0) return fed;
  return [...fed, ...command.redirects.flatMap((redirect) => ofOne(redirect, command, context))];
}

/** `while read x; do …; done < f`: the file stands behind the loop, the command in it reads it. */
function fedByCompound(command: Command): Effect[] {
  if (command.stdin.from !== 'file' || command.redirects.some((redirect) => redirect.op === '<')) return [];
  const target = targetOf(command.stdin.file, command.cwd);
  if ((target.path !== undefined && isSink(target.path)) || !(isReader(command.name) || FEEDS.has(command.name))) return [];
  return [{ kind: 'file.read', ...baseOf(command), targets: [target], shown: isReader(command.name) && !isAway(command) }];
}

const FEEDS = new Set(['read', 'mapfile', 'readarray', 'xargs']);

function ofOne(redirect: Redirect, command: Command, context: EffectContext): Effect[] {
  if (redirect.op === 'dup') return [];
  const target = targetOf(redirect.target, command.cwd);
  const targets = targetsOf([redirect.target], command.cwd);
  // The redirection is done by the shell that reads the line, not by a program behind sudo or ssh; the reader says where it stands.
  const base = baseOf(command);
  const writes = redirect.op !== '<' && (redirect.op !== '<>' || redirect.fds.includes(1));
  if (!writes) {
    if (redirect.op === '<>' || (target.path !== undefined && isSink(target.path))) return [];
    if (isBare(command)) return [{ kind: 'file.read', ...base, by: '$(<)', targets: [target], shown: !isAway(command) }];
    return [{ kind: 'file.read', ...base, targets: [target], shown: isReader(command.name) && !isAway(command) }];
  }
  const append = redirect.op === '>>';
  const content = redirect.fds.includes(1) && !command.pipedInto ? outputText(command, context) : undefined;
  return writing(base, targets, {
    mode: append ? 'append' : 'truncate',
    ...(content !== undefined ? { content } : {}),
    how: redirect.op,
    command: command.source,
  });
}

/** `$(<file)`: no command at all, and the substitution holds the file as `$(cat file)` would. The reader of lines calls it `:`. */
const isBare = (command: Command): boolean =>
  command.name === ':' && command.captured && command.args.length === 0 && !command.source.trimStart().startsWith(':');
