/** The state of reading one program, and the effects it has found. */
import type { Look } from '../../shell/command.ts';
import { sqlEffects } from '../data-sql.ts';
import type { Base, Effect, Target } from '../effect.ts';
import { targetOf } from '../family.ts';
import { targetsOf, writing } from '../files-paths.ts';
import { belongsTo } from '../network-hosts.ts';
import type { FileEffect } from '../types-files.ts';
import { type Block, Limit } from './ast.ts';
import type { LanguageName } from './parse-core.ts';
import { shellText } from './shell-text.ts';
import { each, Mark, partsIn, type Scope, sources, textIn, type Value, wordIn } from './value.ts';

/** Reads a shell text and gives its effects, as if it ran in `cwd`. */
export type ReadShell = (text: string, cwd: string | undefined) => readonly Effect[];

/** One call of a function that a language knows. */
export interface Called {
  args: readonly Value[];
  named: ReadonlyMap<string, Value>;
  /** The receiver of a method. */
  self: Value | undefined;
  /** The name it was called by, for `how`. */
  name: string;
}
export type Handler = (call: Called, m: Machine) => Value | undefined;

/** What a language brings besides its syntax. */
export interface Language {
  name: LanguageName;
  /** Full name of a function, alias names resolved. */
  canonical(name: string): string;
  /** Functions by full name. */
  calls: Readonly<Record<string, Handler>>;
  /** Methods by `Class.name`. */
  methods: Readonly<Record<string, Handler>>;
  /** Methods that tell what they do whatever they are called on. */
  loose: Readonly<Record<string, Handler>>;
  /** Values of names and members that are no functions: `os.sep`, `process.env`. */
  constant(name: string, m: Machine): Value | undefined;
  /** Words of a text that make a closer look worth it. */
  signals: RegExp;
}

export interface Machine {
  language: Language;
  look: Look;
  base: Base;
  /** Directory of the program; changes with chdir. */
  cwd: string | undefined;
  /** Arguments of the program, without its own name. */
  args: readonly Value[];
  /** Absolute path of the script; undefined for a text given on the line. */
  file: string | undefined;
  /** What stands in front of effects of commands it starts. */
  label: string;
  scope: Scope;
  certain: boolean;
  looped: boolean;
  depth: number;
  /** Calls and loop turns still allowed. */
  budget: number;
  limited: boolean;
  effects: Effect[];
  /** Functions seen, to look at those that were handed on but never called. */
  functions: { name: string; value: Value }[];
  /** Modules whose names were all imported. */
  stars: string[];
  /** Names that were used as values. */
  used: Set<string>;
  read: ReadShell;
  /** Runs a text as a program of the same language, in the same scope. */
  evaluate(text: string): void;
  /** Calls a function value. */
  call(fn: Value, args: readonly Value[]): Value;
  run(block: Block): { value: Value | undefined; returned: boolean };
  /** Words that stand for holes of the command line. */
  holes: readonly Value[];
}

const MAX_EFFECTS = 400;

const baseNow = (m: Machine): Base => ({ ...m.base, cwd: m.cwd, certain: m.base.certain && m.certain });

function put(m: Machine, effect: Effect): void {
  // Nothing that comes behind so many effects would change the judgement.
  if (m.effects.length >= MAX_EFFECTS) throw new Limit('too many effects');
  m.effects.push(effect);
}

/** A value as targets. Paths that start with `~/` mean home, though few functions expand it. */
export function targets(m: Machine, value: Value | undefined): Target[] {
  if (!value) return [];
  return each(value).flatMap((one) => {
    const parts = partsIn(one);
    if (parts.length === 0) return [];
    const word = wordIn(one);
    const first = parts[0]!;
    const home =
      first.kind === 'text' && /^~(?=\/|$)/.test(first.text)
        ? { parts: [{ ...first, text: m.look.home + first.text.slice(1) }, ...parts.slice(1)], raw: word.raw }
        : word;
    // A pattern that reads as text is one all the same: glob functions gave it.
    return m.certain ? targetsOf([home], m.cwd) : [targetOf(home, m.cwd)];
  });
}

