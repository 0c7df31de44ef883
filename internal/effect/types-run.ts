/** Effects of running things: the workspace's own runner, the tools behind it, what is read of their output. */
import type { RunnerName } from '../profile/profile.ts';
import type { Base, Target } from './effect.ts';
import type { GitPlace } from './types-git.ts';

/** A stage that output is piped through. */
export interface Stage {
  /** Base name; '' for a stage of several commands. */
  program: string;
  /** Certain words, '' for one that is not known. */
  argv: readonly string[];
  source: string;
  /** What comes in: 1 stdout, 2 stderr of the command. */
  fds: readonly number[];
  /** Files that what the stage prints goes into. */
  into: readonly Target[];
}

/** Where the output of a command goes, as the line says it. */
export interface OutputFlow {
  /** The stages it is piped through, in order; process substitutions among them. */
  pipe: readonly Stage[];
  /** Files in which a stream ends, through redirections of its own or of a group around it. `fds`: 1 stdout, 2 stderr of the command. */
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

/** The call alone, as it can be pasted. */
export interface Bare {
  /** Assignments in front, with a space behind them; '' for none. */
  prefix: string;
  /** The program and its words. */
  words: string;
  /** The same as it can stand in the place of the call in its line, where that differs: with its variables, which a loop changes. */
  inPlace?: string;
}

/** The text of the line around the pipeline in which a call stands: a remedy can take that place. */
export interface Around {
  before: string;
  after: string;
  /** The pipeline itself. */
  own: string;
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
        /** Without pipe, redirection, `timeout` and `time`; undefined when a word is not known. */
        bare: Bare | undefined;
        /** Only where the pipeline holds nothing but this call and what its output goes through, and the line is short. */
        around: Around | undefined;
        /** Commands of the line besides calls of runners and a `cd` in front. */
        others: number;
        /** In a loop, or behind xargs. */
        looped: boolean;
        /** The print at the end of the line that only says that this call succeeded, as written: `echo done` after `&&`. */
        restated?: string;
        /** It is the declared gate, which is a command of its own. */
        gate?: true;
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
        bare: Bare | undefined;
        around: Around | undefined;
        command: string;
      }
    | {
        /** `waygate gate run`: when it succeeds, what stands in the tree is covered. */
        kind: 'run.gate';
        repo: GitPlace;
        /** `--again`: the reason. */
        again?: string;
        output: OutputFlow;
        /** As for a target. */
        hostTimeoutMs?: number;
        background: boolean;
        around: Around | undefined;
        command: string;
      }
    | {
        /** A program that nothing is known of runs before a push, a commit or the gate on the same line: it may change files. */
        kind: 'line.work';
        program: string;
      }
    | {
        /** Lines are picked out of a stored capture of a run. `ref`: the run's id where the name holds it. */
        kind: 'run.capture';
        path: Target;
        /** What picks: a program or a tool of the host, and its words, '' for one that is not known. */
        program: string;
        argv: readonly string[];
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
        /** The program they are for; undefined: exported, or unset, for the rest of the line. */
        program: string | undefined;
        /** Where each name stands in the line, when that can be told: `before + word + after` is the line, `word` is `NAME=value` or `NAME`. */
        spots: readonly { name: string; before: string; word: string; after: string }[];
        command: string;
      }
  );
