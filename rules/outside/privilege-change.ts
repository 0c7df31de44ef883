import { defineRule, type Remedy } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'privilege-change',
  group: 'outside',
  level: 'deny',
  summary: 'Do not widen what anybody on this machine may do.',
  why: `
    A root shell, a line in sudoers, a setuid bit or a container that is the host in all but name outlasts the task and
    opens the machine for more than the task. Single commands through sudo are judged by what they do; a shell as root
    is not, because nobody sees what it is told.
  `,
  evidence:
    'Rampart, agent-command-guard and nah deny root shells, sudoers writes, setuid and capabilities alike. In about 6,000 real agent calls sudo occurs only before single commands (apt-get, systemctl status), which pass. ' +
    'Reopen it for workspaces whose tests need privileged containers as a matter of course.',
  on: 'system.privilege',
  needs: [],
  category: 'outside-workspace',
  persistence: 'owner-action',
  quiet: [
    'what happens inside a container',
    'sudo before a single command',
    'a setgid bit alone, as on shared folders',
    '`visudo -c`, `sudo -l`, `getcap`',
  ],

  judge(effect) {
    if (effect.remote && !effect.via.some((wrapper) => /^(?:ssh|ansible|gcloud|aws|az|doctl|eb)\b/.test(wrapper))) return;
    const about = effect.detail ? ` (\`${effect.detail}\`)` : '';
    const says: Readonly<Record<string, string>> = {
      'a root shell': 'This opens a root shell, and nothing that is typed there is judged.',
      rights: `This changes who may do what on this machine${about}.`,
      setuid: `Whoever starts it would run it with its owner's rights${about}.`,
      capabilities: `The program gets rights of the kernel's that only root has${about}.`,
      'a container with the rights of the host': `The container could change everything on the host${about}.`,
    };
    const look: Remedy[] = effect.preview ? [{ kind: 'run', run: effect.preview, because: 'shows how it stands now' }] : [];
    const shell = effect.how.endsWith('shell');
    const ask: Remedy = shell
      ? {
          kind: 'ask',
          ask: `Which commands may I run as root? I wanted to open a shell with \`${effect.source}\`.`,
          because: 'single commands through sudo can be judged one by one',
        }
      : {
          kind: 'ask',
          ask: `May I run \`${effect.source}\`?`,
          because: 'it stays after this session and only the owner of the machine can answer for it',
        };
    const remedies: [Remedy, ...Remedy[]] = look.length > 0 ? [look[0]!, ask] : [ask];
    return {
      says: says[effect.how] ?? `This opens ${effect.how}.`,
      person: `The agent wanted more rights on this machine: ${effect.how}${about}.`,
      remedies,
      boundary: `system.privilege ${effect.how}${effect.detail ? ` ${effect.detail}` : ''}`,
    };
  },

  examples: {
    catches: [
      { run: 'sudo -i' },
      { run: 'sudo su -' },
      { run: 'sudo bash' },
      { run: 'pkexec /bin/sh' },
      { run: "echo 'dev ALL=(ALL) NOPASSWD:ALL' | sudo tee -a /etc/sudoers" },
      { run: 'chmod u+s ./helper' },
      { run: 'chmod 4755 ./helper' },
      { run: 'sudo setcap cap_net_raw+ep ./helper' },
      { run: 'sudo usermod -aG docker dev' },
      { run: 'docker run --rm -v /:/host alpine cat /host/etc/hostname' },
      { run: 'docker run --privileged alpine true' },
    ],
    allows: [
      { run: 'sudo apt-get install -y ffmpeg' },
      { run: 'sudo -l' },
      { run: 'chmod +x script.sh' },
      { run: 'chmod 2775 build' },
      { run: 'visudo -c' },
      { run: 'docker run --rm -v "$PWD":/app -w /app node:20 npm test' },
      { run: 'getcap /usr/bin/ping' },
    ],
  },
});
