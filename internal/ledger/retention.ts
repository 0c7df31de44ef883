/** Taking out what sessions of long ago left. Rare, and not on the hot path: once a day, when a session begins. */
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folder.ts';
import { sessionsLeft } from './read.ts';
import { stateDir } from './state.ts';

/** A session untouched for this long is over: 30 days, as for the policy a session started with. */
const KEEP_MS = 30 * 24 * 3600 * 1000;
/** Sessions that are kept at most, the latest first. */
const KEEP_SESSIONS = 1000;
/** How often it is looked. */
const EVERY_MS = 24 * 3600 * 1000;

/** Removes old sessions, at most once a day. Returns the names of those it removed. */
export function sweepSessions(now = Date.now(), env: NodeJS.ProcessEnv = process.env, keep = KEEP_SESSIONS): readonly string[] {
  if (!isDue(now, env)) return [];
  const old = sessionsLeft(env).filter(({ mtimeMs }, index) => index >= keep || now - mtimeMs > KEEP_MS);
  const removed: string[] = [];
  for (const { name } of old) {
    try {
      rmSync(join(stateDir(env), 'sessions', name), { recursive: true, force: true });
      removed.push(name);
    } catch {
      // another hook was faster, or it is not ours to remove
    }
  }
  return removed;
}

/** The stamp is set before the work: hooks side by side do it once. */
function isDue(now: number, env: NodeJS.ProcessEnv): boolean {
  const stamp = join(stateDir(env), 'swept');
  try {
    if (now - statSync(stamp).mtimeMs < EVERY_MS) return false;
  } catch {
    // never swept
  }
  try {
    makeFolder(stateDir(env));
    writeFileSync(stamp, '', { mode: 0o600 });
    utimesSync(stamp, new Date(now), new Date(now));
    return true;
  } catch {
    return false;
  }
}
