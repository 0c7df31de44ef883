// Run by build.mjs in a process of its own: loads the hook and the command line as the entry does (cmd/waygate/entry.ts), judges a few ordinary calls so that
// the functions they need are compiled, and writes the engine's code cache beside each bundle that was loaded.
// Usage: node warm.cjs FOLDER, with the events as JSON on stdin.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const loaded = new Map();

function load(name) {
  const file = join(process.argv[2], name);
  const source = readFileSync(file, 'latin1');
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, { filename: file });
  loaded.set(file, { script, id: source.slice(2, 18) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, (id) => (id.startsWith('./') ? load(id.slice(2)) : require(id)), module, file, process.argv[2]);
  return module.exports;
}

const events = JSON.parse(readFileSync(0, 'utf8'));
const hook = load('hook.cjs');
const cli = load('cli.cjs');

/** What a verb prints here is read by nobody. */
async function silently(work) {
  const streams = [process.stdout, process.stderr].map((stream) => [stream, stream.write]);
  for (const [stream] of streams) stream.write = () => true;
  await work();
  for (const [stream, write] of streams) stream.write = write;
  process.exitCode = 0;
}

(async () => {
  for (const event of events) await hook.respond(Buffer.from(JSON.stringify(event)));
  // A verb that agents call often; the start of all others is the same.
  await silently(() => cli.main(['gate', 'status']));
  for (const [file, { script, id }] of loaded) {
    writeFileSync(`${file}.cache.${process.pid}`, Buffer.concat([Buffer.from(id, 'latin1'), script.createCachedData()]));
    renameSync(`${file}.cache.${process.pid}`, `${file}.cache`);
  }
})();
