/** Configuration that reaches git through the environment. */
import type { Command, Look } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';

/** One setting given to a single call. `value` undefined: not known. */
export interface Setting {
  key: string;
  value: string | undefined;
  from: 'option' | 'environment';
}

/** Most settings a line is read for; git itself knows no bound. */
const MOST = 64;

/** `GIT_CONFIG_COUNT` with its keys and values, and `GIT_CONFIG_PARAMETERS`, as the line or the environment gives them. */
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
  const count = variable('GIT_CONFIG_COUNT').text;
  const total = count !== undefined && /^\d+$/.test(count) ? Math.min(Number(count), MOST) : 0;
  for (let i = 0; i < total; i++) {
    const name = variable(`GIT_CONFIG_KEY_${i}`).text;
    if (name === undefined) continue;
    const value = variable(`GIT_CONFIG_VALUE_${i}`);
    settings.push({ key: normalKey(name), value: value.text, from: 'environment' });
  }
  const parameters = variable('GIT_CONFIG_PARAMETERS').text;
  for (const item of parameters === undefined ? [] : quotedItems(parameters)) {
    const equals = item.indexOf('=');
    settings.push({
      key: normalKey(equals < 0 ? item : item.slice(0, equals)),
      value: equals < 0 ? 'true' : item.slice(equals + 1),
      from: 'environment',
    });
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
export const isConfigVariable = (name: string): boolean => /^GIT_CONFIG_(COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)$/.test(name);
