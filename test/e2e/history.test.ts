/** What was decided stays what it was: under its own policy, with its own reading of the tool, and behind handles that work in their own place only. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { type Sandbox, sandbox } from '../support/sandbox.ts';
import { sessionIn } from '../support/session.ts';

const policyOf = (verdict: string) => `version: 1
custom:
  - rule: prod-migrate
    verdict: ${verdict}
    on: { run: "prisma migrate deploy*" }
    says: "Migrations of production go through the release job."
    remedy: { ask: "Could you start the release job?" }
    examples: { catches: ["prisma migrate deploy"], allows: ["prisma migrate status"] }
`;
const MIGRATE = 'prisma migrate deploy';
const write = (box: Sandbox, text: string) => writeFileSync(join(box.repo, 'waygate.yaml'), text);
const json = (box: Sandbox, ...args: string[]) => JSON.parse(waygate(box, [...args, '--json']).stdout);

describe('a capability that comes later', () => {
  it('leaves the denials of before as they were, under the revision they were made with', () => {
    const box = sandbox([]);
    write(box, policyOf('deny'));
    const agent = sessionIn(box, 'before');
    expect(agent.run(MIGRATE)).toMatchObject({ verdict: 'deny', text: expect.stringContaining('go through the release job') });
    const [then] = json(box, 'log', '--verdict', 'deny').decisions;
    const told = json(box, 'verdict', then.id);

    // The rule goes: a loosening, which the person would have to trust; here the file simply has no such rule any more and another one.
    write(box, policyOf('deny').replaceAll('prod-migrate', 'migrate-window').replace('the release job.', 'the night window.'));
    const later = sessionIn(box, 'after');
    const now = later.run(MIGRATE);
    const after = json(box, 'verdict', then.id);
    expect(after).toEqual(told);
    expect(after.decision).toMatchObject({ policy: then.policy, rule: 'prod-migrate', verdict: 'deny', says: then.says });

    expect(now.text).toContain('migrate-window');
    const latest = json(box, 'log', '--session', 'after').decisions.at(-1);
    expect(latest.policy).not.toBe(then.policy);
    // In the old session another policy is another question, and no repeat.
    expect(agent.run(MIGRATE).text).not.toContain('2 times');
  });
});

describe('the reading of a tool', () => {
  const registryOf = (box: Sandbox, session: string): string => json(box, 'log', '--session', session).decisions.at(-1).action.registry;

  it('stands with every decision: the same for the same tool, another for another one', () => {
    const box = sandbox(['echo edited >> src/app.ts']);
    sessionIn(box, 'one').run('git reset --hard');
    sessionIn(box, 'two').run('git checkout -- .');
    sessionIn(box, 'three').use('Write', { file_path: join(box.repo, '.claude/settings.json'), content: '{}' });
    expect(registryOf(box, 'one')).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(registryOf(box, 'two')).toBe(registryOf(box, 'one'));
    expect(registryOf(box, 'three')).not.toBe(registryOf(box, 'one'));
  });
  it('of a tool nobody knows by the fields that came: another shape is another reading', () => {
    const box = sandbox([]);
    sessionIn(box, 'a').use('mcp__db__query', { sql: 'drop table users' });
    sessionIn(box, 'b').use('mcp__db__query', { sql: 'drop table orders' });
    sessionIn(box, 'c').use('mcp__db__query', { sql: 'drop table users', database: 'prod' });
    expect(registryOf(box, 'b')).toBe(registryOf(box, 'a'));
    expect(registryOf(box, 'c')).not.toBe(registryOf(box, 'a'));
  });
});

describe('a handle', () => {
  it('of a checkpoint means nothing in another repository, in the words for one that never was', () => {
    const box = sandbox(['echo edited >> src/app.ts']);
    expect(waygate(box, ['checkpoint', '--', 'src/app.ts']).code).toBe(0);
    const { id } = json(box, 'checkpoint', 'list').checkpoints[0];
    expect(waygate(box, ['checkpoint', 'show', id]).code).toBe(0);
    const other = join(box.work, 'other');
    execFileSync('git', ['init', '-q', other], { env: box.env });
    const unknown = id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
    const made = (each: string, text: string) => text.replaceAll(each, 'ID');
    for (const verb of ['show', 'restore']) {
      const elsewhere = waygate(box, ['checkpoint', verb, id], { cwd: other });
      const never = waygate(box, ['checkpoint', verb, unknown], { cwd: other });
      expect(elsewhere.code).toBe(never.code);
      expect(elsewhere.code).not.toBe(0);
      expect(elsewhere.stdout).toBe('');
      expect(made(id, elsewhere.stderr)).toBe(made(unknown, never.stderr));
    }
  });
  it('of a request means nothing in another workspace', () => {
    const box = sandbox([]);
    expect(waygate(box, ['request', '--need', 'publish', '--why', 'the release is due', '--', 'npm publish']).code).toBe(0);
    expect(json(box, 'requests').requests).toHaveLength(1);
    const other = join(box.work, 'other');
    execFileSync('git', ['init', '-q', other], { env: box.env });
    expect(JSON.parse(waygate(box, ['requests', '--json'], { cwd: other }).stdout).requests).toEqual([]);
  });
});

describe('before a rollout', () => {
  it('events that are judged offline give the same figures, completion and interruption among them', () => {
    const box = sandbox([]);
    const event = (session: string, command: string) =>
      JSON.stringify({ session_id: session, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, cwd: box.repo });
    const events = [
      event('a', 'ls'),
      event('a', 'git reset --hard'),
      event('b', 'npm test'),
      event('c', 'npm publish'),
      event('c', 'ls'),
    ].join('\n');
    const judged = waygate(box, ['judge', '--assume', 'worst'], { input: events });
    const { report } = JSON.parse(waygate(box, ['report', '--from', '-', '--json'], { input: `${judged.stdout}not a decision\n` }).stdout);
    expect(report).toMatchObject({ sessions: 3, calls: 5, containment: { refused: 2 } });
    expect(report.containment.byRule.map((each: { name: string }) => each.name).sort()).toEqual(['discard-changes', 'package-publish']);
    // One session was left at a refusal, one went on with other work, one met none.
    expect(report.owner).toMatchObject({ completed: 2, completionRate: 0.667 });
    expect(report.owner.interruptionRate).toBeLessThanOrEqual(1);
    expect(json(box, 'report').report.calls).toBe(0);
    expect(waygate(box, ['report', '--from', '/no/such/file']).code).toBe(1);
  });
});
