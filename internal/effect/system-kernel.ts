import { isOption } from '../shell/word.ts';
import type { Family, FamilyTable } from './family.ts';
import { targetOf } from './family.ts';
import { always, asksHelp, changes, operandsOf, textsOf, when, withArguments } from './system-change.ts';

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

const efibootmgr = when(
  'boot',
  (texts) =>
    texts.find(
      (text) => /^-[BcobnaAONtTDLC]|^--(delete|create|bootorder|bootnext|active|inactive|timeout)/.test(text) && !/^-v$/.test(text),
    ),
  'efibootmgr -v',
);
/** Programs that change the kernel's state and the boot. */
export const KERNEL_FAMILIES: FamilyTable = {
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
};
