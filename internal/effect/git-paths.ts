/** Pathspecs: the words by which git names files. They are not quite paths: magic in front, globs even when quoted. */
import { join } from 'node:path/posix';
import type { Command, Look } from '../shell/command.ts';
import { prefixOf, textOf, type Word } from '../shell/word.ts';
import type { Target } from './effect.ts';
import { pathTarget, targetOf } from './family.ts';
import type { GitCall } from './git-call.ts';
import { commandAt } from './line-index.ts';

/**
 * Pathspecs as targets; undefined: the whole tree (`:/`, or only exclusions). Excluded pathspecs are left out, which names
 * more than git would touch, never less.
 */
export function pathspecs(words: readonly Word[], call: GitCall): readonly Target[] | undefined {
  const targets: Target[] = [];
  for (const word of words) {
    const text = textOf(word);
    if (text === undefined || !text.startsWith(':')) {
      targets.push(withGlob(targetOf(word, call.repo.dir), text));
      continue;
    }
    const { magic, rest } = magicOf(text);
    if (magic.has('exclude')) continue;
    if (magic.has('icase') || magic.has('attr')) {
      targets.push(asGitReads(text, rest, magic, call));
      continue;
    }
    if (!magic.has('top')) {
      targets.push(withGlob(pathTarget(rest === '' ? '.' : rest, call.repo.dir, word.raw), rest));
      continue;
    }
    if (rest === '' || rest === '.') return undefined;
    const top = call.repo.workTree ?? topOf(call.repo.dir, call.context.look);
    targets.push(withGlob(pathTarget(rest, top, word.raw), rest));
  }
  return targets.length === 0 ? undefined : targets;
}

/** Magic that only git can follow: the pathspec as it has to be asked from the top of the tree. */
function asGitReads(text: string, rest: string, magic: ReadonlySet<string>, call: GitCall): Target {
  const top = call.repo.workTree ?? topOf(call.repo.dir, call.context.look);
  const target = pathTarget(rest === '' ? '.' : rest, magic.has('top') ? top : call.repo.dir, text);
  if (top === undefined || target.path === undefined) return target;
  const below = target.path === top ? '' : target.path.slice(top.length + 1);
  return { ...target, raw: `:(${[...new Set([...magic, 'top'])].join(',')})${below}`, glob: true };
}

/** `:(top,icase)src`, `:/src`, `:!src`, `:^src`. */
function magicOf(text: string): { magic: Set<string>; rest: string } {
  if (text.startsWith(':(')) {
    const end = text.indexOf(')');
    if (end > 0) return { magic: new Set(text.slice(2, end).split(',')), rest: text.slice(end + 1) };
  }
  const magic = new Set<string>();
  let at = 1;
  for (; at < text.length; at++) {
    const char = text[at];
    if (char === '/') magic.add('top');
    else if (char === '!' || char === '^') magic.add('exclude');
    else {
      if (char === ':') at++;
      break;
    }
  }
  return { magic, rest: text.slice(at) };
}

