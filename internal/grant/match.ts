/** Which of the owner's decisions is about a finding. Pure. */
import type { Decided, Grant, RejectedRecord } from './records.ts';

/** What is compared: the rule and the boundary of a finding. */
export interface About {
  rule: string;
  boundary: string;
}

/** A live grant for a finding; the one with the fewest uses left first, so that a broad one is not spent for nothing. */
export function grantFor(about: About, decided: Decided): Grant | undefined {
  return grantsOn(about, decided)
    .filter((grant) => grant.dead === undefined)
    .sort((a, b) => left(a) - left(b))[0];
}

/** Every grant that is about a finding, dead ones too. */
export const grantsOn = (about: About, { grants }: Decided): readonly Grant[] => grants.filter((grant) => isAbout(grant, about));

const left = (grant: Grant): number => (grant.uses === undefined ? Number.POSITIVE_INFINITY : grant.uses - grant.used);

function isAbout(grant: Grant, { rule, boundary }: About): boolean {
  if (grant.rule !== undefined && grant.rule !== rule) return false;
  if (grant.boundaries) return grant.boundaries.includes(boundary);
  if (grant.glob !== undefined) return globMatches(grant.glob, boundary);
  return grant.rule !== undefined;
}

/** The rejection that closes a boundary; undefined when none does. */
export const rejectionOf = (boundary: string, { rejections }: Decided): RejectedRecord | undefined =>
  rejections.findLast((each) => each.boundaries.includes(boundary));

/** The ids of everything decided about a boundary: with another set it is a new question. Uses do not change it. */
export const versionOf = (about: About, decided: Decided): string =>
  [
    ...grantsOn(about, decided).map((grant) => grant.id),
    ...decided.rejections.filter((each) => each.boundaries.includes(about.boundary)).map((each) => each.id),
  ]
    .sort()
    .join(',');

/** Does a glob cover a whole text? `*` is any text, everything else itself. */
export function globMatches(glob: string, text: string): boolean {
  const parts = glob.split('*');
  const first = parts[0]!;
  if (parts.length === 1) return glob === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts.at(-1)!;
  return text.length - last.length >= at && text.endsWith(last);
}

/** A glob that would cover every boundary: no grant may be that wide. */
export const isWildcard = (glob: string): boolean => /^[*\s.]*$/.test(glob);
