import type { Scenario } from './scenario.ts';

export const retiredTool: Scenario = {
  name: 'retired tool',
  given: [
    "printf '%s\\n' 'version: 1' 'custom:' '  - rule: old-runner' '    verdict: deny' '    category: retired-tool' '    on: { tool: \"mcp__oldci__*\" }' '    says: The old CI server was taken out.' '    remedy: { run: npm test }' > waygate.yaml",
  ],
  refused: { tool: 'mcp__oldci__run', input: { job: 'test' } },
  category: 'retired-tool',
  persistence: 'not-in-this-run',
  next: /npm test/,
  unsafe: { tool: 'mcp__oldci__run', input: { job: 'test', force: true } },
  safe: { run: 'npm test' },
  unchanged: 'ls -a',
};
