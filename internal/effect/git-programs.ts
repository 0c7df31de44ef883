/** Programs that git is given inline: configuration keys and variables that name one, `ext::` addresses, `--upload-pack`. */
import { textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { type GitCall, gitOptions, rewritten } from './git-call.ts';
import { isConfigVariable } from './git-settings.ts';
import { inner } from './git-tree.ts';

/** A key that names a program: when git starts it, and whether an unknown program there is hidden work. */
interface Program {
  /** The shell text, when the value names a program at all. */
  text: string | undefined;
  /** Started only when git talks to a remote. */
  network: boolean;
  /** Only shows or edits text: the program's own effects are judged, its presence is not. */
  plain: boolean;
}

/** Programs that show, compare, edit or answer: whoever names one hides nothing, and what it does is judged. */
const PLAIN =
  /^(core\.(pager|editor|askpass)|pager\..+|sequence\.editor|gpg\.(.+\.)?program|credential\.(.+\.)?helper|(diff|merge)\.tool|(diff|merge)tool\..+\.cmd|web\.browser|browser\..+|man\..+\.cmd|interactive\.difffilter|diff\.external|diff\..+\.(command|textconv)|merge\..+\.driver|filter\..+\.(clean|smudge|process)|trailer\..+\.(cmd|command))$/;
/** Programs that git starts to reach a remote. */
const NETWORK = /^(core\.(sshcommand|gitproxy)|remote\..+\.(uploadpack|receivepack|vcs)|uploadpack\.packobjectshook)$/;
/** Programs that git starts in passing, or files that may name some. */
const LOCAL = /^(core\.(fsmonitor|alternaterefscommand)|include\.path|includeif\..+\.path|submodule\..+\.update)$/;

const BOOLEANS = new Set(['true', 'false', 'yes', 'no', 'on', 'off', '1', '0', '']);

/** What a configuration key makes git start; undefined when it names no program. */
export function programOf(key: string, value: string | undefined): Program | undefined {
  const name = key.toLowerCase();
  if (value !== undefined && BOOLEANS.has(value.toLowerCase())) return undefined;
  if (name.startsWith('submodule.') && !value?.startsWith('!')) return undefined;
  const isInclude = name.startsWith('include');
  // A credential helper without a mark is a name to be completed, not a program.
  if (name.startsWith('credential.') && value !== undefined && !/^[!/]/.test(value)) return undefined;
  if (PLAIN.test(name)) return { text: value?.replace(/^!/, ''), network: false, plain: true };
  if (NETWORK.test(name)) return { text: value, network: true, plain: false };
  return LOCAL.test(name) ? { text: isInclude ? undefined : value?.replace(/^!/, ''), network: false, plain: false } : undefined;
}

/** Variables of the environment that name a program for git, as the keys they stand for. */
const VARIABLES: Readonly<Record<string, string>> = {
  GIT_SSH_COMMAND: 'core.sshcommand',
  GIT_SSH: 'core.sshcommand',
  GIT_PROXY_COMMAND: 'core.gitproxy',
  GIT_ASKPASS: 'core.askpass',
  GIT_EXTERNAL_DIFF: 'diff.external',
  GIT_PAGER: 'core.pager',
  GIT_EDITOR: 'core.editor',
  GIT_SEQUENCE_EDITOR: 'sequence.editor',
  VISUAL: 'core.editor',
  EDITOR: 'core.editor',
  PAGER: 'core.pager',
};

/** Subcommands that talk to a remote. */
const REMOTE_VERBS = new Set([
  'fetch',
  'pull',
  'push',
  'clone',
  'ls-remote',
  'submodule',
  'fetch-pack',
  'send-pack',
  'lfs',
  'svn',
  'subtree',
  'request-pull',
]);

function talks(call: GitCall): boolean {
  if (REMOTE_VERBS.has(call.sub)) return true;
  const texts = call.words.map((word) => textOf(word) ?? word.raw);
  if (call.sub === 'archive') return texts.some((text) => text.startsWith('--remote'));
  return call.sub === 'remote' && texts.some((text) => text === 'update' || text === 'show' || text === 'prune' || text === '-f');
}

/** Subcommands that look at the tree and so ask the file system monitor and the filters. */
const DIFFS = new Set(['diff', 'show', 'log', 'difftool', 'format-patch', 'stash', 'blame', 'whatchanged', 'reflog']);

/** The effects of the programs that a call gives to git. */
export function inlinePrograms(call: GitCall): Effect[] {
  const effects: Effect[] = [];
  for (const setting of call.settings) {
    if (setting.key.startsWith('alias.') || setting.from === 'inherited') continue;
    effects.push(...given(call, setting.key, setting.value));
  }
  for (const [name, word] of call.command.env) {
    const key = VARIABLES[name];
    if (key !== undefined && word !== undefined) effects.push(...given(call, key, textOf(word), name));
  }
  return [...effects, ...addresses(call)];
}

function given(call: GitCall, key: string, value: string | undefined, variable?: string): Effect[] {
  const program = programOf(key, value);
  if (!program) return [];
  if (program.network && !talks(call)) return [];
  if (key.startsWith('diff.external') && !DIFFS.has(call.sub)) return [];
  const effects: Effect[] = program.text === undefined ? [] : inner(call, program.text);
  if (program.plain || (key === 'core.sshcommand' && value !== undefined && isPlainSsh(value))) return effects;
  return [
    {
      kind: 'git.inline-program',
      ...call.base,
      key: variable ?? shownKey(key),
      value: value ?? '',
      command: call.line,
      ...spelled(call, key, variable),
    },
    ...effects,
  ];
}

const shownKey = (key: string): string => key.replace('sshcommand', 'sshCommand').replace('gitproxy', 'gitProxy');

/** ssh with options that start nothing else: a key, a port, host checks. */
function isPlainSsh(value: string): boolean {
  const words = value.trim().split(/\s+/);
  return (
    /^(\/usr\/bin\/)?ssh(\.exe)?$/.test(words[0] ?? '') &&
    !/proxycommand|localcommand|knownhostscommand|[;&|`$()<>]/i.test(value) &&
    words.length > 1
  );
}

/** The same call without the program. */
function spelled(call: GitCall, key: string, variable: string | undefined): { instead?: string } {
  const drop = (text: string | undefined): boolean => text?.toLowerCase().startsWith(`${key.toLowerCase()}=`) === true;
  const globals = [];
  for (let i = 0; i < call.globals.length; i++) {
    const text = textOf(call.globals[i]);
    const next = textOf(call.globals[i + 1]);
    if ((text === '-c' || text === '--config-env') && drop(next)) i++;
    else if (
      !(text?.startsWith('-c') && drop(text.slice(2))) &&
      !(text?.startsWith('--config-env=') && drop(text.slice('--config-env='.length)))
    )
      globals.push(call.globals[i]!);
  }
  const instead = rewritten(call, call.words.map(textOf), { globals, without: (name) => name === variable || isConfigVariable(name) });
  return instead === undefined ? {} : { instead };
}

/** `ext::CMD` addresses, and the program that is to answer on the other side. */
function addresses(call: GitCall): Effect[] {
  if (!talks(call) && call.sub !== 'remote') return [];
  const effects: Effect[] = [];
  for (const word of call.words) {
    const text = textOf(word);
    if (text?.startsWith('ext::') && text.length > 'ext::'.length) {
      const program = text.slice('ext::'.length);
      effects.push({ kind: 'git.inline-program', ...call.base, key: 'ext', value: program, command: call.line }, ...inner(call, program));
    }
  }
  const options = gitOptions(call.words, {
    values: ['upload-pack', 'receive-pack', 'exec', ...(call.sub === 'clone' ? ['u'] : [])],
    ...(call.sub === 'clone' ? { aliases: { u: 'upload-pack' } } : {}),
  });
  for (const name of ['upload-pack', 'receive-pack', 'exec']) {
    const text = options.text(name);
    if (text !== undefined && !/^(\S*\/)?git-(upload|receive)-pack$/.test(text)) {
      effects.push({ kind: 'git.inline-program', ...call.base, key: name, value: text, command: call.line }, ...inner(call, text));
    }
  }
  return effects;
}
