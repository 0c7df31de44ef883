/** What a container does to the folders it is given is done on this machine. */
import { describe, expect, it } from 'vitest';
import { effectsOfCommands } from '../effect/effects.ts';
import { EMPTY_LOOK } from './fixture.ts';
import { readLine } from './read.ts';

const look = { ...EMPTY_LOOK, env: (name: string) => ({ HOME: '/home/dev', PWD: '/home/dev/repo' })[name] };

/** Absolute paths that a line deletes on this machine. */
function deleted(text: string): readonly (string | undefined)[] {
  const line = readLine(text, { cwd: '/home/dev/repo', look });
  return effectsOfCommands(line.commands, line.look, '/home/dev/repo').flatMap((effect) =>
    effect.kind === 'file.delete' && !effect.remote ? effect.targets.map((target) => target.path) : [],
  );
}

describe('folders that a container sees', () => {
  it.each([
    ['docker run --rm -v "$PWD:/w" alpine rm -rf /w/src', ['/home/dev/repo/src']],
    ['docker run --rm -v "$(pwd)":/w -w /w alpine rm -rf src', ['/home/dev/repo/src']],
    ["docker run -v .:/w alpine sh -c 'cd /w && rm -rf src'", ['/home/dev/repo/src']],
    ["docker run -v .:/w:rw,z alpine sh -c 'rm -rf /w/*'", ['/home/dev/repo/*']],
    ['podman run --mount type=bind,source=/home/dev/repo,target=/w alpine rm -rf /w', ['/home/dev/repo']],
    ['docker run -v /:/host alpine rm -rf /host/home/dev', ['/home/dev']],
    ['docker run -v ~/data:/data -v .:/w alpine rm -rf /data/x /w/y', ['/home/dev/data/x', '/home/dev/repo/y']],
    ['sudo chroot /mnt/old rm -rf /srv', ['/mnt/old/srv']],
    ['docker run -v "$PWD:/w" alpine rm -rf /tmp/x', []],
    ['docker run -v "$PWD:/w:ro" alpine rm -rf /w/src', []],
    ['docker run -v cache:/w alpine rm -rf /w/src', []],
    ['docker run alpine rm -rf /w/src', []],
    ['docker exec db rm -rf /var/lib/x', []],
    ["ssh host 'docker run -v /srv:/w alpine rm -rf /w/x'", []],
  ])('%s', (text, paths) => {
    expect(deleted(text)).toEqual(paths);
  });
});
