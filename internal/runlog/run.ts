/**
 * Running a program under the run log: in a group of its own, its output kept whole and handed on as it comes, bounded in time,
 * with a record at its start and at its end. Whatever happens to it is said by the record and the exit status.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { startOf } from './alive.ts';
import { appendRun, prepare } from './append.ts';
import type { RunPlace } from './places.ts';
import { isExecutable, placesOf } from './program.ts';
import type { RunRecord, TreeDigest } from './record.ts';

/** The run log cannot be used: nothing was started. */
export class RunLogError extends Error {}

export interface RunAsk {
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  place: RunPlace;
  /** It is ended after this many milliseconds. */
  timeoutMs?: number | undefined;
  /** The work tree as it stands, asked before and after. */
  digest(): TreeDigest | undefined;
  environment: string;
  caller: NonNullable<RunRecord['caller']>;
  gate?: NonNullable<RunRecord['gate']> | undefined;
  /** Signs a finished record; only a gate's is. */
  sign?(record: RunRecord): string;
  /** Takes output as it comes; a promise holds the stream back. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): Promise<void> | undefined;
  /** Something to say that is not output: a log that cannot be written any more. */
  onProblem(text: string): void;
}

/** The finished record, and the exit status to end with. */
export interface Ran {
  record: RunRecord;
  exit: number;
}

/** Exit statuses as shells and `timeout` give them. */
const TIMED_OUT = 124;
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** Between the polite signal and the last one, in milliseconds. */
const GRACE_MS = 5000;
/** What a program leaves in the background may hold its output open: so long is it waited for, in milliseconds. */
const LINGER_MS = 1500;

const SHELL = '/bin/sh';

const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** Short, sortable by time: 8 characters of milliseconds and 4 of chance. */
export const newRunId = (now: number = Date.now()): string =>
  now.toString(36).padStart(8, '0') + [...randomBytes(4)].map((byte) => (byte % 36).toString(36)).join('');

/** Runs a program and records it. Throws `RunLogError` when it cannot be recorded: then nothing was started. */
export async function runLogged(ask: RunAsk): Promise<Ran> {
  const id = newRunId();
  const started = startOf(process.pid);
  const { log, record } = opened(ask, {
    schema: 1,
    id,
    argv: ask.argv,
    cwd: ask.cwd,
    startedAt: new Date().toISOString(),
    status: 'running',
    pid: process.pid,
    ...(started === undefined ? {} : { started }),
    caller: ask.caller,
    before: ask.digest(),
    environment: ask.environment,
    log: join(ask.place.logs, `${id}.log`),
    ...(ask.gate ? { gate: ask.gate } : {}),
  });
  const ended = await watched(ask, log);
  closeSync(log);
  const { code: exit, ...said } = ended;
  const unsigned: RunRecord = { ...record, ...said, after: ask.digest(), endedAt: new Date().toISOString() };
  const finished = ask.gate && ask.sign ? { ...unsigned, signature: ask.sign(unsigned) } : unsigned;
  try {
    appendRun(ask.place, finished);
  } catch (error) {
    throw new RunLogError(
      `${ask.place.file} cannot be written any more (${codeOf(error)}): the run ended with ${exit} and is not on record`,
    );
  }
  return { record: finished, exit };
}

