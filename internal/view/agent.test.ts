import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision/record.ts';
import { agentView } from './agent.ts';
import { personView } from './person.ts';
import { line, visible } from './visible.ts';

const base: Decision = {
  schema: 1,
  id: '01J',
  at: '2026-11-30T09:00:00.000Z',
  host: 'claude-code',
  session: 's',
  policy: 'sha256:x',
  action: { surface: 'shell', tool: 'Bash', digest: 'sha256:y', summary: 'git push --force origin main' },
  verdict: 'deny',
  kind: 'policy',
  effects: [{ step: 0 }],
  findings: [],
  rule: 'force-push',
  category: 'external-effect',
  persistence: 'owner-action',
  says: '`--force` would drop 2 commits that are only on origin/main (a1b2c3d, e4f5a6b).',
  person: 'The push would have dropped 2 commits on `origin/main`.',
  remedies: [{ kind: 'run', run: 'git push -u origin HEAD:feat/parser', because: 'nothing is overwritten' }],
  notices: [],
  reasonRevision: 1,
  took: { ms: 0, git: 0 },
};
const decision = (fields: Partial<Decision>): Decision => ({ ...base, ...fields });

describe('what the agent reads', () => {
  it('on a deny: rule, what did not happen, what was caught, one next action, what could change it', () => {
    expect(agentView(base)).toBe(
      [
        '[force-push] Nothing ran. `--force` would drop 2 commits that are only on origin/main (a1b2c3d, e4f5a6b).',
        'Run instead: git push -u origin HEAD:feat/parser',
        'This stays so until the owner grants it. Page: waygate describe rules force-push',
      ].join('\n'),
    );
  });

  it('on a deny that a checkpoint clears', () => {
    const text = agentView(
      decision({
        rule: 'discard-changes',
        remedies: [
          { kind: 'run', run: 'waygate checkpoint -- a', because: 'saved', then: 'again' },
          { kind: 'ask', ask: 'May I?', because: 'x' },
        ],
      }),
    );
    expect(text.split('\n').slice(1)).toEqual([
      'Run instead: waygate checkpoint -- a',
      'Then the same call passes.',
      'Or ask the owner: May I?',
      'Page: waygate describe rules discard-changes',
    ]);
  });

  it('on a line of several commands says that none ran', () =>
    expect(agentView(decision({ effects: [{ step: 0 }, { step: 3 }] }))).toContain('Nothing ran (the whole line).'));

  it('names at most three ways on', () => {
    const remedies = ['a', 'b', 'c', 'd', 'e'].map((run) => ({ kind: 'run', run, because: '' }) as const);
    expect(agentView(decision({ remedies })).match(/^(Run instead|Or run): .$/gm)).toEqual(['Run instead: a', 'Or run: b', 'Or run: c']);
  });

  it('on advice: what is better, that it runs, and where the off switch is', () => {
    expect(agentView(decision({ verdict: 'advise' })).split('\n')).toEqual([
      '[force-push] `--force` would drop 2 commits that are only on origin/main (a1b2c3d, e4f5a6b).',
      'Better: git push -u origin HEAD:feat/parser',
      'It runs as it is. Off switch and more: waygate describe rules force-push',
    ]);
  });

  it('on a notice: one line', () => expect(agentView(decision({ verdict: 'notice', says: 'fact' }))).toBe('[force-push] fact'));

  it('adds the notices of others', () =>
    expect(agentView(decision({ notices: [{ rule: 'stage-all', says: 'too much' }] }))).toContain('\n[stage-all] too much\n'));

  it('nothing on a pass', () => expect(agentView(decision({ verdict: 'pass' }))).toBe(''));

  it('never lets a name hide or turn words round', () => {
    const text = agentView(decision({ says: `\`a\u202eb\u200b\u001b[31m${String.fromCodePoint(0xe0041)}\` x\ny` }));
    expect(text).toContain('`a\\u{202e}b\\u{200b}\\u{1b}[31m\\u{e0041}` x y');
  });
});

