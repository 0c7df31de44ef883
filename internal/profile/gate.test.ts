import { describe, expect, it } from 'vitest';
import { detectProfile } from './detect.ts';
import { scripts, world } from './fixture.ts';

const NO_TEST = 'echo "Error: no test specified" && exit 1';

describe('what looks like the gate', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    [
      'the aggregate',
      { '/w/package.json': scripts({ test: 'vitest', lint: 'eslint .', check: 'npm run lint && npm test' }) },
      'npm run check',
    ],
    [
      'the one with most in it',
      { '/w/package.json': scripts({ check: 'tsc --noEmit', ci: 'run-s lint test', test: 'vitest', lint: 'eslint .' }) },
      'npm run ci',
    ],
    ['a test target when there is nothing more', { '/w/package.json': scripts({ test: 'vitest run', build: 'tsc' }) }, 'npm test'],
    ['the whole before a part', { '/w/package.json': scripts({ 'test:unit': 'vitest run', test: 'vitest run' }) }, 'npm test'],
    ['nothing without tests', { '/w/package.json': scripts({ lint: 'eslint .', build: 'tsc', check: 'tsc --noEmit' }) }, undefined],
    ["not npm init's test", { '/w/package.json': scripts({ test: NO_TEST }) }, undefined],
    ['nothing that publishes', { '/w/package.json': scripts({ release: 'npm test && npm publish', test: 'jest' }) }, 'npm test'],
    ['nothing that runs on', { '/w/package.json': scripts({ 'test:watch': 'vitest --watch', test: 'vitest' }) }, 'npm test'],
    [
      'over several runners',
      {
        '/w/package.json': scripts({ test: 'jest', lint: 'eslint .' }),
        '/w/Makefile': 'all: lint test\nlint:\n\tnpm run lint\ntest:\n\tnpm test\n',
      },
      'make all',
    ],
    [
      'the named one of two that are alike',
      { '/w/package.json': scripts({ test: 'jest' }), '/w/Makefile': 'test:\n\tnpm test\n' },
      'npm test',
    ],
    [
      'in packages',
      { '/w/package.json': scripts({ ci: 'pnpm -r lint && pnpm -r test', build: 'pnpm -r build' }), '/w/pnpm-lock.yaml': '' },
      'pnpm run ci',
    ],
    ['behind cd', { '/w/package.json': scripts({ verify: 'cd app && npm test' }) }, 'npm run verify'],
    ['only at the top', { '/w/app/package.json': scripts({ test: 'jest' }) }, undefined],
    ['cargo', { '/w/Cargo.toml': '[package]\nname = "a"\n' }, 'cargo test'],
    [
      'a Makefile before the toolchain it calls',
      { '/w/go.mod': 'module x\n', '/w/Makefile': 'check: vet\n\tgo test ./...\nvet:\n\tgo vet ./...\n' },
      'make check',
    ],
    ['a script that only fixes', { '/w/package.json': scripts({ check: 'eslint --fix . && jest', ci: 'eslint . && jest' }) }, 'npm run ci'],
  ])('%s', (_name, files, expected) => {
    expect(detectProfile('/w', '/w', world(files))?.proposedGate).toBe(expected);
  });
});
