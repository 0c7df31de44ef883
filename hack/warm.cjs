// Run by build.mjs in a process of its own: loads the hook as the entry does, judges a few ordinary calls so that the functions
// they need are compiled, and writes the engine's code cache. Usage: node warm.cjs HOOK_FILE, with the events as JSON on stdin.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

const file = process.argv[2];
const source = readFileSync(file, 'latin1');
const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, { filename: file });
const loaded = { exports: {} };
script.runInThisContext()(loaded.exports, createRequire(file), loaded, file, dirname(file));
const events = JSON.parse(readFileSync(0, 'utf8'));
Promise.all(events.map((event) => loaded.exports.respond(Buffer.from(JSON.stringify(event))))).then(() => {
  const id = source.slice(2, 18);
  writeFileSync(`${file}.cache.${process.pid}`, Buffer.concat([Buffer.from(id, 'latin1'), script.createCachedData()]));
  renameSync(`${file}.cache.${process.pid}`, `${file}.cache`);
});
