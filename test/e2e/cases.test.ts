/** The open cases, played through the built hook as Claude Code would call it. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUNDLE } from '../support/sandbox.ts';

interface Result {
  id: string;
  kind: string;
  expect: string;
  got: string;
  right: boolean;
  reason: string;
}

const CASES = path.resolve(import.meta.dirname, '../cases');
/** Cases that belong to capabilities to come: runs and the gate, and what a session has done before. */
const LATER = new Set(['ws-test-pipe-tail', 'ws-head-pipestatus', 'ws-poll-output-file', 'ps-lease-open-pr']);
const RIGHT_AT_LEAST = 0.98;

let results: Result[] = [];
beforeAll(async () => {
  const out = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'waygate-cases-')), 'out.json');
  const run = promisify(execFile);
  const args = [
    path.join(CASES, 'run-cases.mjs'),
    '--bin',
    `${process.execPath} ${BUNDLE}`,
    '--cases',
    path.join(CASES, 'open.jsonl'),
    '--json',
    out,
  ];
  await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch((error: { stderr?: string; code?: number }) => {
    if (error.code !== 1) throw error;
  });
  results = JSON.parse(fs.readFileSync(out, 'utf8')) as Result[];
  fs.rmSync(path.dirname(out), { recursive: true });
}, 180_000);

const shown = (list: readonly Result[]) =>
  list.map((each) => `${each.id}: expected ${each.expect}, got ${each.got} -- ${each.reason.slice(0, 200)}`).join('\n');

describe('open cases', () => {
  it('are right', () => {
    const counted = results.filter((each) => !LATER.has(each.id));
    const wrong = counted.filter((each) => !each.right);
    expect(counted.length).toBeGreaterThan(200);
    expect(1 - wrong.length / counted.length, shown(wrong)).toBeGreaterThanOrEqual(RIGHT_AT_LEAST);
  });
  it('are never broken', () => {
    expect(shown(results.filter((each) => ['broken', 'unprepared'].includes(each.got)))).toBe('');
  });
  it('raise no false alarm', () => {
    expect(shown(results.filter((each) => each.expect === 'pass' && each.got !== 'pass'))).toBe('');
  });
});
