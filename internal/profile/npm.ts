/** package.json: the scripts of npm, pnpm, yarn and bun. */
import { dirname, join } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import type { Runner, RunnerName } from './profile.ts';
import { isRecord } from './shape.ts';
import { callOf, distinct, MAX_TARGETS, type Raw, targetOf, withHanded } from './target.ts';

/** A larger manifest is not written by hand. */
const MAX_MANIFEST = 512 * 1024;

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What of a manifest counts here; fields of the wrong type are absent. */
export interface Manifest {
  name?: string;
  packageManager?: string;
  scripts: Readonly<Record<string, string>>;
  workspaces: readonly string[];
  wireit: Readonly<Record<string, unknown>>;
  [key: string]: unknown;
}

/** Reads a package.json; undefined when it is absent or no JSON object. */
export function manifestAt(file: string, look: Look): { manifest: Manifest; text: string } | undefined {
  const text = look.read(file, MAX_MANIFEST);
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    const raw = parsed as Record<string, unknown>;
    const given = raw['workspaces'];
    const globs = Array.isArray(given) ? given : isRecord(given) && Array.isArray(given['packages']) ? given['packages'] : [];
    const scripts = isRecord(raw['scripts']) ? raw['scripts'] : {};
    const manifest = {
      ...raw,
      scripts: Object.fromEntries(Object.entries(scripts).filter((each): each is [string, string] => typeof each[1] === 'string')),
      workspaces: globs.filter((each): each is string => typeof each === 'string'),
      wireit: isRecord(raw['wireit']) ? raw['wireit'] : {},
    } as unknown as Manifest;
    return { manifest, text };
  } catch {
    return undefined;
  }
}

