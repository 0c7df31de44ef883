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
if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) process.exit(0);

console.error('installing dependencies (npm ci)');
const result = spawnSync('npm', ['ci', '--no-fund', '--no-audit'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32',
});
if (result.status !== 0) {
  console.error('npm ci failed; waygate cannot be built without its dependencies');
  process.exit(1);
}
const now = new Date();
utimesSync(installed, now, now);
