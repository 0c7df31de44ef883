/** Makefiles, read as make reads them as far as that can be done without running anything. */
import { dirname, resolve } from 'node:path/posix';
import type { Look } from '../shell/command.ts';

/** One target of a Makefile. */
export interface MakeTarget {
  name: string;
  /** Prerequisites that are named outright; order-only ones too. */
  needs: readonly string[];
  /** Recipe lines with variables put in; `-` in front where the status is ignored. */
  recipe: readonly string[];
  /** The same without that mark, to be read. */
  text: readonly string[];
  phony: boolean;
  /** Variables that are set for it and what it needs, as written: `GO = go1.22`. */
  sets: readonly string[];
  file: string;
  line: number;
}

export interface Makefile {
  /** The first file read. */
  file: string;
  /** In the order of the files; the first without a leading dot is the default. */
  targets: readonly MakeTarget[];
  /** `.DEFAULT_GOAL`, where it is set. */
  initial: string | undefined;
}

/** A larger one is generated. */
const MAX_FILE = 256 * 1024;
/** Prerequisites of one rule that are kept. */
const MAX_NEEDS = 500;
/** Files that are read through `include`. */
const MAX_FILES = 30;

/** The names make looks for, in its order. */
export const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

const PLAIN_SHELL = '/bin/sh';

interface Draft {
  name: string;
  needs: string[];
  recipe: string[];
  file: string;
  line: number;
}

interface State {
  look: Look;
  dir: string;
  variables: Map<string, string>;
  targets: Map<string, Draft>;
  phony: Set<string>;
  /** Targets that only tell make something: `.IGNORE`. */
  special: Set<string>;
  /** Variables that are set for a target and what it needs, by target. */
  sets: Map<string, readonly string[]>;
  seen: Set<string>;
}

/** Reads the Makefile of a directory, or the file that is named; undefined when there is none. */
export function readMakefile(dir: string, look: Look, named?: string): Makefile | undefined {
  const names = named === undefined ? MAKEFILES : [named];
  const file = names.map((name) => resolve(dir, name)).find((path) => look.read(path, MAX_FILE) !== undefined);
  if (file === undefined) return undefined;
  const state: State = {
    look,
    dir,
    variables: new Map([
      ['MAKE', 'make'],
      ['CURDIR', dir],
      ['PWD', dir],
      ['SHELL', PLAIN_SHELL],
      ['CC', 'cc'],
      ['CXX', 'c++'],
      ['RM', 'rm -f'],
    ]),
    targets: new Map(),
    phony: new Set(),
    special: new Set(),
    sets: new Map(),
    seen: new Set(),
  };
  readFile(file, state);
  return {
    file,
    targets: [...state.targets.values()].map((draft) => finished(draft, state)),
    initial: state.variables.get('.DEFAULT_GOAL'),
  };
}

function finished(draft: Draft, state: State): MakeTarget {
  const needs = [...new Set(draft.needs)];
  const sets = state.sets.get(draft.name) ?? [];
  const scope: State = { ...state, variables: new Map(state.variables) };
  for (const each of sets) assignment(each, scope);
  const own = new Map([
    ...scope.variables,
    ['@', draft.name],
    ['<', needs[0] ?? ''],
    ['^', needs.join(' ')],
    ['+', needs.join(' ')],
    ['?', needs.join(' ')],
    ['*', draft.name],
    ['@D', dirname(draft.name)],
  ]);
  const recipe = draft.recipe.map((line) => unknown(expand(line, own)).replaceAll('$$', '$').trim());
  return {
    name: draft.name,
    needs,
    recipe,
    text: recipe.map((line) => line.replace(/^-/, '')),
    phony: state.phony.has(draft.name),
    sets: [...shellOf(state), ...sets],
    file: draft.file,
    line: draft.line,
  };
}

/** What changes how every recipe is run: another shell or its flags, options for make, ignored failures. */
function shellOf(state: State): readonly string[] {
  const named = ['SHELL', '.SHELLFLAGS', 'MAKEFLAGS', 'GNUMAKEFLAGS'].flatMap((name) => {
    const value = state.variables.get(name);
    return value === undefined || (name === 'SHELL' && value === PLAIN_SHELL) ? [] : [`${name} = ${value}`];
  });
  return state.special.has('.IGNORE') ? [...named, '.IGNORE'] : named;
}

