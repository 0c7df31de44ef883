/** Ways to see or make a change of a file instead of writing it by a program: shared by the rules about rewriting. */
import type { Edit } from '../action/action.ts';
import type { Target } from '../effect/effect.ts';
import type { Facts } from '../fact/facts.ts';
import { quote, quoteLine } from './quote.ts';
import type { Remedy } from './rule.ts';
import { argument } from './stake.ts';

/** A new text up to this many characters stands in a remedy whole. */
const CONTENT_LIMIT = 4000;

/**
 * The call of the edit tool that comes to the same as a plain replacement by sed, when it is certain to.
 * Without `all`, sed replaces the first match of each line: equal only where no line has two.
 */
export function sameEdit(tool: string, path: string, edit: Edit, text: string | undefined): Remedy | undefined {
  if (text === undefined || edit.before === '' || edit.before.includes('\n')) return undefined;
  const perLine = text.split('\n').map((line) => line.split(edit.before).length - 1);
  const total = perLine.reduce((sum, each) => sum + each, 0);
  if (total === 0 || (!edit.all && perLine.some((each) => each > 1))) return undefined;
  return {
    kind: 'call',
    tool,
    input: { file_path: path, old_string: edit.before, new_string: edit.after, ...(total > 1 ? { replace_all: true } : {}) },
    because: 'the same change, checked against the text that is there',
  };
}

/** A program that prints the new text, against the file: shows the change and writes nothing. Undefined where the files cannot be named. */
export function showsChange(words: readonly string[], targets: readonly Target[], show: Facts['show']): Remedy | undefined {
  const because = 'shows the change without making it';
  const [only] = targets;
  if (targets.length === 1 && only?.path !== undefined && !only.glob) {
    const path = argument(only.path, show);
    return { kind: 'run', run: `${quoteLine([...words, path])} | diff -u ${quote(path)} -`, because };
  }
  const inner = `${quoteLine(words)} "$1" | diff -u "$1" -`;
  const walked = targets.length === 1 ? walk(only) : undefined;
  if (walked)
    return {
      kind: 'run',
      run: quoteLine([
        'find',
        argument(walked.root, show),
        '-type',
        'f',
        ...(walked.name ? ['-name', walked.name] : []),
        '-exec',
        'sh',
        '-c',
        inner,
        '_',
        '{}',
        ';',
      ]),
      because,
    };
  const named = targets.map((target) => (target.path === undefined || target.glob ? undefined : quote(argument(target.path, show))));
  if (named.length > 1 && named.every((path) => path !== undefined))
    return { kind: 'run', run: `for f in ${named.join(' ')}; do ${quoteLine(words)} "$f" | diff -u "$f" -; done`, because };
  return undefined;
}

/** A glob over all depths, or over one folder, as the walk of find it stands for. */
function walk(target: Target | undefined): { root: string; name?: string } | undefined {
  if (target?.path === undefined || !target.glob) return undefined;
  const deep = target.path.indexOf('/**/');
  const slash = deep >= 0 ? deep : target.path.lastIndexOf('/');
  const root = target.path.slice(0, slash) || '/';
  const name = target.path.slice(deep >= 0 ? deep + 4 : slash + 1);
  return /[*?[\]{}]/.test(root) || name.includes('/') ? undefined : { root, name };
}

/** The whole new text by the write tool, when it is known and short. */
export function sameWrite(tool: string, path: string, content: string | undefined): Remedy | undefined {
  if (content === undefined || content.length > CONTENT_LIMIT) return undefined;
  return { kind: 'call', tool, input: { file_path: path, content }, because: 'the same text, shown before it is written' };
}

/** Reading the file first, after which the edit tool takes the change piece by piece. */
export const readFirst = (tool: string, edit: string, path: string): Remedy => ({
  kind: 'call',
  tool,
  input: { file_path: path },
  because: `then change it with ${edit}, which checks each old text and shows what became of it`,
});

/** Is the target a file of the workspace that git tracks, or a glob or folder there? */
export function isOurs(target: Target, facts: Pick<Facts, 'file' | 'place'>): boolean {
  if (target.path === undefined) return false;
  const root = target.glob ? target.prefix : target.path;
  const place = facts.place(root);
  if (place !== 'workspace' && place !== 'repository') return false;
  if (target.glob) return true;
  const fact = facts.file(target.path);
  return fact.kind === 'dir' || fact.tracked === true;
}

/** A script that the repository tracks is its own program: what it rewrites is its business. One the agent made is judged like a line. */
export const isOwnProgram = (script: string | undefined, facts: Pick<Facts, 'file'>): boolean =>
  script !== undefined && facts.file(script).tracked === true;
