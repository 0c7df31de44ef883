/** curl, wget and httpie: what they fetch and what they send. */
import type { Command } from '../shell/command.ts';
import { hasHole, isOption, textOf, type Word } from '../shell/word.ts';
import { type Family, targetOf } from './family.ts';
import { isLocal, withoutValues } from './network-fetch.ts';
import { isCredentialHeader } from './network-hosts.ts';
import { curlOptions, wgetOptions } from './network-options.ts';
import { addFile, after, fetches, leading, type Parcel, parcel, rawUrl, sent, shown } from './network-send.ts';

/** What curl sends, for all its URLs together. */
function curlParcel(command: Command): { parcel: Parcel; urls: readonly Word[] } {
  const parsed = curlOptions(command.args);
  const into = parcel();
  const values = (name: string) => (parsed.options.get(name) ?? []).filter((word): word is Word => word !== undefined);
  const urls = [...parsed.operands, ...values('url')];
  into.words.push(...urls);
  for (const name of ['data', 'data-binary', 'json']) {
    for (const word of values(name)) {
      if (leading(word).startsWith('@')) addFile(into, after(word, 1), command.cwd);
      else into.words.push(word);
      into.data = true;
    }
  }
  for (const name of ['data-raw', 'form-string']) for (const word of values(name)) into.words.push(word);
  for (const name of ['data-urlencode', 'url-query']) {
    for (const word of values(name)) {
      const at = leading(word).search(/[@=]/);
      if (at >= 0 && leading(word)[at] === '@') addFile(into, after(word, at + 1), command.cwd);
      else into.words.push(word);
    }
  }
  for (const word of values('form')) {
    const at = leading(word).indexOf('=');
    const mark = leading(word)[at + 1];
    into.data = true;
    if (at < 0 || (mark !== '@' && mark !== '<')) into.words.push(word);
    else {
      const paths = after(word, at + 2);
      const text = textOf(paths);
      // `files=@a,b;type=text/plain`
      if (text === undefined) addFile(into, paths, command.cwd);
      else
        for (const path of text.replace(/;(type|filename|headers|encoder)=.*$/, '').split(','))
          addFile(into, { parts: [{ kind: 'text', text: path.replace(/^"|"$/g, '') }], raw: path }, command.cwd);
    }
  }
  for (const word of values('upload-file')) addFile(into, word, command.cwd);
  for (const word of values('header')) (isCredentialHeader(leading(word)) ? into.credentials : into.words).push(word);
  for (const name of ['user', 'oauth2-bearer', 'proxy-user']) into.credentials.push(...values(name));
  for (const name of ['cookie', 'user-agent', 'referer']) into.words.push(...values(name).filter(hasHole));
  if (['data', 'data-binary', 'data-raw', 'data-urlencode', 'json', 'form', 'form-string'].some((name) => parsed.has(name)))
    into.data = true;
  return { parcel: into, urls };
}

export const curl: Family = (command, context) => {
  const { parcel: from, urls } = curlParcel(command);
  const to = urls.map(rawUrl).find((url) => !isLocal(url));
  return [...fetches(command), ...(to === undefined ? [] : sent(command, context, to, from, 'http'))];
};

export const wget: Family = (command, context) => {
  const parsed = wgetOptions(command.args);
  const from = parcel();
  for (const name of ['post-file', 'body-file'])
    for (const word of parsed.options.get(name) ?? []) if (word) addFile(from, word, command.cwd);
  for (const name of ['post-data', 'body-data']) {
    for (const word of parsed.options.get(name) ?? []) if (word) from.words.push(word);
    if (parsed.has(name)) from.data = true;
  }
  for (const word of parsed.options.get('header') ?? [])
    if (word) (isCredentialHeader(leading(word)) ? from.credentials : from.words).push(word);
  for (const name of ['password', 'http-password', 'user', 'http-user'])
    for (const word of parsed.options.get(name) ?? []) if (word) from.credentials.push(word);
  from.words.push(...parsed.operands);
  const to = parsed.operands.map(rawUrl).find((url) => !isLocal(url));
  return [...fetches(command), ...(to === undefined ? [] : sent(command, context, to, from, 'http'))];
};

/** `http POST host name=value file@path field:=@path < file`. */
export const httpie: Family = (command, context) => {
  const words = withoutValues(command.args, [
    '-o',
    '--output',
    '-A',
    '--auth-type',
    '--session',
    '--timeout',
    '--proxy',
    '--verify',
    '--cert',
    '-p',
    '--print',
  ]);
  const operands = words.filter((word) => !isOption(word));
  const [url, ...items] = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(shown(operands[0] ?? command.argv[0]!))
    ? operands.slice(1)
    : operands;
  if (!url) return [];
  const from = parcel();
  from.words.push(url);
  for (const item of items) {
    const match = /^([^=:@]*)(:=@|=@|==|:=|=|:|@)/.exec(leading(item));
    if (!match) continue;
    const value = after(item, match[0].length);
    if (match[2]!.endsWith('@')) addFile(from, value, command.cwd);
    else if (match[2] === ':' && isCredentialHeader(`${match[1]}:`)) from.credentials.push(value);
    else from.words.push(value);
    if (match[2] !== ':' && match[2] !== '==') from.data = true;
  }
  if (command.stdin.from === 'pipe' || command.stdin.from === 'file' || command.stdin.from === 'text') {
    from.stdin = true;
    if (command.stdin.from === 'file') from.files.push(targetOf(command.stdin.file, command.cwd));
  }
  return [...fetches(command), ...sent(command, context, rawUrl(url), from, 'http')];
};
