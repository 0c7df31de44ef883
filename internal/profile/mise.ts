/** mise: tasks of its configuration files and its folders of task scripts. */
import { join, resolve } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import type { Runner, Target } from './profile.ts';
import { inside, isRecord, textsIn } from './shape.ts';
import { callOf, MAX_TARGETS, targetOf } from './target.ts';
import { readToml } from './toml.ts';

const MAX_FILE = 256 * 1024;
const MAX_SCRIPTS = 100;
const CALL = 'mise run {target}';

const FILES = [
  'mise.toml',
  '.mise.toml',
  'mise/config.toml',
  '.mise/config.toml',
  '.config/mise.toml',
  '.config/mise/config.toml',
  'mise.local.toml',
  '.mise.local.toml',
];
const FOLDERS = ['mise-tasks', '.mise-tasks', 'mise/tasks', '.mise/tasks', '.config/mise/tasks'];

interface Found {
  name: string;
  task: unknown;
  origin: Target['origin'];
  text?: string;
}

/** The tasks of a directory; undefined when there are none. */
export function miseRunner(dir: string, look: Look): Runner | undefined {
  const found = [...declared(dir, look), ...scripts(dir, look)].slice(0, MAX_TARGETS);
  const [first] = found;
  if (!first) return undefined;
  const names = new Set(found.map((each) => each.name));
  const isTarget = (name: string) => names.has(name);
  const targets = found.map((each) => made(each, dir, isTarget));
  return { name: 'mise', dir, file: first.origin.file, combine: 'args', call: CALL, pass: '{args}', durations: true, targets };
}

function declared(dir: string, look: Look): readonly Found[] {
  return FILES.flatMap((name) => {
    const file = join(dir, name);
    const text = look.read(file, MAX_FILE);
    const document = text === undefined ? undefined : readToml(text);
    const tasks = document && inside(document.value, 'tasks');
    if (!document || !isRecord(tasks)) return [];
    return Object.entries(tasks)
      .filter(([, task]) => !(isRecord(task) && task['hide'] === true))
      .map(([key, task]) => {
        const line = document.line('tasks', key);
        return { name: key, task, origin: { file, ...(line === undefined ? {} : { line }) } };
      });
  });
}

/** Executable files of a task folder: `test/unit` is `test:unit`. Their settings stand in comments, `#MISE depends=["x"]`. */
function scripts(dir: string, look: Look): readonly Found[] {
  const found: Found[] = [];
  const visit = (folder: string, prefix: string, depth: number): void => {
    for (const name of look.list(folder) ?? []) {
      if (found.length >= MAX_SCRIPTS || name.startsWith('.')) continue;
      const file = join(folder, name);
      const kind = look.stat(file)?.kind;
      if (kind === 'dir' && depth < 3) visit(file, `${prefix}${name}:`, depth + 1);
      if (kind !== 'file') continue;
      const text = look.read(file, MAX_FILE);
      if (text === undefined) continue;
      const settings = [...text.matchAll(/^(?:#|\/\/)\s*\[?MISE\]?\s+(.+)$/gm)].map((match) => match[1]).join('\n');
      found.push({
        name: prefix + (name === '_default' ? prefix.slice(0, -1) : name.replace(/\.(sh|bash|js|ts|py|rb)$/, '')),
        task: readToml(settings)?.value ?? {},
        origin: { file, line: 1 },
        text,
      });
    }
  };
  for (const folder of FOLDERS) visit(join(dir, folder), '', 0);
  return found;
}

function made({ name, task, origin, text }: Found, dir: string, isTarget: (name: string) => boolean): Target {
  const record = isRecord(task) ? task : { run: task };
  const at = typeof record['dir'] === 'string' && !record['dir'].includes('{{') ? resolve(dir, record['dir']) : dir;
  const needs = ['depends', 'depends_post', 'wait_for'].flatMap((key) => (key === 'wait_for' ? [] : needsIn(record[key])));
  const run = Array.isArray(record['run']) ? record['run'] : [record['run']];
  const called = run.flatMap((each) => (isRecord(each) ? [...textsIn(each['task']), ...textsIn(each['tasks'])] : []));
  const shell = text !== undefined && /^#!.*\b(ba|z|da|k)?sh\b/.test(text.slice(0, 100));
  const recipe = text === undefined ? run.filter((each): each is string => typeof each === 'string') : [origin.file];
  return targetOf(
    {
      name,
      recipe,
      ...(text === undefined ? {} : { text: shell ? [text] : [] }),
      includes: [...needs, ...called].map((each) => each.split(' ')[0] as string).filter(isTarget),
      writes: textsIn(record['outputs'])
        .filter((glob) => !glob.includes('{{'))
        .map((glob) => join(at, glob)),
      command: callOf(CALL, name),
      origin,
    },
    { runner: 'mise', dir: at, isTarget },
  );
}

const needsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each) =>
    typeof each === 'string' ? [each] : Array.isArray(each) && typeof each[0] === 'string' ? [each[0]] : [],
  );
