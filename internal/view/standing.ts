/**
 * The refusals of a session that still stand, as text for an agent whose memory of them may be gone. It comes from the ledger, so no
 * summary can shorten a category away. Pure.
 */
import type { Decision } from '../decision/record.ts';
import type { BoundaryView, SessionView } from '../ledger/records.ts';
import { CHANGES, wayOn } from './agent.ts';
import { line, visible } from './visible.ts';

/** Refusals that are told in full, and those that are named in one line after another path was taken. */
const FULL = 6;
const SHORT = 8;
const SAYS = 240;

/** A boundary with the record of its first refusal, where that is still there. */
export interface Standing {
  boundary: BoundaryView;
  decision?: Pick<Decision, 'remedies' | 'narrowedFrom'> | undefined;
}

/** The boundaries of a session, the latest first; those that nobody went around yet before the others. */
export function standingOf(view: Pick<SessionView, 'boundaries'>, decisions: ReadonlyMap<string, Decision>): readonly Standing[] {
  const all = Object.values(view.boundaries)
    .reverse()
    .map((boundary) => ({ boundary, decision: decisions.get(boundary.first) ?? decisions.get(boundary.decisions.at(-1) ?? '') }));
  return [...all.filter((each) => !each.boundary.adapted), ...all.filter((each) => each.boundary.adapted)];
}

/** The calls outside whose end is not known: they are no refusals, and must not be made twice either. */
export const openIntents = (view: Pick<SessionView, 'intents'>): readonly SessionView['intents'][string][] =>
  Object.values(view.intents).filter((intent) => !intent.resolved);

/** What is handed over after a compaction; '' when nothing stands. */
export function standingView(standing: readonly Standing[], open: ReturnType<typeof openIntents> = []): string {
  if (standing.length === 0 && open.length === 0) return '';
  const now = standing.filter((each) => !each.boundary.adapted);
  const behind = standing.filter((each) => each.boundary.adapted);
  const lines = [
    '[waygate] From the record of this session, whatever a summary says: these refusals stand until what they rest on changes.',
  ];
  for (const each of now.slice(0, FULL)) lines.push(...inFull(each));
  if (now.length > FULL) lines.push(`- and ${now.length - FULL} more: waygate log lists them`);
  if (behind.length > 0) {
    lines.push('Refused earlier, another path was taken since; still refused:');
    for (const { boundary } of behind.slice(0, SHORT)) lines.push(`- ${short(boundary)}`);
    if (behind.length > SHORT) lines.push(`- and ${behind.length - SHORT} more`);
  }
  if (open.length > 0) {
    lines.push('Let through, and how it ended is not known; not to be made again before that is:');
    for (const intent of open.slice(0, FULL))
      lines.push(`- ${line(intent.boundary, 120)} (${intent.id})${intent.status ? `; ask: ${intent.status}` : ''}`);
  }
  return visible(lines.join('\n'));
}

function inFull({ boundary, decision }: Standing): readonly string[] {
  const [first] = decision?.remedies ?? [];
  return [
    `- ${short(boundary)}; first ${boundary.first}`,
    `  ${line(boundary.says, SAYS)} ${CHANGES[boundary.persistence] ?? ''}`.trimEnd(),
    ...(first ? [`  ${wayOn(first, { run: 'Way out: ', call: 'Way out: ', ask: 'Ask the owner: ' })}`] : []),
  ];
}

const short = ({ boundary, category, rule, count }: BoundaryView): string =>
  `${category}: ${line(boundary, 160)} [${rule}]${count > 1 ? `, ${count} refusals` : ''}`;
