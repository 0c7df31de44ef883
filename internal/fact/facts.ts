/**
 * What is true of this workspace now. Three providers give the same interface: the real one (git and files, lazy,
 * memoized for one judgement), and the two assumed ones of `--assume`. Rules name the facts they need.
 *
 * Nothing here throws: what cannot be read comes back as `unread` with the reason, and the rule decides what that means
 * (recoverable rules keep quiet, irreversible ones refuse).
 */
import type { Effect, Target } from '../effect/effect.ts';
import type { GitPlace } from '../effect/types-git.ts';
import type { Coverage } from '../gate/coverage.ts';
import type { PolicyChange } from '../policy/change.ts';
import type { Profile } from '../profile/profile.ts';
import type { RunRecord } from '../runlog/record.ts';

/** One piece of content that would exist nowhere else afterwards. */
export interface AtStake {
  kind: 'modified' | 'staged' | 'untracked' | 'ignored' | 'outside' | 'commit' | 'stash' | 'nested-repository' | 'unknown';
  /** What to call it in a text: a path relative to the caller's directory, `3 commits on feat/login (a1b2c3d …)`, `stash@{0}: idea`. */
  name: string;
  /** Absolute path, for files. */
  path?: string;
  /** Lines or files it stands for, where that is known. */
  count?: number;
  /** A checkpoint can hold it. False outside repositories' reach: directories too large, devices, other machines. */
  savable: boolean;
}

/** The answer to "what would be lost". */
export interface Stake {
  /** At most 50; `more` counts the rest. Empty: nothing is at stake. */
  items: readonly AtStake[];
  more: number;
  /** Content that would be lost but stands in a checkpoint, with the checkpoint's id. */
  held: readonly { name: string; checkpoint: string }[];
  /** Why it could not be told. Items may still be there. */
  unread?: string;
}

/** The questions about loss. `at` is the effect that asks: earlier effects of the same line are taken into account. */
export type LossQuestion =
  /** These paths are deleted, overwritten or moved over, in any repository or none. tree: with all that is below. */
  /** writes: the content behind a link is overwritten (`>`, `cp` onto it), not the link itself. */
  | { about: 'paths'; targets: readonly Target[]; tree: boolean; cwd: string | undefined; writes?: boolean }
  /** Tracked content of a work tree goes back to another version. */
  | {
      about: 'worktree';
      repo: GitPlace;
      paths: readonly Target[] | undefined;
      loses: 'worktree' | 'index' | 'both';
      from: string;
      overUntracked: boolean;
      switching?: boolean;
      /** The line has put the index back to HEAD before. */
      unstaged?: boolean;
    }
  /** git clean. */
  | {
      about: 'clean';
      repo: GitPlace;
      paths: readonly Target[];
      directories: boolean;
      ignored: 'no' | 'also' | 'only';
      nested: boolean;
      excludes: readonly string[];
    }
  | { about: 'stash'; repo: GitPlace; entry: number | 'all' }
  /** Commits reachable from these branches and from no other ref, remote branch or worktree HEAD. */
  | { about: 'branches'; repo: GitPlace; names: readonly string[] }
  /** Commits that leave the current branch when it moves to `to`, and are on no other ref. `branch`: that one instead of the current. */
  | { about: 'move'; repo: GitPlace; branch?: string; to: string }
  /** A linked worktree or a whole repository directory is removed. */
  | { about: 'worktree-dir'; path: Target; cwd: string | undefined }
  /** Commits that only the reflog knows, stash entries included where `stash`. */
  | { about: 'unreachable'; repo: GitPlace; stash: boolean };

/** A repository as a command meets it. */
export interface Repo {
  /** Top of the work tree, absolute; undefined in a bare one. */
  top: string | undefined;
  gitDir: string;
  commonDir: string;
  bare: boolean;
  /** Current branch, short; undefined when detached. */
  branch: string | undefined;
  /** HEAD's commit; undefined on an unborn branch. */
  head: string | undefined;
  worktrees: number;
  /** merge, rebase, cherry-pick, revert, bisect in progress. */
  operation: 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'am' | 'bisect' | undefined;
  /** Names of the files in conflict, relative to top; read only when an operation is in progress. */
  conflicts: readonly string[];
  remotes: readonly string[];
  /** Hooks that really run: names of executable files in the hooks directory in force. */
  hooks: readonly string[];
}

