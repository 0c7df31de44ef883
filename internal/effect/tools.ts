/** Effects of tools that are no shell: write, edit, read, search, fetch, and tools known only by the shape of their input. */
import { join } from 'node:path/posix';
import type { Action, Dialect } from '../action/action.ts';
import { secretByName } from '../secret/names.ts';
import type { Look } from '../shell/command.ts';
import type { Base, Effect } from './effect.ts';
import { pathTarget } from './family.ts';
import { writing } from './files-paths.ts';
import { isLocal } from './network-fetch.ts';
import { isTold, literalSecretIn } from './network-send.ts';
import { toldPush } from './pre-push.ts';
import { globTest, holdsSecret } from './secrets-reads.ts';
import { effectsOfPatch } from './tools-patch.ts';
import { effectsByShape } from './tools-shape.ts';

/** The effects of a shell line that a tool would run. `cwd`: absolute directory it starts in. */
export type ReadShell = (line: string, cwd: string, dialect: Dialect) => readonly Effect[];

/** The effects of a call that is no shell call. */
export function effectsOfTool(action: Action, look: Look, shell: ReadShell): readonly Effect[] {
  const base = baseOfCall(action);
  switch (action.surface) {
    case 'write':
      return written(action, base);
    case 'edit':
      return edited(action, base);
    case 'read':
      return readFile(action, base);
    case 'search':
      return searched(action, base, look);
    case 'fetch':
      return fetched(action, base);
    case 'push':
      return toldPush(action, base);
    case 'mcp':
    case 'unknown':
      return effectsByShape(action, base, look, shell);
    default:
      return [];
  }
}

/** The fields every effect of a tool call carries. */
export function baseOfCall(action: Action): Base {
  const about = action.input.path ?? action.input.url ?? action.input.pattern;
  return {
    step: 0,
    given: [],
    certain: true,
    cwd: action.cwd,
    via: [],
    remote: false,
    root: false,
    source: about === undefined ? action.tool : `${action.tool} ${about.length > 150 ? `${about.slice(0, 149)}…` : about}`,
    by: action.tool,
  };
}

function written(action: Action, base: Base): readonly Effect[] {
  const { path, content } = action.input;
  if (path === undefined) return [];
  return writing(base, [pathTarget(path, action.cwd)], {
    mode: 'truncate',
    ...(content !== undefined ? { content } : {}),
    how: action.tool,
    command: base.source,
  });
}

/** An edit changes what is there. A tool that brings a patch instead names its files in it. */
function edited(action: Action, base: Base): readonly Effect[] {
  const { path, edits } = action.input;
  if (path === undefined) return effectsOfPatch(patchText(action.raw) ?? '', base, action.cwd);
  const whole = isNotebookCell(action) || edits !== undefined ? undefined : action.input.content;
  const target = pathTarget(path, action.cwd);
  if (whole !== undefined) return writing(base, [target], { mode: 'truncate', content: whole, how: action.tool, command: base.source });
  return writing(base, [target], { mode: 'in-place', ...(edits ? { edits } : {}), how: action.tool, command: base.source });
}

/** NotebookEdit brings the text of one cell, not of the file. */
const isNotebookCell = (action: Action): boolean => 'new_source' in action.raw || 'notebook_path' in action.raw;

/** The text of a patch, whatever the host calls the field. */
export function patchText(raw: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ['input', 'patch', 'diff', 'patch_text', 'patchText', 'command']) {
    const value = raw[field];
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && typeof value[1] === 'string') return value[1];
  }
  return undefined;
}

function readFile(action: Action, base: Base): readonly Effect[] {
  const { path } = action.input;
  return path === undefined ? [] : [{ kind: 'file.read', ...base, targets: [pathTarget(path, action.cwd)], shown: true }];
}

/** A search shows content only when it is asked for lines; a glob and a listing show names. */
function searched(action: Action, base: Base, look: Look): readonly Effect[] {
  const { pattern, path } = action.input;
  if (pattern === undefined || /^(?:glob|ls|list|find_?files?|file_?search)/i.test(action.tool)) return [];
  const mode = action.raw['output_mode'];
  const shown = mode === 'content' || (mode === undefined && action.tool !== 'Grep');
  const root = pathTarget(path ?? action.cwd, action.cwd);
  const whole: Effect = { kind: 'file.read', ...base, targets: [root], shown, recursive: true, pattern };
  if (!shown) return [whole];
  if (root.path !== undefined && secretByName(root.path) !== undefined) return [{ ...whole, shown: tells(root.path, pattern, look) }];
  const named = chosen(action.raw['glob'], root.path, look).filter((file) => tells(file, pattern, look));
  if (named.length === 0) return [whole];
  return [whole, { kind: 'file.read', ...base, targets: named.map((file) => pathTarget(file, undefined)), shown, pattern }];
}

/** The credential files that a search's own glob names in the folder: only such a glob takes hidden and ignored files along. */
function chosen(glob: unknown, folder: string | undefined, look: Look): readonly string[] {
  if (typeof glob !== 'string' || folder === undefined) return [];
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  if (name === '*' || name === '' || glob.startsWith('!')) return [];
  const matches = globTest(name);
  return (look.list(folder) ?? [])
    .filter((each) => matches(each) && (name.startsWith('.') || !each.startsWith('.')))
    .map((each) => join(folder, each))
    .filter((file) => secretByName(file) !== undefined)
    .slice(0, FILES_LIMIT);
}

const FILES_LIMIT = 50;
const READ_LIMIT = 1_000_000;

/** Would the lines that match show a credential? What cannot be read counts as one. */
function tells(file: string, pattern: string, look: Look): boolean {
  const text = look.read(file, READ_LIMIT);
  return text === undefined || holdsSecret(text, pattern);
}

function fetched(action: Action, base: Base): readonly Effect[] {
  const { url } = action.input;
  if (url === undefined) return [];
  const literalSecret = isLocal(url) ? undefined : literalSecretIn(url, url);
  return [
    { kind: 'net.fetch', ...base, url, command: base.source },
    ...(isTold(literalSecret)
      ? ([{ kind: 'net.send', ...base, to: url, files: [], variables: [], literalSecret, command: base.source }] as const)
      : []),
  ] as readonly Effect[];
}
