/**
 * A session keeps the policy it started with as its floor: tightening counts at once, a loosening trusted later counts for
 * later sessions only. What a session saw first is kept per session and workspace in the state folder.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from './places.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';
import { digestOf, writeState } from './snapshot.ts';
import { strictestOf } from './strictest.ts';

/** A session untouched for this long is over: 30 days. */
const KEEP_MS = 30 * 24 * 3600 * 1000;

const folder = (places: Places): string => join(places.state, 'policy', 'sessions');

const fileOf = (session: string, root: string, places: Places): string =>
  join(folder(places), createHash('sha256').update(`${session}\n${root}`).digest('hex').slice(0, 32));

/** The policy of a session's call: the present one, but never looser than what the session met first. */
export function floorOf(policy: Policy, session: string, root: string, places: Places): Policy {
  if (session === '' || session === 'unknown') return policy; // no session to remember anything for
  const file = fileOf(session, root, places);
  const floor = readFloor(file);
  if (floor === undefined) {
    const body = policy.revision === DEFAULT_POLICY.revision ? '' : JSON.stringify(policy);
    if (writeState(file, `${policy.revision} ${digestOf(body)}\n${body}`)) sweep(places);
    return policy;
  }
  if (floor === policy.revision) return policy;
  return strictestOf([policy, typeof floor === 'string' ? DEFAULT_POLICY : floor], 'times');
}

/** What was stored: the default's revision, the same revision as now, a policy, or nothing. A torn file counts as the default. */
function readFloor(file: string): string | Policy | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const cut = text.indexOf('\n');
  const [revision = '', digest] = text.slice(0, cut).split(' ');
  const body = text.slice(cut + 1);
  if (digest !== digestOf(body)) return 'torn';
  if (body === '') return revision;
  return JSON.parse(body) as Policy;
}

/** Takes out what sessions of long ago left. Runs once per session. */
function sweep(places: Places): void {
  try {
    const before = Date.now() - KEEP_MS;
    for (const name of readdirSync(folder(places)).slice(0, 200)) {
      const path = join(folder(places), name);
      if (statSync(path).mtimeMs < before) unlinkSync(path);
    }
  } catch {
    // another hook was faster
  }
}
