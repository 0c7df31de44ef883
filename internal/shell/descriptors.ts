/** Descriptors that stay open between commands: `exec 3< <(…)`, `exec {fd}<<<text`, a coprocess. What they give is read by `read -u`, `<&3`, `/dev/fd/3`. */
import type { Stdin } from './command.ts';
import { textOf, type Word } from './word.ts';

/** What a descriptor gives, or the steps that read what is written to it. */
export type Open = Stdin | { from: 'writer'; steps: readonly number[] };

/** The key of a descriptor named in a word: a number, or `$name` for one in a variable. `at`: characters before it. */
export function descriptorKey(word: Word | undefined, at = 0): string | undefined {
  const hole = word?.parts.find((part) => part.kind === 'hole');
  if (hole?.kind === 'hole') return hole.name === undefined ? undefined : `$${hole.name}`;
  return /^(\d+)-?$/.exec((textOf(word) ?? '').slice(at))?.[1];
}

/** The key of a descriptor that a path stands for: `/dev/fd/3`, `/proc/self/fd/3`. */
export function descriptorAt(path: Word): string | undefined {
  const first = path.parts[0];
  const at = first?.kind === 'text' ? /^(?:\/dev\/fd\/|\/proc\/(?:self|thread-self)\/fd\/)/.exec(first.text)?.[0].length : undefined;
  return at === undefined ? undefined : descriptorKey(path, at);
}

/** The descriptor of `read -u 3`, `mapfile -tu"$fd"`: a key; undefined when standard input is read. */
export function readFrom(args: readonly Word[]): string | undefined {
  for (const [i, word] of args.entries()) {
    const first = word.parts[0];
    const option = first?.kind === 'text' ? /^-[a-zA-Z]*u/.exec(first.text)?.[0] : undefined;
    if (option === undefined) continue;
    return word.parts.length === 1 && first?.kind === 'text' && first.text === option
      ? descriptorKey(args[i + 1])
      : descriptorKey(word, option.length);
  }
  return undefined;
}

/** What a descriptor gives as standard input; undefined for one that is only written to. */
export const givenBy = (open: Open | undefined): Stdin | undefined => (open === undefined || open.from === 'writer' ? undefined : open);
