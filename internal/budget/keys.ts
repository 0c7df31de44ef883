/** The names a budget may have: kinds a hook can see, effects, surfaces, tools, categories. Pure. */
import { CLAUDE_CODE_TOOLS } from '../action/tools.ts';
import { CATEGORIES } from '../decision/category.ts';
import { EFFECT_KINDS } from '../policy/custom.ts';
import { nearest } from '../policy/nearest.ts';

/** What a hook can count. `requests`: questions put to the owner; `seconds`: since the session began. */
export const COUNTED = ['calls', 'reads', 'effects', 'spawns', 'seconds', 'requests'] as const;

/** Surfaces that may be budgeted by their own name, with the counted kind they stand for. */
const SURFACES: Readonly<Record<string, string>> = {
  shell: 'surface shell',
  write: 'surface write',
  edit: 'surface edit',
  read: 'surface read',
  search: 'surface search',
  fetch: 'surface fetch',
  skill: 'surface skill',
  watch: 'surface watch',
  mcp: 'surface mcp',
  spawn: 'spawns',
};

/** Short names of effects where one kind alone is meant. */
const SHORT: Readonly<Record<string, string>> = {
  push: 'git.push',
  commit: 'git.commit',
  publish: 'package.publish',
  install: 'package.install',
  send: 'net.send',
  deploy: 'external.call',
};

/** Calls of a server's tools, whichever servers there are. */
const MCP_TOOL = /^mcp__[\w.-]+$/;

/** The name under which a budget is counted; undefined when nothing is counted under it. */
export function countedAs(key: string): string | undefined {
  if (COUNTED.includes(key as (typeof COUNTED)[number])) return key;
  if (Object.hasOwn(SHORT, key)) return SHORT[key];
  if (Object.hasOwn(SURFACES, key)) return SURFACES[key];
  if (Object.hasOwn(EFFECT_KINDS, key)) return key;
  if ((CATEGORIES as readonly string[]).includes(key)) return `category ${key}`;
  if (toolNames().includes(key) || MCP_TOOL.test(key)) return `tool ${key}`;
  return undefined;
}

/** The nearest name there is, for a mistyped one. */
export const nearestKey = (key: string): string | undefined =>
  nearest(key, [...COUNTED, ...Object.keys(SHORT), ...Object.keys(SURFACES), ...Object.keys(EFFECT_KINDS), ...CATEGORIES, ...toolNames()]);

const toolNames = (): readonly string[] => Object.keys(CLAUDE_CODE_TOOLS);
