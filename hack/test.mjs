#!/usr/bin/env node
// npm test: types, lint, drift of generated files, all tests. Ends with `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'waygate-npm-test-'));
const report = join(scratch, 'report.json');
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Runs a program; its output is shown when it fails. */
function run(name, program, args, show = false) {
  return new Promise((done) => {
    const started = Date.now();
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, WAYGATE_BUILT: '1' },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      const passed = code === 0;
      console.log(`${passed ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
      if (!passed && !show) console.log(output);
      done(passed);
    });
  });
}

let passed = 0;
let failed = 0;
const count = (ok) => (ok ? passed++ : failed++);

await buildAll();
const early = await Promise.all([
  run('lint', bin('biome'), ['check', '--error-on-warnings', '.']),
  run('generated files', process.execPath, [join(root, 'hack', 'generate.mjs'), '--check']),
]);
early.forEach(count);

// Types are checked beside the first tests, which wait for no process: a core would be idle otherwise.
const types = run('typecheck', bin('tsc'), ['--noEmit']);
await run(
  'tests',
  bin('vitest'),
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
  true,
);
count(await types);
try {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  passed += numPassedTests;
  failed += numFailedTests;
  // A file that does not load has no tests of its own to fail.
  failed += testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((each) => each.status !== 'failed'),
  ).length;
} catch {
  failed++;
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
