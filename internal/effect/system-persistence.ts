/** Effects that stay after the session: scheduled jobs, services at boot, start-up files, keys that let somebody in. */
import { posix } from 'node:path';
import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect, Target } from './effect.ts';
import { baseOf, type Family, type FamilyTable, targetOf } from './family.ts';

const shown = (word: Word): string => textOf(word) ?? word.raw;

export const stays = (command: Command, how: string, what: string, preview?: string, target?: Target): Effect => ({
  kind: 'system.persistence',
  ...baseOf(command),
  how,
  what,
  ...(preview === undefined ? {} : { preview }),
  ...(target === undefined ? {} : { target }),
  command: command.source,
});

const crontab: Family = (command) => {
  const texts = command.args.map(shown);
  const user = texts.indexOf('-u');
  const preview = quoteLine(['crontab', ...(user >= 0 && texts[user + 1] !== undefined ? ['-u', texts[user + 1]!] : []), '-l']);
  if (texts.some((text) => /^-[a-z]*[lTV]$/.test(text) || text === '--help')) return [];
  if (texts.some((text) => /^-[a-z]*r/.test(text))) return [stays(command, 'crontab', 'every scheduled job is removed', preview)];
  if (texts.includes('-e')) return [stays(command, 'crontab', 'the scheduled jobs are edited', preview)];
  return [stays(command, 'crontab', 'the scheduled jobs are replaced', preview)];
};

/** at and batch queue a job; atq, `at -l` and `at -c` only show. */
const at: Family = (command) => {
  const texts = command.args.map(shown);
  if (texts.some((text) => /^-[a-zA-Z]*[lcV]$/.test(text))) return [];
  if (texts.length === 0 && command.name === 'at') return [];
  const removes = texts.some((text) => /^-[rd]$/.test(text));
  return [stays(command, 'at', removes ? 'a queued job is removed' : 'a job is queued for later', 'atq')];
};

const SYSTEMD_STAYS = new Set(['enable', 'reenable', 'link', 'edit', 'add-wants', 'add-requires', 'preset', 'preset-all', 'set-default']);

/** systemctl's verbs that change what starts by itself. The others are the state family's. */
const systemctl: Family = (command) => {
  const [verb, ...units] = command.args.filter((word) => !isOption(word)).map(shown);
  if (verb === undefined || !SYSTEMD_STAYS.has(verb)) return [];
  const user = command.args.some((word) => shown(word) === '--user') ? ['--user'] : [];
  const unit = units[0];
  return [
    stays(
      command,
      `systemctl ${verb}`,
      units.join(' '),
      unit === undefined ? undefined : quoteLine(['systemctl', ...user, 'status', unit]),
    ),
  ];
};

const launchctl: Family = (command) => {
  const [verb, ...rest] = command.args.filter((word) => !isOption(word)).map(shown);
  return verb !== undefined && ['load', 'bootstrap', 'enable', 'submit'].includes(verb)
    ? [stays(command, `launchctl ${verb}`, rest.join(' '), 'launchctl list')]
    : [];
};

const schtasks: Family = (command) => {
  const verb = command.args.map((word) =>
    shown(word)
      .toLowerCase()
      .replace(/^\/+|^-+/, ''),
  )[0];
  return verb === 'create' || verb === 'change' ? [stays(command, 'schtasks', 'a scheduled task', 'schtasks /Query')] : [];
};

const reg: Family = (command) => {
  const [verb, key] = command.args.map(shown);
  return verb?.toLowerCase() === 'add' && /^HK/i.test(key ?? '') && /(Run|RunOnce|Winlogon|Services)(\\[^\\]*)?$/i.test(key ?? '')
    ? [stays(command, 'registry', key ?? '', quoteLine(['reg', 'query', key ?? '']))]
    : [];
};

