/** Globs of a compiled policy, on the hot path: the sources were made when it was compiled. */
import type { Policy } from './policy.ts';

const built = new Map<string, RegExp>();

/** A RegExp from a source that the compiler made. */
export function regExpOf(source: string): RegExp {
  const known = built.get(source);
  if (known) return known;
  const made = new RegExp(source);
  built.set(source, made);
  return made;
}

/**
 * Does a glob of this policy match an absolute path, a branch or a host?
 * @param policy the policy that holds the glob: it carries the pattern
 */
export function matches(policy: Pick<Policy, 'patterns'>, glob: string, text: string): boolean {
  const source = Object.hasOwn(policy.patterns, glob) ? policy.patterns[glob] : undefined;
  return source === undefined ? glob === text : regExpOf(source).test(text);
}
