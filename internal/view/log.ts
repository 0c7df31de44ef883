/** What the log shows of a decision: the record without its protected trace, as data or as one readable line. Pure. */
import type { Decision } from '../decision/record.ts';
import { line } from './visible.ts';

/** The record as everybody may read it: what the call would do and what every rule said is the protected trace. */
export function logView(decision: Decision): Omit<Decision, 'effects' | 'findings' | 'intents' | 'looked' | 'wrote'> {
  const { effects: _effects, findings: _findings, intents: _intents, looked: _looked, wrote: _wrote, ...open } = decision;
  return open;
}

const SUMMARY_LIMIT = 100;
const SAYS_LIMIT = 160;

/** One line: when, who, what was decided, by which rule, on which call. Times as they stand in the record, without the date's zone. */
export function logLine(decision: Decision): string {
  const at = decision.at.slice(0, 19).replace('T', ' ');
  const agent = decision.agent ? `/${decision.agent.type ?? decision.agent.id}` : '';
  const rule = decision.rule ? ` [${decision.rule}]` : '';
  const category = decision.category ? ` ${decision.category}` : '';
  const call = `${decision.action.tool}: ${line(decision.action.summary, SUMMARY_LIMIT)}`;
  const says = decision.verdict === 'deny' && decision.says ? ` | ${line(decision.says, SAYS_LIMIT)}` : '';
  return `${at}  ${decision.id}  ${decision.session.slice(0, 8)}${agent}  ${decision.verdict.padEnd(6)}${rule}${category}${repeated(decision)}  ${call}${says}`;
}

function repeated({ lineage }: Decision): string {
  if (!lineage) return '';
  if (lineage.progress === 'stop') return ' (stopped the run)';
  return lineage.repeat > 0 ? ` (${lineage.repeat + 1} times)` : '';
}