/** What a path makes happen later, by itself: undefined for all others. */
export function staysAt(path: string | undefined, home: string): { how: string; what: string } | undefined {
  if (path === undefined) return undefined;
  const inHome =
    path === home || path.startsWith(`${home}/`)
      ? path.slice(home.length + 1)
      : (/^\/(?:home|Users)\/[^/]+\/(.+)$/.exec(path)?.[1] ?? /^\/root\/(.+)$/.exec(path)?.[1]);
  if (inHome !== undefined) {
    if (
      /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|xinitrc|xprofile|xsession|xsessionrc|inputrc|pam_environment)$/.test(
        inHome,
      )
    )
      return { how: 'shell start-up file', what: 'every new shell runs it' };
    if (/^\.config\/(fish\/(config\.fish|conf\.d(\/|$))|environment\.d\/|powershell\/|zsh\/\.z)/.test(inHome))
      return { how: 'shell start-up file', what: 'every new shell runs it' };
    if (/^Documents\/(Windows)?PowerShell\/.*profile\.ps1$/i.test(inHome))
      return { how: 'shell start-up file', what: 'every new shell runs it' };
    if (/^\.ssh\/(authorized_keys2?|rc|environment)$/.test(inHome)) return { how: 'login by key', what: 'it decides who may log in' };
    if (
      /^\.config\/autostart(\/|$)|^Library\/Launch(Agents|Daemons)(\/|$)|^\.config\/systemd\/|^\.local\/share\/systemd\/|^\.config\/upstart\//.test(
        inHome,
      )
    )
      return { how: 'autostart', what: 'it starts at login' };
  }
  if (/^\/(private\/)?etc\/(cron[^/]*(\/|$)|anacrontab$|at\.allow$)|^\/var\/spool\/(cron|at)(\/|$)|^\/var\/at\//.test(path))
    return { how: 'scheduled job', what: 'cron runs it' };
  if (
    /^\/(etc|lib|usr\/lib|usr\/local\/lib|run)\/systemd\/(system|user|system-generators)(\/|$)|^\/etc\/(init\.d|init|rc\d?\.d|runit|s6|conf\.d)(\/|$)|^\/(System\/)?Library\/Launch(Agents|Daemons)(\/|$)|^\/etc\/xdg\/autostart(\/|$)/.test(
      path,
    )
  )
    return { how: 'service', what: 'it starts with the system' };
  if (
    /^\/(private\/)?etc\/(profile(\.d(\/|$))?|bash\.bashrc|bashrc|zsh(rc|env|profile)|zsh\/|environment|rc\.local|rc\.common|ld\.so\.preload|ld\.so\.conf(\.d\/)?|motd|update-motd\.d\/|udev\/rules\.d\/)/.test(
      path,
    )
  )
    return { how: 'start-up file of the system', what: 'every login runs it' };
  if (/^\/(usr\/lib|lib|etc)\/udev\/rules\.d\//.test(path)) return { how: 'device rule', what: 'it runs when a device appears' };
  return undefined;
}

const simple =
  (how: string, what: (texts: readonly string[]) => string | undefined, preview?: string): Family =>
  (command) => {
    const texts = command.args.map(shown);
    const found = what(texts);
    return found === undefined ? [] : [stays(command, how, found, preview)];
  };

/** Programs that leave something behind which runs by itself. */
export const PERSISTENCE_FAMILIES: FamilyTable = {
  crontab,
  at,
  batch: at,
  systemctl,
  'systemd-run': (command) =>
    command.args.some((word) => /^--(on-(calendar|active|boot|startup|unit-active|unit-inactive)|timer-property)/.test(shown(word)))
      ? [stays(command, 'a timer', 'a job is queued for later', 'systemctl list-timers')]
      : [],
  launchctl,
  schtasks,
  reg,
  'update-rc.d': simple('service', (texts) => (texts.length > 1 ? texts[0] : undefined)),
  chkconfig: simple('service', (texts) => (texts.length > 1 && texts[0] !== '--list' ? texts.join(' ') : undefined), 'chkconfig --list'),
  'rc-update': simple(
    'service',
    (texts) => (texts[0] === 'add' || texts[0] === 'del' ? texts.slice(1).join(' ') : undefined),
    'rc-update show',
  ),
  loginctl: simple('lingering session', (texts) => (texts[0] === 'enable-linger' ? 'its services go on without a login' : undefined)),
  'ssh-copy-id': (command) => {
    const host = command.args.filter((word) => !isOption(word)).at(-1);
    return host ? [stays(command, 'login by key', `a key for ${shown(host)}`)] : [];
  },
  'register-scheduledtask': simple('scheduled task', (texts) => texts.join(' '), 'Get-ScheduledTask'),
  'new-service': simple('service', (texts) => texts.join(' '), 'Get-Service'),
  defaults: simple(
    'autostart',
    (texts) => (texts[0] === 'write' && texts.some((text) => /^(Login|Logout)Hook$/.test(text)) ? 'it runs at login' : undefined),
    'defaults read com.apple.loginwindow',
  ),
  osascript: simple('autostart', (texts) =>
    texts.some((text) => /\bmake\s+(new\s+)?login item\b/i.test(text)) ? 'it starts at login' : undefined,
  ),
  pm2: simple('service', (texts) => (texts[0] === 'startup' ? 'pm2 starts with the system' : undefined), 'pm2 list'),
};

/** Folder a new file would land in, for messages. */
export const folderOf = (path: string): string => posix.dirname(path);

export { targetOf };