/** What a push would do to one ref of the remote, as far as it can be told without the network. */
export interface PushFact {
  /** Short branch or tag name on the remote. */
  name: string;
  tag: boolean;
  /** The commits the remote has (by its remote-tracking branch) and the pushed ref has not. */
  drops: readonly { id: string; subject: string; own: boolean }[];
  dropsMore: number;
  /** No common ancestor. */
  unrelated: boolean;
  /** The remote's state is not known here: no remote-tracking branch, or a URL that is no remote. */
  unknown: boolean;
  /** The ref is created by the push. Only known with a remote-tracking view. */
  creates: boolean;
  delete: boolean;
  /** Protected by policy (`declared`) or by default (remote HEAD, main, master, release/*). */
  protected: 'declared' | 'default' | undefined;
  force: 'none' | 'lease' | 'blind';
  /** The lease is worthless: the same line fetched or repointed the tracking branch just before. */
  leaseSpent: boolean;
  /** The pushed branch and the remote branch have different names. */
  renamed: boolean;
  /** An open review is known for the branch: from configuration left by gh, glab or an editor, or seen earlier in the session. */
  review: string | undefined;
  /** Short name of the pushed local branch, where it is one. */
  local: string | undefined;
  /** Full name of the object that is pushed; undefined for a deletion, and where it does not resolve. */
  oid: string | undefined;
  /** The remote has the commit already, as far as is known here: nothing new leaves. */
  nothingNew: boolean;
  /** Commits of others on the remote branch since it left the default branch. */
  shared: boolean;
}

/** Where a path lies. The first that fits counts. */
export type Place =
  | 'root' // the file system's root itself
  | 'system' // /etc, /usr, /bin, … and below
  | 'home' // a home directory itself
  | 'device'
  | 'guard' // waygate's own executable, state, snapshot
  | 'git' // inside a git directory
  | 'regenerable' // node_modules, build and cache folders, declared ones
  | 'temp' // the temporary directories and below, when not a repository
  | 'workspace' // in the repository of the session
  | 'repository' // in another repository
  | 'outside'; // anywhere else

export interface FileFact {
  kind: 'file' | 'dir' | 'link' | 'other' | 'absent';
  size: number;
  /** When it was last written, in milliseconds since the epoch. */
  changed?: number;
  /** Where a link leads, resolved and absolute. */
  target?: string;
  /** Lines of a text file up to 4 MB. */
  lines?: number;
  /** git holds exactly these bytes in HEAD, the index or any commit of a ref. */
  committed?: boolean;
  tracked?: boolean;
}

/** The class of a credential file, by name and, where it is read, by content. */
export interface SecretFact {
  what: string;
  /** Its content really has a value that looks like a credential; undefined when not read. */
  holds: boolean | undefined;
}

/** Who a kill by name, pattern or user would hit. */
export interface SweepFact {
  /** Programs of the agent's own session: the host, its shells, the guard's ancestors. */
  session: readonly string[];
  /** Programs that are neither the session's nor started by it here. */
  others: readonly string[];
  /** How many it started itself, or run in this workspace without a terminal. */
  own: number;
}

/** A file that is not as HEAD has it. Absolute path. */
export interface DirtyFile {
  path: string;
  state: 'modified' | 'staged' | 'deleted' | 'conflict' | 'untracked';
  /** HEAD has no such file. */
  added?: true;
}

/** What a path is to the workspace's generators. */
export interface GeneratedFact {
  /** output: a command makes it. source: declared outputs are made from it. installed: a copy that an installer makes. */
  is: 'output' | 'source' | 'installed';
  /** declaration: waygate.yaml, a target's outputs, an install manifest. attribute: linguist-generated. header: its own first lines. */
  by: 'declaration' | 'attribute' | 'header';
  /** The command that makes it again, to be pasted. */
  command?: string;
  /** Where that command is run, absolute. */
  dir?: string;
  /** What it is made from: paths or globs, absolute. For a source: what is made from it. */
  others: readonly string[];
  /** A declaration names this very file, not a pattern that it meets. */
  exact?: true;
  /** git ignores it: nobody commits it. */
  ignored?: true;
}

/** The checkout a directory lies in, compared with the one of the session. */
export interface CheckoutFact {
  /** same: the session's own. sibling: another work tree of the same repository. copy: looks like a copy of it, is none of its work trees. */
  is: 'same' | 'sibling' | 'copy' | 'other';
  top: string | undefined;
  /** Top of the session's own checkout: where the same is to be done instead. */
  own: string;
}

/** What the commits of a push bring that should not leave. Values are never in it. */
export interface PushedContent {
  credentials: readonly { what: string; path: string; line: number; commit: string }[];
  large: readonly { path: string; bytes: number; commit: string }[];
  /** The commit before the first that brings any of it; undefined when there is none. */
  base?: string;
  /** Commits looked at, and why not all were. */
  commits: number;
  unread?: string;
}

/** What a walk through a folder would meet. */
export interface HiddenBelow {
  /** Absolute paths that hold everything else; none when they are too many. */
  visible: readonly string[];
  /** Names of hidden files directly in the folder; for deciding, never for a text. */
  direct: readonly string[];
}

