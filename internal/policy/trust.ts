/** What a person has trusted: loosening entries by digest, each for one place. Kept outside every workspace. */
import { appendFileSync, chmodSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../ledger/folder.ts';
import type { IsTrusted } from './merge.ts';
import { auditFile, type Places, trustFile } from './places.ts';
import type { Loosening } from './policy.ts';
import { writeState } from './snapshot.ts';

/** One trusted entry. */
export interface Trusted {
  /** Real path of the workspace, or of the user's file. */
  scope: string;
  key: string;
  digest: string;
  /** The value, for `waygate trust --list`. */
  value: unknown;
  /** Where it stood, as texts name it. */
  file: string;
  at: string;
}

/**
 * The trusted entries. A file that others may write, or that is not whole, counts as empty: nothing is trusted then.
 */
export function readTrust(places: Places): readonly Trusted[] {
  const path = trustFile(places);
  try {
    const stat = statSync(path);
    const own = process.getuid?.();
    if (!stat.isFile() || (stat.mode & 0o022) !== 0 || (own !== undefined && stat.uid !== own)) return [];
    const stored = JSON.parse(readFileSync(path, 'utf8')) as { schema?: unknown; entries?: unknown };
    if (stored.schema !== 1 || !Array.isArray(stored.entries)) return [];
    return stored.entries.filter(isTrusted);
  } catch {
    return [];
  }
}

const isTrusted = (entry: unknown): entry is Trusted => {
  const { scope, digest, key } = (entry ?? {}) as Record<string, unknown>;
  return typeof scope === 'string' && typeof digest === 'string' && typeof key === 'string';
};

/** The question the merge asks. */
export function trustedIn(places: Places): IsTrusted {
  const known = new Set(readTrust(places).map((entry) => `${entry.scope}\n${entry.digest}`));
  return (scope, digest) => known.has(`${scope}\n${digest}`);
}

/** Adds entries. False when the file could not be written. Only a person's verb calls this. */
export function addTrust(places: Places, entries: readonly Loosening[], now: Date): boolean {
  const added = entries.map((entry) => ({
    scope: entry.scope,
    key: entry.key,
    digest: entry.digest,
    value: entry.to,
    file: entry.origin.file,
    at: now.toISOString(),
  }));
  const kept = readTrust(places).filter((old) => !added.some((each) => each.scope === old.scope && each.digest === old.digest));
  return store(places, [...kept, ...added]);
}

/** Takes trust back; gives the entries that had it. undefined when the file could not be written. */
export function revokeTrust(places: Places, which: (entry: Trusted) => boolean): readonly Trusted[] | undefined {
  const all = readTrust(places);
  const gone = all.filter(which);
  if (gone.length === 0) return gone;
  return store(
    places,
    all.filter((entry) => !which(entry)),
  )
    ? gone
    : undefined;
}

function store(places: Places, entries: readonly Trusted[]): boolean {
  const stored = writeState(trustFile(places), `${JSON.stringify({ schema: 1, entries }, undefined, 2)}\n`);
  if (stored) chmodSync(dirname(trustFile(places)), 0o700);
  return stored;
}

/** Appends one line to the audit log of a person's verbs: one write per record. */
export function audit(places: Places, record: Readonly<Record<string, unknown>>): boolean {
  try {
    makeFolder(dirname(auditFile(places)));
    appendFileSync(auditFile(places), `${JSON.stringify(record)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
