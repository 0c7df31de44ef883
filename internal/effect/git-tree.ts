/** git subcommands that change the work tree: reset, checkout, switch, restore. */

import { textOf, type Word } from '../shell/word.ts';
import type { Effect, EffectOf } from './effect.ts';
import { type GitCall, type GitOptions, gitOptions, rewritten, settingOf } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { isRemoteBranch, meansPath, modules, pathspecs } from './git-paths.ts';
import type { Grammar } from './options.ts';

type Discard = EffectOf<'git.discard'>;
/** What differs from one discarding subcommand to the next. */
type Loss = Pick<Discard, 'how' | 'paths' | 'loses' | 'from'> & Partial<Pick<Discard, 'movesBranch' | 'overUntracked' | 'side'>>;

/** One discard of a call. */
export const discard = (call: GitCall, loss: Loss): Discard => ({ kind: 'git.discard', ...call.base, command: call.line, ...loss });

/** The same loss in every submodule, where the call goes into them. */
function below(call: GitCall, options: GitOptions, how: string): Discard[] {
  const told = options.on('recurse-submodules') || options.negated('recurse-submodules');
  if (told ? !options.on('recurse-submodules') : settingOf(call, 'submodule.recurse') !== 'true') return [];
  return modules(call).map((dir) => ({
    ...discard(call, { how, paths: undefined, loses: 'both', from: 'HEAD' }),
    repo: { dir },
  }));
}

/** A revision as the facts can read it; the source text where it is not certain. */
export const revision = (word: Word | undefined, none: string): string => (word === undefined ? none : (textOf(word) ?? word.raw));

const RESET: Grammar = {
  flags: optionNames('q quiet mixed soft hard merge keep N intent-to-add p patch pathspec-file-nul refresh'),
  values: ['pathspec-from-file', 'U', 'unified', 'inter-hunk-context'],
  optional: ['recurse-submodules'],
  aliases: { p: 'patch', q: 'quiet', N: 'intent-to-add', U: 'unified' },
};

/** `git reset`. */
export function reset(call: GitCall): Effect[] {
  const options = gitOptions(call.words, RESET);
  if (options.help || options.on('patch')) return [];
  const mode = ['hard', 'merge', 'keep', 'soft', 'mixed'].find((name) => options.on(name)) ?? 'mixed';
  const { revisions, paths } = split(options, call);
  if (paths.length > 0 || options.has('pathspec-from-file')) {
    if (mode !== 'mixed') return [];
    return [
      discard(call, {
        how: 'reset',
        paths: options.has('pathspec-from-file') ? undefined : pathspecs(paths, call),
        loses: 'index',
        from: revision(revisions[0], 'HEAD'),
      }),
    ];
  }
  const to = revision(revisions[0], 'HEAD');
  const moves = to !== 'HEAD' && to !== '@';
  const effects: Effect[] = [];
  if (mode === 'hard' || mode === 'merge') {
    effects.push(
      discard(call, {
        how: `reset --${mode}`,
        paths: undefined,
        loses: 'both',
        from: to,
        ...(moves ? { movesBranch: true } : {}),
        overUntracked: mode === 'hard',
      }),
      ...(mode === 'hard' ? below(call, options, 'reset --hard --recurse-submodules') : []),
    );
  } else if (mode === 'mixed') effects.push(discard(call, { how: 'reset', paths: undefined, loses: 'index', from: to }));
  if (moves) effects.push({ kind: 'git.branch-move', ...call.base, name: undefined, to, how: `reset --${mode}`, command: call.line });
  return effects;
}

/** The revision and the paths of a subcommand that takes `[REV] [--] [PATHS]`. */
function split(options: GitOptions, call: GitCall): { revisions: readonly Word[]; paths: readonly Word[] } {
  if (options.dashes)
    return { revisions: options.operands.slice(0, options.operands.length - options.afterDashes.length), paths: options.afterDashes };
  const [first, ...rest] = options.operands;
  if (first === undefined) return { revisions: [], paths: [] };
  return meansPath(first, call) ? { revisions: [], paths: options.operands } : { revisions: [first], paths: rest };
}

