import { describe, expect, it } from 'vitest';
import type { Action } from '../action/action.ts';
import { indexRules } from '../engine/evaluate.ts';
import { assumedFacts, assumedLook } from '../fact/assume.ts';
import { judge } from '../judge/judge.ts';
import { compilePolicyFile } from './compiler.ts';
import { customRules, rulesUnder, wantsCalls } from './custom.ts';
import { ground, RULES } from './fixture.ts';
import { DEFAULT_POLICY } from './policy.ts';

const TEXT = `
custom:
  - rule: prod-migrate
    verdict: deny
    on: { run: "prisma migrate *" }
    says: "Production migrations go through the release job."
    remedy: { run: "npm run migrate:dev" }
    examples: { catches: ["npx prisma migrate deploy"], allows: ["npx prisma migrate status"] }
  - rule: no-infra
    verdict: advise
    on: { path: "infra/**" }
    says: The platform team owns infra
  - rule: no-deletes-in-data
    verdict: deny
    on: { path: "data/**", effect: "file.delete" }
    says: Data stays.
  - rule: no-db-tool
    verdict: deny
    on: { tool: "mcp__db__*" }
    says: The database tool is for people.
    remedy: { ask: "May I use the database tool?" }
  - rule: no-force
    verdict: deny
    on: { run: "git push *", effect: "git.push" }
    says: Pushing is for people.
`;

const at = ground();
const policy = compilePolicyFile(at.put('waygate.yaml', TEXT), RULES);

const said = (action: Partial<Action>) => {
  const full = at.action(action);
  return judge(full, {
    rules: indexRules([]),
    policy,
    look: assumedLook('clean', full),
    facts: (each) => assumedFacts('clean', each, policy),
    waygate: 'waygate',
    now: () => new Date(0),
  });
};
const run = (command: string) => said({ input: { command, dialect: 'posix' }, raw: { command } });

describe("a workspace's own rules", () => {
  it('compile without a mistake', () => expect(policy.errors).toEqual([]));

  it.each([
    ['npx prisma migrate deploy', 'prod-migrate', 'deny'],
    ['prisma   migrate reset --force', 'prod-migrate', 'deny'],
    ["bash -c 'cd x && pnpm exec prisma migrate deploy'", 'prod-migrate', 'deny'],
    ['npx prisma migrate', 'prod-migrate', 'deny'],
    ['echo x > infra/main.tf', 'no-infra', 'advise'],
    ['cd infra && rm main.tf', 'no-infra', 'advise'],
    ['rm data/a.csv', 'no-deletes-in-data', 'deny'],
    ['git push origin x', 'no-force', 'deny'],
  ])('catches %s', (command, rule, verdict) => {
    expect([run(command).rule, run(command).verdict]).toEqual([rule, verdict]);
  });

  it.each([
    'npx prisma migrate status',
    'npx prisma generate',
    'echo "prisma migrate deploy"',
    'cat infra/main.tf',
    'echo x > data/a.csv',
    'cat data/a.csv',
    'git status',
  ])('lets %s through', (command) => expect(run(command).verdict).toBe('pass'));

  it('a tool by name', () => {
    const decision = said({ surface: 'mcp', tool: 'mcp__db__query', input: {}, raw: { query: 'select 1' } });
    expect([decision.rule, ...decision.remedies]).toEqual([
      'no-db-tool',
      expect.objectContaining({ kind: 'run', run: expect.stringMatching(/request --need .* --tool mcp__db__query --input /) }),
      { kind: 'ask', ask: 'May I use the database tool?', because: "the workspace's rule no-db-tool (waygate.yaml:17) says so" },
    ]);
    expect(said({ surface: 'harmless', tool: 'TodoWrite', input: {}, raw: {} }).verdict).toBe('pass');
  });

  it('says what the file says, and where it stands', () => {
    const decision = run('npx prisma migrate deploy');
    expect(decision).toMatchObject({
      says: 'Production migrations go through the release job.',
      remedies: [{ kind: 'run', run: 'npm run migrate:dev' }],
      boundary: 'custom.prod-migrate prisma migrate deploy',
    });
    expect(run('rm data/a.csv').remedies.at(-1)).toMatchObject({ kind: 'ask' });
  });

  it('costs nothing where there are none', () => {
    const table = indexRules(RULES);
    expect(rulesUnder(DEFAULT_POLICY, table)).toBe(table);
    expect(wantsCalls(DEFAULT_POLICY)).toBe(false);
    expect(customRules(policy)).toHaveLength(5);
  });
});
