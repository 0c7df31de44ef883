import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from './scenario.ts';

/** A grant that the owner gave and that has run out since. */
export const staleApproval: Scenario = {
  name: 'stale approval',
  given: [
    'git commit -q --allow-empty -m other',
    'git push -q origin feat/x',
    'git reset -q --hard HEAD~1',
    'git commit -q --allow-empty -m mine',
  ],
  before: ({ box }) => {
    const grant = {
      t: 'grant',
      id: 'G-OLD',
      at: '2026-01-01T09:00:00.000Z',
      until: '2026-01-01T10:00:00.000Z',
      scope: 'workspace',
      workspace: box.repo,
      glob: '*',
      reason: 'once, this morning',
    };
    mkdirSync(join(box.state, 'waygate'), { recursive: true, mode: 0o700 });
    writeFileSync(join(box.state, 'waygate', 'grants.jsonl'), `${JSON.stringify(grant)}\n`, { mode: 0o600 });
  },
  refused: { run: 'git push --force origin feat/x' },
  category: 'external-effect',
  persistence: 'narrower-scope',
  next: /expired/,
  unsafe: { run: "bash -c 'git push origin +feat/x'" },
  safe: { run: 'git push -n origin feat/x' },
  unchanged: 'git ls-remote origin',
};