const CHECKOUT: Grammar = {
  flags: optionNames(
    'q quiet progress f force ours theirs 2 3 l d detach m merge p patch t ignore-skip-worktree-bits ignore-other-worktrees overlay guess overwrite-ignore pathspec-file-nul',
  ),
  values: optionNames('b B orphan conflict pathspec-from-file U unified inter-hunk-context'),
  optional: ['track', 'recurse-submodules'],
  aliases: { f: 'force', p: 'patch', d: 'detach', m: 'merge', q: 'quiet', '2': 'ours', '3': 'theirs', U: 'unified' },
};

/** `git checkout`: paths, another branch, or a new one. */
export function checkout(call: GitCall): Effect[] {
  const options = gitOptions(call.words, CHECKOUT);
  if (options.help) return [];
  const side = options.on('ours') ? 'ours' : options.on('theirs') ? 'theirs' : undefined;
  const created = options.word('b') ?? options.word('B') ?? options.word('orphan');
  if (created)
    return create(call, options, created, options.has('B') ? 'force' : options.has('orphan') ? 'orphan' : 'new', options.on('force'));
  const { revisions, paths } = split(options, call);
  if (revisions.length > 1) return [];
  if (options.has('pathspec-from-file'))
    return [discard(call, { how: 'checkout', paths: undefined, loses: 'worktree', from: revision(revisions[0], 'index') })];
  if (options.on('patch'))
    return [discard(call, { how: 'checkout -p', paths: pathspecs(paths, call), loses: 'worktree', from: revision(revisions[0], 'index') })];
  if (paths.length > 0) {
    const from = revision(revisions[0], 'index');
    return [
      discard(call, {
        how: 'checkout',
        paths: pathspecs(paths, call),
        loses: from === 'index' ? 'worktree' : 'both',
        from,
        overUntracked: from !== 'index',
        ...(side ? { side } : {}),
      }),
    ];
  }
  if (side) return [];
  return goTo(call, options, revisions[0], options.on('force'), options.on('detach'));
}

/** HEAD goes to another branch or commit. Without force git itself refuses where work is in the way. */
function goTo(call: GitCall, options: GitOptions, to: Word | undefined, force: boolean, detach: boolean): Effect[] {
  const effects: Effect[] = [];
  if (force) {
    const from = revision(to, 'HEAD');
    effects.push(
      discard(call, { how: `${call.sub} --force`, paths: undefined, loses: 'both', from, overUntracked: true }),
      ...below(call, options, `${call.sub} --force --recurse-submodules`),
    );
  }
  if (to === undefined) return effects;
  const track = options.has('track') || options.has('t');
  effects.push({
    kind: 'git.switch',
    ...call.base,
    to: textOf(to),
    create: false,
    ...(detach ? { detach: true } : {}),
    ...(track && isRemoteBranch(revision(to, ''), call) ? { track: revision(to, '') } : {}),
  });
  return effects;
}

/** A branch made, or made again at another commit, and HEAD put on it. */
function create(call: GitCall, options: GitOptions, nameWord: Word, how: 'new' | 'force' | 'orphan', discards: boolean): Effect[] {
  const start = options.operands[0];
  const to = revision(start, 'HEAD');
  const name = textOf(nameWord);
  const effects: Effect[] = [];
  if (discards) effects.push(discard(call, { how: `${call.sub} --force`, paths: undefined, loses: 'both', from: to, overUntracked: true }));
  const tracked = how !== 'orphan' && start !== undefined && !options.negated('track') && isRemoteBranch(to, call) ? to : undefined;
  if (how === 'force')
    effects.push({
      kind: 'git.branch-move',
      ...call.base,
      name,
      to,
      how: `${call.sub} ${call.sub === 'switch' ? '-C' : '-B'}`,
      command: call.line,
    });
  if (how === 'new' && name !== undefined) {
    effects.push({ kind: 'git.branch-create', ...call.base, name, start: to, command: call.line, ...tracking(call, tracked) });
  }
  effects.push({ kind: 'git.switch', ...call.base, to: name, create: true, ...(tracked ? { track: tracked } : {}) });
  return effects;
}

