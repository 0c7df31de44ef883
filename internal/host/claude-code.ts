/** Claude Code: PreToolUse and its neighbours (protocol as documented in August 2026, up to 2.1.236). */
import { isAbsolute, resolve } from 'node:path';
import type { Action, Input, Moment, Surface } from '../action/action.ts';
import { CLAUDE_CODE_TOOLS, isProblem, type Problem, readInput, readingOf, toolNamed, typeName } from '../action/tools.ts';
import type { Decision } from '../decision/record.ts';
import { type Around, type Host, type Parsed, type Reply, SILENT, type Texts } from './host.ts';

const NAME = 'claude-code';

/** Texts longer than this are cut by the host itself. */
const TEXT_LIMIT = 10_000;

/** Events by name; all others judge nothing. */
const MOMENTS: Readonly<Record<string, Moment>> = {
  PreToolUse: 'before',
  PostToolUse: 'after',
  PostToolUseFailure: 'failed',
  PermissionDenied: 'denied',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
  UserPromptSubmit: 'prompt',
  PreCompact: 'compact',
  Stop: 'stop',
  SubagentStart: 'spawn',
  SubagentStop: 'spawn-end',
};

const TOOL_MOMENTS: ReadonlySet<Moment> = new Set(['before', 'after', 'failed', 'denied', 'cancelled']);

/** Where an event says what it is about. */
const DETAILS: Partial<Record<Moment, string>> = {
  'session-start': 'source',
  'session-end': 'reason',
  compact: 'trigger',
  spawn: 'agent_type',
  'spawn-end': 'agent_type',
};

/** Events whose answer may bring text for the agent. */
const READ_BY_AGENT: ReadonlySet<string> = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
]);

type Payload = Readonly<Record<string, unknown>>;

function parse(payload: Payload, around: Around): Parsed {
  const session = stringOf(payload['session_id']) ?? 'unknown';
  const named = stringOf(payload['hook_event_name']);
  // An event without a name but with a tool call can only be the question before it.
  const event = named ?? ('tool_name' in payload ? 'PreToolUse' : undefined);
  const tool = stringOf(payload['tool_name']) ?? '';
  const moment = event === undefined ? 'before' : momentOf(event, payload);
  // After the call nothing is asked any more: an event of the wrong shape tells nothing.
  const invalid = (problem: Problem): Parsed =>
    moment === 'before'
      ? { kind: 'invalid', problem, seen: { host: NAME, event: event ?? 'PreToolUse', session, tool } }
      : { kind: 'empty' };
  if (event === undefined)
    return invalid({ field: 'hook_event_name', expected: 'the name of an event', got: typeName(payload['hook_event_name']) });

  const cwd = directoryOf(payload['cwd'], around);
  const base = {
    host: NAME,
    moment,
    event,
    cwd: cwd ?? around.cwd,
    workspace: startOf(around) ?? cwd ?? around.cwd,
    caller: callerOf(payload, session),
    ...(stringOf(payload['tool_use_id']) ? { callId: stringOf(payload['tool_use_id']) } : {}),
    ...(isSomebodyThere(payload, around) ? { prompts: true } : {}),
  };
  if (!TOOL_MOMENTS.has(moment)) {
    const surface: Surface = moment === 'prompt' || moment === 'stop' ? moment : 'harmless';
    const detail = stringOf(payload[DETAILS[moment] ?? '']);
    return {
      kind: 'action',
      action: { surface, ...base, tool: event, input: {}, raw: payload, ...(detail === undefined ? {} : { detail }) },
    };
  }
  if (moment === 'before' && cwd === undefined && ![undefined, null, ''].includes(payload['cwd'] as string)) {
    return invalid({ field: 'cwd', expected: 'a directory as a string', got: typeName(payload['cwd']) });
  }
  if (tool === '') return invalid({ field: 'tool_name', expected: 'the name of a tool', got: typeName(payload['tool_name']) });

  const raw = payload['tool_input'] ?? {};
  if (typeof raw !== 'object' || Array.isArray(raw)) return invalid({ field: 'tool_input', expected: 'an object', got: typeName(raw) });
  const entry = toolNamed(tool, CLAUDE_CODE_TOOLS);
  const input = readInput(entry, raw as Payload, 'tool_input');
  if (isProblem(input)) return invalid(input);
  const surface = tool === 'Monitor' && input.command === undefined ? 'watch' : entry.surface;
  const output = moment === 'after' && (surface === 'shell' || surface === 'mcp') ? printed(payload['tool_response']) : undefined;
  const shown = output === undefined ? {} : { output };
  const reading = readingOf(NAME, tool, entry, raw as Payload);
  return {
    kind: 'action',
    action: { surface, tool, reading, input: withAbsolutePath(input, base.cwd), raw: raw as Payload, ...base, ...shown },
  };
}

/** Characters of an output that are kept for reading. */
const OUTPUT_LIMIT = 64 * 1024;

