/** git subcommands that rewrite the whole history, or make lost commits unfindable: reflog, gc, prune, filter-branch, filter-repo, replace. */
import { quoteLine } from '../rule/quote.ts';
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { type GitCall, gitOptions, rewritten, settingOf } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { inner, revision } from './git-tree.ts';

/** `git reflog expire | delete`. */
export function reflog(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('all single-worktree n dry-run rewrite updateref stale-fix verbose'),
    values: ['expire', 'expire-unreachable'],
    aliases: { n: 'dry-run' },
  });
  const verb = textOf(options.operands[0]);
  if (options.help || options.on('dry-run')) return [];
  if (verb === 'delete' && options.operands.length > 1)
    return [{ kind: 'git.internals', ...call.base, how: 'reflog-delete', ref: revision(options.operands[1], ''), command: call.line }];
  if (verb === 'drop') return [{ kind: 'git.internals', ...call.base, how: 'reflog-expire', command: call.line }];
  if (verb !== 'expire') return [];
  const limits = [...options.options].filter(([name]) => name.startsWith('expire')).flatMap(([, values]) => values.map(textOf));
  if (!limits.some((limit) => isNow(limit))) return [];
  return [
    {
      kind: 'git.internals',
      ...call.base,
      how: 'reflog-expire',
      ...(options.operands[1] ? { ref: revision(options.operands[1], '') } : {}),
      command: call.line,
    },
  ];
}

/** `git gc --prune=now`. */
export function gc(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('aggressive auto q quiet force keep-largest-pack cruft detach'),
    values: ['max-cruft-size', 'expire-to'],
    optional: ['prune'],
  });
  if (options.help || options.negated('prune')) return [];
  const limit = options.on('prune') ? options.text('prune') : settingOf(call, 'gc.pruneExpire');
  if (limit === undefined || !isNow(limit)) return [];
  return [{ kind: 'git.internals', ...call.base, how: 'gc-prune', command: call.line }];
}

/** `git prune`: without `--expire` everything that nothing refers to. */
export function prune(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('n dry-run v verbose progress exclude-promisor-objects'),
    values: ['expire'],
    aliases: { n: 'dry-run' },
  });
  if (options.help || options.on('dry-run')) return [];
  if (options.has('expire') && !isNow(options.text('expire'))) return [];
  return [{ kind: 'git.internals', ...call.base, how: 'prune', command: call.line }];
}

/** An expiry that leaves nothing: `now`, `all`, a zero. An unknown one may be that. */
function isNow(limit: string | undefined): boolean {
  if (limit === undefined) return true;
  if (limit === 'never' || limit === 'false') return false;
  return !/\d/.test(limit) ? /^(now|all|today)$/.test(limit) : /^0+([._ -]?\w+)*$/.test(limit);
}

/** `git filter-branch`, with the programs it is given. */
export function filterBranch(call: GitCall): Effect[] {
  const filters = [
    'setup',
    'subdirectory-filter',
    'env-filter',
    'tree-filter',
    'index-filter',
    'parent-filter',
    'msg-filter',
    'commit-filter',
    'tag-name-filter',
    'original',
    'd',
    'state-branch',
  ];
  const options = gitOptions(call.words, { flags: ['f', 'force', 'prune-empty'], values: filters });
  if (options.help) return [];
  const effects: Effect[] = [];
  for (const name of filters.filter((each) => each.endsWith('-filter') && each !== 'subdirectory-filter')) {
    const text = options.text(name);
    // They run in a copy that filter-branch makes for them: only what they name by an absolute path is the caller's.
    if (text !== undefined) effects.push(...inner(call, text, '/tmp/git-rewrite'));
  }
  return [
    ...effects,
    {
      kind: 'git.history-rewrite',
      ...call.base,
      how: 'filter-branch',
      scope: 'all',
      ...(options.on('force') ? { force: true } : {}),
      command: call.line,
    },
  ];
}

/** `git filter-repo` and `bfg`. */
export function filterRepo(call: GitCall): Effect[] {
  const texts = call.words.map(textOf);
  if (texts.some((text) => text === '--dry-run' || text === '--analyze' || text === '-h') || texts.at(-1) === '--help') {
    if (!texts.includes('--replace-text') || texts.includes('--dry-run')) return [];
  }
  const preview = texts.includes('--force') ? rewritten(call, [...texts, '--dry-run']) : undefined;
  return [
    {
      kind: 'git.history-rewrite',
      ...call.base,
      how: 'filter-repo',
      scope: 'all',
      ...(texts.includes('--force') || texts.includes('-f') ? { force: true } : {}),
      ...(preview ? { preview } : {}),
      command: call.line,
    },
  ];
}

/** `git replace`. */
export function replace(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('d delete e edit g graft l list f force raw convert-graft-file'),
    values: ['format'],
    aliases: { d: 'delete', l: 'list' },
  });
  if (options.help || options.on('list') || options.on('delete') || options.operands.length === 0) return [];
  return [{ kind: 'git.history-rewrite', ...call.base, how: 'replace', scope: 'tip', command: call.line }];
}

/** `git bisect run CMD`. */
export function bisect(call: GitCall): Effect[] {
  if (textOf(call.words[0]) !== 'run') return [];
  const texts = call.words.slice(1).map(textOf);
  return texts.some((text) => text === undefined) ? [] : inner(call, quoteLine(texts as string[]));
}
