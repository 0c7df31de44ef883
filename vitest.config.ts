import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['internal/**/*.test.ts', 'rules/**/*.test.ts', 'cmd/**/*.test.ts', 'test/**/*.test.ts', 'hack/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
