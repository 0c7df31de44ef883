/** What the real facts share within one judgement: roots, repositories, time. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Action } from '../action/action.ts';
import type { GitPlace } from '../effect/types-git.ts';
import type { Policy } from '../policy/policy.ts';
import { secretByName } from '../secret/names.ts';
import type { Look } from '../shell/command.ts';
import { discover, discoverAt, type Found, fromGitDir, realOf } from './discover.ts';
import type { Place } from './facts.ts';
import { type Budget, newBudget } from './git.ts';
import { type Env, groundsOf } from './grounds.ts';
import { realLook } from './look.ts';
import { type Grounds, placeOf, showPath, within } from './places.ts';
import { isDeclaredRegenerable, regenerableByName } from './regenerable.ts';
import { openRepository, type Repository } from './repository.ts';

export interface Scene {
  action: Pick<Action, 'cwd' | 'workspace'>;
  policy: Policy;
  env: Env;
  budget: Budget;
  look: Look;
  keep: boolean;
  grounds: Grounds;
  /** What a repository's gate stood for when the session began: a record's `recipe`. Absent: no session asks. */
  recipes?: ((top: string, command: string) => string | undefined) | undefined;
  /** The repository a git command means. */
  repositoryFor(place: GitPlace): Repository | undefined;
  /** The repository a path lies in, whatever the environment says. The path's own last part is not followed. */
  repositoryOf(path: string): Repository | undefined;
  /** A repository that has been found. */
  open(found: Found): Repository;
  place(path: string): Place;
  /** A path relative to the caller, for texts. */
  show(path: string): string;
  /**
   * Made again by a command of the project? Names that are build output in some projects only need git's word.
   * @param ignored whether a tracked file is known to make git ignore the path; asked when absent
   */
  regenerable(path: string, ignored?: boolean): boolean;
  /** Asks for many ignored paths at once whether a tracked file ignores them; `regenerable` then knows. */
  learnIgnored(repository: Repository, paths: readonly string[]): void;
  /** Does a tracked file make git ignore this path? */
  isIgnored(repository: Repository, path: string): boolean;
}

export interface SceneOptions {
  env?: Env;
  recipes?: Scene['recipes'];
  /** Milliseconds for all questions together. */
  budgetMs?: number;
  /** The look of the judgement: what it has read is not read again. */
  look?: Look;
  /** What was dear to find out may be kept in the state folder. A what-if writes nothing. */
  keep?: boolean;
}