/** Lock files, by manager; the first that lies in the directory or above it decides. */
const LOCKS: readonly (readonly [string, Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['.yarnrc.yml', 'yarn'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** The package manager of a directory: the `packageManager` field, then the lock file, here or further up to `root`. */
export function managerOf(dir: string, root: string, look: Look): Manager {
  for (let at = dir; ; at = dirname(at)) {
    const found = manifestAt(join(at, 'package.json'), look)?.manifest;
    const field = typeof found?.packageManager === 'string' ? found.packageManager.split('@')[0] : devEngine(found);
    if (field === 'npm' || field === 'pnpm' || field === 'yarn' || field === 'bun') return field;
    const lock = LOCKS.find(([name]) => look.stat(join(at, name)) !== undefined);
    if (lock) return lock[1];
    if (at === root || at === '/' || !at.startsWith(root)) return 'npm';
  }
}

function devEngine(manifest: Manifest | undefined): unknown {
  const engines = manifest?.['devEngines'];
  const manager = isRecord(engines) ? engines['packageManager'] : undefined;
  return isRecord(manager) ? manager['name'] : undefined;
}

const CALLS: Readonly<Record<Manager, { call: string; pass: string }>> = {
  npm: { call: 'npm run {target}', pass: '-- {args}' },
  pnpm: { call: 'pnpm run {target}', pass: '{args}' },
  yarn: { call: 'yarn run {target}', pass: '{args}' },
  bun: { call: 'bun run {target}', pass: '{args}' },
};

/** What `npm init` writes where there is no test. */
const NO_TEST = /no test specified/;

/** The scripts of a directory's package.json; undefined when there are none. */
export function npmRunner(dir: string, root: string, look: Look): Runner | undefined {
  const file = join(dir, 'package.json');
  const found = manifestAt(file, look);
  if (!found) return undefined;
  const { scripts } = found.manifest;
  const names = Object.keys(scripts)
    .filter((name) => !NO_TEST.test(scripts[name] as string))
    .slice(0, MAX_TARGETS);
  if (names.length === 0) return undefined;
  const manager = managerOf(dir, root, look);
  const { call, pass } = CALLS[manager];
  const lines = linesOf(found.text);
  const isTarget = (name: string) => Object.hasOwn(scripts, name);
  const matching = (pattern: string) => names.filter(scriptPattern(pattern));
  const around = { runner: manager as RunnerName, dir, isTarget, matching };
  const sets = settingsOf(dir, look);
  const targets = names.map((name) => {
    const wired = wireitOf(found.manifest, name, dir);
    const raw: Raw = {
      name,
      recipe: [wired?.command ?? (scripts[name] as string)],
      includes: distinct([...(scripts[name] === 'wireit' ? (wired?.includes ?? []) : []), ...hooksOf(name, isTarget)]),
      writes: wired?.writes ?? [],
      command: manager !== 'bun' && (name === 'test' || name === 'start') ? `${manager} ${name}` : callOf(call, name),
      origin: { file, ...(lines.has(name) ? { line: lines.get(name) as number } : {}) },
    };
    return sets.length > 0 ? { ...targetOf(raw, around), sets } : targetOf(raw, around);
  });
  return {
    name: manager,
    dir,
    file,
    combine: manager === 'pnpm' ? 'args' : 'none',
    call,
    pass,
    durations: false,
    targets: withHanded(targets, around),
  };
}

/** Settings that change how every script is run. */
const settingsOf = (dir: string, look: Look): readonly string[] =>
  (look.read(join(dir, '.npmrc'), MAX_MANIFEST) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(script-shell|ignore-scripts|shell-emulator)\s*=/.test(line));

/** `prebuild` and `postbuild` run with `build`. Yarn from version 2 on runs none, but a script named so is meant to. */
const hooksOf = (name: string, isTarget: (name: string) => boolean): readonly string[] => [`pre${name}`, `post${name}`].filter(isTarget);

/** Patterns of npm-run-all (`lint:*`, `test:**`) and pnpm (`/^lint/`). */
function scriptPattern(pattern: string): (name: string) => boolean {
  if (/^\/.*\/$/.test(pattern)) {
    try {
      const made = new RegExp(pattern.slice(1, -1));
      return (name) => made.test(name);
    } catch {
      return () => false;
    }
  }
  // `*` stays within one part between colons, `**` goes over all.
  const source = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**', '\u0000')
    .replaceAll('*', '[^:]*')
    .replaceAll('\u0000', '.*');
  const made = new RegExp(`^${source}$`);
  return (name) => made.test(name);
}

/** wireit keeps a script's command, prerequisites and outputs in a section of its own. */
function wireitOf(manifest: Manifest, name: string, dir: string) {
  const entry = Object.hasOwn(manifest.wireit, name) ? manifest.wireit[name] : undefined;
  if (!isRecord(entry)) return undefined;
  const texts = (value: unknown) => (Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []);
  const needs = Array.isArray(entry['dependencies']) ? entry['dependencies'] : [];
  return {
    command: typeof entry['command'] === 'string' ? entry['command'] : undefined,
    includes: needs
      .flatMap((each) => (typeof each === 'string' ? [each] : isRecord(each) && typeof each['script'] === 'string' ? [each['script']] : []))
      .filter((each) => !/[:/]/.test(each) || Object.hasOwn(manifest.scripts, each)),
    writes: texts(entry['output'])
      .filter((each) => !each.startsWith('!'))
      .map((each) => join(dir, each)),
  };
}

/** The line of each script, counted from 1. */
function linesOf(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const lines = text.split('\n');
  let inside = false;
  for (const [index, line] of lines.entries()) {
    if (!inside) {
      inside = /"scripts"\s*:\s*\{/.test(line);
      if (!inside) continue;
    }
    for (const match of line.matchAll(/"((?:[^"\\]|\\.)+)"\s*:\s*"(?:[^"\\]|\\.)*"/g)) found.set(match[1] as string, index + 1);
    if (/^\s*\}/.test(line) || /"scripts".*\}/.test(line)) return found;
  }
  return found;
}
