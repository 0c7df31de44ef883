/** What the person reads: one plain sentence, no rule names. A pure function of the decision. */
import type { Decision } from '../decision/record.ts';
import { line } from './visible.ts';

const LIMIT = 400;

/** The person's line; '' when nothing needs to be shown. Only a stopped call and a call that could not be judged are worth an interruption. */
export function personView(decision: Decision): string {
  if (decision.verdict === 'deny') return `waygate stopped a call: ${line(plain(decision.person ?? decision.says ?? ''), LIMIT)}`;
  if (decision.kind === 'unavailable') return `waygate: ${line(plain(decision.notices[0]?.says ?? ''), LIMIT)}`;
  return '';
}

/** Backticks are for the agent. */
const plain = (text: string): string => text.replaceAll('`', '');
