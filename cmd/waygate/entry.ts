/**
 * The door of the bundle on Node: `hook` loads the hot path and nothing else, every other verb the command line.
 * Their code lies beside this file with the engine's own cache of it, made at build time for this version of Node: compiling it
 * anew would double the start. The cache is read from this folder only, and dropped when the engine does not take it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { nodeFiles } from './hot/files.ts';
import { lane, type Rest } from './hot/lane.ts';

type Load = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: { main?: (head: Uint8Array) => unknown } },
  filename: string,
  dirname: string,
) => void;

/** A hook that cannot even be loaded must not end with 1: hosts let the call run then. */
function hook({ head }: Rest): void {
  try {
    (load('hook.cjs') as { main(head: Uint8Array): unknown }).main(head);
  } catch {
    process.stderr.write(
      '[policy-unavailable] Nothing ran. The guard could not be started.\nAsk the owner: Could you run `waygate doctor`?\n',
    );
    process.exit(2);
  }
}

/** A bundle starts with a comment of this form, and its cache with the same id: a cache of another build is not used. */
const ID = { at: 2, length: 16 } as const;

/** Loads a bundle of this folder; what it requires from here is loaded the same way. */
function load(name: string): unknown {
  const file = join(__dirname, name);
  // The bundles are ASCII: read as Latin-1 they stay one-byte strings, and their bytes need no check.
  const source = readFileSync(file, 'latin1');
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
    filename: file,
    cachedData: cacheOf(file, source.slice(ID.at, ID.at + ID.length)),
  });
  const module = { exports: {} };
  const own = ((id: string) => (id.startsWith('./') ? load(id.slice(2)) : require(id))) as NodeJS.Require;
  (script.runInThisContext() as Load)(module.exports, own, module, file, __dirname);
  return module.exports;
}

/** The engine compares only the length of the source, so the id is compared here. */
function cacheOf(file: string, id: string): Buffer | undefined {
  try {
    const bytes = readFileSync(`${file}.cache`);
    return bytes.toString('latin1', 0, ID.length) === id ? bytes.subarray(ID.length) : undefined;
  } catch {
    return undefined;
  }
}

if (process.argv[2] === 'hook') {
  const rest = lane(process.argv, process.env, () => nodeFiles);
  if (rest) hook(rest);
  else process.exit(0);
} else (load('cli.cjs') as { main(): unknown }).main();
