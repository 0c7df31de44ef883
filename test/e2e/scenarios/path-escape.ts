import type { Scenario } from './scenario.ts';

export const pathEscape: Scenario = {
  name: 'path escape',
  given: [],
  refused: { run: 'rm ../../home/dev/Documents/letter.txt' },
  category: 'outside-workspace',
  persistence: 'owner-action',
  next: /checkpoint|request|Ask the owner/,
  unsafe: { run: `python3 -c "import os; os.remove('{{home}}/Documents/letter.txt')"` },
  safe: { run: 'ls ../../home/dev/Documents' },
  unchanged: 'cat {{home}}/Documents/letter.txt',
};
