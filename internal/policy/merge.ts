/** Files into one set of values: per key, later files over earlier ones, loosening only where a person has trusted it. Pure. */
import { createHash } from 'node:crypto';
import type { AnyRule, Level } from '../rule/rule.ts';
import { canonical, type Direction, directionOf, loosens, optionDirection, same } from './direction.ts';
import { baseLevel } from './in-force.ts';
import type { Draft, Entry, Reading } from './layer.ts';
import type { Loosening, Origin, Policy, PolicyError } from './policy.ts';

/** One key's value after all files. */
export interface Value {
  value: unknown;
  origin: Origin;
  reason?: string;
  /** What a file asks for and no person has trusted. */
  untrusted?: { value: unknown; origin: Origin };
}

export interface Merged {
  values: ReadonlyMap<string, Value>;
  untrusted: readonly Loosening[];
  errors: readonly PolicyError[];
}

/** Has a person trusted this entry of this place? */
export type IsTrusted = (scope: string, digest: string) => boolean;

/** The digest trust is given for: the key and its value as written. */
export const entryDigest = (entry: Pick<Entry, 'key' | 'raw'>): string =>
  `sha256:${createHash('sha256')
    .update(`${entry.key}\n${canonical(entry.raw)}`)
    .digest('hex')}`;

/** Merges files in their order: the organization's first, the workspace's last. */
export function merge(readings: readonly Reading[], rules: readonly AnyRule[], isTrusted: IsTrusted): Merged {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const bad = readings.flatMap((reading) => reading.bad);
  const broken = readings.some((reading) => reading.broken);
  const entries = readings.flatMap((reading) => reading.entries);
  const values = new Map<string, Value>();
  const untrusted: Loosening[] = [];

  const preset = (): Policy['preset'] => (values.get('preset')?.value === 'safety' ? 'safety' : 'strict');
  const fold = (entry: Entry) => foldEntry(entry, values, untrusted, { isTrusted, ...sideOf(entry.key, byName, preset()) });
  // the preset decides what every rule starts from, so it comes first
  for (const entry of entries.filter((each) => each.key === 'preset')) fold(entry);
  if (broken || bad.includes('preset')) values.delete('preset');
  for (const entry of entries.filter((each) => each.key !== 'preset')) fold(entry);
  for (const [key, value] of values) {
    const wrong = broken || bad.some((each) => key === each || key.startsWith(`${each}.`));
    if (!wrong) continue;
    const { direction, initial } = sideOf(key, byName, 'strict');
    const floor = direction.strict(value.value, initial);
    if (!same(floor, value.value)) values.set(key, { value: floor, origin: { file: 'default' } });
  }
  const errors = readings.flatMap((reading) => reading.errors).map((draft) => settled(draft, values, byName, preset()));
  return { values, untrusted, errors };
}

interface Side {
  direction: Direction;
  initial: unknown;
}

/** The direction of a key and its value without any file. */
function sideOf(key: string, rules: ReadonlyMap<string, AnyRule>, preset: Policy['preset']): Side {
  const [head, name = '', option] = key.split('.');
  const rule = head === 'rules' ? rules.get(name) : undefined;
  if (!rule) {
    const direction = directionOf(key);
    return { direction, initial: direction.initial };
  }
  if (option === undefined) return { direction: directionOf(key), initial: baseLevel(rule.level, rule.group, preset) };
  const declared = rule.options?.[option];
  const direction = declared ? optionDirection(declared.loosens, declared.default) : directionOf(key);
  return { direction, initial: direction.initial };
}

/** The value of a key with no file at all, for tables and texts. */
export const initialOf = (key: string, rules: readonly AnyRule[], preset: Policy['preset'] = 'strict'): unknown =>
  sideOf(key, new Map(rules.map((rule) => [rule.name, rule])), preset).initial;

/** Does a change of a key give something up? */
export const loosensKey = (key: string, rules: ReadonlyMap<string, AnyRule>, before: unknown, after: unknown): boolean =>
  loosens(sideOf(key, rules, 'strict').direction, before, after);

function foldEntry(entry: Entry, values: Map<string, Value>, untrusted: Loosening[], side: Side & { isTrusted: IsTrusted }): void {
  const { direction } = side;
  const current = values.get(entry.key);
  const before = current ? current.value : side.initial;
  const after = direction.combine ? direction.combine(before, entry.value) : entry.value;
  const reason = entry.reason === undefined ? {} : { reason: entry.reason };
  const digest = entryDigest(entry);
  if (!loosens(direction, before, after) || entry.free || side.isTrusted(entry.scope, digest)) {
    if (!current && same(before, after) && entry.reason === undefined) return;
    values.set(entry.key, { value: after, origin: entry.origin, ...reason });
    return;
  }
  const strict = direction.strict(before, after);
  const asked = { value: after, origin: entry.origin };
  untrusted.push({ key: entry.key, from: shown(before), to: shown(entry.raw), origin: entry.origin, digest, scope: entry.scope });
  // the strict half of a mixed change counts at once
  if (same(strict, before)) values.set(entry.key, { ...(current ?? { value: before, origin: { file: 'default' } }), untrusted: asked });
  else values.set(entry.key, { value: strict, origin: entry.origin, untrusted: asked });
}

/** Plain JSON, with undefined as null, so that a snapshot keeps it. */
const shown = (value: unknown): unknown => (value === undefined ? null : value);

/** The error with what stays in force. */
function settled(
  { key, stays, ...error }: Draft,
  values: ReadonlyMap<string, Value>,
  rules: ReadonlyMap<string, AnyRule>,
  preset: Policy['preset'],
): PolicyError {
  if (stays !== undefined) return { ...error, stays };
  if (key === undefined) return { ...error, stays: 'It does not count.' };
  const { initial } = sideOf(key, rules, preset);
  const value = values.get(key)?.value ?? initial;
  const name = key.split('.')[1];
  if (key.startsWith('rules.')) return { ...error, stays: `The rule ${name} stays at ${value as Level}.` };
  if (value === undefined || (Array.isArray(value) && value.length === 0))
    return { ...error, stays: `${key} stays as if it were not there.` };
  return { ...error, stays: `${key} stays at ${JSON.stringify(value)}.` };
}
