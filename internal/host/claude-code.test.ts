import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision/record.ts';
import { claudeCode } from './claude-code.ts';
import { parsePayload, readPayload } from './payload.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/claude-code');
const around = { cwd: '/start', env: () => undefined };
const fixture = (name: string) => JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8'));
const parse = (payload: unknown) => claudeCode.parse(payload, around);
const actionOf = (payload: unknown) => {
  const parsed = parse(payload);
  if (parsed.kind !== 'action') throw new Error(`not an action: ${JSON.stringify(parsed)}`);
  return parsed.action;
};

describe('payload to action', () => {
  it('reads every recorded event', () => {
    for (const name of readdirSync(FIXTURES)) {
      if (name.endsWith('.out.json')) continue;
      expect(parse(fixture(name.replace('.json', ''))).kind, name).toBe('action');
    }
  });

  it.each([
    ['PreToolUse-Bash', { surface: 'shell', input: { command: 'git push --force origin main', dialect: 'posix', timeoutMs: 120000 } }],
    [
      'PreToolUse-PowerShell',
      { surface: 'shell', input: { command: 'Remove-Item -Recurse -Force build', dialect: 'powershell', timeoutMs: 120000 } },
    ],
    ['PreToolUse-Write', { surface: 'write', input: { path: '/home/dev/acme/src/index.ts', content: 'export const a = 1;\n' } }],
    ['PreToolUse-Edit', { surface: 'edit', input: { path: '/home/dev/acme/src/index.ts', edits: [{ before: 'a = 1', after: 'a = 2' }] } }],
    ['PreToolUse-Read', { surface: 'read', input: { path: '/home/dev/acme/.env', offset: 1, limit: 50 } }],
    ['PreToolUse-Grep', { surface: 'search', input: { pattern: 'TODO', path: '/home/dev/acme' } }],
    ['PreToolUse-Glob', { surface: 'search', input: { pattern: '**/*.ts', path: '/home/dev/acme' } }],
    ['PreToolUse-WebFetch', { surface: 'fetch', input: { url: 'https://example.com/api', prompt: 'Extract the endpoints' } }],
    ['PreToolUse-Agent', { surface: 'spawn' }],
    ['PreToolUse-AskUserQuestion', { surface: 'harmless' }],
    ['PreToolUse-mcp__github__create_issue', { surface: 'mcp', raw: { owner: 'acme', repo: 'app', title: 'Bug' } }],
    ['PostToolUse-Bash', { moment: 'after', surface: 'shell' }],
    ['PostToolUseFailure-Bash', { moment: 'failed', callId: 'toolu_01A' }],
    ['PermissionDenied-Bash', { moment: 'denied' }],
    ['SessionStart', { moment: 'session-start', detail: 'startup' }],
    ['SessionEnd', { moment: 'session-end', detail: 'other' }],
    ['PreCompact', { moment: 'compact', detail: 'manual' }],
    ['SubagentStart', { moment: 'spawn' }],
    ['SubagentStop', { moment: 'spawn-end', detail: 'Explore', caller: { agent: { id: 'def456' } } }],
    ['Stop', { moment: 'stop', surface: 'stop' }],
    ['UserPromptSubmit', { moment: 'prompt', surface: 'prompt' }],
    ['Notification', { moment: 'other' }],
  ])('%s', (name, expected) => expect(actionOf(fixture(name))).toMatchObject(expected));

  it('an interrupted call is neither a success nor a failure, and only the host says so', () => {
    const failed = fixture('PostToolUseFailure-Bash');
    const after = fixture('PostToolUse-Bash');
    const interrupted = { tool_response: { interrupted: true } };
    expect(actionOf({ ...failed, is_interrupt: true }).moment).toBe('cancelled');
    expect(actionOf({ ...failed, error: 'is_interrupt: true' }).moment).toBe('failed');
    expect(actionOf({ ...after, ...interrupted }).moment).toBe('cancelled');
    expect(actionOf({ ...after, ...interrupted, tool_name: 'mcp__x__y' }).moment).toBe('after');
  });

  it('an event of the wrong shape after the call tells nothing', () =>
    expect(parse({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 7 } })).toEqual({ kind: 'empty' }));

  it('tells a sub-agent', () =>
    expect(actionOf(fixture('PreToolUse-Bash-subagent')).caller.agent).toEqual({ id: 'a4d2c8f1e0b3a297', type: 'Explore' }));

  it('takes a relative path from the directory of the call', () =>
    expect(
      actionOf({ hook_event_name: 'PreToolUse', cwd: '/w', tool_name: 'Read', tool_input: { file_path: 'a/../b.txt' } }).input.path,
    ).toBe('/w/b.txt'));

  it('judges with its own directory when the payload names none', () =>
    expect(actionOf({ tool_name: 'Bash', tool_input: { command: 'ls' } }).cwd).toBe('/start'));

  it('takes the start directory from the host', () => {
    const parsed = claudeCode.parse(fixture('PreToolUse-Bash'), {
      cwd: '/',
      env: (name) => (name === 'CLAUDE_PROJECT_DIR' ? '/home/dev' : undefined),
    });
    expect(parsed).toMatchObject({ action: { cwd: '/home/dev/acme', workspace: '/home/dev' } });
  });
});