const withGlob = (target: Target, text: string | undefined): Target =>
  text !== undefined && /[*?[]/.test(text) ? { ...target, glob: true } : target;

/** The directory that holds `.git`, from a directory upwards. */
export function topOf(dir: string | undefined, look: Look): string | undefined {
  for (let at = dir; at !== undefined; at = at === '/' ? undefined : join(at, '..')) {
    if (look.stat(join(at, '.git'))) return at;
  }
  return undefined;
}

/**
 * Does a word that may be a revision or a path mean a path? What lies there decides, as it does for git; for a name that is
 * nowhere its shape does.
 */
export function meansPath(word: Word, call: GitCall): boolean {
  const text = textOf(word);
  if (text === undefined) {
    const start = prefixOf(word);
    if (word.parts.some((part) => part.kind === 'hole' && part.steps?.some((step) => listsFiles(commandAt(step, call.context)))))
      return true;
    return word.parts.some((part) => part.kind === 'glob') || start.startsWith('./') || start.startsWith('/') || start.startsWith('../');
  }
  if (text === '' || text === '-' || text === 'HEAD' || text === '@' || text.includes('@{')) return false;
  if (text === '.' || text === '..' || /^\.{0,2}\//.test(text) || text.startsWith(':')) return true;
  if (/[*?[]/.test(text)) return true;
  if (/[~^]|\.\./.test(text)) return false;
  const dir = call.repo.dir;
  if (dir !== undefined && call.context.look.stat(join(dir, text))) return !isRef(text, call);
  if (dir !== undefined && isRef(text, call)) return false;
  return /\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(text) || text.endsWith('/');
}

/** Is what a substitution gives a list of files? A filter tells nothing by itself: each stage is asked. */
function listsFiles(command: Command | undefined): boolean {
  if (command === undefined) return false;
  const texts = command.args.map((word) => textOf(word) ?? '');
  if (['find', 'fd', 'fdfind', 'ls'].includes(command.name)) return true;
  if (['rg', 'grep', 'egrep', 'ag'].includes(command.name))
    return texts.some((text) => /^(-[A-Za-z]*l[A-Za-z]*|--files(-with-matches)?)$/.test(text));
  if (command.name !== 'git') return false;
  return (
    texts.includes('ls-files') ||
    (texts.includes('status') && texts.some((text) => /^(-s|-sb|--short|--porcelain(=.*)?|-z)$/.test(text))) ||
    texts.some((text) => text.startsWith('--name-'))
  );
}

/** A branch, tag or remote branch of that name stands in the repository's files. */
export function isRef(name: string, call: GitCall): boolean {
  const { look } = call.context;
  const gitDir = gitDirOf(call);
  if (gitDir === undefined) return false;
  const common = look.read(join(gitDir, 'commondir'), 4096)?.trim();
  const shared = common === undefined ? gitDir : common.startsWith('/') ? common : join(gitDir, common);
  const places = ['refs/heads', 'refs/tags', 'refs/remotes', 'refs', ''].map((folder) => (folder === '' ? name : `${folder}/${name}`));
  if (places.some((place) => place.startsWith('refs/') && look.stat(join(shared, place))?.kind === 'file')) return true;
  const packed = look.read(join(shared, 'packed-refs'), 4_000_000);
  return packed !== undefined && places.some((place) => packed.includes(` ${place}\n`));
}

function gitDirOf(call: GitCall): string | undefined {
  if (call.repo.gitDir !== undefined) return call.repo.gitDir;
  const { look } = call.context;
  const top = topOf(call.repo.dir, look);
  if (top === undefined) return undefined;
  const at = join(top, '.git');
  if (look.stat(at)?.kind === 'dir') return at;
  const file = look.read(at, 4096)?.trim();
  if (!file?.startsWith('gitdir:')) return undefined;
  const to = file.slice('gitdir:'.length).trim();
  return to.startsWith('/') ? to : join(top, to);
}

/** Is a start point a remote-tracking branch, so that a branch made from it gets it as its upstream? */
export function isRemoteBranch(name: string, call: GitCall): boolean {
  const short = name.replace(/^refs\/remotes\//, '').replace(/^remotes\//, '');
  const slash = short.indexOf('/');
  if (slash <= 0 || short.includes('~') || short.includes('^') || short.includes('@{')) return false;
  if (name.startsWith('refs/remotes/') || name.startsWith('remotes/')) return true;
  const remote = short.slice(0, slash);
  if (remote === 'origin' || remote === 'upstream') return true;
  return call.repo.dir !== undefined && call.context.look.gitConfig(call.repo.dir, `remote.${remote}.url`).length > 0;
}

/** Paths of the submodules that `.gitmodules` names, absolute. */
export function modules(call: GitCall): string[] {
  const top = call.repo.workTree ?? topOf(call.repo.dir, call.context.look) ?? call.repo.dir;
  const text = top === undefined ? undefined : call.context.look.read(`${top}/.gitmodules`, 100_000);
  if (text === undefined || top === undefined) return [];
  return text
    .split('\n')
    .map((line) => /^\s*path\s*=\s*(.+?)\s*$/.exec(line)?.[1])
    .filter((path) => path !== undefined)
    .map((path) => `${top}/${path}`);
}
