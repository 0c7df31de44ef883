/** What a workspace runs, detected from its own files. Pure over a `Look`. */
import { dirname, join } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import { gateOf } from './gate.ts';
import { justRunner } from './just.ts';
import { gradleRunner, mavenRunner } from './jvm.ts';
import { makeRunner } from './make.ts';
import { miseRunner } from './mise.ts';
import { nxRunner, turboRunner } from './monorepo.ts';
import { bazelRunner, cargoRunner, goRunner } from './native.ts';
import { npmRunner } from './npm.ts';
import { preCommitRunner } from './precommit.ts';
import type { Profile, Role, Runner, Target } from './profile.ts';
import { noxRunner, pythonRunner, toxRunner } from './python.ts';
import { closureOf } from './resolve.ts';
import { taskRunner } from './taskfile.ts';

/** Directories between the one that asks and the top of the workspace that are looked at. */
const MAX_LEVELS = 24;

type Detector = (dir: string, root: string, look: Look) => Runner | undefined;

/** In the order of preference. */
const DETECTORS: readonly Detector[] = [
  npmRunner,
  (dir, _root, look) => justRunner(dir, look),
  (dir, _root, look) => taskRunner(dir, look),
  (dir, _root, look) => makeRunner(dir, look),
  (dir, _root, look) => miseRunner(dir, look),
  (dir, _root, look) => turboRunner(dir, look),
  (dir, _root, look) => nxRunner(dir, look),
  (dir, _root, look) => toxRunner(dir, look),
  (dir, _root, look) => noxRunner(dir, look),
  pythonRunner,
  gradleRunner,
  mavenRunner,
  (dir, _root, look) => bazelRunner(dir, look),
  cargoRunner,
  (dir, _root, look) => goRunner(dir, look),
  (dir, _root, look) => preCommitRunner(dir, look),
];

/** The runners of one directory. */
export function runnersIn(dir: string, root: string, look: Look): readonly Runner[] {
  const near = lookIn(dir, look);
  return near ? runnersBy(dir, root, near) : [];
}

/** The same over a look that knows what lies in the directory (`lookIn`). */
export const runnersBy = (dir: string, root: string, near: Look): readonly Runner[] =>
  DETECTORS.flatMap((detect) => {
    try {
      return detect(dir, root, near) ?? [];
    } catch (error) {
      // A file too deep to be read gives nothing, as one that is not there.
      if (error instanceof RangeError) return [];
      throw error;
    }
  });

/** Longer listings are cut by the look, and say nothing about what is not in them. */
const MAX_LISTED = 1900;

/** A look that knows what lies in a directory: some fifty names are asked for, of which two or three are there. undefined: no directory. */
export function lookIn(dir: string, look: Look): Look | undefined {
  const names = look.list(dir);
  if (!names) return look.stat(dir) === undefined ? undefined : look;
  if (names.length > MAX_LISTED) return look;
  const there = new Set(names);
  const prefix = dir === '/' ? '/' : `${dir}/`;
  const absent = (path: string): boolean => {
    if (!path.startsWith(prefix)) return false;
    const rest = path.slice(prefix.length);
    const cut = rest.indexOf('/');
    return rest !== '' && !there.has(cut === -1 ? rest : rest.slice(0, cut));
  };
  return {
    ...look,
    stat: (path) => (absent(path) ? undefined : look.stat(path)),
    read: (path, limit) => (absent(path) ? undefined : look.read(path, limit)),
    list: (path) => (absent(path) ? undefined : look.list(path)),
  };
}

/** Where the runners of one directory come from. */
export type RunnersOf = (dir: string, root: string, look: Look) => readonly Runner[];

/** The profile of the workspace around a directory; undefined when it runs nothing. `root`: the top of the workspace, `dir` or above it. `runnersOf`: where they come from, when they have been kept. */
export function detectProfile(dir: string, root: string, look: Look, runnersOf: RunnersOf = runnersIn): Profile | undefined {
  const found = levels(dir, root).flatMap((each) => runnersOf(each, root, look));
  return found.length === 0 ? undefined : profileFrom(found, root);
}

/** The profile of these runners, nearest first. */
export function profileFrom(found: readonly Runner[], root: string): Profile {
  const gate = gateOf(found, root);
  const runners = found.map((runner) => ({
    ...runner,
    targets: runner.targets.map((target) => (gate && runner.dir === root && gate.target === target ? { ...target, gate: true } : target)),
  }));
  return {
    root,
    runners,
    install: withRole(runners, 'install'),
    update: withRole(runners, 'update'),
    proposedGate: gate?.command,
    environment: [],
  };
}

function levels(dir: string, root: string): readonly string[] {
  const found: string[] = [];
  for (let at = dir; found.length < MAX_LEVELS; at = dirname(at)) {
    found.push(at);
    if (at === root || at === '/') break;
  }
  return found;
}

/** The target of that name whose recipe, or what runs with it, really does it: `make install` may also copy a program to /usr/local. */
const withRole = (runners: readonly Runner[], role: Role): Target | undefined => {
  for (const runner of runners) {
    const found = runner.targets.find(
      (target) => target.role === role && closureOf(runners, runner, target).some((each) => each.target.parts?.includes(role)),
    );
    if (found) return found;
  }
  return undefined;
};

/**
 * The top of the workspace that a directory lies in: of its repository, else the nearest directory above it with a runner, else itself.
 * Nothing above the home directory is looked at.
 */
export function topOf(dir: string, look: Look): string {
  const above = levels(dir, look.home);
  return (
    above.find((each) => look.stat(join(each, '.git')) !== undefined) ?? above.find((each) => runnersIn(each, each, look).length > 0) ?? dir
  );
}