describe('requests that cannot be read', () => {
  const call = (tool_name: unknown, tool_input: unknown, more = {}) => ({
    hook_event_name: 'PreToolUse',
    cwd: '/w',
    tool_name,
    tool_input,
    ...more,
  });
  it.each([
    [{}, 'hook_event_name', 'the name of an event', 'nothing'],
    [call('Bash', {}), 'tool_input.command', 'a string', 'nothing'],
    [call('Bash', { command: ['rm', '-rf'] }), 'tool_input.command', 'a string', 'an array'],
    [call('Bash', { command: null }), 'tool_input.command', 'a string', 'nothing'],
    [call('Bash', { command: 5 }), 'tool_input.command', 'a string', 'a number'],
    [call('Bash', 'ls'), 'tool_input', 'an object', 'a string'],
    [call('Bash', [{ command: 'ls' }]), 'tool_input', 'an object', 'an array'],
    [call(undefined, {}), 'tool_name', 'the name of a tool', 'nothing'],
    [call('Write', { file_path: '/a', content: { a: 1 } }), 'tool_input.content', 'a string', 'an object'],
    [call('Edit', { file_path: '/a', old_string: 'x', new_string: 5 }), 'tool_input.new_string', 'a string', 'a number'],
    [
      call('MultiEdit', { file_path: '/a', edits: [{ old_string: 'x' }] }),
      'tool_input.edits[0]',
      '{old_string, new_string} with strings',
      'an object',
    ],
    [call('Bash', { command: 'ls' }, { cwd: 7 }), 'cwd', 'a directory as a string', 'a number'],
  ])('%j', (payload, field, expected, got) => expect(parse(payload)).toMatchObject({ kind: 'invalid', problem: { field, expected, got } }));

  it('leaves fields alone that no judgement depends on', () =>
    expect(parse(call('Bash', { command: 'ls', timeout: '5', description: 7 })).kind).toBe('action'));
});

describe('bytes to payload', () => {
  const value = { a: 'x' };
  it.each([
    ['plain', Buffer.from('{"a":"x"}'), { value }],
    ['byte order mark', Buffer.from('\ufeff{"a":"x"}'), { value }],
    ['UTF-16', Buffer.from('\ufeff{"a":"x"}', 'utf16le'), { value }],
    ['a bare NUL in a string', Buffer.from('{"a":"x\0y"}'), { value: { a: 'x\0y' } }],
    ['invalid UTF-8', Buffer.concat([Buffer.from('{"a":"x'), Buffer.from([0xff]), Buffer.from('"}')]), { value: { a: 'x\ufffd' } }],
    ['nothing', Buffer.alloc(0), { empty: true }],
    ['white space', Buffer.from(' \r\n'), { empty: true }],
  ])('%s', (_name, bytes, expected) => expect(readPayload(bytes)).toEqual(expected));

  it.each([
    ['{"a":"x', 'JSON that is cut off or broken'],
    ['hello', 'text that is not JSON'],
    ['[1]', 'an array'],
    ['null', 'null'],
    ['"x"', 'a string'],
  ])('%s', (text, got) => expect(parsePayload(text)).toMatchObject({ problem: { field: 'payload', got } }));
});

describe('decision to reply', () => {
  const decision = (fields: Partial<Decision>) => fields as Decision;
  const at = { moment: 'before', event: 'PreToolUse' } as const;

  it('a deny goes to stdout, stderr and the exit code', () => {
    const reply = claudeCode.render(decision({ verdict: 'deny' }), at, { agent: 'no', person: 'stopped' });
    expect(JSON.parse(reply.stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
      systemMessage: 'stopped',
    });
    expect(reply).toMatchObject({ stderr: 'no\n', exitCode: 2 });
  });

  it('advice is context without a decision', () => {
    const reply = claudeCode.render(decision({ verdict: 'advise' }), at, { agent: 'better so', person: '' });
    expect(JSON.parse(reply.stdout)).toEqual(
      JSON.parse(readFileSync(join(FIXTURES, 'context.out.json'), 'utf8').replace('main is protected; use a branch', 'better so')),
    );
    expect(reply).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('a pass says nothing', () =>
    expect(claudeCode.render(decision({ verdict: 'pass' }), at, { agent: '', person: '' })).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    }));

  it('a stop is one object and exit 0', () => {
    const lineage = { repeat: 6, first: null, same: 6, any: 6, progress: 'stop' } as const;
    const reply = claudeCode.render(decision({ verdict: 'deny', lineage }), at, { agent: 'stopped here', person: '' });
    expect(JSON.parse(reply.stdout)).toMatchObject({
      continue: false,
      stopReason: 'stopped here',
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    expect(reply).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('cuts to the host limit in whole characters', () => {
    const reply = claudeCode.render(decision({ verdict: 'deny' }), at, { agent: '😀'.repeat(6000), person: '' });
    const reason: string = JSON.parse(reply.stdout).hookSpecificOutput.permissionDecisionReason;
    expect(reason.length).toBeLessThanOrEqual(10_000);
    expect(reason).not.toMatch(/\p{Cs}/u);
  });
});

describe('moments that judge nothing', () => {
  const texts = { agent: 'limits', person: 'for you' };
  it('the agent reads a text where the event takes one', () => {
    const reply = JSON.parse(claudeCode.remark({ moment: 'session-start', event: 'SessionStart' }, texts).stdout);
    expect(reply).toEqual({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'limits' }, systemMessage: 'for you' });
    expect(JSON.parse(claudeCode.remark({ moment: 'stop', event: 'Stop' }, texts).stdout)).toEqual({ systemMessage: 'for you' });
    expect(claudeCode.remark({ moment: 'compact', event: 'PreCompact' }, { agent: 'x', person: '' })).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
  });
  it('a stop after a call is one JSON object, exit 0', () => {
    const reply = claudeCode.halt({ moment: 'failed', event: 'PostToolUseFailure' }, texts);
    expect(reply).toMatchObject({ stderr: '', exitCode: 0 });
    expect(JSON.parse(reply.stdout)).toEqual({ continue: false, stopReason: 'limits', systemMessage: 'for you' });
  });
});
