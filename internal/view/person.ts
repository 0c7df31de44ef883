/** What the person reads: one plain sentence, no rule names. A pure function of the decision. */
import type { Decision } from '../decision/record.ts';
import { counted } from './halt.ts';
import { line } from './visible.ts';

const LIMIT = 400;

/** The person's line; '' when nothing needs to be shown. Only a stopped call and a call that could not be judged are worth an interruption. */
export function personView(decision: Decision): string {
  const tripped = decision.lineage?.tripped;
  if (tripped)
    return `waygate stopped the run: ${line(`${counted(tripped, decision.action.tool, decision.category)}. Last: ${plain(decision.person ?? decision.says ?? '')}`, LIMIT)}`;
  // The host's own prompt says it.
  if (decision.prompt) return '';
  if (decision.verdict === 'deny') return `waygate stopped a call: ${line(plain(decision.person ?? decision.says ?? ''), LIMIT)}`;
  if (decision.kind === 'unavailable') return `waygate: ${line(plain(decision.notices[0]?.says ?? ''), LIMIT)}`;
  return decision.granted?.first ? grantedText(decision) : heldText(decision);
}

/** A call passed on a grant: said once, at its first use. */
const grantedText = (decision: Decision): string =>
  line(
    `waygate: your grant ${decision.granted!.id} let this pass: ${decision.action.summary} (${decision.granted!.by[0]!.boundary})`,
    LIMIT,
  );

/** A call passed because a checkpoint holds what it destroys: which one, and how to get it back. */
function heldText(decision: Decision): string {
  const held = decision.held ?? [];
  const [first] = held;
  if (!first) return '';
  const names = held
    .slice(0, 3)
    .map((each) => each.name)
    .join(', ');
  const more = held.length > 3 ? ` and ${held.length - 3} more` : '';
  return line(
    `waygate: checkpoint ${first.checkpoint} holds ${names}${more}, which this call takes away. To get it back: waygate checkpoint restore ${first.checkpoint}`,
    LIMIT,
  );
}

/** Backticks are for the agent. */
const plain = (text: string): string => text.replaceAll('`', '');
