/** What an agent is not to see, through the built hook: hidden targets in searches, and the guard's own records. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remove, type Sandbox, sandbox } from '../support/sandbox.ts';
import { type Script, script } from '../support/script.ts';

let box: Sandbox;
let agent: Script;
beforeAll(() => {
  box = sandbox([
    'printf \'version: 1\\nprotected: { hidden: ["vault/**"] }\\n\' > waygate.yaml',
    'mkdir vault',
    'echo plan > vault/plan.md',
  ]);
  agent = script(box);
});
afterAll(() => remove(box));

describe('searches past a hidden target', () => {
  it.each<[string, { run: string } | { tool: string; input: Record<string, unknown> }]>([
    ['a search for content', { run: 'grep -rn plan .' }],
    ['a walk over names', { run: "find . -name '*.md'" }],
    ['a listing of all', { run: 'ls -R' }],
    ['the tool for content', { tool: 'Grep', input: { pattern: 'plan', output_mode: 'content' } }],
    ['the tool for names', { tool: 'Glob', input: { pattern: '**/*.md' } }],
  ])('%s is made over the rest, which is named without the hidden one', (name, call) => {
    const told = agent.ask(call, { session_id: `walk-${name.replaceAll(' ', '-')}` });
    expect(told).toMatchObject({ verdict: 'deny', agent: expect.stringContaining('The target is not available in this run.') });
    expect(told.agent).not.toContain('vault');
    const way = /Run instead: (.*)/.exec(told.agent)![1]!;
    expect(way).toContain('src');
    expect(agent.ask({ run: way }, { session_id: `walk-${name.replaceAll(' ', '-')}` }).verdict).toBe('pass');
  });
  it('whether a hidden file is there is not told by asking for its name', () => {
    const answers = ['ls vault', 'ls vault/no-such.md', 'test -e vault/plan.md', 'stat vault/no-such.md'].map((run, at) =>
      agent.ask({ run }, { session_id: `name-${at}` }),
    );
    expect(new Set(answers.map((each) => each.agent)).size).toBe(1);
    expect(answers[0]!.verdict).toBe('deny');
  });
  it('a search below a folder without any passes', () => {
    expect(agent.ask({ run: 'grep -rn app src' }, { session_id: 'walk-free' }).verdict).toBe('pass');
  });
});

describe('the records of the guard', () => {
  it('are read through its verbs and by no other way', () => {
    const ledger = `${box.state}/waygate/sessions`;
    const calls = [
      { run: `cat ${ledger}/s/ledger.jsonl` },
      { run: `grep -rn findings ${ledger}` },
      { run: `cp -r ${ledger} copy` },
      { run: `python3 -c "print(open('${ledger}/s/ledger.jsonl').read())"` },
      { tool: 'Read', input: { file_path: `${ledger}/s/ledger.jsonl` } },
    ];
    calls.forEach((call, at) => {
      const told = agent.ask(call, { session_id: `records-${at}` });
      expect(told).toMatchObject({ verdict: 'deny', agent: expect.stringContaining('[state-read] Nothing ran.') });
      const way = /Run instead: (.*)/.exec(told.agent)![1]!;
      expect(agent.ask({ run: way }, { session_id: `records-${at}` }).verdict).toBe('pass');
    });
    for (const run of ['waygate log --json', 'waygate runs', 'cat .git/waygate/runs.jsonl'])
      expect(agent.ask({ run }, { session_id: 'records-open' }).verdict).toBe('pass');
  });
});
