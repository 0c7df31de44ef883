/** What a push would do to the remote's refs, told from the remote-tracking branches; the network is never asked. */
import { resolve } from 'node:path';
import type { Effect } from '../effect/effect.ts';
import type { PushRef } from '../effect/types-git.ts';
import { gateOf, isGated } from '../policy/gates.ts';
import { protectedByName } from './assume.ts';
import { realOf } from './discover.ts';
import { defaultBranch } from './elsewhere.ts';
import type { PushFact } from './facts.ts';
import { type Config, lastOf } from './git-config.ts';
import type { Overlay } from './overlay.ts';
import { isTemp } from './places.ts';
import { namesUnder, type Push, remoteOf, shortName, type Wanted, wantedRefs } from './push-refs.ts';
import { type Repository, remotesOf } from './repository.ts';
import type { Scene } from './scene.ts';

/** Commits that are named for one ref. */
const MAX_DROPS = 20;

/** Facts for every ref the push touches. */
export function pushFacts(effect: Push, scene: Scene, overlay: Overlay): readonly PushFact[] {
  const repository = scene.repositoryFor(effect.repo);
  if (!repository) return effect.refs.map((ref) => blind(ref, effect, scene));
  const config = withGiven(repository.config(), [...overlay.config, ...(effect.config ?? [])]);
  const branch = overlay.branch(repository)?.name ?? repository.head().branch;
  const remote = remoteOf(effect, config, branch);
  if (!overlay.repointed.has(remote) && isScratch(repository, config, remote, scene)) return [];
  const known = remotesOf(config).includes(remote) && !overlay.repointed.has(remote);
  return wantedRefs(effect, repository, config, branch, remote).map((ref) =>
    factOf(ref, { effect, repository, config, branch, remote, known, scene, overlay }),
  );
}

