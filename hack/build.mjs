#!/usr/bin/env node
// Bundles the sources into dist/. `--binary` also compiles one executable with bun.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { lazyModules } from './lazy.mjs';
import { writeRulesIndex } from './rules-index.mjs';

/** Characters of the bundle's id; its cache starts with the same ones (cmd/waygate/entry.ts). */
const ID_LENGTH = 16;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Figures over real calls, where they have been measured. */
function realCalls() {
  try {
    return JSON.stringify(JSON.parse(readFileSync(join(root, 'docs', 'reference', 'real-calls.json'), 'utf8')));
  } catch {
    return 'null';
  }
}

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  logLevel: 'warning',
  define: { WAYGATE_VERSION: JSON.stringify(version), WAYGATE_REAL_CALLS: realCalls() },
};

/**
 * What the hook needs only now and then (`await import(…)` in its sources) becomes a file of its own, required when it is
 * reached: a policy compiler with its YAML and schema libraries costs a call nothing that way.
 */
function lazyChunks(chunks) {
  return {
    name: 'lazy-chunks',
    setup(builder) {
      builder.onResolve({ filter: /^\.\.?\// }, async (args) => {
        if (args.kind !== 'dynamic-import') return undefined;
        const file = resolve(args.resolveDir, args.path);
        const name = `chunk-${relative(root, file)
          .replace(/\.ts$/, '')
          .replace(/^internal\//, '')
          .replaceAll(/[\\/]/g, '-')}.cjs`;
        chunks.set(file, name);
        return { path: `./${name}`, external: true };
      });
    },
  };
}

/** Texts of a rule that no judgement reads. The hook's bundle goes without them; `describe` and the tests have them from the command line's. */
const RULE_TEXTS = new Set(['why', 'evidence', 'examples', 'quiet', 'whyNotice', 'wrappings']);

function withoutTexts(text, path) {
  if (!/[\\/]rules[\\/][^\\/]+[\\/][^\\/]+\.ts$/.test(path)) return text;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const cuts = [];
  const visit = (node) => {
    if (
      ts.isCallExpression(node) &&
      node.expression.getText(file) === 'defineRule' &&
      node.arguments[0] &&
      ts.isObjectLiteralExpression(node.arguments[0])
    ) {
      for (const property of node.arguments[0].properties) {
        if (ts.isPropertyAssignment(property) && RULE_TEXTS.has(property.name.getText(file)))
          cuts.push([property.initializer.getStart(file), property.initializer.getEnd()]);
      }
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return cuts.reverse().reduce((rest, [start, end]) => `${rest.slice(0, start)}undefined${rest.slice(end)}`, text);
}

/** Node's crypto is slow to load: the hook's bundle gets a light stand-in, which goes to Node's for what is large. */
const lightCrypto = {
  name: 'light-crypto',
  setup(builder) {
    builder.onResolve({ filter: /^node:crypto$/ }, (args) =>
      args.importer.replaceAll('\\', '/').endsWith('/hot/crypto.ts') ? undefined : { path: source('hot/crypto.ts') },
    );
  },
};

/** What every call needs of Node, once for all modules; and `performance.now()` without Node's performance observers. */
const PRELUDE =
  'const waygateFs=require("node:fs"),waygatePath=require("node:path"),waygatePosix=waygatePath.posix,waygateNow=()=>{const t=process.hrtime();return t[0]*1000+t[1]/1e6};';

const source = (name) => join(root, 'cmd', 'waygate', name);

/** Each file is put in place whole, so that a hook that runs meanwhile never reads half of one. */
function place(name, contents) {
  const temporary = join(dist, `.${name}.${process.pid}`);
  writeFileSync(temporary, contents, { mode: name === 'waygate.cjs' ? 0o755 : 0o644 });
  renameSync(temporary, join(dist, name));
}

async function bundle(entry, more = {}) {
  const result = await build({
    ...common,
    ...more,
    ...(entry ? { entryPoints: [entry] } : {}),
    write: false,
    outfile: join(dist, 'out.cjs'),
    supported: { 'dynamic-import': false },
  });
  return result.outputFiles[0].text;
}

/**
 * The hook's files: its bundle, and the chunks it may need. Each starts with the id of its content.
 * A module of the hook may stand in two of them, so none that is shared may keep state.
 */
async function hookFiles() {
  const chunks = new Map();
  const lazy = await lazyModules(root, withoutTexts);
  const plugins = [lazyChunks(chunks), lightCrypto, lazy];
  const files = new Map();
  const add = async (name, file) => {
    const stdin = {
      contents: `module.exports = require(${JSON.stringify(`./${relative(root, file).replaceAll('\\', '/')}`)});`,
      resolveDir: root,
      loader: 'js',
    };
    const text = `${PRELUDE}${await bundle(undefined, { stdin, plugins })}`;
    files.set(name, withId(text));
  };
  await add('hook.cjs', source('hook.ts'));
  for (let open = [...chunks]; open.length > 0; open = [...chunks].filter(([, name]) => !files.has(name))) {
    for (const [file, name] of open) await add(name, file);
  }
  return files;
}

/** A bundle with the id of its content in front: a code cache of another build is not used. */
const withId = (text) => `/*${createHash('sha256').update(text).digest('hex').slice(0, ID_LENGTH)}*/${text}`;

/**
 * Calls that are judged once at build time, so that what they need is in the code cache. Only what nearly every call meets: reading the
 * cache costs each of them, and the rest is compiled when it is reached.
 */
const WARM_UP = ['ls -la src', 'git status --short', 'npm run lint'];

/** The engine's cache of the compiled hook. It is tied to this version of Node; another one compiles anew. */
function makeCodeCache() {
  const home = mkdtempSync(join(tmpdir(), 'waygate-warm-'));
  const event = (tool_name, tool_input) => ({ session_id: 'warm', cwd: home, hook_event_name: 'PreToolUse', tool_name, tool_input });
  const events = WARM_UP.map((command) => event('Bash', { command }));
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, 'state') };
  const made = spawnSync(process.execPath, [join(root, 'hack', 'warm.cjs'), dist], {
    input: JSON.stringify(events),
    encoding: 'utf8',
    env,
    cwd: home,
  });
  rmSync(home, { recursive: true, force: true });
  if (made.status !== 0) throw new Error(`the hook cannot be loaded:\n${made.stderr}`);
}

