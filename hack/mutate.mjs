#!/usr/bin/env node
// node hack/mutate.mjs [TEXT]: breaks each invariant of test/invariants.ts once, in a copy of the tree, and sees its test go red.
// TEXT: only those whose sentence holds it. Takes some minutes; exits 1 when a test stays green.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'waygate-mutate-')));
/** What is broken may never end. */
const LIMIT_MS = 180_000;
const LEFT_OUT = new Set(['node_modules', '.git', 'dist']);

async function invariants() {
  const outfile = join(copy, '.invariants.mjs');
  await build({ entryPoints: [join(root, 'test', 'invariants.ts')], outfile, bundle: true, format: 'esm', platform: 'node' });
  return (await import(pathToFileURL(outfile).href)).INVARIANTS;
}

/** Did the tests of that name pass? */
function passes({ test, named }) {
  const args = ['vitest', 'run', test, ...(named === '' ? [] : ['-t', named.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')])];
  const run = spawnSync('npx', args, { cwd: copy, encoding: 'utf8', timeout: LIMIT_MS, shell: process.platform === 'win32' });
  const ran = /Tests .*\d+ (?:passed|failed)/.test(run.stdout);
  if (!ran) console.error(`${run.stdout}\n${run.stderr}`.slice(-3000));
  return { ran, green: run.status === 0 };
}

let wrong = 0;
try {
  cpSync(root, copy, { recursive: true, filter: (from) => !LEFT_OUT.has(relative(root, from)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  const wanted = (await invariants()).filter((each) => each.holds.includes(process.argv[2] ?? ''));
  for (const each of wanted) {
    const file = join(copy, each.file);
    const whole = readFileSync(file, 'utf8');
    const before = passes(each);
    writeFileSync(
      file,
      whole.replace(each.from, () => each.to),
    );
    const broken = whole.includes(each.from) ? passes(each) : { ran: false, green: true };
    writeFileSync(file, whole);
    const noticed = before.ran && before.green && broken.ran && !broken.green;
    if (!noticed) wrong++;
    const what = !before.green ? 'fails already' : !broken.ran ? 'did not run' : broken.green ? 'STAYS GREEN' : 'red';
    console.log(`${what.padEnd(14)}${each.holds}\n${' '.repeat(14)}${each.test}${each.named ? `: ${each.named}` : ''}`);
  }
  console.log(`${wanted.length - wrong} of ${wanted.length} are noticed`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exit(wrong === 0 ? 0 : 1);
