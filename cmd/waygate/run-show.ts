/** What a verb shows while a program runs and after it: its output as it comes, or a part of it at the end, and where the whole is. */
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { quoteLine } from '../../internal/rule/quote.ts';
import { isProjected, type Projection, project } from '../../internal/runlog/project.ts';
import { secondsOf } from '../../internal/runlog/read.ts';
import type { RunRecord } from '../../internal/runlog/record.ts';
import { durationMs, type RunAsk } from '../../internal/runlog/run.ts';
import { visible } from '../../internal/view/visible.ts';
import { waygateCommand } from './compose.ts';
import { Failure, tell, UsageError } from './terminal.ts';

export interface Showing extends Projection {
  quiet?: boolean;
  json?: boolean;
  /** Absolute path: what the program prints to stdout goes there too. */
  tee?: string | undefined;
  /** And what it prints to stderr. */
  teeAll?: boolean;
}

export interface Shown {
  onOutput: RunAsk['onOutput'];
  onProblem: RunAsk['onProblem'];
  /** After the run: what was asked for, and one line about it. */
  end(record: RunRecord, exit: number): void;
}

/** How often a terminal sees how far it is, in milliseconds. */
const TICK_MS = 1000;

/** Shows a run as it is asked for. A reader that is gone changes nothing about the run. */
export function showing(asked: Showing): Shown {
  const live = !isProjected(asked) && !asked.quiet && !asked.json;
  const gone = { stdout: false, stderr: false };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].removeAllListeners('error');
    process[name].on('error', () => {
      gone[name] = true;
    });
  }
  const tee = asked.tee === undefined ? undefined : teeTo(asked.tee);
  const progress = live ? undefined : startProgress();
  return {
    onProblem: (text) => tell(`waygate: ${text}`),
    onOutput(name, chunk) {
      progress?.more(chunk);
      const waits: Promise<void>[] = [];
      if ((name === 'stdout' || asked.teeAll) && tee && !tee.write(chunk)) waits.push(drained(tee));
      if (live && !gone[name] && !process[name].write(chunk)) waits.push(drained(process[name]));
      return waits.length > 0 ? Promise.all(waits).then(() => {}) : undefined;
    },
    end(record, exit) {
      progress?.stop();
      tee?.end();
      if (!live && !asked.json && !asked.quiet) {
        const lines = project(textOf(record), asked, record.status !== 'passed');
        if (lines.length > 0 && !gone.stdout) process.stdout.write(`${lines.join('\n')}\n`);
      }
      if (!asked.json && !gone.stderr) tell(endLine(record, exit));
    },
  };
}

/** A stream that takes more again, or never will. */
const drained = (stream: NodeJS.WritableStream): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      for (const event of ['drain', 'error', 'close']) stream.removeListener(event, go);
      resolve();
    };
    for (const event of ['drain', 'error', 'close']) stream.once(event, go);
  });

function teeTo(file: string): WriteStream {
  const out = createWriteStream(file);
  out.on('error', (error) => tell(`waygate: --tee ${visible(file)}: ${error.message}`));
  return out;
}

/** The text of a run's log; a person's or CI's import has none. */
export function textOf(record: RunRecord): string {
  if (record.log === '') return '';
  try {
    return readFileSync(record.log, 'utf8');
  } catch {
    throw new Failure(`the log of run ${record.id} is not there any more (${record.log})`);
  }
}

/** A number of lines from 1. */
export function lineCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`--tail: ${JSON.stringify(text)} is not a number of lines from 1`);
  return Number(text);
}

/** `--timeout`: milliseconds, undefined when not given. */
export function timeoutOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? undefined : durationMs(text);
  if (text !== undefined && ms === undefined)
    throw new UsageError(`--timeout: ${JSON.stringify(text)} is not a time like 90s, 10m or 2h, of at most 7 days`);
  return ms;
}

/** `exit 1 after 12.3 s · run mij8… · whole output: waygate output mij8…`. */
export function endLine(record: RunRecord, exit: number): string {
  const seconds = secondsOf(record);
  const how =
    record.cause !== undefined && record.status === 'killed'
      ? `ended by ${record.cause}, exit ${exit}`
      : record.cause !== undefined
        ? `${record.cause}, exit ${exit}`
        : record.signal !== undefined
          ? `ended by ${record.signal}, exit ${exit}`
          : `exit ${exit}`;
  const way = record.status === 'passed' ? '' : ' --failure';
  return `waygate: ${how}${seconds === undefined ? '' : ` after ${secondsText(seconds)}`}, run ${record.id}; output: ${waygateCommand()} output ${record.id}${way}`;
}

export const secondsText = (seconds: number): string =>
  seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

/** argv on one line. */
export const argvText = (record: Pick<RunRecord, 'argv'>): string => visible(quoteLine(record.argv));

/** A line on a terminal that says how far it is; nothing elsewhere. */
function startProgress(): { more(chunk: Buffer): void; stop(): void } | undefined {
  if (process.stderr.isTTY !== true || process.env['TERM'] === 'dumb') return undefined;
  const started = Date.now();
  let lines = 0;
  let last = '';
  const show = (): void => {
    const width = (process.stderr.columns ?? 80) - 1;
    const text = `running ${Math.round((Date.now() - started) / 1000)} s, ${lines} lines  ${visible(last)}`;
    process.stderr.write(`\r\u001b[K${text.slice(0, width)}`);
  };
  const tick = setInterval(show, TICK_MS);
  tick.unref();
  return {
    more(chunk) {
      const text = chunk.toString('utf8');
      lines += text.split('\n').length - 1;
      last = text.split('\n').findLast((line) => line.trim() !== '') ?? last;
    },
    stop() {
      clearInterval(tick);
      process.stderr.write('\r\u001b[K');
    },
  };
}
