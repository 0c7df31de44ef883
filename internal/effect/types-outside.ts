/** Effects outside the work tree: processes, the system, data stores, infrastructure, packages, the network, secrets. */
import type { Base, Target } from './effect.ts';

export type ProcessEffect = Base &
  (
    | {
        kind: 'process.kill';
        by: 'pid' | 'name' | 'pattern' | 'all' | 'user' | 'port' | 'parent' | 'job' | 'unknown';
        /** pids, names or patterns as written. */
        what: readonly string[];
        signal?: string;
        /** Only asks whether it is there: kill -0. */
        probe?: boolean;
        /** A pattern looks at whole command lines (`pkill -f`), not at program names only. */
        wholeLine?: boolean;
        command: string;
      }
    | { kind: 'process.wait'; seconds: number; command: string }
  );

export type SystemEffect = Base &
  (
    | {
        kind: 'system.privilege';
        how: string;
        command: string;
        detail?: string /** A read-only look at what it is about. */;
        preview?: string;
      }
    | {
        kind: 'system.persistence';
        how: string;
        what: string;
        command: string;
        target?: Target /** A read-only look at what is there now. */;
        preview?: string;
      }
    | {
        kind: 'system.state';
        how: 'power' | 'boot' | 'users' | 'firewall' | 'service' | 'mount' | 'kernel' | 'time' | 'network' | 'swap' | 'other';
        detail: string;
        command: string;
        preview?: string /** It is set right again by the next call: a restart. */;
        mild?: boolean /** What it is done to, where that is a path. */;
        target?: Target;
      }
    | { kind: 'system.exhaustion'; how: string; command: string }
  );

export type DataEffect = Base & {
  kind: 'data.destroy';
  /** What is asked to do it: prisma, psql, redis-cli, artisan, … */
  engine: string;
  /** drop, truncate, reset, flush, delete-all, overwrite. */
  how: string;
  what: string;
  /** A read-only command that shows what it would hit. */
  preview?: string;
  /** The data is known to be local and throwaway (sqlite in memory, a test database). */
  throwaway?: boolean;
  /** The database is this file: what is at stake can be told, and a checkpoint can hold it. */
  file?: Target;
  command: string;
};

export type InfraEffect = Base &
  /** `recoverable`: a controller makes it anew, or a versioned store keeps the old state. `local`: an emulator or throwaway cluster of this machine. */
  (
    | { kind: 'infra.destroy'; tool: string; what: string; preview?: string; recoverable?: boolean; local?: boolean; command: string }
    | { kind: 'infra.change'; tool: string; what: string; preview?: string; command: string }
    /** A release, a deployment or a migration elsewhere, as it is meant. Not refused; how it ended matters. `status`: a read-only call that tells. */
    | { kind: 'external.call'; tool: string; what: string; status?: string; command: string }
    /** `volumes`: data outside containers is lost too. `throwaway`: a test project, or one that declares no volume. */
    | {
        kind: 'container.purge';
        tool: string;
        what: string;
        volumes: boolean /** everything of this machine, other projects too */;
        sweep?: boolean;
        /** Only stopped: what they wrote stays. */
        stops?: boolean;
        /** The volume stays, what is in it goes. */
        inside?: boolean;
        preview?: string;
        throwaway?: boolean;
        command: string;
      }
  );

export type PackageEffect = Base &
  (
    | {
        kind: 'package.install';
        manager: string;
        names: readonly string[] /** fetched and run at once: npx, uvx, pipx run */;
        exec: boolean;
        global: boolean;
        frozen: boolean;
        command: string /** Names that are no registry names: a URL, a git repository. */;
        urls?: readonly string[] /** A read-only look at the first name. */;
        preview?: string;
      }
    | {
        kind: 'package.publish';
        registry: string;
        op: 'publish' | 'unpublish' | 'deprecate' | 'yank' | 'release' | 'tag' | 'owner';
        preview?: string;
        dryRun: boolean /** What is published, where the line says it. */;
        what?: string;
        command: string;
      }
    /**
     * What the workspace depends on is applied or resolved anew, in `cwd`. `names`: the packages an update is about.
     * adds: they need not be there yet. frozen: the lock file is applied as it is.
     */
    | { kind: 'package.resolve'; op: 'install' | 'update'; names: readonly string[]; adds: boolean; frozen: boolean; command: string }
    /** npm ci and the like empty a directory first. */
    | { kind: 'package.wipe'; dir: Target; command: string }
  );

export type NetworkEffect = Base &
  (
    | { kind: 'net.fetch'; url: string; to?: Target /** piped or substituted into a program */; into?: string; command: string }
    | {
        kind: 'net.send';
        to: string;
        /** Paths whose content is sent. */
        files: readonly Target[];
        /** Environment variables whose value is sent. */
        variables: readonly string[];
        /** A secret literal stands in it. */
        literalSecret?: string;
        /** Output of another command is sent. */
        piped?: boolean;
        /** The steps whose output is sent: their own effects say what they read. */
        from?: readonly number[];
        /** Whole directories may be among the files. */
        trees?: boolean;
        /** How it leaves. `dns`: as a part of the name that is asked for. */
        channel?: 'http' | 'copy' | 'socket' | 'dns' | 'mail';
        /** A command whose output is put into the name that is looked up: `whoami`. */
        output?: string;
        command: string;
      }
    | { kind: 'exec.remote'; url: string; how: string /** how to do it in two steps: download, read */; instead?: string; command: string }
    | { kind: 'exec.decoded'; how: string; instead?: string; command: string }
  );

export type SecretEffect = Base &
  /**
   * A credential is read: a variable, a keychain entry, a file of a commit. `what`: its class, never its value.
   * `shown`: it reaches the agent; else it only goes on to another program. `mild`: printing it is what the command is for.
   */
  (
    | {
        kind: 'secret.read';
        what: string;
        path?: Target;
        variable?: string;
        shown: boolean;
        mild?: boolean;
        how: string;
        instead?: string;
        command: string;
      }
    /** Many values at once, credentials probably among them. `instead`: the names only. */
    | { kind: 'secret.dump'; what: string; shown: boolean; how: string; instead?: string; command: string }
    /** Text with a credential in it goes into a file or a command. */
    | { kind: 'secret.write'; what: string; field: string; path?: Target; command: string }
  );
