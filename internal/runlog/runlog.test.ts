import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isAlive, startOf } from './alive.ts';
import { appendRun, prepare } from './append.ts';
import { environmentOf } from './environment.ts';
import { runPlace } from './places.ts';
import { grepped, linesOf, project } from './project.ts';
import { readRuns, runNamed, secondsOf } from './read.ts';
import type { RunRecord } from './record.ts';
import { sweepLogs } from './retention.ts';
import { durationMs, durationText, newRunId } from './run.ts';

const root = mkdtempSync(join(tmpdir(), 'waygate-runlog-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const record = (id: string, more: Partial<RunRecord> = {}): RunRecord => ({
  schema: 1,
  id,
  argv: ['true'],
  cwd: '/w',
  startedAt: '2026-01-01T00:00:00.000Z',
  status: 'passed',
  pid: 1,
  before: undefined,
  environment: 'E',
  log: '/l',
  ...more,
});

let folders = 0;
const place = () => {
  const dir = join(root, `p${++folders}`);
  mkdirSync(dir);
  return runPlace(dir, { HOME: root, XDG_STATE_HOME: join(root, `state${folders}`) });
};

describe('the records', () => {
  it('the later line of a run counts, the order is that of the starts', () => {
    const at = place();
    prepare(at);
    appendRun(at, record('a', { status: 'running', pid: process.pid }));
    appendRun(at, record('b', { status: 'running', pid: process.pid }));
    appendRun(at, record('a', { status: 'failed', exit: 1 }));
    expect(readRuns(at).runs.map(({ run, line }) => [run.id, run.status, line])).toEqual([
      ['b', 'running', 2],
      ['a', 'failed', 3],
    ]);
  });

  it('a start without an end whose process is gone is unfinished', () => {
    const at = place();
    prepare(at);
    appendRun(at, record('gone', { status: 'running', pid: 2 ** 22 - 1 }));
    appendRun(at, record('reused', { status: 'running', pid: process.pid, started: 'another:1' }));
    const [reused, gone] = readRuns(at).runs.map((each) => each.run.status);
    expect(gone).toBe('unfinished');
    expect(reused).toBe(startOf(process.pid) === undefined ? 'running' : 'unfinished');
  });

  const foreign = ['', '{}', 'null', '[]', '{"schema":2,"id":"x"}', '{"schema":1,"id":1}', 'torn{'];
  it.each(foreign)('%j is no record', (text) => {
    const at = place();
    prepare(at);
    writeFileSync(at.file, `${text}\n${JSON.stringify(record('a'))}\n`);
    const log = readRuns(at);
    expect(log.runs.map((each) => each.run.id)).toEqual(['a']);
    expect(log.damaged.map((each) => each.at)).toEqual(text === '' ? [] : [`${at.file}:1`]);
  });

  it('no log at all is an empty one', () => {
    expect(readRuns(place())).toEqual({ runs: [], torn: false, damaged: [] });
  });

  it('a long log is rotated once, and both parts are read', () => {
    const at = place();
    prepare(at);
    const big = record('big', { argv: ['x'.repeat(300_000)] });
    for (const id of ['a', 'b', 'c', 'd']) appendRun(at, { ...big, id });
    expect(readdirSync(at.folder).sort()).toEqual(['runs', 'runs.1.jsonl', 'runs.jsonl']);
    expect(readRuns(at).runs.map((each) => each.run.id)).toEqual(['d', 'c', 'b', 'a']);
  });
});

describe('names', () => {
  const runs = [
    record('mij3'),
    record('mij2', { status: 'failed' }),
    record('mik1', { gate: { command: 'x', recipe: '', expansion: [], by: 'run' } }),
  ];
  it.each([
    ['last', 'mij3'],
    ['last-failed', 'mij2'],
    ['gate', 'mik1'],
    ['mij2', 'mij2'],
    ['mik', 'mik1'],
  ])('%s', (name, id) => {
    expect(runNamed(name, runs)).toMatchObject({ run: { id } });
  });
  it('the start of two names neither', () => {
    expect(runNamed('mij', runs)).toMatchObject({ several: [{ id: 'mij3' }, { id: 'mij2' }] });
    expect(runNamed('m', runs)).toMatchObject({ none: expect.any(String) });
  });
  it('ids sort by time', () => {
    const ids = [1_767_225_600_000, 1_767_225_600_001, 1_900_000_000_000].map(newRunId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(Array.from({ length: 200 }, () => newRunId())).size).toBe(200);
  });
  it('how long it took', () => {
    expect(secondsOf(record('a', { endedAt: '2026-01-01T00:01:30.000Z' }))).toBe(90);
    expect(secondsOf(record('a'))).toBeUndefined();
  });
});

describe('projections', () => {
  it.each([
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['\u001b[31mred\u001b[0m\n', ['red']],
    ['10%\r50%\r100%\n', ['100%']],
    ['no end', ['no end']],
    ['', []],
  ])('%j as lines', (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });
  it('a text with a few lines around, blocks apart', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `l${i}`);
    expect(grepped(lines, 'L3')).toEqual(['l1', 'l2', 'l3', 'l4', 'l5']);
    expect(grepped(['x', ...lines.slice(0, 8), 'x'], 'x')).toEqual(['x', 'l0', 'l1', '--', 'l6', 'l7', 'x']);
  });
  it('the end of what was found', () => {
    expect(project('a1\na2\na3\nb\n', { grep: 'a', tail: 2 }, false)).toEqual(['a3', 'b']);
    expect(project('fine\n', { failure: true }, false)).toEqual([]);
    expect(project('fine\n', { failure: true, tail: 1 }, false)).toEqual(['fine']);
  });
});

describe('times', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['500ms', 500],
    ['1h30m', 5_400_000],
    ['0s', undefined],
    ['10', undefined],
    ['-1s', undefined],
    ['1d', undefined],
    ['200h', undefined],
  ])('%s', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
    if (ms !== undefined && text !== '1h30m' && text !== '90s') expect(durationText(ms)).toBe(text);
  });
});

describe('the environment', () => {
  it('is the same twice, and another after an installation', () => {
    const dir = join(root, 'env');
    mkdirSync(join(dir, 'node_modules'), { recursive: true });
    const first = environmentOf(dir);
    expect(environmentOf(dir)).toBe(first);
    writeFileSync(join(dir, 'node_modules', '.package-lock.json'), '{}');
    expect(environmentOf(dir)).not.toBe(first);
    expect(environmentOf(dir, { PATH: '' })).not.toBe(environmentOf(dir));
  });
});

it('this process is alive, one that never was is not', () => {
  expect(isAlive(process.pid, startOf(process.pid))).toBe(true);
  expect(isAlive(2 ** 22 - 1, undefined)).toBe(false);
});

it('old logs go when there are many, young and few ones stay', () => {
  const at = place();
  prepare(at);
  const now = Date.now();
  for (let i = 0; i < 60; i++) {
    const file = join(at.logs, `${String(i).padStart(3, '0')}.log`);
    writeFileSync(file, 'x');
    const age = i < 20 ? 90 : 1;
    utimesSync(file, (now - age * 86_400_000) / 1000, (now - age * 86_400_000) / 1000);
  }
  sweepLogs(at, now);
  // The ten oldest are beyond the fifty that always stay.
  expect(readdirSync(at.logs).sort()).toHaveLength(50);
  expect(readdirSync(at.logs).sort()[0]).toBe('010.log');
});
