/** Effects on the machine itself: power, boot, users, firewall, services, mounts, kernel, clock, network, swap. */
import type { FamilyTable } from './family.ts';
import type { How } from './system-change.ts';
import { KERNEL_FAMILIES } from './system-kernel.ts';
import { NET_FAMILIES } from './system-net.ts';
import { SERVICE_FAMILIES } from './system-services.ts';

/** Programs that change the machine. */
export const STATE_FAMILIES: FamilyTable = { ...SERVICE_FAMILIES, ...NET_FAMILIES, ...KERNEL_FAMILIES };

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
