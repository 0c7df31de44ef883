/** Mercurial, Subversion and Perforce: the few verbs that discard what the system keeps no copy of. Jujutsu and Fossil can undo theirs. */
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type FamilyTable } from './family.ts';
import { lineOf } from './git-call.ts';
import { type Grammar, type Parsed, parseOptions } from './options.ts';

/** What one verb of a tool discards; undefined when this call of it does not. */
interface Verb {
  names: readonly string[];
  grammar: Grammar;
  loses(options: Parsed): 'changes' | 'untracked files' | undefined;
  how: string;
  preview: string;
  keep?: string;
}

const HG: readonly Verb[] = [
  {
    names: ['update', 'up', 'checkout', 'co', 'goto'],
    grammar: { flags: ['C', 'clean', 'c', 'check', 'm', 'merge'], values: ['r', 'rev', 'd', 'date', 't', 'tool'], aliases: { C: 'clean' } },
    loses: (options) => (options.has('clean') ? 'changes' : undefined),
    how: 'hg update --clean',
    preview: 'hg status',
    keep: 'hg shelve',
  },
  {
    names: ['revert'],
    grammar: {
      flags: ['a', 'all', 'C', 'no-backup', 'n', 'dry-run', 'i', 'interactive'],
      values: ['r', 'rev', 'd', 'date', 'I', 'include', 'X', 'exclude'],
      aliases: { C: 'no-backup', n: 'dry-run' },
    },
    // Without this option hg leaves `.orig` files behind.
    loses: (options) => (options.has('no-backup') && !options.has('dry-run') ? 'changes' : undefined),
    how: 'hg revert --no-backup',
    preview: 'hg status',
    keep: 'hg shelve',
  },
  {
    names: ['purge', 'clean'],
    grammar: {
      flags: ['a', 'abort-on-err', 'all', 'i', 'ignored', 'dirs', 'files', 'p', 'print', '0', 'print0', 'confirm'],
      values: ['I', 'include', 'X', 'exclude'],
      aliases: { p: 'print', '0': 'print' },
    },
    loses: (options) => (options.has('print') ? undefined : 'untracked files'),
    how: 'hg purge',
    preview: 'hg purge --print',
  },
];

const SVN: readonly Verb[] = [
  {
    names: ['revert'],
    grammar: { flags: ['R', 'recursive', 'q', 'quiet', 'remove-added'], values: ['depth', 'targets', 'changelist', 'cl'] },
    loses: () => 'changes',
    how: 'svn revert',
    preview: 'svn status',
  },
  {
    names: ['cleanup'],
    grammar: { flags: ['remove-unversioned', 'remove-ignored', 'include-externals', 'q', 'quiet', 'vacuum-pristines'] },
    loses: (options) => (options.has('remove-unversioned') || options.has('remove-ignored') ? 'untracked files' : undefined),
    how: 'svn cleanup --remove-unversioned',
    preview: 'svn status',
  },
];

const P4: readonly Verb[] = [
  {
    names: ['revert'],
    grammar: { flags: ['a', 'n', 'k', 'w'], values: ['c', 'C'] },
    loses: (options) => (['a', 'n', 'k'].some((name) => options.has(name)) ? undefined : 'changes'),
    how: 'p4 revert',
    preview: 'p4 opened',
    keep: 'p4 shelve',
  },
];

/** Options in front of the verb that take a value. */
const GLOBAL: Grammar = {
  flags: ['v', 'verbose', 'q', 'quiet', 'y', 'noninteractive'],
  values: ['R', 'repository', 'cwd', 'config', 'd', 'c', 'p', 'u', 'P'],
  stopAtOperand: true,
};

const family =
  (tool: string, verbs: readonly Verb[]) =>
  (command: Command, context: EffectContext): readonly Effect[] => {
    const [first, ...words] = parseOptions(command.args, GLOBAL).operands;
    const name = textOf(first);
    const verb = verbs.find((each) => name !== undefined && each.names.includes(name));
    if (!verb) return [];
    const options = parseOptions(words, verb.grammar);
    const loses = options.has('help') || options.has('h') ? undefined : verb.loses(options);
    if (loses === undefined) return [];
    const line = lineOf(command, context, command.args.map(textOf)) ?? command.source;
    return [
      {
        kind: 'vcs.discard',
        ...baseOf(command),
        repo: { dir: command.cwd },
        tool,
        how: verb.how,
        loses,
        preview: verb.preview,
        ...(verb.keep ? { keep: verb.keep } : {}),
        command: line,
      },
    ];
  };

/** Programs of other version control systems. */
export const OTHER_VCS: FamilyTable = { hg: family('hg', HG), svn: family('svn', SVN), p4: family('p4', P4) };
