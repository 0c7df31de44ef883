/** `waygate explain`: for a person who wants to know why. The parse, the effects, what is at stake, every rule, both texts. */
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { redact, redactArgv } from '../../internal/decision/redact.ts';
import type { Effect } from '../../internal/effect/effect.ts';
import { effectsOf } from '../../internal/effect/effects.ts';
import { hostNamed } from '../../internal/host/hosts.ts';
import { answer } from '../../internal/judge/answer.ts';
import type { Line } from '../../internal/shell/command.ts';
import { readLine } from '../../internal/shell/read.ts';
import { agentView } from '../../internal/view/agent.ts';
import { explanation } from '../../internal/view/explain.ts';
import { personView } from '../../internal/view/person.ts';
import { sources } from './compose.ts';
import { paint, say, sayJson, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { type WhatIfFlags, whatIf, withWhatIf } from './what-if.ts';

interface Flags extends WhatIfFlags {
  tool?: string;
  input?: string;
  json?: boolean;
}

export const define: VerbModule['define'] = (command) => {
  withWhatIf(command)
    .argument('[command]', 'a shell line, as one argument')
    .option('--tool <tool>', 'a tool other than the shell, by the name Claude Code uses')
    .option('--input <json>', 'the input of that tool, as JSON')
    .option('--json', 'one JSON document')
    .action(async (line: string | undefined, flags: Flags) => explain(line, flags));
  examples(command, [
    ["waygate explain 'git reset --hard'", 'here and now: what would be lost'],
    ["waygate explain --assume worst 'rm -rf build'", 'as if everything were at stake'],
    [`waygate explain --tool Write --input '{"file_path":".env","content":""}'`, 'a tool call'],
  ]);
};

async function explain(line: string | undefined, flags: Flags): Promise<void> {
  const action = actionOf(line, flags);
  const asked = await whatIf(flags);
  const from = sources(asked);
  const look = from.look(action);
  const parsed: Line | undefined =
    action.surface === 'shell' && action.input.dialect === 'posix'
      ? readLine(action.input.command ?? '', { cwd: action.cwd, look })
      : undefined;
  const effects: readonly Effect[] = effectsOf(action, look);
  const decision: Decision = await answer(action, from);
  const agent = agentView(decision);
  const person = personView(decision);
  if (flags.json) {
    sayJson({ decision, commands: parsed?.commands.map(plainCommand) ?? [], unread: parsed?.unread ?? [], agent, person });
    return;
  }
  say(explanation({ action, line: parsed, effects, decision, agent, person, assumed: asked.assume }, paint));
}

/** The call as the host would send it. */
function actionOf(line: string | undefined, flags: Flags): Action {
  if (line === undefined && flags.tool === undefined)
    throw new UsageError("explain needs a command in quotes, or --tool with --input; e.g. waygate explain 'git reset --hard'");
  if (line !== undefined && flags.tool !== undefined) throw new UsageError('explain takes a command or --tool, not both');
  const event = {
    session_id: 'explain',
    cwd: process.cwd(),
    hook_event_name: 'PreToolUse',
    tool_name: flags.tool ?? 'Bash',
    tool_input: line === undefined ? inputOf(flags.input) : { command: line },
  };
  const parsed = hostNamed('claude-code')!.parse(event, { cwd: process.cwd(), env: (name) => process.env[name] });
  if (parsed.kind === 'action') return parsed.action;
  const problem = parsed.kind === 'invalid' ? parsed.problem : { field: '--input', got: 'nothing', expected: 'an object' };
  throw new UsageError(
    `--input: \`${problem.field.replace(/^tool_input\.?/, '') || 'the input'}\` is ${problem.got}; expected ${problem.expected}`,
  );
}

function inputOf(text: string | undefined): unknown {
  if (text === undefined) throw new UsageError('--tool needs --input with the tool call as JSON');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--input is not JSON: ${(error as Error).message}`);
  }
}

const plainCommand = (command: Line['commands'][number]) => ({
  step: command.step,
  name: command.name,
  argv: redactArgv(command.argv.map((word) => word.raw)),
  cwd: command.cwd,
  via: command.via,
  certain: command.certain,
  source: redact(command.source),
});
