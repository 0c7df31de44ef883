/** git subcommands that delete, move or put back files: rm, mv, clean, apply, read-tree, checkout-index. */

import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Effect, EffectOf, Target } from './effect.ts';
import { type Family, pathTarget, targetOf } from './family.ts';
import { inputText } from './files-content.ts';
import { writing } from './files-paths.ts';
import { patchedFiles } from './files-write.ts';
import { type GitCall, gitOptions, readCall, settingOf } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { meansPath, modules, pathspecs, topOf } from './git-paths.ts';
import { discard, revision } from './git-tree.ts';
import { commandAt } from './line-index.ts';
import type { Grammar } from './options.ts';

const RM: Grammar = {
  flags: optionNames('f force n dry-run r cached ignore-unmatch sparse q quiet pathspec-file-nul'),
  values: ['pathspec-from-file'],
  aliases: { f: 'force', n: 'dry-run', q: 'quiet' },
};

/** `git rm`. Without force git refuses what is not in HEAD, so only the forced one can lose. */
export function rm(call: GitCall): Effect[] {
  const options = gitOptions(call.words, RM);
  if (options.help || options.on('dry-run')) return [];
  if (options.operands.length === 0 && !options.has('pathspec-from-file')) return [];
  const paths = options.has('pathspec-from-file') ? undefined : pathspecs(options.operands, call);
  const cached = options.on('cached');
  const effects: Effect[] = [];
  if (options.on('force') && !cached) {
    const inside = new Set(modules(call));
    for (const path of paths ?? [])
      if (path.path !== undefined && inside.has(path.path))
        effects.push({ kind: 'git.worktree-remove', ...call.base, path, force: 1, how: 'rm -f', command: call.line });
  }
  if (options.on('force'))
    effects.push(discard(call, { how: cached ? 'rm --cached' : 'rm -f', paths, loses: cached ? 'index' : 'both', from: 'HEAD' }));
  if (!cached && paths !== undefined)
    effects.push({
      kind: 'file.delete',
      ...call.base,
      targets: paths,
      recursive: options.on('r'),
      filtered: true,
      how: 'git rm',
      command: call.line,
    });
  return effects;
}

const MV: Grammar = {
  flags: optionNames('f force k n dry-run v verbose sparse'),
  aliases: { f: 'force', n: 'dry-run', v: 'verbose' },
};

/** `git mv`: only the forced one overwrites. */
export function mv(call: GitCall): Effect[] {
  const options = gitOptions(call.words, MV);
  const dest = options.operands.at(-1);
  if (options.help || options.on('dry-run') || options.operands.length < 2 || dest === undefined) return [];
  const sources = options.operands.slice(0, -1).map((word) => targetOf(word, call.repo.dir));
  return [
    {
      kind: 'file.move',
      ...call.base,
      sources,
      dest: targetOf(dest, call.repo.dir),
      into: true,
      noClobber: !options.on('force'),
      backup: false,
      command: call.line,
    },
  ];
}

const CLEAN: Grammar = {
  flags: optionNames('d f force n dry-run q quiet x X i interactive'),
  values: ['e', 'exclude'],
  aliases: { f: 'force', n: 'dry-run', q: 'quiet', i: 'interactive', e: 'exclude' },
};

/** `git clean`: nothing without force, unless `clean.requireForce` is off. */
export function clean(call: GitCall): Effect[] {
  const options = gitOptions(call.words, CLEAN);
  if (options.help || options.on('dry-run')) return [];
  const required = !['false', 'no', 'off', '0', ''].includes((settingOf(call, 'clean.requireForce') ?? 'true').toLowerCase());
  const fed = call.command.stdin.from === 'text' || call.command.stdin.from === 'pipe';
  if (options.on('interactive') ? !fed : required && !options.on('force')) return [];
  const forces = options.order.filter((each) => each.name === 'force').length;
  return [
    {
      kind: 'git.clean',
      ...call.base,
      paths: pathspecs(options.operands, call) ?? wholeTree(options.operands, call),
      directories: options.on('d') || options.operands.length > 0,
      ignored: options.on('X') ? 'only' : options.on('x') ? 'also' : 'no',
      nested: forces > 1,
      excludes: (options.options.get('exclude') ?? []).map((word) => textOf(word) ?? '').filter((text) => text !== ''),
      command: call.line,
    },
  ];
}

/** `:/` and exclusions alone mean the tree from its top, wherever git starts. */
function wholeTree(operands: readonly Word[], call: GitCall): readonly Target[] {
  const top = operands.length === 0 ? undefined : (call.repo.workTree ?? topOf(call.repo.dir, call.context.look));
  return top === undefined ? [] : [pathTarget(top, undefined)];
}

const APPLY: Grammar = {
  flags: optionNames(
    'R reverse check stat numstat summary cached index 3 3way reject z unidiff-zero apply allow-overlap N intent-to-add v verbose q quiet recount unsafe-paths allow-empty inaccurate-eof ignore-whitespace ignore-space-change',
  ),
  values: optionNames('p C exclude include directory build-fake-ancestor'),
  optional: ['whitespace'],
  aliases: { R: 'reverse', '3': '3way' },
};

