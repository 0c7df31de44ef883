/** Is the content of a branch or a stash entry there under another name? */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobIds } from './content.ts';
import type { Repository } from './repository.ts';

/**
 * Is everything in a stash entry in the work tree or in HEAD as well? After `stash apply` dropping it loses nothing.
 * An entry without any change is nothing at stake either.
 */
export function isApplied(repository: Repository, oid: string): boolean {
  const top = repository.found.top;
  if (top === undefined) return false;
  const blobs: [path: string, blob: string][] = [];
  for (const side of [oid, `${oid}^2`]) {
    const changed = repository.ask(['diff-tree', '-r', '-z', '--no-renames', `${oid}^1`, side], { accept: [128] });
    if (!changed.ok) return false;
    const fields = changed.out.split('\0');
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const blob = (fields[at] as string).split(' ')[3] ?? '';
      // A file the entry deletes has no content of its own.
      if (!/^0+$/.test(blob)) blobs.push([fields[at + 1] as string, blob]);
    }
    if (side === oid && blobs.length > MAX_COMPARED) return false;
  }
  const untracked = repository.ask(['ls-tree', '-r', '-z', `${oid}^3`], { accept: [128] });
  for (const line of untracked.out.split('\0')) {
    const match = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line);
    if (match) blobs.push([match[2] as string, match[1] as string]);
  }
  if (blobs.length > MAX_COMPARED) return false;
  const index = repository.index();
  return blobs.every(([path, blob]) => index?.blobs.has(blob) || blobIds(`${top}/${path}`, repository.algorithm).includes(blob));
}

/** Files of a stash entry that are compared at most. */
const MAX_COMPARED = 200;

/** A branch that was rebased, picked or squashed into the default branch or into HEAD: its whole change is there under other commits. */
export function isMergedByContent(repository: Repository, ref: string): boolean {
  const base = defaultBranch(repository);
  const here = repository.head();
  const bases = [
    base,
    base && `refs/heads/${base.replace(/^refs\/(heads|remotes\/[^/]+)\//, '')}`,
    here.branch && `refs/heads/${here.branch}`,
  ];
  return [...new Set(bases)].some((each) => each && each !== ref && repository.ref(each) !== undefined && isIn(repository, ref, each));
}

function isIn(repository: Repository, ref: string, base: string): boolean {
  // Each commit is there under another name: rebased or picked.
  const left = repository.ask([
    'rev-list',
    '--count',
    '--cherry-pick',
    '--right-only',
    '--no-merges',
    '--max-count=200',
    `${base}...${ref}`,
  ]);
  if (left.ok && left.out.trim() === '0') return true;
  const mergeBase = repository.ask(['merge-base', base, ref], { accept: [1] }).out.trim();
  if (mergeBase === '') return false;
  const ours = repository.ask(['diff-tree', '-r', '-z', '--no-renames', mergeBase, ref]);
  if (!ours.ok) return false;
  // Each path the branch changed has the branch's blob in the default branch now, or had it in a commit since then.
  const wanted = ours.out.split('\0');
  const paths: string[] = [];
  const blobs = new Map<string, string>();
  for (let i = 0; i + 1 < wanted.length; i += 2) {
    const path = wanted[i + 1] as string;
    blobs.set(path, (wanted[i] as string).split(' ')[3] ?? '');
    paths.push(`:(top,literal)${path}`);
  }
  if (paths.length === 0) return true;
  if (paths.length > 200) return false;
  const log = repository.ask([
    'log',
    '--format=',
    '--raw',
    '--no-abbrev',
    '-z',
    '--no-renames',
    '-m',
    `${mergeBase}..${base}`,
    '--',
    ...paths,
  ]);
  if (!log.ok) return false;
  const there = new Set<string>();
  const records = log.out.split('\0');
  for (let i = 0; i + 1 < records.length; i++) {
    const record = records[i] as string;
    if (!record.startsWith(':')) continue;
    there.add(`${record.split(' ')[3]} ${records[++i]}`);
  }
  return [...blobs].every(([path, blob]) => there.has(`${blob} ${path}`));
}

/** The default branch as this repository knows it: the remote's HEAD, else main or master. Full ref name. */
export function defaultBranch(repository: Repository, remote = 'origin'): string | undefined {
  const link = headLink(join(repository.found.commonDir, 'refs', 'remotes', remote, 'HEAD'));
  if (link && repository.ref(link)) return link;
  return [`refs/remotes/${remote}/main`, `refs/remotes/${remote}/master`, 'refs/heads/main', 'refs/heads/master'].find(
    (ref) => repository.ref(ref) !== undefined,
  );
}

function headLink(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').trim();
  return text.startsWith('ref:') ? text.slice(4).trim() : undefined;
}
