/** `git worktree`, `init` and `clone`: work trees that come and go. */
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { pathTarget, targetOf } from './family.ts';
import { type GitCall, gitOptions } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { isRemoteBranch } from './git-paths.ts';
import { revision, tracking } from './git-tree.ts';
import type { Grammar } from './options.ts';

const ADD: Grammar = {
  flags: optionNames('f force d detach checkout lock orphan q quiet guess-remote relative-paths t'),
  values: ['b', 'B', 'reason'],
  optional: ['track'],
  aliases: { f: 'force', d: 'detach' },
};

/** `git worktree add | remove | move`. */
export function worktree(call: GitCall): Effect[] {
  const verb = textOf(call.words[0]);
  const rest = call.words.slice(1);
  if (verb === 'remove') {
    const options = gitOptions(rest, { flags: ['f', 'force', 'q', 'quiet'], aliases: { f: 'force' } });
    const word = options.operands[0];
    if (options.help || word === undefined) return [];
    const force = options.on('force') ? options.order.filter((each) => each.name === 'force').length : 0;
    return [{ kind: 'git.worktree-remove', ...call.base, path: targetOf(word, call.repo.dir), force, command: call.line }];
  }
  if (verb !== 'add') return [];
  const options = gitOptions(rest, ADD);
  const [path, start] = options.operands;
  if (options.help || path === undefined) return [];
  const made = options.word('b') ?? options.word('B');
  const from = revision(start, 'HEAD');
  const tracked = made && start !== undefined && !options.negated('track') && isRemoteBranch(from, call) ? from : undefined;
  const effects: Effect[] = [];
  if (options.has('B'))
    effects.push({ kind: 'git.branch-move', ...call.base, name: textOf(made), to: from, how: 'worktree add -B', command: call.line });
  effects.push({
    kind: 'git.worktree-add',
    ...call.base,
    path: targetOf(path, call.repo.dir),
    ...(made ? { branch: textOf(made) } : {}),
    command: call.line,
    ...tracking(call, tracked),
  });
  return effects;
}

/** `git init`. */
export function init(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: ['q', 'quiet', 'bare'],
    values: optionNames('template separate-git-dir object-format ref-format b initial-branch'),
    optional: ['shared'],
  });
  if (options.help) return [];
  const word = options.operands[0];
  return [{ kind: 'git.init', ...call.base, path: word ? targetOf(word, call.repo.dir) : pathTarget('.', call.repo.dir) }];
}

/** Options of `git clone` that take a value. */
export const CLONE: Grammar = {
  flags: optionNames(
    'v verbose q quiet progress reject-shallow n no-checkout bare mirror l local no-hardlinks s shared dissociate single-branch tags shallow-submodules remote-submodules sparse also-filter-submodules 4 6 ipv4 ipv6',
  ),
  values: optionNames(
    'template reference reference-if-able o origin b branch revision u upload-pack depth shallow-since shallow-exclude separate-git-dir ref-format c config server-option filter j jobs bundle-uri',
  ),
  optional: ['recurse-submodules', 'recursive'],
  aliases: { c: 'config', u: 'upload-pack', b: 'branch', o: 'origin' },
};

/** `git clone`. */
export function clone(call: GitCall): Effect[] {
  const options = gitOptions(call.words, CLONE);
  const [source, dest] = options.operands;
  if (options.help || source === undefined) return [];
  const local = localSource(textOf(source));
  const from = local === undefined ? {} : { from: pathTarget(local, call.repo.dir) };
  if (dest) return [{ kind: 'git.clone', ...call.base, path: targetOf(dest, call.repo.dir), ...from }];
  const name = textOf(source)
    ?.replace(/\/+$/, '')
    .replace(/\/?\.git$/, '')
    .split(/[/:]/)
    .at(-1);
  return [{ kind: 'git.clone', ...call.base, path: name ? pathTarget(name, call.repo.dir) : undefined, ...from }];
}

/** A repository given as a folder of this machine. */
const localSource = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : text.startsWith('file://') ? text.slice(7) : /^[./]/.test(text) ? text : undefined;
