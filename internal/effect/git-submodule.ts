/** `git submodule`: what it does inside the submodules. */
import { quoteLine } from '../rule/quote.ts';
import { textOf } from '../shell/word.ts';
import type { Effect, Target } from './effect.ts';
import { pathTarget, targetOf } from './family.ts';
import { type GitCall, gitOptions } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { modules } from './git-paths.ts';
import { discard, inner } from './git-tree.ts';
import type { Grammar } from './options.ts';

const SUBMODULE: Grammar = {
  flags: optionNames('q quiet f force all init recursive remote checkout merge rebase n N no-fetch cached files'),
  values: optionNames('depth reference jobs j filter b branch name'),
  aliases: { f: 'force' },
};

/** `git submodule deinit -f` and `update --force` throw the submodule's own changes away. */
export function submodule(call: GitCall): Effect[] {
  const at = call.words.findIndex((word) => !(textOf(word) ?? '-').startsWith('-'));
  const verb = textOf(call.words[at]);
  const rest = call.words.slice(at + 1);
  const dir = call.repo.dir;
  if (verb === 'foreach') {
    const options = gitOptions(rest, { flags: ['q', 'quiet', 'recursive'], stopAtOperand: true });
    const texts = options.operands.map(textOf);
    const text = texts.length === 1 ? texts[0] : texts.some((each) => each === undefined) ? undefined : quoteLine(texts as string[]);
    return text === undefined ? [] : modules(call).flatMap((path) => inner(call, text, path));
  }
  if (verb !== 'deinit' && verb !== 'update') return [];
  const options = gitOptions(rest, SUBMODULE);
  if (options.help || !options.on('force')) return [];
  const paths: readonly Target[] =
    options.operands.length > 0 ? options.operands.map((word) => targetOf(word, dir)) : modules(call).map((path) => pathTarget(path, dir));
  if (verb === 'deinit')
    return paths.map((path) => ({
      kind: 'git.worktree-remove' as const,
      ...call.base,
      path,
      force: 1,
      how: 'submodule deinit -f',
      command: call.line,
    }));
  return paths.map((path) => ({
    ...discard(call, { how: 'submodule update --force', paths: undefined, loses: 'both', from: 'HEAD' }),
    repo: { dir: path.path },
  }));
}
