import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { type GitCall, gitOptions } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { isRemoteBranch } from './git-paths.ts';
import { revision, tracking } from './git-tree.ts';
import type { Grammar } from './options.ts';

const BRANCH: Grammar = {
  flags: optionNames(
    'd D delete m M move c C copy f force l list a all r remotes v verbose vv q quiet i ignore-case show-current edit-description unset-upstream create-reflog omit-empty t',
  ),
  values: optionNames('u set-upstream-to sort format points-at contains no-contains'),
  optional: optionNames('track color column abbrev merged no-merged recurse-submodules'),
  aliases: {
    d: 'delete',
    m: 'move',
    c: 'copy',
    f: 'force',
    l: 'list',
    a: 'all',
    r: 'remotes',
    u: 'set-upstream-to',
    v: 'verbose',
    q: 'quiet',
  },
};

/** `git branch`: delete, move, or make one. */
export function branch(call: GitCall): Effect[] {
  const options = gitOptions(call.words, BRANCH);
  if (
    options.help ||
    [
      'list',
      'all',
      'show-current',
      'edit-description',
      'unset-upstream',
      'set-upstream-to',
      'contains',
      'merged',
      'no-merged',
      'points-at',
    ].some((name) => options.has(name))
  )
    return [];
  const force = options.on('force');
  if (options.on('delete') || options.has('D')) {
    const names = options.operands.map(textOf);
    const unknown = options.operands.find((_, at) => names[at] === undefined);
    return [
      {
        kind: 'git.branch-delete',
        ...call.base,
        names: names.filter((name) => name !== undefined),
        force: force || options.has('D'),
        tracking: options.on('remotes'),
        ...(unknown ? { unknown: unknown.raw } : {}),
        command: call.line,
      },
    ];
  }
  if (options.on('remotes')) return [];
  const [first, second] = options.operands;
  if (first === undefined) return [];
  const name = textOf(first);
  if (options.has('M') || options.has('C') || ((options.on('move') || options.on('copy')) && force)) {
    const target = second ?? first;
    return [
      {
        kind: 'git.branch-move',
        ...call.base,
        name: textOf(target),
        to: second ? revision(first, 'HEAD') : 'HEAD',
        how: options.has('C') || options.on('copy') ? 'branch -C' : 'branch -M',
        command: call.line,
      },
    ];
  }
  if (options.on('move') || options.on('copy')) return [];
  const to = revision(second, 'HEAD');
  if (force) return [{ kind: 'git.branch-move', ...call.base, name, to, how: 'branch -f', command: call.line }];
  if (name === undefined) return [];
  const tracked = second !== undefined && !options.negated('track') && isRemoteBranch(to, call) ? to : undefined;
  return [{ kind: 'git.branch-create', ...call.base, name, start: to, command: call.line, ...tracking(call, tracked) }];
}

const TAG: Grammar = {
  flags: optionNames('a annotate s sign d delete v verify f force l list i ignore-case create-reflog omit-empty e edit'),
  values: optionNames('m message F file u local-user cleanup sort format points-at contains no-contains trailer'),
  optional: ['n', 'column', 'color', 'merged', 'no-merged'],
  aliases: { d: 'delete', f: 'force', l: 'list' },
};

/** `git tag`: deletes, or moves one with force. */
export function tag(call: GitCall): Effect[] {
  const options = gitOptions(call.words, TAG);
  if (options.help || options.on('list')) return [];
  const name = textOf(options.operands[0]);
  if (options.on('delete')) {
    return options.operands.map((word) => ({
      kind: 'git.internals' as const,
      ...call.base,
      how: 'update-ref-delete' as const,
      ref: `refs/tags/${textOf(word) ?? word.raw}`,
      command: call.line,
    }));
  }
  if (options.on('force') && name !== undefined)
    return [{ kind: 'git.internals', ...call.base, how: 'ref-edit', ref: `refs/tags/${name}`, command: call.line }];
  if (options.operands.length === 0 || LISTS_TAGS.some((each) => options.has(each))) return [];
  return [{ kind: 'git.kept', ...call.base, what: 'commit', revision: revision(options.operands[1], 'HEAD') }];
}

/** Options that make `git tag` only list. */
const LISTS_TAGS = optionNames('verify points-at contains no-contains merged no-merged n');

