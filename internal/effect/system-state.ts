/** Effects on the machine itself: power, boot, users, firewall, services, mounts, kernel, clock, network, swap. */

import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family, type FamilyTable, targetOf } from './family.ts';
import type { SystemEffect } from './types-outside.ts';

type State = Extract<SystemEffect, { kind: 'system.state' }>;
type How = State['how'];

const shown = (word: Word): string => textOf(word) ?? word.raw;
const textsOf = (command: Command): string[] => command.args.map(shown);
const operandsOf = (command: Command): string[] => command.args.filter((word) => !isOption(word)).map(shown);
/** `-h` alone asks for help; `shutdown -h now` does not. */
const asksHelp = (texts: readonly string[]): boolean =>
  texts.some((text) => /^(--help|--version|\/\?)$/.test(text)) || (texts.length === 1 && /^(-h|-V|help)$/.test(texts[0]!));

const changes = (command: Command, how: How, detail: string, preview?: string, more: Pick<State, 'mild' | 'target'> = {}): Effect => ({
  ...baseOf(command),
  kind: 'system.state',
  how,
  detail,
  ...(preview === undefined ? {} : { preview }),
  ...more,
  command: command.source,
});

/** A family from one function of the words: what changes, or undefined. */
const when =
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
const windows = (text: string): string => text.replace(/^(\/\/?|--?)/, '').toLowerCase();

const shutdown = when('power', (texts) => {
  if (texts.includes('-c') || texts.includes('--show') || texts.some((text) => windows(text) === 'a')) return undefined;
  return 'the machine goes down';
});

const POWER_VERBS = new Set([
  'poweroff',
  'reboot',
  'halt',
  'suspend',
  'hibernate',
  'hybrid-sleep',
  'suspend-then-hibernate',
  'kexec',
  'soft-reboot',
  'rescue',
  'emergency',
  'isolate',
  'exit',
  'sleep',
]);
const STOPS = new Set(['stop', 'disable', 'mask', 'kill', 'revert', 'freeze', 'clean']);
const RESTARTS = new Set(['restart', 'try-restart', 'reload-or-restart', 'try-reload-or-restart', 'condrestart', 'force-reload']);

const systemctl: Family = (command) => {
  const [verb, ...units] = operandsOf(command);
  if (verb === undefined) return [];
  if (POWER_VERBS.has(verb) && !(verb === 'exit' && command.args.some((word) => shown(word) === '--user')))
    return [changes(command, 'power', verb === 'isolate' ? `only ${units.join(' ')} goes on` : 'the machine goes down or sleeps')];
  const user = command.args.some((word) => shown(word) === '--user') ? ['--user'] : [];
  const preview =
    units[0] === undefined ? quoteLine(['systemctl', ...user, 'list-units']) : quoteLine(['systemctl', ...user, 'status', units[0]]);
  if (STOPS.has(verb)) return [changes(command, 'service', `${verb} ${units.join(' ')}`, preview)];
  return RESTARTS.has(verb) ? [changes(command, 'service', `${verb} ${units.join(' ')}`, preview, { mild: true })] : [];
};

/** `service nginx stop`, `rc-service`, `initctl stop nginx`. */
const service: Family = (command) => {
  const words = operandsOf(command);
  const [verb, unit] = command.name === 'initctl' || command.name === 'stop' ? [words[0], words[1]] : [words[1], words[0]];
  if (verb === undefined || unit === undefined) return [];
  const preview = command.name === 'initctl' ? quoteLine(['initctl', 'status', unit]) : quoteLine(['service', unit, 'status']);
  if (['stop', 'force-stop', 'graceful-stop', 'disable'].includes(verb)) return [changes(command, 'service', `stop ${unit}`, preview)];
  return ['restart', 'force-reload'].includes(verb) ? [changes(command, 'service', `${verb} ${unit}`, preview, { mild: true })] : [];
};

const launchctl: Family = (command) => {
  const [verb, ...rest] = operandsOf(command);
  if (verb === undefined) return [];
  if (['reboot', 'userswitch'].includes(verb)) return [changes(command, 'power', 'the session or the machine starts anew')];
  return ['unload', 'bootout', 'disable', 'remove', 'kill', 'stop', 'kickstart'].includes(verb)
    ? [changes(command, 'service', `${verb} ${rest.join(' ')}`, 'launchctl list', verb === 'kickstart' ? { mild: true } : {})]
    : [];
};

