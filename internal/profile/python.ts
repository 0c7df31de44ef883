/** Python: tox environments, nox sessions, the scripts of pyproject.toml and poe's tasks, run through uv or poetry. */
import { dirname, join } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import type { Runner, Target } from './profile.ts';
import { inside, isRecord, textsIn } from './shape.ts';
import { callOf, MAX_TARGETS, targetOf } from './target.ts';
import { readToml, type TomlDocument } from './toml.ts';

const MAX_FILE = 256 * 1024;

const pyproject = (dir: string, look: Look): { file: string; document: TomlDocument } | undefined => {
  const file = join(dir, 'pyproject.toml');
  const text = look.read(file, MAX_FILE);
  const document = text === undefined ? undefined : readToml(text);
  return document && { file, document };
};

/** uv or poetry by its lock file or its section; the scripts of the project, and poe's tasks. */
export function pythonRunner(dir: string, root: string, look: Look): Runner | undefined {
  const found = pyproject(dir, look);
  if (!found) return undefined;
  const { file, document } = found;
  const manager = managerOf(dir, root, look, document);
  const poe = inside(document.value, 'tool', 'poe', 'tasks');
  const tasks = isRecord(poe)
    ? Object.entries(poe)
        .filter(([name]) => !name.startsWith('_'))
        .slice(0, MAX_TARGETS)
    : [];
  const names = new Set(tasks.map(([name]) => name));
  const isTarget = (name: string) => names.has(name);
  const at = (...path: string[]) => {
    const line = document.line(...path);
    return { file, ...(line === undefined ? {} : { line }) };
  };
  const poeCall = `${manager} run poe {target}`;
  const own = tasks.map(([name, task]) =>
    poeTarget(name, task, { call: poeCall, dir, runner: manager, isTarget, origin: at('tool', 'poe', 'tasks', name) }),
  );
  const scripts = [
    ['project', 'scripts'],
    ['tool', 'poetry', 'scripts'],
  ].flatMap((path) => {
    const section = inside(document.value, ...path);
    return isRecord(section) ? Object.keys(section).map((name) => ({ name, path: [...path, name] })) : [];
  });
  const entries = scripts
    .filter(({ name }) => !names.has(name))
    .map(
      ({ name, path }): Target => ({
        ...targetOf(
          { name, recipe: [], command: `${manager} run ${name}`, origin: at(...path), role: 'other' },
          { runner: manager, dir, isTarget },
        ),
      }),
    );
  const targets = [...own, ...entries];
  const call = own.length > 0 ? poeCall : `${manager} run {target}`;
  return targets.length === 0 ? undefined : { name: manager, dir, file, combine: 'none', call, pass: '{args}', durations: false, targets };
}

function managerOf(dir: string, root: string, look: Look, document: TomlDocument): 'uv' | 'poetry' {
  for (let at = dir; ; at = dirname(at)) {
    if (look.stat(join(at, 'uv.lock'))) return 'uv';
    if (look.stat(join(at, 'poetry.lock'))) return 'poetry';
    if (at === root || at === '/') break;
  }
  return inside(document.value, 'tool', 'poetry') === undefined ? 'uv' : 'poetry';
}

interface PoePlace {
  call: string;
  dir: string;
  runner: 'uv' | 'poetry';
  isTarget(name: string): boolean;
  origin: Target['origin'];
}

