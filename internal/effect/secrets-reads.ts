/**
 * Reading effects, looked at again with the whole line in view: what a pipeline hides is not shown, a filter that lets
 * only harmless lines through shows no credential, a glob stands for the files it matches, a recursive search for the
 * credential files below it.
 */
import { posix } from 'node:path';
import { findCredential } from '../secret/credentials.ts';
import { secretByName, secretVariableName } from '../secret/names.ts';
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import type { Effect, EffectOf, Target } from './effect.ts';
import { type EffectContext, pathTarget } from './family.ts';
import { commandAt } from './line-index.ts';
import { perLine } from './per-line.ts';
import { isShown, type LineFilter, lineFilter, passage, wordsFilter } from './secrets-sinks.ts';

const READ_LIMIT = 1_000_000;

/** The effects of a line with its reads judged by what they show. */
export function refineReads(effects: readonly Effect[], context: EffectContext): Effect[] {
  return effects.flatMap((effect) => {
    if (effect.kind !== 'file.read') return [effect];
    if (effect.shown) return refined(effect, context);
    return printedLater(effect, context) ? [{ ...effect, shown: true }] : [effect];
  });
}

/** `while read line; do echo "$line"; done < f`: what is read into a variable is printed from it. */
function printedLater(effect: EffectOf<'file.read'>, context: EffectContext): boolean {
  if (!/^(read|mapfile|readarray)$/.test(effect.by)) return false;
  const name = fieldName(commandAt(effect.step, context));
  return inputPrinters(context.commands).some(
    (each) => each.step > effect.step && (name === undefined || printsInput(each, name)) && isShown(each, context),
  );
}

/** `IFS='=' read -r name value`: the variable that gets what stands before the sign, which is no value. */
function fieldName(command: Command | undefined): string | undefined {
  if (command?.name !== 'read' || !/^[=:]$/.test(textOf(command.env.get('IFS')) ?? '')) return undefined;
  const names = command.args.map((word) => textOf(word)).filter((text) => text !== undefined && /^[A-Za-z_]\w*$/.test(text));
  return names.length > 1 ? names[0] : undefined;
}

/** Does a command have words that were read from an input, other than the variable `except`? */
const printsInput = (command: Command, except?: string): boolean =>
  command.args.some((word) => word.parts.some((part) => part.kind === 'hole' && part.why === 'input' && (!except || part.name !== except)));

/** The commands that print a variable that was read from an input. The first few say it for the rest. */
const inputPrinters = perLine<readonly Command[], void, readonly Command[]>((commands) =>
  commands.filter((each) => /^(echo|printf)$/.test(each.name) && printsInput(each)).slice(-PRINTERS_LIMIT),
);

/** The last ones stand behind every read. */
const PRINTERS_LIMIT = 50;

function refined(effect: EffectOf<'file.read'>, context: EffectContext): Effect[] {
  const command = commandAt(effect.step, context);
  if (!command) return [effect];
  const targets = effect.targets.flatMap((target) => expanded(target, context));
  if (!isShown(command, context)) return [{ ...effect, targets, shown: false }];
  const filters = passage(command, context).flatMap((each) => lineFilter(each) ?? []);
  const selects = filters.find((filter) => !filter.inverted)?.words;
  if (effect.recursive && !effect.remote)
    return [{ ...effect, targets, ...(selects ? { selects } : {}) }, ...below(effect, command, filters, context)];
  const harmless =
    filters.length > 0 &&
    targets.length > 0 &&
    targets.every((target) => target.path !== undefined && lacksSecret(target.path, filters, effect, context));
  return [{ ...effect, targets, ...(selects ? { selects } : {}), ...(harmless ? { shown: false } : {}) }];
}

/** The lines that come through hold no credential. A file that cannot be read counts as one that does. */
function lacksSecret(path: string, filters: readonly LineFilter[], effect: EffectOf<'file.read'>, context: EffectContext): boolean {
  if (filters.some((filter) => !filter.inverted && filter.words.every((word) => PLAIN_NAMES.has(word)))) return true;
  const text = effect.remote ? undefined : context.look.read(path, READ_LIMIT);
  return text !== undefined && !holdsIn(text, filters);
}

