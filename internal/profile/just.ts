/** just: the recipes of a justfile, with its imports and modules. */
import { dirname, join, resolve } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import type { Runner } from './profile.ts';
import { callOf, MAX_TARGETS, targetOf } from './target.ts';

const MAX_FILE = 256 * 1024;
const MAX_FILES = 20;
const CALL = 'just {target}';

interface Recipe {
  name: string;
  /** Parameters as written. */
  parameters: readonly string[];
  needs: readonly string[];
  body: string[];
  hidden?: boolean;
  file: string;
  line: number;
}

interface State {
  look: Look;
  /** Variables with a plain text value. */
  variables: Map<string, string>;
  recipes: Map<string, Recipe>;
  aliases: Map<string, string>;
  seen: Set<string>;
  /** `set shell := […]`: what changes how every recipe is run. */
  settings: string[];
}

/** The recipes of a directory's justfile; undefined when there are none. */
export function justRunner(dir: string, look: Look): Runner | undefined {
  const file = ['justfile', '.justfile', 'Justfile', 'JUSTFILE']
    .map((name) => join(dir, name))
    .find((path) => look.read(path, MAX_FILE) !== undefined);
  if (file === undefined) return undefined;
  const state: State = { look, variables: new Map(), recipes: new Map(), aliases: new Map(), seen: new Set(), settings: [] };
  readFile(file, '', state);
  const recipes = [...state.recipes.values()]
    .filter((recipe) => !recipe.hidden && !recipe.name.split('::').at(-1)?.startsWith('_'))
    .slice(0, MAX_TARGETS);
  if (recipes.length === 0) return undefined;
  const isTarget = (name: string) => state.recipes.has(name) || state.aliases.has(name);
  const targets = recipes.map((recipe) => {
    const body = recipe.body.map((line) => filled(line, state.variables));
    // A body that starts with `#!` is one script.
    const script = body[0]?.startsWith('#!') === true;
    const text = script
      ? /\b(ba|z|da|k)?sh\b/.test(body[0] as string)
        ? [body.slice(1).join('\n')]
        : []
      : body.map((line) => line.replace(/^[@-]+\s*/, ''));
    const last = recipe.parameters.at(-1) ?? '';
    const takesAny = /^[*+$]/.test(last);
    return {
      ...targetOf(
        {
          name: recipe.name,
          recipe: script ? [body.join('\n')] : body.map((line) => (/^@?-/.test(line) ? '-' : '') + line.replace(/^[@-]+\s*/, '')),
          text,
          includes: recipe.needs.map((name) => state.aliases.get(name) ?? name).filter(isTarget),
          command: callOf(CALL, recipe.name),
          origin: { file: recipe.file, line: recipe.line },
        },
        { runner: 'just' as const, dir, isTarget },
      ),
      ...(state.settings.length > 0 ? { sets: state.settings } : {}),
      ...(takesAny ? { pass: '{args}' } : {}),
      ...(recipe.parameters.some((each) => !each.includes('=') && !each.startsWith('*')) ? { alone: true } : {}),
    };
  });
  return { name: 'just', dir, file, combine: 'args', call: CALL, pass: undefined, durations: false, targets };
}

