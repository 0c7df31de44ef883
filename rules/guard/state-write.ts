import { defineRule, names, touched } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'state-write',
  aliases: ['cache-dir-write'],
  group: 'guard',
  summary: 'Do not write what the guard judges by.',
  why: `
    Trust, grants, decisions, checkpoints and gate records lie in a folder of the guard's own. Written by hand they would prove what
    never happened: a grant nobody gave, a gate run that never was green, a checkpoint that holds nothing.
  `,
  evidence:
    'Derived from design.md section 6 and 8: a record counts only because nobody but the guard writes it. No real call in about 6,000 touches the folder. Would reopen it: a verb that is missing, which is then to be added.',
  on: ['file.write', 'file.delete', 'file.move', 'file.copy', 'file.link', 'file.mode', 'file.sync', 'net.fetch'],
  needs: ['wiring', 'file', 'show'],
  level: 'deny',
  fixed: true,
  category: 'self-protection',
  persistence: 'owner-action',
  quiet: ['reading, which state-read judges', 'the verbs of waygate itself'],

  judge(effect, { facts, waygate }) {
    if (effect.remote) return;
    const path = touched(effect, facts)
      .map((touch) => touch.target.path ?? (touch.target.prefix || undefined))
      .find((each) => each !== undefined && facts.wiring(each) === 'state');
    if (path === undefined) return;
    const shown = facts.show(path);
    return {
      says: `This would write ${names([shown])}, where waygate keeps what it judges by.`,
      person: `The agent wanted to change the guard's own records in ${shown}.`,
      boundary: `guard.state ${path}`,
      remedies: [
        { kind: 'run', run: `${waygate} log`, because: 'shows what is recorded' },
        {
          kind: 'ask',
          ask: `Please look after ${shown} yourself: ${effect.source}`,
          because: 'the records count only because nobody writes them by hand',
        },
      ],
    };
  },

  examples: {
    catches: [
      { run: 'echo {} > "$XDG_STATE_HOME/waygate/trust.json"' },
      { run: 'rm -rf "$XDG_STATE_HOME/waygate"', given: ['mkdir -p "$XDG_STATE_HOME/waygate"'] },
      { run: 'cp grants.json "$XDG_STATE_HOME"/waygate/' },
      { tool: 'Write', input: { file_path: '{{state}}/waygate/trust.json', content: '{}' } },
      { run: 'echo {} > .git/waygate/gate.jsonl' },
    ],
    allows: [
      { run: 'ls "$XDG_STATE_HOME/waygate"' },
      { run: 'waygate log' },
      { run: 'waygate checkpoint list' },
      { run: 'echo hi > "$XDG_STATE_HOME/other.txt"' },
    ],
  },
});
