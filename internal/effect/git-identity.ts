/** Calls of git that ask which version the tree is: `rev-parse HEAD`, `describe`, `stash create`, `write-tree`. */
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { type GitCall, gitOptions } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { takersOf } from './line-index.ts';
import type { Grammar } from './options.ts';
import { outputFlow } from './run-flow.ts';

/** HEAD by any of its names, also its tree. */
const HEAD = /^(?:HEAD|@)(?:\^0|\^\{(?:commit|tree)?\}|:)?$/;

/** Options after which `rev-parse` says something else than an object's name. */
const LAYOUT =
  /^--(?:abbrev-ref|symbolic|symbolic-full-name|show-|git-|absolute-git-dir|is-|local-env-vars|parseopt|sq-quote|default|prefix|resolve-git-dir|path-format|disambiguate|branches|tags|remotes|glob|all|bisect)/;

/** `git rev-parse HEAD`. A range, an older commit, another ref or a file of it is no question about this tree. */
export function revParse(call: GitCall): Effect[] {
  const words = call.words.map((word) => textOf(word) ?? '');
  if (words.some((word) => LAYOUT.test(word) || word === '-h' || word === '--help')) return [];
  const operands = words.filter((word) => !word.startsWith('-'));
  return operands.length === 1 && HEAD.test(operands[0] as string) ? identity(call, `rev-parse ${operands[0]}`) : [];
}

const DESCRIBE: Grammar = {
  flags: optionNames('all tags contains debug exact-match long always first-parent'),
  values: optionNames('candidates match exclude'),
  optional: ['dirty', 'broken', 'abbrev'],
};

/** `git describe`. With `--dirty` it says itself that the version does not hold; a named commit is no question about the tree. */
export function describe(call: GitCall): Effect[] {
  const options = gitOptions(call.words, DESCRIBE);
  if (options.help || options.has('dirty') || options.has('broken') || options.on('contains')) return [];
  const [first, ...more] = options.operands.map((word) => textOf(word) ?? '');
  return first === undefined || (more.length === 0 && HEAD.test(first)) ? identity(call, 'describe') : [];
}

/** `git write-tree`: the index as a tree. */
export function writeTree(call: GitCall): Effect[] {
  return call.words.some((word) => ['-h', '--help'].includes(textOf(word) ?? '')) ? [] : identity(call, 'write-tree');
}

/** `git stash create`: a commit of the edits that nothing refers to. */
export function stashCreate(call: GitCall): Effect[] {
  return textOf(call.words[0]) === 'create' ? identity(call, 'stash create') : [];
}

/** Programs that ask about a commit, not about the tree: what they get is an argument of theirs. */
const ASKERS = new Set(['git', 'gh', 'glab', 'hub', 'tea', '[', 'test', '[[']);

function identity(call: GitCall, how: string): Effect[] {
  const { command, context } = call;
  const output = outputFlow(command, context);
  const takers = takersOf(command.step, context);
  if (takers.length > 0 && takers.every((taker) => ASKERS.has(taker.name))) return [];
  const [next] = output.pipe;
  if (next && (ASKERS.has(next.program) || (next.program === 'xargs' && next.argv.some((word) => ASKERS.has(word))))) return [];
  if (compares(context.commands)) return [];
  return [{ kind: 'git.identity', ...call.base, how, output, command: call.line }];
}

const known = new WeakMap<readonly Command[], boolean>();

/** Looked at once for a line, however many of its commands ask. */
function compares(commands: readonly Command[]): boolean {
  const old = known.get(commands);
  if (old !== undefined) return old;
  const found = commands.some(comparesWith);
  known.set(commands, found);
  return found;
}

/** The line asks for another revision as well: it compares commits. */
const comparesWith = (other: Command): boolean => {
  if (other.name !== 'git') return false;
  const [sub, ...words] = other.args.map((word) => textOf(word) ?? '');
  const operands = words.filter((word) => !word.startsWith('-'));
  return (
    sub === 'merge-base' || (sub === 'rev-parse' && !words.some((word) => LAYOUT.test(word)) && operands.some((word) => !HEAD.test(word)))
  );
};
