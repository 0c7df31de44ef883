/**
 * Effects: what an action would do, with normalized targets. The union is put together from the families,
 * one file of types each; rules match on `kind` and see no command text but `source`, which is for messages.
 */

import type { FileEffect } from './types-files.ts';
import type { GitEffect } from './types-git.ts';
import type { GuardEffect, LineEffect, UnknownEffect } from './types-line.ts';
import type { DataEffect, InfraEffect, NetworkEffect, PackageEffect, ProcessEffect, SecretEffect, SystemEffect } from './types-outside.ts';
import type { RunEffect } from './types-run.ts';

/** What every effect carries. */
export interface Base {
  /** Order in the action; effects of one command share it. */
  step: number;
  /** Steps that have certainly succeeded before it. */
  given: readonly number[];
  /** It certainly happens when the action runs. */
  certain: boolean;
  /** Directory it happens in; undefined when not known. */
  cwd: string | undefined;
  /** Wrappers it came through, outermost first. */
  via: readonly string[];
  /** On another machine or in a container: local files are not touched. */
  remote: boolean;
  /** As another user with more rights. */
  root: boolean;
  /** Source text of the command or call, cut to 200 characters, for messages. */
  source: string;
  /** Base name of the program or name of the tool that does it. */
  by: string;
  /** The script file it stands in, absolute, when the line runs one: a shell script, a manifest with scripts, a program. */
  script?: string;
  /** Absolute paths that a test before it has shown not to be there, or to hold nothing. */
  absent?: readonly string[];
  /** The command's environment as the line gives it, static values only. */
  env?: ReadonlyMap<string, string | undefined>;
}

/** A path an effect touches. */
export interface Target {
  /** Absolute, normalized, links not resolved; undefined when it is not known. For a glob: the path with the glob in it. */
  path: string | undefined;
  /** The certain leading part, absolute, when the rest is unknown. '' when nothing is. */
  prefix: string;
  /** As written. */
  raw: string;
  /** Holds a glob: stands for what matches. */
  glob?: boolean;
  /** Written with a slash at its end: a link is followed. */
  slash?: boolean;
  /** Why it is not known: a variable's name, or the substitution. */
  unknown?: string;
  /** The unknown part is a variable set nowhere, so it is probably empty. */
  unset?: boolean;
}

export type Effect =
  | GitEffect
  | FileEffect
  | ProcessEffect
  | SystemEffect
  | DataEffect
  | InfraEffect
  | PackageEffect
  | NetworkEffect
  | SecretEffect
  | RunEffect
  | LineEffect
  | GuardEffect
  | UnknownEffect;
export type EffectKind = Effect['kind'];
/** The effects of one kind. */
export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>;
