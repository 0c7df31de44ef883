/**
 * What a workspace runs: its task runners, what each target stands for, and what looks like its gate. Plain data, so that it can
 * be kept between calls. Detected from the workspace's own files; waygate.yaml has the last word on every part of it.
 */

export type RunnerName =
  | 'npm'
  | 'pnpm'
  | 'yarn'
  | 'bun'
  | 'make'
  | 'just'
  | 'task'
  | 'nx'
  | 'turbo'
  | 'cargo'
  | 'go'
  | 'gradle'
  | 'maven'
  | 'bazel'
  | 'mise'
  | 'tox'
  | 'nox'
  | 'uv'
  | 'poetry'
  | 'pre-commit'
  /** Only what waygate.yaml declares (`runner:`). */
  | 'declared';

/** A tool a target runs. */
export interface Cover {
  /** Base name of the program: `vitest`. */
  program: string;
  /** The words the recipe gives it, its own options included: `['run']`. A call is covered when these lead it or it has none of its own. */
  argv: readonly string[];
  /** The recipe is this one simple command; a part of a longer one else. Only the former refuses (rules.md raw-tool). */
  whole: boolean;
}

/** What a target is for, by its name and by what it runs. */
export const ROLES = [
  'gate',
  'test',
  'lint',
  'format',
  'types',
  'build',
  'generate',
  'install',
  'update',
  'serve',
  'clean',
  'other',
] as const;

export type Role = (typeof ROLES)[number];

export interface Target {
  name: string;
  /** How it is run from the runner's directory, to be pasted: `npm run lint`. */
  command: string;
  /** The commands of its recipe, as written; the variables of a Makefile are put in. */
  recipe: readonly string[];
  covers: readonly Cover[];
  /**
   * Targets that run with it: prerequisites, `pre…` and `post…` scripts, and targets its recipe calls. By name in the same runner; of
   * another one with the runner before it: `make build`; in another directory `make -C tools build`; in the packages of the workspace
   * `npm -r build`. `closureOf` of resolve.ts follows them.
   */
  includes: readonly string[];
  /** Globs of files it writes, absolute, where that is declared or certain. */
  writes: readonly string[];
  role: Role;
  /** What its own commands are for, one by one. */
  parts?: readonly Role[];
  /** It looks like the gate: the aggregate of tests and checks. A proposal only. */
  gate: boolean;
  /** waygate.yaml says that it is not the gate. */
  refused?: boolean;
  /** Runs until it is interrupted: a server, a watcher. */
  endless: boolean;
  /** How words are handed to the tool behind this target, where that differs from its runner: `{args}` for them. */
  pass?: string;
  /** Variables that its file sets for it and for what runs with it: `GO = go1.22`. */
  sets?: readonly string[];
  /** It cannot share a call with others: it takes parameters. */
  alone?: boolean;
  /** Where it stands: a file and line, or waygate.yaml. */
  origin: { file: string; line?: number };
  /** Where it was detected, when waygate.yaml says something else about it. */
  overrides?: { file: string; line?: number };
}

export interface Runner {
  name: RunnerName;
  /** Directory of its file, absolute. */
  dir: string;
  /** The file it was detected by, absolute. */
  file: string;
  /** Takes several targets in one call: `make lint test`. */
  combine: 'args' | 'none';
  /** How a target is run, `{target}` for its name: `npm run {target}`. */
  call: string;
  /** How words are handed to the tool behind a target, `{args}` for them: `-- {args}`; undefined: not at all. */
  pass: string | undefined;
  /** The target it runs when none is named, where that is not the first. */
  initial?: string;
  /** Its own output says how long the targets took. */
  durations: boolean;
  targets: readonly Target[];
}

export interface Profile {
  /** The top of the workspace, absolute. */
  root: string;
  /** Nearest directory first, then in the order of preference. */
  runners: readonly Runner[];
  /** The command that applies the lock file and the one that changes it, where a target does it. */
  install: Target | undefined;
  update: Target | undefined;
  /** What looks like the gate; a declared `gate:` stands in the policy, not here. */
  proposedGate: string | undefined;
  /** Variables whose names belong to the workspace: prefix, the names known, and those that are read no longer with what counts instead. */
  environment: readonly { prefix: string; names: readonly string[]; retired: Readonly<Record<string, string>> }[];
}
