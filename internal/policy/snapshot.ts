/**
 * The compiled policy of a workspace as one JSON file, keyed by the content of the files it was made from. The digest over
 * its own content finds a torn or half-written file; against somebody who writes it on purpose the rule state-write stands.
 */
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../ledger/folder.ts';
import type { AnyRule } from '../rule/rule.ts';
import type { Places } from './places.ts';
import type { Policy } from './policy.ts';

/** Larger policy files are refused: 1 MB of YAML is no policy, and the hook has to answer in time. */
export const MAX_POLICY_BYTES = 1_000_000;

/** Changes when the shape of the snapshot does, so that an older one is not read. */
const FORMAT = 3;

/** `sha256:` of a text. */
export const digestOf = (text: string | Buffer): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/**
 * The digest of a file as the policy sees it: content, and whether root alone can write it. null when nothing lies there.
 * Content, not times: a time can be set back.
 */
export function fileDigest(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return null;
    if (!stat.isFile() || stat.size > MAX_POLICY_BYTES) return `unreadable:${stat.size}`;
    return digestOf(`${rootAlone(stat) ? 'root' : 'any'}\n${readFileSync(path, 'latin1')}`);
  } catch (error) {
    return isMissing(error) ? null : 'unreadable';
  }
}

/** True when only root can write a file: owned by root, and neither its group nor everybody may write. */
export const rootAlone = (stat: { uid: number; mode: number }): boolean => stat.uid === 0 && (stat.mode & 0o022) === 0;

export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** A digest over what the table of rules means for a policy file: a snapshot of another table is not read. */
export const tableDigest = (rules: readonly AnyRule[]): string =>
  digestOf(
    rules
      .map(
        (rule) =>
          `${rule.name} ${rule.level} ${rule.group} ${rule.fixed ? 'fixed' : ''} ${rule.aliases?.join(',') ?? ''} ${JSON.stringify(rule.options ?? {})}`,
      )
      .join('\n'),
  );

/** Where the snapshot of a workspace lies. */
export const snapshotFile = (root: string, places: Places): string =>
  join(
    places.state,
    'policy',
    `${createHash('sha256').update(`${root}\n${places.user}\n${places.organization}`).digest('hex').slice(0, 32)}.json`,
  );

/** The snapshot of a workspace, when it is whole and every file it was made from still has the same content. */
export function readSnapshot(root: string, places: Places, table: string): Policy | undefined {
  try {
    const text = readFileSync(snapshotFile(root, places), 'utf8');
    const cut = text.indexOf('\n');
    const body = text.slice(cut + 1);
    if (text.slice(0, cut) !== digestOf(body)) return undefined;
    const stored = JSON.parse(body) as { format: number; root: string; table: string; policy: Policy };
    if (stored.format !== FORMAT || stored.root !== root || stored.table !== table) return undefined;
    return stored.policy.sources.every((source) => fileDigest(source.path) === source.digest) ? stored.policy : undefined;
  } catch {
    return undefined; // absent, torn or foreign: it is made again
  }
}

/** Stores a snapshot. A state folder that cannot be written costs time at the next call, nothing else. */
export function writeSnapshot(root: string, places: Places, table: string, policy: Policy): void {
  const body = JSON.stringify({ format: FORMAT, root, table, policy });
  writeState(snapshotFile(root, places), `${digestOf(body)}\n${body}`);
}

/** Writes a file of the state folder at once or not at all, readable by its owner only. False when that is not possible. */
export function writeState(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}.${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  try {
    makeFolder(dirname(path));
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
    return true;
  } catch {
    quietly(() => rmSync(draft, { force: true }));
    return false;
  }
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // there was nothing to take away
  }
}
