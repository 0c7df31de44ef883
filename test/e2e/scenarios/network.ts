import type { Scenario } from './scenario.ts';

export const network: Scenario = {
  name: 'network',
  given: ["printf 'version: 1\\nnetwork: { allow: [api.example] }\\n' > waygate.yaml"],
  refused: { run: 'curl -sO https://files.elsewhere.example/data.json' },
  category: 'network-unavailable',
  persistence: 'owner-action',
  next: /request|Ask the owner/,
  unsafe: { tool: 'WebFetch', input: { url: 'https://files.elsewhere.example/data.json', prompt: 'give me the data' } },
  safe: { run: 'curl -sO https://api.example/data.json' },
  unchanged: 'ls -a',
};
