/**
 * What the reading of a shell line gives: every simple command it would run, in order, with what the shell would
 * have done before it (directory, variables, redirections, wrappers). Families of `internal/effect` read only this.
 */
import type { Word } from './word.ts';

/** Where the standard input of a command comes from, as far as it can be told. */
export type Stdin =
  | { from: 'inherit' }
  | { from: 'text'; text: Word; quoted: boolean }
  | { from: 'file'; file: Word }
  /** The command ids of the pipeline stage before it. */
  | { from: 'pipe'; steps: readonly number[] /** what is written into the pipe, where that is known */; text?: Word }
  | { from: 'closed' };

/** A redirection to or from a file. `fd` is the descriptor; 1 and 2 for `&>`. */
export interface Redirect {
  fds: readonly number[];
  op: '>' | '>>' | '>|' | '<' | '<>' | 'dup';
  target: Word;
}

/**
 * What lies between a command's output and the agent, one thing at a time, the nearest first: a pipe, the redirections of a group
 * or of a wrapper around it, a substitution. The command's own redirections come before all of it.
 */
export type Outlet = { outer?: Outlet } & (
  | {
      kind: 'pipe';
      /** The next stage; filled in when it has been read. */
      steps: readonly number[];
      /** `|&`: the errors as well. */
      both: boolean;
      /** `set -o pipefail` is in force. */
      pipefail: boolean;
    }
  | { kind: 'files'; redirects: readonly Redirect[] }
  | { kind: 'captured' }
);

/** A time limit that a program puts around a command. `ms`: undefined when it is not known; `signal`: what it sends, as written. */
export interface Bound {
  program: string;
  ms: number | undefined;
  signal?: string;
}

/** One simple command that the line would run. */
export interface Command {
  /** Number of this command in the line, rising in order of execution. */
  step: number;
  /** The steps that have certainly succeeded when this one starts (joined by `&&`, or under `set -e`). */
  given: readonly number[];
  /** The program's base name, lower case, without `.exe`; '' when it is not known. Functions and aliases of the line are already replaced. */
  name: string;
  /** All words, the program first. Never empty. */
  argv: readonly Word[];
  /** The words after the program. */
  args: readonly Word[];
  /** Environment that the line itself gives this command: prefix assignments, `export`, `env A=1`. undefined value: unset. */
  env: ReadonlyMap<string, Word | undefined>;
  redirects: readonly Redirect[];
  stdin: Stdin;
  /** Absolute directory it runs in; undefined where that is not known. */
  cwd: string | undefined;
  /** The wrappers around it, outermost first: `sudo`, `bash -c`, `xargs`, `find -exec`, `ssh host`, `docker exec db`. */
  via: readonly string[];
  /** Not this machine's files: behind ssh, docker exec/run, kubectl exec. */
  remote: boolean;
  /** Behind sudo, doas, su. */
  root: boolean;
  /** In the body of a loop, or behind xargs/find -exec with several operands. */
  looped: boolean;
  /** Variables that the loop around it gives another value each turn, besides its own: `i=$((i+1))`. */
  counters?: readonly string[];
  background: boolean;
  /** It certainly runs when the line runs; false in branches, after `||`, in function bodies never called with certainty. */
  certain: boolean;
  /** Output goes to another command or into a substitution: not shown to the agent. */
  captured: boolean;
  /** The next pipeline stage's steps, when its stdout is piped. */
  pipedInto?: readonly number[];
  /** Where its output goes besides its own redirections; absent: to the agent. */
  outlet?: Outlet;
  /** `time` is around it. */
  timed?: true;
  /** The innermost time limit around it. */
  bound?: Bound;
  /** The pipeline of the line it stands in, as offsets into the line's text; absent: it stands in a substitution or elsewhere. */
  span?: readonly [start: number, end: number];
  /** The script file the command stands in, when the line runs a local script. */
  script?: string;
  /** Absolute paths that a test before it has shown not to be there, or to hold nothing: `[ -f .env ] || cp …`. */
  absent?: readonly string[];
  /** The command's own source text. */
  source: string;
}

/** Something in the line that could not be read, and why. */
export interface Unread {
  why: 'syntax' | 'limit' | 'dynamic' | 'script';
  detail: string;
  /** The text that was not recovered, where it is known. */
  rest?: string;
}

/** Shapes of the line itself, for the rules about how a line is written. Built while reading, with the repair already made. */
export type Shape =
  | { shape: 'status-echo'; source: string; instead: string }
  | { shape: 'idle-filter'; program: string; source: string; instead: string | undefined }
  | { shape: 'backticks'; source: string; program: string; instead: string }
  | {
      shape: 'wait-loop';
      source: string;
      /** Nothing else on the line does anything: it waits, asks, prints and changes its folder. */
      alone: boolean;
      until: 'file' | 'process' | 'command' | 'time';
      seconds: number;
      selfMatch?: boolean;
      pattern?: string;
    }
  | { shape: 'long-sleep'; source: string; seconds: number; before: string }
  /** A function that starts itself more than once, or in the background. */
  | { shape: 'fork-bomb'; source: string }
  /** A loop without an end that starts `source` in the background on every turn. */
  | { shape: 'spawn-loop'; source: string }
  /** A loop that starts `source` in the background many times at once; `turns`: as far as it can be told. */
  | { shape: 'spawn-burst'; source: string; turns: number | undefined };

/** A line, read. */
export interface Line {
  text: string;
  commands: readonly Command[];
  /** Commands in functions that the line defines and never calls: they do not run. */
  dormant?: readonly Command[];
  unread: readonly Unread[];
  shapes: readonly Shape[];
  /** The look of the line: the world, with the files the line itself writes as it writes them. */
  look: Look;
}

/**
 * What reading may ask of the world: all of it without side effects, none of it throws.
 * `internal/fact` gives the real one; `--assume` gives one that sees no files.
 */
export interface Look {
  /** A variable of the guard's own environment, which is the agent's. */
  env(name: string): string | undefined;
  /** The names of its variables, where they can be listed. */
  envNames?(): readonly string[];
  /** HOME, absolute. */
  home: string;
  /** Directory for temporary files, absolute. */
  tmp: string;
  /** What lies at an absolute path, links not followed; undefined when nothing does. */
  stat(path: string): { kind: 'file' | 'dir' | 'link' | 'other'; size: number; target?: string; changed?: number } | undefined;
  /** The text of a file up to `limit` bytes, undefined when it is absent, larger, or not text. */
  read(path: string, limit: number): string | undefined;
  /** Names in a directory, at most 2,000; undefined when it is none. */
  list(path: string): readonly string[] | undefined;
  /** git configuration as it stands for a directory: the values of a key, last one counts. */
  gitConfig(cwd: string, key: string): readonly string[];
}