/** All facts. A rule gets those it names in `needs`. */
export interface Facts {
  /** How often in a row this agent has looked at the same thing and done nothing else, this look included; 1 outside a session. */
  looked(effect: Extract<Effect, { kind: 'line.look' }>): number;
  /** What would be lost. */
  lost(question: LossQuestion): Stake;
  repo(place: GitPlace): Repo | undefined;
  /** The files that differ from HEAD, all of them or below these paths, whether anything would be lost or not. At most 500; `more` counts the rest. */
  dirty(place: GitPlace, paths?: readonly Target[]): { files: readonly DirtyFile[]; more: number };
  place(path: string): Place;
  file(path: string): FileFact;
  /** Text of a file, up to 1 MB; undefined when absent, larger or binary. */
  text(path: string): string | undefined;
  /** Text of a file as a revision or the index (`index`) has it; undefined where that has none. */
  textAt(place: GitPlace, revision: string, path: string): string | undefined;
  /** A credential file or directory? */
  secret(path: string): SecretFact | undefined;
  /**
   * A token with a published form in a file of any name, as `git add` would take it along; never its value. Test data and
   * documentation are not looked at: their credentials are made up.
   */
  credential(path: string): { what: string; line: number } | undefined;
  /** An environment variable that holds a credential? */
  secretVariable(name: string): boolean;
  push(effect: Extract<Effect, { kind: 'git.push' }>): readonly PushFact[];
  /** Is a branch name protected, and by whom. */
  protectedBranch(repo: GitPlace, name: string): 'declared' | 'default' | undefined;
  /** The glob of `protected.paths` that a path meets; with `tree` also one below it. undefined: it is not protected. */
  protectedPath(path: string, tree: boolean): string | undefined;
  /** Is a path one that the policy hides from agents (`protected.hidden`)? Never named in a text. */
  hidden(path: string, tree: boolean): boolean;
  /** A walk through this folder would come past something hidden; undefined: it would not. */
  hiddenBelow(path: string): HiddenBelow | undefined;
  /** Is the host of a URL on the list of `network.allow`? undefined: there is no list, or it is this machine. */
  reachable(url: string): boolean | undefined;
  /** Which of these packages this workspace has never used (manifest, lock file, installed). */
  unknownPackages(manager: string, names: readonly string[], cwd: string | undefined): readonly string[];
  /** Processes from this one up to the root: ids and names; the agent's own session is among them. */
  ancestors(): readonly { pid: number; name: string }[];
  /** Processes started by this session that a pattern or name would hit; undefined when that cannot be told. */
  ownProcesses(): readonly { pid: number; name: string }[] | undefined;
  /** Who a kill by name, pattern or user would hit now; undefined when processes cannot be listed. `internal/fact/processes.ts` answers. */
  sweep(effect: Extract<Effect, { kind: 'process.kill' }>): SweepFact | undefined;
  /** Files that decide whether the guard runs: what a path means for it. */
  wiring(path: string): 'settings' | 'hook-script' | 'git-hook' | 'policy' | 'state' | 'binary' | 'launcher' | undefined;
  /** What a policy file with this text instead would change; undefined text: no file any more. `internal/policy/change.ts` answers. */
  policyChange(path: string, text: string | undefined): PolicyChange;
  /** What the workspace around a directory runs; undefined: nothing is known of it. */
  profile(dir: string | undefined): Profile | undefined;
  /** The gate declared for the repository, with the top it runs from; undefined: none. */
  gate(place: GitPlace): { command: string; top: string } | undefined;
  /**
   * Does a green gate cover this revision, or the work tree as it stands where none is given?
   * undefined: no gate is declared for the repository, or not for the branch.
   */
  coverage(place: GitPlace, revision: string | undefined, branch?: string): Coverage | undefined;
  /** Runs of the run log around a directory, newest first, at most 200. */
  runs(dir: string | undefined): readonly RunRecord[];
  /** Those that ended in the last so many minutes and saw the files as they still stand; at most 20. */
  lately(dir: string | undefined, minutes: number): readonly RunRecord[];
  /** What a path is to the workspace's generators. */
  generated(path: string): GeneratedFact | undefined;
  /** The checkout a directory lies in; undefined: none, or not known. */
  checkout(dir: string | undefined): CheckoutFact | undefined;
  /** What a push would bring that should not leave: credentials and large files in the commits the remote has not. */
  pushed(effect: Extract<Effect, { kind: 'git.push' }>, maxBytes: number): PushedContent;
  /** A variable of the environment; never used in a text. */
  env(name: string): string | undefined;
  /** A path as a text should show it: relative to the caller's directory when it is below, `~/…` below home, escaped. */
  show(path: string): string;
  /**
   * The facts as they will be after these earlier effects of the same action. `asking`: the effect that asks; what its
   * `given` holds has certainly happened, the rest only counts where it can do harm. `line`: all effects, since a copy that the line takes
   * away again later saves nothing.
   */
  after(earlier: readonly Effect[], asking?: Effect, line?: readonly Effect[]): Facts;
  /** Counts for the record. */
  readonly cost: {
    git: number;
    /** Content that the asked losses would take and only a checkpoint holds. */
    held: readonly { name: string; checkpoint: string }[];
  };
}
export type FactName = Exclude<keyof Facts, 'after' | 'cost'>;