function readFile(file: string, prefix: string, state: State): void {
  const text = state.seen.has(file) || state.seen.size >= MAX_FILES ? undefined : state.look.read(file, MAX_FILE);
  if (text === undefined) return;
  state.seen.add(file);
  let open: Recipe | undefined;
  let hidden = false;
  const later: (() => void)[] = [];
  for (const [index, line] of joined(text)) {
    if (/^\s/.test(line) && line.trim() !== '') {
      open?.body.push(line.trim());
      continue;
    }
    if (line.trim() === '') continue;
    open = undefined;
    if (line.startsWith('[')) hidden ||= /\bprivate\b/.test(line);
    if (line.startsWith('#') || line.startsWith('[')) continue;
    const bring = /^(import|mod)(\??)\s+(.*)$/.exec(line);
    if (bring) {
      later.push(() => bringIn(bring[1] as 'import' | 'mod', bring[3] as string, file, prefix, state));
      continue;
    }
    if (/^set\s+(windows-)?shell\b/.test(line)) state.settings.push(line.trim());
    const alias = /^alias\s+([\w-]+)\s*:=\s*([\w:-]+)/.exec(line);
    if (alias) {
      state.aliases.set(prefix + (alias[1] as string), prefix + (alias[2] as string));
      continue;
    }
    const variable = /^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)$/.exec(line);
    if (variable) {
      const plain = /^(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(variable[2] as string);
      if (plain) state.variables.set(variable[1] as string, plain[1] ?? plain[2] ?? '');
      continue;
    }
    open = header(line, prefix, file, index + 1);
    if (open) state.recipes.set(open.name, hidden ? { ...open, hidden } : open);
    if (open) open = state.recipes.get(open.name);
    hidden = false;
  }
  // The first recipe of the first file is the default, wherever an import stands.
  for (const each of later) each();
}

/** `@name a b='x' +rest: dep (other "arg") && after` */
function header(line: string, prefix: string, file: string, at: number): Recipe | undefined {
  const match =
    /^@?([A-Za-z_][\w-]*)((?:\s+(?:[*+$]*[A-Za-z_][\w-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|`[^`]*`|[^\s:]+))?))*)\s*:(?!=)\s*(.*)$/.exec(line);
  if (!match) return undefined;
  const [, name = '', parameters = '', rest = ''] = match;
  const needs = withoutComment(rest)
    .replaceAll(/\(\s*([\w:-]+)[^()]*\)/g, ' $1 ')
    .split(/\s+/)
    .filter((word) => /^[A-Za-z_][\w:-]*$/.test(word))
    .map((word) => prefix + word);
  const list = parameters.match(/[*+$]*[A-Za-z_][\w-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|`[^`]*`|[^\s:]+))?/g) ?? [];
  return { name: prefix + name, parameters: list, needs, body: [], file, line: at };
}

function bringIn(kind: 'import' | 'mod', rest: string, file: string, prefix: string, state: State): void {
  const match = kind === 'import' ? /^(?:"([^"]+)"|'([^']+)')/.exec(rest) : /^([A-Za-z_][\w-]*)(?:\s+(?:"([^"]+)"|'([^']+)'))?/.exec(rest);
  if (!match) return;
  const dir = dirname(file);
  if (kind === 'import') readFile(resolve(dir, (match[1] ?? match[2]) as string), prefix, state);
  else {
    const name = match[1] as string;
    const given = match[2] ?? match[3];
    const places =
      given === undefined
        ? [`${name}.just`, `${name}/mod.just`, `${name}/justfile`, `${name}/.justfile`]
        : [given, `${given}/mod.just`, `${given}/justfile`];
    const found = places.map((each) => resolve(dir, each)).find((path) => state.look.read(path, MAX_FILE) !== undefined);
    if (found !== undefined) readFile(found, `${prefix}${name}::`, state);
  }
}

/** Lines with their continuations, and the index of the first. */
function joined(text: string): readonly (readonly [number, string])[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const found: [number, string][] = [];
  for (let i = 0; i < lines.length; i++) {
    const at = i;
    let whole = lines[i] as string;
    if (whole.endsWith('\\')) {
      const parts: string[] = [];
      for (; i + 1 < lines.length && (lines[i] as string).endsWith('\\'); i++) parts.push((lines[i] as string).slice(0, -1).trimEnd());
      whole = [...parts, (lines[i] as string).trim()].join(' ');
    }
    found.push([at, whole]);
  }
  return found;
}

const withoutComment = (text: string): string => text.replace(/(^|\s)#.*$/, '');

/** Puts variables in; what is not known becomes a shell variable, so that the reader sees a word it does not know. */
const filled = (line: string, variables: ReadonlyMap<string, string>): string =>
  line.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (_all, inner: string) => variables.get(inner) ?? `$${inner.replace(/\W+/g, '_')}`);
