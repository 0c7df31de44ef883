/** Judging examples in this process, through the same composition as the hook: host payload, policy, facts, engine. */
import path from 'node:path';
import { sources } from '../../cmd/waygate/compose.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { indexRules } from '../../internal/engine/evaluate.ts';
import type { Facts } from '../../internal/fact/facts.ts';
import { hostNamed } from '../../internal/host/hosts.ts';
import { answer } from '../../internal/judge/answer.ts';
import type { Bench } from '../../internal/judge/judge.ts';
import type { Policy } from '../../internal/policy/policy.ts';
import type { AnyRule, Example, Level } from '../../internal/rule/rule.ts';
import type { Look } from '../../internal/shell/command.ts';
import { filled, type Sandbox } from './sandbox.ts';

/** A call of Claude Code as its hook would send it. */
export function payloadOf(example: Example, box: Sandbox): Record<string, unknown> {
  const tool = 'run' in example ? 'Bash' : example.tool;
  const input = 'run' in example ? { command: filled(example.run, box) } : JSON.parse(filled(JSON.stringify(example.input), box));
  return {
    session_id: 'test',
    transcript_path: '/dev/null',
    cwd: path.join(box.repo, example.cwd ?? '.'),
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_test',
  };
}

/** What a test replaces. */
export interface Instead {
  /** Rules instead of the whole table. */
  rules?: readonly AnyRule[];
  /** One rule set to another level, as a policy that a person has trusted would set it. */
  level?: { rule: string; level: Level };
  /** `none`: nothing else runs on this machine, so that a text is the same everywhere. */
  processes?: 'none';
}

/** The decision on an example in a sandbox: real git, real files, the default policy. */
export async function decide(example: Example, box: Sandbox, instead: Instead = {}): Promise<Decision> {
  const saved = { ...process.env };
  const cwd = process.cwd();
  for (const name of Object.keys(process.env)) if (/^(?:GIT_|XDG_|CLAUDE|WAYGATE)/.test(name)) delete process.env[name];
  Object.assign(process.env, box.env, example.env);
  try {
    const parsed = hostNamed('claude-code')!.parse(payloadOf(example, box), { cwd: box.repo, env: (name) => process.env[name] });
    if (parsed.kind !== 'action') throw new Error(`the example is no action: ${JSON.stringify(parsed)}`);
    const from = sources({});
    const bench = (policy: Policy, look: Look): Bench => {
      const real = from.bench(policy, look);
      return {
        rules: instead.rules ? indexRules(instead.rules) : real.rules,
        policy: instead.level ? withLevel(policy, instead.level) : policy,
        look,
        facts: (action) => (instead.processes ? aloneIn(real.facts(action)) : real.facts(action)),
        waygate: 'waygate',
        now: real.now,
      };
    };
    // Nobody waits: no watchdog, which is a thread for each of ten thousand calls.
    return await answer(parsed.action, { ...from, bench, unhurried: true });
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name];
    Object.assign(process.env, saved);
    process.chdir(cwd);
  }
}

const withLevel = (policy: Policy, { rule, level }: NonNullable<Instead['level']>): Policy => ({
  ...policy,
  rules: { ...policy.rules, [rule]: { level, origin: { file: 'test' }, options: {} } },
});

/** Facts of a machine on which nothing else runs. */
function aloneIn(facts: Facts): Facts {
  return new Proxy(facts, {
    get(target, name: keyof Facts) {
      if (name === 'sweep') return () => ({ session: [], others: [], own: 0 });
      if (name === 'ownProcesses') return () => [];
      if (name === 'after') return (...asked: Parameters<Facts['after']>) => aloneIn(target.after(...asked));
      const value: unknown = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** What one rule said in a decision: its strictest finding. */
export function said(decision: Decision, rule: string): 'deny' | 'advise' | 'notice' | undefined {
  const verdicts = decision.findings.filter((finding) => finding.rule === rule).map((finding) => finding.verdict);
  return (['deny', 'advise', 'notice'] as const).find((verdict) => verdicts.includes(verdict));
}
