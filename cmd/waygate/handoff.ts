/** `waygate handoff`: the account of a session from its ledger, for whoever goes on with the work. */
import { sessionNamed, sessionsOf, type Told } from '../../internal/report/sessions.ts';
import { handoffView } from '../../internal/view/handoff.ts';
import { RULES } from '../../rules/index.gen.ts';
import { handoffHere } from './account.ts';
import { Failure, say, sayJson } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { workspaceHere } from './workspace.ts';

export const define: VerbModule['define'] = (command) => {
  command
    .option('--session <id>', 'the session; the latest of this workspace when absent')
    .option('--json', 'one JSON document')
    .action(async (flags: { session?: string; json?: boolean }) => {
      const { root } = await workspaceHere();
      const handoff = handoffHere(sessionFor(root, flags.session), root, RULES);
      if (flags.json) sayJson({ handoff });
      else say(handoffView(handoff));
    });
  examples(command, [
    ['waygate handoff', 'what is unresolved in the latest session here, and what the owner would have to do'],
    ['waygate handoff --session 5b0c6a1e --json', 'the same of one session, as data'],
  ]);
};

function sessionFor(root: string, id: string | undefined): Told {
  if (id !== undefined) {
    const told = sessionNamed(id);
    if (!told)
      throw new Failure(`handoff: there is no record of a session ${JSON.stringify(id)}; waygate log names those of this workspace`);
    return told;
  }
  const latest = sessionsOf(root).next();
  if (latest.done) throw new Failure('handoff: no session has left a record in this workspace');
  return latest.value;
}
