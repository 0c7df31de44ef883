#!/usr/bin/env node
// npm run bench: ratios measured in one run, as a table and with --json FILE as JSON. Runs are interleaved, so that a busy machine slows
// both sides of a ratio, which is that of the lower quartiles of processor time: the clock also counts what other programs take. Times on
// the clock stand beside it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { processes, quantile, ratio, round } from './bench-processes.mjs';
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
const TARGETS = { node: 1.25, compiled: 1.35, p50: 0.2, p99: 2, ledgerMs: 2, gateMs: 150 };

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

/** Needs every part of the guard, and no git: the workspace is no repository. */
const WHOLE = event('npm install lodash');

const { bunRun, interleaved } = processes(RUNS, env);

const bundle = join(root, 'dist', 'waygate.cjs');
const hookOf = (...program) => [...program, 'hook', '--host', 'claude-code'];
const nodeHook = hookOf(process.execPath, bundle);

const EXE = process.platform === 'win32' ? '.exe' : '';

/** Copies of a program in turn: how the system holds a file of 100 MB in memory differs from copy to copy by as much as what is measured. */
function copiesOf(program, name) {
  return Array.from({ length: 3 }, (_each, i) => {
    const copy = join(scratch, `${name}-${i}${EXE}`);
    copyFileSync(program, copy);
    return copy;
  });
}

function startOnNode() {
  const nothing = { argv: [process.execPath, '-e', '0'] };
  const times = interleaved({ 'node -e 0': nothing, 'node hook': { argv: nodeHook, input: CALL } });
  const whole = wholeEngine('node hook', nothing, { argv: nodeHook });
  return { times, ratio: ratio(times['node hook'], times['node -e 0']), target: TARGETS.node, whole };
}

/** The call that loads everything, for information: there is no target for it. It goes by itself, since it leaves the next one a cold cache. */
function wholeEngine(name, nothing, hook) {
  const times = interleaved({ nothing, hook: { ...hook, input: WHOLE } });
  return { name: `${name}, whole engine`, ...times.hook, ratio: ratio(times.hook, times.nothing) };
}

