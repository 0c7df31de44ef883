/** The programs that run a workspace's targets, and the toolchain programs behind them. */
import type { RunnerName } from '../profile/profile.ts';

/** Program -> the runner it is. */
export const RUNNER_OF: Readonly<Record<string, RunnerName>> = {
  npm: 'npm',
  pnpm: 'pnpm',
  yarn: 'yarn',
  yarnpkg: 'yarn',
  bun: 'bun',
  make: 'make',
  gmake: 'make',
  just: 'just',
  task: 'task',
  'go-task': 'task',
  nx: 'nx',
  turbo: 'turbo',
  cargo: 'cargo',
  go: 'go',
  gradle: 'gradle',
  gradlew: 'gradle',
  'gradlew.bat': 'gradle',
  mvn: 'maven',
  mvnw: 'maven',
  mvnd: 'maven',
  bazel: 'bazel',
  bazelisk: 'bazel',
  mise: 'mise',
  rtx: 'mise',
  tox: 'tox',
  nox: 'nox',
  uv: 'uv',
  poetry: 'poetry',
  'pre-commit': 'pre-commit',
};

/** Is a program a task runner? */
export const isRunner = (name: string): boolean => Object.hasOwn(RUNNER_OF, name);

/** How a tool of a toolchain is called. */
export interface Tool {
  /** Its first operand is a subcommand: `vitest run`. */
  verbs?: readonly string[];
  /** Words with which it only reports on files, and changes none although it would otherwise. */
  checks?: readonly string[];
  /** Subcommands or options that only tell about the tool itself. */
  tells?: readonly string[];
}

const TEST: Tool = {};
const FORMATTER: Tool = { checks: ['--check', '-c', '--list-different', '-l', '--diff', '-d'] };

/** The toolchain programs that targets commonly wrap. Others become visible when a policy declares that a target covers them. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  vitest: { verbs: ['run', 'watch', 'dev', 'bench', 'related', 'list'], tells: ['list', 'init'] },
  jest: { tells: ['--showConfig', '--listTests', '--clearCache', '--init'] },
  mocha: TEST,
  ava: TEST,
  tap: TEST,
  jasmine: TEST,
  karma: { verbs: ['start', 'run', 'init'] },
  c8: TEST,
  nyc: TEST,
  playwright: { verbs: ['test', 'install', 'codegen', 'show-report', 'open'], tells: ['install', 'show-report', '--list'] },
  cypress: { verbs: ['run', 'open', 'install', 'verify'], tells: ['install', 'verify', 'cache', 'info'] },
  tsc: { tells: ['--showConfig', '--listFilesOnly', '--init', '--all'] },
  'vue-tsc': {},
  tsup: {},
  swc: {},
  esbuild: {},
  rollup: {},
  webpack: { verbs: ['build', 'serve', 'watch', 'info', 'init'], tells: ['info', 'init'] },
  vite: { verbs: ['build', 'dev', 'serve', 'preview', 'optimize'] },
  next: { verbs: ['build', 'dev', 'start', 'lint', 'info', 'typegen'], tells: ['info'] },
  parcel: { verbs: ['build', 'serve', 'watch'] },
  eslint: { tells: ['--print-config', '--env-info', '--init', '--inspect-config'] },
  oxlint: { tells: ['--rules', '--init', '--print-config'] },
  stylelint: { tells: ['--print-config'] },
  prettier: { checks: ['--check', '-c', '--list-different', '-l'], tells: ['--find-config-path', '--file-info', '--support-info'] },
  biome: {
    verbs: ['check', 'lint', 'format', 'ci', 'init', 'migrate', 'explain', 'rage', 'search'],
    tells: ['explain', 'rage', 'init', 'search'],
  },
  dprint: { verbs: ['check', 'fmt', 'init', 'config'], checks: ['check'] },
  xo: {},
  standard: {},
  knip: {},
  markdownlint: {},
  'markdownlint-cli2': {},
  graphql: {},
  'graphql-codegen': {},
  prisma: { verbs: ['generate', 'format', 'validate'] },
  pytest: { tells: ['--co', '--collect-only', '--fixtures', '--markers'] },
  'py.test': { tells: ['--co', '--collect-only', '--fixtures', '--markers'] },
  unittest: {},
  nosetests: {},
  ruff: {
    verbs: ['check', 'format', 'rule', 'config', 'linter', 'clean', 'server', 'analyze'],
    checks: ['--check', '--diff'],
    tells: ['rule', 'config', 'linter', 'server'],
  },
  mypy: {},
  pyright: {},
  basedpyright: {},
  pyre: {},
  ty: { verbs: ['check', 'server'] },
  black: FORMATTER,
  isort: { checks: ['--check', '--check-only', '-c', '--diff', '--df'] },
  yapf: { checks: ['--diff', '-d', '--quiet'] },
  autopep8: { checks: ['--diff', '-d'] },
  flake8: {},
  pylint: { tells: ['--list-msgs', '--help-msg', '--generate-rcfile'] },
  bandit: {},
  coverage: { verbs: ['run', 'report', 'html', 'xml', 'combine'] },
  go: { verbs: ['test', 'build', 'vet', 'fmt', 'generate', 'install', 'run'] },
  gofmt: { checks: ['-l', '-d'] },
  goimports: { checks: ['-l', '-d'] },
  gofumpt: { checks: ['-l', '-d'] },
  gotestsum: {},
  'golangci-lint': { verbs: ['run', 'fmt', 'linters', 'config'], tells: ['linters', 'config', 'cache', 'help'] },
  staticcheck: {},
  cargo: { verbs: ['test', 'build', 'check', 'clippy', 'fmt', 'bench', 'doc', 'nextest', 't', 'b', 'c'], checks: ['--check'] },
  rustfmt: { checks: ['--check'] },
  rspec: {},
  rubocop: { tells: ['--show-cops', '-L', '--list-target-files'] },
  phpunit: { tells: ['--list-tests', '--list-groups', '--list-suites'] },
  phpstan: { verbs: ['analyse', 'analyze'] },
  'php-cs-fixer': { verbs: ['fix', 'check', 'describe'], checks: ['--dry-run', 'check'], tells: ['describe', 'list-files'] },
  phpcs: {},
  phpcbf: {},
  pest: {},
  ctest: { tells: ['-N', '--show-only'] },
  ktlint: {},
  detekt: {},
  swiftlint: { verbs: ['lint', 'analyze', 'rules', 'version'], tells: ['rules', 'version'] },
  shellcheck: {},
  shfmt: { checks: ['-l', '-d', '--list', '--diff'] },
  bats: {},
  hadolint: {},
  yamllint: {},
  buf: { verbs: ['build', 'lint', 'generate', 'format', 'breaking'], checks: ['--diff', '-d'] },
  protoc: {},
  sqlfluff: { verbs: ['lint', 'fix', 'format'] },
};

/** Verbs with which a program of several trades is a tool of a toolchain; any other verb is none. */
export const ONLY_VERBS: ReadonlySet<string> = new Set(['go', 'cargo', 'prisma', 'graphql', 'coverage']);
