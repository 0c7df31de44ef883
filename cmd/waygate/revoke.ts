/** `waygate revoke`: a person takes a grant or a rejection back. */
import { redact } from '../../internal/decision/redact.ts';
import { appendOwner, grantsIn, readOwner, rejectionsIn } from '../../internal/grant/store.ts';
import { visible } from '../../internal/view/visible.ts';
import { assurePerson } from './person.ts';
import { type Exit, Failure, paint, say } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument('<id>', 'the grant or the rejection')
    .option('--reason <text>', 'why, for the audit log')
    .action(async (id: string, flags: { reason?: string }) => exit(await revoke(id, flags.reason)));
  examples(command, [['waygate revoke 01JD…', 'the grant counts no more, from now on']]);
};

async function revoke(id: string, reason: string | undefined): Promise<Exit> {
  const records = readOwner();
  const grant = grantsIn(records, new Date()).find((each) => each.id === id);
  const rejection = rejectionsIn(records).find((each) => each.id === id || each.request === id);
  if (!grant && !rejection) throw new Failure(`there is no grant or rejection ${visible(id)}; see waygate requests --all`);
  if (grant?.dead === 'revoked') throw new Failure(`${visible(id)} is taken back already`);
  const what = grant
    ? `take back the grant for ${grant.boundaries?.join(', ') ?? grant.glob ?? grant.rule}`
    : `take back the rejection of ${rejection!.boundaries.join(', ')}`;
  await assurePerson('revoke', visible(what), { id });
  appendOwner({
    t: 'revoked',
    at: new Date().toISOString(),
    id: grant?.id ?? rejection!.id,
    ...(reason ? { reason: redact(reason) } : {}),
  });
  say(`${paint('green', 'revoked')}  ${visible(id)}`);
  return 0;
}
