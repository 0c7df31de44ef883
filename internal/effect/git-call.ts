/**
 * One call of git, taken apart: global options, the repository it means, the configuration the line gives it, the
 * subcommand and its words. Everything the files `git-*.ts` read starts from this.
 */

import { isAbsolute, normalize, relative, resolve } from 'node:path/posix';
import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { prefixOf, textOf, type Word } from '../shell/word.ts';
import type { Base } from './effect.ts';
import { baseOf, type EffectContext } from './family.ts';
import { optionNames } from './git-grammars.ts';
import { environmentSettings, normalKey, type Setting } from './git-settings.ts';
import { type Grammar, type Parsed, parseOptions } from './options.ts';
import type { GitPlace } from './types-git.ts';

/** A call of git with the parts that its subcommand's reader needs. */
export interface GitCall {
  command: Command;
  context: EffectContext;
  /** The repository it means. */
  repo: GitPlace;
  /** The subcommand, '' when there is none or it is not known. */
  sub: string;
  /** Words before the subcommand, the program left out. */
  globals: readonly Word[];
  /** Words after the subcommand. */
  words: readonly Word[];
  /** Configuration given to this call alone: `-c`, `--config-env`, `GIT_CONFIG_*`. In order, the last of a key counts. */
  settings: readonly Setting[];
  /** What every effect of this call carries. */
  base: Base & { repo: GitPlace };
  /** The command line again, runnable from where the caller's line starts; the source text when a word of it is not certain. */
  line: string;
  /** Aliases are followed at most this far. */
  depth: number;
}

const GLOBAL: Grammar = {
  flags: optionNames(
    'p paginate P no-pager no-replace-objects no-lazy-fetch no-optional-locks no-advice bare literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs html-path man-path info-path version v',
  ),
  values: optionNames('C c git-dir work-tree namespace super-prefix config-env attr-source list-cmds'),
  optional: ['exec-path'],
  stopAtOperand: true,
  abbreviate: false,
};

/** Takes a git command apart. */
export function readCall(command: Command, context: EffectContext, depth = 0): GitCall {
  const parsed = parseOptions(command.args, GLOBAL);
  const words = parsed.operands;
  const at = command.args.length - words.length;
  const repo = placeOf(parsed, command, context);
  const globals = command.args.slice(0, at).filter((word) => textOf(word) !== '--');
  return {
    command,
    context,
    repo,
    sub: textOf(words[0]) ?? '',
    globals,
    words: words.slice(1),
    settings: [...environmentSettings(command, context.look), ...optionSettings(parsed, command, context)],
    base: { repo, ...baseOf(command) },
    line: lineOf(command, context, command.args.map(textOf)) ?? command.source,
    depth,
  };
}

function placeOf(parsed: Parsed, command: Command, context: EffectContext): GitPlace {
  let dir = command.cwd;
  for (const word of parsed.options.get('C') ?? []) {
    const text = textOf(word);
    dir = text === undefined ? undefined : join(dir, text);
  }
  const variable = (name: string): string | undefined =>
    (command.env.has(name) ? textOf(command.env.get(name)) : context.look.env(name)) || undefined;
  const gitDir = parsed.text('git-dir') ?? variable('GIT_DIR');
  const workTree = parsed.text('work-tree') ?? variable('GIT_WORK_TREE');
  return {
    dir,
    ...(gitDir === undefined ? {} : { gitDir: join(dir, gitDir) }),
    ...(workTree === undefined ? {} : { workTree: join(dir, workTree) }),
  };
}

const join = (dir: string | undefined, path: string): string | undefined =>
  isAbsolute(path) ? normalize(path) : dir === undefined ? undefined : resolve(dir, path);

function optionSettings(parsed: Parsed, command: Command, context: EffectContext): Setting[] {
  const settings: Setting[] = [];
  for (const word of parsed.options.get('c') ?? []) {
    if (!word) continue;
    const text = textOf(word) ?? prefixOf(word);
    const equals = text.indexOf('=');
    const key = equals < 0 ? text : text.slice(0, equals);
    const known = textOf(word) !== undefined;
    settings.push({ key: normalKey(key), value: known ? (equals < 0 ? 'true' : text.slice(equals + 1)) : undefined, from: 'option' });
  }
  for (const word of parsed.options.get('config-env') ?? []) {
    const text = textOf(word);
    const equals = text?.lastIndexOf('=') ?? -1;
    if (text === undefined || equals < 0) continue;
    const name = text.slice(equals + 1);
    const value = command.env.has(name) ? textOf(command.env.get(name)) : context.look.env(name);
    settings.push({ key: normalKey(text.slice(0, equals)), value, from: 'option' });
  }
  return settings;
}

