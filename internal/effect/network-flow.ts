/**
 * What flows where inside one line: bytes from the network or a decoder, and the content of files, through pipes,
 * substitutions and the files the line itself writes. Computed once per line, when a family first asks.
 */
import { posix } from 'node:path';
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Target } from './effect.ts';
import { type EffectContext, pathTarget, targetOf } from './family.ts';
import { decodes } from './network-decode.ts';
import { FETCHER_NAMES, type Fetched, fetchedBy, hostOf, isLocal } from './network-fetch.ts';

/** Where bytes come from. */
export type Origin =
  | { from: 'network'; fetched: Fetched; step: number }
  | { from: 'decoded'; how: string; step: number }
  | { from: 'file'; target: Target };

/** What reaches one command. */
export interface Inflow {
  stdin: readonly Origin[];
  out: readonly Origin[];
  /** Paths the command names whose content came from somewhere in this line. */
  paths: ReadonlyMap<string, readonly Origin[]>;
  /** The machine its output goes to, through a descriptor opened before. */
  socket?: string;
  /** The commands its output goes to, through a descriptor opened on `>(…)`. */
  beside?: readonly number[];
}

const NOTHING: Inflow = { stdin: [], out: [], paths: new Map() };
/** Bounds the lists: a chain of thousands of stages stays linear. */
const LIMIT = 32;
const STAGES = 64;

const known = new WeakMap<readonly Command[], ReadonlyMap<number, Inflow>>();
const sources = new WeakMap<readonly Command[], boolean>();
const indexed = new WeakMap<readonly Command[], ReadonlyMap<number, Command>>();

function byStep(context: EffectContext): ReadonlyMap<number, Command> {
  let index = indexed.get(context.commands);
  if (!index) {
    index = new Map(context.commands.map((command) => [command.step, command]));
    indexed.set(context.commands, index);
  }
  return index;
}

/** The commands at these steps and all before them in their pipelines, upstream first. */
export function upstream(steps: readonly number[], context: EffectContext): readonly Command[] {
  const index = byStep(context);
  const seen = new Set<number>();
  const out: Command[] = [];
  const visit = (list: readonly number[]) => {
    for (const step of list) {
      if (seen.has(step) || seen.size > STAGES) continue;
      seen.add(step);
      const command = index.get(step);
      if (!command) continue;
      if (command.stdin.from === 'pipe') visit(command.stdin.steps);
      for (const word of command.args) visit(stepsOf(word));
      out.push(command);
    }
  };
  visit(steps);
  return out;
}

/** The steps whose output stands in a word. */
export const stepsOf = (word: Word | undefined): readonly number[] =>
  word ? word.parts.flatMap((part) => (part.kind === 'hole' ? (part.steps ?? []) : [])) : [];

/** True when something in the line fetches or decodes at all: the quick answer for most lines. */
export function hasSource(context: EffectContext): boolean {
  let answer = sources.get(context.commands);
  if (answer === undefined) {
    answer = context.commands.some(
      (command) =>
        FETCHER_NAMES.has(command.name) ||
        decodes(command) !== undefined ||
        command.redirects.some((redirect) => socketOf(redirect.target) !== undefined),
    );
    sources.set(context.commands, answer);
  }
  return answer;
}

/** `/dev/tcp/HOST/PORT` and udp: the host, when it is another machine. */
export function socketOf(word: Word): string | undefined {
  const text = word.parts.map((part) => part.text).join('');
  const match = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(.+)$/.exec(text);
  return match && !isLocal(match[1]!) ? `${match[1]}:${match[2]}` : undefined;
}

/** What reaches a command, and what it gives on. */
export function inflowOf(command: Command, context: EffectContext): Inflow {
  let flows = known.get(context.commands);
  if (!flows) {
    flows = walk(context);
    known.set(context.commands, flows);
  }
  return flows.get(command.step) ?? NOTHING;
}