/** Log and first record are written before anything is started. */
function opened(ask: RunAsk, record: RunRecord): { log: number; record: RunRecord } {
  let at = ask.place.folder;
  try {
    prepare(ask.place);
    at = record.log;
    const log = openSync(record.log, 'wx', 0o600);
    at = ask.place.file;
    appendRun(ask.place, record);
    return { log, record };
  } catch (error) {
    throw new RunLogError(
      `the run log cannot be written: ${at} (${codeOf(error)}). Nothing was run; make it writable for this user and run it again`,
    );
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** What the record says of the end, and the exit status to end with. */
type Ended = Pick<RunRecord, 'status' | 'exit' | 'signal' | 'cause'> & { code: number };

/** The process from its start to its end. */
function watched(ask: RunAsk, log: number): Promise<Ended> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(ask.argv[0]!, ask.argv.slice(1), { cwd: ask.cwd, env: ask.env, detached: true, stdio: ['inherit', 'pipe', 'pipe'] });
    } catch (error) {
      resolve(withoutStart(ask, log, error));
      return;
    }
    let cause: string | undefined;
    let interrupts = 0;
    let grace: NodeJS.Timeout | undefined;
    const group = (signal: NodeJS.Signals): void => toGroup(child, signal);
    const bound =
      ask.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            cause = `its time bound of ${durationText(ask.timeoutMs!)}`;
            group('SIGTERM');
            grace = setTimeout(() => group('SIGKILL'), GRACE_MS);
          }, ask.timeoutMs);
    const forward = (signal: NodeJS.Signals): void => {
      interrupts++;
      cause ??= `${signal} from outside`;
      group(interrupts > 2 ? 'SIGKILL' : signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    keep(child, log, ask);

    let over = false;
    const finish = (ended: Ended | Promise<Ended>): void => {
      if (over) return;
      over = true;
      if (bound) clearTimeout(bound);
      if (grace) clearTimeout(grace);
      for (const signal of FORWARDED) process.removeListener(signal, forward);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(ended);
    };
    child.once('error', (error) => finish(withoutStart(ask, log, error)));
    child.once('exit', (code, signal) => {
      const ended = endOf(code, signal, cause);
      // Of a run that was ended nothing stays behind.
      if (cause !== undefined) group('SIGKILL');
      const late = setTimeout(() => finish(ended), LINGER_MS);
      child.once('close', () => {
        clearTimeout(late);
        finish(ended);
      });
    });
  });
}

/** The whole group; the process alone where there are no groups. */
function toGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
  } catch {
    // It has ended.
  }
}

/** Into the log at once, then on: what was shown is in the log, whatever happens next. */
function keep(child: ChildProcess, log: number, ask: RunAsk): void {
  let broken = false;
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name];
    stream?.on('data', (chunk: Buffer) => {
      try {
        if (!broken) writeWhole(log, chunk);
      } catch (error) {
        broken = true;
        ask.onProblem(`the log cannot be written any more (${codeOf(error)}): what follows is not kept`);
      }
      const held = ask.onOutput(name, chunk);
      if (!held) return;
      stream.pause();
      void held.then(() => stream.resume());
    });
    stream?.on('error', () => {});
  }
}

function writeWhole(file: number, chunk: Buffer): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
}

function endOf(status: number | null, signal: NodeJS.Signals | null, cause: string | undefined): Ended {
  const number = signal === null ? undefined : constants.signals[signal];
  const code = status ?? (number === undefined ? 1 : 128 + number);
  const how = { ...(status === null ? {} : { exit: status }), ...(signal === null ? {} : { signal }) };
  if (cause === undefined) return { status: signal !== null ? 'killed' : code === 0 ? 'passed' : 'failed', code, ...how };
  // What was ended has not passed, also when it caught the signal and said 0.
  const own = /^its time bound/.test(cause) ? TIMED_OUT : code === 0 ? 130 : code;
  return { status: 'killed', code: own, ...how, cause };
}

/**
 * A program of text without `#!` is the shell's to read: so do `execvp` of POSIX and every shell, and Node with them; bun says ENOEXEC.
 */
function withoutStart(ask: RunAsk, log: number, error: unknown): Ended | Promise<Ended> {
  const [name = '', ...rest] = ask.argv;
  const file = codeOf(error) === 'ENOEXEC' && name !== SHELL ? placesOf(name, ask.cwd, ask.env).find(isExecutable) : undefined;
  return file === undefined ? notStarted(ask, error) : watched({ ...ask, argv: [SHELL, file, ...rest] }, log);
}

function notStarted(ask: RunAsk, error: unknown): Ended {
  const name = ask.argv[0]!;
  const code = codeOf(error);
  const failed = (exit: number, cause: string): Ended => ({ status: 'failed', exit, code: exit, cause });
  if (code === 'ENOENT' && statSync(ask.cwd, { throwIfNoEntry: false })?.isDirectory())
    return failed(NOT_FOUND, `there is no program ${JSON.stringify(name)}`);
  if (code === 'EACCES') return failed(NOT_EXECUTABLE, `${JSON.stringify(name)} cannot be executed`);
  return failed(NOT_FOUND, `${JSON.stringify(name)} could not be started (${code})`);
}

/** `10m`, `90s`, `500ms`. */
export function durationText(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

/** Milliseconds of `90s`, `10m`, `2h`, `500ms`, `1h30m`; undefined: no such time, or none at all. At most 7 days. */
export function durationMs(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h))+$/.test(text)) return undefined;
  const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+)(ms|s|m|h)/g)) total += Number(number) * units[unit as keyof typeof units];
  return total > 0 && total <= 7 * 24 * 3_600_000 ? total : undefined;
}
