/** Descriptors that `exec` opens: `exec 3< <(…)`, `exec {sock}>/dev/tcp/…`, and who uses them. */
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Target } from './effect.ts';
import { targetOf } from './family.ts';
import { type Descriptor, type Origin, outOf, type State, socketOf, stepsOf } from './network-origins.ts';

/** The name of a descriptor in `<&3`, `>&$sock`, `/dev/fd/3`. */
function descriptorName(word: Word, from: number): string | undefined {
  const hole = word.parts.find((part) => part.kind === 'hole');
  if (hole?.kind === 'hole') return hole.name === undefined ? undefined : `$${hole.name}`;
  return /^(\d+)-?$/.exec((textOf(word) ?? '').slice(from))?.[1];
}

/** What `exec 3< <(…)`, `exec {sock}>/dev/tcp/…` leaves open. The names in braces are read from the source, in order. */
export function opened(command: Command, state: State): void {
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
export function descriptorsOf(command: Command, state: State, paths: Map<string, readonly Origin[]>): Descriptor {
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

export const connection = (socket: string, step: number): Origin => ({
  from: 'network',
  fetched: { url: socket, known: true, stdout: true, to: [], http: false },
  step,
});
