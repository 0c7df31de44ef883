/** Effects that are about the line itself, the guard itself, or what could not be read. */
import type { Shape } from '../shell/command.ts';
import type { Base, Target } from './effect.ts';
import type { Around, OutputFlow } from './types-run.ts';

export type LineEffect = Base &
  (
    | { kind: 'line.shape'; shape: Shape }
    /** One command of a line, as words: only made when the workspace has rules of its own about commands. `argv`: the certain words; what is not known is ''. */
    | { kind: 'line.command'; argv: readonly string[] /** absolute paths with globs in them */; globs?: readonly string[] }
    /** The call itself, whatever it does: likewise. */
    | { kind: 'tool.call'; tool: string /** of a search: where, absolute, and the pattern of names */; path?: string; pattern?: string }
    /**
     * The call only sees how far something is: a file (`what`: its absolute path), a task in the background (its id), anything outside
     * (the words of the question). Only made within a session. `wait`: the same program waiting for the end.
     */
    | { kind: 'line.look'; at: 'file' | 'task' | 'status'; what: string; wait?: string }
  );

export type GuardEffect = Base &
  /** A verb of waygate that belongs to a person. */
  (
    | { kind: 'guard.owner-verb'; verb: string; command: string }
    /** Events handed to the hook by the agent itself. `judge`: the same input for the what-if, around the program's name. */
    | { kind: 'guard.feeds-hook'; command: string; judge?: { before: string; after: string } }
    /** waygate checkpoint: what it names is saved. */
    | { kind: 'guard.checkpoint'; paths: readonly Target[] | undefined; command: string }
    /** Any other verb of waygate: read-only or the agent's own. */
    | {
        kind: 'guard.verb';
        verb: string;
        /** The words behind the verb, '' for one that is not known. */
        argv?: readonly string[];
        /** Where its output goes; absent: to the agent. */
        output?: OutputFlow;
        around?: Around;
        command: string;
      }
    /** The guard is kept from judging: its process killed, its name shadowed, its switch set. */
    | {
        kind: 'guard.disable';
        how: string;
        /** The guard still runs; nobody is asked any more. */
        mild?: true;
        /** The same without the switch. */
        instead?: string;
        command: string;
      }
  );

export type UnknownEffect = Base &
  /** A command or a part of a line that cannot be read, and why. `destructive`: what is visible of it has the shape of a loss. */
  (
    | { kind: 'unknown'; why: string; destructive: boolean; detail: string; command: string }
    /** A tool nobody has a reader for. `shape`: what its input looks like. `equivalent`: the judged tool that does the same. */
    | {
        kind: 'unknown.tool';
        tool: string;
        shape: 'execute' | 'write' | 'delete' | 'send' | 'none';
        equivalent?: { tool: string; input: Readonly<Record<string, unknown>> };
        command: string;
      }
  );