export async function buildAll() {
  writeRulesIndex(root);
  mkdirSync(dist, { recursive: true });
  const external = ['./hook.cjs', './cli.cjs'];
  const [hook, cli, entry] = await Promise.all([
    hookFiles(),
    bundle(source('main.ts')),
    bundle(source('entry.ts'), { external, banner: { js: '#!/usr/bin/env node' } }),
  ]);
  for (const [name, text] of hook) place(name, text);
  place('cli.cjs', withId(cli));
  makeCodeCache();
  place('waygate.cjs', entry);
}

/** Calls `use` with the file of the executable's door beside the bundles that it requires. */
async function withDoor(use) {
  const entry = join(dist, `.door.${process.pid}.cjs`);
  writeFileSync(entry, await binaryDoor());
  try {
    return use(entry);
  } finally {
    rmSync(entry);
  }
}

/** The source of the executable's door, which requires `./hook.cjs` and `./cli.cjs` beside it. */
export const binaryDoor = () => bundle(source('entry-binary.ts'), { external: ['./hook.cjs', './cli.cjs', 'bun:ffi'] });

/** One executable: the same bundles, compiled ahead. It is made twice: a run of the first tells which code a call needs, the second has that together. */
export async function buildBinary() {
  const outfile = join(dist, process.platform === 'win32' ? 'waygate.exe' : 'waygate');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waygate-order-')));
  try {
    await withDoor((entry) => {
      const first = join(folder, 'waygate.exe');
      compileWithBun(entry, first);
      const draft = join(dist, `.waygate.${process.pid}.exe`);
      compileWithBun(entry, draft, bytecodeOrder(first, folder));
      renameSync(draft, outfile);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The executable as the tests drive it, made once. False where bun has none for this system. */
export async function compileQuickly(outfile) {
  try {
    bunProgram();
  } catch {
    return false;
  }
  await withDoor((entry) => compileWithBun(entry, outfile));
  return true;
}

/** Files with the functions that calls of the warm-up run, the most usual call first. */
function bytecodeOrder(program, folder) {
  // The first call of a session goes another way than those after it.
  const [usual] = WARM_UP;
  const runs = ['begin', usual, ...WARM_UP.slice(1)].map((command, i) => {
    const file = join(folder, `order-${i}`);
    const event = { session_id: 'order', cwd: folder, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
    const input = JSON.stringify({ ...event, tool_input: { command: command === 'begin' ? usual : command } });
    const env = { PATH: process.env.PATH, HOME: folder, BUN_BYTECODE_ORDER_OUT: file };
    const ran = spawnSync(program, ['hook', '--host', 'claude-code'], { input, env, cwd: folder });
    if (ran.status !== 0) throw new Error(`the executable cannot judge \`${command}\`:\n${ran.stderr}`);
    return file;
  });
  const [begin, ...others] = runs.filter(existsSync);
  return [...others, begin].filter(Boolean);
}

/**
 * Options of `bun build --compile`. By default the executable reads `.env` and `bunfig.toml` of the folder it is started in, which are an
 * agent's to write: a `preload` there would run inside the guard. The JIT starts later than usual, since a call is over before it pays.
 */
const BINARY_OPTIONS = ['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig', '--compile-jit-policy=10'];

/** `bun build --compile` by the executable that the npm package brings; its own post-install step is not needed. `order`: files of a run. */
export function compileWithBun(entry, outfile, order = [], options = BINARY_OPTIONS) {
  const ordered = order.length > 0 ? [`--bytecode-order=${order.join(',')}`] : [];
  const args = ['build', '--compile', '--minify', '--bytecode', ...options, ...ordered, entry, '--outfile', outfile];
  const made = spawnSync(bunProgram(), args, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`bun build failed:\n${made.stderr || made.error?.message}`);
}

/** The post-install step of the package moves its executable; without it (`--ignore-scripts`) it lies where npm put it. */
export function bunProgram() {
  const modules = join(root, 'node_modules');
  const vendor = join(modules, '@oven');
  const vendored = existsSync(vendor)
    ? readdirSync(vendor).flatMap((name) => [join(vendor, name, 'bin', 'bun'), join(vendor, name, 'bin', 'bun.exe')])
    : [];
  for (const program of [join(modules, 'bun', 'bin', 'bun.exe'), ...vendored]) {
    if (existsSync(program) && /^\d+\.\d+/.test(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')) return program;
  }
  throw new Error('the npm package bun has no executable for this platform');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildAll();
    if (process.argv.includes('--binary')) await buildBinary();
  } catch (error) {
    if (!error.errors) console.error(error.message);
    process.exit(1);
  }
}
