import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import { type EffectContext, targetOf } from './family.ts';
import { commandAt } from './line-index.ts';
import { decodes } from './network-decode.ts';
import { descriptorsOf, opened } from './network-descriptors.ts';
import { FETCHER_NAMES, fetchedBy } from './network-fetch.ts';
import { keep, tarArchive, tarMembers } from './network-files.ts';
import { contentOf, type Inflow, type Origin, outOf, type State, socketOf, stepsOf, unique } from './network-origins.ts';
import { perLine } from './per-line.ts';

const NOTHING: Inflow = { stdin: [], out: [], paths: new Map() };
const STAGES = 64;

/** The commands at these steps and all before them in their pipelines, upstream first. */
export function upstream(steps: readonly number[], context: EffectContext): readonly Command[] {
  const seen = new Set<number>();
  const out: Command[] = [];
  const visit = (list: readonly number[]) => {
    for (const step of list) {
      if (seen.has(step) || seen.size > STAGES) continue;
      seen.add(step);
      const command = commandAt(step, context);
      if (!command) continue;
      if (command.stdin.from === 'pipe') visit(command.stdin.steps);
      for (const word of command.args) visit(stepsOf(word));
      out.push(command);
    }
  };
  visit(steps);
  return out;
}

/** True when something in the line fetches or decodes at all: the quick answer for most lines. */
export const hasSource = (context: EffectContext): boolean => sourceIn(context.commands);

const sourceIn = perLine<readonly Command[], void, boolean>((commands) =>
  commands.some(
    (command) =>
      FETCHER_NAMES.has(command.name) ||
      decodes(command) !== undefined ||
      command.redirects.some((redirect) => socketOf(redirect.target) !== undefined),
  ),
);

/** What reaches a command, and what it gives on. */
export const inflowOf = (command: Command, context: EffectContext): Inflow =>
  flowsOf(context.commands, context).get(command.step) ?? NOTHING;

const flowsOf = perLine<readonly Command[], EffectContext, ReadonlyMap<number, Inflow>>((_commands, context) => walk(context));

/** The origins of what substitutions put into a word. */
export function originsOf(word: Word | undefined, context: EffectContext): readonly Origin[] {
  const steps = stepsOf(word);
  if (steps.length === 0) return [];
  return unique(
    steps.flatMap((step) => {
      const command = commandAt(step, context);
      return command ? inflowOf(command, context).out : [];
    }),
  );
}

/** Programs whose output is the content of the files they name. */
const READERS = new Set(
  'cat tac head tail base64 base32 gbase64 gzip gunzip zcat bzip2 bzcat bunzip2 xz xzcat zstd zstdcat tar zip xxd od hexdump strings sort uniq cut sed gsed awk gawk mawk grep egrep fgrep rg jq yq nl paste openssl gpg dd less more bat column fold rev tr diff pr expand iconv uuencode tee ssh-keygen type get-content gc'.split(
    ' ',
  ),
);

function walk(context: EffectContext): ReadonlyMap<number, Inflow> {
  const state: State = { fds: new Map(), files: new Map(), flows: new Map() };
  for (const command of context.commands) {
    const paths = new Map<string, readonly Origin[]>();
    const note = (path: string | undefined) => {
      const origins = path === undefined ? undefined : state.files.get(path);
      if (path !== undefined && origins) paths.set(path, origins);
    };
    if (state.files.size > 0) for (const word of mentioned(command)) note(targetOf(word, command.cwd).path);
    const duplicated = state.fds.size > 0 ? descriptorsOf(command, state, paths) : { reads: [] };
    const stdin = unique([...stdinOf(command, state), ...duplicated.reads]);
    const out = unique(outputOf(command, stdin, state));
    state.flows.set(command.step, {
      stdin,
      out,
      paths,
      ...(command.name === 'socat' && state.fds.size > 0 ? { opened: socketsIn(state) } : {}),
      ...(duplicated.socket ? { socket: duplicated.socket } : {}),
      ...(duplicated.beside ? { beside: duplicated.beside } : {}),
    });
    if (duplicated.file?.path !== undefined)
      state.files.set(duplicated.file.path, unique([...(state.files.get(duplicated.file.path) ?? []), ...out]));
    if (command.name === 'exec' && command.redirects.length > 0) opened(command, state);
    keep(command, stdin, out, state, context);
  }
  return state.flows;
}

