/** Tracked content that goes back to another version, and what `git clean` removes. */

import { existsSync, lstatSync } from 'node:fs';
import type { Target } from '../effect/effect.ts';
import { globRegExp } from '../shell/glob.ts';
import { blobIds } from './content.ts';
import { realOf } from './discover.ts';
import type { LossQuestion } from './facts.ts';
import { resolveCommit } from './gather-commits.ts';
import { isFilled, sizeOf, withHidden } from './gather-entry.ts';
import { gatherOther, gatherTree, gatherWhole } from './gather-whole.ts';
import { expandGlob } from './glob.ts';
import { type Gathered, MAX_SAVED, nothing, type Piece, together } from './piece.ts';
import { within } from './places.ts';
import type { Repository } from './repository.ts';
import type { Scene } from './scene.ts';

type Worktree = Extract<LossQuestion, { about: 'worktree' }>;
type Clean = Extract<LossQuestion, { about: 'clean' }>;

/** git's pathspecs as it is given them; globs of the shell are expanded. specs undefined: the whole tree. */
export function pathspecsOf(targets: readonly Target[], top: string): { specs: readonly string[] | undefined; unknown: readonly string[] } {
  const specs: string[] = [];
  const unknown: string[] = [];
  for (const target of targets) {
    if (target.raw.startsWith(':')) specs.push(target.raw.replace(/^:(?=[^(!/^])/, './:'));
    else if (target.path === undefined) unknown.push(target.raw);
    else if (target.glob) for (const path of expandGlob(target.path).paths) specs.push(specOf(path, top, true));
    else specs.push(specOf(target.path, top, false));
  }
  return { specs: specs.some((spec) => spec === '') ? undefined : specs, unknown };
}

/** A path as a pathspec from the top; '' for the top itself. A path that git would read as a pattern stays one. */
function specOf(path: string, top: string, literal: boolean): string {
  const real = within(path, top) ? path : realOf(path);
  if (real === top) return '';
  const relative = within(real, top) ? real.slice(top.length + 1) : real;
  return literal || !/[*?[\\]/.test(relative) ? `:(top,literal)${relative}` : `:(top)${relative}`;
}

/** checkout, restore, reset --hard, switch -f, read-tree: what leaves the work tree and the index. */
export function gatherWorktree(question: Worktree, repository: Repository, scene: Scene): Gathered {
  const top = repository.found.top;
  // A work tree that is not there (yet) holds nothing.
  if (top === undefined || question.repo.fresh || !existsSync(top)) return nothing();
  if (question.switching) return ignoredInTheWay(repository, question.from, top, scene);
  const paths = question.paths ? pathspecsOf(question.paths, top) : { specs: undefined, unknown: [] };
  // A name that only the run will know may be any file of the tree, and none beside it: what has changed there is at stake.
  const specs = paths.unknown.length > 0 ? undefined : paths.specs;
  if (specs?.length === 0) return nothing();
  const status = repository.status(specs, false);
  const covered = coverOf(specs, top);
  const pieces: Piece[] = [];
  const untracked: string[] = [];
  for (const entry of withHidden(repository, status.entries, covered)) {
    const path = `${top}/${entry.path}`;
    if (entry.submodule || entry.kind === 'ignored') continue;
    if (entry.kind === 'untracked') {
      untracked.push(entry.path);
      continue;
    }
    if (entry.kind === 'unmerged' && isMergeResult(repository, entry.path, path)) continue;
    // Taken out of the index before: a new file is an untracked one by then.
    if (question.unstaged && entry.head === undefined && entry.kind === 'changed') continue;
    const file =
      question.loses !== 'index' &&
      isFilled(path) &&
      (entry.y !== '.' || (question.loses === 'both' && entry.x !== '.')) &&
      entry.y !== 'D';
    const fileKnown = question.loses === 'both' ? [entry.head] : [entry.head, entry.index];
    if (file)
      pieces.push({
        kind: entry.y === '.' ? 'staged' : 'modified',
        path,
        shown: path,
        repository,
        size: sizeOf(path),
        known: fileKnown.filter((oid) => oid !== undefined),
        savable: sizeOf(path) <= MAX_SAVED,
      });
    const staged = question.loses !== 'worktree' && entry.index && entry.x !== '.' && entry.x !== 'D' && entry.y !== '.';
    if (staged && !(isFilled(path) && blobIds(path, repository.algorithm).includes(entry.index as string)))
      pieces.push({
        kind: 'staged',
        path,
        shown: path,
        repository,
        blob: entry.index,
        known: entry.head ? [entry.head] : [],
        savable: true,
      });
  }
  if (question.overUntracked && untracked.length > 0) pieces.push(...inTheWay(repository, untracked, question.from, top));
  return { pieces, ...(status.unread ? { unread: status.unread } : {}) };
}

/** Which absolute paths a list of pathspecs takes in; for files git does not report. */
function coverOf(specs: readonly string[] | undefined, top: string): (path: string) => boolean {
  if (!specs) return () => true;
  const roots = specs.flatMap((spec) => (spec.startsWith(':(top,literal)') ? [`${top}/${spec.slice(14)}`] : []));
  const globs = specs.flatMap((spec) => (spec.startsWith(':(top)') ? [globRegExp(spec.slice(6).replaceAll('*', '**'))] : []));
  const magic = specs.some((spec) => !spec.startsWith(':(top'));
  return (path) => magic || roots.some((root) => within(path, root)) || globs.some((glob) => glob.test(path.slice(top.length + 1)));
}

/** Untracked files that the incoming version has too: they are overwritten. */
function inTheWay(repository: Repository, untracked: readonly string[], from: string, top: string): Piece[] {
  const commit = from === 'index' ? undefined : resolveCommit(repository, from);
  if (commit === undefined) return [];
  const answer = repository.ask(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, '--', ...untracked.slice(0, 2000)]);
  const names = new Set(answer.out.split('\0'));
  return untracked.flatMap((name): Piece[] => {
    const path = `${top}/${name}`;
    return names.has(name) && isFilled(path)
      ? [{ kind: 'untracked', path, shown: path, repository, size: sizeOf(path), savable: sizeOf(path) <= MAX_SAVED }]
      : [];
  });
}

/** Ignored files that the other branch tracks: a switch without force overwrites these, and only these. */
function ignoredInTheWay(repository: Repository, to: string, top: string, scene: Scene): Gathered {
  const head = repository.head().oid;
  const target = resolveCommit(repository, to) ?? resolveCommit(repository, `origin/${to}`);
  if (head === undefined || target === undefined || target === head) return nothing();
  const answer = repository.ask(['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--diff-filter=A', head, target]);
  const there = answer.out.split('\0').filter((name) => name !== '' && isFilled(`${top}/${name}`));
  if (there.length === 0) return nothing();
  const ignored = repository.ask(['check-ignore', '-z', '--stdin'], { input: `${there.join('\0')}\0`, accept: [1] });
  const names = new Set(ignored.out.split('\0'));
  return {
    pieces: there.flatMap((name): Piece[] => {
      const path = `${top}/${name}`;
      if (!names.has(name) || scene.regenerable(path, true)) return [];
      return [{ kind: 'ignored', path, shown: path, repository, size: sizeOf(path), savable: sizeOf(path) <= MAX_SAVED }];
    }),
  };
}

/** A file in conflict that still is exactly what the merge left: nobody has worked on it yet. */
function isMergeResult(repository: Repository, relative: string, path: string): boolean {
  if (!isFilled(path)) return true;
  const answer = repository.ask(['ls-tree', '-z', '--full-tree', 'AUTO_MERGE', '--', relative], { accept: [128] });
  const oid = /^\d+ blob ([0-9a-f]+)\t/.exec(answer.out)?.[1];
  return oid !== undefined && blobIds(path, repository.algorithm).includes(oid);
}

/** git clean: its own dry run says what goes; regenerable output does not count. */
export function gatherClean(question: Clean, repository: Repository, scene: Scene): Gathered {
  const top = repository.found.top;
  if (top === undefined || question.repo.fresh) return nothing();
  const paths = pathspecsOf(question.paths, top);
  if (question.paths.length > 0 && paths.unknown.length === 0 && paths.specs?.length === 0) return nothing();
  const specs = paths.unknown.length > 0 ? [] : question.paths.length > 0 ? (paths.specs ?? []) : scopeOf(question, top);
  const options = [
    ...(question.directories ? ['-d'] : []),
    ...(question.nested ? ['-f', '-f'] : ['-f']),
    ...(question.ignored === 'also' ? ['-x'] : question.ignored === 'only' ? ['-X'] : []),
  ];
  const answer = repository.ask(['clean', '-n', ...options, ...question.excludes.map((glob) => `--exclude=${glob}`), '--', ...specs]);
  if (!answer.ok) return { pieces: [], unread: answer.unread };
  const names = answer.out
    .split('\n')
    .flatMap((line) => (line.startsWith('Would remove ') ? [unquote(line.slice('Would remove '.length))] : []));
  if (question.ignored !== 'no')
    scene.learnIgnored(
      repository,
      names.map((name) => `${top}/${name.replace(/\/$/, '')}`),
    );
  const parts = names.flatMap((name): Gathered[] => {
    const directory = name.endsWith('/');
    const relative = directory ? name.slice(0, -1) : name;
    const path = `${top}/${relative}`;
    // With -x untracked and ignored names come in one list.
    const kind =
      question.ignored !== 'no' && scene.isIgnored(repository, path) ? 'ignored' : question.ignored === 'only' ? 'ignored' : 'untracked';
    if (directory && question.nested && isWhole(path)) return [gatherWhole(path, scene)];
    if (directory)
      return [
        scene.regenerable(path, kind === 'ignored' && scene.isIgnored(repository, path))
          ? nothing()
          : gatherTree(repository, kind, path, path, scene),
      ];
    return [
      gatherOther(
        repository,
        { kind: question.ignored === 'no' ? 'untracked' : 'ignored', x: '.', y: '.', path: relative, directory: false, submodule: false },
        path,
        path,
        scene,
      ),
    ];
  });
  return together(parts);
}

/** Files that only the index knows, in the reach of a clean: once taken out of it they are untracked. */
export function gatherAdded(question: Clean, repository: Repository): readonly Piece[] {
  const top = repository.found.top;
  if (top === undefined) return [];
  const paths = pathspecsOf(question.paths, top);
  const specs = paths.unknown.length > 0 ? undefined : question.paths.length > 0 ? paths.specs : scopeOf(question, top);
  return repository.status(specs?.length === 0 ? undefined : specs, false).entries.flatMap((entry): Piece[] => {
    const path = `${top}/${entry.path}`;
    if (entry.kind !== 'changed' || entry.x !== 'A' || entry.submodule || !isFilled(path)) return [];
    return [{ kind: 'untracked', path, shown: path, repository, size: sizeOf(path), savable: sizeOf(path) <= MAX_SAVED }];
  });
}

/** Untracked files at and below some paths, as what they are once they are staged. */
export function gatherNew(targets: readonly Target[] | undefined, repository: Repository): readonly Piece[] {
  const top = repository.found.top;
  if (top === undefined) return [];
  const paths = targets ? pathspecsOf(targets, top) : { specs: undefined, unknown: [] };
  const specs = paths.unknown.length > 0 ? undefined : paths.specs;
  if (specs?.length === 0) return [];
  return repository.status(specs, false).entries.flatMap((entry): Piece[] => {
    const path = `${top}/${entry.path}`;
    if (entry.kind !== 'untracked' || !isFilled(path)) return [];
    return [{ kind: 'staged', path, shown: path, repository, size: sizeOf(path), savable: sizeOf(path) <= MAX_SAVED }];
  });
}

/** Without paths git clean looks at the directory it starts in. */
function scopeOf(question: Clean, top: string): readonly string[] {
  const dir = question.repo.dir === undefined ? top : realOf(question.repo.dir);
  return dir !== top && within(dir, top) ? [`:(top,literal)${dir.slice(top.length + 1)}`] : [];
}

const isWhole = (path: string): boolean => {
  try {
    return lstatSync(`${path}/.git`) !== undefined;
  } catch {
    return false;
  }
};

/** A name as git prints it: in C quotes when it has control characters or quotes. */
export function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  const body = name.slice(1, -1);
  const simple: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
  for (let i = 0; i < body.length; i++) {
    const c = body[i] as string;
    if (c !== '\\') {
      bytes.push(...Buffer.from(c));
      continue;
    }
    const octal = /^[0-7]{3}/.exec(body.slice(i + 1))?.[0];
    if (octal) {
      bytes.push(Number.parseInt(octal, 8));
      i += 3;
    } else bytes.push(simple[body[++i] as string] ?? 0);
  }
  return Buffer.from(bytes).toString('utf8');
}
