/** The policy of one call, compiled: plain data, so that the hot path reads one JSON file and no YAML, schema or CLI library. */
import type { Level, Options } from '../rule/rule.ts';

/** Where a value comes from. */
export interface Origin {
  file: string; // 'default', 'preset safety', or a path
  line?: number;
}

export interface RulePolicy {
  level: Level;
  /** What set it. */
  origin: Origin;
  options: Options;
  reason?: string;
  /** A loosening that no person has trusted yet: what it asks for, and where. It is not in force. */
  untrusted?: { level: Level; origin: Origin };
}

/** A rule of the workspace's own (`custom:` in waygate.yaml). */
export interface CustomRule {
  rule: string;
  verdict: 'deny' | 'advise';
  on: { run?: string; effect?: string; path?: string; tool?: string };
  says: string;
  remedy?: { run?: string; ask?: string };
  examples?: { catches: readonly string[]; allows: readonly string[] };
  origin: Origin;
}

export interface Policy {
  schema: 1;
  /** `sha256:` over everything below. */
  revision: string;
  preset: 'strict' | 'safety';
  /** Only rules that differ from their default. */
  rules: Readonly<Record<string, RulePolicy>>;
  regenerable: readonly string[];
  protected: { branches: readonly string[] | undefined; paths: readonly string[] };
  generated: readonly { files: string; by?: string; from?: string }[];
  network: { allow: readonly string[] } | undefined;
  gate: { command: string; branches: readonly string[] } | undefined;
  budgets: Readonly<Record<string, number>>;
  owner: 'request' | 'ask';
  cost: 'off' | 'watch' | 'tight';
  custom: readonly CustomRule[];
  deadlineMs: number;
  /** What was wrong with the files: shown to the person, never weakens. */
  errors: readonly PolicyError[];
  /** Files that were read, with digests: the snapshot is stale when one differs. */
  sources: readonly { path: string; digest: string | null }[];
}

export interface PolicyError {
  file: string;
  line?: number;
  column?: number;
  message: string;
  excerpt?: string;
  nearest?: string;
  /** What stays in force. */
  stays: string;
}

/** The policy with no file at all. */
export const DEFAULT_POLICY: Policy = {
  schema: 1,
  revision: 'sha256:default',
  preset: 'strict',
  rules: {},
  regenerable: [],
  protected: { branches: undefined, paths: [] },
  generated: [],
  network: undefined,
  gate: undefined,
  budgets: {},
  owner: 'request',
  cost: 'off',
  custom: [],
  deadlineMs: 2000,
  errors: [],
  sources: [],
};
