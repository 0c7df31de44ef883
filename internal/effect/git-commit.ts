/** git subcommands that stage and commit: add, commit, update-index, merge, pull, rebase, cherry-pick, revert, am. */
import { secretByName } from '../secret/names.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { type GitCall, gitOptions, rewritten, withoutOption } from './git-call.ts';
import { COMMIT, MERGE, optionNames, PULL, REBASE } from './git-grammars.ts';
import { pathspecs } from './git-paths.ts';
import { inner, revision } from './git-tree.ts';
import type { Grammar } from './options.ts';

const ADD: Grammar = {
  flags: optionNames(
    'n dry-run v verbose i interactive p patch e edit f force u update renormalize N intent-to-add A all ignore-removal refresh ignore-errors ignore-missing sparse pathspec-file-nul',
  ),
  values: ['chmod', 'pathspec-from-file'],
  aliases: { n: 'dry-run', v: 'verbose', i: 'interactive', p: 'patch', e: 'edit', f: 'force', u: 'update', N: 'intent-to-add', A: 'all' },
};

/** `git add`. What only looks, asks or notes a name stages no content. */
export function add(call: GitCall): Effect[] {
  const options = gitOptions(call.words, ADD);
  if (options.help || ['dry-run', 'patch', 'interactive', 'edit', 'intent-to-add', 'refresh'].some((name) => options.on(name))) return [];
  const sweep = options.on('all') || options.on('update') || options.negated('ignore-removal');
  const listed = options.has('pathspec-from-file');
  if (options.operands.length === 0 && !sweep && !listed) return [];
  const paths = options.operands.length === 0 ? [] : pathspecs(options.operands, call);
  return [
    {
      kind: 'git.stage',
      ...call.base,
      paths: paths ?? [],
      all: !listed && (paths === undefined || paths.length === 0),
      force: options.on('force'),
      update: options.on('update'),
      how: 'add',
      command: call.line,
    },
  ];
}

/** `git commit`. */
export function commit(call: GitCall): Effect[] {
  const options = gitOptions(call.words, COMMIT);
  if (options.help || options.on('dry-run') || options.on('short') || options.on('porcelain')) return [];
  const effects: Effect[] = [];
  const all = options.on('all');
  const paths = pathspecs(options.operands, call) ?? [];
  if (all) {
    const rest = rewritten(call, withoutOption(call.words, options, ['all']));
    effects.push({
      kind: 'git.stage',
      ...call.base,
      paths: [],
      all: true,
      force: false,
      update: true,
      how: 'commit -a',
      command: call.line,
      ...(rest === undefined ? {} : { rest }),
    });
  }
  // A path on the line is staged by the commit itself: said where it may hold a credential.
  const held = all ? [] : paths.filter((path) => secretByName(path.path ?? path.raw) !== undefined);
  if (held.length > 0)
    effects.push({
      kind: 'git.stage',
      ...call.base,
      paths: held,
      all: false,
      force: false,
      update: true,
      how: 'other',
      command: call.line,
    });
  const amend = options.on('amend');
  if (amend) effects.push({ kind: 'git.history-rewrite', ...call.base, how: 'amend', scope: 'tip', base: 'HEAD~1', command: call.line });
  const messages = (options.options.get('message') ?? []).map(textOf);
  const message = messages.some((text) => text === undefined) ? undefined : messages.join('\n\n');
  effects.push({ kind: 'git.commit', ...call.base, amend, all, paths, ...(message ? { message } : {}), command: call.line });
  return effects;
}

/** `git update-index --add PATH`. */
export function updateIndex(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('add remove force-remove refresh q again g assume-unchanged skip-worktree replace stdin z really-refresh'),
    values: ['chmod', 'index-version'],
    aliases: {},
  });
  if (options.help || !options.on('add') || options.has('cacheinfo') || options.operands.length === 0) return [];
  return [
    {
      kind: 'git.stage',
      ...call.base,
      paths: pathspecs(options.operands, call) ?? [],
      all: false,
      force: true,
      update: false,
      how: 'other',
      command: call.line,
    },
  ];
}

/** `git merge`. */
export function merge(call: GitCall): Effect[] {
  const options = gitOptions(call.words, MERGE);
  if (options.help || options.on('quit') || options.on('continue')) return [];
  return [{ kind: 'git.merge', ...call.base, how: options.on('abort') ? 'abort' : 'merge', command: call.line }];
}

/** `git pull`: a fetch, then a merge or a rebase. */
export function pull(call: GitCall): Effect[] {
  const options = gitOptions(call.words, PULL);
  if (options.help || options.on('dry-run')) return [];
  const [remote, ...refs] = options.operands;
  return [
    {
      kind: 'git.fetch',
      ...call.base,
      remoteName: textOf(remote),
      refs: refs.map((word) => textOf(word) ?? word.raw),
      prune: options.on('prune'),
    },
    { kind: 'git.merge', ...call.base, how: 'pull', command: call.line },
  ];
}

/** `git rebase`: moves commits; with `--exec` it also runs a program after each. */
export function rebase(call: GitCall): Effect[] {
  const options = gitOptions(call.words, REBASE);
  if (options.help) return [];
  const effects: Effect[] = [];
  for (const word of options.options.get('exec') ?? []) {
    const text = textOf(word);
    if (text !== undefined) effects.push(...inner(call, text));
  }
  if (['continue', 'quit', 'edit-todo', 'show-current-patch'].some((name) => options.on(name))) return effects;
  if (options.on('abort') || options.on('skip')) return [...effects, { kind: 'git.merge', ...call.base, how: 'abort', command: call.line }];
  const root = options.on('root');
  const base = root ? undefined : (options.text('onto') ?? (options.operands[0] ? revision(options.operands[0], '') : '@{upstream}'));
  const upstream = root ? undefined : options.operands[0] ? revision(options.operands[0], '') : base;
  return [
    ...effects,
    {
      kind: 'git.history-rewrite',
      ...call.base,
      how: 'rebase',
      scope: root ? 'all' : 'range',
      ...(upstream ? { base: upstream } : {}),
      command: call.line,
    },
  ];
}

const PICK: Grammar = {
  flags: optionNames(
    'e edit n no-commit x r s signoff ff allow-empty keep-redundant-commits continue skip abort quit no-verify q quiet i interactive 3 3way keep-cr k keep u utf8 m message-id c scissors resolved retry ignore-date committer-date-is-author-date',
  ),
  values: optionNames('mainline X strategy strategy-option cleanup p C directory exclude include patch-format empty'),
  optional: ['S', 'gpg-sign', 'rerere-autoupdate', 'whitespace', 'show-current-patch'],
};

/** `git cherry-pick`, `revert` and `am`. */
export const pick =
  (how: 'cherry-pick' | 'revert' | 'am') =>
  (call: GitCall): Effect[] => {
    const options = gitOptions(call.words, PICK);
    if (options.help || ['continue', 'quit', 'resolved', 'retry'].some((name) => options.on(name))) return [];
    return [{ kind: 'git.merge', ...call.base, how: options.on('abort') || options.on('skip') ? 'abort' : how, command: call.line }];
  };
