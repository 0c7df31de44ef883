#!/usr/bin/env node
// A fresh clone has no node_modules: install exactly what the lock file says. Says nothing when there is nothing to do.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lock = join(root, 'package-lock.json');
// npm writes this file at the end of an install: older than the lock file means the install is stale or was cut off.
const installed = join(root, 'node_modules', '.package-lock.json');

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`waygate needs Node.js 20 or newer; this is ${process.version}`);
  process.exit(1);
}
installTools();
if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) process.exit(0);

console.error('installing dependencies (npm ci)');
if (!install(root, [])) {
  console.error('npm ci failed; waygate cannot be built without its dependencies');
  process.exit(1);
}
touch(installed);

/** Exactly what the lock file of a folder says. */
function install(folder, options, verb = 'ci', output = 'inherit') {
  const result = spawnSync('npm', [verb, '--no-fund', '--no-audit', ...options], {
    cwd: folder,
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  });
  return result.status === 0;
}

function touch(file) {
  const now = new Date();
  utimesSync(file, now, now);
}

/**
 * Programs that tests run beside waygate (test/tools): without their install scripts, which would write hooks into this repository.
 * Where they cannot be had, their tests are skipped.
 */
function installTools() {
  const tools = join(root, 'test', 'tools');
  const toolsLock = join(tools, 'package-lock.json');
  const done = join(tools, 'node_modules', '.package-lock.json');
  if (process.argv[2] !== '--tools' || (existsSync(done) && statSync(done).mtimeMs >= statSync(toolsLock).mtimeMs)) return;
  console.error('installing what tests run beside it (npm ci in test/tools)');
  // A registry that lacks programs of other platforms makes `npm ci` refuse the lock file; the versions are exact all the same.
  if (install(tools, ['--ignore-scripts'], 'ci', 'ignore') || install(tools, ['--ignore-scripts', '--no-package-lock'], 'install'))
    touch(done);
  else console.error('that failed; the tests with lefthook, pnpm and just are skipped');
}