/** What a call printed: the text itself, its stdout and stderr, or the text parts of an MCP result. */
function printed(response: unknown): string | undefined {
  const { stdout, stderr, content } = (isObject(response) ? response : {}) as { stdout?: unknown; stderr?: unknown; content?: unknown };
  const parts = [response, stdout, stderr, content].flatMap((value) => (Array.isArray(value) ? value.slice(0, 100) : [value]));
  const texts = parts.map((part) => (isObject(part) ? part['text'] : part)).filter((text) => typeof text === 'string' && text !== '');
  return texts.length === 0 ? undefined : texts.join('\n').slice(0, OUTPUT_LIMIT);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Modes in which a prompt reaches a person. The others answer it themselves, or skip it. */
const PROMPTING: ReadonlySet<string> = new Set(['default', 'acceptEdits', 'plan']);

/** Started by a program (`claude -p`, an SDK), the host has nobody to ask. */
function isSomebodyThere(payload: Payload, around: Around): boolean {
  const mode = stringOf(payload['permission_mode']);
  return mode !== undefined && PROMPTING.has(mode) && !/^(sdk|mcp|github-action)/.test(around.env('CLAUDE_CODE_ENTRYPOINT') ?? '');
}

/** Tools whose result the host itself writes down: what it says of an interruption is no output of a program. */
const OWN_RESULTS: ReadonlySet<unknown> = new Set(['Bash', 'PowerShell']);

/** A call that was interrupted is neither a success nor a failure nor a refusal. The host says so itself, beside what the tool printed. */
function momentOf(event: string, payload: Payload): Moment {
  const moment = MOMENTS[event] ?? 'other';
  if (moment === 'failed' && payload['is_interrupt'] === true) return 'cancelled';
  const result = payload['tool_response'] as { interrupted?: unknown } | null | undefined;
  return moment === 'after' && OWN_RESULTS.has(payload['tool_name']) && result?.interrupted === true ? 'cancelled' : moment;
}

/** undefined: not given, or not a string. */
function directoryOf(value: unknown, around: Around): string | undefined {
  const text = stringOf(value);
  if (text === undefined || text === '') return undefined;
  return isAbsolute(text) || /^[A-Za-z]:[\\/]/.test(text) ? text : resolve(around.cwd, text);
}

/** The session's start directory: the host keeps it in the environment while the payload's cwd follows `cd`. */
function startOf(around: Around): string | undefined {
  const start = around.env('CLAUDE_PROJECT_DIR');
  return start && isAbsolute(start) ? start : undefined;
}

function callerOf(payload: Payload, session: string): Action['caller'] {
  const id = stringOf(payload['agent_id']);
  const type = stringOf(payload['agent_type']);
  return { session, ...(id ? { agent: { id, ...(type ? { type } : {}) } } : {}) };
}

function withAbsolutePath(input: Input, cwd: string): Input {
  if (input.path === undefined) return input;
  if (isAbsolute(input.path) || /^[A-Za-z]:[\\/]|^\\\\/.test(input.path)) return input;
  return { ...input, path: resolve(cwd, input.path) };
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Never answers `allow`: it would skip the person's own prompt.
 * A deny goes both ways, as JSON and as exit 2 with the reason on stderr: versions differ in which one they read.
 */
function render(decision: Decision, at: { event: string }, texts: Texts): Reply {
  const person = texts.person ? { systemMessage: cut(texts.person) } : {};
  if (decision.verdict === 'deny' && decision.prompt && texts.prompt) {
    const specific = { hookEventName: at.event, permissionDecision: 'ask', permissionDecisionReason: cut(texts.prompt) };
    return json({ hookSpecificOutput: specific }, '', 0);
  }
  if (decision.verdict === 'deny') {
    const reason = cut(texts.agent);
    const specific = { hookEventName: at.event, permissionDecision: 'deny', permissionDecisionReason: reason };
    if (decision.lineage?.progress === 'stop')
      return json({ continue: false, stopReason: reason, ...person, hookSpecificOutput: specific }, '', 0);
    return json({ hookSpecificOutput: specific, ...person }, `${reason}\n`, 2);
  }
  if (texts.agent === '' && texts.person === '') return SILENT;
  const context = texts.agent === '' ? {} : { hookSpecificOutput: { hookEventName: at.event, additionalContext: cut(texts.agent) } };
  return json({ ...context, ...person }, '', 0);
}

/** After the call there is nothing to deny: the agent reads a text where the event takes one, the person always may. */
function remark(at: { event: string }, texts: Texts): Reply {
  const agent = READ_BY_AGENT.has(at.event) ? texts.agent : '';
  if (agent === '' && texts.person === '') return SILENT;
  const context = agent === '' ? {} : { hookSpecificOutput: { hookEventName: at.event, additionalContext: cut(agent) } };
  return json({ ...context, ...(texts.person ? { systemMessage: cut(texts.person) } : {}) }, '', 0);
}

const halt = (_at: { event: string }, texts: Texts): Reply =>
  json({ continue: false, stopReason: cut(texts.agent), ...(texts.person ? { systemMessage: cut(texts.person) } : {}) }, '', 0);

const json = (value: object, stderr: string, exitCode: 0 | 2): Reply => ({ stdout: `${JSON.stringify(value)}\n`, stderr, exitCode });

/** Cut to the host's limit, in whole characters. */
function cut(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  return `${text.slice(0, TEXT_LIMIT - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export const claudeCode: Host = {
  name: NAME,
  can: { prompt: true, stop: true, outcome: true },
  claims: (payload) => typeof payload['hook_event_name'] === 'string' || 'tool_name' in payload,
  parse: (payload, around) => parse(payload as Payload, around),
  render,
  remark,
  halt,
};
