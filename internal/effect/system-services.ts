/** Power, services, users and system packages. */
import { quoteLine } from '../rule/quote.ts';
import type { Family, FamilyTable } from './family.ts';
import { always, changes, operandsOf, shown, textsOf, when, windows, withArguments } from './system-change.ts';

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

const users = when(
  'users',
  (texts, operands) => (operands.length > 0 || texts.length > 0 ? operands.join(' ') || texts.join(' ') : undefined),
  'getent passwd',
);

const passwd: Family = (command) =>
  textsOf(command).some((text) => /^(-S|--status|-a|--all|--help|-h)$/.test(text))
    ? []
    : [changes(command, 'users', `the password of ${operandsOf(command)[0] ?? 'this user'}`, 'passwd -S')];

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

/** Programs that change what runs and who there is. */
export const SERVICE_FAMILIES: FamilyTable = {
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
    (texts) => (texts[0] === 'services' && /^(stop|kill|cleanup)$/.test(texts[1] ?? '') ? texts.slice(1).join(' ') : undefined),
    'brew services list',
    true,
  ),
  nginx: stopsServer,
  haproxy: stopsServer,
  apachectl: stopsServer,
  apache2ctl: stopsServer,
  httpd: stopsServer,
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
  'apt-get': removesPackages,
  apt: removesPackages,
  dnf: removesPackages,
  yum: removesPackages,
  zypper: removesPackages,
  apk: when('other', (_texts, [verb, ...names]) => (verb === 'del' ? `del ${names.join(' ')}` : undefined), undefined, true),
  pacman,
};
