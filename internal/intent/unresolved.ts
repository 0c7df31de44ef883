/** A call outside that was let through and whose end nobody has seen: what is said when it is to be made again. Pure. */
import type { Finding, Remedy } from '../rule/rule.ts';
import type { Intent } from './intent.ts';

/** One call whose end is open. */
export interface OpenIntent {
  id: string;
  at: string;
  boundary: string;
  session: string;
  agent: string;
  call?: string;
  digest: string;
  summary: string;
  status?: string;
}

/** The finding: the one open call by name, then how to learn about its end. Approval is no cure for not knowing. */
export function unresolvedFinding(intent: Intent, open: OpenIntent, sameSession: boolean): Finding {
  const when = open.at.slice(0, 16).replace('T', ' ');
  const status = intent.status ?? open.status;
  const query: Remedy[] = status
    ? [{ kind: 'run', run: status, because: 'tells how it ended; once it has answered, the same call is judged anew' }]
    : [];
  const inspect: Remedy = {
    kind: 'wait',
    because: `${status ? 'if that cannot tell, ' : ''}give it time, look at the target itself, or stop and report it as unresolved (${open.id})`,
  };
  return {
    says: `${capital(intent.what)} was let through at ${when} UTC${sameSession ? '' : ' in another session here'}, and how it ended is not known; made again it could happen twice.`,
    person: `A call that was interrupted earlier (${open.summary}) was about to be made again.`,
    remedies: [...query, inspect] as unknown as [Remedy, ...Remedy[]],
    category: 'outcome-unresolved',
    persistence: 'state-change',
    boundary: `unresolved ${intent.boundary}`,
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