/** What a branch made from a remote-tracking branch pushes to, and the same call without that. */
export function tracking(call: GitCall, tracked: string | undefined): { track?: string; instead?: string } {
  if (tracked === undefined) return {};
  const verb =
    call.sub === 'worktree'
      ? [textOf(call.words[0]), '--no-track', ...call.words.slice(1).map(textOf)]
      : ['--no-track', ...call.words.map(textOf)];
  return { track: tracked, instead: rewritten(call, verb) };
}

const SWITCH: Grammar = {
  flags: optionNames('q quiet progress f force discard-changes d detach m merge t guess ignore-other-worktrees overwrite-ignore'),
  values: optionNames('c create C force-create orphan conflict'),
  optional: ['track', 'recurse-submodules'],
  aliases: { f: 'force', 'discard-changes': 'force', d: 'detach', m: 'merge', c: 'create', C: 'force-create', q: 'quiet' },
};

/** `git switch`. */
export function switchBranch(call: GitCall): Effect[] {
  const options = gitOptions(call.words, SWITCH);
  if (options.help) return [];
  const created = options.word('create') ?? options.word('force-create') ?? options.word('orphan');
  if (created)
    return create(
      call,
      options,
      created,
      options.has('force-create') ? 'force' : options.has('orphan') ? 'orphan' : 'new',
      options.on('force'),
    );
  if (options.operands.length !== 1) return [];
  return goTo(call, options, options.operands[0], options.on('force'), options.on('detach'));
}

const RESTORE: Grammar = {
  flags: optionNames(
    'W worktree S staged p patch q quiet progress ours theirs 2 3 m merge ignore-unmerged ignore-skip-worktree-bits overlay pathspec-file-nul',
  ),
  values: optionNames('s source conflict pathspec-from-file U unified inter-hunk-context'),
  optional: ['recurse-submodules'],
  aliases: { W: 'worktree', S: 'staged', p: 'patch', s: 'source', m: 'merge', q: 'quiet', '2': 'ours', '3': 'theirs', U: 'unified' },
};

/** `git restore`: the work tree unless only the index is named. */
export function restore(call: GitCall): Effect[] {
  const options = gitOptions(call.words, RESTORE);
  if (options.help) return [];
  const staged = options.on('staged');
  const named = ['worktree', 'staged'].some((name) => options.on(name) || options.negated(name));
  const worktree = options.on('worktree') || !named;
  if (!worktree && !staged) return [];
  const listed = options.has('pathspec-from-file');
  if (options.operands.length === 0 && !listed && !options.on('patch')) return [];
  const source = options.on('source') ? options.word('source') : undefined;
  const from = options.on('source') ? revision(source, 'HEAD') : staged ? 'HEAD' : 'index';
  const side = options.on('ours') ? 'ours' : options.on('theirs') ? 'theirs' : undefined;
  return [
    discard(call, {
      how: options.on('patch') ? 'restore -p' : 'restore',
      paths: listed ? undefined : pathspecs(options.operands, call),
      loses: worktree && staged ? 'both' : worktree ? 'worktree' : 'index',
      from,
      ...(from === 'index' || !worktree ? {} : { overUntracked: true }),
      ...(side ? { side } : {}),
    }),
    ...(worktree ? below(call, options, 'restore --recurse-submodules') : []),
  ];
}

/** A program text that the call hands to a shell, with the effects it has there. */
export function inner(call: GitCall, text: string, cwd = call.repo.dir): Effect[] {
  const { step, given, certain, via, remote, root } = call.base;
  return call.context.effectsOf(text, cwd).map((effect) => ({
    ...effect,
    step,
    given,
    certain: certain && effect.certain,
    via: [...via, `git ${call.sub}`.trim(), ...effect.via],
    remote: remote || effect.remote,
    root: root || effect.root,
  }));
}
