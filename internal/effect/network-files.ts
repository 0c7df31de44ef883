/** What a command leaves in files, so that later commands of the line are known to read it. */
import { posix } from 'node:path';
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Target } from './effect.ts';
import { type EffectContext, pathTarget, targetOf } from './family.ts';
import { tarCall } from './files-archive.ts';
import { fetchedBy } from './network-fetch.ts';
import { contentOf, type Origin, type State, unique } from './network-origins.ts';

/** What the command leaves in files. */
export function keep(command: Command, stdin: readonly Origin[], out: readonly Origin[], state: State, context: EffectContext): void {
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
        put(targetOf(archive, command.cwd), [
          ...members.flatMap((word) => contentOf(targetOf(word, command.cwd), state)),
          ...(command.args.some((word) => /^(-[a-zA-Z]*@|-@|@)$/.test(textOf(word) ?? '')) ? listed(command, state) : []),
          ...stdin,
        ]);
      return;
    }
    case 'tar': {
      const archive = tarArchive(command);
      if (archive) put(targetOf(archive, command.cwd), tarMembers(command, state));
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

/** The files that standard input names, one a line. */
function listed(command: Command, state: State): readonly Origin[] {
  const { stdin } = command;
  const text = stdin.from === 'text' ? textOf(stdin.text) : stdin.from === 'pipe' ? textOf(stdin.text) : undefined;
  if (text === undefined) return contentOf(pathTarget('.', command.cwd), state);
  return text
    .split('\n')
    .filter(Boolean)
    .slice(0, LISTED)
    .flatMap((name) => contentOf(pathTarget(name, command.cwd), state));
}

/** Names of a list that are looked at. */
const LISTED = 100;

/** What a tar call packs: its operands, and what a list names. A list that cannot be read stands for the whole directory. */
export function tarMembers(command: Command, state: State): readonly Origin[] {
  const parsed = tarCall(command);
  const cwd = targetOf(parsed.word('directory') ?? { parts: [{ kind: 'text', text: '.' }], raw: '.' }, command.cwd).path;
  const list = parsed.word('files-from');
  return [
    ...parsed.operands.flatMap((word) => contentOf(targetOf(word, cwd), state)),
    ...(list === undefined ? [] : textOf(list) === '-' ? listed(command, state) : contentOf(pathTarget('.', cwd), state)),
  ];
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
