/** What the run log holds of one run. Stored in `<common git dir>/waygate/`, shared by the worktrees; outside a repository in the state folder. */

export type RunStatus =
  | 'running'
  | 'passed'
  | 'failed'
  /** Ended by a signal or by its time bound. */
  | 'killed'
  /** It started, has no end on record, and its process is gone. */
  | 'unfinished';

/** The tree a run saw, as git names trees; both are made without touching the repository. */
export interface TreeDigest {
  /** Commit, undefined on an unborn branch or outside a repository. */
  head: string | undefined;
  /** Tree of the tracked files as they stand in the work tree. */
  tracked: string;
  /** The same with untracked files that are not ignored; '' when they are too many or too large to be read: equals nothing. */
  all: string;
}

export interface RunRecord {
  schema: 1;
  /** Short, sortable: what `waygate output REF` takes. */
  id: string;
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** ISO 8601. */
  startedAt: string;
  endedAt?: string;
  status: RunStatus;
  /** Exit status of the process; absent when a signal ended it. */
  exit?: number;
  signal?: string;
  /** Why it was ended from here: its time bound. */
  cause?: string;
  /** The process that writes the record, not the one that was run: without it nobody writes the end. */
  pid: number;
  /** When that process started, where the system tells: a number that has been given to another process is not it. */
  started?: string;
  /** Who ran it, as far as the surroundings tell. */
  caller?: 'agent' | 'person';
  before: TreeDigest | undefined;
  /** undefined while it runs. */
  after?: TreeDigest | undefined;
  /** Digest over what may change a result besides the tree: versions, lock files, platform. */
  environment: string;
  /** Absolute path of the whole log. */
  log: string;
  /** Session that asked for it, where an agent did. */
  session?: string;
  /** A run of the declared gate. */
  gate?: {
    command: string;
    /** `sha256:` over what the command expands to, and the text. */
    recipe: string;
    expansion: readonly string[];
    /** `run`: waygate ran it. `person`, `ci`: imported. */
    by: 'run' | 'person' | 'ci';
    /** Of an import: where it can be looked up. */
    source?: string;
    /** Why it was run again on proven content. */
    again?: string;
  };
  /** Over the other fields, by this machine's key. A gate record without a valid one covers nothing. */
  signature?: string;
}
