/** How the families of the machine say what changes: small builders they share. */
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family } from './family.ts';
import type { SystemEffect } from './types-outside.ts';

type State = Extract<SystemEffect, { kind: 'system.state' }>;
/** What of the machine changes. */
export type How = State['how'];

export const shown = (word: Word): string => textOf(word) ?? word.raw;
export const textsOf = (command: Command): string[] => command.args.map(shown);
export const operandsOf = (command: Command): string[] => command.args.filter((word) => !isOption(word)).map(shown);
/** `-h` alone asks for help; `shutdown -h now` does not. */
export const asksHelp = (texts: readonly string[]): boolean =>
  texts.some((text) => /^(--help|--version|\/\?)$/.test(text)) || (texts.length === 1 && /^(-h|-V|help)$/.test(texts[0]!));

export const changes = (
  command: Command,
  how: How,
  detail: string,
  preview?: string,
  more: Pick<State, 'mild' | 'target'> = {},
): Effect => ({
  kind: 'system.state',
  ...baseOf(command),
  how,
  detail,
  ...(preview === undefined ? {} : { preview }),
  ...more,
  command: command.source,
});

/** A family from one function of the words: what changes, or undefined. */
export const when =
  (
    how: How,
    detail: (texts: readonly string[], operands: readonly string[]) => string | undefined,
    preview?: string,
    mild = false,
  ): Family =>
  (command) => {
    const texts = textsOf(command);
    if (asksHelp(texts)) return [];
    const found = detail(texts, operandsOf(command));
    return found === undefined ? [] : [changes(command, how, found, preview, mild ? { mild } : {})];
  };

/** `/s`, `-s` and `//s`: how Windows programs are written from either kind of shell. */
export const windows = (text: string): string => text.replace(/^(\/\/?|--?)/, '').toLowerCase();

export const always = (how: How, detail: string, preview?: string): Family => when(how, () => detail, preview);
export const withArguments = (how: How, preview?: string): Family =>
  when(how, (texts) => (texts.length > 0 ? texts.join(' ') : undefined), preview);
