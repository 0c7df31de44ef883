/** For the tests of the git family: the effects of a line in a repository that is only described, not read. */
import type { Look } from '../shell/command.ts';
import { readLine } from '../shell/read.ts';
import type { Effect } from './effect.ts';
import { effectsOfCommands } from './effects.ts';

/** Where the lines of the tests start. */
export const HERE = '/r';

/** A world with one repository at `/r`: `src/app.ts` is in it, the branches are main and feat/x. */
export function lookAt(config: Readonly<Record<string, string>> = {}): Look {
  const files: Readonly<Record<string, 'dir' | 'file'>> = {
    '/r': 'dir',
    '/r/.git': 'dir',
    '/r/src': 'dir',
    '/r/src/app.ts': 'file',
    '/r/.git/refs/heads/main': 'file',
    '/r/.git/refs/heads/feat/x': 'file',
  };
  return {
    env: () => undefined,
    home: '/home/dev',
    tmp: '/tmp',
    stat: (path) => (files[path] ? { kind: files[path], size: 1 } : undefined),
    read: () => undefined,
    list: () => undefined,
    gitConfig: (_cwd, key) => (config[key] === undefined ? [] : [config[key]]),
  };
}

/** The effects of a line, without what every effect carries. */
export function effectsIn(line: string, config: Readonly<Record<string, string>> = {}): readonly Effect[] {
  const look = lookAt(config);
  const read = readLine(line, { cwd: HERE, look });
  return effectsOfCommands(read.commands, read.look, HERE);
}

/** An effect as a short text: kind and the fields that are asked for, paths instead of targets. */
export function told(effect: Effect, ...fields: readonly string[]): string {
  const record = effect as unknown as Record<string, unknown>;
  return [effect.kind, ...fields.map((field) => `${field}=${shown(record[field])}`)].join(' ');
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(' ')}]`;
  if (value && typeof value === 'object') {
    if ('prefix' in value) {
      const target = value as unknown as { path?: string; raw: string };
      return target.path ?? `?${target.raw}`;
    }
    return Object.entries(value)
      .filter(([, item]) => item !== undefined && item !== false)
      .map(([name, item]) => `${name}:${shown(item)}`)
      .join(',');
  }
  return String(value);
}
