/** The shape of runners that were kept as JSON: what does not have it is not used. */
import { ROLES, type Runner } from './profile.ts';
import { isRecord } from './shape.ts';

const texts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');
const maybe = (value: unknown, type: 'string' | 'boolean' | 'number'): boolean =>
  value === undefined || value === null || typeof value === type;

/** Is this a runner, all the way down? */
export function isRunner(value: unknown): value is Runner {
  if (!isRecord(value)) return false;
  return (
    ['name', 'dir', 'file', 'call'].every((key) => typeof value[key] === 'string') &&
    (value['combine'] === 'args' || value['combine'] === 'none') &&
    maybe(value['pass'], 'string') &&
    typeof value['durations'] === 'boolean' &&
    Array.isArray(value['targets']) &&
    value['targets'].every(isTarget)
  );
}

function isTarget(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { origin, covers, parts } = value;
  return (
    ['name', 'command'].every((key) => typeof value[key] === 'string') &&
    ['recipe', 'includes', 'writes'].every((key) => texts(value[key])) &&
    ['gate', 'endless'].every((key) => typeof value[key] === 'boolean') &&
    ROLES.includes(value['role'] as (typeof ROLES)[number]) &&
    (parts === undefined || (texts(parts) && (parts as string[]).every((each) => ROLES.includes(each as (typeof ROLES)[number])))) &&
    maybe(value['pass'], 'string') &&
    (value['sets'] === undefined || texts(value['sets'])) &&
    maybe(value['alone'], 'boolean') &&
    isRecord(origin) &&
    typeof origin['file'] === 'string' &&
    maybe(origin['line'], 'number') &&
    Array.isArray(covers) &&
    covers.every(
      (each) => isRecord(each) && typeof each['program'] === 'string' && texts(each['argv']) && typeof each['whole'] === 'boolean',
    )
  );
}
