/**
 * Every text that a rule can bring forth: what the agent reads at the first refusal, at a repeat, at a stop and as advice, what the person
 * reads, and what each way out says for itself. None moralizes, shouts, apologizes or asks for another try; a boundary is stated, not debated.
 */
import { describe, expect, it } from 'vitest';
import { budgetFinding } from '../../internal/budget/over.ts';
import type { Decision, Lineage } from '../../internal/decision/record.ts';
import { unresolvedFinding } from '../../internal/intent/unresolved.ts';
import { invalidRequest } from '../../internal/judge/refuse.ts';
import type { Remedy } from '../../internal/rule/rule.ts';
import { agentView, CHANGES } from '../../internal/view/agent.ts';
import { AFTER_A_STOP, haltView } from '../../internal/view/halt.ts';
import { personView } from '../../internal/view/person.ts';
import { promptView } from '../../internal/view/prompt.ts';
import { RULES } from '../../rules/index.gen.ts';
import { sharedBoxes, title } from '../support/boxes.ts';
import { decide } from '../support/judge.ts';

/** What no text says. Closed: a wording that is found wanting is added here and is gone everywhere. */
const WORDINGS: readonly (readonly [what: string, words: RegExp])[] = [
  [
    'judges the one who asked',
    /\b(?:shame|naughty|malicious|adversarial|suspicious|cheat(?:ing)?|careless|reckless|irresponsible|foolish|evil|bad (?:idea|practice|habit)|misbehav\w*|disobe\w*|violat\w+|abus(?:e|ing)|attack(?:er)?)\b/i,
  ],
  [
    'preaches',
    /\b(?:you (?:should|must|need to|ought)|shame on|be careful|think twice|never do|always remember|make sure you|are you sure|not (?:a )?good|for your own)\b/i,
  ],
  ['calls a tool or call unsafe instead of saying what it does', /\b(?:dangerous|unsafe|harmful|risky|insecure|perilous)\b/i],
  ['apologizes or pleads', /\b(?:sorry|apolog\w+|unfortunately|regret|afraid|kindly)\b/i],
  ['shouts', /!(?=\s|$)|\b(?:WARNING|DANGER|ERROR|STOP|DO NOT|NEVER|MUST|FORBIDDEN|BLOCKED|DENIED)\b/],
  [
    'asks for another try',
    /\b(?:try (?:again|once more|it again|later|another time)|retry|retries|retrying|re-?run (?:it|this|the same)|once more|again later|one more time|longer time-?out|increase the timeout|keep trying|run it again)\b/i,
  ],
  [
    'sounds negotiable',
    /\b(?:if you (?:really|still) (?:want|need|must)|unless you (?:are sure|insist|really)|convince|persuade|exception can be made|to override|override this|bypass this|work ?around|get around|just this once|we recommend|feel free|optionally ignore|may ignore)\b/i,
  ],
  [
    'offers to approve itself',
    /\b(?:run|type|use|call|with|by|instead|first):? waygate (?:grant|trust|revoke|uninstall)\b|\b(?:approve|grant|allow)s? (?:it |this )?yourself\b/i,
  ],
  ['promises a later allow', /\b(?:will be allowed|will pass (?:later|then|next)|guaranteed|certainly (?:be allowed|pass))\b/i],
];

