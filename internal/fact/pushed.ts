/** What the commits of a push bring that should not leave: credentials and large files. Bounded in commits, bytes and time. */
import { findCredentials } from '../secret/credentials.ts';
import { secretByName } from '../secret/names.ts';
import type { PushedContent } from './facts.ts';
import type { Overlay } from './overlay.ts';
import { pushFacts } from './push.ts';
import { type Push, remoteOf } from './push-refs.ts';
import { type Repository, remotesOf } from './repository.ts';
import type { Scene } from './scene.ts';

const MB = 1024 * 1024;
/** Commits that are looked at, the latest first. */
const MAX_COMMITS = 1000;
/** Bytes of file content that are searched in all. */
const MAX_SEARCHED = 32 * MB;
/** Files that are searched at most this large: a credential stands in a text that somebody wrote. */
const MAX_TEXT = MB;
/** Findings of each kind that are named. */
const MAX_FOUND = 20;

const NOTHING: PushedContent = { credentials: [], large: [], commits: 0 };

/** One file as a commit changes it. */
interface Change {
  commit: string;
  path: string;
  before: string | undefined;
  after: string;
}

/** Credentials and files over `maxBytes` in the commits that the remote has not. `madeUp`: test data and documents, by their path. */
export function pushedContent(
  effect: Push,
  maxBytes: number,
  { scene, overlay, madeUp }: { scene: Scene; overlay: Overlay; madeUp(path: string): boolean },
): PushedContent {
  const repository = scene.repositoryFor(effect.repo);
  if (!repository) return NOTHING;
  const tips = [...new Set(pushFacts(effect, scene, overlay).flatMap((fact) => (fact.oid === undefined ? [] : [fact.oid])))];
  if (tips.length === 0) return NOTHING;
  const listed = changesOf(repository, tips, heldByRemote(effect, repository, overlay.branch(repository)?.name));
  if ('unread' in listed) return { ...NOTHING, unread: listed.unread };
  const { changes, parents } = listed;
  const commits = parents.size;
  const cut =
    commits >= MAX_COMMITS ? `it brings more than ${MAX_COMMITS} commits, and the latest ${MAX_COMMITS} were looked at` : undefined;
  if (changes.length === 0) return { ...NOTHING, commits, ...reason(cut) };
  const sizes = sizesOf(repository, changes);
  if (!sizes) return { ...NOTHING, commits, unread: 'git did not say how large the files are' };
  const large = changes
    .filter((change) => (sizes.get(change.after) ?? 0) > maxBytes)
    .map(({ path, commit, after }) => ({ path, commit, bytes: sizes.get(after) ?? 0 }));
  const searched = changes.filter((change) => !madeUp(change.path) && (sizes.get(change.after) ?? Number.POSITIVE_INFINITY) <= MAX_TEXT);
  const { credentials, unread } = credentialsIn(repository, searched, sizes);
  const holders = new Set([...credentials, ...large].map((each) => each.commit));
  // The map is in the order of git's answer, the latest commit first.
  const earliest = [...parents.keys()].findLast((commit) => holders.has(commit));
  const base = earliest === undefined ? undefined : parents.get(earliest);
  return {
    credentials: credentials.slice(0, MAX_FOUND),
    large: large.slice(0, MAX_FOUND),
    ...(base === undefined ? {} : { base }),
    commits,
    ...reason(cut ?? unread),
  };
}

const reason = (unread: string | undefined): Pick<PushedContent, 'unread'> => (unread === undefined ? {} : { unread });

/** The objects the remote certainly has: what git told at pre-push, and the remote-tracking branches. */
function heldByRemote(effect: Push, repository: Repository, branch: string | undefined): readonly string[] {
  const config = repository.config();
  const remote = remoteOf(effect, config, branch ?? repository.head().branch);
  const told = effect.refs.flatMap((ref) => (ref.theirs ? [ref.theirs] : []));
  // Of an address that is no remote nothing is known: what another remote has is taken to be out already.
  const tracking = remotesOf(config).includes(remote) && !/[*?[]/.test(remote) ? `--remotes=${remote}` : '--remotes';
  return [...heldHere(repository, told), tracking];
}

/** Those of some objects that this clone holds: git refuses to leave out what it does not know. */
function heldHere(repository: Repository, oids: readonly string[]): readonly string[] {
  if (oids.length === 0) return [];
  const answer = repository.ask(['cat-file', '--batch-check'], { input: oids.map((oid) => `${oid}\n`).join('') });
  const missing = new Set(answer.out.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.split(' ')[0]] : [])));
  return answer.ok ? oids.filter((oid) => !missing.has(oid)) : [];
}

/** What stands before the name of each commit in git's answer. */
const MARK = '\u0001';

