/** What a command of the project makes again: dependency, cache and build folders. By name; git and the policy refine it. */
import { matches } from '../policy/match.ts';
import type { Policy } from '../policy/policy.ts';
import { within } from './places.ts';

/** Folders that no one keeps work in, whatever git says of them. */
// biome-ignore format: a list
const ALWAYS = new Set([
  'node_modules', 'bower_components', 'jspm_packages', '__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.pytype', '.tox',
  '.nox', '.hypothesis', '.eggs', '.next', '.nuxt', '.svelte-kit', '.turbo', '.parcel-cache', '.cache', '.gradle', '.nyc_output',
  '.vite', '.vitest', '.angular', '.dart_tool', '.expo', '.docusaurus', '.astro', '.venv', 'elm-stuff', '.stack-work', 'dist-newstyle',
  'zig-cache', '.zig-cache', 'zig-out', '.sass-cache', '.rpt2_cache', '.swc', '.terragrunt-cache', '.webpack', 'DerivedData', 'Pods',
  '.ccache', '.eslintcache', '.stylelintcache', '.DS_Store', 'Thumbs.db', '.yarn-cache', '.pnpm-store', '.nx', '.wireit',
  '.jest-cache', 'htmlcov', '.coverage', 'playwright-report', 'storybook-static', '.terraform', '.aws-sam', 'cdk.out', '.scannerwork',
  '.serverless', '.ipynb_checkpoints', '.metals', '.bloop', '.phpunit.cache', '.phpunit.result.cache', '.php-cs-fixer.cache',
  '.rubocop_cache', '.pyre', '.import-linter_cache', '.elixir_ls', '.clangd',
]);

/** Folders that are build output where the project says so (git ignores them), and may be somebody's work where it does not. */
// biome-ignore format: a list
const WHEN_IGNORED = new Set([
  'dist', 'build', 'out', 'target', 'coverage', 'htmlcov', 'obj', 'vendor', 'venv', 'tmp', 'temp', '.tmp', '.temp', 'logs', 'log',
  '.output', '_site', '_build', 'storybook-static', 'playwright-report', 'test-results', 'blob-report', '.coverage', '.build',
  '.terraform', '.serverless', '.aws-sam', 'cdk.out', '.netlify', '.vuepress', '.temp-out', 'lib-cov', 'es', 'esm', 'cjs',
  'site', 'junit', 'reports', '.scannerwork', 'bin', 'Debug', 'Release', 'x64', 'generated', '__generated__', 'gen',
]);

/** Names that are build output even before git is asked: the assumed facts know no ignore file. */
// biome-ignore format: a list
const USUALLY = new Set([
  'dist', 'build', 'out', 'target', 'coverage', 'htmlcov', 'obj', '.output', '_site', '_build', 'storybook-static', 'playwright-report',
  'test-results', '.build', 'venv', '.coverage', 'cdk.out', 'tmp', '.tmp',
]);

/** Build folders by configuration (`build-asan`, `dist_web`) and caches by name (`.tool-cache`). With an ending it is a file of its own. */
const FOLDER_WHEN_IGNORED = /^\.?(?:build|dist|out|target|coverage)[-_][\w-]*$|^[.\w-]*[.\-_]cache$|^cache$/i;

const FILE_ALWAYS = /\.(pyc|pyo|tsbuildinfo|pid)$|^\.coverage\.|^(?:npm|yarn|pnpm|lerna)-(?:debug|error)\.log|^hs_err_pid\d+\.log$/;
const FILE_WHEN_IGNORED =
  /\.(log|o|obj|a|class|so|dylib|dll|exe|swp|swo|tmp|lcov|min\.js\.map|js\.map|d\.ts\.map|gcda|gcno|profraw|stackdump|pid)$|~$/;

/** Stores that package managers keep in a home, by the folder below it: each file comes back with the next download. */
// biome-ignore format: a list
const HOME_STORES = [
  '.npm/_cacache', '.npm/_npx', '.npm/_logs', '.cargo/registry', '.cargo/git', '.m2/repository', '.nuget/packages', '.pub-cache', '.gem/cache',
  'go/pkg/mod', '.bun/install/cache', '.yarn/berry/cache', '.local/share/pnpm/store', '.cocoapods/repos', '.conda/pkgs',
  'Library/Caches', 'Library/pnpm/store', 'AppData/Local/npm-cache', 'AppData/Local/pip/Cache', 'AppData/Local/Yarn/Cache',
  'AppData/Local/pnpm/store', 'AppData/Local/Temp',
];

/** How sure a name is. */
export type Regenerable = 'always' | 'when-ignored' | 'no';

/**
 * Judges the parts of a path below `root` by name.
 * @param root directory whose own parts do not count: the top of the repository, or the home
 */
export function regenerableByName(path: string, root: string): Regenerable {
  const below = within(path, root) ? path.slice(root === '/' ? 1 : root.length + 1) : path.slice(1);
  const parts = below.split('/').filter(Boolean);
  if (parts.some((part) => ALWAYS.has(part) || part.endsWith('.egg-info') || part.startsWith('cmake-build-'))) return 'always';
  const base = parts.at(-1) ?? '';
  if (FILE_ALWAYS.test(base) || HOME_STORES.some((store) => within(below, store))) return 'always';
  if (parts.some((part) => WHEN_IGNORED.has(part) || FOLDER_WHEN_IGNORED.test(part)) || FILE_WHEN_IGNORED.test(base)) return 'when-ignored';
  return 'no';
}

/** The assumed answer, without git or files: the usual build folders of a project count, those directly in a home do not. */
export function regenerableAssumed(path: string, home: string, workspace: string): boolean {
  const root = within(path, workspace) ? workspace : within(path, home) ? home : '/';
  const parts = path
    .slice(root === '/' ? 1 : root.length + 1)
    .split('/')
    .filter(Boolean);
  if (regenerableByName(path, root) === 'always') return true;
  if (root === '/') return false;
  const first = root === workspace ? 0 : 1;
  return parts.some((part, index) => index >= first && USUALLY.has(part));
}

/** Declared in the policy's `regenerable:`. A folder counts when all that is in it does (`.cache/**`). */
export const isDeclaredRegenerable = (path: string, policy: Pick<Policy, 'regenerable' | 'patterns'>): boolean =>
  policy.regenerable.some((glob) => matches(policy, glob, path) || (glob.endsWith('/**') && matches(policy, glob, `${path}/x`)));
