/** Which packages a workspace has never used: manifests, lock files and what is installed, found from the directory upwards. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Lock files larger than this are not read: 32 MB. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Files of an ecosystem that name packages, and how a name stands in them. */
interface Ecosystem {
  files: readonly string[];
  /** Where an installed package lies, relative to the directory of the manifest. */
  installed?: (name: string) => readonly string[];
  normal: (name: string) => string;
}

const lower = (name: string): string => name.toLowerCase();

const NODE: Ecosystem = {
  files: [
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'yarn.lock',
    'bun.lock',
    'deno.json',
    'deno.lock',
  ],
  installed: (name) => [`node_modules/${name}/package.json`, ...(name.includes('/') ? [] : [`node_modules/.bin/${name}`])],
  normal: (name) => name,
};
const PYTHON: Ecosystem = {
  files: [
    'requirements.txt',
    'requirements-dev.txt',
    'requirements.in',
    'dev-requirements.txt',
    'constraints.txt',
    'requirements/base.txt',
    'requirements/dev.txt',
    'pyproject.toml',
    'poetry.lock',
    'uv.lock',
    'pdm.lock',
    'Pipfile',
    'Pipfile.lock',
    'setup.py',
    'setup.cfg',
    'environment.yml',
    'tox.ini',
    'noxfile.py',
  ],
  // PEP 503: case and runs of `-_.` do not matter.
  normal: (name) =>
    name
      .toLowerCase()
      .replace(/\[.*$/, '')
      .replace(/[-_.]+/g, '-'),
};
const RUST: Ecosystem = { files: ['Cargo.toml', 'Cargo.lock'], normal: (name) => name.toLowerCase().replace(/_/g, '-') };
const ECOSYSTEMS: Readonly<Record<string, Ecosystem>> = {
  node: NODE,
  python: PYTHON,
  rust: RUST,
  go: { files: ['go.mod', 'go.sum', 'tools.go'], normal: lower },
  ruby: { files: ['Gemfile', 'Gemfile.lock', 'gems.rb'], normal: lower },
  php: { files: ['composer.json', 'composer.lock'], normal: lower },
  other: { files: [], normal: lower },
};

const BY_MANAGER: Readonly<Record<string, keyof typeof ECOSYSTEMS>> = {
  npm: 'node',
  npx: 'node',
  pnpm: 'node',
  pnpx: 'node',
  yarn: 'node',
  bun: 'node',
  bunx: 'node',
  deno: 'node',
  pip: 'python',
  pip3: 'python',
  pipx: 'python',
  uv: 'python',
  uvx: 'python',
  poetry: 'python',
  pdm: 'python',
  pipenv: 'python',
  conda: 'python',
  hatch: 'python',
  easy_install: 'python',
  cargo: 'rust',
  go: 'go',
  gem: 'ruby',
  bundle: 'ruby',
  bundler: 'ruby',
  composer: 'php',
};

/**
 * Of these package names the ones no manifest, lock file or installation of the workspace knows.
 * Without any manifest of the ecosystem every name is unknown. Local paths and the workspace's own packages are known.
 * @param manager program that installs: npm, pip, cargo, …
 */
export function unknownPackages(manager: string, names: readonly string[], cwd: string | undefined): readonly string[] {
  const ecosystem = ECOSYSTEMS[BY_MANAGER[manager] ?? 'other'] as Ecosystem;
  const wanted = names.filter((name) => !isLocal(name));
  if (wanted.length === 0 || cwd === undefined) return wanted;
  const texts: string[] = [];
  const dirs = upwards(cwd);
  for (const dir of dirs) for (const file of ecosystem.files) texts.push(textOf(join(dir, file)));
  const known = texts
    .filter((text) => text !== '')
    .map((text) =>
      ecosystem === PYTHON || ecosystem === RUST ? text.toLowerCase().replace(ecosystem === RUST ? /_/g : /[_.]/g, '-') : text,
    );
  return wanted.filter((full) => {
    const name = ecosystem.normal(bareName(full));
    if (ecosystem.installed?.(name).some((path) => dirs.some((dir) => existsSync(join(dir, path))))) return false;
    return !known.some((text) => holdsName(ecosystem === NODE ? text : text.toLowerCase(), name));
  });
}

/** The name without version, tag or extras: `@scope/x@1`, `x==1.2`, `x@latest`. */
export function bareName(name: string): string {
  const scoped = name.startsWith('@');
  const body = scoped ? name.slice(1) : name;
  const cut = body.search(/@|[=<>~!;\s[]|(?<=[a-z0-9])==/i);
  return (scoped ? '@' : '') + (cut === -1 ? body : body.slice(0, cut));
}

const isLocal = (name: string): boolean => /^(\.{0,2}\/|~\/|file:|link:|workspace:)/.test(name) || name === '.' || name === '';

/** The name as a whole word in a manifest or lock file. */
function holdsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + name.length] ?? ' ';
    if (
      !/[\w@.-]/.test(before) &&
      !/[\w-]/.test(after) &&
      !(before === '/' && !name.includes('/') && /@[\w.-]+$/.test(text.slice(Math.max(0, at - 60), at - 1)))
    )
      return true;
  }
  return false;
}

/** The directory and its parents up to the top of the repository, at most 12. */
function upwards(cwd: string): readonly string[] {
  const dirs: string[] = [];
  for (let at = cwd; dirs.length < 12; at = dirname(at)) {
    dirs.push(at);
    if (existsSync(join(at, '.git')) || dirname(at) === at) break;
  }
  return dirs;
}

function textOf(path: string): string {
  try {
    return statSync(path).size > MAX_BYTES ? '' : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
