import { defineRule, type Remedy } from '../../internal/rule/rule.ts';

/** What each kind of change takes away, for the person. */
const WHAT: Readonly<Record<string, string>> = {
  power: "the machine's power state",
  boot: 'how the machine starts',
  users: "the machine's users",
  firewall: 'the firewall',
  service: 'a service of the machine',
  mount: 'what is mounted',
  kernel: 'the running kernel',
  time: 'the clock',
  network: 'the network',
  swap: 'the swap space',
  other: 'the system',
};

export default defineRule({
  name: 'system-state',
  group: 'outside',
  level: 'deny',
  summary: 'Do not change the machine that the work runs on.',
  why: `
    Power, boot, users, firewall, network, clock and services are shared by everything on the machine. A change there breaks
    other people's work at once, and often the connection through which it could be undone.
  `,
  evidence:
    'The guards of the corpora deny power, firewall flushes and stopping a service; reading the state is allowed by all. In about 6,000 real agent calls one unmounts a file system of its own (advice here). Restarting a service is advice, since it comes back by itself. ' +
    'Reopen it for machines that exist for one task only.',
  on: 'system.state',
  needs: ['place', 'show'],
  category: 'outside-workspace',
  persistence: 'owner-action',
  quiet: ['every form that only shows: `systemctl status`, `ip addr`, `iptables -L`, `mount` alone', 'what happens inside a container'],

  judge(effect, { facts }) {
    if (effect.remote && !effect.via.some((wrapper) => /^(?:ssh|ansible|gcloud|aws|az|doctl|eb)\b/.test(wrapper))) return;
    const path = effect.target?.path;
    const place = path === undefined ? undefined : facts.place(path);
    const own = effect.how === 'mount' && place !== undefined && ['temp', 'workspace', 'repository', 'regenerable'].includes(place);
    if (own) return;
    // A normal user can only unmount what is the user's own.
    const mild =
      effect.mild === true || (effect.how === 'mount' && !effect.root && path !== undefined && facts.show(path).startsWith('~/'));
    const look: Remedy[] = effect.preview
      ? [{ kind: 'run', run: effect.preview, because: 'shows how it stands now and changes nothing' }]
      : [];
    const ask: Remedy = {
      kind: 'ask',
      ask: `May I run \`${effect.source}\`?`,
      because: 'the machine is shared, and only its owner knows what depends on it',
    };
    const remedies: [Remedy, ...Remedy[]] = look.length > 0 ? [look[0]!, ask] : [ask];
    return {
      says: `This changes ${WHAT[effect.how]}: ${effect.detail}.`,
      person: `The agent wanted to change ${WHAT[effect.how]} with ${effect.by}.`,
      ...(mild ? { level: 'advise' as const } : {}),
      remedies,
      boundary: `system.state ${effect.how} ${effect.detail}`,
    };
  },

  examples: {
    catches: [
      { run: 'sudo shutdown -h now' },
      { run: 'systemctl poweroff' },
      { run: 'sudo iptables -F' },
      { run: 'sudo ufw disable' },
      { run: 'sudo systemctl stop nginx' },
      { run: 'sudo systemctl restart nginx', gets: 'advise', why: 'it comes back by itself' },
      { run: 'sudo userdel -r dev' },
      { run: 'sudo ip link set eth0 down' },
      { run: 'sudo sysctl -w vm.overcommit_memory=1' },
      { run: 'echo b > /proc/sysrq-trigger' },
    ],
    allows: [
      { run: 'systemctl status nginx' },
      { run: 'ip addr show' },
      { run: 'iptables -L -n' },
      { run: 'mount | grep tmpfs' },
      { run: 'date +%s' },
      { run: 'hostname -f' },
      { run: 'sysctl -n hw.model' },
    ],
  },
});
