/** The guard's own verbs, as a command uses them: which belong to a person, which feed the hook, and what would switch it off. */
import { dirname, join, resolve } from 'node:path/posix';
import { quote } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import { RUN } from '../shell/wrappers.ts';
import { AGENT_STARTS } from './agent-starts.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable, targetOf } from './family.ts';
import { type Grammar, parseOptions } from './options.ts';
import { aroundOf } from './run-call.ts';
import { outputFlow, SHOWN } from './run-flow.ts';
import type { OutputFlow } from './types-run.ts';

/** The verbs of a person alone (contract.md). A second word limits it to that form. */
const OWNER_VERBS: readonly (readonly [verb: string, second?: string])[] = [
  ['trust'],
  ['grant'],
  ['revoke'],
  ['requests', '--reject'],
  ['uninstall'],
  ['init'],
  ['gate', 'record'],
  ['intents', 'resolve'],
  ['intent', 'resolve'],
];
/** Options that turn an owner's verb into a look. */
const ONLY_LOOKS: Readonly<Record<string, readonly string[]>> = { trust: ['--list'], init: ['--dry-run'], uninstall: ['--dry-run'] };

/** What stands before the verb. */
const GLOBAL: Grammar = { values: ['C'], flags: ['help', 'h', 'version', 'V'], stopAtOperand: true };
const CHECKPOINT: Grammar = { values: ['C', 'm', 'message'], flags: ['json', 'yes', 'y', 'quiet', 'q'] };
const CHECKPOINT_VERBS = new Set(['list', 'show', 'restore', 'save', 'drop', 'prune']);

const waygate: Family = (command, context) => verb(command, command.args, context);

/** `node …/waygate.cjs VERB`. */
const script: Family = (command, context) => {
  const at = scriptAt(command.args);
  const path = at === undefined ? undefined : textOf(command.args[at]);
  if (at === undefined || path === undefined || !isGuardScript(path, command.cwd, context)) return [];
  return verb(command, command.args.slice(at + 1), context);
};

/** Options of node and bun that take the next word. */
const NODE_VALUES = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
  '--input-type',
  '--env-file',
  '--title',
]);

function scriptAt(args: readonly Word[]): number | undefined {
  for (let i = 0; i < args.length; i++) {
    const text = textOf(args[i]);
    if (text === '-e' || text === '--eval' || text === '-p' || text === '--print') return undefined;
    if (text !== undefined && NODE_VALUES.has(text)) i++;
    else if (text === 'run') continue;
    else if (!isOption(args[i]!)) return i;
  }
  return undefined;
}

/** The bundle by its name, a part of the bundle beside it, or a link to it. */
function isGuardScript(path: string, cwd: string | undefined, { look }: EffectContext): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (/^waygate(\.[cm]?js)?$/.test(base)) return true;
  if (cwd === undefined) return false;
  const full = resolve(cwd, path);
  const target = look.stat(full)?.target;
  if (target !== undefined && /(^|\/)waygate(\.[cm]?js)?$/.test(target)) return true;
  return (base === 'hook.cjs' || base === 'cli.cjs') && look.stat(join(dirname(full), 'waygate.cjs')) !== undefined;
}

function verb(command: Command, args: readonly Word[], context: EffectContext): readonly Effect[] {
  const base = baseOf(command);
  const global = parseOptions(args, GLOBAL);
  const name = textOf(global.operands[0]);
  const rest = global.operands.slice(1);
  const words = rest.map((word) => textOf(word) ?? '');
  const directory = global.word('C');
  const cwd = directory ? targetOf(directory, command.cwd).path : command.cwd;
  const seen = { command: command.source, ...base, cwd };
  if (global.operands.length === 0) return [{ kind: 'guard.verb', ...seen, verb: 'help' }];
  // a verb that only the run will know may be any of them
  if (name === undefined) return [{ kind: 'guard.owner-verb', ...seen, verb: '' }];
  if (words.includes('--help') || words.includes('-h')) return [{ kind: 'guard.verb', ...seen, verb: name }];
  if (name === 'hook') return hook(command, words, seen, context);
  if (name === 'judge' && words.includes('--record')) return [{ kind: 'guard.owner-verb', ...seen, verb: 'judge --record' }];
  const owner = OWNER_VERBS.find(
    ([first, second]) => first === name && (second === undefined || words.some((word) => word === second || word.startsWith(`${second}=`))),
  );
  if (owner && !ONLY_LOOKS[name]?.some((option) => words.includes(option)))
    return [{ kind: 'guard.owner-verb', ...seen, verb: owner.filter(Boolean).join(' ') }];
  if (name === 'checkpoint') return checkpoint(rest, seen);
  if (name === 'stage') return stage(rest, seen);
  const output = outputFlow(command, context);
  if (name === 'gate' && words[0] === 'run') return [gateRun(command, rest.slice(1), seen, output, context)];
  if (name === 'run') return [{ kind: 'guard.verb', ...seen, verb: name, argv: words }, ...copyOf(rest, seen)];
  const around = output === SHOWN ? undefined : aroundOf(command, context);
  return [{ kind: 'guard.verb', ...seen, verb: name, argv: words, ...(output === SHOWN ? {} : { output }), ...(around ? { around } : {}) }];
}

