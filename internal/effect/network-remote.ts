/** socat, ssh, scp, rsync and tar to another machine, and the programs their options start. */
import type { Command } from '../shell/command.ts';
import { isOption, textOf } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, targetOf } from './family.ts';
import { isLocal, isRemotePath, withoutValues } from './network-fetch.ts';
import { inflowOf, tarArchive } from './network-flow.ts';
import { fetches, parcel, rawUrl, sent, shown, stdinParcel } from './network-send.ts';

const SOCAT_NET = /^(tcp|udp|sctp|dccp|openssl|ssl|proxy|socks\w*|vsock|ip|udplite)[a-z0-9-]*:/i;

export const socat: Family = (command, context) => {
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

/** `FD:0x3` is descriptor 3, `FD:$sock` the one in a variable. */
const descriptorOf = (text: string): string => (/^(0x[0-9a-f]+|\d+)$/i.test(text) ? String(Number(text)) : text);

function socatSends(command: Command, context: EffectContext, addresses: readonly string[]): readonly Effect[] {
  const descriptor = addresses.map((text) => /^fd:(\S+)$/i.exec(text)?.[1]).find((each) => each !== undefined);
  const open = descriptor === undefined ? undefined : inflowOf(command, context).opened?.get(descriptorOf(descriptor));
  const net = addresses.find((text) => SOCAT_NET.test(text)) ?? (open === undefined ? undefined : `TCP:${open}`);
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
export const ssh: Family = (command, context) => {
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
      kind: 'system.state',
      ...baseOf(command),
      how: 'other',
      detail: `\`${path}\` on \`${host}\` is written over`,
      command: command.source,
    },
  ];
}

/** scp, rsync, sftp, rclone to another machine. */
export const copy: Family = (command, context) => {
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

/** Programs that tar starts for compressing, checkpoints and volumes. */
const TAR_PROGRAM =
  /^(?:-[a-zA-Z]*[IF]|--(?:use-compress-program|info-script|new-volume-script|to-command|rsh-command|checkpoint-action)=?(?:exec=)?)(.*)$/;

/** tar writes to another machine when the archive is `host:path`. */
export const tar: Family = (command, context) => [...startedBy(command, context, TAR_PROGRAM), ...tarSends(command, context)];

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