/** Known targets, each once. */
const distinct = (list: readonly Target[]): Target[] => [
  ...new Map(list.filter((target) => target.path !== undefined).map((target) => [target.path, target])).values(),
];

/** Targets that a script file on disk may leave open: whatever it is given, it is the workspace's own program. */
const known = (m: Machine, list: readonly Target[]): Target[] =>
  m.file === undefined ? [...list] : list.filter((target) => target.path !== undefined || target.prefix !== '');

export function deletes(m: Machine, value: Value | undefined, how: { recursive: boolean; name: string }): void {
  const list = known(m, targets(m, value ?? { marks: 0 }));
  if (list.length === 0) return;
  put(m, {
    kind: 'file.delete',
    ...baseNow(m),
    targets: list,
    recursive: how.recursive,
    how: `${m.label} ${how.name}`,
    command: m.base.source,
  });
}

export interface WriteHow {
  mode: 'truncate' | 'in-place' | 'append' | 'create';
  name: string;
  content?: Value;
}

/** A write. Gives the effect, so that what an open file gets later can be added. */
export function writes(m: Machine, value: Value | undefined, how: WriteHow): Value['write'] {
  if (!value) return undefined;
  const list = known(m, targets(m, value));
  if (list.length === 0) return undefined;
  const content = how.content && textIn(how.content);
  const made = writing(baseNow(m), list, {
    mode: how.mode === 'truncate' && how.content && !substituted(how.content) && isFrom(list, how.content, m) ? 'in-place' : how.mode,
    how: m.label,
    command: m.base.source,
    ...(content !== undefined ? { content } : {}),
    ...(how.content && substituted(how.content) ? { substitutes: true } : {}),
  });
  for (const effect of made) put(m, effect);
  return made.find((effect): effect is Extract<FileEffect, { kind: 'file.write' }> => effect.kind === 'file.write');
}

/** The new text was made from what these files held: `d = json.load(open(f)); …; json.dump(d, open(f, 'w'))`. */
export function isFrom(list: readonly Target[], content: Value, m: Machine): boolean {
  const { marks, reads } = sources(content);
  if ((marks & Mark.read) === 0 || !reads) return false;
  const paths = new Set(reads.map((word) => targetOf(word, m.cwd).path));
  return list.every((target) => target.path !== undefined && paths.has(target.path));
}

/** Text that was read, changed by replacing, and is written back. */
export const substituted = (value: Value): boolean => {
  const { marks } = sources(value);
  return (marks & Mark.replaced) !== 0 && (marks & Mark.read) !== 0;
};

export function moves(
  m: Machine,
  from: Value | undefined,
  to: Value | undefined,
  how: { into: boolean; noClobber?: boolean; name: string },
): void {
  const sourcesList = known(m, targets(m, from ?? { marks: 0 }));
  const dest = targets(m, to ?? { marks: 0 })[0];
  if (sourcesList.length === 0 || !dest) return;
  put(m, {
    kind: 'file.move',
    ...baseNow(m),
    sources: sourcesList,
    dest,
    into: how.into,
    noClobber: how.noClobber ?? false,
    backup: false,
    command: m.base.source,
    ...(m.looped && !how.into && dest.path !== undefined && !dest.glob && sourcesList.some((each) => each.glob || each.path === undefined)
      ? { colliding: true }
      : {}),
  });
}

export function copies(
  m: Machine,
  from: Value | undefined,
  to: Value | undefined,
  how: { into: boolean; recursive?: boolean; noClobber?: boolean; name: string },
): void {
  const sourcesList = targets(m, from ?? { marks: 0 });
  const dest = known(m, targets(m, to ?? { marks: 0 }))[0];
  if (sourcesList.length === 0 || !dest) return;
  put(m, {
    kind: 'file.copy',
    ...baseNow(m),
    sources: sourcesList,
    dest,
    into: how.into,
    noClobber: how.noClobber ?? false,
    backup: false,
    recursive: how.recursive ?? false,
    command: m.base.source,
  });
}

