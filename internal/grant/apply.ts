/** Findings under what the owner has decided: what a live grant covers denies no more, what was rejected stays closed. Pure. */
import type { Notice } from '../decision/record.ts';
import { redact } from '../decision/redact.ts';
import type { Spoken } from '../engine/evaluate.ts';
import type { Finding, Remedy } from '../rule/rule.ts';
import { grantFor, grantsOn, rejectionOf, versionOf } from './match.ts';
import type { Decided, Grant } from './records.ts';

/** A finding that a grant covers. */
export interface Covered {
  grant: string;
  rule: string;
  boundary: string;
}

export interface Applied {
  /** What still speaks. */
  spoken: readonly Spoken[];
  covered: readonly Covered[];
}

/** Categories that no grant cures: not knowing how a call ended stays not knowing. */
const NOT_GRANTABLE: ReadonlySet<string> = new Set(['outcome-unresolved', 'self-protection', 'policy-unavailable', 'invalid-request']);

/** May an owner grant what this finding refuses? */
export const isGrantable = (each: Pick<Spoken, 'rule' | 'finding'>): boolean =>
  !each.rule.fixed && !NOT_GRANTABLE.has((each.finding as Finding).category ?? each.rule.category);

/** Takes the denials that live grants cover out. */
export function applyGrants(spoken: readonly Spoken[], decided: Decided): Applied {
  const covered: Covered[] = [];
  const left = spoken.filter((each) => {
    if (each.verdict !== 'deny' || !isGrantable(each)) return true;
    const grant = grantFor({ rule: each.rule.name, boundary: redact(each.finding.boundary) }, decided);
    if (!grant) return true;
    covered.push({ grant: grant.id, rule: each.rule.name, boundary: redact(each.finding.boundary) });
    return false;
  });
  return { spoken: left, covered };
}

const DEAD: Readonly<Record<NonNullable<Grant['dead']>, (grant: Grant) => string>> = {
  expired: (grant) => `has expired (${grant.until.slice(0, 16).replace('T', ' ')} UTC)`,
  'used up': (grant) => `is used up (${grant.used} of ${grant.uses})`,
  revoked: () => 'was taken back by the owner',
  changed: (grant) => `was for other content of ${grant.changed}: this is another object now`,
};

/** What was decided about a refusal that stands: dead grants by name, a rejection with its reason. */
export function decidedAbout(each: Spoken, decided: Decided): { notices: readonly Notice[]; rejected?: string; version?: string } {
  const about = { rule: each.rule.name, boundary: redact(each.finding.boundary) };
  const version = versionOf(about, decided);
  const notices: Notice[] = [];
  const dead = grantsOn(about, decided).findLast((grant) => grant.dead !== undefined);
  if (dead && isGrantable(each)) notices.push({ rule: each.rule.name, says: `The owner's grant ${dead.id} ${DEAD[dead.dead!](dead)}.` });
  const rejection = rejectionOf(redact(each.finding.boundary), decided);
  if (rejection)
    notices.push({
      rule: each.rule.name,
      says: `The owner has rejected this (request ${rejection.request}): ${rejection.reason} Another wording, tool or role meets the same answer.`,
    });
  return { notices, ...(rejection ? { rejected: rejection.reason } : {}), ...(version === '' ? {} : { version }) };
}

/** The ways on after a rejection: what only looks stays, asking again does not. */
export const afterRejection = (remedies: readonly Remedy[]): readonly Remedy[] => [
  ...remedies.filter((remedy) => remedy.kind !== 'ask' && remedy.kind !== 'wait'),
  { kind: 'stop', because: 'the owner has decided this one; go on with the rest, and name it in the report' },
];
