/**
 * The one git runner. Asking must not change anything and must run no program of the repository's choice:
 * no optional locks, no hooks, no file system monitor, no filters, no pager, no network, nothing inherited from GIT_*.
 * It starts git itself instead of a library, since every millisecond of the hook counts (docs/adr).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from './grounds.ts';

/** The time a judgement has left, and the git processes it has started. Shared by everything that asks. */
export interface Budget {
  /** Milliseconds on the clock of `performance.now()`. */
  endsAt: number;
  git: number;
}

/** All git questions of one judgement together, in milliseconds: below the hook's own deadline of 2 s (design.md section 10). */
const BUDGET_MS = 1500;

export const newBudget = (ms: number = BUDGET_MS): Budget => ({ endsAt: performance.now() + ms, git: 0 });
export const timeLeft = (budget: Budget): number => budget.endsAt - performance.now();

/** Which repository is asked. `gitDir` and `workTree` go together; else git finds it from `dir`. */
export interface Asked {
  dir: string;
  gitDir?: string;
  workTree?: string;
}

/** What git answered. `ok`: it ran in time and ended with 0, or with a status the caller accepts. */
export interface Answer {
  ok: boolean;
  out: string;
  bytes: Buffer;
  /** Why there is no answer. */
  unread?: string;
}

/** Answers larger than this are not read. */
const MAX_BYTES = 64 * 1024 * 1024;

// biome-ignore format: a list
const QUIET = [
  '--no-optional-locks', '--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.quotePath=false',
  '-c', 'core.untrackedCache=false', '-c', 'safe.directory=*', '-c', 'log.showSignature=false', '-c', 'submodule.recurse=false', '-c',
  'status.renames=false', '-c', 'diff.renames=false', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false', '-c', 'protocol.allow=never',
  '-c', 'color.ui=false', '-c', 'column.ui=never', '-c', 'advice.statusHints=false',
];

/** Variables of the caller that say where configuration lies; everything else that starts with GIT_ is dropped. */
const KEPT = new Set(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_EXEC_PATH']);

/** The environment git is asked in. */
export function gitEnv(env: Env, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const scrubbed: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (!name.startsWith('GIT_') || KEPT.has(name))) scrubbed[name] = value;
  }
  return {
    ...scrubbed,
    LC_ALL: 'C',
    LANGUAGE: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone would fetch what is missing: nothing is allowed to leave.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ASKPASS: '',
    ...more,
  };
}

/** Asks git. Never throws; a missing or broken git, a time-out and a failure are `ok: false` with the reason. */
export function git(
  asked: Asked,
  args: readonly string[],
  budget: Budget,
  options: {
    input?: string | Buffer;
    env?: Env;
    vars?: Readonly<Record<string, string>>;
    filters?: readonly string[];
    accept?: readonly number[];
  } = {},
): Answer {
  const empty = Buffer.alloc(0);
  const left = Math.floor(timeLeft(budget));
  if (left <= 0) return { ok: false, out: '', bytes: empty, unread: 'no time left to ask git' };
  budget.git++;
  const place = asked.gitDir ? [`--git-dir=${asked.gitDir}`, ...(asked.workTree ? [`--work-tree=${asked.workTree}`] : [])] : [];
  const off = (options.filters ?? []).flatMap((name) => [
    '-c',
    `filter.${name}.clean=`,
    '-c',
    `filter.${name}.smudge=`,
    '-c',
    `filter.${name}.process=`,
    '-c',
    `filter.${name}.required=false`,
  ]);
  const result = spawnSync('git', [...QUIET, ...off, ...place, ...args], {
    cwd: asked.dir,
    env: gitEnv(options.env ?? process.env, options.vars),
    timeout: left,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(options.input === undefined ? {} : { input: options.input }),
    windowsHide: true,
  });
  const bytes = result.stdout ?? empty;
  const out = bytes.toString('utf8');
  if (result.error) return { ok: false, out, bytes, unread: reasonOf(result.error as NodeJS.ErrnoException) };
  const ok = result.status === 0 || (options.accept ?? []).includes(result.status ?? -1);
  return ok
    ? { ok, out, bytes }
    : { ok, out, bytes, unread: firstLine(result.stderr?.toString('utf8') ?? '') || `git ended with ${result.status ?? result.signal}` };
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ETIMEDOUT') return 'git did not answer in time';
  if (error.code === 'ENOENT') return 'git or the directory is not there';
  if (error.code === 'ENOBUFS') return "git's answer is too large";
  return `git could not be started (${error.code ?? 'unknown'})`;
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 200) ?? '';

/**
 * Names of the filters configured for a repository, so that they can be switched off. Reads the files as text;
 * undefined when an include makes that uncertain and git has to be asked.
 */
export function filterNames(commonDir: string, gitDir: string, env: Env, home: string): readonly string[] | undefined {
  const files = [
    join(commonDir, 'config'),
    join(gitDir, 'config.worktree'),
    ...(env['GIT_CONFIG_GLOBAL'] !== undefined
      ? [env['GIT_CONFIG_GLOBAL']]
      : [join(home, '.gitconfig'), join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git', 'config')]),
    ...(env['GIT_CONFIG_NOSYSTEM'] && env['GIT_CONFIG_NOSYSTEM'] !== '0' ? [] : [env['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig']),
  ];
  const names = new Set<string>();
  for (const file of files) {
    const text = textOrNothing(file);
    if (/^\s*\[\s*include/im.test(text)) return undefined;
    for (const match of text.matchAll(/\[\s*filter\s+"((?:[^"\\]|\\.)*)"\s*\]/gi)) names.add((match[1] ?? '').replace(/\\(.)/g, '$1'));
    for (const match of text.matchAll(/\[\s*filter\.([^\]\s]+)\s*\]/gi)) names.add((match[1] ?? '').toLowerCase());
  }
  return [...names];
}

function textOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
