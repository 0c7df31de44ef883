/** git: global options are read in git-call.ts, this file finds the reader of the subcommand and follows aliases. */
import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { literal, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import type { EffectContext, FamilyTable } from './family.ts';
import { type GitCall, gitOptions, lineOf, readCall } from './git-call.ts';
import { add, commit, merge, pick, pull, rebase, updateIndex } from './git-commit.ts';
import { config, writeOf } from './git-config.ts';
import { apply, checkoutIndex, clean, mv, readTree, reversedPatch, rm } from './git-files.ts';
import { optionNames } from './git-grammars.ts';
import { bisect, filterBranch, filterRepo, gc, prune, reflog, replace } from './git-history.ts';
import { hookBypass, uninstalls } from './git-hooks.ts';
import { describe, revParse, stashCreate, writeTree } from './git-identity.ts';
import { diff, stashShow } from './git-kept.ts';
import { topOf } from './git-paths.ts';
import { inlinePrograms } from './git-programs.ts';
import { push } from './git-push.ts';
import { branch, fetch, remote, symbolicRef, tag, updateRef } from './git-refs.ts';
import { stash } from './git-stash.ts';
import { submodule } from './git-submodule.ts';
import { checkout, inner, reset, restore, switchBranch } from './git-tree.ts';
import { clone, init, worktree } from './git-worktree.ts';

type Reader = (call: GitCall) => readonly Effect[];

/** The subcommands with an effect. What is not named here only reads, or changes nothing that anybody could miss. */
const READERS: Readonly<Record<string, Reader>> = {
  add,
  am: pick('am'),
  apply,
  bisect,
  branch,
  checkout,
  'checkout-index': checkoutIndex,
  'cherry-pick': pick('cherry-pick'),
  clean,
  clone,
  commit,
  config,
  describe,
  diff,
  difftool,
  fetch,
  'filter-branch': filterBranch,
  'filter-repo': filterRepo,
  gc,
  grep,
  init,
  merge,
  mv,
  prune,
  pull,
  push,
  'read-tree': readTree,
  rebase,
  reflog,
  remote,
  replace,
  reset,
  restore,
  'rev-parse': revParse,
  revert: pick('revert'),
  rm,
  'send-pack': push,
  stage: add,
  stash: (call) => [...stash(call), ...stashCreate(call), ...stashShow(call)],
  submodule,
  switch: switchBranch,
  'symbolic-ref': symbolicRef,
  tag,
  'update-index': updateIndex,
  'update-ref': updateRef,
  worktree,
  'write-tree': writeTree,
};

/** Subcommands that git knows itself beside those above: an alias of that name never counts. */
const BUILT_IN = new Set(
  'annotate archive blame bundle cat-file check-attr check-ignore check-mailmap check-ref-format cherry column commit-graph commit-tree count-objects credential describe diff-files diff-index diff-tree fast-export fast-import fetch-pack fmt-merge-msg for-each-ref format-patch fsck get-tar-commit-id hash-object help index-pack instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge-base merge-file merge-index merge-tree mktag mktree multi-pack-index name-rev notes pack-objects pack-refs patch-id range-diff receive-pack reflog repack request-pull rerere rev-list rev-parse send-email shortlog show show-branch show-index show-ref sparse-checkout status stripspace subtree svn unpack-file unpack-objects update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged write-tree lfs'.split(
    ' ',
  ),
);

/** Aliases of aliases are followed this far; git itself stops at a loop. */
const MAX_ALIAS = 6;

/** The effects of one git command. */
export function git(command: Command, context: EffectContext, depth = 0): Effect[] {
  const call = readCall(command, context, depth);
  const programs = depth === 0 ? inlinePrograms(call) : [];
  if (call.globals.some((word) => ['--help', '-h', '--version', '-v'].includes(textOf(word) ?? ''))) return [];
  const reader = READERS[call.sub];
  if (reader) return [...programs, ...hookBypass(call), ...ofIndex(call, reader(call))];
  const inline = call.settings.filter((each) => each.key.startsWith('alias.') && each.from !== 'inherited');
  if (call.sub === '' || BUILT_IN.has(call.sub)) {
    // Defined and not used in this call: a shell alias still waits for the next one.
    const shell = call.sub === '' ? inline.find((each) => each.value?.startsWith('!')) : undefined;
    return shell
      ? [...programs, { kind: 'git.inline-program', ...call.base, key: shell.key, value: shell.value ?? '', command: call.line }]
      : programs;
  }
  return [...programs, ...alias(call)];
}

/** `GIT_INDEX_FILE` puts another index in place of the repository's: what is staged or unstaged there is nobody's. */
function ofIndex(call: GitCall, effects: readonly Effect[]): readonly Effect[] {
  const { env } = call.command;
  const own = env.has('GIT_INDEX_FILE') ? textOf(env.get('GIT_INDEX_FILE')) : undefined;
  if (own === undefined || own === '' || /(^|\/)\.git\/(worktrees\/[^/]+\/)?index$/.test(own)) return effects;
  return effects.filter(
    (effect) =>
      effect.kind !== 'git.stage' && effect.kind !== 'git.identity' && !(effect.kind === 'git.discard' && effect.loses === 'index'),
  );
}

/** A subcommand that git does not know: an alias of the line or of the configuration. */
function alias(call: GitCall): Effect[] {
  if (call.depth >= MAX_ALIAS) return [];
  const key = `alias.${call.sub}`;
  const set = call.settings.findLast((each) => each.key === key || each.key === key.toLowerCase());
  const given = set?.from === 'inherited' ? undefined : set;
  const text = set ? set.value : configured(call, key);
  if (text === undefined) {
    return given ? [{ kind: 'git.inline-program', ...call.base, key, value: '', command: call.line }] : [];
  }
  if (text.startsWith('!')) {
    const rest = call.words.map(textOf);
    const program = rest.some((word) => word === undefined) ? text.slice(1) : [text.slice(1), quoteLine(rest as string[])].join(' ').trim();
    const top = call.repo.dir === undefined ? undefined : (topOf(call.repo.dir, call.context.look) ?? call.repo.dir);
    const effects = inner(call, program, top);
    return given
      ? [{ kind: 'git.inline-program', ...call.base, key, value: text, command: call.line, instead: program }, ...effects]
      : effects;
  }
  const expanded: Word[] = [...words(text).map((word) => literal(word)), ...call.words];
  // The alias may begin with global options of its own.
  const args = [...withoutAlias(call.globals, key), ...expanded];
  const next: Command = { ...call.command, argv: [call.command.argv[0]!, ...args], args };
  const effects = git(next, call.context, call.depth + 1);
  if (!given) return effects;
  const instead = lineOf(next, call.context, args.map(textOf), (name) => /^GIT_CONFIG_/.test(name));
  // An alias for something that changes nothing hides nothing.
  if (effects.length === 0) return [];
  return [
    { kind: 'git.inline-program', ...call.base, key, value: text, command: call.line, ...(instead === undefined ? {} : { instead }) },
    ...effects,
  ];
}

/** What the configuration says, also when an earlier command of the line set it. */
function configured(call: GitCall, key: string): string | undefined {
  for (const earlier of [...call.context.commands].reverse()) {
    if (earlier.step >= call.command.step || earlier.name !== 'git') continue;
    const at = earlier.args.findIndex((word) => textOf(word) === 'config');
    const write = at < 0 ? undefined : writeOf(earlier.args.slice(at + 1));
    if (write?.key === key.toLowerCase() && !write.unset) return write.value;
  }
  const dir = call.repo.dir ?? call.context.start;
  return dir === undefined ? undefined : call.context.look.gitConfig(dir, key).at(-1);
}

function withoutAlias(globals: readonly Word[], key: string): Word[] {
  const kept: Word[] = [];
  const defines = (text: string | undefined) => text?.toLowerCase().startsWith(`${key.toLowerCase()}=`) === true;
  for (let i = 0; i < globals.length; i++) {
    const text = textOf(globals[i]);
    if ((text === '-c' || text === '--config-env') && defines(textOf(globals[i + 1]))) i++;
    else if (!(text?.startsWith('-c') && defines(text.slice(2)))) kept.push(globals[i]!);
  }
  return kept;
}

/** An alias as git splits it: blanks part, quotes and backslashes keep together. */
function words(text: string): string[] {
  const result: string[] = [];
  let word = '';
  let open = false;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quote) {
      if (char === quote) quote = '';
      else if (char === '\\' && quote === '"' && i + 1 < text.length) word += text[++i];
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      open = true;
    } else if (/\s/.test(char)) {
      if (open || word !== '') result.push(word);
      word = '';
      open = false;
    } else if (char === '\\' && i + 1 < text.length) word += text[++i];
    else word += char;
  }
  if (open || word !== '') result.push(word);
  return result;
}

