/** `git config`: what it writes, and what that means when the key names a program, a remote or the hooks. */
import { hasHole, shapeOf, textOf, type Word } from '../shell/word.ts';
import type { Effect, EffectOf } from './effect.ts';
import { targetOf } from './family.ts';
import { type GitCall, gitOptions } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { programOf } from './git-programs.ts';
import { normalKey } from './git-settings.ts';
import { inner } from './git-tree.ts';
import type { Grammar } from './options.ts';

const CONFIG: Grammar = {
  flags: optionNames(
    'global system local worktree get get-all get-regexp replace-all add unset unset-all rename-section remove-section l list e edit bool int bool-or-int bool-or-str path expiry-date z null name-only includes show-origin show-scope fixed-value all regexp append show-names',
  ),
  values: optionNames('f file blob type default get-color get-colorbool get-urlmatch comment value url'),
  aliases: { f: 'file', l: 'list', e: 'edit' },
};

/** One write to the configuration. */
export interface Write {
  key: string;
  /** undefined: unset, or not known. */
  value: string | undefined;
  unset: boolean;
}

/** What a `git config` call writes; undefined when it only reads. */
export function writeOf(words: readonly Word[]): Write | undefined {
  const options = gitOptions(words, CONFIG);
  if (
    options.help ||
    ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'get-color', 'get-colorbool', 'list', 'edit', 'blob'].some((name) => options.has(name))
  )
    return undefined;
  const operands = options.operands;
  const verb = textOf(operands[0]);
  if (options.has('unset') || options.has('unset-all') || options.has('remove-section'))
    return { key: keyOf(operands[0]), value: undefined, unset: true };
  if (options.has('rename-section')) return { key: keyOf(operands[0]), value: valueIn(operands[1]), unset: true };
  switch (verb) {
    case 'get':
    case 'list':
    case 'edit':
      return undefined;
    case 'unset':
    case 'remove-section':
      return { key: keyOf(operands[1]), value: undefined, unset: true };
    case 'rename-section':
      return { key: keyOf(operands[1]), value: textOf(operands[2]), unset: true };
    case 'set':
      return operands.length < 3 ? undefined : { key: keyOf(operands[1]), value: valueIn(operands[2]), unset: false };
    default:
      return operands.length < 2 ? undefined : { key: keyOf(operands[0]), value: valueIn(operands[1]), unset: false };
  }
}

/** A glob that meets no file stays as it is written: `+refs/heads/*:refs/heads/*`. */
const valueIn = (word: Word | undefined): string | undefined => (word === undefined || hasHole(word) ? undefined : shapeOf(word));
const keyOf = (word: Word | undefined): string => normalKey(textOf(word) ?? word?.raw ?? '');

/** The value stands already: nothing changes. */
function isSame(call: GitCall, write: Write): boolean {
  const dir = call.repo.dir;
  return (
    !write.unset &&
    write.value !== undefined &&
    dir !== undefined &&
    call.context.look.gitConfig(dir, 'core.hooksPath').at(-1) === write.value
  );
}

/** `git config`. */
export function config(call: GitCall): Effect[] {
  const write = writeOf(call.words);
  if (!write || write.key === '') return [];
  const options = gitOptions(call.words, CONFIG);
  const file = options.word('file');
  const scope: EffectOf<'git.config'>['scope'] = file
    ? 'file'
    : options.on('global')
      ? 'global'
      : options.on('system')
        ? 'system'
        : options.on('worktree')
          ? 'worktree'
          : 'local';
  const effects: Effect[] = [
    {
      kind: 'git.config',
      ...call.base,
      key: write.key,
      value: write.value,
      scope,
      unset: write.unset,
      command: call.line,
      ...(file ? { file: targetOf(file, call.repo.dir) } : {}),
    },
  ];
  if ((write.key === 'core.hookspath' && !isSame(call, write)) || (write.unset && write.key === 'core')) {
    effects.push({
      kind: 'git.hook-bypass',
      ...call.base,
      how: write.unset ? 'core.hooksPath unset' : `core.hooksPath=${write.value ?? ''}`,
      what: 'config',
      command: call.line,
    });
  }
  const url = /^remote\.(.+)\.(url|pushurl)$/.exec(write.key);
  if (url)
    effects.push({
      kind: 'git.remote',
      ...call.base,
      op: write.unset ? 'remove' : 'set-url',
      name: url[1]!,
      ...(write.value === undefined ? {} : { url: write.value }),
    });
  // A program that git starts by itself the next time runs as surely as one on the line.
  const program = write.unset ? undefined : programOf(write.key, write.value);
  if (program?.text !== undefined && !write.key.startsWith('alias.')) effects.push(...inner(call, program.text));
  return effects;
}
