import { defineRule, type EffectOf, type Facts, names, type Target } from '../../internal/rule/rule.ts';

type On = 'file.read' | 'file.copy' | 'file.link' | 'file.sync';

/** What a call reads, or makes readable elsewhere. */
function sourcesOf(effect: EffectOf<On>): readonly Target[] {
  if (effect.kind === 'file.read') return effect.targets;
  if (effect.kind === 'file.copy') return effect.sources;
  return [effect.kind === 'file.link' ? effect.target : effect.from];
}

/** In the guard's own folder, also through a link. The run log beside a repository is no secret. */
function isRecord(path: string, facts: Pick<Facts, 'wiring' | 'place' | 'file'>): boolean {
  const found = facts.file(path);
  return [path, ...(found.target === undefined ? [] : [found.target])].some(
    (each) => facts.place(each) === 'guard' && facts.wiring(each) === 'state',
  );
}

/** The verb that shows what is meant to be read, by the part of the folder. */
const VERBS: readonly (readonly [part: RegExp, verb: string, because: string])[] = [
  [/\/waygate\/checkpoints(?:\/|$)/, 'checkpoint list', 'shows the checkpoints and how to restore them'],
  [/\/waygate\/(?:requests|grants|trust)/, 'requests', 'shows what was asked and what the owner decided'],
  [/\/waygate\/intents(?:\/|$)/, 'intents', 'shows the calls outside whose end is open'],
];

export default defineRule({
  name: 'state-read',
  group: 'guard',
  summary: 'Read what the guard has decided through its verbs.',
  why: `
    The records hold more than an agent is told: which rules spoke on which facts, what is hidden in this run, what the owner decided for
    others. The verbs show what is meant to be read; the trace behind it is for a person who looks into a decision.
  `,
  evidence:
    'Derived from the requirements: a protected trace keeps the exact rules and state for authorised eyes, and the normal explanation holds only what the requester could know. No real call in about 6,000 reads the folder. Would reopen it: something in it that no verb shows and an agent needs.',
  on: ['file.read', 'file.copy', 'file.link', 'file.sync'],
  needs: ['wiring', 'place', 'file', 'show'],
  level: 'deny',
  fixed: true,
  category: 'self-protection',
  persistence: 'not-in-this-run',
  quiet: [
    'the verbs of waygate itself',
    'listing names',
    'run logs and gate records beside the repository',
    'a search that starts above the folder',
  ],

  judge(effect, { facts, waygate }) {
    if (effect.remote) return;
    const path = sourcesOf(effect)
      .map((target) => target.path ?? (target.prefix || undefined))
      .find((each) => each !== undefined && isRecord(each, facts));
    if (path === undefined) return;
    const shown = facts.show(path);
    const verb = VERBS.find(([part]) => part.test(path)) ?? (['', 'log', 'shows what was decided, and why'] as const);
    return {
      says: `This would read ${names([shown])}, where waygate keeps its own records.`,
      person: `The agent wanted to read the guard's own records in ${shown}.`,
      boundary: `guard.state read ${path}`,
      remedies: [
        { kind: 'run', run: `${waygate} ${verb[1]}`, because: verb[2] },
        { kind: 'wait', because: `\`${waygate} verdict ID\` shows one decision, \`${waygate} describe limits\` what is in force here` },
      ],
    };
  },

  examples: {
    catches: [
      { run: 'cat "$XDG_STATE_HOME/waygate/sessions/s1/ledger.jsonl"' },
      { run: 'grep -rn hidden "$XDG_STATE_HOME/waygate"' },
      { run: 'python3 -c "print(open(\'{{state}}/waygate/trust.json\').read())"' },
      { run: 'cp -r "$XDG_STATE_HOME/waygate/sessions" copy' },
      { run: 'ln -s "$XDG_STATE_HOME/waygate" notes' },
      { run: 'cat notes/trust.json', given: ['mkdir -p "$XDG_STATE_HOME/waygate"', 'ln -s "$XDG_STATE_HOME/waygate" notes'] },
      { tool: 'Read', input: { file_path: '{{state}}/waygate/sessions/s1/ledger.jsonl' } },
      { tool: 'Grep', input: { pattern: 'deny', path: '{{state}}/waygate', output_mode: 'content' } },
    ],
    allows: [
      { run: 'waygate log --json' },
      { run: 'waygate checkpoint list' },
      { run: 'ls "$XDG_STATE_HOME/waygate"', why: 'names tell nothing' },
      { run: 'cat "$XDG_STATE_HOME/other/notes.txt"' },
      { run: 'cat .git/waygate/runs.jsonl', why: 'the run log of the workspace' },
      { tool: 'Read', input: { file_path: '{{repo}}/docs/waygate/log.md' } },
    ],
  },
});
