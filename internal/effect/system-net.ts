/** The machine's network: firewall, addresses, routes, names. */
import { quoteLine } from '../rule/quote.ts';
import type { Family, FamilyTable } from './family.ts';
import { always, changes, operandsOf, textsOf, when, withArguments } from './system-change.ts';

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

/** Programs that change the network. */
export const NET_FAMILIES: FamilyTable = {
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
};
