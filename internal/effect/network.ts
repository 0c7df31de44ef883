/** Effects on the network: what is fetched, what is sent and where to. */
import type { Command } from '../shell/command.ts';
import { hasHole, isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect, Target } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable, targetOf } from './family.ts';
import { execFamily } from './network-exec.ts';
import { fetchedBy, isLocal, isRemotePath, withoutValues } from './network-fetch.ts';
import { hasSource, inflowOf, type Origin, originsOf, socketOf, stepsOf, tarArchive, upstream } from './network-flow.ts';
import { belongsTo, isCredentialHeader } from './network-hosts.ts';
import { curlOptions, wgetOptions } from './network-options.ts';
import type { NetworkEffect } from './types-outside.ts';

type Send = Extract<NetworkEffect, { kind: 'net.send' }>;

/** What leaves, while it is being collected. */
interface Parcel {
  files: Target[];
  /** Words whose variables and substitutions leave. */
  words: Word[];
  /** Words that carry a credential to the host it is for. */
  credentials: Word[];
  stdin: boolean;
  /** Something is sent although nothing of it can be named: literal data. */
  data: boolean;
}

const parcel = (): Parcel => ({ files: [], words: [], credentials: [], stdin: false, data: false });
const shown = (word: Word): string => textOf(word) ?? word.raw;

/** The variables of words, by name. */
const variablesIn = (words: readonly Word[]): string[] =>
  words.flatMap((word) =>
    word.parts.flatMap((part) => (part.kind === 'hole' && part.name !== undefined && !part.steps?.length ? [part.name] : [])),
  );

/** A word from an offset of its leading text on: the path in `@path`. */
function after(word: Word, offset: number): Word {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text') return word;
  const text = first.text.slice(offset);
  return { parts: text === '' ? rest : [{ ...first, text }, ...rest], raw: word.raw };
}

const leading = (word: Word): string => (word.parts[0]?.kind === 'text' ? word.parts[0].text : '');
const STDIN = /^(-|\.|\/dev\/stdin|\/dev\/fd\/0)$/;

function addFile(into: Parcel, word: Word, cwd: string | undefined): void {
  into.data = true;
  if (STDIN.test(shown(word))) into.stdin = true;
  else into.files.push(targetOf(word, cwd));
}

/** Builds the effect: files named, files that the piped commands read, variables. */
function sent(command: Command, context: EffectContext, to: string, from: Parcel, channel: Send['channel']): readonly Effect[] {
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
  if (!from.data && files.length === 0 && variables.length === 0 && steps.length === 0) return [];
  return [
    {
      ...baseOf(command),
      kind: 'net.send',
      to,
      files,
      variables,
      ...(steps.length > 0 ? { piped: true, from: read.map((each) => each.step) } : {}),
      ...(channel ? { channel } : {}),
      ...(files.some((file) => file.glob) || (files.length > 0 && sendsTrees([command, ...read])) ? { trees: true } : {}),
      command: command.source,
    },
  ];
}

/** Programs and options that take what lies below a directory along. */
const sendsTrees = (commands: readonly Command[]): boolean =>
  commands.some(
    (command) =>
      ['tar', 'zip', '7z', 'rclone', 'find'].includes(command.name) ||
      (/^(scp|rsync|sftp|grep|cp)$/.test(command.name) &&
        command.args.some((word) => /^-[a-zA-Z]*[raR]|^--(recursive|archive|files-from)/.test(shown(word)))),
  );

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

const curl: Family = (command, context) => {
  const { parcel: from, urls } = curlParcel(command);
  const to = urls.map(rawUrl).find((url) => !isLocal(url));
  return [...fetches(command), ...(to === undefined ? [] : sent(command, context, to, from, 'http'))];
};

/** A URL with its holes in source form, for the host and for messages. */
const rawUrl = (word: Word): string => word.parts.map((part) => part.text).join('');

function fetches(command: Command): Effect[] {
  const into = command.pipedInto ? { into: 'a pipe' } : {};
  return fetchedBy(command).map((each) => ({
    ...baseOf(command),
    kind: 'net.fetch',
    url: each.url,
    ...(each.to[0] ? { to: each.to[0] } : {}),
    ...into,
    command: command.source,
  }));
}

