/** How a sending is put together: what leaves, as files, variables, piped output, and where it goes. */
import { findCredentials } from '../secret/credentials.ts';
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Effect, Target } from './effect.ts';
import { baseOf, type EffectContext, targetOf } from './family.ts';
import { fetchedBy, hostOf, isLocal } from './network-fetch.ts';
import { inflowOf, type Origin, originsOf, socketOf, stepsOf, upstream } from './network-flow.ts';
import { belongsTo } from './network-hosts.ts';
import type { NetworkEffect } from './types-outside.ts';

type Send = Extract<NetworkEffect, { kind: 'net.send' }>;

/** What leaves, while it is being collected. */
export interface Parcel {
  files: Target[];
  /** Words whose variables and substitutions leave. */
  words: Word[];
  /** Words that carry a credential to the host it is for. */
  credentials: Word[];
  stdin: boolean;
  /** Something is sent although nothing of it can be named: literal data. */
  data: boolean;
}

export const parcel = (): Parcel => ({ files: [], words: [], credentials: [], stdin: false, data: false });
export const shown = (word: Word): string => textOf(word) ?? word.raw;

/** The variables of words, by name. */
const variablesIn = (words: readonly Word[]): string[] =>
  words.flatMap((word) =>
    word.parts.flatMap((part) => (part.kind === 'hole' && part.name !== undefined && !part.steps?.length ? [part.name] : [])),
  );

/** A word from an offset of its leading text on: the path in `@path`. */
export function after(word: Word, offset: number): Word {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text') return word;
  const text = first.text.slice(offset);
  return { parts: text === '' ? rest : [{ ...first, text }, ...rest], raw: word.raw };
}

export const leading = (word: Word): string => (word.parts[0]?.kind === 'text' ? word.parts[0].text : '');
const STDIN = /^(-|\.|\/dev\/stdin|\/dev\/fd\/0)$/;

export function addFile(into: Parcel, word: Word, cwd: string | undefined): void {
  into.data = true;
  if (STDIN.test(shown(word))) into.stdin = true;
  else into.files.push(targetOf(word, cwd));
}

/** Builds the effect: files named, files that the piped commands read, variables. */
export function sent(command: Command, context: EffectContext, to: string, from: Parcel, channel: Send['channel']): readonly Effect[] {
  if (isLocal(to)) return [];
  const flow = inflowOf(command, context);
  const steps = [...(from.stdin && command.stdin.from === 'pipe' ? command.stdin.steps : []), ...from.words.flatMap(stepsOf)];
  const words = [...from.words, ...(from.stdin && command.stdin.from === 'text' ? [command.stdin.text] : [])];
  const origins: Origin[] = [
    ...(from.stdin ? flow.stdin : []),
    ...words.flatMap((word) => originsOf(word, context)),
    ...from.files.flatMap((file) => (file.path === undefined ? [] : (flow.paths.get(file.path) ?? []))),
  ];
  const files = [...from.files];
  for (const origin of origins)
    if (origin.from === 'file' && !files.some((file) => file.path === origin.target.path && file.raw === origin.target.raw))
      files.push(origin.target);
  const read = steps.length > 0 ? upstream(steps, context) : [];
  const variables = [
    ...variablesIn(words),
    ...variablesIn(read.flatMap((each) => (each.name === 'echo' || each.name === 'printf' ? each.args : []))),
    ...from.credentials.flatMap((word) => variablesIn([word]).filter((name) => !belongsTo(name, to, true))),
  ].filter((name, i, all) => all.indexOf(name) === i && !belongsTo(name, to, false));
  const literal = literalIn(words, to);
  if (!from.data && files.length === 0 && variables.length === 0 && steps.length === 0 && !isTold(literal.literalSecret)) return [];
  return [
    {
      kind: 'net.send',
      ...baseOf(command),
      to,
      files,
      variables,
      ...(steps.length > 0 ? { piped: true, from: read.map((each) => each.step) } : {}),
      ...(channel ? { channel } : {}),
      ...literal,
      ...(files.some((file) => file.glob) || (files.length > 0 && sendsTrees([command, ...read])) ? { trees: true } : {}),
      command: command.source,
    },
  ];
}

/** A token that stands in the line itself. Only values that a provider's shape gives away: a password in a login is ordinary use. */
function literalIn(words: readonly Word[], to: string): Pick<Send, 'literalSecret'> {
  for (const word of words) {
    const text = word.parts.map((part) => (part.kind === 'text' ? part.text : ' ')).join('');
    const literalSecret = literalSecretIn(text, to);
    if (literalSecret) return { literalSecret };
  }
  return {};
}

/** A signed token in an address is how many a service is asked; with data it leaves. */
export const isTold = (literal: string | undefined): boolean => literal !== undefined && literal !== 'a signed token';

/** The class of the first token in a text that is not for the host it goes to. */
export const literalSecretIn = (text: string, to: string): string | undefined =>
  text.length < 16
    ? undefined
    : findCredentials(text).find(
        (each) => each.field === undefined && each.what !== 'a login in an address' && !isIssuer(each.what, hostOf(to)),
      )?.what;

/** Classes that do not say in their name whose they are. */
const ISSUERS: Readonly<Record<string, readonly string[]>> = {
  'a webhook address': ['hooks.slack'],
  'an API key': ['openai', 'openrouter', 'deepseek', 'linear'],
  'a payment key': ['stripe'],
  'a mail key': ['sendgrid', 'mailgun'],
  'a telephony key': ['twilio'],
  'an AWS access key': ['amazonaws'],
};

/** A token of a service, sent to that service. */
const isIssuer = (what: string, host: string): boolean =>
  (
    ISSUERS[what] ??
    what
      .toLowerCase()
      .split(' ')
      .filter((word) => !['a', 'an', 'token', 'key', 'private', 'signed', 'hugging'].includes(word))
  ).some((word) => host.includes(word.replace(/^face$/, 'huggingface')));

/** Programs and options that take what lies below a directory along. */
const sendsTrees = (commands: readonly Command[]): boolean =>
  commands.some(
    (command) =>
      ['tar', 'zip', '7z', 'rclone', 'find'].includes(command.name) ||
      (/^(scp|rsync|sftp|grep|cp)$/.test(command.name) &&
        command.args.some((word) => /^-[a-zA-Z]*[raR]|^--(recursive|archive|files-from)/.test(shown(word)))),
  );

/** A URL with its holes in source form, for the host and for messages. */
export const rawUrl = (word: Word): string => word.parts.map((part) => part.text).join('');

export function fetches(command: Command): Effect[] {
  const into = command.pipedInto ? { into: 'a pipe' } : {};
  return fetchedBy(command).map((each) => ({
    kind: 'net.fetch',
    ...baseOf(command),
    url: each.url,
    ...(each.to[0] ? { to: each.to[0] } : {}),
    ...into,
    command: command.source,
  }));
}

/** Standard input that goes out as it is. */
export function stdinParcel(command: Command): Parcel {
  const from = parcel();
  if (command.stdin.from === 'pipe' || command.stdin.from === 'text') from.stdin = true;
  if (command.stdin.from === 'file' && socketOf(command.stdin.file) === undefined) {
    from.stdin = true;
    from.files.push(targetOf(command.stdin.file, command.cwd));
  }
  return from;
}
