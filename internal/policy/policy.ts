/** The policy of one call, compiled: plain data, so that the hot path reads one JSON file and no YAML, schema or CLI library. */

import type { Category } from '../decision/category.ts';
import { DEFAULT_HALTING, type Halting } from '../decision/lineage.ts';
import type { Role } from '../profile/profile.ts';
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
  /** Only the options that a file gives. */
  options: Options;
  /** What loosens each of these options, and its default: so that policies can be combined without the table. */
  directions?: Readonly<Record<string, { loosens: 'up' | 'down' | 'change'; default: string | number | boolean }>>;
  /** The rule's own level and group, for the same purpose. */
  default?: Level;
  group?: string;
  reason?: string;
  /** A loosening that is not in force: what it asks for, where, and what it waits for (a person's trust, or a later session). */
  untrusted?: { level: Level; origin: Origin; waits?: 'trust' | 'session' };
}

/** A rule of the workspace's own (`custom:` in waygate.yaml). `on` holds the globs as RegExp sources, made when the policy is compiled. */
export interface CustomRule {
  rule: string;
  verdict: 'deny' | 'advise';
  /** Default: approval-required. */
  category?: Category;
  on: { run?: string; effect?: string; path?: string; tool?: string };
  /** The globs of `on` as RegExp sources, by the same keys. */
  match: { run?: string; effect?: string; path?: string; tool?: string };
  says: string;
  remedy?: { run?: string; ask?: string };
  examples?: { catches: readonly string[]; allows: readonly string[] };
  origin: Origin;
}

/** Files that a command makes. `files` and `from`: globs over absolute paths. */
export interface Generated {
  files: string;
  /** The command that makes them, run at the root of the workspace. */
  by?: string;
  from?: readonly string[];
  /** A file says so and no person has trusted it: it protects them, and does not make them regenerable. */
  claimed?: true;
}

/** What the workspace says about a skill. With `source` and `installed`: a copy that an installer makes. */
export interface SkillEntry {
  topic?: string;
  skill: string;
  /** Absolute path of the file or folder it is written in. */
  source?: string;
  /** Absolute path of the file or folder it is installed to; relative names below both are the same. */
  installed?: string;
  /** The command that installs it, run at the root of the workspace. */
  by?: string;
}

/** What the workspace says about a target; what is absent stays as it is detected. */
export interface DeclaredTarget {
  command?: string;
  /** Tools with their words: `eslint --fix`. */
  covers?: readonly string[];
  includes?: readonly string[];
  /** Globs over absolute paths. */
  writes?: readonly string[];
  role?: Role;
  gate?: boolean;
  endless?: boolean;
}

/** The task runner as waygate.yaml declares it. */
export interface DeclaredRunner {
  /** `npm run {target}`. */
  command?: string;
  combine?: 'args' | 'none';
  /** `-- {args}`. */
  pass?: string;
  targets: Readonly<Record<string, DeclaredTarget>>;
}

export interface DeclaredEnvironment {
  names?: readonly string[];
  /** Absolute path of a file that names them. */
  from?: string;
  retired?: Readonly<Record<string, string>>;
}

/** A change of the policy that loosens and is not in force. */
export interface Loosening {
  /** `rules.output-pipe`, `preset`, `regenerable`, … */
  key: string;
  from: unknown;
  to: unknown;
  origin: Origin;
  /** `sha256:` over key and value; what `waygate trust` stores. */
  digest: string;
  /** Real path of the workspace, or of the user's file: trust is given for this place only. */
  scope: string;
}

export interface Policy {
  schema: 1;
  /** `sha256:` over everything that judges. */
  revision: string;
  /** Root of the workspace it was compiled for; undefined outside any. */
  root: string | undefined;
  preset: 'strict' | 'safety';
  /** Only rules that differ from their default. */
  rules: Readonly<Record<string, RulePolicy>>;
  /** Globs over absolute paths. */
  regenerable: readonly string[];
  /** Declared branches add to the built-in ones (remote HEAD, main, master, release/*). Paths: globs over absolute paths. */
  protected: {
    branches: readonly string[] | undefined;
    paths: readonly string[] /** Paths that are not there for an agent, read or written. */;
    hidden?: readonly string[];
  };
  generated: readonly Generated[];
  network: { allow: readonly string[] } | undefined;
  /** `since`: what the files declare now, where a session keeps the gate it began with. */
  gate: { command: string; branches: readonly string[]; since?: { command: string | undefined } } | undefined;
  /** Where several workspaces' policies have met: the gate of each, by root. Ask `gateOf` of gates.ts. */
  gates?: Readonly<Record<string, NonNullable<Policy['gate']>>>;
  runner: DeclaredRunner | undefined;
  /** Variables of the workspace by prefix. */
  environment: Readonly<Record<string, DeclaredEnvironment>>;
  skills: readonly SkillEntry[];
  budgets: Readonly<Record<string, number>>;
  /** When a run is stopped. */
  halting: Halting;
  owner: 'request' | 'ask';
  cost: 'off' | 'watch' | 'tight';
  custom: readonly CustomRule[];
  deadlineMs: number;
  /** Each glob above as the source of a RegExp; use `matches` of match.ts. */
  patterns: Readonly<Record<string, string>>;
  /** Where the values of the other keys come from; keys that no file sets are absent. */
  origins: Readonly<Record<string, Origin>>;
  /** Loosening entries that no person has trusted. */
  untrusted: readonly Loosening[];
  /** What was wrong with the files: shown to the person, never weakens. */
  errors: readonly PolicyError[];
  /** Files that were read or looked for, with digests: the snapshot is stale when one differs. null: absent. */
  sources: readonly { path: string; digest: string | null }[];
}

export interface PolicyError {
  file: string;
  line?: number;
  column?: number;
  message: string;
  /** The line of the file it stands in. */
  excerpt?: string;
  nearest?: string;
  /** What stays in force, a sentence. */
  stays: string;
}

/** The internal deadline of one judgement when no file gives one, in milliseconds (design.md section 10). */
export const DEFAULT_DEADLINE_MS = 2000;

/** The policy with no file at all. */
export const DEFAULT_POLICY: Policy = {
  schema: 1,
  revision: 'sha256:default',
  root: undefined,
  preset: 'strict',
  rules: {},
  regenerable: [],
  protected: { branches: undefined, paths: [], hidden: [] },
  generated: [],
  network: undefined,
  gate: undefined,
  runner: undefined,
  environment: {},
  skills: [],
  budgets: {},
  halting: DEFAULT_HALTING,
  owner: 'request',
  cost: 'off',
  custom: [],
  deadlineMs: DEFAULT_DEADLINE_MS,
  patterns: {},
  origins: {},
  untrusted: [],
  errors: [],
  sources: [],
};
