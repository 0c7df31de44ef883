/** The figures as text: containment beside adaptation, what the owner was asked, what it cost. Pure. */
import type { Figures, Named } from '../report/figures.ts';
import { visible } from './visible.ts';

const MOST = 15;

export function reportView(figures: Figures): string {
  if (figures.calls === 0) return 'no calls are on record here';
  const { containment, adaptation, owner, cost } = figures;
  return visible(
    [
      `${count(figures.sessions, 'session')}, ${count(figures.calls, 'call')}, ${figures.from} to ${figures.to}`,
      '',
      ...beside(
        'Contained',
        [
          `${containment.refused} refused`,
          `  ${containment.byKind.policy} by a rule`,
          `  ${containment.byKind.validation} not readable as a request`,
          `  ${containment.byKind.unavailable} not judged, so not run`,
          `${containment.onGrant} passed on an owner's grant`,
          `${containment.passedLater} passed later without a way on taken`,
        ],
        'Adapted',
        [
          `${adaptation.boundaries} boundaries met, ${adaptation.repeated} more than once (${adaptation.repeats} repeats)`,
          `${adaptation.remediesOffered} ways on offered, ${adaptation.remediesTaken} taken, ${adaptation.remediesFailed} of these failed`,
          `${adaptation.reached} goals reached`,
          `${adaptation.wentOn} left for other work`,
          `${adaptation.open} open`,
          `${adaptation.stops} runs stopped`,
        ],
      ),
      '',
      'By category',
      ...table(containment.byCategory),
      '',
      'By rule',
      ...table(containment.byRule),
      '',
      'Owner',
      `  ${count(owner.requests, 'request')}: ${owner.granted} granted, ${owner.rejected} rejected, ${owner.waiting} waiting`,
      `  ${count(owner.handoffs, 'handoff')}; ${owner.interrupted} of ${figures.sessions} sessions interrupted (${percent(owner.interruptionRate)}), ${owner.completed} ended with nothing unresolved (${percent(owner.completionRate)})`,
      '',
      'Cost of refused work',
      `  ${count(cost.refusedCalls, 'call')}, ${cost.secondsRefused} s between the first and the last refusal of a boundary`,
      `  the guard itself: ${cost.guardMsMedian} ms median, ${cost.guardMsP95} ms p95`,
    ].join('\n'),
  );
}

/** Two columns: neither is read without the other. */
function beside(left: string, leftLines: readonly string[], right: string, rightLines: readonly string[]): readonly string[] {
  const width = Math.max(left.length, ...leftLines.map((each) => each.length)) + 3;
  const rows = Math.max(leftLines.length, rightLines.length);
  return [
    `${left.padEnd(width)}${right}`,
    ...Array.from({ length: rows }, (_, row) => `${(leftLines[row] ?? '').padEnd(width)}${rightLines[row] ?? ''}`.trimEnd()),
  ];
}

function table(rows: readonly Named[]): readonly string[] {
  if (rows.length === 0) return ['  none'];
  const width = Math.max(...rows.map((row) => row.name.length));
  const shown = rows.slice(0, MOST).map((row) => `  ${row.name.padEnd(width)}  ${row.count}`);
  return rows.length > MOST ? [...shown, `  ${rows.length - MOST} more`] : shown;
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
const percent = (rate: number): string => `${Math.round(rate * 1000) / 10} %`;