const iptables: Family = (command) => {
  const texts = textsOf(command);
  const change = texts.find(
    (text) =>
      /^(-[FXZPDIARNE]|--(flush|delete-chain|zero|policy|delete|insert|append|replace|new-chain|rename-chain))$/.test(text) ||
      /^-[FXZPDIARN][a-zA-Z]*$/.test(text),
  );
  return change === undefined ? [] : [changes(command, 'firewall', texts.join(' '), quoteLine([command.name, '-S']))];
};

const nft = when(
  'firewall',
  (_texts, [verb, what]) =>
    verb !== undefined && ['flush', 'delete', 'add', 'insert', 'replace', 'destroy', 'create', 'reset'].includes(verb)
      ? `${verb} ${what ?? ''}`.trim()
      : undefined,
  'nft list ruleset',
);
const ufw = when(
  'firewall',
  (_texts, [verb, ...rest]) =>
    verb !== undefined && !['status', 'version', 'show', 'app'].includes(verb) ? [verb, ...rest].join(' ') : undefined,
  'ufw status',
);
const firewallCmd = when(
  'firewall',
  (texts) =>
    texts.find((text) => /^--(add|remove|set|panic-on|panic-off|reload|complete-reload|change|new|delete|runtime-to-permanent)/.test(text)),
  'firewall-cmd --list-all',
);
const pfctl = when(
  'firewall',
  (texts) => texts.find((text) => /^-[a-zA-Z]*[FdefEx]/.test(text) && !/^-[a-zA-Z]*s/.test(text)),
  'pfctl -s rules',
);

const netsh = when(
  'firewall',
  (texts) => (/\b(set|add|delete|reset)\b/.test(texts.join(' ')) ? texts.join(' ') : undefined),
  'netsh advfirewall show allprofiles',
);

const mount: Family = (command) => {
  const operands = operandsOf(command);
  const texts = textsOf(command);
  if (asksHelp(texts) || texts.some((text) => /^-[a-zA-Z]*[lV]$/.test(text))) return [];
  const at = command.args.filter((word) => !isOption(word)).at(-1);
  if (command.name === 'mount' && operands.length === 0 && !texts.some((text) => /^(-a|--all)$/.test(text))) return [];
  return [
    changes(
      command,
      'mount',
      [command.name, ...texts].join(' '),
      command.name === 'swapon' ? undefined : 'findmnt',
      at ? { target: targetOf(at, command.cwd) } : {},
    ),
  ];
};

const umount: Family = (command) => {
  const at = command.args.filter((word) => !isOption(word)).at(-1);
  if (asksHelp(textsOf(command)) || (!at && !textsOf(command).some((text) => /^-[a-z]*a/.test(text)))) return [];
  return [
    changes(command, 'mount', [command.name, ...textsOf(command)].join(' '), 'mount', at ? { target: targetOf(at, command.cwd) } : {}),
  ];
};

const diskutil: Family = (command) => {
  const [verb, ...rest] = operandsOf(command);
  if (!/^(unmount|unmountDisk|eject|mount|mountDisk)$/i.test(verb ?? '')) return [];
  const at = command.args.filter((word) => !isOption(word)).at(-1);
  return [
    changes(command, 'mount', [verb, ...rest].join(' '), 'diskutil list', {
      mild: true,
      ...(at ? { target: targetOf(at, command.cwd) } : {}),
    }),
  ];
};

const swap: Family = (command) => {
  const texts = textsOf(command);
  if (asksHelp(texts) || texts.length === 0 || texts.some((text) => /^(-s|--summary|--show.*)$/.test(text))) return [];
  return [changes(command, 'swap', `${command.name} ${texts.join(' ')}`, 'swapon --show')];
};

const sysctl: Family = (command) => {
  const texts = textsOf(command);
  const sets =
    texts.some((text) => /^(-w|--write|-p.*|--load.*|--system)$/.test(text)) ||
    operandsOf(command).some((text) => /^[\w.\-/]+=/.test(text));
  return sets ? [changes(command, 'kernel', texts.join(' '), 'sysctl -a')] : [];
};

const date: Family = (command) => {
  const texts = textsOf(command);
  const set = texts.some(
    (text, i) =>
      /^(-s|--set(=.*)?)$/.test(text) ||
      (/^\d{8,12}(\.\d\d)?$/.test(text) && !/^(-d|--date|-r|-f|-j|-v)$/.test(texts[i - 1] ?? '') && !texts.includes('-j')),
  );
  return set ? [changes(command, 'time', 'the clock is set', 'date')] : [];
};

const IP_OBJECTS = /^(l|li|lin|link|a|ad|add|addr|address|r|ro|route|ru|rule|n|ne|neigh|neighbor|netns|tunnel|tu|maddr|xfrm|x)$/;
const IP_CHANGES = /^(add|a|del|delete|d|set|s|flush|f|replace|change|append|down|up)$/;