/** The scene of one action. */
export function sceneOf(action: Pick<Action, 'cwd' | 'workspace'>, policy: Policy, options: SceneOptions = {}): Scene {
  const env = options.env ?? process.env;
  const budget = newBudget(options.budgetMs);
  const opened = new Map<string, Repository>();
  const byDirectory = new Map<string, Found | undefined>();
  const byPlace = new Map<string, Repository | undefined>();
  const ignored = new Map<string, boolean>();

  const open = (found: Found): Repository => {
    const known = opened.get(`${found.gitDir}\n${found.top}`);
    if (known) return known;
    const repository = openRepository(found, env, budget);
    opened.set(`${found.gitDir}\n${found.top}`, repository);
    return repository;
  };
  const foundAt = (dir: string): Found | undefined => {
    if (!byDirectory.has(dir)) byDirectory.set(dir, discoverAt(dir));
    return byDirectory.get(dir);
  };
  const repositoryOf = (path: string): Repository | undefined => {
    const found = foundAt(dirname(path));
    return found && open(found);
  };

  const repositoryFor = (place: GitPlace): Repository | undefined => {
    const { dir, gitDir, workTree } = place;
    if (dir === undefined) return undefined;
    const key = `${dir}\n${gitDir ?? ''}\n${workTree ?? ''}`;
    if (!byPlace.has(key)) {
      const found = gitDir
        ? fromGitDir(resolve(dir, gitDir), workTree ? resolve(dir, workTree) : undefined, dir)
        : workTree
          ? withTop(discover(dir, env), resolve(dir, workTree))
          : discover(dir, { GIT_DIR: env['GIT_DIR'], GIT_WORK_TREE: env['GIT_WORK_TREE'] });
      byPlace.set(key, found && open(found));
    }
    return byPlace.get(key);
  };

  const base = groundsOf(action, env);
  const learnIgnored = (repository: Repository, paths: readonly string[]): void => {
    const open = paths.filter((path) => !ignored.has(path));
    for (const path of open) ignored.set(path, false);
    for (const path of ignoredByTrackedFiles(repository, open)) ignored.set(path, true);
  };
  const isIgnored = (repository: Repository, path: string): boolean => {
    if (!ignored.has(path)) learnIgnored(repository, [path]);
    return ignored.get(path) === true;
  };
  const regenerable = (path: string, known?: boolean): boolean => {
    if (isDeclaredRegenerable(path, policy)) return true;
    const found = foundAt(dirname(path));
    const root = found?.top ?? (within(path, action.workspace) ? action.workspace : base.home);
    const sure = regenerableByName(path, root);
    if (sure !== 'when-ignored') return sure === 'always';
    // A key file in an output folder was put there by somebody.
    if (secretByName(path) !== undefined) return false;
    if (!found?.top) return hasManifestBeside(path, root);
    return known ?? isIgnored(open(found), path);
  };
  const grounds: Grounds = {
    regenerable,
    ...base,
    temps: [...new Set([...base.temps, ...base.temps.map(realOf)])],
    kept: [...new Set([...base.kept, ...base.kept.map(realOf)])],
    repository: (path) => {
      const found = foundAt(dirname(path)) ?? foundAt(path);
      return found && { top: found.top, gitDir: found.gitDir };
    },
  };

  return {
    action,
    policy,
    env,
    budget,
    look: options.look ?? realLook(env as NodeJS.ProcessEnv),
    keep: options.keep === true,
    grounds,
    recipes: options.recipes,
    repositoryFor,
    repositoryOf,
    open,
    place: (path) => placeOf(path, grounds),
    show: (path) => showPath(path, grounds.cwd, grounds.home),
    regenerable,
    learnIgnored,
    isIgnored,
  };
}

const withTop = (found: Found | undefined, top: string): Found | undefined => found && { ...found, top: realOf(top), bare: false };

/** The globs of the policy reach over absolute paths, each below the workspace that declares it. */
// biome-ignore format: a list
const MANIFESTS = [
  'package.json', 'Cargo.toml', 'pyproject.toml', 'setup.py', 'go.mod', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'CMakeLists.txt',
  'Makefile', 'composer.json', 'Gemfile', 'mix.exs',
];

/** Outside every repository: a build folder with a manifest beside it. */
function hasManifestBeside(path: string, root: string): boolean {
  for (let at = path; within(at, root) && at !== root && at !== '/'; at = dirname(at)) {
    if (regenerableByName(at, dirname(at)) !== 'no' && MANIFESTS.some((name) => existsSync(`${dirname(at)}/${name}`))) return true;
  }
  return false;
}

/**
 * The paths among these that a tracked ignore file ignores. An ignore file that git does not track may have been written a
 * minute ago: what only it ignores may be anybody's work.
 */
function ignoredByTrackedFiles(repository: Repository, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const answer = repository.ask(['check-ignore', '-v', '-z', '--no-index', '--stdin'], {
    input: paths.map((path) => `${path}\0`).join(''),
    accept: [1],
  });
  if (!answer.ok) return [];
  // Records of four fields: source, line, pattern, path.
  const fields = answer.out.split('\0');
  const found: string[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, , pattern, path] = fields.slice(at, at + 4) as [string, string, string, string];
    if (source !== '' && !pattern.startsWith('!') && isTracked(repository, source)) found.push(path);
  }
  return found;
}

/** Is an exclude file (relative to the top, or absolute) in the index? */
export function isTracked(repository: Repository, source: string): boolean {
  const top = repository.found.top;
  const relative = source.startsWith('/') && top ? (within(source, top) ? source.slice(top.length + 1) : undefined) : source;
  if (relative === undefined || relative.startsWith('.git/')) return false;
  const scan = repository.index();
  if (scan) return scan.paths.has(relative);
  return repository.ask(['ls-files', '--error-unmatch', '-z', '--', `:(top,literal)${relative}`], { accept: [1] }).out !== '';
}
