/**
 * The tool registry: what a tool's name means and which fields of its input a judgement depends on.
 * A host gives its own table; the reading of a table is the same for all.
 */
import type { Edit, Input, Surface } from './action.ts';

/** A field a judgement depends on. A wrong type there makes the request unreadable; other fields are left to the host. */
export interface Field {
  name: string;
  type: 'string' | 'edits';
  required: boolean;
  /** Where it goes. `before` and `after` make one edit; `none` is checked only. */
  as: 'command' | 'path' | 'content' | 'pattern' | 'url' | 'prompt' | 'before' | 'after' | 'edits' | 'none';
}

/** One tool of a host. */
export interface Tool {
  surface: Surface;
  dialect?: 'posix' | 'powershell';
  fields: readonly Field[];
}

/** A request that cannot be read: the field, what it should be, what came instead. */
export interface Problem {
  /** Dotted path in the host's payload, or 'payload' for the whole. */
  field: string;
  expected: string;
  got: string;
}

const text = (name: string, as: Field['as'], required = true): Field => ({ name, type: 'string', required, as });
const command = [text('command', 'command')];
const harmless: Tool = { surface: 'harmless', fields: [] };

/**
 * Claude Code's tools. Older names stay: a session may run on an old version. Only what names the target is required: a call
 * without its content is judged with the content unknown, which is the stricter reading.
 */
export const CLAUDE_CODE_TOOLS: Readonly<Record<string, Tool>> = {
  Bash: { surface: 'shell', dialect: 'posix', fields: command },
  PowerShell: { surface: 'shell', dialect: 'powershell', fields: command },
  // Runs a command and reports its lines; older builds name no command.
  Monitor: { surface: 'shell', dialect: 'posix', fields: [text('command', 'command', false)] },
  Write: { surface: 'write', fields: [text('file_path', 'path'), text('content', 'content', false)] },
  Edit: { surface: 'edit', fields: [text('file_path', 'path'), text('old_string', 'before', false), text('new_string', 'after', false)] },
  MultiEdit: { surface: 'edit', fields: [text('file_path', 'path'), { name: 'edits', type: 'edits', required: false, as: 'edits' }] },
  NotebookEdit: { surface: 'edit', fields: [text('notebook_path', 'path'), text('new_source', 'content', false)] },
  Read: { surface: 'read', fields: [text('file_path', 'path')] },
  NotebookRead: { surface: 'read', fields: [text('notebook_path', 'path')] },
  LS: { surface: 'search', fields: [text('path', 'path', false)] },
  Glob: { surface: 'search', fields: [text('pattern', 'pattern', false), text('path', 'path', false)] },
  Grep: { surface: 'search', fields: [text('pattern', 'pattern', false), text('path', 'path', false)] },
  WebFetch: { surface: 'fetch', fields: [text('url', 'url'), text('prompt', 'prompt', false)] },
  WebSearch: { surface: 'fetch', fields: [text('query', 'pattern', false)] },
  Task: { surface: 'spawn', fields: [text('prompt', 'prompt', false)] },
  Agent: { surface: 'spawn', fields: [text('prompt', 'prompt', false)] },
  Skill: { surface: 'skill', fields: [] },
  SlashCommand: { surface: 'skill', fields: [] },
  BashOutput: { surface: 'watch', fields: [] },
  TaskOutput: { surface: 'watch', fields: [] },
  KillShell: harmless,
  KillBash: harmless,
  TaskStop: harmless,
  TodoWrite: harmless,
  TaskCreate: harmless,
  TaskUpdate: harmless,
  TaskGet: harmless,
  TaskList: harmless,
  AskUserQuestion: harmless,
  EnterPlanMode: harmless,
  ExitPlanMode: harmless,
  ToolSearch: harmless,
  ListMcpResourcesTool: harmless,
  ReadMcpResourceTool: harmless,
};

/** The entry for a tool's name: own, MCP (judged by the shape of its input), or unknown. */
export function toolNamed(name: string, table: Readonly<Record<string, Tool>>): Tool {
  if (Object.hasOwn(table, name)) return table[name]!;
  return { surface: name.startsWith('mcp__') ? 'mcp' : 'unknown', fields: [] };
}

/**
 * How a tool is read, as text: equal as long as its entry is. A host tells a hook neither its description of a tool nor a revision of its
 * registry; for a tool without an entry the fields that came, with their types, stand for it.
 */
export function readingOf(host: string, name: string, { surface, dialect, fields }: Tool, raw: Readonly<Record<string, unknown>>): string {
  const known = fields.map((field) => `${field.name}:${field.type}${field.required ? '!' : ''}>${field.as}`);
  const came =
    fields.length > 0 || surface === 'harmless'
      ? []
      : Object.keys(raw)
          .sort()
          .map((key) => `${key}:${typeName(raw[key])}`);
  return [host, name, surface, dialect ?? '', ...known, ...came].join(' ');
}

/** Reads a tool's input by its table. `at`: the path of the input in the payload, for messages. */
export function readInput(tool: Tool, raw: Readonly<Record<string, unknown>>, at: string): Input | Problem {
  const input: Input = {};
  const edit: Partial<Record<'before' | 'after', string>> = {};
  for (const field of tool.fields) {
    const value = Object.hasOwn(raw, field.name) ? raw[field.name] : undefined;
    if (value === undefined || value === null) {
      if (field.required) return { field: `${at}.${field.name}`, expected: field.type === 'edits' ? EDITS : 'a string', got: 'nothing' };
      continue;
    }
    if (field.type === 'edits') {
      const edits = readEdits(value, `${at}.${field.name}`);
      if (!Array.isArray(edits)) return edits as Problem;
      input.edits = edits;
      continue;
    }
    if (typeof value !== 'string') return { field: `${at}.${field.name}`, expected: 'a string', got: typeName(value) };
    if (field.as === 'before' || field.as === 'after') edit[field.as] = value;
    else if (field.as !== 'none' && field.as !== 'edits') input[field.as] = value;
  }
  if (edit.before !== undefined)
    input.edits = [{ before: edit.before, after: edit.after ?? '', ...(raw['replace_all'] === true ? { all: true } : {}) }];
  if (tool.dialect && input.command !== undefined) input.dialect = tool.dialect;
  if (raw['run_in_background'] === true) input.background = true;
  if (typeof raw['timeout'] === 'number') input.timeoutMs = raw['timeout'];
  if (typeof raw['offset'] === 'number') input.offset = raw['offset'];
  if (typeof raw['limit'] === 'number') input.limit = raw['limit'];
  return input;
}

const EDITS = 'an array of {old_string, new_string}';

function readEdits(value: unknown, at: string): Edit[] | Problem {
  if (!Array.isArray(value)) return { field: at, expected: EDITS, got: typeName(value) };
  const edits: Edit[] = [];
  for (const [index, item] of value.entries()) {
    const fields = item as Record<string, unknown> | null;
    if (typeof fields?.['old_string'] !== 'string' || typeof fields['new_string'] !== 'string') {
      return { field: `${at}[${index}]`, expected: '{old_string, new_string} with strings', got: typeName(item) };
    }
    edits.push({ before: fields['old_string'], after: fields['new_string'], ...(fields['replace_all'] === true ? { all: true } : {}) });
  }
  return edits;
}

/** What a value is, in the words of a message. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export const isProblem = (value: Input | Problem): value is Problem => 'expected' in value;
