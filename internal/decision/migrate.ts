/**
 * Reading records of other versions. What this version does not know never becomes an allow, and nothing that was refused for good
 * becomes a matter of time. A record is returned as it was wherever it can be; it judges nothing, it only tells what happened.
 */
import { CATEGORIES, type Category, PERSISTENCES, type Persistence } from './category.ts';
import { type Decision, type DecisionKind, SCHEMA, strictness, type Verdict } from './record.ts';

/** A record as far as this version understands it. */
export type Migrated = Decision & {
  /** What it was written with, where that is not this version's schema. */
  writtenAs?: number;
  /** Members of closed sets that this version does not know, as they were written: to be looked at by a person. */
  unread?: readonly string[];
};

/** A record that this version may judge with. A higher schema is history; so is one with members nobody here knows. */
export const isCurrent = (record: Pick<Migrated, 'schema' | 'writtenAs' | 'unread'>): boolean =>
  record.schema === SCHEMA && record.writtenAs === undefined && record.unread === undefined;

/** Older names of categories, by what they are called now. Schema 0 was never released; its names stay readable. */
const OLDER: Readonly<Record<string, Category>> = {
  'data-loss': 'work-loss',
  'outside-scope': 'outside-workspace',
  network: 'network-unavailable',
  approval: 'approval-required',
  unresolved: 'outcome-unresolved',
  budget: 'budget-exhausted',
  secret: 'sensitive-data',
  duplicate: 'exact-equivalent',
  'guard-unavailable': 'policy-unavailable',
};

/** Older names of persistence. `permanent` is the one that must never come out as time. */
const OLDER_PERSISTENCE: Readonly<Record<string, Persistence>> = {
  permanent: 'not-in-this-run',
  never: 'not-in-this-run',
  owner: 'owner-action',
  state: 'state-change',
  scope: 'narrower-scope',
  transient: 'time',
  retry: 'time',
};

/** A decision of any version as this one reads it. Never throws on what a whole JSON object may hold. */
export function migrated(record: unknown): Migrated {
  const raw = (typeof record === 'object' && record !== null ? record : {}) as Record<string, unknown>;
  const schema = typeof raw['schema'] === 'number' ? raw['schema'] : 0;
  if (schema === SCHEMA && known(raw)) return raw as unknown as Migrated;
  const unread: string[] = [];
  const verdict = verdictOf(raw['verdict'], unread);
  const refused = verdict === 'deny';
  const category = categoryOf(raw['category'], unread);
  const persistence = persistenceOf(raw['persistence'], unread);
  const read: Migrated = {
    ...(raw as unknown as Decision),
    schema: SCHEMA,
    id: text(raw['id'], 'unknown'),
    at: text(raw['at'], '1970-01-01T00:00:00.000Z'),
    host: text(raw['host'], 'unknown'),
    session: text(raw['session'], 'unknown'),
    policy: text(raw['policy'], 'sha256:unknown'),
    action: actionOf(raw['action']),
    verdict,
    kind: kindOf(raw['kind'], unread),
    effects: list(raw['effects']) as Decision['effects'],
    findings: list(raw['findings']) as Decision['findings'],
    remedies: list(raw['remedies']) as Decision['remedies'],
    notices: list(raw['notices']) as Decision['notices'],
    reasonRevision: (typeof raw['reasonRevision'] === 'number' ? raw['reasonRevision'] : 0) as Decision['reasonRevision'],
    took: (isObject(raw['took']) ? raw['took'] : { ms: 0, git: 0 }) as Decision['took'],
    ...(schema === SCHEMA ? {} : { writtenAs: schema }),
  };
  delete (read as { category?: unknown }).category;
  delete (read as { persistence?: unknown }).persistence;
  if (category !== undefined || refused) read.category = category ?? 'policy-unavailable';
  if (persistence !== undefined || refused) read.persistence = persistence ?? 'not-in-this-run';
  return unread.length > 0 ? { ...read, unread } : read;
}

/** Every member of a closed set is one this version knows. */
function known(raw: Record<string, unknown>): boolean {
  const within = (value: unknown, set: readonly string[], needed: boolean) =>
    value === undefined ? !needed : set.includes(value as string);
  const denied = raw['verdict'] === 'deny';
  return (
    within(raw['verdict'], Object.keys(strictness), true) &&
    within(raw['kind'], KINDS, true) &&
    within(raw['category'], CATEGORIES, denied) &&
    within(raw['persistence'], PERSISTENCES, denied) &&
    isObject(raw['action']) &&
    ['effects', 'findings', 'remedies', 'notices'].every((name) => Array.isArray(raw[name]))
  );
}

const KINDS: readonly DecisionKind[] = ['policy', 'validation', 'unavailable'];

/** What is no verdict of this version did not let anything through. */
function verdictOf(value: unknown, unread: string[]): Verdict {
  if (typeof value === 'string' && Object.hasOwn(strictness, value)) return value as Verdict;
  if (value === 'allow') return 'pass';
  if (value === 'block' || value === 'refuse') return 'deny';
  unread.push(`verdict ${String(value)}`);
  return 'deny';
}

function kindOf(value: unknown, unread: string[]): DecisionKind {
  if (KINDS.includes(value as DecisionKind)) return value as DecisionKind;
  if (value === undefined) return 'policy';
  unread.push(`kind ${String(value)}`);
  return 'unavailable';
}

/** An unknown category stays a refusal of the one kind that says: nobody could judge this. */
function categoryOf(value: unknown, unread: string[]): Category | undefined {
  if (value === undefined || value === null) return undefined;
  if (CATEGORIES.includes(value as Category)) return value as Category;
  if (typeof value === 'string' && Object.hasOwn(OLDER, value)) return OLDER[value];
  unread.push(`category ${String(value)}`);
  return 'policy-unavailable';
}

/** What is not known to pass with time or state lasts for the run. */
function persistenceOf(value: unknown, unread: string[]): Persistence | undefined {
  if (value === undefined || value === null) return undefined;
  if (PERSISTENCES.includes(value as Persistence)) return value as Persistence;
  if (typeof value === 'string' && Object.hasOwn(OLDER_PERSISTENCE, value)) return OLDER_PERSISTENCE[value];
  unread.push(`persistence ${String(value)}`);
  return 'not-in-this-run';
}

function actionOf(value: unknown): Decision['action'] {
  const raw = isObject(value) ? value : {};
  return {
    surface: text(raw['surface'], 'unknown'),
    tool: text(raw['tool'], ''),
    digest: text(raw['digest'], 'sha256:unknown'),
    summary: text(raw['summary'], ''),
    ...(typeof raw['registry'] === 'string' ? { registry: raw['registry'] } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
