/** Effects that give more rights: root shells, sudoers, setuid, capabilities, containers that are the host. */

import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family, type FamilyTable, targetOf } from './family.ts';
import { parseOptions } from './options.ts';

const shown = (word: Word): string => textOf(word) ?? word.raw;

const gains = (command: Command, how: string, detail?: string, preview?: string): Effect => ({
  kind: 'system.privilege',
  ...baseOf(command),
  how,
  ...(detail === undefined ? {} : { detail }),
  ...(preview === undefined ? {} : { preview }),
  command: command.source,
});

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'csh', 'tcsh']);

/** A shell of root's without a program of its own: the guard would not see what it is told. */
const shell: Family = (command) => {
  if (!command.root || command.remote) return [];
  const interactive = command.args.every((word) => /^-[il]+$|^--(login|norc|noprofile|posix)$/.test(shown(word)));
  return interactive && (command.stdin.from === 'inherit' || command.stdin.from === 'closed') ? [gains(command, 'a root shell')] : [];
};

const SUDO_FLAGS = [
  ...'ABbEeHKklnNPSsVv',
  'i',
  'login',
  'shell',
  'list',
  'validate',
  'version',
  'edit',
  'preserve-env',
  'non-interactive',
  'stdin',
  'background',
  'remove-timestamp',
  'reset-timestamp',
  'help',
  'askpass',
];
const SUDO_VALUES = [
  'u',
  'user',
  'g',
  'group',
  'C',
  'close-from',
  'D',
  'chdir',
  'h',
  'host',
  'p',
  'prompt',
  'r',
  'role',
  'R',
  'chroot',
  't',
  'type',
  'T',
  'command-timeout',
  'U',
  'other-user',
];

const sudo: Family = (command) => {
  const parsed = parseOptions(command.args, {
    flags: SUDO_FLAGS,
    values: SUDO_VALUES,
    optional: ['preserve-env'],
    aliases: { login: 'i', shell: 's', edit: 'e', user: 'u', list: 'l' },
    stopAtOperand: true,
  });
  if (parsed.has('l') || parsed.has('V') || parsed.has('help')) return [];
  const words = parsed.operands.filter((word) => !/^[A-Za-z_]\w*=/.test(shown(word)));
  if (parsed.has('e'))
    return words.flatMap((word) => (isRights(targetOf(word, command.cwd).path) ? [gains(command, 'rights', shown(word))] : []));
  return words.length === 0 && (parsed.has('i') || parsed.has('s')) ? [gains(command, 'a root shell')] : [];
};

const doas: Family = (command) => (command.args.some((word) => textOf(word) === '-s') ? [gains(command, 'a root shell')] : []);

/** su without a command is a shell of somebody else's. */
const su: Family = (command) => {
  const parsed = parseOptions(command.args, {
    flags: ['l', 'm', 'p', 'P', 'f', 'login', 'help', 'version'],
    values: ['c', 'command', 's', 'shell', 'g', 'G', 'w'],
    aliases: { command: 'c' },
  });
  if (parsed.has('c') || parsed.has('help') || parsed.has('version') || command.remote) return [];
  const user = parsed.operands.map(shown).find((text) => text !== '-');
  return [gains(command, user === undefined || user === 'root' ? 'a root shell' : `a shell of \`${user}\``)];
};

const pkexec: Family = (command) => {
  const program = command.args.find((word) => !isOption(word));
  return program && SHELLS.has(shown(program).split('/').at(-1)!) ? [gains(command, 'a root shell')] : [];
};

/** A mode that sets the setuid bit: `u+s`, `+s`, `4755`. The group's bit on its own is everyday on shared folders. */
export const setsUid = (mode: string): boolean =>
  mode.split(',').some((part) => /^[uo]*[ua][ugoa]*[+=][rwxXt]*s/.test(part) || /^[+=][rwxXt]*s/.test(part)) ||
  /^0?[4-7][0-7]{3}$/.test(mode);

const chmod: Family = (command) => {
  const words = command.args.filter(
    (word) => !/^-[RvcfhHLP]+$|^--(recursive|verbose|changes|silent|quiet|preserve-root|no-preserve-root)$/.test(shown(word)),
  );
  const mode = textOf(words[0]);
  if (mode === undefined || !setsUid(mode)) return [];
  const files = words.slice(1).map(shown);
  return [gains(command, 'setuid', files.join(' '), files[0] === undefined ? undefined : quoteLine(['ls', '-l', files[0]]))];
};

const setcap: Family = (command) => {
  const texts = command.args.map(shown);
  if (texts.includes('-r') || texts.includes('-v') || texts.includes('-h')) return [];
  const file = texts.at(-1);
  return texts.length < 2 ? [] : [gains(command, 'capabilities', file, file === undefined ? undefined : quoteLine(['getcap', file]))];
};

/** Groups whose members are root, in effect. */
const ROOT_GROUPS = /^(sudo|wheel|admin|root|docker|lxd|libvirt|shadow|disk|adm)$/;

const usermod: Family = (command) => {
  const texts = command.args.map(shown);
  const groups = texts.flatMap((text, i) =>
    /^(-[a-z]*[gG]|--groups|--gid)$/.test(texts[i - 1] ?? '')
      ? text.split(',')
      : /^--groups?=/.test(text)
        ? text.slice(text.indexOf('=') + 1).split(',')
        : [],
  );
  const root = groups.find((group) => ROOT_GROUPS.test(group));
  return root === undefined ? [] : [gains(command, 'rights', `group ${root} for ${texts.at(-1)}`, quoteLine(['id', texts.at(-1)!]))];
};

