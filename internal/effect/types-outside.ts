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
        command: string;
      }
    | { kind: 'process.wait'; seconds: number; command: string }
  );

export type SystemEffect = Base &
  (
    | { kind: 'system.privilege'; how: string; command: string; detail?: string }
    | { kind: 'system.persistence'; how: string; what: string; command: string; target?: Target }
    | { kind: 'system.state'; how: 'power' | 'boot' | 'users' | 'firewall' | 'service' | 'mount' | 'kernel' | 'time' | 'network' | 'swap' | 'other'; detail: string; command: string; preview?: string }
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
  /** The data is known to be local and throwaway (sqlite in memory, a test container). */
  throwaway?: boolean;
  command: string;
};

export type InfraEffect = Base &
  (
    | { kind: 'infra.destroy'; tool: string; what: string; preview?: string; command: string }
    | { kind: 'infra.change'; tool: string; what: string; preview?: string; command: string }
    | { kind: 'container.purge'; what: string; volumes: boolean; preview?: string; command: string }
  );

export type PackageEffect = Base &
  (
    | { kind: 'package.install'; manager: string; names: readonly string[]; /** fetched and run at once: npx, uvx, pipx run */ exec: boolean; global: boolean; frozen: boolean; command: string }
    | { kind: 'package.publish'; registry: string; op: 'publish' | 'unpublish' | 'deprecate' | 'yank' | 'release' | 'tag' | 'owner'; preview?: string; dryRun: boolean; command: string }
    /** npm ci and the like empty a directory first. */
    | { kind: 'package.wipe'; dir: Target; command: string }
  );

export type NetworkEffect = Base &
  (
    | { kind: 'net.fetch'; url: string; to?: Target; /** piped or substituted into a program */ into?: string; command: string }
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
        command: string;
      }
    | { kind: 'exec.remote'; url: string; how: string; /** how to do it in two steps: download, read */ instead?: string; command: string }
    | { kind: 'exec.decoded'; how: string; instead?: string; command: string }
  );

export type SecretEffect = Base &
  (
    | { kind: 'secret.read'; /** a class of secret, never its value */ what: string; path?: Target; variable?: string; how: string; command: string }
    | { kind: 'secret.dump'; what: string; how: string; instead?: string; command: string }
    | { kind: 'secret.write'; /** text with a credential in it goes into a file or a command */ what: string; field: string; path?: Target; command: string }
  );
