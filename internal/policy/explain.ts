/** What the schema found wrong, in words of the file. Pure. */
import type { z } from 'zod';
import type { Path } from './document.ts';
import { nearest } from './nearest.ts';
import { POLICY_SHAPE } from './schema.ts';

/** One mistake: where, and what. */
export interface Explained {
  path: Path;
  what: 'key' | 'value';
  message: string;
  near?: string;
  unknown?: boolean;
}

/** An issue of the schema in words of the file. */
export function explain(issue: z.core.$ZodIssue, value: unknown): readonly Explained[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const label =
    path.length > 0
      ? `${path
          .map((step) => (typeof step === 'number' ? `[${step}]` : step))
          .join('.')
          .replaceAll('.[', '[')}: `
      : '';
  const at = (message: string, near?: string): readonly Explained[] => [{ path, what: 'value', message: label + message, near }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        what: 'key',
        message: `unknown key "${key}"`,
        near: nearest(key, keysAt(path)),
        unknown: true,
      }));
    case 'invalid_value': {
      const given = valueAt(value, path);
      const known = issue.values.map(String);
      return at(
        `${JSON.stringify(given)} is not known: ${known.join(', ')} are`,
        typeof given === 'string' ? nearest(given, known) : undefined,
      );
    }
    case 'invalid_type':
      return at(
        valueAt(value, path) === undefined
          ? 'is missing'
          : `expected ${issue.expected === 'record' ? 'keys' : issue.expected}, got ${JSON.stringify(valueAt(value, path))}`.slice(0, 120),
      );
    case 'invalid_key':
      return [{ path, what: 'key', message: `${label}${issue.issues[0]?.message ?? issue.message}` }];
    case 'too_small':
      return at(issue.origin === 'string' || issue.origin === 'array' ? 'must not be empty' : `must be at least ${issue.minimum}`);
    case 'too_big':
      return at(`must be at most ${issue.maximum}`);
    default:
      return at(issue.message);
  }
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, step) => (at && typeof at === 'object' ? (at as Record<string | number, unknown>)[step] : undefined), value);

/** Keys the schema knows at a place. */
function keysAt(path: Path): readonly string[] {
  let schema: unknown = POLICY_SHAPE;
  for (const step of path) {
    const def = unwrapped(schema);
    schema = typeof step === 'number' ? def?.element : (def?.shape?.[step] ?? def?.valueType);
  }
  return Object.keys(unwrapped(schema)?.shape ?? {});
}

interface Def {
  shape?: Record<string, unknown>;
  element?: unknown;
  valueType?: unknown;
  innerType?: unknown;
}

function unwrapped(schema: unknown): Def | undefined {
  const def = (schema as { def?: Def } | undefined)?.def;
  return def?.innerType ? unwrapped(def.innerType) : def;
}