/** `gpasswd -a USER GROUP`, `adduser USER GROUP`. */
const member: Family = (command) => {
  const words = command.args.filter((word) => !isOption(word)).map(shown);
  const group = words.at(-1) ?? '';
  const adds = command.name !== 'gpasswd' || command.args.some((word) => /^(-a|--add)$/.test(shown(word)));
  return adds && words.length === 2 && ROOT_GROUPS.test(group)
    ? [gains(command, 'rights', `group ${group} for ${words[0]}`, quoteLine(['id', words[0]!]))]
    : [];
};

const RIGHTS =
  /^\/(private\/)?etc\/(sudoers(\.d(\/.*)?)?|doas\.conf|shadow-?|gshadow|passwd-?|group-?|pam\.d(\/.*)?|polkit-1(\/.*)?|security(\/.*)?|subuid|subgid)$|^\/usr\/share\/polkit-1\//;

/** Files that say who may do what. */
export const isRights = (path: string | undefined): boolean => path !== undefined && RIGHTS.test(path);

const CONTAINER_VALUES = [
  'v',
  'volume',
  'mount',
  'pid',
  'cap-add',
  'security-opt',
  'userns',
  'device',
  'name',
  'e',
  'env',
  'p',
  'publish',
  'w',
  'workdir',
  'u',
  'user',
  'network',
  'net',
  'entrypoint',
  'env-file',
  'h',
  'hostname',
  'l',
  'label',
  'm',
  'memory',
  'cpus',
  'platform',
  'restart',
  'ipc',
  'uts',
  'cgroupns',
  'runtime',
  'gpus',
  'shm-size',
  'ulimit',
  'tmpfs',
  'add-host',
  'dns',
  'pull',
  'log-driver',
  'log-opt',
  'stop-signal',
  'group-add',
  'cap-drop',
  'volumes-from',
  'health-cmd',
  'link',
  'expose',
  'ip',
  'a',
  'attach',
  'cidfile',
  'annotation',
  'sysctl',
];
const CONTAINER_FLAGS = [
  'd',
  'detach',
  'i',
  'interactive',
  't',
  'tty',
  'rm',
  'init',
  'privileged',
  'P',
  'publish-all',
  'read-only',
  'q',
  'quiet',
];

/** docker, podman and nerdctl: a container that can reach all of the host. */
const container: Family = (command) => {
  const at = command.args.findIndex((word) => ['run', 'create', 'exec'].includes(shown(word)));
  if (at < 0 || command.args.slice(0, at).some((word) => shown(word) === 'compose')) return [];
  const parsed = parseOptions(command.args.slice(at + 1), {
    flags: CONTAINER_FLAGS,
    values: CONTAINER_VALUES,
    stopAtOperand: true,
    aliases: { volume: 'v' },
  });
  const texts = (name: string) => (parsed.options.get(name) ?? []).map((word) => (word ? shown(word) : ''));
  const reasons = [
    ...(parsed.has('privileged') && parsed.text('privileged') !== 'false' ? ['--privileged'] : []),
    ...texts('v')
      .filter((text) => /^\/:/.test(text) || text.startsWith('/etc:') || text.startsWith('/proc:'))
      .map((text) => `-v ${text}`),
    ...texts('mount')
      .filter((text) => /(^|,)(src|source)=\/(,|$)/.test(text))
      .map((text) => `--mount ${text}`),
    ...(texts('pid').includes('host') ? ['--pid=host'] : []),
    ...texts('cap-add')
      .filter((text) => /^(CAP_)?(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE)$/i.test(text))
      .map((text) => `--cap-add ${text}`),
    ...texts('userns')
      .filter((text) => text === 'host')
      .map(() => '--userns=host'),
  ];
  return reasons.length > 0 ? [gains(command, 'a container with the rights of the host', reasons.join(' '))] : [];
};

/** Variables that force a library into every program that starts. */
const FORCED = ['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES'];

/** A library from a place anybody can write to, forced into a program. For every command. */
export const forcedLibrary: Family = (command) => {
  if (command.env.size === 0) return [];
  for (const name of FORCED) {
    const path = textOf(command.env.get(name));
    if (path !== undefined && /^\/(tmp|var\/tmp|dev\/shm|private\/tmp)\//.test(path))
      return [gains(command, 'a program to a library of unknown origin', path)];
  }
  return [];
};

/** Programs that change who may do what. */
export const PRIVILEGE_FAMILIES: FamilyTable = {
  ...Object.fromEntries([...SHELLS].map((name) => [name, shell])),
  sudo,
  doas,
  su,
  pkexec,
  run0: (command) => (command.args.every(isOption) ? [gains(command, 'a root shell')] : []),
  machinectl: (command) => (textOf(command.args[0]) === 'shell' ? [gains(command, 'a root shell')] : []),
  nsenter: (command) =>
    command.args.some(
      (word, i) => /^(-t1|--target=1)$/.test(shown(word)) || (/^(-t|--target)$/.test(shown(word)) && textOf(command.args[i + 1]) === '1'),
    )
      ? [gains(command, 'a shell outside the container')]
      : [],
  visudo: (command) =>
    command.args.some((word) => /^(-[a-z]*c[a-z]*|--check|-V|--help)$/.test(shown(word))) ? [] : [gains(command, 'rights', '/etc/sudoers')],
  chmod,
  setcap,
  usermod,
  gpasswd: member,
  adduser: member,
  docker: container,
  podman: container,
  nerdctl: container,
};