/** `waygate run --tee FILE -- …`: the copy of the output is a file that is written. */
function copyOf(rest: readonly Word[], seen: Seen): readonly Effect[] {
  const parsed = parseOptions(rest, RUN);
  const inside = parsed.word('C');
  const cwd = inside ? targetOf(inside, seen.cwd).path : seen.cwd;
  return [parsed.word('tee'), parsed.word('tee-all')]
    .filter((word) => word !== undefined)
    .map((word) => ({ kind: 'file.write', ...seen, cwd, targets: [targetOf(word, cwd)], mode: 'truncate', how: 'waygate run --tee' }));
}

const GATE: Grammar = { values: ['C', 'again', 'timeout', 'tail', 'grep'], flags: ['json', 'quiet', 'q', 'failure', 'yes', 'y'] };

/** `waygate gate run`: what the gate itself does is the workspace's declaration. */
function gateRun(command: Command, rest: readonly Word[], seen: Seen, output: OutputFlow, context: EffectContext): Effect {
  const parsed = parseOptions(rest, GATE);
  const inside = parsed.word('C');
  const dir = inside ? targetOf(inside, seen.cwd).path : seen.cwd;
  const again = parsed.text('again');
  const { timeoutMs, background = false } = context.call ?? {};
  return {
    kind: 'run.gate',
    ...seen,
    cwd: dir,
    repo: { dir },
    ...(again === undefined ? {} : { again }),
    output,
    ...(timeoutMs === undefined ? {} : { hostTimeoutMs: timeoutMs }),
    background: background || command.background,
    around: aroundOf(command, context),
  };
}

type Seen = ReturnType<typeof baseOf> & { command: string };

function checkpoint(rest: readonly Word[], seen: Seen): readonly Effect[] {
  const parsed = parseOptions(rest, CHECKPOINT);
  const first = textOf(parsed.operands[0]);
  const second = first !== undefined && CHECKPOINT_VERBS.has(first) && !parsed.afterDashes.includes(parsed.operands[0]!);
  if (second && first !== 'save') return [{ kind: 'guard.verb', ...seen, verb: `checkpoint ${first}` }];
  if (parsed.unknown.length > 0) return [{ kind: 'guard.verb', ...seen, verb: 'checkpoint' }];
  const inside = parsed.word('C');
  const cwd = inside ? targetOf(inside, seen.cwd).path : seen.cwd;
  const paths = second ? parsed.operands.slice(1) : parsed.operands;
  return [{ kind: 'guard.checkpoint', ...seen, cwd, paths: paths.length > 0 ? paths.map((word) => targetOf(word, cwd)) : undefined }];
}

const STAGE: Grammar = { values: ['C'], flags: ['json', 'dry-run', 'n', 'yes', 'y'], aliases: { n: 'dry-run' } };

/** `waygate stage PATH…` stages these paths, with the outputs that are made from them. */
function stage(rest: readonly Word[], seen: Seen): readonly Effect[] {
  const parsed = parseOptions(rest, STAGE);
  if (parsed.has('dry-run') || parsed.unknown.length > 0 || parsed.operands.length === 0)
    return [{ kind: 'guard.verb', ...seen, verb: 'stage' }];
  const inside = parsed.word('C');
  const cwd = inside ? targetOf(inside, seen.cwd).path : seen.cwd;
  return [
    {
      kind: 'git.stage',
      ...seen,
      cwd,
      repo: { dir: cwd },
      paths: parsed.operands.map((word) => targetOf(word, cwd)),
      all: false,
      force: false,
      update: false,
      how: 'waygate stage',
    },
  ];
}

/** The hook reads its event from stdin; a call without one asks nothing. */
function hook(command: Command, words: readonly string[], seen: Seen, context: EffectContext): readonly Effect[] {
  const { stdin } = command;
  if (stdin.from === 'inherit' || stdin.from === 'closed') return [{ kind: 'guard.verb', ...seen, verb: 'hook' }];
  const host = words.includes('--host') ? ` --host ${quote(words[words.indexOf('--host') + 1] ?? '')}` : '';
  return [{ kind: 'guard.feeds-hook', ...seen, ...judgeInstead(stdin, host, context) }];
}