/** The origins of what substitutions put into a word. */
export function originsOf(word: Word | undefined, context: EffectContext): readonly Origin[] {
  const steps = stepsOf(word);
  if (steps.length === 0) return [];
  const index = byStep(context);
  return unique(steps.flatMap((step) => (index.has(step) ? inflowOf(index.get(step)!, context).out : [])));
}

/** Programs whose output is the content of the files they name. */
const READERS = new Set(
  'cat tac head tail base64 base32 gbase64 gzip gunzip zcat bzip2 bzcat bunzip2 xz xzcat zstd zstdcat tar zip xxd od hexdump strings sort uniq cut sed gsed awk gawk mawk grep egrep fgrep rg jq yq nl paste openssl gpg dd less more bat column fold rev tr diff pr expand iconv uuencode tee ssh-keygen type get-content gc'.split(
    ' ',
  ),
);

/** What a descriptor that `exec` opened leads to. */
interface Descriptor {
  reads: readonly Origin[];
  socket?: string;
  file?: Target;
  beside?: readonly number[];
}

interface State {
  /** Descriptors that `exec` opened: where reading from them comes from, where writing to them goes. */
  fds: Map<string, Descriptor>;
  files: Map<string, readonly Origin[]>;
  flows: Map<number, Inflow>;
}

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

/** The name of a descriptor in `<&3`, `>&$sock`, `/dev/fd/3`. */
function descriptorName(word: Word, from: number): string | undefined {
  const hole = word.parts.find((part) => part.kind === 'hole');
  if (hole?.kind === 'hole') return hole.name === undefined ? undefined : `$${hole.name}`;
  return /^(\d+)-?$/.exec((textOf(word) ?? '').slice(from))?.[1];
}

/** What `exec 3< <(…)`, `exec {sock}>/dev/tcp/…` leaves open. The names in braces are read from the source, in order. */
function opened(command: Command, state: State): void {
  const names = [...command.source.matchAll(/\{(\w+)\}\s*[<>]/g)].map((match) => `$${match[1]}`);
  for (const redirect of command.redirects) {
    const key = names.shift() ?? String(redirect.fds[0]);
    if (redirect.op === 'dup') {
      const other = descriptorName(redirect.target, 0);
      const from = other === undefined ? undefined : state.fds.get(other);
      if (from) state.fds.set(key, from);
      continue;
    }
    const socket = socketOf(redirect.target);
    const reads =
      redirect.op === '<' || redirect.op === '<>'
        ? [...outOf(stepsOf(redirect.target), state), ...(socket ? [connection(socket, command.step)] : [])]
        : [];
    const file = redirect.op.startsWith('>') && socket === undefined ? targetOf(redirect.target, command.cwd) : undefined;
    const beside = redirect.op.startsWith('>') ? stepsOf(redirect.target) : [];
    state.fds.set(key, { reads, ...(socket ? { socket } : {}), ...(file ? { file } : {}), ...(beside.length > 0 ? { beside } : {}) });
  }
}

/** The descriptors a command uses: duplicated onto its own, or named as files. */
function descriptorsOf(command: Command, state: State, paths: Map<string, readonly Origin[]>): Descriptor {
  const reads: Origin[] = [];
  let socket: string | undefined;
  let file: Target | undefined;
  let beside: readonly number[] | undefined;
  for (const redirect of command.redirects) {
    if (redirect.op !== 'dup' || command.name === 'exec') continue;
    const name = descriptorName(redirect.target, 0);
    const found = name === undefined ? undefined : state.fds.get(name);
    if (!found) continue;
    if (redirect.fds.includes(0)) reads.push(...found.reads);
    else {
      socket ??= found.socket;
      file ??= found.file;
      beside ??= found.beside;
    }
  }
  for (const word of command.args) {
    const text = word.parts.map((part) => (part.kind === 'hole' ? '' : part.text)).join('');
    const at = /^(\/dev\/fd\/|\/proc\/(self|thread-self)\/fd\/)/.exec(text)?.[0].length;
    const name = at === undefined ? undefined : descriptorName(word, at);
    const found = name === undefined ? undefined : state.fds.get(name);
    if (!found) continue;
    paths.set(targetOf(word, command.cwd).path ?? word.raw, found.reads);
    socket ??= found.socket;
  }
  return { reads, ...(socket ? { socket } : {}), ...(file ? { file } : {}), ...(beside ? { beside } : {}) };
}

