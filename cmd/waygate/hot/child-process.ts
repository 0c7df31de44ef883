/** Stands in for `node:child_process` in the hook's bundle: loaded at the first git question, not at every start. */
type ChildProcess = typeof import('node:child_process');

const real = (): ChildProcess => require('node:child_process');

export const spawnSync = ((...args: Parameters<ChildProcess['spawnSync']>) => real().spawnSync(...args)) as ChildProcess['spawnSync'];
export const execFileSync = ((...args: Parameters<ChildProcess['execFileSync']>) =>
  real().execFileSync(...args)) as ChildProcess['execFileSync'];
