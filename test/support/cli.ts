/** Running the built command line in a sandbox. */
import { spawnSync } from 'node:child_process';
import { PROGRAM, type Sandbox } from './sandbox.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** One call of the built program. `input`: its stdin. */
export function waygate(
  box: Sandbox,
  args: readonly string[],
  options: { input?: string; cwd?: string; env?: Record<string, string> } = {},
): Ran {
  const [program, ...first] = PROGRAM;
  const result = spawnSync(program!, [...first, ...args], {
    cwd: options.cwd ?? box.repo,
    env: { ...box.env, ...options.env },
    input: options.input ?? '',
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}