const connection = (socket: string, step: number): Origin => ({
  from: 'network',
  fetched: { url: socket, known: true, stdout: true, to: [], http: false },
  step,
});

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

const outOf = (steps: readonly number[], state: State): readonly Origin[] =>
  unique(steps.flatMap((step) => state.flows.get(step)?.out ?? []));

/** The content of a file: what the line put there, and the file itself. */
function contentOf(target: Target, state: State): readonly Origin[] {
  const written = target.path === undefined ? undefined : state.files.get(target.path);
  return [...(written ?? []), { from: 'file', target }];
}

function outputOf(command: Command, stdin: readonly Origin[], state: State): readonly Origin[] {
  const out: Origin[] = [];
  for (const fetched of fetchedBy(command)) if (fetched.stdout) out.push({ from: 'network', fetched, step: command.step });
  if (out.length > 0) return out;
  const how = decodes(command);
  if (how !== undefined) out.push({ from: 'decoded', how, step: command.step });
  if (!DROPS_STDIN.has(command.name)) out.push(...stdin);
  for (const word of command.args) {
    out.push(...outOf(stepsOf(word), state));
    if (!READERS.has(command.name) || isOption(word)) continue;
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

/** What the command leaves in files. */
function keep(command: Command, stdin: readonly Origin[], out: readonly Origin[], state: State, context: EffectContext): void {
  const put = (target: Target | undefined, origins: readonly Origin[], adds = false) => {
    if (target?.path === undefined) return;
    const old = state.files.get(target.path) ?? [];
    const sure = command.certain && command.given.length === 0 && !adds;
    const next = unique(sure ? origins : [...old, ...origins]);
    if (next.length > 0) state.files.set(target.path, next);
    else state.files.delete(target.path);
  };
  for (const fetched of fetchedBy(command)) for (const to of fetched.to) put(to, [{ from: 'network', fetched, step: command.step }]);
  for (const redirect of command.redirects) {
    if (!redirect.op.startsWith('>') || !redirect.fds.includes(1)) continue;
    put(targetOf(redirect.target, command.cwd), out, redirect.op === '>>');
  }
  const operands = command.args.filter((word) => !isOption(word));
  switch (command.name) {
    case 'tee':
    case 'sponge':
      for (const word of operands) put(targetOf(word, command.cwd), stdin);
      return;
    case 'cp':
    case 'mv':
    case 'install':
    case 'ln':
    case 'link':
    case 'rsync':
    case 'gcp':
    case 'scp':
      copied(command, operands, state, context, put);
      return;
    case 'dd': {
      const value = (name: string) =>
        operands
          .map((word) => textOf(word) ?? '')
          .find((text) => text.startsWith(`${name}=`))
          ?.slice(name.length + 1);
      const [from, to] = [value('if'), value('of')];
      if (to !== undefined) put(pathTarget(to, command.cwd), from === undefined ? stdin : contentOf(pathTarget(from, command.cwd), state));
      return;
    }
    case 'gzip':
    case 'bzip2':
    case 'xz':
    case 'zstd': {
      const at = command.args.findIndex((word) => /^(-S|--suffix)$/.test(textOf(word) ?? ''));
      const suffix = at >= 0 ? textOf(command.args[at + 1]) : { gzip: '.gz', bzip2: '.bz2', xz: '.xz', zstd: '.zst' }[command.name];
      for (const word of operands) {
        const text = textOf(word);
        if (text !== undefined) put(pathTarget(`${text}${suffix}`, command.cwd), contentOf(pathTarget(text, command.cwd), state));
      }
      return;
    }
    case 'zip':
    case '7z': {
      const [archive, ...members] = operands.filter((word) => textOf(word) !== 'a');
      if (archive)
        put(targetOf(archive, command.cwd), [...members.flatMap((word) => contentOf(targetOf(word, command.cwd), state)), ...stdin]);
      return;
    }
    case 'tar': {
      const archive = tarArchive(command);
      if (archive)
        put(
          targetOf(archive, command.cwd),
          operands.filter((word) => word !== archive).flatMap((word) => contentOf(targetOf(word, command.cwd), state)),
        );
      return;
    }
    case 'openssl': {
      const at = (name: string) => command.args[command.args.findIndex((word) => textOf(word) === name) + 1];
      if (command.args.some((word) => textOf(word) === '-out'))
        put(targetOf(at('-out')!, command.cwd), [
          ...out,
          ...(command.args.some((word) => textOf(word) === '-in') ? contentOf(targetOf(at('-in')!, command.cwd), state) : []),
        ]);
      return;
    }
    case 'rm':
    case 'unlink':
    case 'shred':
      for (const word of operands) put(targetOf(word, command.cwd), []);
      return;
    default:
      return;
  }
}

/** The archive a tar call writes. */
export function tarArchive(command: Command): Word | undefined {
  const words = command.args;
  for (let i = 0; i < words.length; i++) {
    const text = textOf(words[i]) ?? '';
    if (text.startsWith('--file=')) return { parts: [{ kind: 'text', text: text.slice(7) }], raw: words[i]!.raw };
    if (text === '--file' || /^-[a-zA-Z]*f$/.test(text) || (i === 0 && /^[a-zA-Z]*f[a-zA-Z]*$/.test(text))) return words[i + 1];
    const attached = /^-[a-zA-Z]*f(.+)$/.exec(text);
    if (attached && !text.startsWith('--')) return { parts: [{ kind: 'text', text: attached[1]! }], raw: words[i]!.raw };
  }
  return undefined;
}

type Put = (target: Target | undefined, origins: readonly Origin[]) => void;

function copied(command: Command, operands: readonly Word[], state: State, context: EffectContext, put: Put): void {
  const dest = operands.at(-1);
  const from = operands.slice(0, -1);
  if (!dest || from.length === 0) return;
  const to = targetOf(dest, command.cwd);
  const into = to.slash === true || from.length > 1 || (to.path !== undefined && context.look.stat(to.path)?.kind === 'dir');
  for (const word of from) {
    const source = targetOf(word, command.cwd);
    const origins = contentOf(source, state);
    put(
      into && to.path !== undefined && source.path !== undefined
        ? pathTarget(posix.join(to.path, posix.basename(source.path)), command.cwd)
        : to,
      origins,
    );
    if (command.name === 'mv') put(source, []);
  }
}

function unique(origins: readonly Origin[]): readonly Origin[] {
  if (origins.length < 2) return origins;
  const seen = new Set<string>();
  const out: Origin[] = [];
  for (const origin of origins) {
    const key = origin.from === 'file' ? `f${origin.target.path ?? origin.target.raw}` : `${origin.from}${origin.step}`;
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(origin);
    if (out.length >= LIMIT) break;
  }
  return out;
}

/** The remote source among origins, if there is one. */
export const networkIn = (origins: readonly Origin[]): Extract<Origin, { from: 'network' }> | undefined =>
  origins.find((origin) => origin.from === 'network');
/** The decoder among origins, if there is one. */
export const decodedIn = (origins: readonly Origin[]): Extract<Origin, { from: 'decoded' }> | undefined =>
  origins.find((origin) => origin.from === 'decoded');

export { hostOf };