function readFile(file: string, state: State): void {
  const text = state.seen.has(file) || state.seen.size >= MAX_FILES ? undefined : state.look.read(file, MAX_FILE);
  if (text === undefined) return;
  state.seen.add(file);
  let open: Draft[] = [];
  let prefix = '\t';
  let inDefine: { name: string; lines: string[] } | undefined;
  for (const { text: raw, line } of logicalLines(text)) {
    if (inDefine) {
      if (/^\s*endef\b/.test(raw)) {
        state.variables.set(inDefine.name, inDefine.lines.join('\n'));
        inDefine = undefined;
      } else inDefine.lines.push(raw);
      continue;
    }
    if (raw.startsWith(prefix) && open.length > 0) {
      const own = stripped(raw.slice(prefix.length));
      if (own !== '') for (const draft of open) draft.recipe.push(own);
      continue;
    }
    const plain = withoutComment(raw).trim();
    if (plain === '') continue;
    // Both branches of a condition are read: which one counts is only known when make runs.
    if (/^(ifeq|ifneq|ifdef|ifndef|else|endif)\b/.test(plain)) continue;
    const define = /^(?:override\s+|export\s+)*define\s+([^\s=:?+]+)/.exec(plain);
    if (define) {
      inDefine = { name: define[1] as string, lines: [] };
      continue;
    }
    const include = /^[-s]?include\s+(.+)$/.exec(plain);
    if (include) {
      for (const each of expand(include[1] as string, state.variables).split(/\s+/)) {
        if (each !== '' && !/[*?$%[]/.test(each)) readFile(resolve(state.dir, each), state);
      }
      continue;
    }
    const assigned = assignment(plain, state);
    if (assigned) {
      if (assigned.name === '.RECIPEPREFIX' && assigned.value !== '') prefix = assigned.value[0] as string;
      open = [];
      continue;
    }
    open = rule(plain, line, file, state) ?? (/^(export|unexport|vpath|override|undefine|-?load|\$\()/.test(plain) ? [] : open);
  }
}

/** `A = x`, `A := x`, `A ?= x`, `A += x`, with `export` and `override` before it. */
function assignment(plain: string, state: State): { name: string; value: string } | undefined {
  const match = /^(?:(?:export|override|private)\s+)*([^\s:#=?+!$]+)\s*(\?=|:=|::=|:::=|\+=|!=|=)\s*(.*)$/s.exec(plain);
  if (!match) return undefined;
  const [, name = '', op, value = ''] = match;
  const old = state.variables.get(name);
  if (op === '+=') state.variables.set(name, old === undefined ? value : `${old} ${value}`);
  else if (op === '!=') state.variables.delete(name);
  else if (op === '?=') {
    if (old === undefined) state.variables.set(name, value);
  } else state.variables.set(name, op === '=' ? value : expand(value, state.variables));
  return { name, value };
}

/** A rule's first line. Pattern rules give no target of their own; an assignment to a target's variable is none. */
function rule(plain: string, line: number, file: string, state: State): Draft[] | undefined {
  const expanded = expand(plain, state.variables, 1);
  const match = /^([^:=]+?)\s*(?:&?::?)(?!=)\s*(.*)$/s.exec(expanded);
  if (!match) return undefined;
  let [, heads = '', rest = ''] = match;
  if (/^(?:(?:export|override|private)\s+)*[\w.-]+\s*(\?=|:=|::=|:::=|\+=|=)/.test(rest)) {
    for (const name of heads.trim().split(/\s+/)) state.sets.set(name, [...(state.sets.get(name) ?? []), rest.trim()].slice(0, MAX_NEEDS));
    return [];
  }
  const semicolon = rest.indexOf(';');
  const inline = semicolon === -1 ? undefined : stripped(rest.slice(semicolon + 1));
  if (semicolon !== -1) rest = rest.slice(0, semicolon);
  // A static pattern rule: `a.o b.o: %.o: %.c`.
  const needs = (rest.split(/:(?!=)/).at(-1) as string)
    .replace('|', ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !/[%$()]/.test(word));
  heads = heads.trim();
  const names = heads.split(/\s+/).filter((word) => word !== '' && !/[%$()]/.test(word));
  if (names.length === 0) return [];
  if (names[0] === '.PHONY') {
    for (const each of needs) state.phony.add(each);
    return [];
  }
  for (const name of names) if (/^\.[A-Z_]+$/.test(name)) state.special.add(name);
  return names
    .filter((name) => !/^\.[A-Z_]+$/.test(name))
    .map((name) => {
      const draft = state.targets.get(name) ?? { name, needs: [], recipe: [], file, line };
      for (const each of needs.slice(0, MAX_NEEDS)) draft.needs.push(each);
      if (inline) draft.recipe.push(inline);
      if (draft.recipe.length === 0) Object.assign(draft, { file, line });
      state.targets.set(name, draft);
      return draft;
    });
}

/** A recipe line without make's own prefixes; the one that ignores the status stays, in front. */
const stripped = (line: string): string => {
  const [prefix = ''] = /^[\s@+-]*/.exec(line) ?? [];
  const rest = line.slice(prefix.length).trim();
  return prefix.includes('-') && rest !== '' ? `-${rest}` : rest;
};

/** Lines with their continuations, and the number of the first. A comment in a recipe belongs to the shell. */
function logicalLines(text: string): readonly { text: string; line: number }[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const found: { text: string; line: number }[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = i + 1;
    let whole = lines[i] as string;
    const recipe = whole.startsWith('\t');
    if (goesOn(whole)) {
      const parts = [whole];
      for (; goesOn(lines[i] as string) && i + 1 < lines.length; i++) parts.push(lines[i + 1] as string);
      whole = recipe
        ? parts.map((part, at) => (at === 0 ? part : part.replace(/^\t/, ''))).join('\n')
        : parts.map((part, at) => (at < parts.length - 1 ? part.slice(0, -1) : part).trim()).join(' ');
    }
    found.push({ text: whole, line });
  }
  return found;
}

/** A line with an odd number of backslashes at its end goes on. */
function goesOn(line: string): boolean {
  let at = line.length;
  while (at > 0 && line[at - 1] === '\\') at--;
  return (line.length - at) % 2 === 1;
}

const withoutComment = (line: string): string => line.replace(/(^|[^\\])#.*$/s, '$1');

/** A variable that is set nowhere is empty as a word of its own; in a word, and a function, it becomes one that the shell's reader does not know. */
const unknown = (line: string): string =>
  line
    .replace(/(?:^|\s+)\$[({][\w.-]+[)}](?=\s|$)/g, '')
    .replace(/(^|[^$])\$\(([\w.-]+)\)/g, '$1$${$2}')
    .replace(/(^|[^$])\$[({][a-z]+ (?:[^()]|\([^()]*\))*[)}]/g, '$1$${make}');

/** Puts variables in, nested up to eight times. What is not known, and every function, stays as it is. */
function expand(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > 8 || !text.includes('$')) return text;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char !== '$') {
      out += char;
      continue;
    }
    const next = text[i + 1];
    if (next === '$') {
      out += '$$';
      i++;
      continue;
    }
    if (next === '(' || next === '{') {
      const end = closing(text, i + 1);
      if (end === -1) return out + text.slice(i);
      const name = text.slice(i + 2, end).trim();
      const value = variables.get(name);
      out += value === undefined ? text.slice(i, end + 1) : expand(value, variables, depth + 1);
      i = end;
      continue;
    }
    const value = next === undefined ? undefined : variables.get(next);
    out += value ?? char;
    if (value !== undefined) i++;
  }
  return out;
}

/** The bracket that closes the one at `at`, or -1. */
function closing(text: string, at: number): number {
  const [open, close] = text[at] === '(' ? ['(', ')'] : ['{', '}'];
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === open) depth++;
    else if (text[i] === close && --depth === 0) return i;
  }
  return -1;
}
