/** What the person reads in the host's own prompt (`owner: ask`): the prepared call and what it means. A pure function of the decision. */
import type { Decision } from '../decision/record.ts';
import { line, visible } from './visible.ts';

const LIMIT = 600;

/** The prompt; '' when the decision is not the person's to make here. */
export function promptView(decision: Decision): string {
  if (decision.verdict !== 'deny' || !decision.prompt) return '';
  const preview = decision.remedies.find((remedy) => remedy.kind === 'run' && !/(^|\s|\/)waygate(\.cjs)?'? request /.test(remedy.run));
  const stake = decision.atStake ?? [];
  return visible(
    [
      `waygate leaves this to you: ${line(plain(decision.says ?? ''), LIMIT)}`,
      `  would run   ${line(decision.action.summary, LIMIT)}`,
      `  it means    ${line(decision.boundary ?? '', LIMIT)}`,
      ...(stake.length > 0
        ? [`  at stake    ${line(stake.slice(0, 5).join(', '), LIMIT)}${stake.length > 5 ? ` and ${stake.length - 5} more` : ''}`]
        : []),
      ...(preview?.kind === 'run' ? [`  look first  ${line(preview.run, LIMIT)}`] : []),
      ...decision.notices.slice(0, 2).map((notice) => `  also        ${line(plain(notice.says), LIMIT)}`),
      'Allowing lets exactly this call run, once. Nothing else changes.',
    ].join('\n'),
  );
}

const plain = (text: string): string => text.replaceAll('`', '');
