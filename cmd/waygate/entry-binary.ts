/** The door of the compiled executable. Its code is compiled ahead by bun, so that nothing needs a cache. */
import { lane, type Rest } from './hot/lane.ts';

if (process.argv[2] === 'hook') {
  const rest = lane(process.argv, process.env);
  if (rest) hook(rest);
  else process.exit(0);
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
