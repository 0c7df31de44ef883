/** Effects of running things: the workspace's own runner, the tools behind it, what is read of their output. */
import type { RunnerName } from '../profile/profile.ts';
import type { Base, Target } from './effect.ts';
import type { GitPlace } from './types-git.ts';

/** Where the output of a command goes, as the line says it. */
export interface OutputFlow {
  /** The stages its stdout is piped through, in order. `argv`: certain words, '' for one that is not known. */
  pipe: readonly { program: string; argv: readonly string[]; source: string }[];
  /** Redirections of its own or of a group around it, to files. */
  files: readonly { fds: readonly number[]; target: Target; append: boolean; discards: boolean }[];
  /** Into a substitution: used, not shown. */
  captured: boolean;
  /** `set -o pipefail` is in force. */
  pipefail: boolean;
}

/** A call of a task runner, read. */
export interface RunnerCall {
  runner: RunnerName;
  /** Targets as named on the line; empty: the runner's default. */
  targets: readonly string[];
  /** Directory in which it looks for its file, absolute; undefined: not known. */
  dir: string | undefined;
  /** The file, where the line names one (`make -f x.mk`). */
  file?: string;
  /** Projects, packages or filters it is narrowed to, as written. */
  projects: readonly string[];
  /** Words handed through to the tool. */
  extra: readonly string[];
  /** Runs nothing: asks for help or a listing, or only shows what would run. */
  looks?: 'help' | 'list' | 'dry-run';
}

export type RunEffect = Base &
  (
    | {
        /** The runner is called. */
        kind: 'run.target';
        call: RunnerCall;
        output: OutputFlow;
        /** A time limit around it: `timeout 600`. */
        bound?: { program: string; ms: number | undefined; signal?: string };
        /** `time` around it. */
        timed: boolean;
        /** The host's own limit for the call in milliseconds, and whether it runs in the background: what the tool's input says. */
        hostTimeoutMs?: number;
        background: boolean;
        /** Through `waygate run`: captured, and its status is kept. */
        logged: boolean;
        /** All words, '' for one that is not known. */
        argv: readonly string[];
        /** The call alone, as it can be pasted: its own prefix assignments and words, without pipe, redirection, `timeout`, `time`; undefined when a word is not known. */
        bare: string | undefined;
        command: string;
      }
    | {
        /** A tool of a toolchain is called directly, not through the runner: `vitest run`, `npx eslint src`. */
        kind: 'run.tool';
        program: string;
        /** The words after the program, '' for one that is not known. */
        argv: readonly string[];
        /** What started it: `npx`, `pnpm exec`, `python -m`; undefined: by name or path. */
        launcher?: string;
        /** help: asks the tool about itself. check: reads and reports only, by its own options. */
        mode: 'help' | 'check' | 'run';
        output: OutputFlow;
        logged: boolean;
        bare: string | undefined;
        command: string;
      }
    | {
        /** `waygate gate run`: when it succeeds, what stands in the tree is covered. */
        kind: 'run.gate';
        repo: GitPlace;
        /** `--again`: the reason. */
        again?: string;
        output: OutputFlow;
        command: string;
      }
    | {
        /** Lines are picked out of a stored capture of a run. `ref`: the run's id where the name holds it. */
        kind: 'run.capture';
        path: Target;
        program: string;
        ref?: string;
        command: string;
      }
    | {
        /** The identity of the tree is asked for: `git rev-parse HEAD`, `git describe`, `git stash create`, `git write-tree`. */
        kind: 'git.identity';
        repo: GitPlace;
        how: string;
        output: OutputFlow;
        command: string;
      }
    | {
        /** Variables that a command is given or that the line exports or unsets. */
        kind: 'line.environment';
        names: readonly string[];
        /** The program they are for; undefined: exported for the rest. */
        program: string | undefined;
        /** The line again without the names, or with another name for one: made by the family, undefined where it cannot be told. */
        command: string;
      }
  );
