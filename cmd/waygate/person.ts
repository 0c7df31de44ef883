/** The person check before a person's verb: nothing happens without an answer typed on a terminal, and each use is in the audit log. */
import { askPerson } from '../../internal/person/person.ts';
import { placesOf } from '../../internal/policy/places.ts';
import { audit } from '../../internal/policy/trust.ts';
import { Failure } from './terminal.ts';

/** Asks a person. Throws `Failure` when nobody may be asked or the word was not typed. `what`: what the verb would touch. */
export async function assurePerson(verb: string, what: string, details: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const answer = await askPerson(`waygate ${verb}: ${what}`);
  const said = typeof answer === 'string' ? { answer } : { answer: 'refused', why: answer.refused };
  audit(placesOf(), { schema: 1, at: new Date().toISOString(), verb, ...said, directory: process.cwd(), what, ...details });
  if (answer === 'yes') return;
  if (answer === 'no') throw new Failure(`${verb}: stopped; nothing was changed`);
  throw new Failure(`${verb}: ${answer.refused}`);
}