/** `git grep -O CMD`: the files that were found are opened with it. */
function grep(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('a text i v w E G F P l n L c h H q r z o W p e-only index cached untracked no-index'),
    values: optionNames('e f A B C m max-depth threads parent-basename'),
    optional: ['O', 'open-files-in-pager', 'color', 'context'],
    aliases: { O: 'open-files-in-pager' },
  });
  const text = options.text('open-files-in-pager');
  return options.help || text === undefined ? [] : inner(call, text);
}

/** `git difftool -x CMD`. */
function difftool(call: GitCall): Effect[] {
  const options = gitOptions(call.words, {
    flags: optionNames('d dir-diff y no-prompt prompt g gui symlinks cached staged'),
    values: ['x', 'extcmd', 't', 'tool'],
    aliases: { x: 'extcmd' },
  });
  const text = options.text('extcmd');
  return text === undefined ? [] : inner(call, text);
}

const family = (command: Command, context: EffectContext): Effect[] => git(command, context);

/** `git-push` and the like: the subcommand in the program's name. */
const dashed = (sub: string) => (command: Command, context: EffectContext) =>
  git({ ...command, name: 'git', argv: [literal('git'), literal(sub), ...command.args], args: [literal(sub), ...command.args] }, context);

/** Programs of git. `hub` passes on what it does not know itself. */
export const GIT: FamilyTable = {
  git: family,
  hub: (command, context) => git({ ...command, name: 'git' }, context),
  patch: reversedPatch,
  'pre-commit': uninstalls,
  lefthook: uninstalls,
  husky: uninstalls,
  overcommit: uninstalls,
  ...Object.fromEntries(Object.keys(READERS).map((sub) => [`git-${sub}`, dashed(sub)])),
  bfg: (command, context) =>
    git(
      {
        ...command,
        name: 'git',
        argv: [literal('git'), literal('filter-repo'), ...command.args],
        args: [literal('filter-repo'), ...command.args],
      },
      context,
    ),
};
