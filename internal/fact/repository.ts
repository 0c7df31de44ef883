/** A repository as one judgement sees it: everything lazy and asked once. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Found } from './discover.ts';
import type { Repo } from './facts.ts';
import { type Answer, type Budget, filterNames, git } from './git.ts';
import { type Config, lastOf, parseConfig } from './git-config.ts';
import { type Env, homeOf } from './grounds.ts';
import { type IndexScan, scanIndex } from './index-scan.ts';
import { parseStatus, type StatusEntry } from './status.ts';

export interface AskOptions {
  input?: string | Buffer;
  accept?: readonly number[];
  /** Variables for this question, such as an index and objects of its own. */
  vars?: Readonly<Record<string, string>>;
  filters?: 'off' | 'run';
}

export interface Repository {
  readonly found: Found;
  readonly algorithm: 'sha1' | 'sha256';
  /** Directory questions are asked in. */
  readonly dir: string;
  /** `filters: 'run'`: the configured filters are not switched off; for what a person or a run asks for, never for a judgement. */
  ask(args: readonly string[], options?: AskOptions): Answer;
  config(): Config;
  /** Names of the configured filters. */
  filters(): readonly string[];
  /** Current branch (short) and commit, read from the files where that is possible. */
  head(): { branch: string | undefined; oid: string | undefined };
  /** The commit a full ref name stands for; undefined when there is none. */
  ref(name: string): string | undefined;
  status(pathspecs: readonly string[] | undefined, ignored: boolean): { entries: readonly StatusEntry[]; unread?: string };
  index(): IndexScan | undefined;
  /** The facts a rule sees. */
  repo(): Repo;
}

/** Opens a repository. Nothing is asked yet. */
export function openRepository(found: Found, env: Env, budget: Budget): Repository {
  const dir = found.top ?? found.gitDir;
  const algorithm = /objectformat\s*=\s*sha256/i.test(textAt(join(found.commonDir, 'config')) ?? '') ? 'sha256' : 'sha1';
  const memo = new Map<string, unknown>();
  const once = <T>(key: string, make: () => T): T => {
    if (!memo.has(key)) memo.set(key, make());
    return memo.get(key) as T;
  };
  const asked = { dir, gitDir: found.gitDir, ...(found.top ? { workTree: found.top } : {}) };
  const filters = () =>
    once(
      'filters',
      () =>
        filterNames(found.commonDir, found.gitDir, env, homeOf(env)) ??
        [...repository.config().keys()].flatMap((key) => (key.startsWith('filter.') ? [key.slice(7, key.lastIndexOf('.'))] : [])),
    );

  const repository: Repository = {
    found,
    algorithm,
    dir,
    ask: (args, options) =>
      git(asked, args, budget, {
        env,
        ...options,
        filters: args[0] === 'config' || options?.filters === 'run' ? [] : [...new Set(filters())],
      }),
    filters: () => filters(),
    config: () => once('config', () => parseConfig(git(asked, ['config', '--list', '-z', '--includes'], budget, { env }).out)),
    head: () => once('head', () => headOf(repository)),
    ref: (name) => once(`ref:${name}`, () => refOf(repository, name)),
    index: () => once('index', () => scanIndex(join(found.gitDir, 'index'), algorithm === 'sha1' ? 20 : 32)),
    status: (pathspecs, ignored) =>
      once(`status:${ignored}:${pathspecs?.join('\0') ?? ''}`, () => {
        if (found.top === undefined) return { entries: [] };
        const answer = repository.ask([
          'status',
          '--porcelain=v2',
          '-z',
          '--no-renames',
          '--untracked-files=all',
          `--ignored=${ignored ? 'matching' : 'no'}`,
          '--ignore-submodules=all',
          '--no-ahead-behind',
          '--',
          ...(pathspecs ?? []),
        ]);
        return answer.ok ? { entries: parseStatus(answer.out) } : { entries: [], unread: answer.unread };
      }),
    repo: () => once('repo', () => repoFact(repository)),
  };
  return repository;
}

