/** Grammars of the git subcommands that run hooks: their readers and the hook switches both need them. */
import type { Grammar } from './options.ts';

/** Names of options, in one line. */
export const optionNames = (names: string): readonly string[] => names.split(' ');

/** `git commit`. `-n` is `--no-verify`. */
export const COMMIT: Grammar = {
  flags: optionNames(
    'a all p patch amend n no-verify verify q quiet v verbose dry-run s signoff e edit i include o only interactive reset-author short branch porcelain long z null allow-empty allow-empty-message no-post-rewrite status ahead-behind pathspec-file-nul',
  ),
  values: optionNames(
    'm message F file C reuse-message c reedit-message fixup squash author date t template cleanup trailer pathspec-from-file U unified inter-hunk-context',
  ),
  optional: ['S', 'gpg-sign', 'u', 'untracked-files'],
  aliases: {
    a: 'all',
    p: 'patch',
    n: 'no-verify',
    q: 'quiet',
    v: 'verbose',
    s: 'signoff',
    e: 'edit',
    i: 'include',
    o: 'only',
    m: 'message',
    F: 'file',
    C: 'reuse-message',
    c: 'reedit-message',
    t: 'template',
  },
};

/** `git merge`. `-n` is `--no-stat`. */
export const MERGE: Grammar = {
  flags: optionNames(
    'n stat summary compact-summary squash commit edit e ff ff-only rerere-autoupdate verify-signatures v verbose q quiet abort quit continue allow-unrelated-histories progress autostash overwrite-ignore signoff no-verify verify',
  ),
  values: optionNames('s strategy X strategy-option m message F file cleanup into-name'),
  optional: ['S', 'gpg-sign', 'log'],
};

/** `git pull`. */
export const PULL: Grammar = {
  flags: optionNames(
    'v verbose q quiet progress n stat summary compact-summary signoff squash commit edit e ff ff-only verify no-verify verify-signatures autostash allow-unrelated-histories all a append f force t tags p prune dry-run k keep update-shallow 4 6 ipv4 ipv6 show-forced-updates set-upstream unshallow',
  ),
  values: optionNames(
    's strategy X strategy-option upload-pack j jobs depth shallow-since shallow-exclude deepen refmap o server-option cleanup negotiation-tip',
  ),
  optional: optionNames('r rebase S gpg-sign log recurse-submodules'),
  aliases: { p: 'prune' },
};

/** `git rebase`. `-n` is `--no-stat`. */
export const REBASE: Grammar = {
  flags: optionNames(
    'i interactive continue skip abort quit edit-todo show-current-patch apply merge m keep-empty k autosquash autostash root n stat v verbose q quiet no-verify verify f force-rebase no-ff fork-point ignore-whitespace ignore-date reset-author-date committer-date-is-author-date signoff update-refs keep-base reschedule-failed-exec rerere-autoupdate reapply-cherry-picks allow-empty-message',
  ),
  values: optionNames('onto s strategy X strategy-option x exec C whitespace empty'),
  optional: ['S', 'gpg-sign', 'r', 'rebase-merges'],
  aliases: { x: 'exec' },
};

/** `git push`. `-n` is `--dry-run`. */
export const PUSH: Grammar = {
  flags: optionNames(
    'all branches mirror tags d delete n dry-run porcelain f force atomic u set-upstream thin q quiet v verbose progress prune no-verify verify follow-tags force-if-includes 4 ipv4 6 ipv6 stdin stateless-rpc helper-status',
  ),
  values: optionNames('repo o push-option receive-pack exec recurse-submodules remote'),
  optional: ['force-with-lease', 'signed'],
  aliases: { d: 'delete', n: 'dry-run', f: 'force', u: 'set-upstream', branches: 'all', o: 'push-option', exec: 'receive-pack' },
};

/** `git am`. `-n` is `--no-verify`. */
export const AM: Grammar = {
  flags: optionNames(
    'i interactive n no-verify verify 3 3way q quiet s signoff u utf8 k keep b keep-non-patch m message-id keep-cr c scissors reject continue r resolved skip abort quit allow-empty retry committer-date-is-author-date ignore-date rerere-autoupdate ignore-whitespace ignore-space-change',
  ),
  values: optionNames('quoted-cr whitespace C p directory exclude include patch-format resolvemsg empty'),
  optional: ['S', 'gpg-sign', 'show-current-patch'],
  aliases: { n: 'no-verify' },
};
