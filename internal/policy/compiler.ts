/** Policy files into one compiled policy. Brings YAML, schema and globs along: loaded only when a file has changed. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnyRule } from '../rule/rule.ts';
import type { ComparePolicies } from './change.ts';
import { same } from './direction.ts';
import { finish } from './finish.ts';
import type { Layer, Reading, ReadText } from './layer.ts';
import { type IsTrusted, initialOf, loosensKey, type Merged, merge } from './merge.ts';
import { type Places, POLICY_NAME, trustFile } from './places.ts';
import type { Policy } from './policy.ts';
import { readLayer } from './reading.ts';
import { fileDigest, isMissing, MAX_POLICY_BYTES, rootAlone, tableDigest, writeSnapshot } from './snapshot.ts';
import { trustedIn } from './trust.ts';

export interface CompileOptions {
  rules: readonly AnyRule[];
  places: Places;
  /** Stores the snapshot. */
  write: boolean;
}

/** The policy of one workspace from its three files. Never throws on what the files hold. */
export function compileRoot(root: string, { rules, places, write }: CompileOptions): Policy {
  const organizationFree = rootOnly(places.organization);
  const layers: readonly Layer[] = [
    { kind: 'organization', path: places.organization, root, scope: places.organization, free: organizationFree },
    { kind: 'user', path: places.user, root, scope: real(places.user), free: false },
    { kind: 'workspace', path: join(root, POLICY_NAME), root, scope: real(root), free: false },
  ];
  // digests first: a file that changes while it is read makes the snapshot stale, never wrong
  const before = new Map<string, string | null>();
  const read: ReadText = (path) => {
    if (!before.has(path)) before.set(path, fileDigest(path));
    return readDisk(path);
  };
  before.set(trustFile(places), fileDigest(trustFile(places)));
  const { policy } = compile(layers, rules, read, trustedIn(places), root);
  const compiled: Policy = { ...policy, sources: [...before].map(([path, digest]) => ({ path, digest })) };
  if (write) writeSnapshot(root, places, tableDigest(rules), compiled);
  return compiled;
}

/** The policy that one file alone makes, as if everything in it were trusted: for what-ifs. */
export function compilePolicyFile(file: string, rules: readonly AnyRule[]): Policy {
  const root = real(dirname(file));
  const layer: Layer = { kind: 'workspace', path: file, root, scope: root, free: true };
  const { policy } = compile([layer], rules, readDisk, () => true, root);
  if (readDisk(file) !== undefined) return policy;
  return { ...policy, errors: [{ file, message: 'no such file', stays: 'Every rule stays at its default.' }] };
}

function compile(
  layers: readonly Layer[],
  rules: readonly AnyRule[],
  read: ReadText,
  isTrusted: IsTrusted,
  root: string,
): { policy: Policy; readings: readonly Reading[] } {
  const readings = layers.map((layer) => readLayer(layer, rules, read));
  return { policy: finish(merge(readings, rules, isTrusted), rules, root), readings };
}

/** The comparison of two texts of one policy file, for the rule policy-loosening. Both are taken as if they were trusted. */
export function comparer(rules: readonly AnyRule[]): ComparePolicies {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  return (path, before, after) => {
    const [old, now] = [valuesOf(path, before, rules), valuesOf(path, after, rules)];
    const [was, is] = [presetOf(old), presetOf(now)];
    const looser = was === 'strict' && is === 'safety' ? ['preset'] : [];
    let changed = was !== is;
    for (const key of new Set([...old.values.keys(), ...now.values.keys()])) {
      // a rule that only the preset moves is told by the preset
      const [from, to] = [old, now].map((side) => side.values.get(key)?.value ?? initialOf(key, rules, presetOf(side)));
      if (key === 'preset' || same(from, to)) continue;
      changed = true;
      if (loosensKey(key, byName, from, to)) looser.push(key);
    }
    return { change: looser.length > 0 ? 'looser' : changed ? 'tighter' : 'same', keys: looser };
  };
}

const presetOf = (merged: Merged): Policy['preset'] => (merged.values.get('preset')?.value === 'safety' ? 'safety' : 'strict');

function valuesOf(path: string, text: string | undefined, rules: readonly AnyRule[]): Merged {
  const root = dirname(path);
  const read: ReadText = (asked) => (asked === path ? (text === undefined ? undefined : { text }) : readDisk(asked));
  return merge([readLayer({ kind: 'workspace', path, root, scope: root, free: true }, rules, read)], rules, () => true);
}

/** A policy file from the disk. */
const readDisk: ReadText = (path) => {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { problem: 'not a regular file' };
    if (stat.size > MAX_POLICY_BYTES) return { problem: `larger than ${MAX_POLICY_BYTES} bytes` };
    return { text: readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), root: rootAlone(stat) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` };
  }
};

/** The organization's file counts without trust when only root can write it and its folder. */
function rootOnly(path: string): boolean {
  try {
    return rootAlone(statSync(path)) && rootAlone(statSync(dirname(path)));
  } catch {
    return false;
  }
}

/** Links resolved, so that trust given for a workspace is not lost or gained through another name of it. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
