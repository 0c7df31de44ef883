/** What the agent reads: a pure function of the decision (contract.md, "What the agent reads on a deny"). */
import type { Decision } from '../decision/record.ts';
import type { Remedy } from '../rule/rule.ts';
import { AFTER_A_STOP, counted } from './halt.ts';
import { line, visible } from './visible.ts';

/** Longest sentence and longest remedy that are shown, in characters. A remedy that is longer stays whole: cut, it would be another command. */
const SAYS_LIMIT = 600;
/** Other ways on that are named after the first. */
const MORE_WAYS = 2;

/** What could change a refusal, by its persistence. */
export const CHANGES: Readonly<Record<string, string>> = {
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
  if (decision.lineage?.progress === 'stop') return stopped(decision);
  if (decision.lineage?.first) return again(decision);
  const name = decision.rule ?? 'waygate';
  const [first, ...others] = decision.remedies;
  const lines = [`[${name}] ${nothingRan(decision)} ${line(decision.says ?? '', SAYS_LIMIT)}`.trim()];
  if (first) lines.push(wayOn(first, { run: 'Run instead: ', call: 'Call instead: ', ask: 'Ask the owner: ' }));
  if (first && isAgain(first)) lines.push('Then the same call passes.');
  for (const other of others.slice(0, MORE_WAYS))
    lines.push(wayOn(other, { run: 'Or run: ', call: 'Or call: ', ask: 'Or ask the owner: ' }));
  lines.push(...noticeLines(decision));
  lines.push(lastLine(decision, name));
  return lines.join('\n');
}

/** A repeat is one line that refers to the first refusal; the third also asks for a progress checkpoint. */
function again(decision: Decision): string {
  const { first, repeat, says, progress } = decision.lineage!;
  const before = `Same boundary as before (decision ${first}, ${repeat + 1} times)`;
  const line1 = `[${decision.rule ?? 'waygate'}] ${before}: ${line(says ?? decision.says ?? '', SAYS_LIMIT)} ${nothingRan(decision)} ${nextStep(decision)}`;
  return progress === 'checkpoint' ? `${line1.trim()}\n${PROGRESS}` : line1.trim();
}

/** What a third refusal asks for: an account of its own, before another attempt. */
const PROGRESS =
  'Before the next call, take stock: what is done, what this boundary still blocks, and which other way leads there or whom to ask.';

/** The counter that tripped, the refusal, and that stopping is a valid end. */
function stopped(decision: Decision): string {
  const { first, tripped } = decision.lineage!;
  const what = counted(tripped!, decision.action.tool, decision.category);
  const since = first && tripped!.counter === 'boundary' ? ` (the first: decision ${first})` : '';
  const lines = [
    `[${decision.rule ?? 'waygate'}] Stopped: ${what}${since}. ${nothingRan(decision)} ${line(decision.says ?? '', SAYS_LIMIT)}`.trim(),
  ];
  const way = nextStep(decision);
  if (way) lines.push(way);
  lines.push(AFTER_A_STOP);
  return lines.join('\n');
}

/** The first way on, as it stands in a refusal. */
function nextStep(decision: Decision): string {
  const [first] = decision.remedies;
  return first ? wayOn(first, { run: 'Run instead: ', call: 'Call instead: ', ask: 'Ask the owner: ' }) : '';
}

/** Refusals that no rule of the table makes, and the verb that shows what they rest on. */
const PAGES: Readonly<Record<string, string>> = {
  'outcome-unresolved': 'All open calls: waygate intents',
  'budget-exhausted': 'All limits: waygate describe limits',
};

/** What could change it, and the page; a refusal of the guard itself has none. */
function lastLine(decision: Decision, name: string): string {
  const [first] = decision.remedies;
  const stays = first && isAgain(first) ? '' : (CHANGES[decision.persistence ?? ''] ?? '');
  const page = decision.kind === 'policy' ? (PAGES[name] ?? `Page: waygate describe rules ${name}`) : '';
  return [stays, page].filter(Boolean).join(' ');
}

/** One call is one line: when one command of several is refused, none of them ran. */
function nothingRan(decision: Decision): string {
  if (decision.action.surface === 'push') return 'Nothing was pushed.';
  const several = decision.effects.some((effect) => typeof effect['step'] === 'number' && effect['step'] > 0);
  return several ? 'Nothing ran (the whole line).' : 'Nothing ran.';
}

const isAgain = (remedy: Remedy): boolean => 'then' in remedy && remedy.then === 'again';

/** One remedy as one line; a command stands alone at its end, so that it can be copied. */
export function wayOn(remedy: Remedy, words: Readonly<Record<'run' | 'call' | 'ask', string>>): string {
  switch (remedy.kind) {
    case 'run':
      return `${words.run}${remedy.run}`;
    case 'call':
      return `${words.call}${remedy.tool} ${JSON.stringify(remedy.input)}`;
    case 'wait':
      return `Next: ${remedy.because}`;
    case 'ask':
      return `${words.ask}${remedy.ask}`;
    case 'stop':
      return `Stop here: ${remedy.because}`;
  }
}

function advice(decision: Decision): string {
  const lines: string[] = [];
  if (decision.says && decision.rule) {
    const [first] = decision.remedies;
    lines.push(`[${decision.rule}] ${line(decision.says, SAYS_LIMIT)}`);
    if (first && decision.verdict === 'advise') lines.push(wayOn(first, { run: 'Better: ', call: 'Better: ', ask: 'Ask the owner: ' }));
    if (decision.verdict === 'advise') lines.push(`It runs as it is. Off switch and more: waygate describe rules ${decision.rule}`);
  }
  lines.push(...noticeLines(decision));
  return lines.join('\n');
}

const noticeLines = (decision: Decision): string[] => decision.notices.map((notice) => `[${notice.rule}] ${line(notice.says, SAYS_LIMIT)}`);