const socketsIn = (state: State): ReadonlyMap<string, string> =>
  new Map([...state.fds].flatMap(([key, open]): [string, string][] => (open.socket === undefined ? [] : [[key, open.socket]])));

/** Words that may name a file: operands, option values, `@file`, redirections, the program itself. */
function mentioned(command: Command): Word[] {
  const words = [...command.argv, ...command.redirects.map((redirect) => redirect.target)];
  return words.flatMap((word) => {
    const text = textOf(word);
    const at = text?.indexOf('@') ?? -1;
    return at >= 0 && text !== undefined
      ? [word, { parts: [{ kind: 'text', text: text.slice(at + 1).replace(/;.*$/, '') }], raw: word.raw }]
      : [word];
  });
}

function stdinOf(command: Command, state: State): readonly Origin[] {
  const { stdin } = command;
  switch (stdin.from) {
    case 'pipe':
      // Text that the reader followed through the pipe is judged as it stands; that it was encoded stays told.
      return stdin.text && stepsOf(stdin.text).length === 0 ? outOf(stdin.steps, state).filter(isEncoding) : outOf(stdin.steps, state);
    case 'text':
      return outOf(stepsOf(stdin.text), state);
    case 'file': {
      const socket = socketOf(stdin.file);
      if (socket)
        return [{ from: 'network', fetched: { url: socket, known: true, stdout: true, to: [], http: false }, step: command.step }];
      return unique([...outOf(stepsOf(stdin.file), state), ...contentOf(targetOf(stdin.file, command.cwd), state)]);
    }
    default:
      return [];
  }
}

const isEncoding = (origin: Origin): boolean => origin.from === 'decoded' && origin.how !== 'tr' && origin.how !== 'rev';

function outputOf(command: Command, stdin: readonly Origin[], state: State): readonly Origin[] {
  const out: Origin[] = [];
  for (const fetched of fetchedBy(command)) if (fetched.stdout) out.push({ from: 'network', fetched, step: command.step });
  if (out.length > 0) return out;
  const how = decodes(command);
  if (how !== undefined) out.push({ from: 'decoded', how, step: command.step });
  if (!DROPS_STDIN.has(command.name)) out.push(...stdin);
  if (command.name === 'tar') out.push(...tarMembers(command, state));
  for (const word of command.args) {
    out.push(...outOf(stepsOf(word), state));
    if (command.name === 'tar' || !READERS.has(command.name) || isOption(word)) continue;
    const target = targetOf(word, command.cwd);
    if (target.raw !== '-') out.push(...contentOf(target, state));
  }
  for (const redirect of command.redirects) if (redirect.op === '<') out.push(...outOf(stepsOf(redirect.target), state));
  return out;
}

/** Programs that do not pass their standard input on. */
const DROPS_STDIN = new Set([
  'echo',
  'printf',
  'ls',
  'find',
  'date',
  'true',
  'false',
  'cd',
  'mkdir',
  'rm',
  'cp',
  'mv',
  'touch',
  'chmod',
  'git',
  'wc',
  'which',
  'test',
  '[',
  'curl',
  'wget',
  'sleep',
  'kill',
]);

/** The remote source among origins, if there is one. */
export const networkIn = (origins: readonly Origin[]): Extract<Origin, { from: 'network' }> | undefined =>
  origins.find((origin) => origin.from === 'network');
/** The decoder among origins, if there is one. */
export const decodedIn = (origins: readonly Origin[]): Extract<Origin, { from: 'decoded' }> | undefined =>
  origins.find((origin) => origin.from === 'decoded');

export { type Inflow, type Origin, socketOf, stepsOf, tarArchive };
