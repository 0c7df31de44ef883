/** Calls of git that write changes into a file, which then holds them: `git diff > wip.patch`, `git stash show -p > idea.patch`. */
import { textOf } from '../shell/word.ts';
import type { Effect, Target } from './effect.ts';
import { pathTarget, targetOf } from './family.ts';
import { type GitCall, type GitOptions, gitOptions } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { pathspecs } from './git-paths.ts';
import { entryOf } from './git-stash.ts';
import type { Grammar } from './options.ts';
import { outputFlow } from './run-flow.ts';

const DIFF: Grammar = {
  flags: optionNames(
    'p u patch cached staged binary full-index no-color no-ext-diff minimal patience histogram a text R q quiet s no-patch raw stat numstat shortstat summary name-only name-status check w ignore-all-space b ignore-space-change ignore-space-at-eol ignore-blank-lines exit-code W function-context z no-index include-untracked only-untracked',
  ),
  values: optionNames('output src-prefix dst-prefix diff-filter S G O'),
  optional: optionNames('U unified M find-renames C find-copies color word-diff color-words dirstat submodule relative'),
};

/** Options after which the output is no patch, or not the whole one. */
const NO_PATCH = optionNames(
  'R q quiet s no-patch raw stat numstat shortstat summary name-only name-status check w ignore-all-space b ignore-space-change ignore-space-at-eol ignore-blank-lines color word-diff color-words dirstat diff-filter S G relative no-index only-untracked',
);

const isPatch = (options: GitOptions): boolean => !options.help && !NO_PATCH.some((name) => options.has(name));

/** `git diff > FILE`, `git diff | tee FILE`, `git diff --output=FILE`: against the index, against HEAD, or what is staged. */
export function diff(call: GitCall): Effect[] {
  const to = fileOf(call);
  if (to === undefined) return [];
  const options = gitOptions(call.words, DIFF);
  const revisions = options.dashes ? options.operands.slice(0, options.operands.length - options.afterDashes.length) : options.operands;
  const texts = revisions.map(textOf);
  const head = texts[0] === 'HEAD' || texts[0] === '@';
  if (!isPatch(options) || (revisions.length > 0 && !(head && revisions.length === 1))) return [];
  const side = options.on('cached') || options.on('staged') ? 'index' : head ? 'both' : 'worktree';
  const paths = options.afterDashes.length > 0 ? pathspecs(options.afterDashes, call) : undefined;
  return [{ kind: 'git.kept', ...call.base, what: side, paths, binary: options.on('binary'), to }];
}

/** `git stash show -p [ENTRY] > FILE`. */
export function stashShow(call: GitCall): Effect[] {
  if (textOf(call.words[0]) !== 'show') return [];
  const to = fileOf(call);
  const options = gitOptions(call.words.slice(1), DIFF);
  if (to === undefined || !isPatch(options) || !['p', 'u', 'patch'].some((name) => options.on(name))) return [];
  const entry = options.operands[0] === undefined ? 0 : entryOf(options.operands[0]);
  if (entry === undefined) return [];
  return [{ kind: 'git.kept', ...call.base, what: 'stash', entry, paths: undefined, binary: options.on('binary'), to }];
}

/** The one file that takes the output. */
function fileOf(call: GitCall): Target | undefined {
  const named = gitOptions(call.words, DIFF).word('output');
  if (named) return targetOf(named, call.repo.dir);
  const flow = outputFlow(call.command, call.context);
  const file = flow.files.find((each) => each.fds.includes(1) && !each.discards && each.target.path !== undefined);
  if (file) return file.target;
  const [stage, ...more] = flow.pipe;
  const taken =
    stage?.program === 'tee' && more.length === 0 ? stage.argv.slice(1).find((word) => word !== '' && !word.startsWith('-')) : undefined;
  return taken === undefined || taken === '/dev/null' ? undefined : pathTarget(taken, call.command.cwd);
}
