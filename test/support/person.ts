/**
 * A person at a terminal: the built program on a pseudo-terminal of its own, started by nobody (its parent is the system's first
 * process), with the word typed back that it asks for. Needs `setsid` and `script` of util-linux.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quote, quoteLine } from '../../internal/rule/quote.ts';
import { PROGRAM, type Sandbox } from './sandbox.ts';

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Can a terminal be made here? Other systems have other tools for it. */
export const canBePerson = (): boolean => process.platform === 'linux' && has('setsid') && has('script') && has('mkfifo');

const WORD = /Type ([a-z]+-[a-z]+) to go on/;
const LIMIT_MS = 30_000;

export interface AsPerson {
  /** What is typed instead of the word. */
  types?: string;
  /** The question it is typed at. Default: the one that shows the word. */
  prompt?: RegExp;
  cwd?: string;
}

/** One call of a person's verb. `shown`: everything the terminal showed. */
export async function asPerson(box: Sandbox, args: readonly string[], options: AsPerson = {}): Promise<{ code: number; shown: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'waygate-person-'));
  const [out, fifo, done] = ['out', 'in', 'done'].map((name) => join(dir, name)) as [string, string, string];
  try {
    spawnSync('mkfifo', [fifo]);
    const command = quoteLine([...PROGRAM, ...args]);
    const run = `cd ${quote(options.cwd ?? box.repo)} && script -qfec ${quote(command)} ${quote(out)} < ${quote(fifo)} > /dev/null 2>&1; echo $? > ${quote(`${done}.part`)}; mv ${quote(`${done}.part`)} ${quote(done)}`;
    spawnSync('setsid', ['-f', 'sh', '-c', run], { env: { ...box.env, TERM: 'dumb', SHELL: '/bin/sh' }, stdio: 'ignore' });
    // Opens once the other end does.
    const keyboard = openSync(fifo, 'w');
    let typed = false;
    for (const end = Date.now() + LIMIT_MS; Date.now() < end && !existsSync(done); await pause()) {
      const asked = existsSync(out) ? (options.prompt ?? WORD).exec(readFileSync(out, 'utf8')) : null;
      if (!asked || typed) continue;
      typed = true;
      writeSync(keyboard, `${options.types ?? asked[1]}\n`);
    }
    closeSync(keyboard);
    if (!existsSync(done)) throw new Error(`no end within ${LIMIT_MS} ms:\n${existsSync(out) ? readFileSync(out, 'utf8') : ''}`);
    return { code: Number(readFileSync(done, 'utf8')), shown: readFileSync(out, 'utf8').replaceAll('\r\n', '\n') };
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
