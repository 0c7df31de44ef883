/** Task: the tasks of a Taskfile, with its includes. */
import { dirname, join, resolve } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import type { Runner, Target } from './profile.ts';
import { isRecord, textsIn } from './shape.ts';
import { callOf, MAX_TARGETS, targetOf } from './target.ts';
import { type Document, readYaml } from './yaml.ts';

const MAX_FILE = 256 * 1024;
const MAX_FILES = 20;
const CALL = 'task {target}';

/** The names Task looks for, in its order. */
const NAMES = [
  'Taskfile.yml',
  'taskfile.yml',
  'Taskfile.yaml',
  'taskfile.yaml',
  'Taskfile.dist.yml',
  'taskfile.dist.yml',
  'Taskfile.dist.yaml',
  'taskfile.dist.yaml',
];

interface Found {
  name: string;
  task: unknown;
  dir: string;
  prefix: string;
  variables: ReadonlyMap<string, string>;
  origin: Target['origin'];
}

/** The tasks of a directory's Taskfile; undefined when there are none. */
export function taskRunner(dir: string, look: Look): Runner | undefined {
  const file = fileIn(dir, look);
  if (file === undefined) return undefined;
  const found: Found[] = [];
  collect(file, '', dir, look, found, new Set());
  const shown = found.filter((each) => !(isRecord(each.task) && each.task['internal'] === true)).slice(0, MAX_TARGETS);
  if (shown.length === 0) return undefined;
  const names = new Set(found.map((each) => each.name));
  const isTarget = (name: string) => names.has(name);
  return {
    name: 'task',
    dir,
    file,
    combine: 'args',
    call: CALL,
    pass: undefined,
    durations: false,
    targets: shown.map((each) => made(each, isTarget)),
  };
}

const fileIn = (dir: string, look: Look): string | undefined =>
  NAMES.map((name) => join(dir, name)).find((path) => look.read(path, MAX_FILE) !== undefined);

function collect(file: string, prefix: string, dir: string, look: Look, found: Found[], seen: Set<string>): void {
  const text = seen.has(file) || seen.size >= MAX_FILES ? undefined : look.read(file, MAX_FILE);
  const document = text === undefined ? undefined : readYaml(text);
  if (!document || !isRecord(document.value)) return;
  seen.add(file);
  const variables = variablesOf(document.value['vars']);
  const tasks = document.value['tasks'];
  if (isRecord(tasks)) {
    for (const [name, task] of Object.entries(tasks)) {
      const line = document.line('tasks', name);
      found.push({ name: prefix + name, task, dir, prefix, variables, origin: { file, ...(line === undefined ? {} : { line }) } });
    }
  }
  includes(document, file, prefix, look, found, seen);
}

function includes(document: Document, file: string, prefix: string, look: Look, found: Found[], seen: Set<string>): void {
  const given = isRecord(document.value) ? document.value['includes'] : undefined;
  if (!isRecord(given)) return;
  for (const [name, each] of Object.entries(given)) {
    const path = typeof each === 'string' ? each : isRecord(each) && typeof each['taskfile'] === 'string' ? each['taskfile'] : undefined;
    if (path === undefined || /\{\{|^https?:/.test(path)) continue;
    const at = resolve(dirname(file), path);
    const target = look.read(at, MAX_FILE) === undefined ? fileIn(at, look) : at;
    if (target === undefined) continue;
    const own = isRecord(each) && typeof each['dir'] === 'string' ? resolve(dirname(file), each['dir']) : dirname(file);
    const flat = isRecord(each) && each['flatten'] === true;
    collect(target, flat ? prefix : `${prefix}${name}:`, own, look, found, seen);
  }
}

function made({ name, task, dir, prefix, variables, origin }: Found, isTarget: (name: string) => boolean): Target {
  const record = isRecord(task) ? task : { cmds: task };
  const own = new Map([...variables, ...variablesOf(record['vars'])]);
  const at = typeof record['dir'] === 'string' && !record['dir'].includes('{{') ? resolve(dir, record['dir']) : dir;
  const lines: string[] = [];
  const calls: string[] = [];
  const given = record['cmds'] ?? record['cmd'];
  for (const each of Array.isArray(given) ? given : [given]) {
    if (typeof each === 'string') lines.push(each);
    else if (isRecord(each)) {
      if (typeof each['cmd'] === 'string') lines.push(each['cmd']);
      if (typeof each['task'] === 'string') calls.push(each['task']);
    }
  }
  const needs = (Array.isArray(record['deps']) ? record['deps'] : []).flatMap((each) =>
    typeof each === 'string' ? [each] : isRecord(each) && typeof each['task'] === 'string' ? [each['task']] : [],
  );
  // A name is of its own file first; with a leading colon of the first file.
  const full = (each: string) => (each.startsWith(':') ? each.slice(1) : isTarget(prefix + each) ? prefix + each : each);
  const recipe = lines.map((line) => filled(line.trim(), own));
  const target = targetOf(
    {
      name,
      recipe,
      includes: [...needs, ...calls].map(full).filter(isTarget),
      writes: textsIn(record['generates'])
        .filter((glob) => !glob.includes('{{'))
        .map((glob) => join(at, glob)),
      command: callOf(CALL, name),
      origin,
      ...(record['watch'] === true ? { endless: true } : {}),
    },
    { runner: 'task', dir: at, isTarget },
  );
  return lines.some((line) => line.includes('.CLI_ARGS')) ? { ...target, pass: '-- {args}' } : target;
}

function variablesOf(given: unknown): ReadonlyMap<string, string> {
  if (!isRecord(given)) return new Map();
  return new Map(
    Object.entries(given).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
    ),
  );
}

/** Puts variables in; what is not known becomes a shell variable. What a caller hands over is nothing here. */
const filled = (line: string, variables: ReadonlyMap<string, string>): string =>
  line
    .replace(/\s*\{\{-?\s*\.CLI_ARGS\s*-?\}\}/g, '')
    .replace(
      /\{\{-?\s*([^{}]+?)\s*-?\}\}/g,
      (_all, inner: string) => variables.get(inner.replace(/^\./, '')) ?? `$${inner.replace(/\W+/g, '_')}`,
    );