/** Names and commands are data, not wording. */
const worded = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^(Run instead|Or run|Better|Call instead|Or call): .*/, '$1'))
    .join('\n')
    .replace(/`[^`]*`/g, '``')
    .replace(/\b[\w@-]+(?:\.[\w-]+)+/g, 'NAME')
    .replace(/Run instead: .*$/gm, 'Run instead');

/** What is wrong with a text, in words that name it. */
const faults = (text: string, data: readonly string[] = []): readonly string[] => {
  let plain = worded(text);
  for (const each of data) if (each.length > 2) plain = plain.replaceAll(each, '');
  return WORDINGS.flatMap(([what, words]) => {
    const found = words.exec(plain);
    return found ? [`${what}: "${found[0]}" in ${JSON.stringify(plain.slice(Math.max(0, found.index - 60), found.index + 60))}`] : [];
  });
};

const LINEAGES: readonly (Lineage | undefined)[] = [
  undefined,
  { repeat: 1, first: '01J', same: 2, any: 2, progress: 'continue' },
  { repeat: 2, first: '01J', same: 3, any: 3, progress: 'checkpoint' },
  { repeat: 5, first: '01J', same: 6, any: 6, progress: 'stop', tripped: { counter: 'boundary', count: 6 } },
  { repeat: 0, first: null, same: 6, any: 6, progress: 'stop', tripped: { counter: 'category', count: 6 } },
];

const ownText = (remedy: Remedy): string => (remedy.kind === 'ask' ? `${remedy.ask}\n${remedy.because}` : remedy.because);

/** All texts of a decision. */
function textsOf(decision: Decision): readonly string[] {
  const placed = decision.verdict === 'deny' ? LINEAGES.map((lineage) => (lineage ? { ...decision, lineage } : decision)) : [decision];
  return [
    ...placed.flatMap((each) => [agentView(each), personView(each)]),
    promptView({ ...decision, prompt: true }),
    ...decision.remedies.map(ownText),
    ...decision.notices.map((notice) => notice.says),
  ];
}

const boxOf = sharedBoxes();

describe.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
  it.each(rule.examples.catches.map((example) => [title(example), example] as const))('%s', async (_title, example) => {
    const decision = await decide(example, boxOf(example));
    // The owner is asked politely, in the agent's own name; what the call itself holds is quoted.
    const data = [decision.action.summary, title(example), ...(decision.atStake ?? [])];
    for (const text of textsOf(decision)) expect(faults(text, data)).toEqual([]);
  });
  it('its page', () => {
    for (const text of [rule.summary, rule.whyNotice ?? '', ...(rule.quiet ?? [])]) expect(faults(text)).toEqual([]);
  });
});

describe('texts that no rule makes', () => {
  it('the ends of a refusal and of a run', () => {
    const halts = (['boundary', 'category', 'any'] as const).flatMap((counter) => Object.values(haltView({ counter, count: 12 }, 'Bash')));
    for (const text of [...Object.values(CHANGES), AFTER_A_STOP, ...halts]) expect(faults(text)).toEqual([]);
  });
  it.each(['calls', 'seconds', 'reads', 'spawn', 'push', 'requests', 'external-effect'])('the budget %s that is spent', (key) => {
    const { says, person, remedies } = budgetFinding({ key, limit: 3, spent: 3, counted: key });
    for (const text of [says, person ?? '', ...remedies.map(ownText)]) expect(faults(text)).toEqual([]);
  });
  it('a call outside whose end is open', () => {
    const open = {
      id: '01J',
      at: '2026-11-30T09:00:00.000Z',
      boundary: 'git.push origin/x',
      session: 's',
      agent: '',
      digest: '',
      summary: 'git push',
    };
    const intent = { boundary: 'git.push origin/x', what: 'a push of `x` to `origin`', status: 'git ls-remote origin refs/heads/x' };
    const { says, person, remedies } = unresolvedFinding(intent, open, true);
    for (const text of [says, person ?? '', ...remedies.map(ownText)]) expect(faults(text)).toEqual([]);
  });
  it('a request that cannot be read', () => {
    const seen = { host: 'claude-code', session: 's', tool: 'Bash' };
    for (const field of ['payload', 'tool_input.command'])
      for (const text of textsOf(invalidRequest(seen, { field, expected: 'a string', got: 'a number' }, new Date(0))))
        expect(faults(text)).toEqual([]);
  });
  it('the list sees what it is for', () => {
    for (const text of [
      'You should be careful!',
      'Please try again later.',
      'This is a dangerous command',
      'WARNING: no',
      'run waygate grant 01J',
    ])
      expect(faults(text)).not.toEqual([]);
  });
});