/** A poe task: a command, a shell text, a sequence, a reference. */
function poeTarget(name: string, task: unknown, { call, dir, runner, isTarget, origin }: PoePlace): Target {
  const recipe: string[] = [];
  const includes: string[] = [];
  const take = (given: unknown, inSequence: boolean): void => {
    if (typeof given === 'string') {
      // In a sequence a bare text is the name of a task.
      const [first = ''] = given.split(' ');
      if (inSequence && isTarget(first)) includes.push(first);
      else recipe.push(given);
    } else if (Array.isArray(given)) {
      for (const each of given) take(each, true);
    } else if (isRecord(given)) {
      for (const key of ['cmd', 'shell']) if (typeof given[key] === 'string') recipe.push(given[key]);
      for (const key of ['ref', 'deps']) for (const each of textsIn(given[key])) includes.push(each.split(' ')[0] as string);
      for (const key of ['sequence', 'parallel']) if (Array.isArray(given[key])) take(given[key], true);
    }
  };
  take(task, false);
  return targetOf({ name, recipe, includes: includes.filter(isTarget), command: callOf(call, name), origin }, { runner, dir, isTarget });
}

/** Sections of an INI file, with their lines. */
function readIni(text: string): ReadonlyMap<string, { line: number; values: ReadonlyMap<string, string> }> {
  const sections = new Map<string, { line: number; values: Map<string, string> }>();
  let values: Map<string, string> | undefined;
  let key = '';
  for (const [index, line] of text.replaceAll('\r\n', '\n').split('\n').entries()) {
    const head = /^\[([^\]]+)\]/.exec(line);
    if (head) {
      values = new Map();
      sections.set((head[1] as string).trim(), { line: index + 1, values });
      continue;
    }
    if (/^\s*[#;]/.test(line) || !values) continue;
    const pair = /^([\w.-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (pair) {
      key = pair[1] as string;
      values.set(key, pair[2] as string);
    } else if (/^\s+\S/.test(line) && key !== '') values.set(key, `${values.get(key) ?? ''}\n${line.trim()}`.trim());
  }
  return sections;
}

/** Environments of tox. */
export function toxRunner(dir: string, look: Look): Runner | undefined {
  const found = toxIni(dir, look);
  if (!found) return undefined;
  const { file, sections } = found;
  const base = sections.get('testenv');
  const list =
    (sections.get('tox')?.values ?? sections.get('tox:tox')?.values)?.get('envlist') ??
    (sections.get('tox')?.values ?? new Map<string, string>()).get('env_list') ??
    '';
  const names = new Set([
    ...envList(list),
    ...[...sections.keys()].filter((name) => name.startsWith('testenv:')).flatMap((name) => envList(name.slice(8))),
  ]);
  if (names.size === 0 && !base) return undefined;
  const call = 'tox -e {target}';
  const isTarget = (name: string) => names.has(name);
  const targets = [...names].slice(0, MAX_TARGETS).map((name) => {
    const own = [...sections].find(([section]) => section.startsWith('testenv:') && envList(section.slice(8)).includes(name))?.[1];
    const commands = own?.values.get('commands') ?? base?.values.get('commands') ?? '';
    const line = own?.line ?? base?.line;
    const recipe = commands
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((each) => each.trim().replace(/^[-!]\s+/, ''))
      .filter(Boolean);
    const plain = recipe.map((each) => each.replace(/\s*\{posargs[^}]*\}/g, '').replace(/\{[^}]*\}/g, '$$tox'));
    const target = targetOf(
      {
        name,
        recipe,
        text: plain,
        command: callOf(call, name),
        origin: { file, ...(line === undefined ? {} : { line }) },
        ...(/^py[\d.]*(-|$)|^pypy/.test(name) ? { role: 'test' as const } : {}),
      },
      { runner: 'tox', dir, isTarget },
    );
    return recipe.some((each) => each.includes('{posargs')) ? { ...target, pass: '-- {args}' } : target;
  });
  // Bare `tox` runs the list.
  const listed = envList(list).filter(isTarget);
  const all =
    listed.length > 0 && !names.has('all')
      ? [
          {
            ...targetOf({ name: 'all', recipe: [], includes: listed, command: 'tox', origin: { file } }, { runner: 'tox', dir, isTarget }),
            role: 'gate' as const,
            alone: true,
          },
        ]
      : [];
  return {
    name: 'tox',
    dir,
    file,
    combine: 'args',
    call,
    pass: undefined,
    durations: true,
    ...(all.length > 0 ? { initial: 'all' } : {}),
    targets: [...all, ...targets],
  };
}

function toxIni(dir: string, look: Look) {
  for (const name of ['tox.ini', 'setup.cfg', 'pyproject.toml']) {
    const file = join(dir, name);
    const text =
      name === 'pyproject.toml' ? inside(pyproject(dir, look)?.document.value, 'tool', 'tox', 'legacy_tox_ini') : look.read(file, MAX_FILE);
    if (typeof text !== 'string') continue;
    const sections = readIni(text);
    if ([...sections.keys()].some((section) => section === 'tox' || section === 'tox:tox' || section.startsWith('testenv')))
      return { file, sections };
  }
  return undefined;
}

/** `py{311,312}-unit, lint` without the braces. */
function envList(text: string): readonly string[] {
  const names = text.split(/[\s,]+(?![^{]*\})/).filter((name) => name !== '' && !name.startsWith('#'));
  return names.flatMap((name) => braces(name)).slice(0, 60);
}

function braces(name: string): readonly string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(name);
  if (!match) return [name];
  return (match[2] as string).split(',').flatMap((each) => braces(`${match[1]}${each.trim()}${match[3]}`));
}

