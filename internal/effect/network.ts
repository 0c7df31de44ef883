/** Effects on the network: what is fetched, what is sent and where to. */
import { isOption, textOf, type Word } from '../shell/word.ts';
import { type Family, type FamilyTable, targetOf } from './family.ts';
import { forgeSends } from './forge-send.ts';
import { commandAt } from './line-index.ts';
import { execFamily } from './network-exec.ts';
import { withoutValues } from './network-fetch.ts';
import { hasSource, inflowOf, socketOf, stepsOf } from './network-flow.ts';
import { curl, httpie, wget } from './network-http.ts';
import { copy, socat, ssh, tar } from './network-remote.ts';
import { addFile, fetches, parcel, rawUrl, sent, shown, stdinParcel } from './network-send.ts';

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

const leadingDot = (part: Word['parts'][number] | undefined): boolean => part?.kind === 'text' && part.text.startsWith('.');

/** Programs whose output says who and where the caller is: nothing a name server is asked about for its own sake. */
const ABOUT = new Set(['whoami', 'id', 'uname', 'env', 'printenv', 'cat', 'base64', 'xxd', 'ps', 'ls', 'ip', 'ifconfig', 'history']);

/** A name that is looked up carries what a substitution puts into it. */
const lookup: Family = (command, context) => {
  // Only as a label of a longer name: `$(hostname)` alone is looked up for its own sake.
  const word = command.args.find((each) => each.parts.some((part, i) => part.kind === 'hole' && leadingDot(each.parts[i + 1])));
  if (!word) return [];
  const from = parcel();
  from.words.push(word);
  const host = rawUrl(word).split('.').slice(-2).join('.');
  const asked = from.words.flatMap(stepsOf).flatMap((step) => commandAt(step, context) ?? []);
  const about = asked.find((each) => ABOUT.has(each.name));
  return sent(command, context, host.includes(')') ? 'a name server' : host, from, 'dns').map((effect) =>
    effect.kind === 'net.send' && about ? { ...effect, output: about.source } : effect,
  );
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
  gh: forgeSends,
  glab: forgeSends,
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
