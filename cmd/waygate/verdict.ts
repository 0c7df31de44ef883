/** `waygate verdict ID`: one decision in its three views; with --trace also what the engine saw, for a person only. */
import type { Decision } from '../../internal/decision/record.ts';
import { decisionsWithId } from '../../internal/ledger/history.ts';
import { refusal } from '../../internal/person/person.ts';
import { agentView } from '../../internal/view/agent.ts';
import { logLine, logView } from '../../internal/view/log.ts';
import { personView } from '../../internal/view/person.ts';
import { Failure, paint, say, sayJson, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  trace?: boolean;
  json?: boolean;
}

/** A shorter beginning of an id says too little. */
const MIN_PREFIX = 6;

export const define: VerbModule['define'] = (command) => {
  command
    .argument('<id>', `the id of a decision, or at least ${MIN_PREFIX} characters of its beginning`)
    .option('--trace', 'also the effects and findings, to a person only')
    .option('--json', 'one JSON document')
    .action((id: string, flags: Flags) => verdict(id, flags));
  examples(command, [
    ['waygate verdict 01M8P65072PH9ZJ3KE53H774P9', 'what person, agent and log were told'],
    ['waygate verdict 01M8P65072 --trace', 'and what it was made from'],
  ]);
};

function verdict(id: string, { trace = false, json = false }: Flags): void {
  const decision = find(id.toUpperCase());
  if (trace) assurePerson();
  const person = personView(decision);
  const agent = agentView(decision);
  const log = trace ? decision : logView(decision);
  if (json) {
    sayJson({ decision: log, person, agent, log: logLine(decision) });
    return;
  }
  const parts = [
    [`${paint('bold', 'Person')}`, person || 'nothing was shown'],
    [`${paint('bold', 'Agent')}`, agent || 'nothing was said'],
    [`${paint('bold', 'Log')}`, `${logLine(decision)}\n${JSON.stringify(logView(decision), null, 2)}`],
  ];
  if (trace) parts.push([paint('bold', 'Trace'), JSON.stringify(traceOf(decision), null, 2)]);
  say(parts.map(([title, text]) => `${title}\n${text}`).join('\n\n'));
}

/** The protected trace: what the call would do, what every rule said, what it leaves open and looks at. */
const traceOf = ({ effects, findings, intents, looked, wrote }: Decision): object => ({ effects, findings, intents, looked, wrote });

function find(id: string): Decision {
  if (id.length < MIN_PREFIX) throw new UsageError(`verdict needs at least ${MIN_PREFIX} characters of an id; waygate log shows them`);
  const found = decisionsWithId(id);
  if (found.length === 0) throw new Failure(`there is no decision ${id}; waygate log --all shows all there are`);
  if (found.length > 1) throw new Failure(`${found.length} decisions begin with ${id}; give more of it`);
  return found[0]!.decision;
}

/** The trace names rules, facts and targets that an agent is not told. */
function assurePerson(): void {
  const refused = refusal();
  if (refused) throw new Failure(`--trace is for a person: ${refused}`);
}