const ip: Family = (command) => {
  const words = operandsOf(command);
  const at = words.findIndex((word) => IP_OBJECTS.test(word));
  const verb = words[at + 1];
  if (at < 0 || verb === undefined || !IP_CHANGES.test(verb)) return [];
  if (words[at] === 'netns' && verb === 'exec') return [];
  return [changes(command, 'network', words.slice(at).join(' '), quoteLine(['ip', words[at]!.startsWith('r') ? 'route' : 'addr']))];
};

const ifconfig: Family = (command) => {
  const [device, ...rest] = operandsOf(command);
  return device !== undefined &&
    rest.length > 0 &&
    rest.some((text) => /^(up|down|add|del|delete|netmask|mtu|hw|ether|alias|-alias|promisc|\d+\.\d+\.\d+\.\d+.*)$/.test(text))
    ? [changes(command, 'network', `${device} ${rest.join(' ')}`, 'ifconfig -a')]
    : [];
};

const nmcli = when(
  'network',
  (_texts, words) =>
    words.some((word) => /^(down|up|delete|modify|add|off|on|disconnect|connect|reapply|clone|edit|import)$/.test(word))
      ? words.join(' ')
      : undefined,
  'nmcli general status',
);
const networksetup = when(
  'network',
  (texts) => texts.find((text) => /^-(set|add|remove|delete|create|switch|order|connect|rename)/.test(text)),
  'networksetup -listallnetworkservices',
);

const hostname: Family = (command) => {
  const name = operandsOf(command)[0];
  const flags = textsOf(command).filter((text) => text.startsWith('-'));
  const sets = flags.some((text) => /^(-F|--file)/.test(text)) || (name !== undefined && flags.length === 0);
  return sets ? [changes(command, 'network', `the machine's name becomes ${name ?? 'another'}`, 'hostname')] : [];
};

const users = when(
  'users',
  (texts, operands) => (operands.length > 0 || texts.length > 0 ? operands.join(' ') || texts.join(' ') : undefined),
  'getent passwd',
);

const passwd: Family = (command) =>
  textsOf(command).some((text) => /^(-S|--status|-a|--all|--help|-h)$/.test(text))
    ? []
    : [changes(command, 'users', `the password of ${operandsOf(command)[0] ?? 'this user'}`, 'passwd -S')];

const efibootmgr = when(
  'boot',
  (texts) =>
    texts.find(
      (text) => /^-[BcobnaAONtTDLC]|^--(delete|create|bootorder|bootnext|active|inactive|timeout)/.test(text) && !/^-v$/.test(text),
    ),
  'efibootmgr -v',
);
const always = (how: How, detail: string, preview?: string): Family => when(how, () => detail, preview);
const withArguments = (how: How, preview?: string): Family =>
  when(how, (texts) => (texts.length > 0 ? texts.join(' ') : undefined), preview);

/** nginx, haproxy, apachectl and the like, told to end. */
const stopsServer = when('service', (texts) => {
  const at = texts.findIndex((text) => /^(-s|-k|-sf|-st)$/.test(text));
  if (at >= 0)
    return /^-s[ft]$/.test(texts[at]!) || /^(stop|quit|graceful-stop)$/.test(texts[at + 1] ?? '') ? texts.slice(at).join(' ') : undefined;
  return /^(stop|graceful-stop)$/.test(texts[0] ?? '') ? texts[0] : undefined;
});

/** System packages taken away: other users and services may need them. */
const removesPackages = when(
  'other',
  (texts, [verb, ...names]) =>
    verb !== undefined &&
    /^(remove|purge|autoremove|erase|autopurge)$/.test(verb) &&
    !texts.some((text) => /^(-s|--simulate|--dry-run|--just-print|--assumeno)$/.test(text))
      ? `${verb} ${names.join(' ')}`.trim()
      : undefined,
  undefined,
  true,
);
const pacman = when('other', (texts) => (texts.some((text) => /^-R/.test(text)) ? texts.join(' ') : undefined), undefined, true);

