#!/usr/bin/env node
// npm run bench: ratios measured in one run, as a table and with --json FILE as JSON. Runs are interleaved, so that a busy machine slows
// both sides of a ratio; minima and medians are given, and the ratio of a pair is that of its lower quartiles.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { buildBinary, compileWithBun } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: { json: { type: 'string' }, runs: { type: 'string', default: '40' }, check: { type: 'boolean', default: false } },
});
const RUNS = Number(values.runs);
if (!Number.isInteger(RUNS) || RUNS < 3) {
  console.error(`--runs: ${values.runs} is no number of runs above 2`);
  process.exit(2);
}

/** What is promised (design.md section 9). */
const TARGETS = { node: 1.25, compiled: 1.35, p50: 0.2, p99: 2, ledgerMs: 2 };

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'waygate-bench-')));
const workspace = join(scratch, 'work');
const env = {
  ...process.env,
  HOME: join(scratch, 'home'),
  XDG_STATE_HOME: join(scratch, 'state'),
  XDG_CONFIG_HOME: join(scratch, 'config'),
};
for (const dir of [workspace, env.HOME]) mkdirSync(dir, { recursive: true });

const event = (command, cwd = workspace) =>
  JSON.stringify({ session_id: 'bench', cwd, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });
const CALL = event('ls -la src');

