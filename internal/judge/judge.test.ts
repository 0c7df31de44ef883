import { describe, expect, it } from 'vitest';
import type { Action } from '../action/action.ts';
import { indexRules } from '../engine/evaluate.ts';
import { assumedFacts, assumedLook } from '../fact/assume.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { type AnyRule, defineRule, type Finding, type Remedy } from '../rule/rule.ts';
import { answer, type Sources } from './answer.ts';

const shell = (command: string): Action => ({
  host: 'claude-code',
  moment: 'before',
  event: 'PreToolUse',
  surface: 'shell',
  tool: 'Bash',
  input: { command, dialect: 'posix' },
  raw: { command },
  cwd: '/home/dev/project',
  workspace: '/home/dev/project',
  caller: { session: 's' },
});

const examples: AnyRule['examples'] = { catches: [{ run: 'a' }, { run: 'b' }], allows: [{ run: 'c' }, { run: 'd' }] };

/** A rule about deleted files that says what it is told to say. */
const rule = (name: string, more: Partial<Pick<AnyRule, 'group' | 'level'>>, judge: () => Finding | undefined): AnyRule =>
  defineRule({
    name,
    group: more.group ?? 'run',
    level: (more.level ?? 'deny') as 'deny',
    summary: 's',
    why: 'w',
    evidence: 'e',
    on: 'file.delete',
    needs: [],
    category: 'work-loss',
    persistence: 'state-change',
    judge,
    examples,
  });

const finding = (boundary: string, ...remedies: [Remedy, ...Remedy[]]): Finding => ({ says: `caught by ${boundary}`, remedies, boundary });
const run = (line: string): Remedy => ({ kind: 'run', run: line, because: 'b' });

const judged = (rules: readonly AnyRule[], command = 'rm x') => {
  const table = indexRules(rules);
  const sources: Sources = {
    look: (action) => assumedLook('clean', action),
    policy: async () => DEFAULT_POLICY,
    bench: (policy, look) => ({
      rules: table,
      policy,
      look,
      facts: (action) => assumedFacts('clean', action, policy),
      waygate: 'waygate',
      now: () => new Date(0),
    }),
  };
  return answer(shell(command), sources);
};

const throwing = () => {
  throw new Error('broken');
};

describe('settling', () => {
  it('the strictest finding leads and the others are named', async () => {
    const decision = await judged([
      rule('soft', { level: 'advise' }, () => finding('soft', run('ls'))),
      rule('hard', {}, () => finding('hard', run('ls'))),
    ]);
    expect([decision.verdict, decision.rule, decision.notices.map((notice) => notice.rule)]).toEqual(['deny', 'hard', ['soft']]);
  });
  it('a remedy that is refused itself is not shown', async () => {
    const decision = await judged([rule('a', {}, () => finding('a', run('rm y'), run('ls')))]);
    expect(decision.remedies.map((remedy) => 'run' in remedy && remedy.run)).toContain('ls');
    expect(decision.remedies.map((remedy) => 'run' in remedy && remedy.run)).not.toContain('rm y');
  });
  it('a recoverable rule without a reachable way out stands down to a notice', async () => {
    expect((await judged([rule('a', {}, () => finding('a', run('rm y')))])).verdict).toBe('notice');
  });
  it('one that guards against a loss for good keeps the way to the owner', async () => {
    const decision = await judged([rule('a', { group: 'work' }, () => finding('a', run('rm y')))]);
    expect(decision.verdict).toBe('deny');
    expect(decision.remedies.some((remedy) => remedy.kind === 'ask')).toBe(true);
  });
  it('a remedy that clears both denials comes first', async () => {
    const decision = await judged([
      rule('a', { group: 'work' }, () => finding('a', run('ls'), run('pwd'))),
      rule('b', {}, () => finding('b', run('pwd'))),
    ]);
    expect(decision.remedies[0]).toMatchObject({ run: 'pwd' });
  });
  it('protection of the guard answers before everything else', async () => {
    const decision = await judged([
      rule('a', { group: 'work' }, () => finding('a', run('ls'))),
      rule('g', { group: 'guard' }, () => finding('g', run('ls'))),
    ]);
    expect(decision.rule).toBe('g');
  });
});

describe('a rule that breaks', () => {
  it('never lets pass what it guards for good', async () => {
    const decision = await judged([rule('a', { group: 'work' }, throwing)]);
    expect([decision.verdict, decision.kind, decision.category]).toEqual(['deny', 'unavailable', 'policy-unavailable']);
  });
  it('is named in a notice when what it guards can be undone', async () => {
    const decision = await judged([rule('a', {}, throwing)]);
    expect(decision.notices).toEqual([{ rule: 'guard-unfinished', says: 'not judged by a' }]);
  });
});
