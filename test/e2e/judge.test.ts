/** `waygate judge`: lines of events in, one record a line out; never stops, records nothing. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../internal/decision/record.ts';
import { waygate } from '../support/cli.ts';
import { type Sandbox, sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = sandbox(['echo edited >> src/app.ts']);
});

const event = (command: string, more = {}) => ({
  session_id: 's',
  cwd: box.repo,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  ...more,
});

function judge(lines: readonly (string | object)[], ...args: string[]): Decision[] {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const { code, stdout, stderr } = waygate(box, ['judge', ...args], { input });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('judge', () => {
  it('answers each line in order, with what is here and now', () => {
    const decisions = judge([
      event('git status'),
      event('git reset --hard'),
      event('ls', { tool_name: 'Glob', tool_input: { pattern: '*' } }),
    ]);
    expect(decisions.map((decision) => decision.verdict)).toEqual(['pass', 'deny', 'pass']);
    expect(decisions[1]).toMatchObject({
      schema: 1,
      rule: 'discard-changes',
      category: 'work-loss',
      kind: 'policy',
      took: { git: expect.any(Number) },
    });
    expect(decisions[1]!.atStake).toEqual(expect.arrayContaining([expect.stringContaining('app.ts')]));
  });

  it('takes a wrapped event', () => {
    expect(judge([{ host: 'claude-code', event: event('git reset --hard') }])[0]).toMatchObject({ verdict: 'deny', host: 'claude-code' });
  });

  it('a line that is no event gets a record of its own, and the rest goes on', () => {
    const decisions = judge(['{"half', 'text', '[]', '7', event('git status'), { host: 'vim', event: {} }, event('x', { tool_input: {} })]);
    expect(decisions.map((decision) => [decision.kind, decision.verdict])).toEqual([
      ['validation', 'deny'],
      ['validation', 'deny'],
      ['validation', 'deny'],
      ['validation', 'deny'],
      ['policy', 'pass'],
      ['validation', 'deny'],
      ['validation', 'deny'],
    ]);
    expect(decisions[5]!.says).toMatch(/`host` is `vim`; expected/);
  });

  it('assumes a world without looking', () => {
    expect(judge([event('git reset --hard', { cwd: '/not/here' })], '--assume', 'worst')[0]).toMatchObject({
      verdict: 'deny',
      took: { git: 0 },
    });
    expect(judge([event('git reset --hard', { cwd: '/not/here' })], '--assume', 'clean')[0]).toMatchObject({
      verdict: 'pass',
      took: { git: 0 },
    });
  });

  it('judges under another preset', () => {
    const line = event('npm test; echo $?');
    expect(judge([line], '--assume', 'clean')[0]!.verdict).toBe('deny');
    expect(judge([line], '--assume', 'clean', '--preset', 'safety')[0]!.verdict).toBe('advise');
  });

  it('judges under a policy file that nobody trusted', () => {
    const file = join(box.tmp, 'what-if.yaml');
    writeFileSync(file, 'version: 1\nrules:\n  discard-changes: off\n');
    expect(judge([event('git reset --hard')], '--policy', file)[0]!.verdict).toBe('pass');
  });

  it('refuses a policy file with mistakes, with the place', () => {
    const file = join(box.tmp, 'wrong.yaml');
    writeFileSync(file, 'version: 1\nrules:\n  discard-change: off\n');
    const { code, stderr } = waygate(box, ['judge', '--policy', file], { input: '' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/wrong\.yaml:3:3 .*did you mean discard-changes/);
  });

  it('records nothing', () => {
    judge([event('git reset --hard')]);
    expect(existsSync(join(box.state, 'waygate', 'sessions'))).toBe(false);
  });

  it('judges thousands of lines in one process', () => {
    const decisions = judge(
      Array.from({ length: 3000 }, (_, i) => event(`git log -${i}; ls src | grep x${i}`)),
      '--assume',
      'clean',
    );
    expect(decisions).toHaveLength(3000);
    const times = decisions.map((decision) => decision.took.ms).sort((a, b) => a - b);
    expect(times[1500]).toBeLessThan(5);
  });
});