/** `git update-ref`, also fed from a text. */
export function updateRef(call: GitCall): Effect[] {
  const options = gitOptions(call.words, { flags: optionNames('d no-deref stdin z create-reflog batch-updates'), values: ['m'] });
  if (options.help) return [];
  if (options.on('stdin')) {
    const { stdin } = call.command;
    const text = textOf(stdin.from === 'text' ? stdin.text : stdin.from === 'pipe' ? stdin.text : undefined);
    if (text === undefined) return [];
    return text.split('\n').flatMap((line) => {
      const [verb, ref, value] = line.trim().split(/\s+/);
      if (ref === undefined) return [];
      return verb === 'delete' ? deleted(call, ref) : verb === 'update' && value !== undefined ? moved(call, ref, value) : [];
    });
  }
  const [ref, value] = options.operands.map((word) => textOf(word) ?? word.raw);
  if (ref === undefined) return [];
  if (options.has('d')) return deleted(call, ref);
  return value === undefined ? [] : /^0{40,64}$/.test(value) || value === '' ? deleted(call, ref) : moved(call, ref, value);
}

const deleted = (call: GitCall, ref: string): Effect[] => [
  { kind: 'git.internals', ...call.base, how: 'update-ref-delete', ref, command: call.line },
];

function moved(call: GitCall, ref: string, to: string): Effect[] {
  const short = ref === 'HEAD' ? undefined : ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : '';
  if (short === '') return [{ kind: 'git.internals', ...call.base, how: 'ref-edit', ref, command: call.line }];
  return [{ kind: 'git.branch-move', ...call.base, name: short, to, how: 'update-ref', command: call.line }];
}

/** `git symbolic-ref -d`. */
export function symbolicRef(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('d delete q quiet short recurse'),
    values: ['m'],
    aliases: { d: 'delete' },
  });
  return !options.help && options.on('delete') && options.operands[0] ? deleted(call, revision(options.operands[0], '')) : [];
}

const FETCH: Grammar = {
  flags: optionNames(
    'all a append atomic f force k keep multiple n no-tags t tags p prune P prune-tags q quiet v verbose u update-head-ok dry-run progress unshallow update-shallow refetch 4 6 ipv4 ipv6 porcelain prefetch show-forced-updates write-fetch-head auto-maintenance stdin set-upstream negotiate-only',
  ),
  values: optionNames('upload-pack depth deepen shallow-since shallow-exclude refmap j jobs o server-option negotiation-tip filter'),
  optional: ['recurse-submodules'],
  aliases: { p: 'prune', f: 'force' },
};

/** `git fetch`: remote-tracking branches move; with a refspec of its own a local branch may. */
export function fetch(call: GitCall): Effect[] {
  const options = gitOptions(call.words, FETCH);
  if (options.help || options.on('dry-run')) return [];
  const [remote, ...refs] = options.operands;
  const texts = refs.map((word) => textOf(word) ?? word.raw);
  const effects: Effect[] = [{ kind: 'git.fetch', ...call.base, remoteName: textOf(remote), refs: texts, prune: options.on('prune') }];
  for (const text of texts) {
    const forced = text.startsWith('+') || options.on('force');
    const [from, to] = text.replace(/^\+/, '').split(':');
    if (!forced || !to || to.includes('*')) continue;
    if (to.startsWith('refs/') && !to.startsWith('refs/heads/')) continue;
    effects.push({
      kind: 'git.branch-move',
      ...call.base,
      name: to.replace(/^refs\/heads\//, ''),
      to: `${textOf(remote) ?? 'origin'}/${from}`,
      how: 'fetch --force',
      command: call.line,
    });
  }
  return effects;
}

/** `git remote update` and `prune` fetch; the rest changes what a name means. */
export function remote(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('v verbose f tags p prune push add delete a auto d n dry-run progress'),
    values: ['t', 'm', 'mirror'],
  });
  const [verb, name, value] = options.operands.map((word) => textOf(word) ?? word.raw);
  if (options.help || verb === undefined) return [];
  if (verb === 'update')
    return [{ kind: 'git.fetch', ...call.base, remoteName: name, refs: [], prune: options.has('prune') || options.has('p') }];
  if (verb === 'prune' && !options.has('dry-run') && !options.has('n'))
    return [{ kind: 'git.fetch', ...call.base, remoteName: name, refs: [], prune: true }];
  const op = ({ add: 'add', remove: 'remove', rm: 'remove', 'set-url': 'set-url', rename: 'rename', 'set-head': 'set-head' } as const)[
    verb
  ];
  if (op === undefined || name === undefined) return [];
  return [{ kind: 'git.remote', ...call.base, op, name, ...(value === undefined ? {} : { url: value }) }];
}