/** The same input for `waygate judge`, where it can be written again. */
function judgeInstead(stdin: Command['stdin'], host: string, { commands }: EffectContext): { judge?: { before: string; after: string } } {
  if (stdin.from === 'file') {
    const file = textOf(stdin.file);
    return file === undefined ? {} : { judge: { before: '', after: `${host} < ${quote(file)}` } };
  }
  if (stdin.from === 'text') {
    const text = textOf(stdin.text);
    return text === undefined || text.length > 2000
      ? {}
      : { judge: { before: `printf '%s' ${quote(text.replace(/\n$/, ''))} | `, after: host } };
  }
  const feeding = stdin.from === 'pipe' ? commands.filter((each) => stdin.steps.includes(each.step)) : [];
  const [only] = feeding;
  return only && feeding.length === 1 && only.stdin.from === 'inherit' && only.via.length === 0
    ? { judge: { before: `${only.source} | `, after: host } }
    : {};
}

const names = (word: Word): boolean => /(^|\/)waygate(\.[cm]?js)?$/.test(textOf(word) ?? '');
const asksWhere = (command: Command): boolean =>
  ['which', 'command', 'type', 'whereis', 'readlink', 'realpath', 'pgrep', 'pidof'].includes(command.name) && command.args.some(names);
const hasSubstitution = (word: Word): boolean => word.parts.some((part) => part.kind === 'hole' && part.why === 'command');
/** A command of the line asks where the guard is or what its process is, and this one uses the answer. */
const usesAnswer = (command: Command, { commands }: EffectContext): boolean =>
  (command.args.some((word) => hasSubstitution(word) || isAnswer(word)) || command.via.includes('xargs')) &&
  askersIn(commands).some((other) => other !== command);
/** Where the answer is known already, its path stands in its place. */
const isAnswer = (word: Word): boolean => /\/waygate$/.test(textOf(word) ?? '');

const askers = new WeakMap<readonly Command[], readonly Command[]>();

/** The commands of a line that ask where the guard is; the first two tell as much as all. */
function askersIn(commands: readonly Command[]): readonly Command[] {
  let found = askers.get(commands);
  if (!found) {
    found = commands.filter(asksWhere).slice(0, 2);
    askers.set(commands, found);
  }
  return found;
}

const disable = (command: Command, how: string): Effect => ({ kind: 'guard.disable', ...baseOf(command), how, command: command.source });

/** A pattern that hits it: `pkill -f 'waygate hook'`. */
const meant = (word: Word): boolean => /(?:^|[\s/^])\[?w\]?aygate(?![\w-])/.test(textOf(word) ?? '');

/** Ends its process: `pkill waygate`, `kill $(pgrep -f waygate)`. */
const kills: Family = (command, context) => {
  const listing = command.args.some((word) => ['-l', '--list', '-0'].includes(textOf(word) ?? ''));
  if (listing) return [];
  return command.args.some(meant) || usesAnswer(command, context) ? [disable(command, 'ends its process')] : [];
};

/** Takes its program away: `rm "$(which waygate)"`. */
const removes: Family = (command, context) => (usesAnswer(command, context) ? [disable(command, 'takes its program away')] : []);

/** Another program under its name: `alias waygate=true`, `hash -p /bin/true waygate`. */
const shadows: Family = (command) => {
  const shadowed =
    command.name === 'alias'
      ? command.args.some((word) => textOf(word)?.startsWith('waygate='))
      : command.args.some((word) => textOf(word) === '-p') && command.args.some(names);
  return shadowed ? [disable(command, 'puts another program under its name')] : [];
};

const REMOVING = new Set(['uninstall', 'un', 'unlink', 'remove', 'rm', 'r', 'purge', 'autoremove', 'erase', 'del']);

/** Removes the installed package: `npm uninstall waygate`, `brew uninstall waygate`. */
const uninstalls: Family = (command) => {
  const words = command.args.map((word) => textOf(word) ?? '');
  const verb = words.find((word) => !word.startsWith('-') && word !== 'global') ?? '';
  const removes = REMOVING.has(verb) || (command.name === 'pacman' && words.some((word) => /^-R/.test(word)));
  return removes && !words.includes('--dry-run') && words.some((word) => /^(@[\w-]+\/)?waygate(@.*)?$/.test(word))
    ? [disable(command, 'removes its package')]
    : [];
};

const each = (programs: readonly string[], family: Family): FamilyTable => Object.fromEntries(programs.map((program) => [program, family]));

/** Programs through which the guard itself is used or switched off. */
export const WAYGATE: readonly FamilyTable[] = [
  each(['waygate', 'waygate.cjs', 'waygate.mjs', 'waygate.js'], waygate),
  each(['node', 'nodejs', 'bun'], script),
  each(['pkill', 'killall', 'kill', 'skill'], kills),
  each(['rm', 'unlink', 'shred', 'mv', 'cp', 'ln', 'chmod', 'truncate', 'tee', 'install', 'dd'], removes),
  each(['alias', 'hash'], shadows),
  each(
    [
      'npm',
      'pnpm',
      'yarn',
      'bun',
      'brew',
      'apt',
      'apt-get',
      'dnf',
      'yum',
      'pacman',
      'pipx',
      'cargo',
      'volta',
      'asdf',
      'mise',
      'scoop',
      'choco',
      'winget',
    ],
    uninstalls,
  ),
  AGENT_STARTS,
];
