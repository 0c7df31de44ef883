/** The words of a stop: the counter that tripped and what it stood at, never more than was tracked. */
import type { Lineage } from '../decision/record.ts';

type Tripped = NonNullable<Lineage['tripped']>;

/** What was counted, as a clause. */
export function counted({ counter, count }: Tripped, tool: string, category = 'one category'): string {
  switch (counter) {
    case 'boundary':
      return `${count} refusals on one boundary`;
    case 'category':
      return `${count} refusals of ${tool} in a row of one category (${category})`;
    case 'any':
      return `${count} calls of ${tool} in a row were refused or failed`;
  }
}

/** How a stopped run goes on. */
export const AFTER_A_STOP =
  'Stop here: say what is done, what is blocked and what the owner would have to do. That is a valid end; other calls are judged as before.';

/** A stop by a failure, which has no decision of its own. */
export function haltView(tripped: Tripped, tool: string): { agent: string; person: string } {
  const what = counted(tripped, tool, 'refused by the host');
  return { agent: `[waygate] Stopped: ${what}.\n${AFTER_A_STOP}`, person: `waygate stopped the run: ${what}.` };
}
