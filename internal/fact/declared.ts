/** What a policy declares about paths and hosts, asked of one path or one URL. Pure. */
import { hostOf, isLocal } from '../effect/network-fetch.ts';
import { matches } from '../policy/match.ts';
import type { Policy } from '../policy/policy.ts';

type Declared = Pick<Policy, 'protected' | 'network' | 'patterns'>;

/** The glob of `protected.paths` that a path meets. `tree`: what lies below is meant too. */
export function protectedPath(path: string, tree: boolean, policy: Declared): string | undefined {
  return policy.protected.paths.find((glob) => matches(policy, glob, path) || (tree && isAbove(path, glob)));
}

/** Is a path hidden, by its own name or by the place its links lead to? */
export function isHidden(path: string, tree: boolean, policy: Declared, real: (path: string) => string = (same) => same): boolean {
  const globs = policy.protected.hidden ?? [];
  if (globs.length === 0) return false;
  return [path, real(path)].some((each) => globs.some((glob) => matches(policy, glob, each) || (tree && isAbove(each, glob))));
}

/** Does the part of a glob without wildcards lie below a path? */
function isAbove(path: string, glob: string): boolean {
  const fixed = /^[^*?[{]*/.exec(glob)![0];
  return fixed.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** Is a URL's host on the list? undefined: there is no list, or it is this machine. A host that cannot be read is on none. */
export function reachable(url: string, policy: Declared): boolean | undefined {
  if (!policy.network || isLocal(url)) return undefined;
  const host = hostOf(url);
  return host !== '' && policy.network.allow.some((glob) => matches(policy, glob, host));
}
