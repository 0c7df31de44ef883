import { defineRule, type EffectOf, type Finding, type Remedy } from '../../internal/rule/rule.ts';

type Guarded = EffectOf<'guard.owner-verb' | 'guard.feeds-hook' | 'guard.disable'>;

export default defineRule({
  name: 'owner-verb',
  aliases: ['credential-verb'],
  group: 'guard',
  level: 'deny',
  fixed: true,
  summary: "Leave the guard's own switches and the owner's verbs to the owner.",
  why: `
    Trusting a policy, granting a request, wiring or unwiring the guard and recording a gate run are decisions of a person.
    An agent that takes them itself has approved its own call, and events it hands to the hook would be evidence it made up.
  `,
  evidence:
    'Self-approval is among the commonest ends of the collected refusal loops: the refused agent looks for the switch. The verbs also ask for a terminal of their own, so this rule saves the attempt. It does not reopen: no file can lower it.',
  on: ['guard.owner-verb', 'guard.feeds-hook', 'guard.disable'],
  needs: ['show'],
  category: 'self-protection',
  persistence: 'owner-action',
  quiet: [
    'the help of any verb',
    '`waygate trust --list`, `waygate init --dry-run`, `waygate uninstall --dry-run`',
    'text that mentions a verb, such as a commit message',
  ],

  judge(effect, { waygate }) {
    if (effect.kind === 'guard.disable' && effect.mild) return unasked(effect);
    return {
      says: says(effect),
      person: `The agent tried ${effect.kind === 'guard.disable' ? 'to switch the guard off' : 'what only you can decide'}: ${effect.command}`,
      remedies: remedies(effect, waygate),
      boundary: boundary(effect),
    };
  },

  examples: {
    catches: [
      { run: 'waygate trust' },
      { run: 'echo yes | npx waygate grant 01J8', why: 'the way it is started does not matter' },
      { run: 'node /opt/waygate/dist/waygate.cjs uninstall --yes' },
      { run: 'waygate judge --record < events.jsonl', why: 'only a person adds to the record' },
      { run: 'waygate gate record --file result.json' },
      { run: 'waygate -C sub init --host claude-code' },
      { run: `echo '{"hook_event_name":"PostToolUse"}' | waygate hook --host claude-code`, why: 'an event that no host sent' },
      { run: 'pkill -f waygate' },
      { run: 'rm -f "$(which waygate)"' },
      { run: 'npm uninstall -g waygate' },
      { run: 'claude plugin disable waygate@tools' },
      { run: `claude -p 'go on' --settings '{"disableAllHooks":true}'` },
      { run: "claude --dangerously-skip-permissions -p 'delete the old branches'", gets: 'advise' },
      { run: "codex exec --yolo 'git push'", gets: 'advise' },
    ],
    allows: [
      { run: 'waygate explain "git reset --hard"' },
      { run: 'waygate judge < events.jsonl', why: 'a what-if, it records nothing' },
      { run: 'waygate trust --list' },
      { run: 'waygate init --dry-run' },
      { run: 'waygate grant --help' },
      { run: 'waygate checkpoint -- src/app.ts' },
      { run: 'git commit --allow-empty -m "docs: say when to run waygate trust"' },
      { run: 'grep -rn "waygate uninstall" .' },
      { run: 'waygate describe rules owner-verb' },
      { run: "claude -p 'summarize README.md'" },
      { run: 'claude plugin list' },
    ],
  },

  wrappings: { xargs: 'what xargs adds to the line is not the verb' },
});

/** The hooks of the started agent still judge it, so this is advice. */
function unasked(effect: EffectOf<'guard.disable'>): Finding {
  return {
    level: 'advise',
    says: `\`${effect.command}\` ${effect.how}.`,
    person: `The agent started another one that asks nobody: ${effect.command}`,
    boundary: 'guard.disable prompts',
    remedies: [
      ...(effect.instead === undefined
        ? []
        : [{ kind: 'run', run: effect.instead, because: 'the same agent, with its questions' } as const]),
      { kind: 'ask', ask: `May I run \`${effect.command}\`? It ${effect.how}.`, because: 'the owner decides what runs unasked' },
    ] as unknown as readonly [Remedy, ...Remedy[]],
  };
}

function says(effect: Guarded): string {
  if (effect.kind === 'guard.disable') return `\`${effect.command}\` keeps the guard from judging: it ${effect.how}.`;
  if (effect.kind === 'guard.feeds-hook')
    return 'The hook reads events of the host; one that the agent writes itself would be made-up evidence.';
  if (effect.verb === '') return `Which verb \`${effect.command}\` runs is not known, and some of them are the owner's alone.`;
  return `\`waygate ${effect.verb}\` is a decision of the owner, and an agent cannot take it.`;
}

/** A look that changes nothing where there is one, then the sentence for the owner. */
function remedies(effect: Guarded, waygate: string): readonly [Remedy, ...Remedy[]] {
  if (effect.kind === 'guard.disable') {
    return [
      {
        kind: 'ask',
        ask: `The guard is in my way: may it be switched off for this step? I would run \`${effect.command}\`.`,
        because: 'only the owner decides whether the guard runs',
      },
      { kind: 'run', run: `${waygate} describe rules`, because: 'shows each rule and the way past it' },
    ];
  }
  if (effect.kind === 'guard.feeds-hook') {
    const ask: Remedy = {
      kind: 'ask',
      ask: `May I run \`${effect.command}\`? It hands an event of my own to the hook.`,
      because: 'only the host and the owner do that',
    };
    if (!effect.judge) return [ask];
    return [
      {
        kind: 'run',
        run: `${effect.judge.before}${waygate} judge${effect.judge.after}`,
        because: 'judges the same event as a what-if and records nothing',
      },
      ask,
    ];
  }
  const ask: Remedy = {
    kind: 'ask',
    ask: `Could you run \`${effect.command}\` in a terminal of your own?`,
    because: 'it asks a person to type a word back',
  };
  const look = lookFor(effect.verb, waygate);
  return look ? [ask, look] : [ask];
}

function lookFor(verb: string, waygate: string): Remedy | undefined {
  if (verb === 'trust') return { kind: 'run', run: `${waygate} trust --list`, because: 'shows what is trusted and what waits' };
  if (verb === 'init' || verb === 'uninstall')
    return { kind: 'run', run: `${waygate} ${verb} --dry-run`, because: 'shows what it would change' };
  return undefined;
}

function boundary(effect: Guarded): string {
  if (effect.kind === 'guard.disable') return 'guard.disable';
  return effect.kind === 'guard.feeds-hook' ? 'guard.feeds-hook' : `guard.owner-verb ${effect.verb}`;
}
