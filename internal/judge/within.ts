/** A deadline for synchronous work. */
import { Script } from 'node:vm';

const SLOT = Symbol.for('waygate.within');
const holder = globalThis as unknown as Record<symbol, (() => void) | undefined>;
let script: Script | undefined;

/** The work was not done in time. */
export class Overdue extends Error {}

/**
 * Runs `work` and gives up after `ms` milliseconds with `Overdue`.
 * No timer fires while synchronous code runs; the engine's own watchdog of `node:vm` does. A child process that is
 * waited for is not cut short by it: the git runner has a limit of its own.
 */
export function within<T>(ms: number, work: () => T): T {
  let result: { value: T } | undefined;
  const before = holder[SLOT];
  holder[SLOT] = () => {
    result = { value: work() };
  };
  script ??= new Script('globalThis[Symbol.for("waygate.within")]()');
  try {
    script.runInThisContext({ timeout: Math.max(1, Math.floor(ms)), displayErrors: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new Overdue(`no verdict within ${ms} ms`);
    throw error;
  } finally {
    holder[SLOT] = before;
  }
  return result!.value;
}
