/** What a walk through a folder would show of what the policy hides, and the entries that cover the rest. */
import { type Dirent, readdirSync } from 'node:fs';
import type { Policy } from '../policy/policy.ts';
import { isHidden } from './declared.ts';
import type { HiddenBelow } from './facts.ts';

type Declared = Pick<Policy, 'protected' | 'network' | 'patterns'>;

/** Entries that are looked at. Beyond, what is not known counts as not hidden. */
const MAX_ENTRIES = 4000;
/** Entries that a narrower call names at most. */
const MAX_VISIBLE = 40;
const MAX_DEPTH = 12;
/** Nobody hides anything there, and walking them takes long. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * undefined: nothing below is hidden. `visible`: absolute paths that hold everything else, none when they are too many. For a glob that
 * names a folder the answer does not depend on whether it is there; other globs have to be looked for.
 */
export function hiddenBelow(path: string, policy: Declared, real: (path: string) => string): HiddenBelow | undefined {
  if ((policy.protected.hidden ?? []).length === 0) return undefined;
  const state = { left: MAX_ENTRIES };
  const named = isHidden(path, true, policy, real);
  if (!named && !holds(path, policy, real, state, 0)) return undefined;
  const visible: string[] = [];
  collect(path, visible, policy, real, { left: MAX_ENTRIES }, 0);
  const direct = entriesOf(path, { left: MAX_ENTRIES })
    .filter((entry) => !entry.isDirectory() && isHidden(join(path, entry.name), false, policy, real))
    .map((entry) => entry.name);
  return { visible: visible.length > MAX_VISIBLE ? [] : visible, direct };
}

type Real = (path: string) => string;
interface Left {
  left: number;
}

function holds(path: string, policy: Declared, real: Real, state: Left, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return entriesOf(path, state).some((entry) => {
    const below = join(path, entry.name);
    if (isHidden(below, false, policy, real)) return true;
    return entry.isDirectory() && !SKIPPED.has(entry.name) && holds(below, policy, real, state, depth + 1);
  });
}

/** The largest pieces that hold nothing hidden. */
function collect(path: string, into: string[], policy: Declared, real: Real, state: Left, depth: number): void {
  for (const entry of entriesOf(path, state)) {
    if (into.length > MAX_VISIBLE) return;
    const below = join(path, entry.name);
    if (entry.name === '.git' || isHidden(below, false, policy, real)) continue;
    const mixed =
      entry.isDirectory() && depth < MAX_DEPTH && (isHidden(below, true, policy, real) || holds(below, policy, real, state, depth + 1));
    if (mixed) collect(below, into, policy, real, state, depth + 1);
    else into.push(below);
  }
}

function entriesOf(path: string, state: Left): readonly Dirent[] {
  if (state.left <= 0) return [];
  try {
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    state.left -= entries.length;
    return entries;
  } catch {
    return [];
  }
}

const join = (folder: string, name: string): string => (folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`);
