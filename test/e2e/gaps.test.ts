/** The gaps of the source (ADR 0013) as tests by name, over random calls through the built program. G11 stands in pre-push.test.ts. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../internal/decision/record.ts';
import { quote } from '../../internal/rule/quote.ts';
import { RULES } from '../../rules/index.gen.ts';
import { waygate } from '../support/cli.ts';
import { CORPORA, rowsOf } from '../support/rows.ts';
import { filled, remove, type Sandbox, sandbox } from '../support/sandbox.ts';

/** As many as the issue asks for. */
const CALLS = 1000;

let box: Sandbox;
let calls: readonly string[];
let first: readonly Decision[];

/** Lines of the examples, of the corpora, and lines put together from both. Never run: only judged. */
function randomCalls(): readonly string[] {
  const known = [
    ...RULES.flatMap((rule) => [...rule.examples.catches, ...rule.examples.allows].flatMap((each) => ('run' in each ? [each.run] : []))),
    ...CORPORA.flatMap((corpus) => rowsOf(corpus).flatMap((row) => (row.tool ? [] : [row.command]))),
  ].filter((line) => line.length < 400);
  const line = fc.constantFrom(...known);
  const wrapped = fc.oneof(
    { weight: 5, arbitrary: line },
    { weight: 1, arbitrary: line.map((each) => `bash -c ${quote(each)}`) },
    { weight: 1, arbitrary: fc.tuple(line, fc.constantFrom(' && ', '; ', ' || ', '\n'), line).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('cd src && ', 'cd .. && ', 'A=1 ', 'set -e; '), line).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.tuple(line, fc.string({ unit: 'grapheme', maxLength: 12 })).map(([each, tail]) => `${each} ${tail}`) },
  );
  return fc.sample(wrapped, { numRuns: CALLS, seed: 20_261_130 }).map((each) => filled(each, box));
}

const event = (command: string, session = 'gaps'): string =>
  JSON.stringify({ session_id: session, cwd: box.repo, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });

/** The first of them as things are, the others in the worst of worlds: with git and files a thousand calls take their time. */
const REAL = 300;

function judged(lines: readonly string[], ...args: string[]): readonly Decision[] {
  if (lines.length === 0) return [];
  const { code, stdout, stderr } = waygate(box, ['judge', ...args], { input: lines.map((line) => event(line)).join('\n') });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((each) => JSON.parse(each) as Decision);
}

/**
 * What a decision says, without the moment it was made at. With real files only what it comes to: its sentences may name what lies on this
 * machine now, such as what else came into its temporary folder.
 */
function said(decision: Decision, number: number): unknown {
  const { id: _id, at: _at, took: _took, ...rest } = decision;
  if (number >= REAL) return rest;
  const { verdict, rule, category, persistence, boundary, findings, remedies } = decision;
  return {
    verdict,
    rule,
    category,
    persistence,
    boundary,
    findings: findings.map((finding) => [finding.rule, finding.verdict]),
    ways: remedies.map((remedy) => remedy.kind),
  };
}

beforeAll(() => {
  box = sandbox(["echo 'export const draft = 1;' >> src/app.ts", "echo 'note' > note.txt"]);
  calls = randomCalls();
  first = inBothWorlds(calls.map((line, i) => [line, i]));
});

/** The decisions on these calls, in their order; each call is always asked in its own world. */
function inBothWorlds(asked: readonly (readonly [line: string, number: number])[]): readonly Decision[] {
  const decisions = new Map<number, Decision>();
  for (const isReal of [true, false]) {
    const here = asked.filter(([, number]) => number < REAL === isReal);
    const answers = judged(
      here.map(([line]) => line),
      ...(isReal ? [] : ['--assume', 'worst']),
    );
    for (const [i, decision] of answers.entries()) decisions.set(here[i]![1], decision);
  }
  return asked.map(([, number]) => decisions.get(number)!);
}
afterAll(() => remove(box));

describe('G6: no remedy this caller cannot reach', () => {
  it(`each command that a deny among ${CALLS} random calls offers passes for the same caller, and its rule keeps quiet`, () => {
    const offered = first.flatMap((decision, number) =>
      decision.verdict === 'deny'
        ? decision.remedies.flatMap((remedy) => (remedy.kind === 'run' ? [{ run: remedy.run, rule: decision.rule ?? '', number }] : []))
        : [],
    );
    expect(offered.length).toBeGreaterThan(CALLS / 20);
    const inWorld = (isReal: boolean) => offered.filter(({ number }) => number < REAL === isReal);
    const asked = [...inWorld(true), ...inWorld(false)];
    const after = [
      ...judged(inWorld(true).map((each) => each.run)),
      ...judged(
        inWorld(false).map((each) => each.run),
        '--assume',
        'worst',
      ),
    ];
    expect(after.length).toBe(offered.length);
    const wrong = after.flatMap((decision, i) =>
      decision.verdict === 'deny' || decision.findings.some((finding) => finding.rule === asked[i]!.rule)
        ? [{ ...asked[i]!, verdict: decision.verdict, by: decision.findings.map((finding) => finding.rule) }]
        : [],
    );
    expect(wrong).toEqual([]);
  });

  it('and each deny offers something', () => {
    expect(first.filter((decision) => decision.verdict === 'deny' && decision.kind === 'policy' && decision.remedies.length === 0)).toEqual(
      [],
    );
  });
});

describe('G7: an identical retry gets the identical verdict', () => {
  it(`${CALLS} random calls, asked again in another order`, () => {
    const order = calls.map((_, i) => i).sort((a, b) => ((a * 7919) % CALLS) - ((b * 7919) % CALLS));
    const again = inBothWorlds(order.map((i) => [calls[i]!, i]));
    const differing = order.flatMap((i, at) =>
      JSON.stringify(said(first[i]!, i)) === JSON.stringify(said(again[at]!, i)) ? [] : [calls[i]!],
    );
    expect(differing).toEqual([]);
  });

  it('a refused call stays refused when the hook is asked again and again', () => {
    const refused = calls.filter((_, i) => i < REAL && first[i]!.verdict === 'deny').slice(0, 6);
    expect(refused.length).toBe(6);
    // A session each, so that no other count stops the run: exit code 2 refuses.
    const asked = refused.map((command, i) =>
      [1, 2, 3, 4].map(() => waygate(box, ['hook', '--host', 'claude-code'], { input: event(command, `gaps-${i}`) }).code),
    );
    expect(asked).toEqual(refused.map(() => [2, 2, 2, 2]));
  });
});