/** Whole names of settings that are no credentials and no part of one. */
const PLAIN_NAMES = new Set([
  'PORT',
  'HOST',
  'NODE_ENV',
  'APP_ENV',
  'RAILS_ENV',
  'DEBUG',
  'LOG_LEVEL',
  'TZ',
  'LANG',
  'APP_NAME',
  'BASE_URL',
  'PUBLIC_URL',
  'VERSION',
]);

/** Does any line of a settings file hold a credential? `pattern`: of the lines that a search for it lets through. */
export function holdsSecret(text: string, pattern?: string): boolean {
  const filter = pattern === undefined ? undefined : wordsFilter([pattern]);
  return holdsIn(text, filter ? [filter] : []);
}

function holdsIn(text: string, filters: readonly LineFilter[]): boolean {
  const passes = (line: string): boolean =>
    filters.every(
      (filter) =>
        filter.words.some((word) => (filter.inverted ? line.includes(word) : line.toLowerCase().includes(word.toLowerCase()))) !==
        filter.inverted,
    );
  return text.split('\n').some((line) => {
    if (!passes(line)) return false;
    if (findCredential(line) !== undefined) return true;
    const match = /^\s*(?:export\s+)?["']?([A-Za-z_][\w.-]*)["']?\s*[=:]\s*["']?([^\s"'#]+)/.exec(line);
    return match?.[1] !== undefined && match[2] !== undefined && !match[2].startsWith('$') && secretVariableName(match[1]);
  });
}

const NAME_LIMIT = 50;

/** A glob in the last part of a path as the credential files it matches; itself when nothing is seen there. */
function expanded(target: Target, context: EffectContext): Target[] {
  if (!target.glob || target.path === undefined) return [target];
  const folder = posix.dirname(target.path);
  const pattern = posix.basename(target.path);
  if (/[*?[]/.test(folder)) return [target];
  const names = context.look.list(folder);
  if (!names) return [target];
  const matches = globTest(pattern);
  const found = names.filter(
    (name) => matches(name) && (pattern.startsWith('.') || !name.startsWith('.')) && secretByName(posix.join(folder, name)) !== undefined,
  );
  return found.length === 0
    ? names.some(matches)
      ? []
      : [target]
    : found.slice(0, NAME_LIMIT).map((name) => pathTarget(posix.join(folder, name), undefined, target.raw));
}

export function globTest(pattern: string): (name: string) => boolean {
  const source = [...pattern]
    .map((char) =>
      char === '*' ? '[^/]*' : char === '?' ? '[^/]' : char === '[' || char === ']' ? char : char.replace(/[.+^${}()|\\]/g, '\\$&'),
    )
    .join('');
  try {
    const test = new RegExp(`^${source.replaceAll(/(\[\^\/\]\*){2,}/g, '[^/]*')}$`);
    return (name) => name.length < 300 && test.test(name);
  } catch {
    return () => true;
  }
}

/** A recursive search prints the matching lines of the credential files below: those at the top are looked at. */
function below(effect: EffectOf<'file.read'>, command: Command, filters: readonly LineFilter[], context: EffectContext): Effect[] {
  // ripgrep and its kin leave out hidden and ignored files unless they are told not to.
  if (!/grep$/.test(command.name) && !command.args.some((word) => /^(-[a-zA-Z]*[u.]|--hidden|--no-ignore|-uu+)$/.test(word.raw))) return [];
  const only = command.args.map((word) => /^--include=["']?([^"']+)["']?$/.exec(word.raw)?.[1]).filter((glob) => glob !== undefined);
  const targets: Target[] = [];
  for (const target of effect.targets) {
    const { path } = target;
    if (path === undefined || target.glob) continue;
    for (const name of context.look.list(path) ?? []) {
      const file = posix.join(path, name);
      if (secretByName(file) === undefined || (only.length > 0 && !only.some((glob) => globTest(glob)(name)))) continue;
      const text = context.look.read(file, READ_LIMIT);
      if (text !== undefined && filters.length > 0 && holdsIn(text, filters)) targets.push(pathTarget(file, undefined, file));
    }
  }
  return targets.length > 0 ? [{ ...effect, targets: targets.slice(0, NAME_LIMIT), recursive: false }] : [];
}
