/** What the families share: the context they get, and how a word becomes a target. */
import { isAbsolute, normalize, resolve } from 'node:path/posix';
import type { Command, Look } from '../shell/command.ts';
import { prefixOf, textOf, type Word } from '../shell/word.ts';
import type { Base, Effect, Target } from './effect.ts';

/** What a family gets besides the command. */
export interface EffectContext {
  look: Look;
  /** All commands of the line, by step: a family may ask what is piped in. */
  commands: readonly Command[];
  /** Directory the caller's line starts in, absolute: a rebuilt command must be runnable from there. */
  start: string | undefined;
  /** The call itself, when these commands are its own line: the text, and what the host was told about the run. */
  call?: { text: string; timeoutMs?: number; background: boolean };
  /** The effects of a program text that a command hands to a shell: an alias with `!`, `core.sshCommand`, `rebase --exec`. Bounded depth. */
  effectsOf(text: string, cwd: string | undefined): readonly Effect[];
  /** The effects of commands that another reader has read (PowerShell, cmd). Same bound. */
  effectsOfRead(commands: readonly Command[], cwd: string | undefined): readonly Effect[];
}

/** Turns one command into effects. Returns none when the command has none of its kind. */
export type Family = (command: Command, context: EffectContext) => readonly Effect[];

/** Program name -> the families that know it. */
export type FamilyTable = Readonly<Record<string, Family>>;

const SOURCE_LIMIT = 200;

/**
 * The fields every effect of a command carries. Write `{ kind: …, ...baseOf(command), … }` with the kind in front: where a spread comes
 * first, V8 makes a hidden class for each new key of each copy, which takes twenty times as long.
 */
export const baseOf = (command: Command): Base => ({
  step: command.step,
  given: command.given,
  certain: command.certain,
  cwd: command.cwd,
  via: command.via,
  remote: command.remote,
  root: command.root,
  source: command.source.length > SOURCE_LIMIT ? `${command.source.slice(0, SOURCE_LIMIT - 1)}…` : command.source,
  by: command.name,
  ...(command.script !== undefined ? { script: command.script } : {}),
  ...(command.absent !== undefined ? { absent: command.absent } : {}),
  ...(command.env.size > 0 ? { env: new Map([...command.env].map(([name, word]) => [name, word && textOf(word)])) } : {}),
});

/** A word as a path: absolute where the directory is known. */
export function targetOf(word: Word, cwd: string | undefined): Target {
  const text = textOf(word);
  const raw = word.raw;
  if (text !== undefined) return pathTarget(text, cwd, raw);
  const prefix = prefixOf(word);
  const hole = word.parts.find((part) => part.kind === 'hole');
  if (!hole) {
    const pattern = word.parts.map((part) => part.text).join('');
    return { ...pathTarget(pattern, cwd, raw), prefix: absolute(prefix, cwd) ?? '', glob: true };
  }
  const onlyUnset = word.parts.every((part) => part.kind !== 'hole' || part.why === 'unset');
  return {
    path: undefined,
    prefix: prefix === '' ? '' : (absolute(prefix, cwd) ?? ''),
    raw,
    unknown: hole.kind === 'hole' ? (hole.name ?? hole.text) : raw,
    ...(onlyUnset ? { unset: true } : {}),
    ...(word.parts.some((part) => part.kind === 'glob') ? { glob: true } : {}),
  };
}

/** A path given as text. */
export function pathTarget(text: string, cwd: string | undefined, raw = text): Target {
  const path = absolute(text, cwd);
  return {
    path,
    prefix: path ?? '',
    raw,
    ...(text.length > 1 && text.endsWith('/') ? { slash: true } : {}),
    ...(path === undefined ? { unknown: 'the directory' } : {}),
  };
}

/** A path of Windows with its drive: absolute too, in one spelling (`c:\\x` is `C:/x`). */
const DRIVE = /^([A-Za-z]):(?=[\\/]|$)/;
/** The same as Git Bash writes it, where what follows leaves no doubt: `/c/Users/me`. */
const MOUNTED = /^\/([a-z])(?=\/(?:Users|Windows|Program Files(?: \(x86\))?|ProgramData)(?:\/|$))/i;

function absolute(text: string, cwd: string | undefined): string | undefined {
  const drive = DRIVE.exec(text) ?? MOUNTED.exec(text);
  if (drive) return `${drive[1]!.toUpperCase()}:${strip(normalize(`/${text.slice(2).replaceAll('\\', '/')}`))}`;
  if (isAbsolute(text)) return strip(normalize(text));
  return cwd === undefined ? undefined : strip(resolve(cwd, text));
}

/** No slash at the end, and one at the start: `//tmp` is `/tmp`. */
const strip = (path: string): string => path.replace(/^\/\/+/, '/').replace(/(.)\/+$/, '$1');