const wget: Family = (command, context) => {
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
const httpie: Family = (command, context) => {
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

/** Standard input that goes out as it is. */
function stdinParcel(command: Command): Parcel {
  const from = parcel();
  if (command.stdin.from === 'pipe' || command.stdin.from === 'text') from.stdin = true;
  if (command.stdin.from === 'file' && socketOf(command.stdin.file) === undefined) {
    from.stdin = true;
    from.files.push(targetOf(command.stdin.file, command.cwd));
  }
  return from;
}

const connection: Family = (command, context) => {
  const texts = command.args.map(shown);
  if (texts.some((text) => /^-[a-zA-Z]*z/.test(text))) return [];
  const listens = texts.some((text) => /^-[a-zA-Z]*l|^--listen$/.test(text));
  const host = withoutValues(command.args, ['-p', '-w', '-s', '-i', '-q', '-x', '-X', '-o', '-O', '-T', '-I', '-e', '-c']).find(
    (word) => !isOption(word),
  );
  const to = listens ? 'whoever connects' : host && rawUrl(host);
  if (!to || (!listens && /^\d+$/.test(to))) return fetches(command);
  return [...fetches(command), ...sent(command, context, to, stdinParcel(command), 'socket')];
};

const SOCAT_NET = /^(tcp|udp|sctp|dccp|openssl|ssl|proxy|socks\w*|vsock|ip|udplite)[a-z0-9-]*:/i;

const socat: Family = (command, context) => {
  const addresses = command.args
    .filter((word) => !isOption(word))
    .flatMap((word) =>
      shown(word)
        .split('!!')
        .map((text) => text.replace(/"/g, '')),
    );
  const started = addresses.flatMap((text) => {
    const program = /^(?:exec|system):(.*)$/i
      .exec(text)?.[1]
      ?.replace(/\\ /g, ' ')
      .replace(/^'(.*)'$/, '$1');
    return program === undefined ? [] : context.effectsOf(program, command.cwd);
  });
  const out = started.find((effect) => effect.kind === 'net.send');
  const given = out?.kind === 'net.send' ? socatSends(command, context, [...addresses, `TCP:${out.to}`]) : [];
  return [...started, ...(given.length > 0 ? given : socatSends(command, context, addresses))];
};

function socatSends(command: Command, context: EffectContext, addresses: readonly string[]): readonly Effect[] {
  const net = addresses.find((text) => SOCAT_NET.test(text));
  if (!net || isLocal(net.replace(SOCAT_NET, ''))) return [];
  const from = stdinParcel(command);
  for (const text of addresses) {
    const file = /^(open|file|gopen|pipe|create|fd)?:?((?:\.{0,2}\/)?[^,:]+)(?:,.*chdir=([^,]+))?/i.exec(text);
    if (/^(open|file|gopen|pipe):/i.test(text) || /^\.{0,2}\//.test(text))
      from.files.push(
        targetOf({ parts: [{ kind: 'text', text: file?.[3] ? `${file[3]}/${file[2]}` : (file?.[2] ?? text) }], raw: text }, command.cwd),
      );
    const program = /^(exec|system):(.*)$/i.exec(text);
    for (const word of program?.[2]?.split(/\s+/).slice(1) ?? [])
      if (!word.startsWith('-'))
        from.files.push(targetOf({ parts: [{ kind: 'text', text: word.replace(/'/g, '') }], raw: word }, command.cwd));
  }
  return sent(command, context, net.replace(SOCAT_NET, ''), from, 'socket');
}

/** Programs that ssh, scp, rsync and tar start because an option says so: what they would do counts as done by the line. */
function startedBy(command: Command, context: EffectContext, option: RegExp): readonly Effect[] {
  const texts = command.args.map(shown);
  return texts.flatMap((text, i) => {
    const match = option.exec(text);
    if (!match) return [];
    const program = (match[1] || texts[i + 1] || '').replace(/^(ProxyCommand|LocalCommand|KnownHostsCommand)[= ]/i, '');
    return /\s/.test(program) ? context.effectsOf(program, command.cwd) : [];
  });
}

const SSH_PROGRAM = /^(?:-[a-zA-Z0-9]*o)((?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ].*)?$/i;
const isSshProgram = (command: Command): boolean =>
  command.args.some((word) => /(ProxyCommand|LocalCommand|KnownHostsCommand)[= ]/i.test(shown(word)));

/** ssh gives its standard input to the command on the other side, unless -n. */
const ssh: Family = (command, context) => {
  const started = isSshProgram(command) ? startedBy(command, context, SSH_PROGRAM) : [];
  return [...started, ...sshSends(command, context)];
};

const sshSends: Family = (command, context) => {
  if (command.args.some((word) => /^-[a-zA-Z]*n/.test(shown(word)) || /^(--help|-V|-h)$/.test(shown(word)))) return [];
  const host = withoutValues(command.args, [
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
  ]).find((word) => !isOption(word));
  return host ? sent(command, context, rawUrl(host), stdinParcel(command), 'socket') : [];
};

/** Folders of another machine's system. */
const SYSTEM = /^\/($|(bin|sbin|lib|lib32|lib64|libx32|etc|boot|dev|proc|sys|usr|root)(\/|$)|var\/(lib|spool|log|run)(\/|$))/;

/** A copy into another machine's system changes that machine. */
function toSystem(command: Command, dest: string): readonly Effect[] {
  const path = dest.slice(dest.indexOf(':') + 1);
  if (!SYSTEM.test(path) || command.name === 'rclone' || (command.name === 'rsync' && path === '/')) return [];
  const host = dest.slice(0, dest.indexOf(':'));
  return [
    {
      ...baseOf(command),
      kind: 'system.state',
      how: 'other',
      detail: `\`${path}\` on \`${host}\` is written over`,
      command: command.source,
    },
  ];
}

/** scp, rsync, sftp, rclone to another machine. */
const copy: Family = (command, context) => {
  const started =
    command.name === 'rsync'
      ? startedBy(command, context, /^(?:-[a-zA-Z]*e|--rsh=?)(.*)$/)
      : isSshProgram(command)
        ? startedBy(command, context, SSH_PROGRAM)
        : [];
  return [...started, ...copySends(command, context)];
};

const copySends: Family = (command, context) => {
  if (command.args.some((word) => /^(-[a-zA-Z]*n[a-zA-Z]*|--dry-run|--list-only|--help)$/.test(shown(word)) && command.name === 'rsync'))
    return [];
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
    '--include-from',
    '--filter',
    '-f',
  ]).filter((word) => !isOption(word));
  const sources = command.name === 'rclone' ? operands.slice(1, -1) : operands.slice(0, -1);
  const dest = operands.at(-1);
  if (sources.length === 0 || !dest || !isRemotePath(rawUrl(dest))) return fetches(command);
  const from = parcel();
  from.data = true;
  for (const word of sources) if (!isRemotePath(rawUrl(word))) from.files.push(targetOf(word, command.cwd));
  return [...sent(command, context, rawUrl(dest), from, 'copy'), ...toSystem(command, rawUrl(dest))];
};

const leadingDot = (part: Word['parts'][number] | undefined): boolean => part?.kind === 'text' && part.text.startsWith('.');

/** A name that is looked up carries what a substitution puts into it. */
const lookup: Family = (command, context) => {
  // Only as a label of a longer name: `$(hostname)` alone is looked up for its own sake.
  const word = command.args.find((each) => each.parts.some((part, i) => part.kind === 'hole' && leadingDot(each.parts[i + 1])));
  if (!word) return [];
  const from = parcel();
  from.words.push(word);
  const host = rawUrl(word).split('.').slice(-2).join('.');
  return sent(command, context, host.includes(')') ? 'a name server' : host, from, 'dns');
};

const mail: Family = (command, context) => {
  const from = stdinParcel(command);
  for (let i = 0; i < command.args.length; i++)
    if (/^(-a|-A|--attach)$/.test(shown(command.args[i]!)) && command.args[i + 1]) addFile(from, command.args[i + 1]!, command.cwd);
  const to = command.args.map(shown).find((text) => text.includes('@'));
  return to === undefined ? [] : sent(command, context, to, from, 'mail');
};

const upload =
  (verbs: readonly string[], to: string): Family =>
  (command, context) => {
    const operands = command.args.filter((word) => !isOption(word));
    const at = verbs.findIndex((verb, i) => textOf(operands[i]) !== verb);
    if (at >= 0) return [];
    const from = stdinParcel(command);
    for (const word of operands.slice(verbs.length)) if (textOf(word) !== '-') addFile(from, word, command.cwd);
    return sent(command, context, to, from, 'http');
  };

/** `gh gist create FILES`, and what is piped into it. */
const ghGist: Family = (command, context) => {
  const words = withoutValues(command.args, ['-d', '--desc', '-f', '--filename']).filter((word) => !isOption(word));
  if (textOf(words[0]) !== 'gist' || !['create', 'edit'].includes(textOf(words[1]) ?? '')) return [];
  const from = stdinParcel(command);
  from.data = true;
  for (const word of words.slice(2)) if (textOf(word) !== '-') from.files.push(targetOf(word, command.cwd));
  return sent(command, context, 'gist.github.com', from, 'http');
};

/** Programs that tar starts for compressing, checkpoints and volumes. */
const TAR_PROGRAM =
  /^(?:-[a-zA-Z]*[IF]|--(?:use-compress-program|info-script|new-volume-script|to-command|rsh-command|checkpoint-action)=?(?:exec=)?)(.*)$/;

/** tar writes to another machine when the archive is `host:path`. */
const tar: Family = (command, context) => [...startedBy(command, context, TAR_PROGRAM), ...tarSends(command, context)];

const tarSends: Family = (command, context) => {
  const archive = tarArchive(command);
  const options = textOf(command.env.get('TAR_OPTIONS')) ?? '';
  const tape = textOf(command.env.get('TAPE')) ?? '';
  const to = [archive && shown(archive), /--file=(\S+)/.exec(options)?.[1], archive ? undefined : tape].find(
    (text) => text && isRemotePath(text),
  );
  if (!to || command.args.some((word) => shown(word) === '--force-local')) return [];
  const from = parcel();
  from.data = true;
  for (const word of command.args) if (!isOption(word) && word !== archive) from.files.push(targetOf(word, command.cwd));
  return sent(command, context, to, from, 'copy');
};

/** `cmd > /dev/tcp/host/port`: bash's own sockets, for every command, also through a descriptor opened before. */
const socketRedirect: Family = (command, context) => {
  if (command.name === 'exec') return [];
  const named = command.redirects
    .filter((redirect) => redirect.op !== '<')
    .map((redirect) => socketOf(redirect.target))
    .find((each) => each !== undefined);
  const to = named ?? (hasSource(context) ? inflowOf(command, context).socket : undefined);
  if (to === undefined) return [];
  const from = parcel();
  from.data = true;
  for (const origin of inflowOf(command, context).out) if (origin.from === 'file') from.files.push(origin.target);
  for (const word of command.args)
    if (!isOption(word) && ['tar', 'socat'].includes(command.name)) from.files.push(targetOf(word, command.cwd));
  return sent(command, context, to, from, 'socket');
};

/** Programs that talk to other machines. */
export const NETWORK_FAMILIES: FamilyTable = {
  curl,
  wget,
  wget2: wget,
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
  nc: connection,
  ncat: connection,
  netcat: connection,
  telnet: connection,
  socat,
  ssh,
  scp: copy,
  sftp: copy,
  rsync: copy,
  rclone: copy,
  dig: lookup,
  nslookup: lookup,
  host: lookup,
  drill: lookup,
  ping: lookup,
  mail,
  mailx: mail,
  mutt: mail,
  sendmail: mail,
  gh: ghGist,
  wormhole: upload(['send'], 'the other end of the wormhole'),
  croc: upload(['send'], 'the other end of croc'),
  tar,
  iwr: (command) => fetches(command),
  irm: (command) => fetches(command),
  'invoke-webrequest': (command) => fetches(command),
  'invoke-restmethod': (command) => fetches(command),
  openssl: (command, context) => {
    const texts = command.args.map(shown);
    if (texts[0] !== 's_client' || command.stdin.from === 'inherit' || command.stdin.from === 'closed') return [];
    const at = texts.indexOf('-connect');
    return at < 0 ? [] : sent(command, context, texts[at + 1] ?? '', stdinParcel(command), 'socket');
  },
};

/** Asked for every command: running what came from elsewhere, and sockets as files. */
export const NETWORK_EVERY: readonly Family[] = [execFamily, socketRedirect];
