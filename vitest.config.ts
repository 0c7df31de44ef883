import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Long files first, so that no worker is left alone with one at the end. The others are short. */
const LONG = [
  'table/real-remedies',
  'table/examples-rest',
  'e2e/pre-push',
  'e2e/push-paths',
  'e2e/git-hook',
  'e2e/loops',
  'e2e/owner',
  'table/examples-work',
  'e2e/hook',
  'e2e/cases',
  'e2e/roundtrip',
  'e2e/',
  'table/',
  'cmd/',
];
const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((part) => moduleId.includes(part));
  return at < 0 ? LONG.length : at;
};

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    include: ['internal/**/*.test.ts', 'rules/**/*.test.ts', 'cmd/**/*.test.ts', 'test/**/*.test.ts', 'hack/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    // The default leaves one core free: half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism()),
    // No test changes what a module holds for the next one, and 140 files need not load everything 140 times.
    isolate: false,
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
