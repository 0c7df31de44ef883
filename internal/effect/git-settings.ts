/** Configuration that reaches git through the environment. */
import type { Command, Look } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';

/** One setting given to a single call. `value` undefined: not known. */
export interface Setting {
  key: string;
  value: string | undefined;
  /** inherited: it stood in the environment before the line, which so has done nothing. */
  from: 'option' | 'environment' | 'inherited';
}

/** Most settings a line is read for; git itself knows no bound. */
const MOST = 64;

/** Bytes of a configuration file that a line names. */
const MAX_FILE = 100_000;

/** `GIT_CONFIG_COUNT` with its keys and values, `GIT_CONFIG_PARAMETERS`, and the files the line puts in place of the configuration. */
export function environmentSettings(command: Command, look: Look): Setting[] {
  const variable = (name: string): { known: boolean; text?: string } => {
    if (command.env.has(name)) {
      const word = command.env.get(name);
      const text = textOf(word);
      return word === undefined ? { known: true } : { known: text !== undefined, text };
    }
    return { known: true, text: look.env(name) };
  };
  const settings: Setting[] = [];
  const from = (...names: readonly string[]): Setting['from'] =>
    names.some((name) => command.env.has(name)) ? 'environment' : 'inherited';
  for (const name of ['GIT_CONFIG_SYSTEM', 'GIT_CONFIG_GLOBAL']) {
    const path = command.env.has(name) ? variable(name).text : undefined;
    if (path === undefined || path === '/dev/null') continue;
    const full = path.startsWith('/') ? path : command.cwd === undefined ? undefined : `${command.cwd}/${path}`;
    settings.push(...fileSettings(full === undefined ? '' : (look.read(full, MAX_FILE) ?? '')));
  }
  const count = variable('GIT_CONFIG_COUNT').text;
  const total = count !== undefined && /^\d+$/.test(count) ? Math.min(Number(count), MOST) : 0;
  for (let i = 0; i < total; i++) {
    const name = variable(`GIT_CONFIG_KEY_${i}`).text;
    if (name === undefined) continue;
    const value = variable(`GIT_CONFIG_VALUE_${i}`);
    settings.push({
      key: normalKey(name),
      value: value.text,
      from: from('GIT_CONFIG_COUNT', `GIT_CONFIG_KEY_${i}`, `GIT_CONFIG_VALUE_${i}`),
    });
  }
  const parameters = variable('GIT_CONFIG_PARAMETERS').text;
  for (const item of parameters === undefined ? [] : quotedItems(parameters)) {
    const equals = item.indexOf('=');
    settings.push({
      key: normalKey(equals < 0 ? item : item.slice(0, equals)),
      value: equals < 0 ? 'true' : item.slice(equals + 1),
      from: from('GIT_CONFIG_PARAMETERS'),
    });
  }
  return settings;
}

/** The settings of a configuration file: sections in brackets, `key = value` below them. */
function fileSettings(text: string): Setting[] {
  const settings: Setting[] = [];
  let section = '';
  for (const line of text.split('\n').map((each) => each.trim())) {
    const head = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head) section = head[2] === undefined ? (head[1] ?? '') : `${head[1]}.${head[2]}`;
    const body = head ? line.slice(head[0].length).trim() : line;
    if (section === '' || body === '' || body.startsWith('#') || body.startsWith(';')) continue;
    const equals = body.indexOf('=');
    const name = (equals < 0 ? body : body.slice(0, equals)).trim();
    const value =
      equals < 0
        ? 'true'
        : body
            .slice(equals + 1)
            .trim()
            .replace(/^"(.*)"$/, '$1');
    settings.push({ key: normalKey(`${section}.${name}`), value, from: 'environment' });
  }
  return settings;
}

/** git writes them as `'key=value'` or `'key'='value'`, with blanks between. */
function quotedItems(text: string): string[] {
  const items: string[] = [];
  let item = '';
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === "'") inside = !inside;
    else if (!inside && char === ' ') {
      if (item !== '') items.push(item);
      item = '';
    } else if (!inside && char === '\\' && i + 1 < text.length) item += text[++i];
    else item += char;
  }
  if (item !== '') items.push(item);
  return items;
}

/** Section and name of a key are the same in any case, the part between is not. */
export function normalKey(key: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  if (first < 0) return key.toLowerCase();
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

/** Names of the environment that carry configuration of git. */
export const isConfigVariable = (name: string): boolean => /^GIT_CONFIG_(COUNT|PARAMETERS|GLOBAL|SYSTEM|KEY_\d+|VALUE_\d+)$/.test(name);
