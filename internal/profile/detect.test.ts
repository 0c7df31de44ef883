import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realLook } from '../fact/look.ts';
import { profileFrom, runnersIn } from './detect.ts';
import type { Profile, Target } from './profile.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/runners');

/** One target as a line: name | role | covers (`~`: a part of its recipe) | runs with it | writes | stands in. */
function lineOf(profile: Profile, runner: string, target: Target): string {
  const short = (path: string) => path.slice(profile.root.length + 1);
  return [
    `${runner} ${target.name}`,
    target.role + (target.endless ? ' endless' : '') + (target.gate ? ' gate' : ''),
    target.covers
      .map((cover) => [cover.program, ...cover.argv.map((word) => word || '…')].join(' ') + (cover.whole ? '' : ' ~'))
      .join('; '),
    target.includes.join(' '),
    target.writes.map(short).join(' '),
    short(target.origin.file) + (target.origin.line === undefined ? '' : `:${target.origin.line}`),
  ]
    .join(' | ')
    .replace(/\s+/g, ' ');
}

const CASES: readonly (readonly [string, readonly string[], { gate?: string; install?: string; update?: string }])[] = [
  [
    'npm',
    [
      'npm build | build | tsc -p tsconfig.build.json | | | package.json:4',
      'npm clean | clean | | | | package.json:5',
      'npm predocs | other | | build | | package.json:6',
      'npm docs | generate | typedoc --out docs/api src/index.ts | predocs | | package.json:7',
      'npm lint | lint | eslint . --max-warnings 0 | | | package.json:8',
      'npm lint:fix | format | eslint . --max-warnings 0 --fix | lint | | package.json:9',
      'npm format | format | prettier --write . | | | package.json:10',
      'npm typecheck | types | tsc --noEmit | | | package.json:11',
      'npm pretest | other | | build | | package.json:12',
      'npm test | test | vitest run | pretest | | package.json:13',
      'npm test:watch | test endless | vitest | | | package.json:14',
      'npm test:unit | test | vitest run src ~; node --test scripts ~ | | | package.json:15',
      'npm check | gate gate | | lint typecheck test | | package.json:16',
      'npm all:lint | other | | lint | | package.json:17',
      'npm dev | serve endless | vite --port 3000 | | | package.json:18',
      'npm watch | serve endless | tsc -w | | | package.json:19',
      'npm deps | install | | | | package.json:20',
      'npm deps:update | update | | | | package.json:21',
      'npm release | other | | check | | package.json:22',
    ],
    { gate: 'npm run check', install: 'npm run deps', update: 'npm run deps:update' },
  ],
  [
    'pnpm',
    [
      'pnpm lint | lint | eslint src | | | package.json:5',
      'pnpm test | test | vitest run | | | package.json:6',
      'pnpm build | build | tsup | | | package.json:7',
      'pnpm verify | gate gate | | lint test pnpm -C tools build | | package.json:8',
      'pnpm generate | generate | graphql-codegen --config codegen.ts | build | src/generated/** | package.json:9',
    ],
    { gate: 'pnpm run verify' },
  ],
  [
    'yarn',
    [
      'yarn test | test | jest | | | package.json:1',
      'yarn ci | gate gate | | lint test | | package.json:1',
      'yarn lint | lint | eslint . | | | package.json:1',
    ],
    { gate: 'yarn run ci' },
  ],
  [
    'bun',
    [
      'bun test | test gate | bun test | | | package.json:4',
      'bun lint | lint | biome check . | | | package.json:5',
      'bun start | serve endless | | | | package.json:6',
    ],
    { gate: 'bun run test' },
  ],
  [
    'make',
    [
      'make build | build | | bin/app | | build.mk:1',
      'make bin/app | build | go build -o bin/app . | | bin/app | build.mk:3',
      'make deps | install | go mod download | | | build.mk:6',
      'make all | build | | build | | Makefile:13',
      'make check | gate gate | | lint test | | Makefile:15',
      'make test | test | go test -race -count=1 ./... | bin/mock | | Makefile:17',
      'make lint | lint | golangci-lint run | | | Makefile:21',
      'make bin/mock | build | go build -o bin/mock mock.go | bin | bin/mock | Makefile:23',
      'make bin | other | | | | Makefile:26',
      'make clean | clean | del /q bin ~ | | | Makefile:30',
      'make install | other | install -m 755 bin/app /usr/local/bin | bin/app | | Makefile:37',
      'make run | serve endless | | build | | Makefile:49',
    ],
    { gate: 'make check', install: 'make deps' },
  ],
  [
    'just',
    [
      'just default | other | | check | | justfile:9',
      'just check | gate gate | | lint test | | justfile:11',
      'just test | test | pytest -q … | build | | justfile:13',
      'just build | build | cargo build --profile … | | | justfile:16',
      'just deploy | other | | | | justfile:19',
      'just script | other | | | | justfile:26',
      'just lint | lint | ruff check . ~; ruff format --check . ~ | | | tools/lint.just:1',
      'just db::migrate | other | alembic upgrade head | db::seed db::after | | tools/db.just:1',
      'just db::seed | other | python seed.py … | | | tools/db.just:4',
      'just db::after | other | | | | tools/db.just:7',
    ],
    { gate: 'just check' },
  ],
  [
    'task',
    [
      'task default | other | | check | | Taskfile.yml:12',
      'task check | gate gate | | lint test | | Taskfile.yml:15',
      'task test | test | go test ./... | | | Taskfile.yml:21',
      'task lint | lint | golangci-lint run | | | Taskfile.yml:25',
      'task gen | generate | buf generate | docs:build | gen/**/*.pb.go | Taskfile.yml:27',
      'task serve | serve endless | go run ./cmd/server | | | Taskfile.yml:40',
      'task docs:build | generate | mkdocs build | | docs/site/** | docs/Taskfile.yml:3',
    ],
    { gate: 'task check' },
  ],
  [
    'nx',
    ['nx build | build | | | **/dist | nx.json:4', 'nx test | test gate | | build | | nx.json:5', 'nx lint | lint | | | | nx.json:6'],
    { gate: 'nx run-many -t test' },
  ],
  [
    'nx/apps/web',
    [
      'nx build | build | | | dist | project.json:4',
      'nx serve | serve endless | | | | project.json:5',
      'nx e2e | test gate | playwright test | build | | project.json:6',
    ],
    { gate: 'nx run web:e2e' },
  ],
  [
    'turbo',
    [
      'npm ci | gate gate | | turbo lint turbo test | | package.json:1',
      'npm build | build | | turbo build | | package.json:1',
      'turbo build | build | | codegen | dist/** packages/*/dist/** | turbo.json:4',
      'turbo codegen | generate | | | src/gen/** packages/*/src/gen/** | turbo.json:5',
      'turbo test | test | | build | | turbo.json:6',
      'turbo lint | lint | | | | turbo.json:7',
      'turbo dev | serve endless | | | | turbo.json:8',
    ],
    { gate: 'npm run ci' },
  ],
  [
    'cargo',
    [
      'cargo xtask | other | cargo run --package xtask -- | | | .cargo/config.toml:2',
      'cargo lint | lint | | | | .cargo/config.toml:3',
      'cargo test | test gate | | | | Cargo.toml',
      'cargo build | build | | | | Cargo.toml',
      'cargo check | types | | | | Cargo.toml',
      'cargo clippy | lint | | | | Cargo.toml',
      'cargo fmt | format | | | | Cargo.toml',
      'cargo doc | generate | | | | Cargo.toml',
      'cargo bench | other | | | | Cargo.toml',
    ],
    { gate: 'cargo test' },
  ],
  [
    'go',
    [
      'go test | test gate | | | | go.mod',
      'go vet | lint | | | | go.mod',
      'go build | build | | | | go.mod',
      'go fmt | format | | | | go.mod',
      'go generate | generate | | | | go.mod',
    ],
    { gate: 'go test ./...' },
  ],
  [
    'gradle',
    [
      'gradle verifyAll | gate gate | | check spotlessCheck | | build.gradle.kts:6',
      'gradle docs | generate | | | | build.gradle.kts:10',
      'gradle build | build | | assemble check | | build.gradle.kts',
      'gradle check | gate | | test | | build.gradle.kts',
      'gradle test | test | | | | build.gradle.kts',
      'gradle assemble | build | | | | build.gradle.kts',
      'gradle clean | clean | | | | build.gradle.kts',
      'gradle spotlessApply | format | | | | build.gradle.kts',
      'gradle spotlessCheck | lint | | | | build.gradle.kts',
    ],
    { gate: './gradlew verifyAll' },
  ],
  [
    'maven',
    [
      'maven validate | lint | | | | pom.xml',
      'maven compile | build | | validate | | pom.xml',
      'maven test | test | | validate compile | | pom.xml',
      'maven package | build | | validate compile test | | pom.xml',
      'maven verify | gate gate | | validate compile test package | | pom.xml',
      'maven clean | clean | | | | pom.xml',
      'maven spotless:apply | format | | | | pom.xml',
      'maven spotless:check | lint | | | | pom.xml',
    ],
    { gate: 'mvn verify' },
  ],
  [
    'bazel',
    ['bazel test | test gate | | build | | MODULE.bazel', 'bazel build | build | | | | MODULE.bazel'],
    { gate: 'bazel test //...' },
  ],
  [
    'mise',
    [
      'mise build | build | | npm build | dist/** | mise.toml:4',
      'mise ci | gate gate | | lint test | | mise.toml:9',
      'mise lint | lint | eslint . | | | mise.toml:13',
      'mise test | test | vitest run | build | | mise.toml:14',
      'mise db:reset | other | prisma migrate deploy ~ | build | | mise-tasks/db/reset:1',
    ],
    { gate: 'mise run ci' },
  ],
  [
    'tox',
    [
      'tox all | gate gate | | py311 py312 lint | | tox.ini',
      'tox py311 | test | pytest -q | | | tox.ini:4',
      'tox py312 | test | pytest -q | | | tox.ini:4',
      'tox lint | lint | ruff check src ~; mypy src ~ | | | tox.ini:8',
      'tox docs | generate | sphinx-build docs docs/_build | | | tox.ini:13',
    ],
    { gate: 'tox' },
  ],
  [
    'nox',
    ['nox tests | test gate | pytest -q | lint | | noxfile.py:4', 'nox lint | lint | ruff check . ~; mypy src ~ | | | noxfile.py:11'],
    { gate: 'nox -s tests' },
  ],
  [
    'poetry',
    [
      'poetry test | test | pytest -q | | | pyproject.toml:8',
      'poetry types | types | mypy src | | | pyproject.toml:9',
      'poetry lint | lint | ruff check . ~; ruff format --check . ~ | | | pyproject.toml:10',
      'poetry check | gate gate | | lint types test | | pyproject.toml:11',
      'poetry serve | serve endless | uvicorn svc.app:app --reload | | | pyproject.toml:14',
      'poetry svc | other | | | | pyproject.toml:5',
    ],
    { gate: 'poetry run poe check' },
  ],
  [
    'uv',
    [
      'uv test | test gate | pytest | | | pyproject.toml:8',
      'uv sync | install | uv sync | | | pyproject.toml:9',
      'uv tool | other | | | | pyproject.toml:5',
    ],
    { gate: 'uv run poe test', install: 'uv run poe sync' },
  ],
  [
    'pre-commit',
    [
      'pre-commit all | lint | | ruff ruff-format types | | .pre-commit-config.yaml',
      'pre-commit ruff | lint | | | | .pre-commit-config.yaml:5',
      'pre-commit ruff-format | lint | | | | .pre-commit-config.yaml:7',
      'pre-commit types | types | mypy src ~ | | | .pre-commit-config.yaml:10',
    ],
    {},
  ],
  [
    'mixed',
    [
      'npm test | test | vitest run | | | package.json:5',
      'npm lint | lint | eslint . | | | package.json:6',
      'make ci | gate gate | | lint npm test | | Makefile:2',
      'make lint | lint | shellcheck … ~ | npm lint | | Makefile:4',
      'make setup | install | | | | Makefile:7',
    ],
    { gate: 'make ci', install: 'make setup' },
  ],
];

describe('detection', () => {
  it.each(CASES)('%s', (name, targets, roles) => {
    const dir = join(FIXTURES, name);
    const profile = profileFrom(runnersIn(dir, dir, realLook()), dir);
    const lines = profile.runners.flatMap((runner) => runner.targets.map((target) => lineOf(profile, runner.name, target)));
    expect(lines).toEqual(targets);
    expect({ gate: profile.proposedGate, install: profile.install?.command, update: profile.update?.command }).toEqual({
      gate: undefined,
      install: undefined,
      update: undefined,
      ...roles,
    });
  });
});
