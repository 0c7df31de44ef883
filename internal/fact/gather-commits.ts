/** Commits and stash entries that a call would leave without a name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isApplied, isMergedByContent } from './elsewhere.ts';
import { type Gathered, nothing, type Piece } from './piece.ts';
import { linkedWorktrees, type Repository } from './repository.ts';

/** Commits that are named in one answer; the rest is counted. */
const MAX_COMMITS = 1000;

/** `abc1234 subject`, as many as are shown. */
interface Commit {
  oid: string;
  subject: string;
}

/**
 * Commits reachable from `tips` and from no other ref.
 * @param but refs that do not count because they go away too: full names
 */
function onlyIn(
  repository: Repository,
  tips: readonly string[],
  but: readonly string[],
  more: readonly string[] = [],
): { commits: readonly Commit[]; unread?: string } {
  if (tips.length === 0) return { commits: [] };
  const excluded = but.map((ref) => `--exclude=${ref}`);
  // `--exclude` counts for the next of --branches, --tags, --remotes; names are relative to it there.
  const heads = otherHeads(repository, but);
  const answer = repository.ask(
    ['rev-list', `--max-count=${MAX_COMMITS + 1}`, '--format=%H %s', ...tips, '--not'].concat(
      short(excluded, 'refs/heads/'),
      ['--branches'],
      short(excluded, 'refs/tags/'),
      ['--tags'],
      short(excluded, 'refs/remotes/'),
      ['--remotes', ...heads, ...more],
    ),
  );
  if (!answer.ok) return { commits: [], unread: answer.unread };
  return { commits: commitsIn(answer.out) };
}

/** `oid subject` lines; rev-list puts a line `commit oid` before each. */
const commitsIn = (text: string): readonly Commit[] =>
  text
    .split('\n')
    .flatMap((line) =>
      line === '' || line.startsWith('commit ')
        ? []
        : [{ oid: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }],
    );

const short = (excluded: readonly string[], prefix: string): string[] =>
  excluded.flatMap((each) => (each.startsWith(`--exclude=${prefix}`) ? [`--exclude=${each.slice(10 + prefix.length)}`] : []));

/** Commits that HEADs of work trees hold by themselves: detached ones, and those on branches that stay. */
function otherHeads(repository: Repository, but: readonly string[]): readonly string[] {
  const { commonDir, gitDir } = repository.found;
  const dirs = [commonDir, ...linkedWorktrees(commonDir).map((each) => each.gitDir)].filter(
    (dir) => dir !== gitDir || !but.includes('HEAD'),
  );
  const oids: string[] = [];
  for (const dir of dirs) {
    const text = readHead(dir);
    if (text && /^[0-9a-f]{40,64}$/.test(text)) oids.push(text);
  }
  return oids;
}

function readHead(dir: string): string | undefined {
  try {
    return readFile(join(dir, 'HEAD')).trim();
  } catch {
    return undefined;
  }
}

const readFile = (path: string): string => readFileSync(path, 'utf8');

/** The branches go: what is on no other ref. */
export function gatherBranches(repository: Repository, names: readonly string[], tracking = false): Gathered {
  const refs = names
    .map((name) => (name.startsWith('refs/') ? name : tracking ? `refs/remotes/${name}` : `refs/heads/${name}`))
    .filter((ref) => repository.ref(ref) !== undefined);
  if (refs.length === 0) return nothing();
  const pieces: Piece[] = [];
  let unread: string | undefined;
  for (const ref of refs) {
    const found = onlyIn(repository, [ref], refs);
    unread ??= found.unread;
    const named = commitPiece(repository, found.commits, `on ${ref.replace(/^refs\/(heads|remotes|tags)\//, '')}`);
    if (named && !isMergedByContent(repository, ref)) pieces.push(named);
  }
  return { pieces, ...(unread ? { unread } : {}) };
}

/** The current branch, or `branch`, moves to `to`: what leaves it and is on no other ref. */
export function gatherMove(repository: Repository, branch: string | undefined, to: string): Gathered {
  const head = repository.head();
  const ref = branch === undefined ? (head.branch === undefined ? 'HEAD' : `refs/heads/${head.branch}`) : `refs/heads/${branch}`;
  const tip = ref === 'HEAD' ? head.oid : repository.ref(ref);
  if (tip === undefined) return nothing();
  const target = resolveCommit(repository, to);
  if (target === undefined) return { pieces: [], unread: `${to} is no commit here` };
  if (target === tip) return nothing();
  const found = onlyIn(
    repository,
    [tip],
    [ref, ...(ref === 'HEAD' || branch === undefined || branch === head.branch ? ['HEAD'] : [])],
    [target],
  );
  const piece = commitPiece(repository, found.commits, (branch ?? head.branch) ? `on ${branch ?? head.branch}` : 'at the detached HEAD');
  return { pieces: piece ? [piece] : [], ...(found.unread ? { unread: found.unread } : {}) };
}

