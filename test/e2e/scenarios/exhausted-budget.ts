import type { Scenario } from './scenario.ts';

const push = { run: 'git push origin feat/x' };

export const exhaustedBudget: Scenario = {
  name: 'exhausted budget',
  given: ["printf 'version: 1\\nbudgets: { push: 1 }\\n' > waygate.yaml", 'git commit -q --allow-empty -m mine'],
  before: (agent) => {
    agent.done(push, agent.ask(push).id);
  },
  refused: { run: 'git push origin feat/x:refs/heads/feat/y' },
  category: 'budget-exhausted',
  persistence: 'owner-action',
  next: /still allowed|request|Ask the owner/,
  unsafe: { run: "python3 -c \"import subprocess; subprocess.run(['git', 'push', 'origin', 'feat/x'])\"" },
  safe: { run: 'npm test' },
  unchanged: 'git ls-remote origin',
};
