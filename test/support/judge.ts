/** Judging examples in this process, through the same composition as the hook: host payload, policy, facts, engine. */
import path from 'node:path';
import { sources } from '../../cmd/waygate/compose.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { hostNamed } from '../../internal/host/hosts.ts';
import { answer } from '../../internal/judge/answer.ts';
import type { Example } from '../../internal/rule/rule.ts';
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

/** The decision on an example in a sandbox: real git, real files, the default policy. */
export async function decide(example: Example, box: Sandbox): Promise<Decision> {
  const saved = { ...process.env };
  const cwd = process.cwd();
  for (const name of Object.keys(process.env)) if (/^(?:GIT_|XDG_|CLAUDE|WAYGATE)/.test(name)) delete process.env[name];
  Object.assign(process.env, box.env, example.env);
  try {
    const parsed = hostNamed('claude-code')!.parse(payloadOf(example, box), { cwd: box.repo, env: (name) => process.env[name] });
    if (parsed.kind !== 'action') throw new Error(`the example is no action: ${JSON.stringify(parsed)}`);
    const from = sources({});
    return await answer(parsed.action, { ...from, bench: (policy, look) => ({ ...from.bench(policy, look), waygate: 'waygate' }) });
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name];
    Object.assign(process.env, saved);
    process.chdir(cwd);
  }
}

/** What one rule said in a decision: its strictest finding. */
export function said(decision: Decision, rule: string): 'deny' | 'advise' | 'notice' | undefined {
  const verdicts = decision.findings.filter((finding) => finding.rule === rule).map((finding) => finding.verdict);
  return (['deny', 'advise', 'notice'] as const).find((verdict) => verdicts.includes(verdict));
}
