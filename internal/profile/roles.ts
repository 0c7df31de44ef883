/** What a target is for: by its name first, then by what it runs. */
import type { Called } from './commands.ts';
import type { Role } from './profile.ts';

/** Names as people give them; the first that fits counts. The words stand at the start, up to `:`, `-`, `_`, `.` or `/`. */
const BY_NAME: readonly (readonly [RegExp, Role])[] = [
  [
    /^(ci|cicd|check|checks|verify|verification|validate|gate|precommit|pre[-_]?commit|prepush|pre[-_]?push|qa|preflight|all[-_:]?checks|sanity)$/,
    'gate',
  ],
  [/^(check|verify|validate|ci)[-_:]?(all|full|everything|local)$/, 'gate'],
  [/^(test|check|lint)[-_:]?(update|snapshots?)$/, 'other'],
  [/^(typecheck|type[-_]check|types|tsc|check[-_:]?types|mypy|pyright|tc)([-_:./]|$)/, 'types'],
  [/^(fmt|format|formatting|prettier|fix|autofix|lint[-_:]fix|black|rustfmt|gofmt|spotless|tidy)([-_:./]|$)/, 'format'],
  [
    /^(lint|lints|linter|eslint|stylelint|clippy|vet|ruff|flake8|golangci|checkstyle|detekt|pmd|biome|check[-_:]?(lint|style|format))([-_:./]|$)/,
    'lint',
  ],
  [/^(test|tests|testing|unit|units|spec|specs|e2e|integration|pytest|jest|vitest|coverage|cover|unittest|acceptance)([-_:./]|$)/, 'test'],
  [/^(dev|serve|server|watch|preview|start|storybook)([-_:./]|$)/, 'serve'],
  [/^(update|upgrade|deps[-_:](update|upgrade|add)|bump[-_:]deps|update[-_:]deps|lock|relock|add[-_:]dep)([-_:./]|$)/, 'update'],
  [/^(install|deps|setup|bootstrap|dependencies|init|sync|vendor|restore)([-_:./]|$)/, 'install'],
  [/^(generate|gen|codegen|docs?|proto|protos|protobuf|graphql|openapi|schema|i18n|mocks?)([-_:./]|$)/, 'generate'],
  [/^(clean|clobber|distclean|reset|purge|nuke|tidyup)([-_:./]|$)/, 'clean'],
  [/^(build|compile|bundle|dist|package|assemble|binary|webpack|rollup)([-_:./]|$)|^all$/, 'build'],
];

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const TESTS = words(
  'vitest jest mocha ava tap tape jasmine karma playwright cypress pytest unittest nose2 tox nox phpunit pest rspec ctest bats nyc c8 gotestsum ginkgo wdio testcafe cucumber behave robot trybuild nextest qunit japa',
);
const LINTS = words(
  'eslint biome oxlint xo standard tslint stylelint jshint ruff flake8 pylint bandit golangci-lint staticcheck rubocop shellcheck hadolint yamllint markdownlint markdownlint-cli2 clippy-driver ktlint detekt checkstyle phpcs phpstan psalm buf actionlint knip depcheck cspell commitlint publint attw license-checker',
);
const TYPES = words('tsc vue-tsc tsgo mypy pyright basedpyright flow svelte-check astro-check ty');
const FORMATS = words(
  'prettier black isort gofmt goimports gofumpt rustfmt dprint autopep8 yapf shfmt clang-format php-cs-fixer scalafmt taplo',
);
const BUILDS = words(
  'webpack rollup esbuild tsup tsdown unbuild parcel swc babel vite next nuxt astro ng gulp cmake ninja javac rustc bazel docker buildx goreleaser ncc pkgroll microbundle',
);
const SERVERS = words(
  'nodemon ts-node-dev live-server http-server serve browser-sync webpack-dev-server json-server uvicorn gunicorn hypercorn daphne air watchexec entr chokidar reflex watchman-make wrangler-dev',
);

/** Tools by the subcommand that makes the difference. */
const VERBS: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  go: { test: 'test', vet: 'lint', build: 'build', fmt: 'format', generate: 'generate' },
  cargo: {
    test: 'test',
    nextest: 'test',
    t: 'test',
    clippy: 'lint',
    fmt: 'format',
    check: 'types',
    build: 'build',
    b: 'build',
    doc: 'generate',
  },
  deno: { test: 'test', lint: 'lint', fmt: 'format', check: 'types' },
  dotnet: { test: 'test', build: 'build', format: 'format', run: 'serve', watch: 'serve' },
  mvn: { test: 'test', verify: 'test', package: 'build', compile: 'build', install: 'build' },
  gradle: { test: 'test', check: 'test', build: 'build' },
  bazel: { test: 'test', build: 'build' },
  vite: { build: 'build', dev: 'serve', preview: 'serve', '': 'serve' },
  next: { build: 'build', dev: 'serve', start: 'serve', lint: 'lint' },
  nuxt: { build: 'build', dev: 'serve', preview: 'serve' },
  astro: { build: 'build', dev: 'serve', preview: 'serve', check: 'types' },
  ng: { build: 'build', serve: 'serve', test: 'test', lint: 'lint' },
  wrangler: { dev: 'serve' },
  flask: { run: 'serve' },
  rails: { server: 'serve', s: 'serve', test: 'test' },
  swift: { test: 'test', build: 'build' },
  mix: { test: 'test', format: 'format', credo: 'lint' },
  ruff: { format: 'format' },
  biome: { format: 'format' },
  storybook: { dev: 'serve', build: 'build' },
  'start-storybook': { '': 'serve' },
};

