#!/usr/bin/env node
// npm run generate: writes what is generated and committed. `--check` writes nothing and exits 1 on drift.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writeRulesIndex } from './rules-index.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const check = process.argv.includes('--check');
const unknown = process.argv.slice(2).filter((word) => word !== '--check');
if (unknown.length > 0) {
  console.error(`generate: unknown argument ${unknown.join(' ')}\nusage: npm run generate [-- --check]`);
  process.exit(2);
}

/** The TypeScript side: bundled on the fly into a file that can still find the packages. */
async function loadEntry() {
  const caches = join(root, 'node_modules', '.cache');
  mkdirSync(caches, { recursive: true });
  const folder = mkdtempSync(join(caches, 'waygate-generate-'));
  const outfile = join(folder, 'entry.mjs');
  try {
    await build({
      entryPoints: [join(root, 'hack', 'generate-entry.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      packages: 'external',
      logLevel: 'warning',
      define: { WAYGATE_VERSION: '"generate"', WAYGATE_REAL_CALLS: 'null' },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const present = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const drift = [];
// The rest reads the index, so it comes first.
if (writeRulesIndex(root, { check })) drift.push('rules/index.gen.ts');

const entry = await loadEntry();
const { files, pages, pagesFolder } = await entry.generated();
for (const [name, text] of files) {
  const file = join(root, name);
  if (present(file) === text) continue;
  drift.push(name);
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const folder = join(root, pagesFolder);
const changed = entry.driftOf(folder, pages);
if (!check) entry.writePages(folder, pages, changed);
drift.push(...changed.map((name) => relative(root, join(folder, name))));

if (!check) console.log(drift.length === 0 ? 'everything is up to date' : `wrote ${drift.join('\n      ')}`);
else if (drift.length > 0) {
  console.error(`out of date:\n  ${drift.join('\n  ')}\nRepair it with: npm run generate`);
  process.exit(1);
}
