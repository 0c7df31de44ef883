/** `waygate intents`: calls outside the workspace whose end is not known. Saying how one ended is a person's. */
import { appendIntent, interruptedNote, type KnownIntent, readIntents } from '../../internal/intent/store.ts';
import { appendRecord } from '../../internal/ledger/append.ts';
import type { ResolvedRecord } from '../../internal/ledger/records.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { visible } from '../../internal/view/visible.ts';
import { assurePerson } from './person.ts';
import { type Exit, Failure, paint, say, sayJson, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  all?: boolean;
  json?: boolean;
  done?: boolean;
  notDone?: boolean;
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument('[resolve]', 'resolve: say how one ended; a person, on a terminal')
    .argument('[id]', 'the intent')
    .option('--all', 'resolved ones too')
    .option('--json', 'one JSON document')
    .option('--done', 'it took effect')
    .option('--not-done', 'it did not')
    .action(async (verb: string | undefined, id: string | undefined, flags: Flags) => exit(await intents(verb, id, flags)));
  examples(command, [
    ['waygate intents', 'what is open here, with the query that tells'],
    ['waygate intents resolve 01JD… --not-done', 'the same call may be made again'],
  ]);
};

const here = (): string => rootOf(process.cwd()) ?? process.cwd();

async function intents(verb: string | undefined, id: string | undefined, flags: Flags): Promise<Exit> {
  if (verb === 'resolve') return resolve(id, flags);
  if (verb !== undefined) throw new UsageError(`intents: ${JSON.stringify(verb)} is not resolve`);
  const list = readIntents(here()).filter((intent) => flags.all || !intent.resolved);
  if (flags.json) {
    sayJson({ intents: list });
    return 0;
  }
  if (list.length === 0) say('no call outside is open here');
  for (const intent of list) say(shown(intent));
  return 0;
}

function shown(intent: KnownIntent): string {
  const lines = [
    `${intent.id}  ${intent.resolved ? `${intent.resolved.how} (by ${intent.resolved.by})` : 'open'}  ${intent.at.slice(0, 16).replace('T', ' ')}  ${intent.boundary}`,
    `  call      ${intent.summary}`,
    ...(intent.status && !intent.resolved ? [`  ask       ${intent.status}`] : []),
    ...(intent.resolved ? [] : [`  ${interruptedNote(intent)}`]),
  ];
  return visible(lines.join('\n'));
}

async function resolve(id: string | undefined, flags: Flags): Promise<Exit> {
  if (id === undefined) throw new UsageError('intents resolve needs the id of an intent');
  if (flags.done === flags.notDone) throw new UsageError('intents resolve: either --done or --not-done');
  const intent = readIntents(here()).find((each) => each.id === id);
  if (!intent) throw new Failure(`there is no intent ${visible(id)} here; see waygate intents`);
  if (intent.resolved) throw new Failure(`${visible(id)} is resolved already: ${intent.resolved.how}`);
  const how = flags.done ? 'done' : 'not-done';
  await assurePerson('intents resolve', `say that this ${flags.done ? 'took effect' : 'did not take effect'}:\n${shown(intent)}`, {
    intent: id,
    how,
  });
  const record: ResolvedRecord = { t: 'resolved', at: new Date().toISOString(), intent: id, by: 'person', how };
  appendIntent(here(), record);
  appendRecord(intent.session, record);
  say(`${paint('green', 'resolved')}  ${visible(id)}  ${how}`);
  return 0;
}