/** The files that each commit changes, the latest commit first. A merge: what is in it and in none of its parents. */
function changesOf(
  repository: Repository,
  tips: readonly string[],
  without: readonly string[],
): { changes: readonly Change[]; parents: ReadonlyMap<string, string | undefined> } | { unread: string } {
  const ask = (renames: string) =>
    repository.ask([
      '-c',
      'log.showRoot=true',
      'log',
      '-z',
      '--raw',
      '-c',
      '--no-abbrev',
      renames,
      '--no-notes',
      '--no-decorate',
      '--no-color',
      '--no-relative',
      '--no-mailmap',
      '--root',
      `--max-count=${MAX_COMMITS}`,
      `--format=${MARK}%H %P`,
      ...tips,
      '--not',
      ...without,
      '--',
    ]);
  const first = ask('-M');
  // A partial clone lacks the contents that renames are told by, and none is fetched for it.
  const answer = first.ok ? first : ask('--no-renames');
  if (!answer.ok) return { unread: answer.unread ?? 'git did not answer' };
  const changes: Change[] = [];
  const parentOf = new Map<string, string | undefined>();
  let commit = '';
  const fields = answer.out.split('\0');
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!.replace(/^\n+/, '');
    if (field.startsWith(MARK)) {
      const [name = '', parent] = field.slice(1).trim().split(' ');
      commit = name;
      parentOf.set(name, parent || undefined);
      continue;
    }
    if (!field.startsWith(':')) continue;
    const words = field.split(' ');
    const parents = /^:+/.exec(field)![0].length;
    const status = words.at(-1)!;
    const renamed = parents === 1 && /^[RC]/.test(status);
    const path = fields[at + (renamed ? 2 : 1)] ?? '';
    at += renamed ? 2 : 1;
    const mode = words[parents]!;
    const oids = words.slice(parents + 1, -1);
    const after = oids[parents]!;
    // A submodule's commit is no content of this repository, and a deleted file brings nothing.
    if (mode === '160000' || /^0+$/.test(after)) continue;
    changes.push({ commit, path, before: oids.slice(0, parents).find((oid) => !/^0+$/.test(oid)), after });
  }
  return { changes, parents: parentOf };
}

/** Bytes of each new file by its object, in one question. */
function sizesOf(repository: Repository, changes: readonly Change[]): ReadonlyMap<string, number> | undefined {
  const oids = [...new Set(changes.map((change) => change.after))];
  const answer = repository.ask(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: oids.map((oid) => `${oid}\n`).join(''),
  });
  if (!answer.ok) return undefined;
  return new Map(
    answer.out.split('\n').flatMap((line) => {
      const [oid, size] = line.split(' ');
      return oid && /^\d+$/.test(size ?? '') ? [[oid, Number(size)] as const] : [];
    }),
  );
}

/** The tokens that a commit adds: those that the file did not hold before. Test data is left out by the caller. */
function credentialsIn(
  repository: Repository,
  changes: readonly Change[],
  sizes: ReadonlyMap<string, number>,
): { credentials: PushedContent['credentials']; unread?: string } {
  const wanted: Change[] = [];
  const counted = new Set<string>();
  let bytes = 0;
  for (const change of changes) {
    if (!counted.has(change.after)) bytes += sizes.get(change.after) ?? 0;
    counted.add(change.after);
    if (bytes > MAX_SEARCHED) break;
    wanted.push(change);
  }
  const cut = bytes > MAX_SEARCHED ? { unread: `it brings more than ${MAX_SEARCHED / MB} MB of text, and that much was looked at` } : {};
  const texts = textsOf(repository, [...new Set(wanted.map((change) => change.after))]);
  if (!texts) return { credentials: [], unread: 'git did not give the content of the commits in time' };
  const held = wanted.flatMap((change) => {
    const text = texts.get(change.after);
    const found = text === undefined ? [] : tokensIn(text, change.path);
    return text === undefined || found.length === 0 ? [] : [{ change, text, found }];
  });
  // What was there before is asked for only where something was found.
  const before = textsOf(repository, [...new Set(held.flatMap(({ change }) => change.before ?? []))]) ?? new Map<string, string>();
  const credentials = held.flatMap(({ change, text, found }) => {
    const old = change.before === undefined ? undefined : before.get(change.before);
    const added = found.find((each) => old === undefined || !old.includes(text.slice(each.start, each.end)));
    return added ? [{ what: added.what, path: change.path, line: added.line, commit: change.commit }] : [];
  });
  return { credentials, ...cut };
}

/**
 * Only tokens that providers mark as theirs count: a password in a text is too often an example. In a file that by its name keeps
 * credentials (`.env`) every value assigned to such a name is one.
 */
const tokensIn = (text: string, path: string) =>
  findCredentials(text).filter(
    secretByName(path) === undefined ? (each) => each.field === undefined && !/address|signed token/.test(each.what) : () => true,
  );

/** The texts of some objects, in one question; binary content is left out. */
function textsOf(repository: Repository, oids: readonly string[]): Map<string, string> | undefined {
  const texts = new Map<string, string>();
  if (oids.length === 0) return texts;
  const answer = repository.ask(['cat-file', '--batch'], { input: oids.map((oid) => `${oid}\n`).join('') });
  if (!answer.ok) return undefined;
  const { bytes } = answer;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    if (end < 0) break;
    const [oid = '', kind, size] = bytes.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind === 'missing' || size === undefined) continue;
    const content = bytes.subarray(at, at + Number(size));
    at += Number(size) + 1;
    if (!content.includes(0)) texts.set(oid, content.toString('utf8'));
  }
  return texts;
}
