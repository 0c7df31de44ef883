/** What a new text of a host's settings changes about the hooks: pure comparison of two texts. */

/** Environment variables that decide which guard runs, how, or with which program. */
const GUARD_VARIABLES =
  /^(?:WAYGATE_.*|PATH|HOME|NODE_OPTIONS|NODE_PATH|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_.*|BASH_ENV|ENV|SHELL|XDG_(?:STATE|CONFIG)_HOME|CLAUDE_CONFIG_DIR|GIT_CONFIG.*|GIT_DIR)$/;
/** Top-level keys that name programs the host runs by itself, or that switch hooks. */
const SWITCHES = /hook/i;
const BYPASSES = new Set(['bypassPermissions', 'yolo', 'dontAsk']);

type Json = Record<string, unknown>;

/**
 * Why the new text would keep the guard from judging; undefined when it does not.
 * @param before the text now, undefined when there is no file
 * @param after the text afterwards
 * @param path absolute path of the file: its name decides how it is read
 */
export function settingsDanger(before: string | undefined, after: string, path: string): string | undefined {
  if (before === after) return undefined;
  if (!/\.jsonc?$/.test(path)) return 'changes settings that are no JSON, so its hooks cannot be compared';
  const old = before === undefined || before.trim() === '' ? {} : parse(before);
  const now = after.trim() === '' ? {} : parse(after);
  if (now === undefined) return 'leaves settings that do not parse, and then no hook runs';
  const was = old ?? {};
  for (const key of new Set([...Object.keys(was), ...Object.keys(now)])) {
    if (!SWITCHES.test(key) || same(was[key], now[key])) continue;
    if (key === 'hooks' && isEmpty(was[key]) && isEmpty(now[key])) continue;
    return key === 'hooks' ? 'changes the registered hooks' : `sets \`${key}\``;
  }
  const variable = changedVariable(was['env'], now['env']);
  if (variable) return `sets the environment variable \`${variable}\` for the hooks`;
  const mode = modeOf(now);
  if (mode !== undefined && mode !== modeOf(was) && BYPASSES.has(mode)) return `sets the permission mode \`${mode}\``;
  if (!same(was['plugins'], now['plugins']) && !/claude/.test(path)) return 'changes the plugins';
  const plugin = pluginSwitchedOff(was['enabledPlugins'], now['enabledPlugins']);
  if (plugin !== undefined)
    return /waygate/i.test(plugin) ? "switches off the guard's own plugin" : `switches off the plugin \`${plugin}\``;
  return undefined;
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** A plugin that was enabled and is not any more. */
function pluginSwitchedOff(before: unknown, after: unknown): string | undefined {
  const was = typeof before === 'object' && before !== null ? (before as Json) : {};
  const now = typeof after === 'object' && after !== null ? (after as Json) : {};
  const off = Object.keys(was).filter((name) => was[name] === true && now[name] !== true);
  return off.find((name) => /waygate/i.test(name)) ?? off[0];
}

function changedVariable(before: unknown, after: unknown): string | undefined {
  const was = typeof before === 'object' && before !== null ? (before as Json) : {};
  const now = typeof after === 'object' && after !== null ? (after as Json) : {};
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].find((name) => GUARD_VARIABLES.test(name) && was[name] !== now[name]);
}

function modeOf(settings: Json): string | undefined {
  const permissions = settings['permissions'];
  const mode = typeof permissions === 'object' && permissions !== null ? (permissions as Json)['defaultMode'] : undefined;
  return typeof mode === 'string' ? mode : undefined;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Equal as JSON, whatever the order of keys. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same((a as Json)[key], (b as Json)[key]));
}

/** A text after edits, as an edit tool makes them; undefined when an old text does not occur in it. */
export function edited(text: string, edits: readonly { before: string; after: string; all?: boolean }[]): string | undefined {
  let now = text;
  for (const { before, after, all } of edits) {
    if (before === '') {
      now = now === '' ? after : now;
      continue;
    }
    const at = now.indexOf(before);
    if (at < 0) return undefined;
    now = all ? now.replaceAll(before, () => after) : now.slice(0, at) + after + now.slice(at + before.length);
  }
  return now;
}