/** What a single command is for. */
export function roleOfCall({ program, argv }: Pick<Called, 'program' | 'argv'>): Role {
  const verb = argv.find((word) => word !== '' && !word.startsWith('-')) ?? '';
  const known = Object.hasOwn(VERBS, program) ? VERBS[program] : undefined;
  const byVerb = known && (Object.hasOwn(known, verb) ? known[verb] : undefined);
  if (byVerb) return byVerb;
  if (known && Object.hasOwn(known, '')) return known[''] as Role;
  if (program === 'node' && argv.includes('--test')) return 'test';
  if (program === 'bun' && verb === 'test') return 'test';
  if (isInstall({ program, argv })) return 'install';
  if (isUpdate({ program, argv })) return 'update';
  if (TESTS.has(program)) return 'test';
  if (LINTS.has(program)) return 'lint';
  if (TYPES.has(program)) return argv.includes('--noEmit') || program !== 'tsc' ? 'types' : 'build';
  if (FORMATS.has(program)) return argv.some((word) => /^(--check|-c|-l|--list-different|--diff)$/.test(word)) ? 'lint' : 'format';
  if (SERVERS.has(program)) return 'serve';
  if (BUILDS.has(program)) return 'build';
  return 'other';
}

/** The role of a target. `calls`: the commands of its recipe. */
export function roleOf(name: string, calls: readonly Called[]): Role {
  const plain = name.toLowerCase();
  for (const [pattern, role] of BY_NAME) if (pattern.test(plain)) return role;
  const roles = calls.map(roleOfCall).filter((role) => role !== 'other');
  // These say it only where the recipe says nothing else.
  return roles.at(-1) ?? (/^(develop|up|run|live)$/.test(plain) ? 'serve' : 'other');
}

const WATCHES = /^(--watch|--watchAll|--watch-all|--hot|--reload|--live-reload)(=true)?$/;

/** Does a target run until it is interrupted? */
export function isEndless(name: string, role: Role, calls: readonly Called[]): boolean {
  if (role === 'serve' || /(^|[-_:.])watch$/.test(name)) return true;
  return calls.some(
    ({ program, argv }) =>
      argv.some((word) => WATCHES.test(word)) ||
      (argv.includes('-w') &&
        ['tsc', 'vue-tsc', 'tsup', 'tsdown', 'rollup', 'webpack', 'jest', 'mocha', 'sass', 'tailwindcss', 'babel'].includes(program)) ||
      (roleOfCall({ program, argv }) === 'serve' && !argv.includes('--help')) ||
      (program === 'vitest' && ['watch', 'dev'].includes(argv[0] ?? '')),
  );
}

type Plain = Pick<Called, 'program' | 'argv'>;
const operands = (argv: readonly string[]) => argv.filter((word) => !word.startsWith('-'));
const hasAny = (argv: readonly string[], ...names: string[]) => argv.some((word) => names.includes(word));

/** Applies what the manifest and the lock file say: no package is named. */
export function isInstall({ program, argv }: Plain): boolean {
  const [verb, second] = operands(argv);
  switch (program) {
    case 'npm':
      return ['ci', 'clean-install'].includes(verb ?? '') || (['install', 'i'].includes(verb ?? '') && second === undefined);
    case 'pnpm':
    case 'bun':
      return ['install', 'i'].includes(verb ?? '') && second === undefined;
    case 'yarn':
      return (verb === undefined && !hasAny(argv, '--version', '-v', '--help')) || (verb === 'install' && second === undefined);
    case 'pip':
    case 'pip3':
      return verb === 'install' && (hasAny(argv, '-r', '--requirement', '-e', '--editable') || second === '.');
    case 'uv':
      return verb === 'sync' || (verb === 'pip' && (second === 'sync' || (second === 'install' && hasAny(argv, '-r', '-e'))));
    case 'poetry':
    case 'pipenv':
    case 'bundle':
    case 'composer':
    case 'pdm':
      return verb === 'install' || verb === 'sync';
    case 'cargo':
      return verb === 'fetch';
    case 'go':
      return verb === 'mod' && (second === 'download' || second === 'vendor');
    case 'mix':
      return verb === 'deps.get';
    default:
      return false;
  }
}

/** Resolves dependencies anew, and so changes the lock file. */
export function isUpdate({ program, argv }: Plain): boolean {
  const [verb, second] = operands(argv);
  switch (program) {
    case 'npm':
      return ['update', 'up', 'upgrade'].includes(verb ?? '') || (['install', 'i', 'add'].includes(verb ?? '') && second !== undefined);
    case 'pnpm':
      return ['update', 'up', 'upgrade', 'add'].includes(verb ?? '');
    case 'yarn':
      return ['upgrade', 'up', 'add', 'upgrade-interactive'].includes(verb ?? '');
    case 'bun':
      return ['update', 'add'].includes(verb ?? '');
    case 'uv':
      return (
        ['lock', 'add'].includes(verb ?? '') ||
        (verb === 'pip' && second === 'compile') ||
        (verb === 'sync' && hasAny(argv, '-U', '--upgrade'))
      );
    case 'poetry':
      return ['update', 'add', 'lock'].includes(verb ?? '');
    case 'pipenv':
    case 'bundle':
    case 'composer':
    case 'cargo':
      return verb === 'update' || verb === 'add' || verb === 'lock';
    case 'go':
      return verb === 'get' || (verb === 'mod' && second === 'tidy');
    case 'pip-compile':
    case 'ncu':
    case 'npm-check-updates':
    case 'taze':
      return true;
    default:
      return false;
  }
}
