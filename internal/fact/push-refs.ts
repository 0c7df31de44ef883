/** Which refs a push touches: as they are named, as the configuration says, or all. */
import type { EffectOf } from '../effect/effect.ts';
import type { PushRef } from '../effect/types-git.ts';
import { type Config, lastOf } from './git-config.ts';
import { type Repository, remotesOf } from './repository.ts';

export type Push = EffectOf<'git.push'>;

/** One ref of the push with its force, after defaults and configuration. */
export interface Wanted {
  src: string | undefined;
  dst: string;
  force: 'none' | 'lease' | 'blind';
  delete: boolean;
  expects?: string;
  /** As git told them at pre-push. */
  oid?: string;
  theirs?: string | null;
}

/** The remote git would push to. */
export function remoteOf(effect: Push, config: Config, branch: string | undefined): string {
  if (effect.remoteName !== undefined) return effect.remoteName;
  return (
    (branch && lastOf(config, `branch.${branch}.pushremote`)) ||
    lastOf(config, 'remote.pushdefault') ||
    (branch && lastOf(config, `branch.${branch}.remote`)) ||
    (remotesOf(config).length === 1 ? (remotesOf(config)[0] as string) : 'origin')
  );
}

/** The refs a push touches: as named, as configured, or all. */
export function wantedRefs(
  effect: Push,
  repository: Repository,
  config: Config,
  branch: string | undefined,
  remote: string,
): readonly Wanted[] {
  const strength = (force: PushRef['force']) => (force === 'none' ? effect.force : force);
  if (effect.mirror || effect.all) {
    const branches = namesUnder(repository, 'refs/heads/');
    const wanted = branches.map(
      (name): Wanted => ({
        src: `refs/heads/${name}`,
        dst: `refs/heads/${name}`,
        force: effect.mirror ? 'blind' : effect.force,
        delete: false,
      }),
    );
    const gone =
      effect.mirror || effect.prune
        ? namesUnder(repository, `refs/remotes/${remote}/`).filter((name) => name !== 'HEAD' && !branches.includes(name))
        : [];
    return [...wanted, ...gone.map((name): Wanted => ({ src: undefined, dst: `refs/heads/${name}`, force: 'blind', delete: true }))];
  }
  if (effect.refs.length > 0)
    return effect.refs.map((ref) => ({
      src: ref.src,
      dst: destination(ref, branch, config, remote, repository),
      force: strength(ref.force),
      delete: ref.delete,
      ...(ref.expects ? { expects: ref.expects } : {}),
      ...(ref.oid === undefined ? {} : { oid: ref.oid }),
      ...(ref.theirs === undefined ? {} : { theirs: ref.theirs }),
    }));
  if (effect.tags && !effect.bare) return [];
  const configured = config.get(`remote.${remote}.push`);
  if (configured && configured.length > 0) return configured.flatMap((spec) => fromSpec(spec, effect, repository));
  return bareRefs(effect, repository, config, branch, remote);
}

/** Full name on the remote of a ref as it was written. */
function destination(ref: PushRef, branch: string | undefined, config: Config, remote: string, repository: Repository): string {
  const dst = ref.dst ?? ref.src ?? '';
  if (dst.startsWith('refs/')) return dst;
  if (dst === 'HEAD' || dst === '@' || dst === '') {
    const upstream =
      branch && lastOf(config, `branch.${branch}.remote`) === remote && lastOf(config, 'push.default') === 'upstream'
        ? lastOf(config, `branch.${branch}.merge`)
        : undefined;
    return upstream ?? `refs/heads/${branch ?? 'HEAD'}`;
  }
  // A short name that is only a tag here means the tag.
  const tag =
    repository.ref(`refs/tags/${dst}`) !== undefined &&
    repository.ref(`refs/heads/${dst}`) === undefined &&
    repository.ref(`refs/remotes/${remote}/${dst}`) === undefined;
  return tag ? `refs/tags/${dst}` : `refs/heads/${dst}`;
}

/** A refspec of `remote.<name>.push`. */
function fromSpec(spec: string, effect: Push, repository: Repository): readonly Wanted[] {
  const force = spec.startsWith('+') ? 'blind' : effect.force;
  const [src = '', dst = src] = spec.replace(/^\+/, '').split(':');
  if (!src.includes('*'))
    return [{ src: src || undefined, dst: dst.startsWith('refs/') ? dst : `refs/heads/${dst}`, force, delete: src === '' }];
  const [head = '', tail = ''] = src.split('*');
  return namesUnder(repository, head).flatMap((name) =>
    name.endsWith(tail)
      ? [{ src: head + name, dst: dst.replace('*', name.slice(0, name.length - tail.length)), force, delete: false }]
      : [],
  );
}

/** What push.default says: simple (git's own default), current, upstream, matching, nothing. */
function bareRefs(effect: Push, repository: Repository, config: Config, branch: string | undefined, remote: string): readonly Wanted[] {
  const mode = lastOf(config, 'push.default') ?? 'simple';
  if (mode === 'nothing' || branch === undefined) return [];
  if (mode === 'matching') {
    const there = namesUnder(repository, `refs/remotes/${remote}/`);
    return namesUnder(repository, 'refs/heads/')
      .filter((name) => there.includes(name))
      .map((name) => ({ src: `refs/heads/${name}`, dst: `refs/heads/${name}`, force: effect.force, delete: false }));
  }
  const merge = lastOf(config, `branch.${branch}.remote`) === remote ? lastOf(config, `branch.${branch}.merge`) : undefined;
  const dst = (mode === 'upstream' || mode === 'tracking') && merge ? merge : `refs/heads/${branch}`;
  // `simple` refuses when the upstream has another name: nothing is pushed.
  if (mode === 'simple' && merge !== undefined && merge !== `refs/heads/${branch}`) return [];
  return [{ src: `refs/heads/${branch}`, dst, force: effect.force, delete: false }];
}

/** Short names of the refs below a prefix. */
export function namesUnder(repository: Repository, prefix: string): readonly string[] {
  const answer = repository.ask(['for-each-ref', '--format=%(refname)', prefix.replace(/\/$/, '')]);
  return answer.out.split('\n').flatMap((ref) => (ref.startsWith(prefix) ? [ref.slice(prefix.length)] : []));
}

/** A ref without `refs/heads/` or `refs/tags/`. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');