/** `git diff | git apply -R`: what the patch holds goes out of the work tree, and the patch is nowhere kept. */
export function apply(call: GitCall): Effect[] {
  const options = gitOptions(call.words, APPLY);
  if (options.help || ['check', 'stat', 'numstat', 'summary', 'cached'].some((name) => options.on(name))) return [];
  if (options.on('reverse')) return turnedRound(call, 'diff | git apply -R');
  return applied(call, options.operands, Number(options.text('p') ?? 1));
}

const PATCH_LIMIT = 256 * 1024;

/** What a patch that can be read changes. */
function applied(call: GitCall, files: readonly Word[], strip: number): Effect[] {
  const { command, context } = call;
  const top = topOf(call.repo.dir, context.look) ?? command.cwd;
  const texts = files.flatMap((word) => {
    const { path } = targetOf(word, command.cwd);
    return path === undefined ? [] : [context.look.read(path, PATCH_LIMIT)];
  });
  const names = [...texts, ...(files.length === 0 ? [inputText(command)] : [])].flatMap((text) => patchedFiles(text ?? '', strip));
  return names.length === 0
    ? []
    : writing(
        call.base,
        names.map((name) => pathTarget(name, top)),
        { mode: 'in-place', how: 'git apply', command: call.line },
      );
}

/** What a reversed patch takes out of the work tree, when it comes straight from `git diff` and is kept nowhere. */
function turnedRound(call: GitCall, how: string): EffectOf<'git.discard'>[] {
  const { stdin } = call.command;
  if (stdin.from !== 'pipe') return [];
  const sources = stdin.steps.flatMap((step) => commandAt(step, call.context) ?? []);
  if (sources.some((each) => each.name === 'tee')) return [];
  const diff = sources.find((each) => each.name === 'git' && each.args.some((word) => textOf(word) === 'diff'));
  if (!diff) return [];
  const words = diff.args.slice(diff.args.findIndex((word) => textOf(word) === 'diff') + 1);
  if (words.some((word) => ['--cached', '--staged'].includes(textOf(word) ?? ''))) return [];
  const dashes = words.findIndex((word) => textOf(word) === '--');
  const before = (dashes < 0 ? words : words.slice(0, dashes)).filter((word) => !(textOf(word) ?? '').startsWith('-'));
  const named = dashes < 0 ? before.filter((word) => meansPath(word, call)) : [];
  const paths = dashes < 0 ? named : words.slice(dashes + 1);
  const revisions = before.filter((word) => !named.includes(word));
  if (revisions.length > 0 && !revisions.some((word) => ['HEAD', '@'].includes(textOf(word) ?? ''))) return [];
  return [discard(call, { how, paths: paths.length > 0 ? pathspecs(paths, call) : undefined, loses: 'worktree', from: 'index' })];
}

/** `git diff | patch -R`. */
export const reversedPatch: Family = (command: Command, context) => {
  const reversed = command.args.some((word) => /^(-[A-Za-z]*R[A-Za-z]*|--reverse)$/.test(textOf(word) ?? ''));
  const tries = command.args.some((word) => textOf(word) === '--dry-run');
  if (!reversed || tries) return [];
  return turnedRound(readCall({ ...command, args: [] }, context), 'diff | patch -R').map((effect) => ({
    ...effect,
    command: command.source,
  }));
};

const READ_TREE: Grammar = {
  flags: optionNames('m reset u i n dry-run v trivial aggressive sparse-checkout debug-unpack recurse-submodules q quiet empty'),
  values: ['prefix', 'index-output', 'exclude-per-directory'],
  aliases: { n: 'dry-run' },
};

/** `git read-tree --reset -u REV` is a hard reset under another name. */
export function readTree(call: GitCall): Effect[] {
  const options = gitOptions(call.words, READ_TREE);
  if (options.help || options.on('dry-run') || options.has('index-output') || options.has('prefix')) return [];
  const worktree = options.on('reset') && options.on('u');
  return [
    discard(call, {
      how: worktree ? 'read-tree --reset -u' : 'read-tree',
      paths: undefined,
      loses: worktree ? 'both' : 'index',
      from: revision(options.operands[0], 'HEAD'),
      ...(worktree ? { overUntracked: true } : {}),
    }),
  ];
}

const CHECKOUT_INDEX: Grammar = {
  flags: optionNames('a all f force q quiet n no-create u index z stdin temp ignore-skip-worktree-bits'),
  values: ['prefix', 'stage'],
  aliases: { a: 'all', f: 'force' },
};

/** `git checkout-index -f -a`. */
export function checkoutIndex(call: GitCall): Effect[] {
  const options = gitOptions(call.words, CHECKOUT_INDEX);
  if (options.help || !options.on('force') || options.has('prefix') || options.on('temp')) return [];
  const whole = options.on('all') || options.on('stdin');
  if (!whole && options.operands.length === 0) return [];
  return [
    discard(call, {
      how: 'checkout-index -f',
      paths: whole ? undefined : pathspecs(options.operands, call),
      loses: 'worktree',
      from: 'index',
    }),
  ];
}