export function makes(m: Machine, value: Value | undefined): void {
  const list = targets(m, value);
  if (list.length > 0) put(m, { kind: 'file.mkdir', ...baseNow(m), targets: list });
}

export function links(m: Machine, target: Value | undefined, at: Value | undefined, symbolic: boolean): void {
  const to = targets(m, target)[0];
  const where = targets(m, at)[0];
  if (to && where) put(m, { kind: 'file.link', ...baseNow(m), target: to, at: where, symbolic, force: false });
}

export function changesMode(
  m: Machine,
  value: Value | undefined,
  mode: Value | undefined,
  change: 'mode' | 'owner' = 'mode',
  recursive = false,
): void {
  const list = known(m, targets(m, value));
  if (list.length === 0) return;
  const bits = mode?.num !== undefined ? mode.num.toString(8) : (textIn(mode) ?? '');
  put(m, { kind: 'file.mode', ...baseNow(m), targets: list, recursive, change, value: bits, command: m.base.source });
}

/** A statement handed to a database. */
export function queries(m: Machine, value: Value | undefined, engine: string): void {
  const statement = textIn(value);
  if (statement === undefined || statement.length > 200_000) return;
  for (const effect of sqlEffects(statement, baseNow(m), engine)) put(m, effect);
}

export function fetches(m: Machine, url: Value | undefined, to?: Value): void {
  const at = textIn(url) ?? (url ? wordIn(url).raw : '');
  const dest = to && targets(m, to)[0];
  put(m, { kind: 'net.fetch', ...baseNow(m), url: at, ...(dest ? { to: dest } : {}), command: m.base.source });
}

/** The environment itself, also inside of an object. */
const holdsEnvironment = (value: Value): boolean =>
  value.type === 'Environment' || [...(value.fields?.values() ?? []), ...(value.items ?? [])].some((inner) => inner.type === 'Environment');

export function sends(m: Machine, url: Value | undefined, payload: readonly Value[], channel: 'http' | 'socket' | 'mail' = 'http'): void {
  const at = textIn(url) ?? (url ? wordIn(url).raw : '');
  const found = payload.map((value) => sources(value));
  const whole = payload.some((value) => holdsEnvironment(value));
  if (whole) put(m, { kind: 'secret.dump', ...baseNow(m), what: 'the environment', shown: false, how: m.label, command: m.base.source });
  const files = distinct(found.flatMap((value) => value.reads ?? []).map((word) => targetOf(word, m.cwd)));
  const variables = [...new Set(found.flatMap((value) => value.vars ?? []))].filter((name) => !belongsTo(name, at, false));
  put(m, {
    kind: 'net.send',
    ...baseNow(m),
    to: at,
    files,
    variables,
    channel,
    ...(whole ? { piped: true, from: [m.base.step] } : {}),
    command: m.base.source,
  });
}

/** Text or bytes that are run as a program. */
export function runsText(m: Machine, value: Value | undefined, how: 'shell' | 'program', name: string): void {
  if (!value) return;
  for (const one of each(value)) {
    const { marks, url } = sources(one);
    if (marks & Mark.net) put(m, { kind: 'exec.remote', ...baseNow(m), url: url ?? '', how: `${m.label} ${name}`, command: m.base.source });
    else if (marks & Mark.decoded) put(m, { kind: 'exec.decoded', ...baseNow(m), how: `${m.label} ${name}`, command: m.base.source });
    const known = textIn(one);
    if (how === 'program') {
      if (known !== undefined) m.evaluate(known);
      continue;
    }
    if (one.parts !== undefined) shell(m, shellText(one));
  }
}

/** A program with its arguments, as a list of values. */
export function runsArgv(m: Machine, argv: readonly Value[], name: string): void {
  if (argv.length === 0) return;
  const first = argv[0]!;
  const marks = argv.reduce((all, value) => all | sources(value).marks, 0);
  if (marks & Mark.net && first.parts === undefined)
    put(m, { kind: 'exec.remote', ...baseNow(m), url: sources(first).url ?? '', how: `${m.label} ${name}`, command: m.base.source });
  if (textIn(first) === undefined) return;
  shell(m, shellText(...argv));
}

