// Makes the hook's bundle load only what a call meets: the families of the programs on the line, the rules about its effects,
// PowerShell only for PowerShell. The sources stay plain imports; they are translated, and two tables are generated, for this bundle alone.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';

/** Modules of Node that the bundle's first line has required (hack/build.mjs). */
const PRELUDE = { '"node:fs"': 'waygateFs', '"node:path"': 'waygatePath', '"node:path/posix"': 'waygatePosix' };

/** Modules of the project. */
const OWN = /^(internal|rules|cmd)\//;

/** What of a rule is needed before it judges: plain data. */
const RULE_DATA = ['name', 'aliases', 'group', 'level', 'fixed', 'standing', 'on', 'needs', 'category', 'persistence', 'options'];

/** Fields that no judgement of the hook reads: texts, what is loaded later, and what is for the gate at git's pre-push. */
const RULE_REST = ['summary', 'why', 'whyNotice', 'evidence', 'examples', 'quiet', 'wrappings', 'judge', 'everyone'];

/** Evaluates modules of the project, as they are now. */
async function evaluate(root, source) {
  const result = await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  const file = join(root, 'dist', `.evaluate-${process.pid}-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, result.outputFiles[0].contents);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file);
  }
}

/** A plugin for esbuild, made from the sources as they are now. `prepare`: a step on a source text before it is translated. */
export async function lazyModules(root, prepare = (text) => text) {
  const tables = familyTable(await evaluate(root, familySources(root)));
  const rules = ruleTable(root, await evaluate(root, `export { RULES } from './rules/index.gen.ts';`));
  return {
    name: 'lazy-modules',
    setup(builder) {
      // A namespace of their own: in the file system's, the package's "type": "module" would make ES modules of them.
      builder.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, (args) => {
        const path = resolve(args.resolveDir, args.path);
        if (args.kind === 'dynamic-import' || !OWN.test(relative(root, path).replaceAll('\\', '/'))) return undefined;
        return { path, namespace: 'lazy' };
      });
      builder.onLoad({ filter: /.*/, namespace: 'lazy' }, async ({ path }) => {
        const name = relative(root, path).replaceAll('\\', '/');
        const resolveDir = dirname(path);
        if (name === 'internal/effect/families.ts') return { contents: tables, loader: 'js', resolveDir: root };
        if (name === 'rules/index.gen.ts') return { contents: rules, loader: 'js', resolveDir: root };
        return { contents: await lazyCommonJs(prepare(readFileSync(path, 'utf8'), path), path), loader: 'js', resolveDir };
      });
    },
  };
}

/**
 * A module as CommonJS whose imports are required when one of their names is first used. As CommonJS all its functions stay inside one
 * closure, which the engine neither compiles nor caches before the module runs; a plain bundle would make every function of the
 * program at every start.
 */
async function lazyCommonJs(text, path) {
  const { code } = await transform(text, { loader: 'ts', format: 'cjs', platform: 'node', target: 'node20', sourcefile: path });
  const head = /__export\((\w+), \{\n([\s\S]*?)\n\}\);\nmodule\.exports = __toCommonJS\(\1\);\n/.exec(code);
  const start = head ? head.index + head[0].length : 0;
  const tail = code.indexOf('// Annotate the CommonJS export names');
  let body = code.slice(start, tail < 0 ? undefined : tail);
  const names = [];
  const replaced = [];
  body = body.replace(/^var (import_\w+) = (__toESM\()?require\(("[^"]+")\)\)?;$/gm, (_all, name, interop, specifier) => {
    const shared = PRELUDE[specifier];
    if (shared) {
      replaced.push([name, shared]);
      return '';
    }
    names.push(name);
    const required = interop && !specifier.startsWith('".') ? `{ default: require(${specifier}) }` : `require(${specifier})`;
    return `let ${name}_;\nconst ${name}$ = () => (${name}_ ??= ${required});`;
  });
  for (const [name, shared] of replaced) body = body.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), shared);
  for (const name of names) {
    body = body.replaceAll(new RegExp(`\\bnew ${name}\\.([\\w$]+)`, 'g'), `new (${name}.$1)`);
    body = body.replaceAll(new RegExp(`\\b${name}\\b(?!\\$)`, 'g'), `${name}$$()`);
  }
  const exported = [...(head?.[2] ?? '').matchAll(/^\s+"?([\w$]+)"?: \(\) => ([\w.$]+),?$/gm)].map(([, name, value]) => {
    const [first, ...rest] = value.split('.');
    // What is only passed on stays unloaded until it is asked for.
    return names.includes(first) ? `get ${name}() { return ${first}$().${rest.join('.')}; }` : value === name ? name : `${name}: ${value}`;
  });
  return `"use strict";\n${body.replaceAll('performance.now()', 'waygateNow()')}\nmodule.exports = { ${exported.join(', ')} };\n`;
}

function familySources(root) {
  const files = readdirSync(join(root, 'internal', 'effect'), { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort();
  const imports = files.map((name, i) => `import * as m${i} from './internal/effect/${name}';`);
  return `${imports.join('\n')}\nexport { FAMILIES, EVERY_COMMAND } from './internal/effect/table.ts';\nexport const modules = { ${files.map((name, i) => `'./internal/effect/${name}': m${i}`).join(', ')} };`;
}

/** Where each function of a family can be had: module and path of properties. A function's own export comes before a table it stands in. */
function placesOf(modules) {
  const places = new Map();
  const note = (value, place) => {
    if (typeof value === 'function' && !places.has(value)) places.set(value, place);
  };
  const entries = Object.entries(modules).filter(([file]) => !/\/(table|families|effects)\.ts$/.test(file));
  for (const [file, module] of entries) for (const [name, value] of Object.entries(module)) note(value, { file, path: [name] });
  // Tables next, then lists of tables.
  for (const depth of [1, 2]) {
    for (const [file, module] of entries)
      for (const [name, value] of Object.entries(module)) noteInside(value, { file, path: [name] }, depth, note);
  }
  return places;
}

function noteInside(value, { file, path }, depth, note) {
  if (value === null || typeof value !== 'object' || value instanceof Map || value instanceof Set) return;
  for (const [key, inner] of Object.entries(value)) {
    note(inner, { file, path: [...path, key] });
    if (depth > 1) noteInside(inner, { file, path: [...path, key] }, depth - 1, note);
  }
}

function familyTable({ FAMILIES, EVERY_COMMAND, modules }) {
  const places = placesOf(modules);
  const files = [];
  const loader = (file) => {
    if (!files.includes(file)) files.push(file);
    return `load${files.indexOf(file)}`;
  };
  const reference = (fn, what) => {
    const place = places.get(fn);
    if (!place) throw new Error(`internal/effect: ${what} is exported by no module, neither itself nor in a table`);
    return place;
  };
  // One number for each place a program's family stands in; the index is one text, so that a start builds no table of a thousand programs.
  const entries = [];
  const numberOf = (entry) => {
    const text = JSON.stringify(entry);
    if (!entries.includes(text)) entries.push(text);
    return entries.indexOf(text);
  };
  const programs = new Map();
  for (const table of FAMILIES) {
    for (const [program, fn] of Object.entries(table)) {
      if (/\s/.test(program)) throw new Error(`internal/effect: a program's name holds white space: ${JSON.stringify(program)}`);
      const { file, path } = reference(fn, program);
      const inTable = path.length > 1 && path.at(-1) === program;
      const number = numberOf([loader(file), inTable ? path.slice(0, -1) : path, inTable]);
      programs.set(program, [...(programs.get(program) ?? []), number]);
    }
  }
  const index = `\n${[...programs].map(([program, numbers]) => `${program} ${numbers.join(' ')}`).join('\n')}\n`;
  const every = EVERY_COMMAND.map((fn, i) => {
    const { file, path } = reference(fn, `EVERY_COMMAND[${i}]`);
    return `family(${loader(file)}, ${JSON.stringify(path)})`;
  });
  const list = entries.map((text) => JSON.parse(text)).map(([load, path, inTable]) => `[${load}, ${JSON.stringify(path)}, ${inTable}]`);
  return `
const once = (load) => { let loaded; return () => (loaded ??= load()); };
${files.map((file, i) => `const load${i} = once(() => require(${JSON.stringify(file)}));`).join('\n')}
const family = (load, path) => { let found; return (command, context) => (found ??= path.reduce((value, key) => value[key], load()))(command, context); };
const INDEX = ${JSON.stringify(index)};
const ENTRIES = [${list.join(', ')}];
const known = new Map();
const made = new Map();
function familyAt(number, program) {
  const [load, path, inTable] = ENTRIES[number];
  const key = inTable ? number + program : number;
  let found = made.get(key);
  if (!found) made.set(key, (found = family(load, inTable ? [...path, program] : path)));
  return found;
}
export function familiesOf(program) {
  let families = known.get(program);
  if (families) return families;
  const start = /\\s/.test(program) ? -1 : INDEX.indexOf('\\n' + program + ' ');
  families = start < 0 ? [] : INDEX.slice(start + program.length + 2, INDEX.indexOf('\\n', start + 1)).split(' ').map((number) => familyAt(Number(number), program));
  known.set(program, families);
  return families;
}
export const EVERY_COMMAND = [${every.join(', ')}];
`;
}

function ruleTable(root, { RULES }) {
  const index = readFileSync(join(root, 'rules', 'index.gen.ts'), 'utf8');
  const files = [...index.matchAll(/^import \w+ from '\.\/(.+)';$/gm)].map((match) => match[1]);
  const entries = RULES.map((rule, i) => {
    const unknown = Object.keys(rule).find((field) => !RULE_DATA.includes(field) && !RULE_REST.includes(field));
    if (unknown)
      throw new Error(`${rule.name}: is the field "${unknown}" for the hook? Add it to RULE_DATA or to RULE_REST in hack/lazy.mjs`);
    const data = Object.fromEntries(RULE_DATA.filter((field) => rule[field] !== undefined).map((field) => [field, rule[field]]));
    return `lazy(() => require(${JSON.stringify(`./rules/${files[i]}`)}).default, ${JSON.stringify(data)})`;
  });
  return `const lazy = (load, rule) => { let loaded; rule.judge = (effect, asked) => (loaded ??= load()).judge(effect, asked); return rule; };
export const RULES = [\n${entries.join(',\n')}\n];\n`;
}
