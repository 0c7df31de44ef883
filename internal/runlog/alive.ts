/** Is the process that writes a record still there: by its number and, where the system tells, by when it started. */
import { readFileSync } from 'node:fs';

let boot: string | undefined;

/** When a process started, as a text that another process of the same number never has; undefined where the system does not tell. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the name in brackets may hold anything.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    return `${boot}:${ticks}`;
  } catch {
    return undefined;
  }
}

/** Does the process still run? `started`: what `startOf` said of it then. */
export function isAlive(pid: number, started: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be asked, and is there.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startOf(pid);
  return started === undefined || now === undefined || started === now;
}
