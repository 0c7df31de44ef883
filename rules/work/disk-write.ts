import { defineRule, names } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'disk-write',
  aliases: ['dd-device', 'mkfs'],
  group: 'work',
  summary: 'Do not write to a disk, a partition or a volume.',
  why: `
    \`dd of=/dev/sda\`, \`mkfs\`, \`wipefs\`, a partition table, \`lvremove\`: they take a whole file system at once, below every
    permission, history and backup that files have.
  `,
  evidence:
    'No such call occurs in about 6,000 real calls of agents, while every collected guard refuses it: a refusal costs nothing and a miss costs the machine. Would reopen it: a workspace whose subject is disk images, which can be written as files.',
  on: 'disk.write',
  needs: [],
  level: 'deny',
  category: 'outside-workspace',
  persistence: 'owner-action',
  quiet: ['image files', '/dev/null and its kin', 'listing, -n and --dry-run'],

  judge(effect) {
    const name = effect.device.path?.startsWith('/dev/') ? effect.device.path : effect.device.raw;
    const mac = effect.by === 'diskutil' || /^\/dev\/r?disk\d/.test(name);
    const run = mac ? 'diskutil list' : 'lsblk -o NAME,SIZE,TYPE,FSTYPE,MOUNTPOINT';
    return {
      says: `\`${effect.how}\` would write to ${names([name])} itself, and what is on it would be gone.`,
      person: `The agent wanted to write to the device or volume ${name}.`,
      boundary: `disk.write ${name}`,
      remedies: [
        { kind: 'run', run, because: 'shows the disks, what is on them and where they are mounted' },
        {
          kind: 'ask',
          ask: `May I write to ${name} with ${effect.how.startsWith('>') ? 'a redirection' : effect.how}? Everything on it will be lost.`,
          because: 'no checkpoint can hold a disk',
        },
      ],
    };
  },

  examples: {
    catches: [
      { run: 'dd if=image.iso of=/dev/sda bs=4M' },
      { run: 'mkfs.ext4 /dev/sdb1' },
      { run: 'cat payload > /dev/sda', why: 'a redirection is a write too' },
      { run: 'wipefs -a /dev/sdb' },
      { run: 'parted -s /dev/nvme0n1 mklabel gpt' },
      { run: 'shred /dev/sda' },
      { run: 'cryptsetup luksFormat /dev/sdc1' },
      { run: 'sudo lvremove -f vg0/data' },
    ],
    allows: [
      { run: 'dd if=/dev/zero of=disk.img bs=1M count=10', why: 'a file' },
      { run: 'dd if=/dev/sda of=backup.img', why: 'reads the disk' },
      { run: 'wipefs /dev/sda', why: 'lists signatures' },
      { run: 'parted -l' },
      { run: 'mkfs.ext4 -n /dev/sda1', why: 'only prints what it would do' },
      { run: 'echo hi > /dev/null' },
      { run: 'git commit --allow-empty -m "never dd of=/dev/sda"' },
    ],
  },
});
