/** Programs that bring something from the network: what they fetch and where it goes. */
import { posix } from 'node:path';
import type { Command } from '../shell/command.ts';
import { hasHole, isOption, prefixOf, textOf, type Word } from '../shell/word.ts';
import type { Target } from './effect.ts';
import { pathTarget, targetOf } from './family.ts';
import { curlOptions, wgetOptions } from './network-options.ts';

/** What one command fetches. */
export interface Fetched {
  /** As written. */
  url: string;
  /** The whole URL is certain. */
  known: boolean;
  /** Prints it. */
  stdout: boolean;
  /** Files it is saved to. */
  to: readonly Target[];
  /** Comes over http(s), so that it can be downloaded as a file. */
  http: boolean;
}

const shown = (word: Word): string => textOf(word) ?? word.raw;

/** The host of a URL or of `host:port/path`, lower case; '' when it is not known. */
export function hostOf(url: string): string {
  const rest = url.replace(/^["']+/, '').replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'));
  return host.replace(/:[^:]*$/, '').toLowerCase();
}

/** True for this machine: loopback names and addresses, `:3000`, and files. */
export function isLocal(url: string): boolean {
  if (/^file:/i.test(url) || /^:\d*/.test(url)) return true;
  const host = hostOf(url);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|::1|::|ip6-localhost|host\.docker\.internal)$/.test(host) || /^:\d/.test(host);
}

/** The text of a word with holes left in their source form: `https://x/$A`. */
const rawUrl = (word: Word): string => (hasHole(word) ? word.parts.map((part) => part.text).join('') : shown(word));

const lastSegment = (url: string): string => {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[?#]/, 1)[0] ?? '';
  return path.includes('/') ? path.slice(path.lastIndexOf('/') + 1) : '';
};

/** Where something is saved: nothing for `-` and the null device. */
function saved(word: Word, cwd: string | undefined): Target[] {
  const text = textOf(word);
  return text === '-' || text === '/dev/null' || text === '/dev/stdout' ? [] : [targetOf(word, cwd)];
}

function fetched(url: Word, stdout: boolean, to: readonly Target[]): Fetched {
  const text = rawUrl(url);
  return { url: text, known: !hasHole(url), stdout, to, http: /^https?:|^[^:/]+(\/|$)|^[^:/]+:\d/i.test(text) };
}

/** What curl fetches. */
function byCurl(command: Command): Fetched[] {
  const parsed = curlOptions(command.args);
  if (parsed.has('help') || parsed.has('version') || parsed.has('manual')) return [];
  const urls = [...parsed.operands, ...(parsed.options.get('url') ?? [])].filter((word): word is Word => word !== undefined);
  const outs = (parsed.options.get('output') ?? []).filter((word): word is Word => word !== undefined);
  const dir = parsed.text('output-dir');
  const base = dir === undefined ? command.cwd : pathTarget(dir, command.cwd).path;
  return urls.map((url, i) => {
    const out = outs[i];
    if (out) {
      const to = saved(out, base);
      return fetched(url, textOf(out) === '-' || textOf(out) === '/dev/stdout', to);
    }
    if (parsed.has('remote-name') || parsed.has('remote-name-all')) {
      // With -J the server picks the name.
      const name = parsed.has('remote-header-name') || hasHole(url) ? '' : lastSegment(rawUrl(url));
      return fetched(url, false, name === '' ? [] : [pathTarget(name, base)]);
    }
    return fetched(url, !parsed.has('head'), []);
  });
}

/** What wget fetches. Without `-O -` it saves under the last segment of the URL. */
function byWget(command: Command): Fetched[] {
  const parsed = wgetOptions(command.args);
  if (parsed.has('help') || parsed.has('version') || parsed.has('spider')) return [];
  const out = parsed.word('output-document');
  const dir = parsed.text('directory-prefix');
  const base = dir === undefined ? command.cwd : pathTarget(dir, command.cwd).path;
  return parsed.operands.map((url) => {
    if (out) return fetched(url, textOf(out) === '-' || textOf(out) === '/dev/stdout', saved(out, command.cwd));
    const name = hasHole(url) ? '' : lastSegment(rawUrl(url)) || 'index.html';
    return fetched(url, false, name === '' ? [] : [pathTarget(name, base)]);
  });
}

const METHOD = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i;

/** httpie and xh: `http [METHOD] URL [items]`. */
function byHttpie(command: Command): Fetched[] {
  const words = withoutValues(command.args, [
    '-o',
    '--output',
    '-a',
    '--auth',
    '-A',
    '--auth-type',
    '--session',
    '--timeout',
    '--proxy',
    '--verify',
    '--cert',
    '-p',
    '--print',
    '-s',
    '--style',
  ]);
  if (command.args.some((word) => /^(--help|--version|--offline)$/.test(shown(word)))) return [];
  const url = words.find((word) => !isOption(word) && !METHOD.test(shown(word)));
  if (!url) return [];
  const texts = command.args.map(shown);
  const at = texts.findIndex((text) => text === '-o' || text === '--output');
  const download = texts.includes('-d') || texts.includes('--download');
  const out = at >= 0 ? command.args[at + 1] : undefined;
  return [fetched(url, !out && !download, out ? saved(out, command.cwd) : [])];
}

/** Words without the options named and their values. */
export function withoutValues(words: readonly Word[], options: readonly string[]): Word[] {
  const out: Word[] = [];
  for (let i = 0; i < words.length; i++) {
    if (options.includes(textOf(words[i]) ?? '')) i++;
    else out.push(words[i]!);
  }
  return out;
}

/** PowerShell's web commands: `-Uri`, `-OutFile`. */
function byPowerShell(command: Command): Fetched[] {
  const texts = command.args.map(shown);
  const valueAfter = (name: RegExp): Word | undefined => {
    const at = texts.findIndex((text) => name.test(text));
    return at < 0 ? undefined : command.args[at + 1];
  };
  const url =
    valueAfter(/^-uri?$/i) ??
    command.args.find((word, i) => !isOption(word) && !/^-(OutFile|Method|Headers|Body|TimeoutSec|UserAgent)$/i.test(texts[i - 1] ?? ''));
  if (!url) return [];
  const out = valueAfter(/^-o(utf?|utfile)$/i) ?? valueAfter(/^-o$/i);
  return [fetched(url, out === undefined, out ? [targetOf(out, command.cwd)] : [])];
}

/** A raw connection: whatever the other side says is printed. */
function byConnection(command: Command): Fetched[] {
  const texts = command.args.map(shown);
  if (texts.some((text) => /^-[a-zA-Z]*z[a-zA-Z]*$/.test(text) || text === '--help' || text === '-h')) return [];
  const listens = texts.some((text) => /^-[a-zA-Z]*l[a-zA-Z0-9]*$/.test(text) || text === '--listen');
  const host = command.args.find((word) => !isOption(word));
  if (!host && !listens) return [];
  const url = listens ? 'whoever connects' : shown(host!);
  if (!listens && (/^\d+$/.test(url) || isLocal(url))) return [];
  return [{ url, known: host ? !hasHole(host) : true, stdout: true, to: [], http: false }];
}

/** ssh prints what the other machine prints. */
function bySsh(command: Command): Fetched[] {
  const words = withoutValues(command.args, [
    '-b',
    '-c',
    '-D',
    '-E',
    '-e',
    '-F',
    '-I',
    '-i',
    '-J',
    '-L',
    '-l',
    '-m',
    '-O',
    '-o',
    '-p',
    '-Q',
    '-R',
    '-S',
    '-W',
    '-w',
    '-B',
  ]);
  if (words.some((word) => ['--help', '-h', '-V', '--version'].includes(shown(word)))) return [];
  const host = words.find((word) => !isOption(word));
  if (!host || isLocal(shown(host))) return [];
  return [{ url: shown(host), known: !hasHole(host), stdout: true, to: [], http: false }];
}

/** `host:path`, not a drive letter and not a local path with a colon behind a slash. */
export const isRemotePath = (text: string): boolean =>
  /^([^/:@\s]+@)?[^/:\s]{2,}:(?!\/\/)/.test(text) || /^(rsync|ssh|scp|sftp):\/\//.test(text);

/** scp, rsync, sftp and the like from another machine to a file here. */
function byCopy(command: Command): Fetched[] {
  const operands = withoutValues(command.args, [
    '-e',
    '--rsh',
    '-i',
    '-P',
    '-o',
    '-F',
    '-J',
    '-l',
    '-c',
    '--exclude',
    '--include',
    '--exclude-from',
    '--files-from',
  ]).filter((word) => !isOption(word));
  const dest = operands.at(-1);
  if (operands.length < 2 || !dest || isRemotePath(shown(dest))) return [];
  const dir = shown(dest).endsWith('/') || shown(dest) === '.';
  return operands.slice(0, -1).flatMap((source) => {
    const text = shown(source);
    if (!isRemotePath(text) && !isRemotePath(prefixOf(source))) return [];
    const name = posix.basename(text.slice(text.indexOf(':') + 1));
    const to = dir ? pathTarget(`${shown(dest).replace(/\/+$/, '')}/${name}`, command.cwd) : targetOf(dest, command.cwd);
    return [{ url: text, known: !hasHole(source), stdout: false, to: [to], http: false }];
  });
}

const FETCHERS: Readonly<Record<string, (command: Command) => Fetched[]>> = {
  curl: byCurl,
  wget: byWget,
  wget2: byWget,
  http: byHttpie,
  https: byHttpie,
  xh: byHttpie,
  xhs: byHttpie,
  fetch: byWget,
  aria2c: byWget,
  axel: byWget,
  lynx: (command) => printed(command),
  w3m: (command) => printed(command),
  links: (command) => printed(command),
  get: (command) => printed(command),
  'lwp-request': (command) => printed(command),
  nc: byConnection,
  ncat: byConnection,
  netcat: byConnection,
  telnet: byConnection,
  ssh: bySsh,
  scp: byCopy,
  rsync: byCopy,
  sftp: byCopy,
  iwr: byPowerShell,
  irm: byPowerShell,
  'invoke-webrequest': byPowerShell,
  'invoke-restmethod': byPowerShell,
};

/** Programs that print what is behind the URL. */
function printed(command: Command): Fetched[] {
  const url = command.args.find((word) => /^(https?|ftp):\/\//i.test(shown(word)));
  return url ? [fetched(url, true, [])] : [];
}

/** Each command is asked several times: for its flow, for its effect, for what it leaves in files. */
const asked = new WeakMap<Command, readonly Fetched[]>();

/** What a command brings from another machine; nothing when it talks to this one. */
export function fetchedBy(command: Command): readonly Fetched[] {
  const by = Object.hasOwn(FETCHERS, command.name) ? FETCHERS[command.name] : undefined;
  if (!by) return [];
  let found = asked.get(command);
  if (!found) {
    found = by(command).filter((each) => !isLocal(each.url));
    asked.set(command, found);
  }
  return found;
}

/** Names of all programs that fetch. */
export const FETCHER_NAMES: ReadonlySet<string> = new Set(Object.keys(FETCHERS));