async function startCompiled() {
  const made = (name, source, ...options) => {
    writeFileSync(join(scratch, `${name}.cjs`), source);
    compileWithBun(join(scratch, `${name}.cjs`), join(scratch, `${name}${EXE}`), [], ...options);
    return copiesOf(join(scratch, `${name}${EXE}`), name).map((program) => [program]);
  };
  await buildBinary();
  const compiled = copiesOf(join(root, 'dist', `waygate${EXE}`), 'waygate').map((each) => hookOf(each));
  const empty = { argvs: made('empty', '', []) };
  // The pair by itself: a third program between the two leaves both a colder machine, and the larger one the more so.
  const times = interleaved({ 'empty executable': empty, 'compiled hook': { argvs: compiled, input: CALL } });
  const { nothing, ...others } = interleaved({
    nothing: empty,
    'empty executable, options of the hook': { argvs: made('plain', '') },
    'executable that loads node:fs': { argvs: made('files', 'require("node:fs");process.exit(0)') },
  });
  const parts = Object.entries(others).map(([name, each]) => ({ name, ...each, ratio: ratio(each, nothing) }));
  const whole = wholeEngine('compiled hook', empty, { argvs: compiled });
  return { times, ratio: ratio(times['compiled hook'], times['empty executable']), target: TARGETS.compiled, whole, parts };
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

/** Rounds over all commands before measuring, until the code is compiled; the start has a row of its own. And rounds that are measured. */
const WARM_UP = 40;
const MEASURED = 60;

/**
 * A call costs what the median of its repetitions says: a machine that is busy with something else, or a pause of the collector, hits
 * now this command, now that one. p50 and p99 are then over the commands. `single`: the same over all calls as they came, pauses included.
 */
async function perCall(judgeLine) {
  const lines = caseCommands().map((command) => event(command.replaceAll(/\{\{\w+\}\}/g, '/home/dev/code/repo'), '/home/dev/code/repo'));
  const times = lines.map(() => []);
  for (let i = -WARM_UP; i < MEASURED; i++) {
    for (const [at, line] of lines.entries()) {
      const started = process.hrtime.bigint();
      await judgeLine(line);
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      if (i >= 0) times[at].push(ms);
    }
  }
  const both = (list) => ({ p50: round(quantile(list, 0.5), 3), p99: round(quantile(list, 0.99), 3) });
  return {
    commands: lines.length,
    repetitions: MEASURED,
    ...both(times.map((each) => quantile(each, 0.5))),
    single: both(times.flat()),
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
  bunRun(0, [{ argvs: [nodeHook], input: CALL }]);
  const times = interleaved({
    'warm snapshot': { argv: nodeHook, input: CALL },
    'cold snapshot': { argv: nodeHook, input: CALL, remove: join(env.XDG_STATE_HOME, 'waygate', 'policy') },
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
  bunRun(
    0,
    ['git status', 'waygate trust', 'ls -la src', 'npm test'].map((command) => ({ argvs: [nodeHook], input: inSession('few', command) })),
  );
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
  bunRun(0, [{ argvs: [nodeHook], input: inSession('many', 'ls -la src') }]);
  const times = interleaved({
    'short ledger': { argv: nodeHook, input: inSession('few', 'ls -la src') },
    [`${RECORDS} records`]: { argv: nodeHook, input: inSession('many', 'ls -la src') },
  });
  const [few, many] = Object.values(times);
  return { records: RECORDS, times, moreMs: round(many.cpu - few.cpu), target: TARGETS.ledgerMs };
}

/** Files of the large repository. */
const FILES = 20_000;

/** `waygate gate status` where it has to look: on a commit that a run covers, and with a changed file on one that none does. */
function gateStatus() {
  const repository = join(scratch, 'large');
  for (let i = 0; i < FILES; i++) {
    const folder = join(repository, `d${i % 200}`);
    if (i < 200) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i}.txt`), `file ${i}\n`);
  }
  writeFileSync(join(repository, 'waygate.yaml'), 'version: 1\ngate: { command: node -e 0 }\n');
  const git = (...words) => {
    const ran = spawnSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', ...words], { cwd: repository, env });
    if (ran.status !== 0) throw new Error(`git ${words.join(' ')}: ${ran.stderr}`);
  };
  for (const words of [['init', '-q'], ['add', '-A'], ['commit', '-q', '-m', 'all'], ['status']]) git(...words);
  const verb = (...words) => [process.execPath, bundle, '-C', repository, 'gate', ...words];
  const ran = spawnSync(process.execPath, verb('run', '--quiet').slice(1), { env });
  if (ran.status !== 0) throw new Error(`gate run: ${ran.stderr}`);
  const covered = interleaved({ 'gate status': { argv: verb('status') } });
  git('commit', '-q', '--allow-empty', '-m', 'the same files');
  writeFileSync(join(repository, 'd1', 'f1.txt'), 'changed\n');
  git('commit', '-q', '-a', '-m', 'other files');
  writeFileSync(join(repository, 'd2', 'f2.txt'), 'changed\n');
  // It ends with 1, which no other program of the bench may.
  const open = interleaved({ 'gate status': { argv: ['sh', '-c', '"$@"; test $? = 1', 'sh', ...verb('status')] } });
  rmSync(repository, { recursive: true });
  const times = { 'gate status, covered': covered['gate status'], 'gate status, not covered': open['gate status'] };
  return { files: FILES, times, ms: Math.max(...Object.values(times).map((each) => each.min)), target: TARGETS.gateMs };
}

try {
  const node = startOnNode();
  const compiled = await startCompiled();
  const judgeLine = await judgeInProcess();
  const calls = await perCall(judgeLine);
  const growing = await growth(judgeLine);
  const policy = policySnapshot();
  const ledger = longLedger();
  const gate = gateStatus();
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
    gate,
  };
  const ok = {
    node: node.ratio <= TARGETS.node,
    compiled: compiled.ratio <= TARGETS.compiled,
    p50: calls.p50 <= TARGETS.p50,
    p99: calls.p99 <= TARGETS.p99,
    ledger: ledger.moreMs <= TARGETS.ledgerMs,
    gate: gate.ms <= TARGETS.gateMs,
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
    ['what', 'min', 'q1', 'median', 'cpu', 'ratio', 'target'],
    ...[result.startOnNode, result.startCompiled].flatMap(({ times, ratio: against, target, whole, parts = [] }) => {
      const [base, own] = Object.entries(times);
      return [
        row(base),
        [...row(own), String(against), `<= ${target} ${mark(against <= target)}`],
        ...[...parts, whole].map((each) => [...row([each.name, each]), String(each.ratio)]),
      ];
    }),
    ...Object.entries(result.policy.times).map(row),
  ];
  rows.at(-1)[5] = String(result.policy.coldAgainstWarm);
  rows.push(...Object.entries(result.ledger.times).map(row));
  rows.at(-1)[5] = `${result.ledger.moreMs < 0 ? '' : '+'}${result.ledger.moreMs} ms`;
  rows.at(-1)[6] = `<= ${TARGETS.ledgerMs} ms ${mark(ok.ledger)}`;
  rows.push(...Object.entries(result.gate.times).map(row));
  rows.at(-1)[5] = `${result.gate.files} files`;
  rows.at(-1)[6] = `min <= ${TARGETS.gateMs} ms ${mark(ok.gate)}`;
  const widths = rows[0].map((_, column) => Math.max(...rows.map((each) => (each[column] ?? '').length)));
  console.log(
    `processes, in milliseconds: on the clock, and the lower quartile of processor time, which the ratios are of (${result.runs} interleaved rounds, Node ${result.node}, ${result.cpus} processors)`,
  );
  for (const each of rows)
    console.log(
      `  ${each.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : (cell ?? '').padStart(widths[column]))).join('  ')}`,
    );
  console.log(
    `\nin this process, ${result.inProcess.commands} commands, no git, the median of ${result.inProcess.repetitions} calls each\n  p50 ${result.inProcess.p50} ms (<= ${TARGETS.p50} ${mark(ok.p50)})   p99 ${result.inProcess.p99} ms (<= ${TARGETS.p99} ${mark(ok.p99)})`,
  );
  const { single } = result.inProcess;
  console.log(`  every single call, with the pauses of the machine: p50 ${single.p50} ms   p99 ${single.p99} ms`);
  console.log('\ngrowth with the size of the command');
  for (const { kilobytes, ms, msPerKilobyte } of result.growth.rows)
    console.log(`  ${String(kilobytes).padStart(5)} KB  ${String(ms).padStart(9)} ms  ${msPerKilobyte} ms per KB`);
  console.log(`  a kilobyte of 1 MB costs ${result.growth.perKilobyteAt1MbAgainst64Kb} times a kilobyte of 64 KB`);
}

function row([name, { min, q1, median, cpu }]) {
  return [name, String(min), String(q1), String(median), String(cpu)];
}
