import { describe, expect, it } from 'vitest';
import { startedBy } from './calls.ts';
import { readRecipe } from './commands.ts';

describe('what a recipe starts', () => {
  it.each([
    ['npm run lint', 'npm lint'],
    ['npm test', 'npm test'],
    ['npm t -- --ci', 'npm test [--ci]'],
    ['npm run lint -- --fix', 'npm lint [--fix]'],
    ['npm run lint --silent', 'npm lint'],
    ['npm --prefix tools run build', 'npm build in tools'],
    ['npm run build --workspaces', 'npm build elsewhere'],
    ['npm run build -w web', 'npm build elsewhere'],
    ['npm ci', ''],
    ['pnpm lint', 'pnpm lint'],
    ['pnpm lint --fix', 'pnpm lint [--fix]'],
    ['pnpm vitest', ''],
    ['pnpm -r test', 'pnpm test elsewhere'],
    ['pnpm --filter web run lint', 'pnpm lint elsewhere'],
    ['pnpm -C tools lint', 'pnpm lint in tools'],
    ['yarn lint', 'yarn lint'],
    ['yarn workspaces foreach -A run test', 'yarn test elsewhere'],
    ['yarn workspace web lint', 'yarn lint elsewhere'],
    ['yarn install', ''],
    ['bun run test', 'bun test'],
    ['bun test', ''],
    ['npm-run-all lint "test:*"', 'npm lint test:*'],
    ['run-p lint test -- --x', 'npm lint test'],
    ['concurrently "npm:lint" "npm run test"', 'npm lint; npm test'],
    ['lerna run build', 'npm build elsewhere'],
    ['make -C sub A=1 lint test', 'make lint test in sub'],
    ['make', 'make'],
    ['gmake x', 'make x'],
    ['just test', 'just test'],
    ['task -d sub lint', 'task lint in sub'],
    ['turbo run lint test --filter=web', 'turbo lint test elsewhere'],
    ['npx turbo build', 'turbo build'],
    ['nx run web:build', 'nx build elsewhere'],
    ['npx nx run-many -t lint test', 'nx lint test elsewhere'],
    ['nx affected --targets=lint,test', 'nx lint test elsewhere'],
    ['nx test web', 'nx test elsewhere'],
    ['nx graph', ''],
    ['mise run build', 'mise build'],
    ['tox -e lint,py311', 'tox lint py311'],
    ['nox -s tests', 'nox tests'],
    ['poetry run poe lint', 'poetry lint'],
    ['pre-commit run ruff --all-files', 'pre-commit ruff'],
    ['vitest run', ''],
    ['echo npm run lint', ''],
  ])('%s', (text, expected) => {
    const isScript = (name: string) => ['lint', 'test', 'build', 'install'].includes(name);
    const told = readRecipe(text, '/w')
      .calls.flatMap((call) => startedBy(call, isScript))
      .map(({ runner, targets, extra, dir, elsewhere }) =>
        [
          runner,
          ...targets,
          ...(extra.length > 0 ? [`[${extra.join(' ')}]`] : []),
          ...(dir === undefined ? [] : ['in', dir]),
          ...(elsewhere ? ['elsewhere'] : []),
        ].join(' '),
      );
    expect(told.join('; ')).toBe(expected);
  });
});
