/** An example of a rule as a call of Claude Code, and what the engine says about it. */
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { hostNamed } from '../../internal/host/hosts.ts';
import { answer } from '../../internal/judge/answer.ts';
import type { Example } from '../../internal/rule/rule.ts';
import { sources, type WhatIf } from './compose.ts';

type Call = Pick<Extract<Example, { run: string }>, 'run'> | Pick<Extract<Example, { tool: string }>, 'tool' | 'input'>;

/** The call in a directory. undefined when the host would not read it as one. */
export function actionOf(example: Call, cwd: string): Action | undefined {
  const payload = {
    session_id: 'example',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'run' in example ? 'Bash' : example.tool,
    tool_input: 'run' in example ? { command: example.run } : example.input,
  };
  const parsed = hostNamed('claude-code')!.parse(payload, { cwd, env: () => undefined });
  return parsed.kind === 'action' ? parsed.action : undefined;
}

/** The decision on an example; nothing is recorded and waygate is called by its name. */
export async function decideExample(example: Call, cwd: string, whatIf: WhatIf): Promise<Decision | undefined> {
  const action = actionOf(example, cwd);
  if (!action) return undefined;
  const from = sources(whatIf);
  return answer(action, { ...from, bench: (policy, look) => ({ ...from.bench(policy, look), waygate: 'waygate' }) });
}
