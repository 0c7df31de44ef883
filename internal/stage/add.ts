/** Stages paths with the git of the caller: its filters, line endings and hooks apply as with `git add`. */
import { spawnSync } from 'node:child_process';

/** Absolute paths below `top`. The answer is what git says when it refuses; undefined: done. */
export function addToIndex(top: string, paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const specs = paths.map((path) => `:(top,literal)${path.slice(top.length + 1)}`);
  const ran = spawnSync('git', ['add', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    cwd: top,
    input: specs.join('\0'),
    encoding: 'utf8',
  });
  if (ran.status === 0) return undefined;
  return ran.error ? `git cannot be started: ${ran.error.message}` : ran.stderr.trim() || `git ended with ${ran.status}`;
}