/** A repository in a temporary directory that pushes to another one there: a trial of something, and nobody else's branch. */
function isScratch(repository: Repository, config: Config, remote: string, scene: Scene): boolean {
  const from = repository.found.top ?? repository.found.gitDir;
  const url = (lastOf(config, `remote.${remote}.url`) ?? remote).replace(/^file:\/\//, '');
  if (!isTemp(from, scene.grounds) || !/^\.{0,2}\//.test(url)) return false;
  return isTemp(realOf(resolve(from, url)), scene.grounds);
}

/** The configuration with what the line and the call themselves set; undefined unsets. */
function withGiven(config: Config, given: readonly (readonly [key: string, value: string | undefined])[]): Config {
  if (given.length === 0) return config;
  const all = new Map(config);
  for (const [key, value] of given) {
    if (value === undefined) all.delete(key);
    else all.set(key, [...(/^remote\..+\.(push|fetch|url)$/.test(key) ? (all.get(key) ?? []) : []), value]);
  }
  return all;
}

/** No repository is known (a fresh one on the line, a directory nobody can tell): names only. */
function blind(ref: PushRef, effect: Push, scene: Scene): PushFact {
  const dst = ref.dst ?? ref.src ?? 'HEAD';
  const name = shortName(dst);
  const fresh = effect.repo.fresh === true;
  return {
    name,
    tag: dst.startsWith('refs/tags/'),
    drops: [],
    dropsMore: 0,
    unrelated: fresh,
    unknown: true,
    creates: false,
    delete: ref.delete,
    protected: dst.startsWith('refs/tags/') ? undefined : protectedByName(name, scene.policy, undefined),
    force: ref.force === 'none' ? effect.force : ref.force,
    leaseSpent: false,
    renamed: false,
    review: undefined,
    local: undefined,
    oid: undefined,
    nothingNew: false,
    shared: false,
  };
}

interface Setting {
  effect: Push;
  repository: Repository;
  config: Config;
  branch: string | undefined;
  remote: string;
  known: boolean;
  scene: Scene;
  overlay: Overlay;
}

function factOf(ref: Wanted, setting: Setting): PushFact {
  const { repository, config, branch, remote, known, scene, overlay } = setting;
  const tag = ref.dst.startsWith('refs/tags/');
  const name = shortName(ref.dst);
  const local =
    ref.src === undefined
      ? undefined
      : ref.src === 'HEAD' || ref.src === '@'
        ? branch
        : ref.src.startsWith('refs/')
          ? ref.src.startsWith('refs/heads/')
            ? shortName(ref.src)
            : undefined
          : overlay.moved.has(ref.src) || repository.ref(`refs/heads/${ref.src}`)
            ? ref.src
            : undefined;
  const ours = ref.delete || ref.src === undefined ? undefined : (ref.oid ?? oursOf(ref.src, local, setting));
  const { theirs, unknown, creates } = theirsOf(ref, name, tag, setting);
  const compared =
    theirs === undefined || (tag && ref.theirs !== undefined)
      ? undefined
      : ref.delete
        ? onlyTheirs(repository, theirs, remote, name)
        : ours === undefined
          ? undefined
          : dropped(repository, ours, theirs);
  const protection =
    tag || !ref.dst.startsWith('refs/heads/') ? undefined : protectedByName(name, scene.policy, remoteHead(repository, remote));
  const drops = compared?.drops ?? [];
  let there: boolean | undefined;
  const force =
    ref.theirs === undefined
      ? ref.force
      : forceTold(ref, { tag, ours, unseen: unknown || (theirs !== undefined && !tag && !compared), drops: drops.length });
  return {
    name,
    tag,
    drops: drops.slice(0, MAX_DROPS),
    dropsMore: Math.max(0, drops.length - MAX_DROPS),
    unrelated: compared?.unrelated ?? (!known && setting.effect.repo.fresh === true),
    unknown,
    creates,
    delete: ref.delete,
    protected: protection,
    force,
    leaseSpent: force === 'lease' && ref.expects === undefined && isSpent(overlay, remote, name) && !setting.effect.ifIncludes,
    renamed: local !== undefined && local !== name,
    review: reviewOf(config, [local, name]),
    local,
    oid: ours,
    get nothingNew() {
      there ??= ours !== undefined && !setting.overlay.earlier.some(commits) && isThere(ours, theirs, setting);
      return there;
    },
    shared: theirs !== undefined && force !== 'none' ? isShared(repository, theirs, remote, name, drops) : drops.some((each) => !each.own),
  };
}

/** What the remote has now: as git told it at pre-push, else as the remote-tracking branch says. */
function theirsOf(
  ref: Wanted,
  name: string,
  tag: boolean,
  { repository, remote, known }: Setting,
): { theirs: string | undefined; unknown: boolean; creates: boolean } {
  if (ref.theirs === null) return { theirs: undefined, unknown: false, creates: true };
  if (ref.theirs !== undefined) {
    const held = isHeld(repository, ref.theirs);
    return { theirs: held ? ref.theirs : undefined, unknown: !held, creates: false };
  }
  const theirs = tag || !known ? undefined : repository.ref(`refs/remotes/${remote}/${name}`);
  const tracked = known && hasTracking(repository, remote);
  return { theirs, unknown: tag ? !known : theirs === undefined && !tracked, creates: !tag && theirs === undefined && tracked };
}

/**
 * The force of a ref at pre-push. git does not say how it was asked for, but it has refused everything that was not forced by then.
 * What the remote has was compared at this moment, so that a forced push drops what is known: as good as a lease. Blind is only what
 * replaces something nobody here has seen, and a tag, of which others keep the old one.
 */
function forceTold(ref: Wanted, seen: { tag: boolean; ours: string | undefined; unseen: boolean; drops: number }): Wanted['force'] {
  if (ref.delete) return 'none';
  if (seen.unseen) return 'blind';
  if (seen.tag) return ref.theirs === null || ref.theirs === seen.ours ? 'none' : 'blind';
  return seen.drops > 0 ? 'lease' : 'none';
}

/** Effects that make or move a commit: what is pushed then is not there now. */
const commits = (earlier: Effect): boolean => ['git.commit', 'git.merge', 'git.history-rewrite', 'git.branch-move'].includes(earlier.kind);

/** Has a remote the commit, on a branch that was fetched and that the gate is for? With a fork, what upstream has is out already. */
function isThere(ours: string, theirs: string | undefined, { repository, config, scene }: Setting): boolean {
  if (ours === theirs) return true;
  const known = theirs === undefined ? [] : [theirs];
  const answer = repository.ask(['rev-list', '--max-count=1', ours, '--not', ...known, ...gatedRefs(repository, config, scene)]);
  return answer.ok && answer.out.trim() === '';
}

/** The remote-tracking branches that a gate was for: what stands on another one has not met it. */
function gatedRefs(repository: Repository, config: Config, { policy }: Scene): readonly string[] {
  const gate = gateOf(policy, repository.found.top ?? repository.dir, realOf);
  if (!gate || gate.branches.includes('**')) return ['--remotes'];
  return remotesOf(config).flatMap((remote) =>
    namesUnder(repository, `refs/remotes/${remote}/`)
      .filter((name) => name !== 'HEAD' && isGated(gate, name, policy))
      .map((name) => `refs/remotes/${remote}/${name}`),
  );
}

/** Is an object in this clone? */
const isHeld = (repository: Repository, oid: string): boolean => {
  const answer = repository.ask(['cat-file', '--batch-check'], { input: `${oid}\n` });
  return answer.ok && !answer.out.includes('missing');
};

/** The commit that is pushed, after what the line moves before. */
function oursOf(src: string, local: string | undefined, setting: Setting): string | undefined {
  const moved = local === undefined ? undefined : setting.overlay.moved.get(local);
  const revision = moved ?? (local === undefined ? src : `refs/heads/${local}`);
  if (revision.startsWith('-')) return undefined;
  return (
    setting.repository.ref(revision) ??
    (setting.repository.ask(['rev-parse', '-q', '--verify', `${revision}^{commit}`], { accept: [1, 128] }).out.trim() || undefined)
  );
}

const isSpent = (overlay: Overlay, remote: string, name: string): boolean =>
  overlay.fetched.has('*') || overlay.fetched.has(remote) || overlay.fetched.has(`${remote}/${name}`) || overlay.fetched.has(`*/${name}`);

/** Has anything ever been fetched from or pushed to this remote? Only then an absent tracking branch means an absent branch. */
function hasTracking(repository: Repository, remote: string): boolean {
  return namesUnder(repository, `refs/remotes/${remote}/`).length > 0;
}

/** The commits the remote has and the pushed one has not. */
function dropped(repository: Repository, ours: string, theirs: string): { drops: PushFact['drops']; unrelated: boolean } | undefined {
  if (ours === theirs) return { drops: [], unrelated: false };
  const answer = repository.ask(['rev-list', '--max-count=200', '--format=%H%x00%ae%x00%ce%x00%s', theirs, `^${ours}`]);
  if (!answer.ok) return undefined;
  const drops = dropsIn(answer.out, repository);
  if (drops.length === 0) return { drops, unrelated: false };
  const base = repository.ask(['merge-base', ours, theirs], { accept: [1] });
  return { drops, unrelated: base.ok && base.out.trim() === '' };
}

/** A branch is deleted: the commits that are on no other remote branch. */
function onlyTheirs(
  repository: Repository,
  theirs: string,
  remote: string,
  name: string,
): { drops: PushFact['drops']; unrelated: boolean } | undefined {
  const answer = repository.ask([
    'rev-list',
    '--max-count=200',
    '--format=%H%x00%ae%x00%ce%x00%s',
    theirs,
    '--not',
    `--exclude=${remote}/${name}`,
    '--remotes',
  ]);
  return answer.ok ? { drops: dropsIn(answer.out, repository), unrelated: false } : undefined;
}

function dropsIn(text: string, repository: Repository): PushFact['drops'] {
  const mine = myAddress(repository);
  return text.split('\n').flatMap((line) => {
    const [id, author, , subject] = line.split('\0');
    return id && author !== undefined && !line.startsWith('commit ')
      ? [{ id: id.slice(0, 7), subject: subject ?? '', own: mine === undefined || author.toLowerCase() === mine }]
      : [];
  });
}

const myAddress = (repository: Repository): string | undefined =>
  (process.env['GIT_AUTHOR_EMAIL'] || lastOf(repository.config(), 'user.email'))?.toLowerCase();

/** Commits of others on the remote branch since it left the default branch. */
function isShared(repository: Repository, theirs: string, remote: string, name: string, drops: PushFact['drops']): boolean {
  if (drops.some((each) => !each.own)) return true;
  const base = defaultBranch(repository, remote);
  const range = base === undefined || base === `refs/remotes/${remote}/${name}` ? [theirs] : [theirs, `^${base}`];
  const answer = repository.ask(['rev-list', '--max-count=200', '--format=%H%x00%ae%x00%ce%x00%s', ...range]);
  return dropsIn(answer.out, repository).some((each) => !each.own);
}

/** The remote's HEAD branch, short. */
export function remoteHead(repository: Repository, remote: string): string | undefined {
  const ref = defaultBranch(repository, remote);
  return ref?.startsWith(`refs/remotes/${remote}/`) ? ref.slice(`refs/remotes/${remote}/`.length) : undefined;
}

/** What gh, glab and editors leave in the configuration when a review is open for a branch. */
function reviewOf(config: Config, names: readonly (string | undefined)[]): string | undefined {
  for (const name of names) {
    if (name === undefined) continue;
    const merge = lastOf(config, `branch.${name}.merge`);
    const pull = /^refs\/(?:pull|merge-requests|pull-requests)\/(\d+)\//.exec(merge ?? '')?.[1];
    if (pull) return `#${pull}`;
    const owner = lastOf(config, `branch.${name}.github-pr-owner-number`);
    if (owner) return `#${owner.split('#').at(-1)}`;
    const glab = lastOf(config, `branch.${name}.glab-mr`) ?? lastOf(config, `branch.${name}.gitlab-mr`);
    if (glab) return `!${glab}`;
  }
  return undefined;
}
