/** Ways to make git's hooks not run: options, variables of hook managers, `core.hooksPath`. */
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Effect, EffectOf } from './effect.ts';
import type { Family } from './family.ts';
import { type GitCall, gitOptions, readCall, rewritten, withoutOption } from './git-call.ts';
import { AM, COMMIT, MERGE, PULL, PUSH, REBASE } from './git-grammars.ts';
import { isConfigVariable } from './git-settings.ts';
import type { Grammar } from './options.ts';

type Bypass = EffectOf<'git.hook-bypass'>;

/** The subcommands that run hooks which can refuse. */
const HOOKED: Readonly<Record<string, { what: Bypass['what']; grammar: Grammar }>> = {
  commit: { what: 'commit', grammar: COMMIT },
  push: { what: 'push', grammar: PUSH },
  'send-pack': { what: 'push', grammar: PUSH },
  merge: { what: 'merge', grammar: MERGE },
  pull: { what: 'merge', grammar: PULL },
  rebase: { what: 'other', grammar: REBASE },
  am: { what: 'commit', grammar: AM },
  'cherry-pick': { what: 'commit', grammar: {} },
  revert: { what: 'commit', grammar: {} },
};

/** Variables that switch a hook manager off, with the values that do it. */
const SWITCHES: Readonly<Record<string, (value: string) => boolean>> = {
  HUSKY: (value) => value === '0',
  HUSKY_SKIP_HOOKS: (value) => !off(value),
  SKIP_HUSKY: (value) => !off(value),
  LEFTHOOK: (value) => off(value),
  LEFTHOOK_EXCLUDE: (value) => value !== '',
  SKIP: (value) => value !== '',
  PRE_COMMIT_ALLOW_NO_CONFIG: (value) => !off(value),
  OVERCOMMIT_DISABLE: (value) => !off(value),
  SKIP_SIMPLE_GIT_HOOKS: (value) => !off(value),
  SKIP_YORKIE_HOOK: (value) => !off(value),
  CAPTAINHOOK_SKIP_HOOKS: (value) => !off(value),
};

const off = (value: string): boolean => ['0', 'false', 'no', 'off', ''].includes(value.toLowerCase());

/** What a call does to keep hooks from running, all of it in one effect, so that one repaired line answers it. */
export function hookBypass(call: GitCall): Effect[] {
  const hooked = HOOKED[call.sub];
  if (!hooked) return [];
  const options = gitOptions(call.words, hooked.grammar);
  // What only pretends runs no hook that anybody waits for.
  if (options.help || ['abort', 'quit', 'dry-run'].some((name) => options.on(name))) return [];
  const hows: string[] = [];
  const flag = skips(options);
  if (flag !== undefined) hows.push(flag);
  for (const [name, word] of call.command.env) if (switchesOff(name, word)) hows.push(`${name}=${textOf(word) ?? ''}`);
  const setting = call.settings.findLast((each) => each.key === 'core.hookspath' && each.from !== 'inherited');
  if (setting) hows.push(`core.hooksPath=${setting.value ?? ''}`);
  if (hows.length === 0) return [];
  const words = withoutOption(call.words, options, ['no-verify']);
  const instead = rewritten(call, words, {
    globals: withoutHooksPath(call.globals),
    without: (name) => switchesOff(name, call.command.env.get(name)) || (setting?.from === 'environment' && isConfigVariable(name)),
  });
  return [
    {
      kind: 'git.hook-bypass',
      ...call.base,
      how: hows.join(' '),
      what: hooked.what,
      command: call.line,
      ...(instead === undefined ? {} : { instead }),
    },
  ];
}

/** Hook managers, with the word by which each takes its hooks out. */
const UNINSTALLS: Readonly<Record<string, readonly string[]>> = {
  'pre-commit': ['uninstall'],
  lefthook: ['uninstall'],
  husky: ['uninstall'],
  overcommit: ['--uninstall'],
};

/** `pre-commit uninstall`. */
export const uninstalls: Family = (command: Command, context) => {
  const words = command.args.map((word) => textOf(word) ?? '');
  const verb = UNINSTALLS[command.name]?.find((each) => words.includes(each));
  if (verb === undefined || words.includes('--help') || words.includes('-h')) return [];
  const call = readCall({ ...command, args: [] }, context);
  return [{ kind: 'git.hook-bypass', ...call.base, how: `${command.name} ${verb}`, what: 'config', command: command.source }];
};

/** How `--no-verify` is written, when it is in force. */
function skips(options: ReturnType<typeof gitOptions>): string | undefined {
  const last = options.order.findLast((each) => each.name === 'no-verify' || each.name === 'verify');
  if (last?.name !== 'no-verify') return undefined;
  return last.at > 0 ? '-n' : '--no-verify';
}

/** Does a variable of the line switch hooks off? */
export function switchesOff(name: string, word: Word | undefined): boolean {
  const test = SWITCHES[name];
  if (test === undefined || word === undefined) return false;
  const value = textOf(word);
  return value === undefined || test(value);
}

/** The global words without `-c core.hooksPath=…`. */
function withoutHooksPath(globals: readonly Word[]): Word[] {
  const kept: Word[] = [];
  for (let i = 0; i < globals.length; i++) {
    const text = textOf(globals[i])?.toLowerCase();
    const next = textOf(globals[i + 1])?.toLowerCase();
    if ((text === '-c' || text === '--config-env') && next !== undefined && /^core\.hookspath(=|$)/.test(next)) i++;
    else if (text === undefined || !/^(-c|--config-env=)core\.hookspath(=|$)/.test(text)) kept.push(globals[i]!);
  }
  return kept;
}
