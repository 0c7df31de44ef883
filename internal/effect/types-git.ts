/** Effects of git and of the tools that act on its remotes. */
import type { Base, Target } from './effect.ts';

/** One ref of a push. `dst` is the full name on the remote where known; undefined src deletes. */
export interface PushRef {
  src: string | undefined;
  dst: string | undefined;
  force: 'none' | 'lease' | 'blind';
  delete: boolean;
  /** The lease names the expected object: `--force-with-lease=ref:oid`. */
  expects?: string;
  /** A part of it is not known. */
  unknown?: boolean;
  /** At git's pre-push, which tells it: full name of the object that is pushed. */
  oid?: string;
  /** At git's pre-push: full name of the object that the remote has there now; null: no such ref. Absent elsewhere. */
  theirs?: string | null;
}

export type GitEffect = Base & { repo: GitPlace } & (
    | {
        /** Content of the work tree or the index is replaced by another version. */
        kind: 'git.discard';
        how: string;
        /** undefined: the whole tree. Pathspecs as targets else. */
        paths: readonly Target[] | undefined;
        /** What loses content. */
        loses: 'worktree' | 'index' | 'both';
        /** The version that comes in: 'index', a revision, or a side of a merge. */
        from: string;
        /** Also moves the branch to `from` (reset --hard REV, checkout -B). */
        movesBranch?: boolean;
        /** Overwrites untracked files in the way (checkout -f, read-tree -u, reset --hard does). */
        overUntracked?: boolean;
        side?: 'ours' | 'theirs';
        /** The command line again, for a remedy that ends in it. */
        command: string;
      }
    | {
        kind: 'git.clean';
        paths: readonly Target[];
        directories: boolean;
        ignored: 'no' | 'also' | 'only';
        nested: boolean;
        excludes: readonly string[];
        command: string;
      }
    | {
        kind: 'git.stash';
        op: 'push' | 'pop' | 'apply' | 'drop' | 'clear' | 'branch' | 'create' | 'store';
        entry: number | undefined;
        untracked: boolean;
        ignored: boolean;
        paths: readonly string[];
        message?: string;
        keepIndex?: boolean /** pop, apply, drop: the entry was named. push: a message or paths tell it from others. */;
        named: boolean;
        command: string;
      }
    | {
        kind: 'git.branch-delete';
        names: readonly string[];
        force: boolean /** Remote-tracking branches (`-r`), not local ones. */;
        tracking: boolean;
        unknown?: string;
        command: string;
      }
    /** A branch's name is moved to another commit: branch -f, checkout -B, reset (soft/mixed/hard) to a revision, update-ref. */
    | { kind: 'git.branch-move'; name: string | undefined; to: string; how: string; command: string }
    /** HEAD goes to another branch; `create` where it is made here. `track`: the upstream it gets. */
    | { kind: 'git.switch'; to: string | undefined; create: boolean; track?: string; detach?: boolean }
    | { kind: 'git.branch-create'; name: string; start?: string; track?: string; command: string; instead?: string }
    /** `how`: where it is the work tree of a submodule that goes. */
    | { kind: 'git.worktree-remove'; path: Target; force: number; how?: string; command: string }
    | { kind: 'git.worktree-add'; path: Target; branch?: string; track?: string; command: string; instead?: string }
    | {
        kind: 'git.history-rewrite';
        how: 'amend' | 'rebase' | 'filter-branch' | 'filter-repo' | 'replace' | 'reset' | 'fixup' | 'other';
        base?: string;
        scope: 'tip' | 'range' | 'all' /** Also over a backup or a check that is in its way. */;
        force?: boolean /** A read-only call that shows what it would do. */;
        preview?: string;
        command: string;
      }
    /** What makes lost commits unfindable: reflog expire, gc --prune=now, update-ref -d, prune. */
    | {
        kind: 'git.internals';
        how: 'reflog-expire' | 'reflog-delete' | 'gc-prune' | 'update-ref-delete' | 'prune' | 'ref-edit';
        ref?: string;
        command: string;
      }
    | {
        kind: 'git.stage';
        paths: readonly Target[];
        all: boolean;
        force: boolean;
        update: boolean;
        how: 'add' | 'commit -a' | 'waygate stage' | 'other';
        command: string /** `commit -a`: the same commit of what is staged. */;
        rest?: string;
      }
    | { kind: 'git.commit'; amend: boolean; all: boolean; paths: readonly Target[]; message?: string; command: string }
    | {
        kind: 'git.fetch' /** Not `remote`: that is Base's word for another machine. */;
        remoteName: string | undefined;
        refs: readonly string[];
        prune: boolean;
      }
    | { kind: 'git.merge'; how: 'merge' | 'pull' | 'cherry-pick' | 'revert' | 'am' | 'abort'; command: string }
    | {
        kind: 'git.push';
        /** Name or URL of the remote; undefined: the default one. */
        remoteName: string | undefined;
        remoteUnknown?: boolean;
        /** The refs as far as they can be read. Empty with `bare`: what push.default and the upstream say. */
        refs: readonly PushRef[];
        bare: boolean;
        all: boolean;
        mirror: boolean;
        tags: boolean;
        prune: boolean;
        dryRun: boolean;
        /** Force for refs that name none of their own. */
        force: 'none' | 'lease' | 'blind';
        setUpstream: boolean;
        ifIncludes: boolean;
        /** Configuration given to this call alone, in order: normalized key and value. */
        config?: readonly (readonly [key: string, value: string])[];
        /** The same push with a lease in place of blind force; with a lease already, with the check that what was fetched has been seen. */
        lease?: string;
        /** The same push as a dry run. */
        preview?: string;
        command: string;
        /** At git's pre-push: who pushes, as far as it can be told. Absent in a tool call, which is an agent's. */
        pusher?: 'agent' | 'person';
      }
    /** A remote ref or a pull request changed through an API instead of a push. */
    | { kind: 'remote.ref'; op: 'delete' | 'update' | 'create'; ref: string; force: boolean; repository: string; command: string }
    | { kind: 'review.merge'; admin: boolean; number?: string; command: string; instead?: string }
    | { kind: 'review.rewrite'; number?: string; command: string }
    /** Branch protection or required checks changed, a review approved by the agent, … */
    | { kind: 'review.protection'; how: string; command: string }
    /** The hooks of git are switched off for a command or for good. `instead`: the same without it. */
    | { kind: 'git.hook-bypass'; how: string; what: 'commit' | 'push' | 'merge' | 'config' | 'other'; command: string; instead?: string }
    /** An alias or a program given to git inline: `-c alias.x=…`, `-c core.sshCommand=…`, `ext::`. */
    | { kind: 'git.inline-program'; key: string; value: string; command: string; instead?: string }
    | {
        kind: 'git.config';
        key: string;
        value: string | undefined;
        scope: 'local' | 'global' | 'system' | 'worktree' | 'file';
        unset: boolean;
        command: string;
        file?: Target;
      }
    /** Another version control system discards what it holds no copy of: no facts are read about it. */
    | {
        kind: 'vcs.discard';
        tool: string;
        how: string;
        loses: 'changes' | 'untracked files';
        preview: string;
        keep?: string;
        command: string;
      }
    /** A tag holds a commit. */
    | { kind: 'git.kept'; what: 'commit'; revision: string }
    /** A file takes changes as a patch: of the work tree, of the index, of both against HEAD, or a stash entry. */
    | {
        kind: 'git.kept';
        what: 'worktree' | 'index' | 'both' | 'stash';
        entry?: number;
        paths: readonly Target[] | undefined;
        /** Binary files are in it too. */
        binary: boolean;
        to: Target;
      }
    | { kind: 'git.init'; path: Target }
    | { kind: 'git.clone'; path: Target | undefined /** the folder it is cloned from */; from?: Target }
    | { kind: 'git.remote'; op: 'add' | 'remove' | 'set-url' | 'rename' | 'set-head'; name: string; url?: string }
  );

/** Which repository a git command means: -C, --git-dir, GIT_DIR, cwd. */
export interface GitPlace {
  /** Directory git starts in, absolute; undefined when not known. */
  dir: string | undefined;
  gitDir?: string;
  workTree?: string;
  /** The line itself has just made the directory: nothing in it is anybody's work yet. */
  fresh?: boolean;
}
