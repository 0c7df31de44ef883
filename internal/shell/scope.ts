/** What the shell remembers between commands, and how the reader passes it on. */
import type { CompoundCommand, CompoundList, Redirected } from 'unbash';
import type { Bound, Outlet, Redirect, Stdin } from './command.ts';
import type { Open } from './descriptors.ts';
import type { Mount } from './mounts.ts';
import { textOf, type Word } from './word.ts';

/** A variable: one word, or a list of them. `undefined` items: unset by the line. */
export type Value = { word: Word } | { list: readonly Word[] } | { unset: true };

export type FunctionBody = CompoundCommand | Redirected | CompoundList;

/** The state of one shell; a subshell gets a copy. */
export interface Scope {
  vars: Map<string, Value>;
  exported: Set<string>;
  functions: Map<string, FunctionBody>;
  aliases: Map<string, string>;
  /** undefined: not known any more. */
  cwd: string | undefined;
  /** Directories of pushd, latest last. */
  stack: (string | undefined)[];
  /** The other directory it may be in, when a `cd` may have failed. */
  otherCwd?: string;
  /** Positional parameters, $1 first; $0 apart. */
  args: readonly Word[];
  name: Word | undefined;
  errexit: boolean;
  /** `set -u`. */
  nounset?: boolean;
  /** `set -o pipefail`. */
  pipefail?: boolean;
  /** Redirections of `exec` without a command: they hold for the rest of this shell. */
  opened?: readonly Redirect[];
  /** Descriptors that stay open, by number or `$name`. */
  fds?: Map<string, Open>;
  /** `declare -n REF=NAME`: what a reference stands for. */
  refs?: Map<string, string>;
  /** Names that keep their value. */
  readonly?: Set<string>;
  /** `shopt -s lastpipe`: the last stage of a pipeline runs in this shell. */
  lastpipe?: boolean;
  /** `hash -p PATH NAME` for a builtin, and the builtins that `enable -n` switched off. */
  hashed?: Map<string, string>;
  disabled?: Set<string>;
  /** Other values a variable may have: what it held before an assignment that may not have run. */
  maybe?: Map<string, readonly Word[]>;
  /** In a function: the outer values of the variables it has declared local. */
  locals?: Map<string, Value | undefined>;
}

/** A copy for a subshell: what happens in it does not come back. */
export const fork = (scope: Scope): Scope => ({
  ...scope,
  vars: new Map(scope.vars),
  exported: new Set(scope.exported),
  functions: new Map(scope.functions),
  aliases: new Map(scope.aliases),
  stack: [...scope.stack],
  ...(scope.fds ? { fds: new Map(scope.fds) } : {}),
  ...(scope.refs ? { refs: new Map(scope.refs) } : {}),
  ...(scope.readonly ? { readonly: new Set(scope.readonly) } : {}),
  ...(scope.maybe ? { maybe: new Map(scope.maybe) } : {}),
});

/** What surrounds a command: everything that is not the shell's own memory. */
export interface Frame {
  given: readonly number[];
  certain: boolean;
  /** The last command of a chain of `&&` and `||`, directly in it. */
  chained?: boolean;
  /** An assignment here may not run, although what follows it in the same chain only runs when it did. */
  maybe?: boolean;
  looped: boolean;
  /** Variables that the loop around counts on. */
  counters?: readonly string[];
  background: boolean;
  captured: boolean;
  via: readonly string[];
  remote: boolean;
  /** Behind `remote`: folders of this machine that are seen there. */
  mounts?: readonly Mount[];
  root: boolean;
  /** Added by wrappers: `env A=1`, `sudo A=1`. undefined: removed. */
  env: ReadonlyMap<string, Word | undefined>;
  stdin: Stdin;
  script?: string;
  outlet?: Outlet;
  timed?: true;
  bound?: Bound;
  span?: readonly [number, number];
  /** Absolute paths that a test has shown not to be there, or to hold nothing, when this runs. */
  absent?: readonly string[];
  /** Names of the functions being called, to stop recursion. */
  calls: readonly string[];
  /** How deep code inside code is: bash -c, eval, scripts. */
  depth: number;
}

/** What a part of a line gives back. */
export interface Outcome {
  /** Steps that have certainly succeeded when this part succeeds. */
  ok: readonly number[];
  /** All steps in it. */
  steps: readonly number[];
  /** Its standard output, when it is known. */
  output?: Word;
}

export const NOTHING: Outcome = { ok: [], steps: [] };

/** Keeps the lists short: a chain of 50,000 `&&` must stay linear. */
const GIVEN_LIMIT = 64;
export const joined = (a: readonly number[], b: readonly number[]): readonly number[] =>
  b.length === 0 ? a : [...a, ...b].slice(-GIVEN_LIMIT);

export type { Redirect };

/** How many other values of a variable are followed. */
const MAYBE = 3;

/** The environment of a command: what wrappers added, what is exported, its own assignments. */
export function environment(values: readonly (readonly [string, Value])[], scope: Scope, frame: Frame): Frame['env'] {
  if (values.length === 0 && scope.exported.size === 0) return frame.env;
  const env = new Map(frame.env);
  for (const name of scope.exported) {
    const value = scope.vars.get(name);
    if (value && 'word' in value) env.set(name, value.word);
  }
  for (const [name, value] of values) env.set(name, 'word' in value ? value.word : undefined);
  return env;
}

/** Sets a variable. One that may not be set keeps its old value as another possibility. */
export function setVariable(name: string, value: Value, scope: Scope, frame: Frame): void {
  if (scope.readonly?.has(name)) return;
  const old = scope.vars.get(name);
  if (frame.maybe && old && 'word' in old && 'word' in value && (textOf(old.word) ?? '') !== '') {
    const others = [...(scope.maybe?.get(name) ?? []), old.word].filter((each) => textOf(each) !== textOf(value.word));
    scope.maybe ??= new Map();
    if (others.length > 0) scope.maybe.set(name, others.slice(-MAYBE));
  } else if (!frame.maybe) scope.maybe?.delete(name);
  scope.vars.set(name, value);
}