describe('what the agent reads on a repeat', () => {
  const lineage = (more: Partial<NonNullable<Decision['lineage']>>): Partial<Decision> => ({
    says: 'Another wording of the same.',
    lineage: { repeat: 1, first: '01FIRST', same: 2, any: 2, progress: 'continue', says: base.says!, ...more },
  });
  const again =
    '[force-push] Same boundary as before (decision 01FIRST, 2 times): `--force` would drop 2 commits that are only on origin/main (a1b2c3d, e4f5a6b). Nothing ran. Run instead: git push -u origin HEAD:feat/parser';

  it('the second is one line with the first sentence and the way out', () => expect(agentView(decision(lineage({})))).toBe(again));

  it('the third also asks for an account', () => {
    const lines = agentView(decision(lineage({ repeat: 2, progress: 'checkpoint' }))).split('\n');
    expect(lines).toEqual([again.replace('2 times', '3 times'), expect.stringMatching(/^Before the next call, take stock/)]);
  });

  it.each([
    [{ counter: 'boundary', count: 6 }, '6 refusals on one boundary (the first: decision 01FIRST)'],
    [{ counter: 'category', count: 7 }, '7 refusals of Bash in a row of one category (external-effect)'],
    [{ counter: 'any', count: 12 }, '12 calls of Bash in a row were refused or failed'],
  ] as const)('a stop states the counter that tripped: %j', (tripped, words) => {
    const stop = decision(lineage({ repeat: 5, progress: 'stop', tripped }));
    expect(agentView(stop).split('\n')).toEqual([
      `[force-push] Stopped: ${words}. Nothing ran. Another wording of the same.`,
      'Run instead: git push -u origin HEAD:feat/parser',
      expect.stringMatching(/^Stop here: .* valid end/),
    ]);
    expect(personView(stop)).toMatch(/^waygate stopped the run: \d+ .*Last: The push would have dropped/);
  });

  it('never promises a later pass and never invites another try', () => {
    for (const progress of ['continue', 'checkpoint', 'stop'] as const) {
      const text = agentView(decision(lineage({ progress, tripped: { counter: 'boundary', count: 6 } })));
      expect(text).not.toMatch(/try again|retry|later|will pass/i);
    }
  });
});

describe('what the person reads', () => {
  it('a plain sentence, without rule name and backticks', () =>
    expect(personView(base)).toBe('waygate stopped a call: The push would have dropped 2 commits on origin/main.'));
  it('nothing on pass, notice and advice', () => {
    for (const verdict of ['pass', 'notice', 'advise'] as const) expect(personView(decision({ verdict }))).toBe('');
  });
  it('that a call was not judged', () => {
    const unjudged = decision({
      verdict: 'notice',
      kind: 'unavailable',
      notices: [{ rule: 'guard-unfinished', says: 'this call was not judged: no verdict within 2000 ms' }],
    });
    expect(personView(unjudged)).toBe('waygate: this call was not judged: no verdict within 2000 ms');
  });
});

describe('hidden characters', () => {
  it.each([
    ['plain text\nstays', 'plain text\nstays'],
    ['naïve 日本 😀 stays', 'naïve 日本 😀 stays'],
    ['a\tb\rc\0d', 'a\\u{9}b\\u{d}c\\u{0}d'],
    ['a\u00adb\ufeffc', 'a\\u{ad}b\\u{feff}c'],
    ['\ud800x', '\\u{d800}x'],
    ['a\u3164b', 'a\\u{3164}b'],
  ])('%j', (text, expected) => expect(visible(text)).toBe(expected));
  it('one line, cut', () => expect(line('a\n  b c', 5)).toBe('a b c'));
  it('cut with a mark', () => expect(line('abcdefgh', 4)).toBe('abc…'));
});
