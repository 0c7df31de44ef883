/** `git stash` in all its verbs. */
import { textOf, type Word } from '../shell/word.ts';
import type { Effect, EffectOf } from './effect.ts';
import { type GitCall, gitOptions } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import type { Grammar } from './options.ts';

type Stash = EffectOf<'git.stash'>;

const PUSH: Grammar = {
  flags: optionNames('p patch S staged k keep-index u include-untracked a all q quiet pathspec-file-nul'),
  values: ['m', 'message', 'pathspec-from-file'],
  aliases: { p: 'patch', S: 'staged', k: 'keep-index', u: 'include-untracked', a: 'all', m: 'message', q: 'quiet' },
};

const OTHER: Grammar = { flags: ['q', 'quiet', 'index'], values: ['m', 'message'], aliases: { q: 'quiet', m: 'message' } };

/** `git stash`: push unless another verb is named. */
export function stash(call: GitCall): Effect[] {
  const first = textOf(call.words[0]);
  if (call.words.length > 0 && first === undefined) return [];
  if (first === undefined || first.startsWith('-')) return push(call, call.words, false);
  const rest = call.words.slice(1);
  switch (first) {
    case 'push':
      return push(call, rest, false);
    case 'save':
      return push(call, rest, true);
    case 'pop':
    case 'apply':
    case 'drop':
    case 'branch':
    case 'clear':
    case 'create':
    case 'store':
      return verb(call, first, rest);
    default:
      return [];
  }
}

function push(call: GitCall, words: readonly Word[], saves: boolean): Effect[] {
  const options = gitOptions(words, PUSH);
  if (options.help) return [];
  const paths = saves ? [] : options.operands.map((word) => textOf(word) ?? word.raw);
  const message = saves ? options.operands.map((word) => textOf(word) ?? '').join(' ') || undefined : options.text('message');
  return [
    {
      ...plain(call, 'push'),
      untracked: options.on('include-untracked') || options.on('all'),
      ignored: options.on('all'),
      paths,
      named: message !== undefined || paths.length > 0 || options.has('pathspec-from-file'),
      ...(message === undefined ? {} : { message }),
      ...(options.on('keep-index') ? { keepIndex: true } : {}),
    },
  ];
}

function verb(call: GitCall, op: Stash['op'], words: readonly Word[]): Effect[] {
  const options = gitOptions(words, OTHER);
  if (options.help) return [];
  if (op === 'clear' || op === 'create' || op === 'store') return [plain(call, op)];
  const named = options.operands[op === 'branch' ? 1 : 0];
  return [{ ...plain(call, op), entry: named === undefined ? 0 : entryOf(named), named: named !== undefined }];
}

const plain = (call: GitCall, op: Stash['op']): Stash => ({
  kind: 'git.stash',
  ...call.base,
  op,
  entry: undefined,
  untracked: false,
  ignored: false,
  paths: [],
  named: false,
  command: call.line,
});

/** `stash@{2}` or `2`; undefined when it is not known or a commit's name. */
export function entryOf(word: Word): number | undefined {
  const match = /^(?:(?:refs\/)?stash@\{)?(\d+)\}?$/.exec(textOf(word) ?? '');
  return match ? Number(match[1]) : undefined;
}