/** The value of a key for this call: the line's own setting, an earlier `git config` of the line, or the configuration that stands. */
export function settingOf(call: GitCall, key: string): string | undefined {
  const given = call.settings.findLast((setting) => setting.key === normalKey(key));
  if (given) return given.value;
  const dir = call.repo.dir;
  return dir === undefined ? undefined : call.context.look.gitConfig(dir, key).at(-1);
}

/** What a rebuilt line leaves out or puts in. */
export interface Change {
  /** Words after the program, in place of the call's own. */
  args: readonly (string | undefined)[];
  /** Variables of the line's environment that are left out. */
  without?: (name: string) => boolean;
}

/**
 * The command as one line that can be run where the caller's line starts: its own environment in front, and `-C` where a
 * `cd` of the line came before it. Undefined when some word is not certain.
 */
export function lineOf(
  command: Command,
  context: EffectContext,
  args: readonly (string | undefined)[],
  without: (name: string) => boolean = () => false,
): string | undefined {
  if (args.some((arg) => arg === undefined)) return undefined;
  const env: string[] = [];
  for (const [name, word] of command.env) {
    if (without(name)) continue;
    const text = textOf(word);
    // An unset variable and one that is not known cannot be written down; neither changes what the line is about.
    if (text !== undefined) env.push(`${name}=${text}`);
  }
  const place = command.name === 'git' ? placeArguments(command, context) : [];
  return [...env.map(assignment), quoteLine([command.name || 'git', ...place, ...(args as string[])])].join(' ');
}

const assignment = (text: string): string => {
  const equals = text.indexOf('=');
  return `${text.slice(0, equals + 1)}${text.length > equals + 1 ? quoteLine([text.slice(equals + 1)]) : ''}`;
};

function placeArguments(command: Command, context: EffectContext): string[] {
  const start = context.start;
  if (command.cwd === undefined || start === undefined || command.cwd === start) return [];
  const way = relative(start, command.cwd);
  return ['-C', way.startsWith('../../') ? command.cwd : way];
}

/** The call's line with other words after the subcommand. */
export function rewritten(
  call: GitCall,
  words: readonly (string | undefined)[],
  more: { globals?: readonly Word[]; sub?: string; without?: (name: string) => boolean } = {},
): string | undefined {
  const globals = (more.globals ?? call.globals).map(textOf);
  return lineOf(call.command, call.context, [...globals, more.sub ?? call.sub, ...words], more.without);
}

/** Options read by git's own parser: every long option can be negated, and the last of the two counts. */
export interface GitOptions extends Parsed {
  /** Given, and not taken back later by `--no-NAME`. */
  on(name: string): boolean;
  /** The last word about it was `--no-NAME`. */
  negated(name: string): boolean;
  /** `-h` or `--help` stands among the options: nothing else happens. */
  help: boolean;
}

const negatable = new WeakMap<Grammar, Grammar>();

/** Parses the words of a subcommand by its grammar, with `--no-…` for every long option. */
export function gitOptions(words: readonly Word[], grammar: Grammar): GitOptions {
  let full = negatable.get(grammar);
  if (!full) {
    const named = [
      ...(grammar.flags ?? []),
      ...(grammar.values ?? []),
      ...(grammar.optional ?? []),
      ...Object.values(grammar.aliases ?? {}),
    ];
    const known = new Set(named);
    const negations = [...known]
      .filter((name) => name.length > 1 && !name.startsWith('no-') && !known.has(`no-${name}`))
      .map((name) => `no-${name}`);
    full = { ...grammar, flags: [...(grammar.flags ?? []), ...negations] };
    negatable.set(grammar, full);
  }
  const parsed = parseOptions(words, full);
  const last = (name: string) => parsed.order.findLast((each) => each.name === name || each.name === `no-${name}`)?.name;
  return {
    on: (name) => last(name) === name,
    ...parsed,
    negated: (name) => last(name) === `no-${name}`,
    help: parsed.unknown.some((text) => text === '--help' || text === '-h' || text === '--version' || text === '--help-all'),
  };
}

/** The words as text with one option taken out wherever it stands, also out of a cluster. */
export function withoutOption(words: readonly Word[], parsed: Parsed, names: readonly string[]): (string | undefined)[] {
  const cut = new Map<number, number[]>();
  for (const each of parsed.order) {
    if (names.includes(each.name)) cut.set(each.word, [...(cut.get(each.word) ?? []), each.at]);
  }
  const kept: (string | undefined)[] = [];
  words.forEach((word, index) => {
    const places = cut.get(index);
    const text = textOf(word);
    if (!places) kept.push(text);
    else if (text !== undefined && !places.includes(0)) {
      const rest = [...text].filter((_, at) => !places.includes(at)).join('');
      if (rest !== '-') kept.push(rest);
    }
  });
  return kept;
}