/** Programs that change the machine. */
export const STATE_FAMILIES: FamilyTable = {
  shutdown,
  reboot: always('power', 'the machine starts anew'),
  halt: always('power', 'the machine stops'),
  poweroff: always('power', 'the machine goes off'),
  'pm-suspend': always('power', 'the machine sleeps'),
  'pm-hibernate': always('power', 'the machine sleeps'),
  init: when('power', (_texts, [level]) => (level !== undefined && /^[0126sS]$/.test(level) ? `run level ${level}` : undefined)),
  telinit: when('power', (_texts, [level]) => (level !== undefined && /^[0-6sS]$/.test(level) ? `run level ${level}` : undefined)),
  'stop-computer': always('power', 'the machine goes off'),
  'restart-computer': always('power', 'the machine starts anew'),
  systemctl,
  service,
  'rc-service': service,
  initctl: service,
  launchctl,
  'stop-service': withArguments('service', 'Get-Service'),
  sc: when('service', (texts) => (/^(stop|delete|config)$/i.test(texts[0] ?? '') ? texts.join(' ') : undefined), 'sc query'),
  net: when(
    'service',
    (texts) =>
      /^stop$/i.test(texts[0] ?? '')
        ? texts.join(' ')
        : /^(user|localgroup)$/i.test(texts[0] ?? '') && texts.some((text) => /^\/\/?(add|delete)$/i.test(text))
          ? texts.join(' ')
          : undefined,
    'net start',
  ),
  brew: when(
    'service',
    (texts) => (texts[0] === 'services' && /^(stop|restart|kill|cleanup)$/.test(texts[1] ?? '') ? texts.slice(1).join(' ') : undefined),
    'brew services list',
    true,
  ),
  nginx: stopsServer,
  haproxy: stopsServer,
  apachectl: stopsServer,
  apache2ctl: stopsServer,
  httpd: stopsServer,
  iptables,
  ip6tables: iptables,
  ebtables: iptables,
  'iptables-restore': always('firewall', 'all rules are replaced', 'iptables -S'),
  'ip6tables-restore': always('firewall', 'all rules are replaced', 'ip6tables -S'),
  nft,
  ufw,
  'firewall-cmd': firewallCmd,
  pfctl,
  netsh,
  mount,
  umount,
  fusermount: umount,
  fusermount3: umount,
  diskutil,
  swapon: swap,
  swapoff: swap,
  sysctl,
  insmod: withArguments('kernel', 'lsmod'),
  rmmod: withArguments('kernel', 'lsmod'),
  modprobe: when(
    'kernel',
    (texts) => (texts.length > 0 && !texts.some((text) => /^(-n|--dry-run|--show.*|-D|-c)$/.test(text)) ? texts.join(' ') : undefined),
    'lsmod',
  ),
  kexec: withArguments('kernel'),
  setenforce: withArguments('kernel', 'getenforce'),
  'aa-disable': withArguments('kernel', 'aa-status'),
  'aa-teardown': always('kernel', 'AppArmor is switched off', 'aa-status'),
  csrutil: when(
    'kernel',
    (texts) => (/^(disable|clear|authenticated-root)$/.test(texts[0] ?? '') ? texts.join(' ') : undefined),
    'csrutil status',
  ),
  spctl: when(
    'kernel',
    (texts) => texts.find((text) => /^--(master|global)-disable$|^--(add|remove|disable)$/.test(text)),
    'spctl --status',
  ),
  date,
  timedatectl: when('time', (_texts, [verb]) => (/^set-/.test(verb ?? '') ? verb : undefined), 'timedatectl status'),
  hwclock: when('time', (texts) => texts.find((text) => /^(-w|-s|--set|--systohc|--hctosys|--adjust|-a)$/.test(text)), 'hwclock --show'),
  ntpdate: when('time', (texts, operands) => (operands.length > 0 && !texts.includes('-q') ? 'the clock is set' : undefined), 'date'),
  ip,
  ifconfig,
  ifdown: withArguments('network', 'ip addr'),
  ifup: withArguments('network', 'ip addr'),
  route: when(
    'network',
    (_texts, [verb, ...rest]) => (/^(add|del|delete|flush|change)$/.test(verb ?? '') ? [verb, ...rest].join(' ') : undefined),
    'ip route',
  ),
  nsupdate: when('network', (texts) => (texts.some((text) => /^-[hV]$/.test(text)) ? undefined : 'records of a name server')),
  tc: when(
    'network',
    (_texts, words) => (/^(add|del|delete|change|replace)$/.test(words[1] ?? '') ? words.join(' ') : undefined),
    'tc qdisc show',
  ),
  nmcli,
  networksetup,
  netplan: when('network', (_texts, [verb]) => (/^(apply|try|set)$/.test(verb ?? '') ? verb : undefined), 'netplan get'),
  resolvectl: when(
    'network',
    (_texts, [verb, ...rest]) =>
      /^(dns|domain|revert|default-route|llmnr|mdns|dnssec)$/.test(verb ?? '') && rest.length > 1 ? verb : undefined,
    'resolvectl status',
  ),
  hostname,
  hostnamectl: when(
    'network',
    (_texts, [verb, ...rest]) =>
      /^set-|^(hostname|icon-name|chassis|deployment|location)$/.test(verb ?? '') && (rest.length > 0 || verb!.startsWith('set-'))
        ? [verb, ...rest].join(' ')
        : undefined,
    'hostnamectl status',
  ),
  scutil: when('network', (texts) => (texts[0] === '--set' ? texts.join(' ') : undefined), 'scutil --get HostName'),
  useradd: users,
  userdel: users,
  adduser: users,
  deluser: users,
  groupadd: users,
  groupdel: users,
  groupmod: users,
  delgroup: users,
  addgroup: users,
  usermod: users,
  gpasswd: users,
  chpasswd: always('users', 'passwords are set', 'getent passwd'),
  newusers: users,
  chsh: when(
    'users',
    (texts) =>
      texts.some((text) => /^(-l|--list-shells)$/.test(text)) ? undefined : `the login shell becomes ${texts.at(-1) ?? 'another'}`,
    'getent passwd',
  ),
  chfn: users,
  chage: when(
    'users',
    (texts, operands) => (texts.some((text) => /^(-l|--list)$/.test(text)) ? undefined : operands.join(' ')),
    'getent passwd',
  ),
  vipw: always('users', 'the list of users is edited', 'getent passwd'),
  vigr: always('users', 'the list of groups is edited', 'getent group'),
  passwd,
  dscl: when('users', (texts) =>
    texts.some((text) => /^-(create|append|delete|merge|passwd|change)$/.test(text)) ? texts.join(' ') : undefined,
  ),
  sysadminctl: when('users', (texts) => texts.find((text) => /^-(addUser|deleteUser|resetPasswordFor|guestAccount)$/.test(text))),
  'grub-install': withArguments('boot', 'efibootmgr -v'),
  'grub2-install': withArguments('boot', 'efibootmgr -v'),
  'update-grub': always('boot', 'the boot menu is written anew'),
  'update-grub2': always('boot', 'the boot menu is written anew'),
  'grub-mkconfig': when('boot', (texts) =>
    texts.some((text) => /^(-o|--output)/.test(text)) ? 'the boot menu is written anew' : undefined,
  ),
  'grub2-mkconfig': when('boot', (texts) =>
    texts.some((text) => /^(-o|--output)/.test(text)) ? 'the boot menu is written anew' : undefined,
  ),
  'update-initramfs': withArguments('boot', 'lsinitramfs /initrd.img'),
  dracut: withArguments('boot', 'lsinitrd'),
  mkinitcpio: withArguments('boot'),
  bootctl: when(
    'boot',
    (_texts, [verb]) => (/^(install|update|remove|set-default|set-oneshot)$/.test(verb ?? '') ? verb : undefined),
    'bootctl status',
  ),
  efibootmgr,
  bcdedit: when(
    'boot',
    (texts) => (texts.some((text) => /^\/\/?(set|delete|create|default|import)/i.test(text)) ? texts.join(' ') : undefined),
    'bcdedit /enum',
  ),
  nvram: when(
    'boot',
    (texts) => (texts.some((text) => text === '-d' || text === '-c' || /^[\w%-]+=/.test(text)) ? texts.join(' ') : undefined),
    'nvram -p',
  ),
  bless: withArguments('boot'),
  'apt-get': removesPackages,
  apt: removesPackages,
  dnf: removesPackages,
  yum: removesPackages,
  zypper: removesPackages,
  apk: when('other', (_texts, [verb, ...names]) => (verb === 'del' ? `del ${names.join(' ')}` : undefined), undefined, true),
  pacman,
};

/** What a write to a path does to the running system: the kernel's own files. */
export function stateAt(path: string | undefined): { how: How; detail: string } | undefined {
  if (path === undefined) return undefined;
  if (/^\/proc\/sysrq-trigger$/.test(path)) return { how: 'power', detail: 'the kernel acts on the letter at once' };
  if (/^\/(proc\/sys|sys)\//.test(path)) return { how: 'kernel', detail: 'the running kernel takes the value' };
  if (
    /^\/(etc\/(fstab|hosts|resolv\.conf|hostname|sysctl\.conf|sysctl\.d\/.*|modprobe\.d\/.*|modules(-load\.d\/.*)?|default\/grub|selinux\/.*|network\/.*|netplan\/.*|apt\/.*)|boot\/.*|efi\/.*)$/.test(
      path,
    )
  )
    return { how: path.startsWith('/boot') || path.includes('grub') ? 'boot' : 'other', detail: 'the system reads it' };
  return undefined;
}
