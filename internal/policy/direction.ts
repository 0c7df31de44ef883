/**
 * Which change of which key loosens: one table for the whole schema. A direction is a function that takes two values to the
 * stricter one of both, or to the strict half of both where neither contains the other. A change loosens exactly when the
 * strict value is not the new one, so the same function says what loosens, what counts until it is trusted, and which of
 * two policies wins. A key that is not in the table counts as loosening with every change.
 */

import { DEFAULT_HALTING } from '../decision/lineage.ts';

/** The direction of one key. */
export interface Direction {
  /** What loosens, in words for `waygate trust` and the documentation. */
  loosens: string;
  /** The value with no file at all. */
  initial: unknown;
  /** The stricter of two values, or the strict half of both. */
  strict(before: unknown, after: unknown): unknown;
  /** What a later file makes of an earlier one's value. Default: it replaces it. */
  combine?(before: unknown, own: unknown): unknown;
}

/** Levels from loose to strict. A notice that is advised speaks louder, so advise is the stricter one. */
export const LEVELS = ['off', 'notice', 'advise', 'deny'] as const;

type List = readonly unknown[];

const isList = (value: unknown): value is List => Array.isArray(value);

/** Equal as JSON, whatever the order of keys. */
export const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

/** JSON with sorted keys: the text that digests are made over. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

const holds = (list: List, item: unknown): boolean => list.some((each) => same(each, item));

const union = (a: unknown, b: unknown): unknown => {
  if (!isList(a)) return b;
  if (!isList(b)) return a;
  return [...a, ...b.filter((item) => !holds(a, item))];
};

const intersection = (a: unknown, b: unknown): unknown => (isList(a) && isList(b) ? a.filter((item) => holds(b, item)) : []);

/** Words from the loosest to the strictest. */
const order = (words: readonly string[], initial: string): Direction => ({
  loosens: `a value further left: ${words.join(', ')}`,
  initial,
  strict: (before, after) => (words.indexOf(String(after)) >= words.indexOf(String(before)) ? after : before),
});

/** A list of exceptions: growing loosens. Files add to each other. */
const exceptions: Direction = { loosens: 'an entry more', initial: [], strict: intersection, combine: union };

/** A list of what is protected: shrinking loosens. Files add to each other. */
const protections = (initial: unknown): Direction => ({ loosens: 'an entry less', initial, strict: union, combine: union });

/** An entry without the mark that no person has trusted it. */
const bare = (entry: unknown): unknown => {
  if (!entry || typeof entry !== 'object') return entry;
  const { claimed: _claimed, ...rest } = entry as { claimed?: true };
  return rest;
};

/**
 * Files that a command makes. An entry protects them from edits by hand and lets them be lost, since they can be made again: the
 * first counts at once, the second when a person has trusted it, and an entry that goes away takes the protection with it.
 */
const outputs: Direction = {
  loosens: 'an entry less; of an entry more only that nobody misses the files',
  initial: [],
  strict: (before, after) => {
    if (!isList(before) || !isList(after)) return before;
    const known = before.map(bare);
    return [...before, ...after.filter((item) => !holds(known, bare(item))).map((item) => ({ ...(bare(item) as object), claimed: true }))];
  },
  combine: (before, own) => {
    if (!isList(before) || !isList(own)) return own;
    const named = own.map(bare);
    return [...before.filter((item) => !holds(named, bare(item))), ...own];
  },
};

/** Whatever changes may disarm a rule. */
const anyChange = (initial: unknown): Direction => ({ loosens: 'every change', initial, strict: (before) => before });

/** Where there was none, the first one only asks for more; whatever changes it may disarm it. */
const firstCounts: Direction = {
  loosens: 'every change of one that is declared',
  initial: undefined,
  strict: (before, after) => before ?? after,
};

/** A number: more loosens, none at all loosens most. */
const limit: Direction = {
  loosens: 'a higher number, or none',
  initial: undefined,
  strict: (before, after) => (typeof before !== 'number' ? after : typeof after !== 'number' ? before : Math.min(before, after)),
};

/** A bound that always holds: more loosens. */
const bound = (initial: number): Direction => ({
  loosens: 'a higher number',
  initial,
  strict: (before, after) => Math.min(Number(before), Number(after)),
});

/** Hosts that may be reached. No list at all means that nothing is judged. */
const allowList: Direction = {
  loosens: 'an entry more, or no list',
  initial: undefined,
  strict: (before, after) => (!isList(before) ? after : !isList(after) ? before : intersection(before, after)),
};

/** A rule of the workspace's own: it can only refuse, so a new one tightens; a changed or missing one may not. */
const ownRule: Direction = {
  loosens: 'every change of a rule that exists',
  initial: undefined,
  strict: (before, after) => before ?? after,
};

/** What reads no value that judges: descriptions, the version of the format, and files whose entries are judged one by one. */
const neutral = (loosens: string): Direction => ({ loosens, initial: undefined, strict: (_before, after) => after });

/** The direction of every key of the schema. `*` stands for a name. */
export const DIRECTIONS: Readonly<Record<string, Direction>> = {
  version: neutral('nothing: there is one version'),
  extends: neutral('nothing by itself: each entry it brings in is judged by its own key'),
  preset: order(['safety', 'strict'], 'strict'),
  'rules.*': { ...order(LEVELS, 'deny'), loosens: 'a lower verdict' },
  'rules.*.*': anyChange(undefined),
  runner: anyChange(undefined),
  'environment.*': firstCounts,
  gate: firstCounts,
  generated: outputs,
  regenerable: exceptions,
  'protected.branches': protections(undefined),
  'protected.paths': protections([]),
  'protected.hidden': protections([]),
  skills: protections([]),
  'network.allow': allowList,
  'budgets.*': limit,
  'halting.boundary': bound(DEFAULT_HALTING.boundary),
  'halting.category': bound(DEFAULT_HALTING.category),
  'halting.any': bound(DEFAULT_HALTING.any),
  owner: order(['ask', 'request'], 'request'),
  cost: order(['off', 'watch', 'tight'], 'off'),
  'custom.*': ownRule,
  deadline: anyChange(undefined),
};

/** The direction of an option by what its rule declares. */
export function optionDirection(loosens: 'up' | 'down' | 'change', initial: unknown): Direction {
  if (loosens === 'change') return anyChange(initial);
  const pick = loosens === 'up' ? Math.min : Math.max;
  return {
    loosens: loosens === 'up' ? 'a higher value' : 'a lower value',
    initial,
    // a switch counts as 0 and 1
    strict: (before, after) => (pick(Number(before), Number(after)) === Number(after) ? after : before),
  };
}

/** A key that the table does not know: every change loosens. */
const UNKNOWN: Direction = anyChange(undefined);

/** The direction of a key such as `budgets.push`; an unknown key loosens with every change. */
export function directionOf(key: string): Direction {
  const known = DIRECTIONS[key];
  if (known) return known;
  const [head = '', ...rest] = key.split('.');
  return DIRECTIONS[[head, ...rest.map(() => '*')].join('.')] ?? UNKNOWN;
}

/** True when the new value gives up something the old one guarded. */
export const loosens = (direction: Direction, before: unknown, after: unknown): boolean => !same(direction.strict(before, after), after);
