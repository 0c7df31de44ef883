#!/usr/bin/env node
// Bundles the sources into dist/. `--binary` also compiles one executable with bun.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

const rulesWithoutTexts = {
  name: 'rules-without-texts',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]rules[\\/][^\\/]+[\\/][^\\/]+\.ts$/ }, (args) => ({
      contents: withoutTexts(readFileSync(args.path, 'utf8'), args.path),
      loader: 'ts',
    }));
  },
};

function withoutTexts(text, path) {
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

/** Node's crypto, child_process and performance are slow to load and mostly not needed: the hook's bundle gets light stand-ins (cmd/waygate/hot). */
const lightBuiltins = {
  name: 'light-builtins',
  setup(builder) {
    const standIns = { 'node:crypto': 'hot/crypto.ts', 'node:child_process': 'hot/child-process.ts' };
    builder.onResolve({ filter: /^node:(crypto|child_process)$/ }, (args) => {
      if (args.kind !== 'import-statement' || !standIns[args.path]) return undefined;
      return { path: source(standIns[args.path]) };
    });
  },
};

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
    entryPoints: [entry],
    write: false,
    outfile: join(dist, 'out.cjs'),
    supported: { 'dynamic-import': false },
  });
  return result.outputFiles[0].text;
}

/** The hook's files: the bundle with the id of its content in front, and the chunks it may need. */
async function hookFiles() {
  const chunks = new Map();
  const hot = { define: { ...common.define, 'performance.now': 'waygateClock.now' }, inject: [source('hot/clock.ts')] };
  const text = await bundle(source('hook.ts'), {
    ...hot,
    plugins: [lazyChunks(chunks), await lazyModules(root), rulesWithoutTexts, lightBuiltins],
  });
  const id = createHash('sha256').update(text).digest('hex').slice(0, ID_LENGTH);
  const files = new Map([['hook.cjs', `/*${id}*/${text}`]]);
  for (let open = [...chunks]; open.length > 0; open = [...chunks].filter(([, name]) => !files.has(name))) {
    for (const [file, name] of open) files.set(name, await bundle(file, { plugins: [lazyChunks(chunks)] }));
  }
  return files;
}

/** Calls that are judged once at build time, so that what they need is in the code cache. */
const WARM_UP = [
  'ls -la src',
  'cd app && npm test 2>&1 | tail -5',
  'git status --short; git diff HEAD~1',
  "cat > a.txt <<'EOF'\nx\nEOF\n",
  'for f in *.ts; do grep -n "x$f" "$f"; done',
  'rm -rf build/out',
];

/** The engine's cache of the compiled hook. It is tied to this version of Node; another one compiles anew. */
function makeCodeCache() {
  const file = join(dist, 'hook.cjs');
  const event = (tool_name, tool_input) => ({ session_id: 'warm', cwd: '/nowhere', hook_event_name: 'PreToolUse', tool_name, tool_input });
  const events = [
    ...WARM_UP.map((command) => event('Bash', { command })),
    event('Read', { file_path: '/nowhere/a' }),
    event('Write', { file_path: '/nowhere/a', content: 'x' }),
  ];
  const made = spawnSync(process.execPath, [join(root, 'hack', 'warm.cjs'), file], { input: JSON.stringify(events), encoding: 'utf8' });
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
  place('cli.cjs', cli);
  makeCodeCache();
  place('waygate.cjs', entry);
}

/** One executable: the same bundles, compiled ahead. */
export async function buildBinary() {
  const entry = join(dist, '.binary.cjs');
  writeFileSync(entry, await bundle(source('entry-binary.ts'), { external: ['./hook.cjs', './cli.cjs'] }));
  compileWithBun(entry, join(dist, process.platform === 'win32' ? 'waygate.exe' : 'waygate'));
  rmSync(entry);
}

/** `bun build --compile` by the executable that the npm package brings; its own post-install step is not needed. */
export function compileWithBun(entry, outfile) {
  const made = spawnSync(bunProgram(), ['build', '--compile', '--minify', '--bytecode', entry, '--outfile', outfile], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`bun build failed:\n${made.stderr || made.error?.message}`);
}

function bunProgram() {
  const vendor = join(root, 'node_modules', '@oven');
  for (const name of readdirSync(vendor)) {
    const program = join(vendor, name, 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun');
    if (existsSync(program)) return program;
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