function shell(m: Machine, line: string): void {
  if (line.trim() === '') return;
  if (m.budget <= 0) return;
  m.budget -= 20;
  for (const effect of m.read(line, m.cwd)) {
    put(m, {
      ...effect,
      step: m.base.step,
      given: m.base.given,
      certain: effect.certain && m.base.certain && m.certain,
      via: [...m.base.via, ...(m.file === undefined ? [m.label] : []), ...effect.via],
      ...(m.base.script !== undefined ? { script: m.base.script } : {}),
      remote: effect.remote || m.base.remote,
      root: effect.root || m.base.root,
      ...(m.base.env && !effect.env ? { env: m.base.env } : {}),
    });
  }
}

export function kills(m: Machine, pid: Value | undefined, signal: Value | undefined, how: 'pid' | 'name' | 'all' | 'parent'): void {
  if (pid?.type === 'OwnPid') return;
  const sent = textIn(signal);
  const what = pid ? each(pid).map((value) => textIn(value) ?? wordIn(value).raw) : [];
  put(m, {
    kind: 'process.kill',
    ...baseNow(m),
    by: pid?.type === 'ParentPid' ? 'parent' : how,
    what,
    ...(sent !== undefined ? { signal: sent } : {}),
    ...(sent === '0' ? { probe: true } : {}),
    command: m.base.source,
  } as Effect);
}

/** Values that are shown to the reader: what they were read from counts. */
export function shows(m: Machine, values: readonly Value[], name: string): void {
  for (const value of values.flatMap((one) => each(one))) {
    if (value.type === 'Environment') {
      put(m, {
        kind: 'secret.dump',
        ...baseNow(m),
        what: 'the environment',
        shown: true,
        how: `${m.label} ${name}`,
        command: m.base.source,
      });
      continue;
    }
    const found = sources(value);
    for (const variable of new Set(found.vars ?? [])) {
      put(m, {
        kind: 'secret.read',
        ...baseNow(m),
        what: 'environment variable',
        variable,
        shown: true,
        how: `${m.label} ${name}`,
        command: m.base.source,
      });
    }
    const files = distinct((found.reads ?? []).map((word) => targetOf(word, m.cwd)));
    if (files.length > 0) put(m, { kind: 'file.read', ...baseNow(m), targets: files, shown: true });
  }
}

/** A shell that somebody elsewhere talks to. */
export function handsShell(m: Machine, to: Value | undefined): void {
  const at = to
    ? each(to)
        .map((part) => textIn(part) ?? '')
        .join(':')
    : '';
  put(m, { kind: 'exec.remote', ...baseNow(m), url: at, how: `${m.label} shell on a socket`, command: m.base.source });
}

export function ends(m: Machine, how: 'power' | 'other', detail: string): void {
  put(m, { kind: 'system.state', ...baseNow(m), how, detail, command: m.base.source });
}

export function exhausts(m: Machine, how: string): void {
  put(m, { kind: 'system.exhaustion', ...baseNow(m), how, command: m.base.source });
}

/** The value of an environment variable. */
export function environment(m: Machine, name: string): Value {
  const given = m.base.env?.get(name);
  if (given !== undefined) return { parts: given === '' ? [] : [{ kind: 'text', text: given }], marks: 0, vars: [name] };
  if (name === 'HOME' || name === 'USERPROFILE') return { parts: [{ kind: 'text', text: m.look.home }], marks: 0 };
  if (name === 'TMPDIR' || name === 'TEMP' || name === 'TMP') return { parts: [{ kind: 'text', text: m.look.tmp }], marks: 0 };
  if (name === 'PWD' && m.cwd !== undefined) return { parts: [{ kind: 'text', text: m.cwd }], marks: 0 };
  const set = m.base.env?.has(name) !== true && m.look.env(name) !== undefined;
  return { parts: [{ kind: 'hole', text: `$${name}`, why: set ? 'variable' : 'unset', name }], marks: 0, vars: [name] };
}
