/** nx and turbo: tasks over the packages of one repository. */
import { basename, join } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import { manifestAt } from './npm.ts';
import type { Role, Runner, Target } from './profile.ts';
import { inside, isRecord, keyPattern, lineOf, readJson, textsIn } from './shape.ts';
import { callOf, distinct, MAX_TARGETS, targetOf } from './target.ts';
import { readYaml } from './yaml.ts';

const MAX_FILE = 512 * 1024;

/** Globs of the packages' directories, relative to the top: of npm, yarn, bun, or pnpm. */
export function packageGlobs(dir: string, look: Look): readonly string[] {
  const pnpm = look.read(join(dir, 'pnpm-workspace.yaml'), MAX_FILE);
  const listed = pnpm === undefined ? undefined : inside(readYaml(pnpm)?.value, 'packages');
  const globs = listed === undefined ? (manifestAt(join(dir, 'package.json'), look)?.manifest.workspaces ?? []) : textsIn(listed);
  return globs.filter((glob) => !glob.startsWith('!')).map((glob) => glob.replace(/^\.\//, '').replace(/\/$/, ''));
}

/** Packages that are looked at. */
const MAX_PACKAGES = 200;

/** Directories of the packages of a workspace, absolute, in the order of their globs. `**` goes three levels deep. */
export function packageDirs(dir: string, look: Look): readonly string[] {
  const globs = packageGlobs(dir, look);
  const all = globs.length > 0 || look.read(join(dir, 'nx.json'), MAX_FILE) === undefined ? globs : ['apps/*', 'libs/*', 'packages/*'];
  const found = new Set<string>();
  for (const glob of all)
    for (const each of matching(dir, glob.split('/'), look, 0)) if (found.size < MAX_PACKAGES && each !== dir) found.add(each);
  return [...found];
}

function matching(at: string, [part, ...rest]: readonly string[], look: Look, depth: number): readonly string[] {
  if (part === undefined) return look.stat(join(at, 'package.json')) || look.stat(join(at, 'project.json')) ? [at] : [];
  if (part === '.' || part === '') return matching(at, rest, look, depth);
  if (!part.includes('*')) return matching(join(at, part), rest, look, depth);
  const pattern = new RegExp(`^${part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`);
  const below = (look.list(at) ?? []).filter((name) => !name.startsWith('.') && name !== 'node_modules' && pattern.test(name)).sort();
  const folders = below.map((name) => join(at, name)).filter((path) => look.stat(path)?.kind === 'dir');
  const deeper = part === '**' && depth < 3 ? folders.flatMap((each) => matching(each, [part, ...rest], look, depth + 1)) : [];
  return [...folders.flatMap((each) => matching(each, rest, look, depth)), ...deeper];
}

/** The tasks of turbo.json. */
export function turboRunner(dir: string, look: Look): Runner | undefined {
  const file = ['turbo.json', 'turbo.jsonc'].map((name) => join(dir, name)).find((path) => look.read(path, MAX_FILE) !== undefined);
  const text = file === undefined ? undefined : look.read(file, MAX_FILE);
  const config = text === undefined ? undefined : readJson(text);
  const tasks = inside(config, 'tasks') ?? inside(config, 'pipeline');
  if (file === undefined || text === undefined || !isRecord(tasks)) return undefined;
  // `web#build` is what one package says about `build`.
  const names = distinct(Object.keys(tasks).map((name) => name.split('#').at(-1) as string)).slice(0, MAX_TARGETS);
  const known = new Set(names);
  const isTarget = (name: string) => known.has(name);
  const globs = ['.', ...packageGlobs(dir, look)];
  const call = 'turbo run {target}';
  const targets = names.map((name) => {
    const own = Object.entries(tasks).flatMap(([key, task]) => (key.split('#').at(-1) === name && isRecord(task) ? [task] : []));
    const needs = own.flatMap((task) => textsIn(task['dependsOn'])).map((each) => each.replace(/^\^/, '').split('#').at(-1) as string);
    const outputs = own.flatMap((task) => textsIn(task['outputs'])).filter((glob) => !glob.startsWith('!'));
    const line = lineOf(text, keyPattern(name));
    return targetOf(
      {
        name,
        recipe: [],
        includes: distinct(needs).filter((each) => each !== name && isTarget(each)),
        writes: distinct(globs.flatMap((glob) => outputs.map((output) => join(dir, glob, output)))),
        command: callOf(call, name),
        origin: { file, ...(line === undefined ? {} : { line }) },
        ...(own.some((task) => task['persistent'] === true) ? { endless: true } : {}),
      },
      { runner: 'turbo', dir, isTarget },
    );
  });
  return targets.length === 0
    ? undefined
    : { name: 'turbo', dir, file, combine: 'args', call, pass: '-- {args}', durations: true, targets };
}

/** The targets of nx: at the top those that nx.json has defaults for, in a project those of its own. */
export function nxRunner(dir: string, look: Look): Runner | undefined {
  return nxWorkspace(dir, look) ?? nxProject(dir, look);
}

function nxWorkspace(dir: string, look: Look): Runner | undefined {
  const file = join(dir, 'nx.json');
  const text = look.read(file, MAX_FILE);
  const config = text === undefined ? undefined : readJson(text);
  if (text === undefined || !isRecord(config)) return undefined;
  const defaults = inside(config, 'targetDefaults');
  // `@nx/js:tsc` names an executor, not a target.
  const tasks = new Map(
    isRecord(defaults) ? Object.entries(defaults).filter(([name]) => !name.includes(':') || !/^[@\w/-]+:/.test(name)) : [],
  );
  for (const name of textsIn(inside(config, 'tasksRunnerOptions', 'default', 'options', 'cacheableOperations')))
    if (!tasks.has(name)) tasks.set(name, {});
  for (const [name, task] of Object.entries(projectTargets(join(dir, 'project.json'), look)?.tasks ?? {})) tasks.set(name, task);
  if (tasks.size === 0) return undefined;
  const call = 'nx run-many -t {target}';
  const isTarget = (name: string) => tasks.has(name);
  const targets = [...tasks]
    .slice(0, MAX_TARGETS)
    .map(([name, task]) => nxTarget(name, task, { call, dir, root: dir, file, line: lineOf(text, keyPattern(name)), isTarget }));
  return { name: 'nx', dir, file, combine: 'args', call, pass: '{args}', durations: true, targets };
}

function nxProject(dir: string, look: Look): Runner | undefined {
  const file = join(dir, 'project.json');
  const found = projectTargets(file, look);
  const names = Object.keys(found?.tasks ?? {}).slice(0, MAX_TARGETS);
  const known = new Set(names);
  const isTarget = (name: string) => known.has(name);
  if (!found || names.length === 0) return undefined;
  const call = `nx run ${found.name ?? basename(dir)}:{target}`;
  const targets = names.map((name) =>
    nxTarget(name, found.tasks[name], { call, dir, root: undefined, file, line: lineOf(found.text, keyPattern(name)), isTarget }),
  );
  return { name: 'nx', dir, file, combine: 'none', call, pass: '{args}', durations: true, targets };
}

function projectTargets(file: string, look: Look) {
  const text = look.read(file, MAX_FILE);
  const config = text === undefined ? undefined : readJson(text);
  const tasks = inside(config, 'targets');
  if (text === undefined || !isRecord(tasks)) return undefined;
  const name = inside(config, 'name');
  return { tasks, text, name: typeof name === 'string' ? name : undefined };
}

/** What well-known executors run; `run-commands` says it itself. */
const EXECUTORS: readonly (readonly [RegExp, string, Role])[] = [
  [/^@nx\/(jest|vite:test|vitest|cypress|playwright)|^@nrwl\/jest/, 'test', 'test'],
  [/^@nx\/eslint|^@nrwl\/linter|:lint$/, 'lint', 'lint'],
  [/:(dev-server|serve|serve-static|file-server)$/, 'serve', 'serve'],
  [/^@nx\/(js|webpack|rollup|esbuild|vite|next|angular)|:build$/, 'build', 'build'],
];

interface NxPlace {
  call: string;
  dir: string;
  root: string | undefined;
  file: string;
  line: number | undefined;
  isTarget(name: string): boolean;
}

function nxTarget(name: string, task: unknown, { call, dir, root, file, line, isTarget }: NxPlace): Target {
  const options = inside(task, 'options');
  const given = inside(task, 'command') ?? inside(options, 'command') ?? inside(options, 'commands') ?? inside(options, 'script');
  const recipe = (Array.isArray(given) ? given : [given]).flatMap((each) =>
    typeof each === 'string' ? [each] : isRecord(each) && typeof each['command'] === 'string' ? [each['command']] : [],
  );
  const needs = (Array.isArray(inside(task, 'dependsOn')) ? (inside(task, 'dependsOn') as unknown[]) : []).flatMap((each) =>
    typeof each === 'string' ? [each.replace(/^\^/, '')] : isRecord(each) && typeof each['target'] === 'string' ? [each['target']] : [],
  );
  const outputs = textsIn(inside(task, 'outputs')).flatMap((output) => placed(output, dir, root));
  const executor = inside(task, 'executor');
  const known = typeof executor === 'string' ? EXECUTORS.find(([pattern]) => pattern.test(executor)) : undefined;
  const target = targetOf(
    {
      name,
      recipe: inside(options, 'script') === undefined ? recipe : [],
      includes: distinct(needs).filter((each) => each !== name && isTarget(each)),
      writes: outputs,
      command: callOf(call, name),
      origin: { file, ...(line === undefined ? {} : { line }) },
      ...(inside(task, 'continuous') === true ? { endless: true } : {}),
    },
    { runner: 'nx', dir, isTarget },
  );
  return known && target.role === 'other' ? { ...target, role: known[2] } : target;
}

/** `{projectRoot}/dist` and `{workspaceRoot}/dist/x`; what is made of options is not known. */
function placed(output: string, dir: string, root: string | undefined): readonly string[] {
  const at = (base: string, rest: string) => (/[{}]/.test(rest) ? [] : [join(base, rest)]);
  if (output.startsWith('{projectRoot}')) return root === undefined ? at(dir, output.slice(13)) : at(join(dir, '**'), output.slice(13));
  return output.startsWith('{workspaceRoot}') && root !== undefined ? at(root, output.slice(15)) : [];
}