/** HEAD from the files; a reftable repository is asked. */
function headOf(repository: Repository): { branch: string | undefined; oid: string | undefined } {
  const text = textAt(join(repository.found.gitDir, 'HEAD'))?.trim() ?? '';
  const link = text.startsWith('ref:') ? text.slice(4).trim() : undefined;
  if (link === 'refs/heads/.invalid') {
    const branch = repository.ask(['symbolic-ref', '-q', '--short', 'HEAD'], { accept: [1] }).out.trim() || undefined;
    const oid = repository.ask(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { accept: [1] }).out.trim() || undefined;
    return { branch, oid };
  }
  if (link === undefined) return { branch: undefined, oid: /^[0-9a-f]{40,64}$/.test(text) ? text : undefined };
  return { branch: link.replace(/^refs\/heads\//, ''), oid: repository.ref(link) };
}

/** A ref from its loose file or packed-refs; a reftable repository is asked. */
function refOf(repository: Repository, name: string): string | undefined {
  const { gitDir, commonDir } = repository.found;
  if (/(^|\/)\.\.?(\/|$)/.test(name)) return undefined;
  if (existsSync(join(commonDir, 'reftable')))
    return repository.ask(['rev-parse', '-q', '--verify', name], { accept: [1] }).out.trim() || undefined;
  for (const base of [gitDir, commonDir]) {
    const text = textAt(join(base, name))?.trim();
    if (text && /^[0-9a-f]{40,64}$/.test(text)) return text;
    if (text?.startsWith('ref:')) return repository.ref(text.slice(4).trim());
  }
  const packed = `\n${textAt(join(commonDir, 'packed-refs')) ?? ''}`;
  const at = packed.indexOf(` ${name}\n`);
  if (at === -1) return undefined;
  const oid = packed.slice(packed.lastIndexOf('\n', at) + 1, at);
  return /^[0-9a-f]{40,64}$/.test(oid) ? oid : undefined;
}

function repoFact(repository: Repository): Repo {
  const { found } = repository;
  const operation = operationOf(found.gitDir);
  return {
    top: found.top,
    gitDir: found.gitDir,
    commonDir: found.commonDir,
    bare: found.bare,
    get branch() {
      return repository.head().branch;
    },
    get head() {
      return repository.head().oid;
    },
    worktrees: worktreesOf(found),
    operation,
    get conflicts() {
      return operation ? conflictsOf(repository) : [];
    },
    get remotes() {
      return remotesOf(repository.config());
    },
    get hooks() {
      return hooksIn(hooksFolder(repository));
    },
  };
}

function conflictsOf(repository: Repository): readonly string[] {
  const answer = repository.ask(['ls-files', '-u', '-z']);
  return [...new Set(answer.out.split('\0').flatMap((line) => (line.includes('\t') ? [line.slice(line.indexOf('\t') + 1)] : [])))];
}

/** Names of the configured remotes. */
export const remotesOf = (config: Config): readonly string[] =>
  [...config.keys()].flatMap((key) => (key.startsWith('remote.') && key.endsWith('.url') ? [key.slice(7, -4)] : []));

/** The directory whose hooks run: core.hooksPath, else `hooks` of the common directory. */
export function hooksFolder(repository: Repository): string {
  const set = lastOf(repository.config(), 'core.hookspath');
  if (set === undefined || set === '') return join(repository.found.commonDir, 'hooks');
  return set.startsWith('~/') ? join(homeOf(process.env), set.slice(2)) : resolve(repository.found.top ?? repository.found.gitDir, set);
}

function hooksIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.endsWith('.sample') && isExecutable(join(folder, name)));
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    const stat = statSync(path);
    return stat.isFile() && (process.platform === 'win32' || (stat.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}

function operationOf(gitDir: string): Repo['operation'] {
  const has = (name: string) => existsSync(join(gitDir, name));
  if (has('rebase-merge')) return 'rebase';
  if (has('rebase-apply')) return has('rebase-apply/applying') ? 'am' : 'rebase';
  if (has('MERGE_HEAD')) return 'merge';
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick';
  if (has('REVERT_HEAD')) return 'revert';
  if (has('BISECT_LOG')) return 'bisect';
  return undefined;
}

/** Work trees that are still there, the main one included. */
export function worktreesOf(found: Found): number {
  return (found.bare ? 0 : 1) + linkedWorktrees(found.commonDir).length;
}

/** The git directories of the linked worktrees whose directory is still there. */
export function linkedWorktrees(commonDir: string): readonly { gitDir: string; top: string }[] {
  try {
    return readdirSync(join(commonDir, 'worktrees')).flatMap((name) => {
      const gitDir = join(commonDir, 'worktrees', name);
      const file = textAt(join(gitDir, 'gitdir'))?.trim();
      return file && existsSync(file) ? [{ gitDir, top: basename(file) === '.git' ? dirname(file) : file }] : [];
    });
  } catch {
    return [];
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
