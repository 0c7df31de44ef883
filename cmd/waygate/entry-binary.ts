/** The door of the compiled executable. Its code is compiled ahead by bun, so that nothing needs a cache. */
import type { Files } from './hot/files.ts';
import { lane, type Rest } from './hot/lane.ts';
import { libcFiles } from './hot/libc.ts';

/** `node:fs` is loaded only where it is needed. */
function files(): Files {
  try {
    if (process.platform === 'linux') return libcFiles();
  } catch {
    // bun cannot bind the C library here
  }
  return (require('./hot/files.ts') as typeof import('./hot/files.ts')).nodeFiles;
}

if (process.argv[2] === 'hook') {
  const rest = lane(process.argv, process.env, files);
  if (rest) hook(rest);
  // All it has to say is written by then, and nobody listens for the end: 2 % of the whole.
  else (process as typeof process & { reallyExit(code: number): never }).reallyExit(0);
} else require('./cli.cjs').main();

/** A hook that cannot even be loaded must not end with 1: hosts let the call run then. */
function hook({ head }: Rest): void {
  try {
    require('./hook.cjs').main(head);
  } catch {
    process.stderr.write(
      '[policy-unavailable] Nothing ran. The guard could not be started.\nAsk the owner: Could you run `waygate doctor`?\n',
    );
    process.exit(2);
  }
}
