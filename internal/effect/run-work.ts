/**
 * Work before a push, a commit or the gate: a program that nothing is known of may change files, so that what the gate saw is not what
 * leaves. Only told on lines where that matters.
 */
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import { baseOf, type Family } from './family.ts';
import { RUNNER_OF } from './run-programs.ts';

/** Programs that leave the files of a repository alone, or whose own families say what they change. */
const KNOWN = new Set(
  (
    'cd pushd popd echo printf true false : test [ [[ export set unset exit return break continue local declare typeset readonly shift trap wait ' +
    // What they run is read in their place.
    'bash sh zsh dash ksh eval source . ' +
    'jobs type command which whereis hash alias unalias pwd ls tree stat file cat head tail less more grep egrep fgrep rg ag sort uniq cut tr wc ' +
    'diff cmp comm join nl od xxd hexdump jq yq column fold date sleep env printenv time timeout nice nohup id whoami hostname uname uptime df du ' +
    'free ps pgrep top kill pkill killall git gh glab waygate basename dirname realpath readlink seq expr bc read getopts umask ulimit ' +
    // Their effects name the files.
    'rm rmdir mv cp ln mkdir touch chmod chown tee sed truncate dd rsync tar unzip zip install curl wget find xargs'
  ).split(' '),
);

/** Steps after which nothing matters any more, by line. */
const last = new WeakMap<readonly Command[], number>();

/** The last command that pushes, commits or may be the gate; -1: none does. */
function lastThatMatters(commands: readonly Command[]): number {
  let step = last.get(commands);
  if (step === undefined) {
    step = -1;
    for (const command of commands) if (matters(command)) step = Math.max(step, command.step);
    last.set(commands, step);
  }
  return step;
}

function matters({ name, args }: Command): boolean {
  if (Object.hasOwn(RUNNER_OF, name)) return true;
  if (name !== 'git' && name !== 'waygate' && name !== 'node') return false;
  return args.some((word) => {
    const text = textOf(word);
    return text === 'push' || text === 'commit' || text === 'gate';
  });
}

/** A program nobody knows, in front of one of those. */
export const work: Family = (command, { commands }) => {
  if (commands.length < 2 || command.remote || KNOWN.has(command.name)) return [];
  if (command.step >= lastThatMatters(commands) || matters(command)) return [];
  return [{ kind: 'line.work', ...baseOf(command), program: command.name }];
};