/** The commit a revision stands for. */
export function resolveCommit(repository: Repository, revision: string): string | undefined {
  if (/^[0-9a-f]{40}$/.test(revision)) return revision;
  if (revision === 'HEAD' || revision === '@') return repository.head().oid;
  const direct = repository.ref(`refs/heads/${revision}`);
  if (direct) return direct;
  if (revision.startsWith('-') && revision !== '-') return undefined;
  const answer = repository.ask(['rev-parse', '-q', '--verify', `${revision === '-' ? '@{-1}' : revision}^{commit}`], { accept: [1, 128] });
  return answer.out.trim() || undefined;
}

/** Stash entries, newest first. */
export function stashEntries(repository: Repository): readonly { oid: string; subject: string }[] {
  if (repository.ref('refs/stash') === undefined) return [];
  const answer = repository.ask(['log', '-g', '--format=%H %gs', 'refs/stash', '--']);
  if (!answer.ok) return [];
  return commitsIn(answer.out);
}

export function gatherStash(repository: Repository, entry: number | 'all'): Gathered {
  const entries = stashEntries(repository);
  const pieces = entries.flatMap((each, index): Piece[] =>
    (entry === 'all' || entry === index) && !isApplied(repository, each.oid)
      ? [{ kind: 'stash', name: `stash@{${index}}: ${each.subject}`, commits: [each.oid], repository, savable: true }]
      : [],
  );
  return { pieces };
}

/** Commits that only a reflog names, and the stash entries where `stash`. */
export function gatherUnreachable(repository: Repository, stash: boolean): Gathered {
  const answer = repository.ask([
    'rev-list',
    `--max-count=${MAX_COMMITS + 1}`,
    '--format=%H %s',
    '--reflog',
    '--not',
    '--branches',
    '--tags',
    '--remotes',
    'HEAD',
    ...(repository.ref('refs/stash') ? ['refs/stash'] : []),
  ]);
  if (!answer.ok) return { pieces: [], ...(repository.head().oid === undefined ? {} : { unread: answer.unread }) };
  const entries = stash ? gatherStash(repository, 'all').pieces : [];
  const stashed = new Set(stashEntries(repository).map((each) => each.oid));
  const commits = commitsIn(answer.out);
  // The index and untracked halves of a stash entry go with the entry.
  const own = commits.filter((each) => !stashed.has(each.oid) && !/^(index|untracked files) on /.test(each.subject));
  const piece = commitPiece(repository, own, 'only in the reflog');
  return { pieces: [...entries, ...(piece ? [piece] : [])] };
}

/** Everything a repository holds that no remote has: it is removed as a whole. */
export function gatherHistory(repository: Repository, shown: string): Gathered {
  const tips = repository.ask([
    'rev-list',
    `--max-count=${MAX_COMMITS + 1}`,
    '--format=%H %s',
    '--branches',
    '--tags',
    ...(repository.head().oid ? ['HEAD'] : []),
    '--not',
    '--remotes',
  ]);
  if (!tips.ok) return { pieces: [], unread: tips.unread };
  const commits = commitsIn(tips.out);
  const piece = commitPiece(repository, commits, `of ${shown} on no remote`);
  return { pieces: [...(piece ? [{ ...piece, kind: 'nested-repository' as const }] : []), ...gatherStash(repository, 'all').pieces] };
}

/** Commits of a work tree's detached HEAD that are on no ref. */
export function gatherDetached(repository: Repository): Gathered {
  const head = repository.head();
  if (head.branch !== undefined || head.oid === undefined) return nothing();
  const found = onlyIn(repository, [head.oid], ['HEAD']);
  const piece = commitPiece(repository, found.commits, 'at the detached HEAD');
  return { pieces: piece ? [piece] : [], ...(found.unread ? { unread: found.unread } : {}) };
}

function commitPiece(repository: Repository, commits: readonly Commit[], where: string): Piece | undefined {
  if (commits.length === 0) return undefined;
  const many = commits.length > MAX_COMMITS ? `more than ${MAX_COMMITS}` : String(commits.length);
  const shown = commits.slice(0, 3).map((each) => each.oid.slice(0, 7));
  const rest = commits.length > 3 ? ', …' : '';
  return {
    kind: 'commit',
    name: `${many} ${commits.length === 1 ? 'commit' : 'commits'} ${where} (${shown.join(', ')}${rest})`,
    commits: commits.map((each) => each.oid),
    count: commits.length,
    repository,
    savable: true,
  };
}