/** A function of a noxfile that is marked as a session. */
interface Session {
  name: string;
  body: string;
  line: number;
}

/** Line by line: the marks in front of a function, and the deeper lines behind its name. */
function sessionsIn(text: string): readonly Session[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const found: Session[] = [];
  for (let i = 0; i < lines.length && found.length < MAX_TARGETS; i++) {
    if (!/^@(nox\.)?session\b/.test(lines[i] as string)) continue;
    const start = i;
    while (i < lines.length && !/^(async )?def /.test(lines[i] as string) && i - start < 40) i++;
    const own = /^(?:async )?def\s+(\w+)/.exec(lines[i] ?? '')?.[1];
    if (own === undefined) continue;
    const marks = lines.slice(start, i).join('\n');
    let end = i + 1;
    while (
      end < lines.length &&
      (/^[ \t]/.test(lines[end] as string) || (lines[end] as string).trim() === '' || /^\)/.test(lines[end] as string))
    )
      end++;
    found.push({
      name: /\bname\s*=\s*["']([^"'\n]+)["']/.exec(marks)?.[1] ?? own,
      body: lines
        .slice(i + 1, end)
        .join('\n')
        .slice(0, 8000),
      line: start + 1,
    });
    i = end - 1;
  }
  return found;
}

/** Sessions of a noxfile: read as text, never run. */
export function noxRunner(dir: string, look: Look): Runner | undefined {
  const file = join(dir, 'noxfile.py');
  const text = look.read(file, MAX_FILE);
  const sessions = text === undefined ? [] : sessionsIn(text);
  if (sessions.length === 0) return undefined;
  const call = 'nox -s {target}';
  const known = new Set(sessions.map((each) => each.name));
  const isTarget = (name: string) => known.has(name);
  const targets = sessions.map(({ name, body, line }) => {
    const recipe = [...body.matchAll(/session\.run(?:_always)?\(([^()]{0,2000})/g)].flatMap((run) => {
      const words = [...(run[1] as string).matchAll(/(?:^|[\s,])["']([^"'\n]*)["']/g)].map((word) => word[1]);
      return words.length > 0 ? [words.join(' ')] : [];
    });
    const includes = [...body.matchAll(/session\.notify\(\s*["']([^"'\n]+)["']/g)].map((each) => each[1] as string).filter(isTarget);
    const target = targetOf(
      { name, recipe, includes, command: callOf(call, name), origin: { file, line } },
      { runner: 'nox', dir, isTarget },
    );
    return body.includes('session.posargs') ? { ...target, pass: '-- {args}' } : target;
  });
  return { name: 'nox', dir, file, combine: 'args', call, pass: undefined, durations: true, targets };
}
