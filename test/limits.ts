/**
 * What the guard knowingly cannot see. Each call does harm and is not refused today; test/limits.test.ts pins that and turns red when a
 * hole closes. docs/guide/limits.md is generated from here.
 */
import type { Example } from '../internal/rule/rule.ts';

export interface Limit {
  group: string;
  /** What cannot be seen, as a heading. */
  what: string;
  call: Example;
  /** Why it cannot be seen, and what stands in the way instead. */
  why: string;
}

export const LIMITS: readonly Limit[] = [];
