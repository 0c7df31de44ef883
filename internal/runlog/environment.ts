/**
 * What may change a result besides the files of the tree: toolchains and installed packages. Variables are no part of it: the hook does
 * not see those of the shell that the agent's tool runs, only what a line sets itself.
 */
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from '../fact/grounds.ts';

/** Programs whose exchange makes another result possible. They are not started: where they lead, their size and time stand for the version. */
const PROGRAMS = ['node', 'bun', 'deno', 'python3', 'python', 'ruby', 'java', 'go', 'rustc', 'cargo', 'gcc', 'clang', 'php', 'dotnet'];

/** What installers leave behind when they have applied a lock file, relative to the top. */
const INSTALLED = [
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
  'node_modules/.yarn-integrity',
  '.pnp.cjs',
  '.venv/pyvenv.cfg',
  'venv/pyvenv.cfg',
  'vendor/composer/installed.json',
];

/** `sha256:` over the environment of a run from a directory. Equal digests: nothing known here has changed. */
export function environmentOf(top: string, env: Env = process.env): string {
  const path = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const parts = [
    `${process.platform} ${process.arch}`,
    ...PROGRAMS.map((name) => `${name} ${programOf(name, path)}`),
    ...INSTALLED.map((name) => `${name} ${stampOf(join(top, name))}`),
  ];
  return `sha256:${createHash('sha256').update(parts.join('\n')).digest('hex')}`;
}

function programOf(name: string, path: readonly string[]): string {
  for (const dir of path) {
    const file = join(dir, name);
    const stamp = stampOf(file);
    if (stamp !== '') return `${realOf(file)} ${stamp}`;
  }
  return '';
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.size} ${Math.floor(stat.mtimeMs)}` : '';
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
