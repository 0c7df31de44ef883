/** Wiring in Claude Code's settings files: text in, text out. What is there stays as it is, byte by byte. */
import { JsonError, type JsonNode, memberOf, parseJson, stringAt } from './json-text.ts';

/** A change that can be taken back: at a place, `before` was replaced by `after`. */
export interface Edit {
  at: number;
  before: string;
  after: string;
}

/** The text with an edit made. */
export const applied = (text: string, edit: Edit): string => text.slice(0, edit.at) + edit.after + text.slice(edit.at + edit.before.length);

export interface Wired {
  /** The whole configured command line. */
  command: string;
  matcher: string | undefined;
  /** The entry's place. */
  start: number;
  end: number;
}

/** What a settings file cannot be used for, with the place. */
export class SettingsError extends Error {}

/** The event in which a call is judged. */
const JUDGED = 'PreToolUse';

/**
 * Every event that is wired. Without those after the call, failures are not counted and nothing closes what a push has opened;
 * without those of the session, the limits are not told and a person's prompt is not known.
 */
export const EVENTS = [
  JUDGED,
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionDenied',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'PreCompact',
  'SubagentStart',
  'SubagentStop',
  'Stop',
] as const;

/** Events that match by the name of a tool. */
const OF_TOOLS: readonly string[] = [JUDGED, 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'];

/** Seconds. Well above the guard's own deadline, far below the host's default of ten minutes. */
const TIMEOUT = 10;

/** Does a configured command start waygate's hook? Looks at the program's name, whatever folder it stands in. */
export const isWaygateHook = (command: string): boolean => /(?:^|[\\/\s'"])waygate(?:\.cjs|\.exe)?['"]?\s+hook(?:\s|$)/.test(command);

/** The hooks of waygate in a settings file for one event, with their matchers. */
export function wiredIn(text: string, event: string = JUDGED): readonly Wired[] {
  const groups = memberOf(memberOf(parse(text), 'hooks'), event);
  if (groups?.kind !== 'array') return [];
  const found: Wired[] = [];
  for (const group of groups.items) {
    const handlers = memberOf(group, 'hooks');
    if (handlers?.kind !== 'array') continue;
    for (const handler of handlers.items) {
      const args = memberOf(handler, 'args');
      const words = args?.kind === 'array' ? args.items.map((item) => stringAt(item) ?? '') : [];
      const command = [stringAt(memberOf(handler, 'command')) ?? '', ...words].join(' ');
      if (isWaygateHook(command))
        found.push({ command, matcher: stringAt(memberOf(group, 'matcher')), start: handler.start, end: handler.end });
    }
  }
  return found;
}

/** Hooks are switched off altogether by this file. */
export const hooksDisabled = (text: string): boolean => {
  const value = memberOf(parse(text), 'disableAllHooks');
  return value?.kind === 'scalar' && value.value === true;
};

/** A new settings file with nothing but the hook. */
export const freshSettings = (command: string): string =>
  `${JSON.stringify({ hooks: Object.fromEntries(EVENTS.map((event) => [event, [groupOf(command, event)]])) }, null, 2)}\n`;

/** Puts the hook into a settings file for every event. `edits`: newest first; none when it is there already. */
export function wireAll(text: string, command: string): { text: string; edits: readonly Edit[] } {
  const edits: Edit[] = [];
  let result = text;
  for (const event of EVENTS) {
    const edit = wire(result, command, event);
    if (!edit) continue;
    result = applied(result, edit);
    edits.unshift(edit);
  }
  return { text: result, edits };
}

/** Puts the hook into a settings file for one event. undefined: it is there already, with this very command. */
export function wire(text: string, command: string, event: string = JUDGED): Edit | undefined {
  const present = wiredIn(text, event);
  const [first] = present;
  if (present.some((each) => each.command === command && coversAll(each.matcher))) return undefined;
  if (first && coversAll(first.matcher)) return replaceHandler(text, first, command);
  if (text.trim() === '') return { at: 0, before: text, after: freshSettings(command) };
  const root = parse(text);
  if (root.kind !== 'object') throw new SettingsError('the file is no JSON object');
  const style = styleOf(text, root);
  const hooks = memberOf(root, 'hooks');
  if (!hooks) return addMember(text, root, 'hooks', { [event]: [groupOf(command, event)] }, 0, style);
  if (hooks.kind !== 'object')
    throw new SettingsError(`\`hooks\` is ${hooks.kind === 'array' ? 'an array' : 'no object'}; expected an object of events`);
  const groups = memberOf(hooks, event);
  if (!groups) return addMember(text, hooks, event, [groupOf(command, event)], 1, style);
  if (groups.kind !== 'array') throw new SettingsError(`\`hooks.${event}\` is no array`);
  return addItem(text, groups, groupOf(command, event), 2, style);
}

/** Takes the hook out. `edits`: what wiring did, newest first; each is undone as it was done when its text still stands there. */
export function unwire(text: string, edits: readonly Pick<Edit, 'before' | 'after'>[]): string {
  let result = text;
  for (const edit of edits) {
    const at = result.indexOf(edit.after);
    if (at >= 0 && result.indexOf(edit.after, at + 1) < 0)
      result = result.slice(0, at) + edit.before + result.slice(at + edit.after.length);
  }
  if (result.trim() === '') return result;
  // The file was changed since, or nobody remembers the edit: take out the entries, and the containers they leave empty.
  for (;;) {
    const removed = removeOne(result);
    if (removed === undefined) return result;
    result = removed;
  }
}

/** `*`, the empty matcher and none mean every tool. */
export const coversAll = (matcher: string | undefined): boolean =>
  matcher === undefined || matcher === '' || matcher === '*' || matcher === '.*';

const groupOf = (command: string, event: string) => ({
  hooks: [{ type: 'command', command, timeout: TIMEOUT }],
  ...(OF_TOOLS.includes(event) ? { matcher: '*' } : {}),
});

function parse(text: string): JsonNode {
  try {
    return text.trim() === '' ? { kind: 'object', start: 0, end: 0, members: [] } : parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new SettingsError(`not JSON at ${error.message}`);
    throw error;
  }
}

/** Only the command's string is exchanged: the person may have set other fields. Exec form has its words in `args`: then the whole handler. */
function replaceHandler(text: string, wired: Wired, command: string): Edit {
  const before = text.slice(wired.start, wired.end);
  const handler = parseJson(before);
  const value = memberOf(handler, 'command');
  if (!value || memberOf(handler, 'args'))
    return { at: wired.start, before, after: JSON.stringify({ type: 'command', command, timeout: TIMEOUT }) };
  return { at: wired.start, before, after: before.slice(0, value.start) + JSON.stringify(command) + before.slice(value.end) };
}

interface Style {
  indent: string;
  eol: string;
  /** Everything on one line. */
  compact: boolean;
}

function styleOf(text: string, root: JsonNode): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const first = root.kind === 'object' ? root.members[0] : undefined;
  const line = first ? text.slice(text.lastIndexOf('\n', first.start) + 1, first.start) : '  ';
  const compact = first !== undefined && !text.slice(root.start, first.start).includes('\n');
  return { indent: /^[ \t]+$/.test(line) ? line : '  ', eol, compact };
}

/** A value as text, its inner lines `depth` levels deep. */
function write(value: unknown, depth: number, style: Style): string {
  if (style.compact) return JSON.stringify(value);
  return JSON.stringify(value, null, style.indent)
    .split('\n')
    .map((line, index) => (index === 0 ? line : style.indent.repeat(depth) + line))
    .join(style.eol);
}

/** Adds a member at the end of an object that is `depth` levels deep. */
function addMember(text: string, object: JsonNode & { kind: 'object' }, key: string, value: unknown, depth: number, style: Style): Edit {
  const entry = `${JSON.stringify(key)}:${style.compact ? '' : ' '}${write(value, depth + 1, style)}`;
  return insert(text, object, object.members.at(-1)?.value, entry, depth, style);
}

function addItem(text: string, array: JsonNode & { kind: 'array' }, value: unknown, depth: number, style: Style): Edit {
  return insert(text, array, array.items.at(-1), write(value, depth + 1, style), depth, style);
}

/** After the last child, or as the only one. The edit spans the last child too, so that its text is found again for certain. */
function insert(text: string, container: JsonNode, last: JsonNode | undefined, entry: string, depth: number, style: Style): Edit {
  const line = style.compact ? '' : style.eol + style.indent.repeat(depth + 1);
  const close = style.compact ? '' : style.eol + style.indent.repeat(depth);
  if (!last) {
    const [open, end] = [text[container.start]!, text[container.end - 1]!];
    return { at: container.start, before: text.slice(container.start, container.end), after: `${open}${line}${entry}${close}${end}` };
  }
  const before = text.slice(last.end, container.end);
  return { at: last.end, before, after: `,${line}${entry}${before}` };
}

/** The text without the first of waygate's entries; undefined when there is none. */
function removeOne(text: string): string | undefined {
  for (const event of EVENTS) {
    const removed = removeOneOf(text, event);
    if (removed !== undefined) return removed;
  }
  return undefined;
}

function removeOneOf(text: string, event: string): string | undefined {
  const root = parse(text);
  const hooks = memberOf(root, 'hooks');
  const groups = memberOf(hooks, event);
  if (groups?.kind !== 'array' || hooks?.kind !== 'object' || root.kind !== 'object') return undefined;
  for (const group of groups.items) {
    const handlers = memberOf(group, 'hooks');
    if (handlers?.kind !== 'array') continue;
    const handler = handlers.items.find((item) => wiredIn(text, event).some((wired) => wired.start === item.start));
    if (!handler) continue;
    if (handlers.items.length > 1) return without(text, handlers.items, handlers.items.indexOf(handler));
    if (groups.items.length > 1) return without(text, groups.items, groups.items.indexOf(group));
    if (hooks.members.length > 1)
      return without(
        text,
        spans(hooks),
        hooks.members.findIndex((member) => member.value === groups),
      );
    return without(
      text,
      spans(root),
      root.members.findIndex((member) => member.value === hooks),
    );
  }
  return undefined;
}

const spans = (object: JsonNode & { kind: 'object' }) => object.members.map((member) => ({ start: member.start, end: member.value.end }));

/** Without one child and the comma that goes with it. */
function without(text: string, children: readonly { start: number; end: number }[], index: number): string {
  const child = children[index]!;
  const before = children[index - 1];
  const after = children[index + 1];
  if (before) return text.slice(0, before.end) + text.slice(child.end);
  if (after) return text.slice(0, child.start) + text.slice(after.start);
  return text.slice(0, child.start).trimEnd() + text.slice(child.end).trimStart();
}
