/**
 * What leaves the process towards a host. The sentence is made by the views from the decision alone, so that every adapter gives the same one;
 * a reply never carries a changed input, other metadata of the call, or more rights than the call had.
 */
import { describe, expect, it } from 'vitest';
import type { Decision, Verdict } from '../../internal/decision/record.ts';
import type { Host } from '../../internal/host/host.ts';
import { HOSTS } from '../../internal/host/hosts.ts';
import { agentView } from '../../internal/view/agent.ts';
import { personView } from '../../internal/view/person.ts';
import { promptView } from '../../internal/view/prompt.ts';
import { RULES } from '../../rules/index.gen.ts';
import { sharedBoxes } from '../support/boxes.ts';
import { decide, payloadOf } from '../support/judge.ts';

/** Fields by which a hook could change the call, its rights, or how the host runs it. */
const CHANGING =
  /updated_?(?:input|permissions|mcp)|modified_?input|set_?mode|permission_?(?:mode|updates)|effort|thinking|budget|model|max_?turns|tool_?(?:config|choice)/i;
const AT = { moment: 'before', event: 'PreToolUse' } as const;

/** Every key of a JSON value, nested ones too. */
const keysOf = (value: unknown): readonly string[] =>
  value !== null && typeof value === 'object' ? Object.entries(value).flatMap(([key, item]) => [key, ...keysOf(item)]) : [];
const values = (value: unknown): readonly unknown[] =>
  value !== null && typeof value === 'object' ? Object.values(value).flatMap(values) : [value];

const textsOf = (decision: Decision) => ({
  agent: agentView(decision),
  person: personView(decision),
  ...(decision.prompt ? { prompt: promptView(decision) } : {}),
});

/** What a host's reply says, wherever it says it. */
function read(host: Host, decision: Decision): { raw: unknown; all: string } {
  const { stdout, stderr } = host.render(decision, AT, textsOf(decision));
  const raw = stdout.trim() === '' ? {} : JSON.parse(stdout);
  return { raw, all: `${values(raw).join('\n')}\n${stderr}` };
}

const boxOf = sharedBoxes();
const VERDICTS: readonly Verdict[] = ['deny', 'advise', 'notice', 'pass'];

describe.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
  it('reads the same on every host, and its reply changes nothing about the call', async () => {
    const example = rule.examples.catches[0];
    const decision = await decide(example, boxOf(example));
    const sentence = agentView(decision);
    // Neither host, session nor caller is in the sentence: another adapter brings the same one.
    const elsewhere: Decision = { ...decision, id: '01JOTHER', host: 'other-host', session: 'other', agent: { id: 'a1', type: 'helper' } };
    expect(agentView(elsewhere)).toBe(sentence);
    expect(personView(elsewhere)).toBe(personView(decision));
    for (const host of HOSTS) {
      for (const verdict of VERDICTS) {
        const each: Decision = { ...decision, verdict };
        const { raw, all } = read(host, each);
        if (verdict === 'deny') expect(all).toContain(agentView(each).split('\n')[0]);
        expect(keysOf(raw).filter((key) => CHANGING.test(key))).toEqual([]);
        expect(values(raw)).not.toContain('allow');
        expect(values(raw)).not.toContain('approve');
      }
      const stopped: Decision = {
        ...decision,
        verdict: 'deny',
        lineage: { repeat: 5, first: '01J', same: 6, any: 6, progress: 'stop', tripped: { counter: 'boundary', count: 6 } },
      };
      expect(keysOf(read(host, stopped).raw).filter((key) => CHANGING.test(key))).toEqual([]);
    }
  });
});

describe('the call itself', () => {
  it.each(HOSTS.map((host) => [host.name, host] as const))('%s: the payload is read and not touched', (_name, host) => {
    const example = RULES[0]!.examples.catches[0];
    const payload = { ...payloadOf(example, boxOf(example)), metadata: { mine: { kept: true } } };
    const before = structuredClone(payload);
    const frozen = deepFrozen(payload);
    const parsed = host.parse(frozen, { cwd: '/', env: () => undefined });
    expect(frozen).toEqual(before);
    if (parsed.kind === 'action') expect(parsed.action.raw).toEqual((before as { tool_input?: unknown }).tool_input);
  });
});

function deepFrozen<T>(value: T): T {
  if (value !== null && typeof value === 'object') for (const each of Object.values(value)) deepFrozen(each);
  return Object.freeze(value);
}
