/** What the agent reads: a pure function of the decision (contract.md, "What the agent reads on a deny"). */
import type { Decision } from '../decision/record.ts';
import type { Remedy } from '../rule/rule.ts';
import { line, visible } from './visible.ts';

/** Longest sentence and longest remedy that are shown, in characters. A remedy that is longer stays whole: cut, it would be another command. */
const SAYS_LIMIT = 600;
/** Other ways on that are named after the first. */
const MORE_WAYS = 2;

/** What could change a refusal, by its persistence. */
const PERSISTENCE: Readonly<Record<string, string>> = {
  time: 'This passes with time, not with another wording.',
  'state-change': 'This stays so until that state changes.',
  'narrower-scope': 'A narrower call can pass; this one stays refused.',
  'owner-action': 'This stays so until the owner grants it.',
  'not-in-this-run': 'This stays so for the whole run.',
};

/** The agent's text; '' when there is nothing to read. */
export function agentView(decision: Decision): string {
  if (decision.verdict === 'deny') return visible(denial(decision));
  if (decision.verdict === 'pass') return '';
  return visible(advice(decision));
}

function denial(decision: Decision): string {
  const name = decision.rule ?? 'waygate';
  const [first, ...others] = decision.remedies;
  const lines = [`[${name}] ${nothingRan(decision)} ${line(decision.says ?? '', SAYS_LIMIT)}`.trim()];
  if (first) lines.push(wayOn(first));
  for (const other of others.slice(0, MORE_WAYS)) lines.push(`Or: ${uncapitalize(wayOn(other))}`);
  lines.push(...noticeLines(decision));
  lines.push(lastLine(decision, name));
  return lines.join('\n');
}

/** Page only for rules: a refusal of the guard itself has none. */
function lastLine(decision: Decision, name: string): string {
  const stays = decision.remedies.some(isAgain) ? '' : (PERSISTENCE[decision.persistence ?? ''] ?? '');
  const page = decision.kind === 'policy' ? `Page: waygate describe rules ${name}` : '';
  return [stays, page].filter(Boolean).join(' ');
}

function nothingRan(decision: Decision): string {
  const commands = new Set(decision.effects.map((effect) => effect['step'])).size;
  return commands > 1 ? `Nothing ran (${commands} commands).` : 'Nothing ran.';
}

const isAgain = (remedy: Remedy): boolean => 'then' in remedy && remedy.then === 'again';

/** One remedy as one line; the command stands at its end or alone, so that it can be copied. */
function wayOn(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'run':
      return remedy.then === 'again' ? `Run first, then the same call passes: ${remedy.run}` : `Run instead: ${remedy.run}`;
    case 'call': {
      const call = `${remedy.tool} ${JSON.stringify(remedy.input)}`;
      return remedy.then === 'again' ? `Call first, then the same call passes: ${call}` : `Call instead: ${call}`;
    }
    case 'wait':
      return `Next: ${remedy.because}`;
    case 'ask':
      return `Ask the owner: ${remedy.ask}`;
    case 'stop':
      return `Stop here: ${remedy.because}`;
  }
}

const uncapitalize = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function advice(decision: Decision): string {
  const lines: string[] = [];
  if (decision.says && decision.rule) {
    const [first] = decision.remedies;
    lines.push(`[${decision.rule}] ${line(decision.says, SAYS_LIMIT)}`);
    if (first && decision.verdict === 'advise') lines.push(wayOn(first).replace(/^Run instead/, 'Better'));
    if (decision.verdict === 'advise')
      lines.push(`It runs as it is. More, and how the owner switches this off: waygate describe rules ${decision.rule}`);
  }
  lines.push(...noticeLines(decision));
  return lines.join('\n');
}

const noticeLines = (decision: Decision): string[] => decision.notices.map((notice) => `[${notice.rule}] ${line(notice.says, SAYS_LIMIT)}`);