/** One process, in milliseconds. */
function once([program, ...args], input) {
  const started = process.hrtime.bigint();
  const result = spawnSync(program, args, { input, env, cwd: workspace });
  if (result.error || (result.status !== 0 && result.status !== 2))
    throw new Error(`${program} ${args.join(' ')}: ${result.error?.message ?? `exit code ${result.status}`}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

const quantile = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
const summary = (times) => ({ min: round(quantile(times, 0)), q1: round(quantile(times, 0.25)), median: round(quantile(times, 0.5)) });
const round = (value, digits = 2) => Number(value.toFixed(digits));

/** Several programs in turn, RUNS rounds after a warm-up round. */
function interleaved(programs) {
  const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = -1; round < RUNS; round++) {
    for (const [name, { argv, input, before }] of Object.entries(programs)) {
      before?.();
      const ms = once(argv, input);
      if (round >= 0) times[name].push(ms);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, summary(list)]));
}

const ratio = (a, b) => round(a.q1 / b.q1, 3);

const bundle = join(root, 'dist', 'waygate.cjs');
const nodeHook = [process.execPath, bundle, 'hook', '--host', 'claude-code'];

function startOnNode() {
  const times = interleaved({ 'node -e 0': { argv: [process.execPath, '-e', '0'] }, 'node hook': { argv: nodeHook, input: CALL } });
  return { times, ratio: ratio(times['node hook'], times['node -e 0']), target: TARGETS.node };
}

async function startCompiled() {
  const empty = join(scratch, 'empty');
  writeFileSync(`${empty}.cjs`, '');
  compileWithBun(`${empty}.cjs`, empty);
  const binary = join(root, 'dist', process.platform === 'win32' ? 'waygate.exe' : 'waygate');
  await buildBinary();
  const times = interleaved({
    'empty executable': { argv: [empty] },
    'compiled hook': { argv: [binary, 'hook', '--host', 'claude-code'], input: CALL },
  });
  return { times, ratio: ratio(times['compiled hook'], times['empty executable']), target: TARGETS.compiled };
}

/** The judgement in this process, without git and files. */
async function judgeInProcess() {
  const outfile = join(scratch, 'judge.mjs');
  await build({
    entryPoints: [join(root, 'cmd', 'waygate', 'judge.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
    define: { WAYGATE_VERSION: '"bench"', WAYGATE_REAL_CALLS: 'null' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const { judgeWith } = await import(outfile);
  return judgeWith({ assume: 'clean' });
}

function caseCommands() {
  const file = [join(root, 'test', 'cases', 'open.jsonl'), join(root, '..', 'shared', 'cases', 'open.jsonl')].find(existsSync);
  if (!file) throw new Error('no file of cases: test/cases/open.jsonl');
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).event?.tool_input?.command)
    .filter((command) => typeof command === 'string' && command !== '');
}

async function perCall(judgeLine) {
  const lines = caseCommands().map((command) => event(command.replaceAll(/\{\{\w+\}\}/g, '/home/dev/code/repo'), '/home/dev/code/repo'));
  const measure = async () => {
    const times = [];
    for (const line of lines) {
      const started = process.hrtime.bigint();
      await judgeLine(line);
      times.push(Number(process.hrtime.bigint() - started) / 1e6);
    }
    return times;
  };
  // Compiled code is what is measured here; the start has a row of its own.
  for (let i = 0; i < 5; i++) await measure();
  const times = [];
  for (let i = 0; i < 10; i++) times.push(...(await measure()));
  return {
    commands: lines.length,
    p50: round(quantile(times, 0.5), 3),
    p99: round(quantile(times, 0.99), 3),
    targets: { p50: TARGETS.p50, p99: TARGETS.p99 },
  };
}

async function growth(judgeLine) {
  const unit = "echo 'line of output number one'\n";
  const sizes = [1, 4, 16, 64, 256, 1024];
  const rows = [];
  for (const kilobytes of sizes) {
    const line = event(unit.repeat(Math.ceil((kilobytes * 1024) / unit.length)), '/home/dev/code/repo');
    const times = [];
    for (let i = 0; i < (kilobytes < 100 ? 12 : 5); i++) {
      const started = process.hrtime.bigint();
      await judgeLine(line);
      times.push(Number(process.hrtime.bigint() - started) / 1e6);
    }
    rows.push({ kilobytes, ms: round(quantile(times, 0.25)), msPerKilobyte: round(quantile(times, 0.25) / kilobytes, 4) });
  }
  const largest = rows.at(-1);
  const middle = rows.find((row) => row.kilobytes === 64);
  return { rows, perKilobyteAt1MbAgainst64Kb: round(largest.msPerKilobyte / middle.msPerKilobyte, 2) };
}

function policySnapshot() {
  mkdirSync(join(workspace, '.git'), { recursive: true });
  const file = join(workspace, 'waygate.yaml');
  writeFileSync(file, 'version: 1\nrules:\n  sed-in-place: deny\n');
  const forget = () => rmSync(join(env.XDG_STATE_HOME, 'waygate', 'policy'), { recursive: true, force: true });
  once(nodeHook, CALL);
  const times = interleaved({
    'warm snapshot': { argv: nodeHook, input: CALL },
    'cold snapshot': { argv: nodeHook, input: CALL, before: forget },
  });
  rmSync(file);
  return { times, coldAgainstWarm: ratio(times['cold snapshot'], times['warm snapshot']) };
}

/** Records of the long session. */
const RECORDS = 10_000;

/** A session with a long ledger against one with a short: what the fold and its checkpoint cost a call. */
function longLedger() {
  const inSession = (session_id, command) =>
    JSON.stringify({ session_id, cwd: workspace, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });
  const folder = (session) => join(env.XDG_STATE_HOME, 'waygate', 'sessions', session);
  for (const command of ['git status', 'waygate trust', 'ls -la src', 'npm test']) once(nodeHook, inSession('few', command));
  const lines = readFileSync(join(folder('few'), 'ledger.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean);
  mkdirSync(folder('many'), { recursive: true });
  const records = Array.from({ length: RECORDS }, (_each, i) => {
    const record = JSON.parse(lines[i % lines.length]);
    const { boundary } = record.decision;
    if (boundary) record.decision.boundary = `${boundary} ${i % 40}`;
    return `${JSON.stringify({ ...record, call: `call-${i}` })}\n`;
  });
  writeFileSync(join(folder('many'), 'ledger.jsonl'), records.join(''));
  once(nodeHook, inSession('many', 'ls -la src'));
  const times = interleaved({
    'short ledger': { argv: nodeHook, input: inSession('few', 'ls -la src') },
    [`${RECORDS} records`]: { argv: nodeHook, input: inSession('many', 'ls -la src') },
  });
  const [few, many] = Object.values(times);
  return { records: RECORDS, times, moreMs: round(many.q1 - few.q1), target: TARGETS.ledgerMs };
}

try {
  const node = startOnNode();
  const compiled = await startCompiled();
  const judgeLine = await judgeInProcess();
  const calls = await perCall(judgeLine);
  const growing = await growth(judgeLine);
  const policy = policySnapshot();
  const ledger = longLedger();
  const result = {
    schema: 1,
    node: process.version,
    cpus: cpus().length,
    runs: RUNS,
    startOnNode: node,
    startCompiled: compiled,
    inProcess: calls,
    growth: growing,
    policy,
    ledger,
  };
  const ok = {
    node: node.ratio <= TARGETS.node,
    compiled: compiled.ratio <= TARGETS.compiled,
    p50: calls.p50 <= TARGETS.p50,
    p99: calls.p99 <= TARGETS.p99,
    ledger: ledger.moreMs <= TARGETS.ledgerMs,
  };
  print(result, ok);
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ ...result, ok }, null, 2)}\n`);
  if (values.check && !Object.values(ok).every(Boolean)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function print(result, ok) {
  const mark = (good) => (good ? 'ok' : 'OVER');
  const rows = [
    ['what', 'min', 'q1', 'median', 'ratio', 'target'],
    ...[result.startOnNode, result.startCompiled].flatMap(({ times, ratio: value, target }) => {
      const [base, own] = Object.entries(times);
      return [row(base), [...row(own).slice(0, 4), String(value), `<= ${target} ${mark(value <= target)}`]];
    }),
    ...Object.entries(result.policy.times).map(row),
  ];
  rows.at(-1)[4] = String(result.policy.coldAgainstWarm);
  rows.push(...Object.entries(result.ledger.times).map(row));
  rows.at(-1)[4] = `+${result.ledger.moreMs} ms`;
  rows.at(-1)[5] = `<= ${TARGETS.ledgerMs} ms ${mark(ok.ledger)}`;
  const widths = rows[0].map((_, column) => Math.max(...rows.map((each) => (each[column] ?? '').length)));
  console.log(`processes, in milliseconds (${result.runs} interleaved rounds, Node ${result.node}, ${result.cpus} processors)`);
  for (const each of rows)
    console.log(
      `  ${each.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : (cell ?? '').padStart(widths[column]))).join('  ')}`,
    );
  console.log(
    `\nin this process, ${result.inProcess.commands} commands, no git\n  p50 ${result.inProcess.p50} ms (<= ${TARGETS.p50} ${mark(ok.p50)})   p99 ${result.inProcess.p99} ms (<= ${TARGETS.p99} ${mark(ok.p99)})`,
  );
  console.log('\ngrowth with the size of the command');
  for (const { kilobytes, ms, msPerKilobyte } of result.growth.rows)
    console.log(`  ${String(kilobytes).padStart(5)} KB  ${String(ms).padStart(9)} ms  ${msPerKilobyte} ms per KB`);
  console.log(`  a kilobyte of 1 MB costs ${result.growth.perKilobyteAt1MbAgainst64Kb} times a kilobyte of 64 KB`);
}

function row([name, { min, q1, median }]) {
  return [name, String(min), String(q1), String(median)];
}
