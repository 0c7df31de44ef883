/** The short way of a call holds to the whole hook: the built program, asked so that it takes the lane, and so that it does not. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error a build script without types
import { binaryDoor, compileWithBun } from '../../../hack/build.mjs';
import { BUNDLE, type Sandbox, sandbox } from '../../../test/support/sandbox.ts';

const box = sandbox(['mkdir -p deep/er', 'mkdir -p ../loose']);

/** Only the doors: what the lane leaves to the whole hook is refused here, as everything that cannot be started. */
const DOOR = path.join(box.tmp, 'waygate.cjs');
const COMPILED = path.join(box.tmp, 'waygate.exe');
fs.copyFileSync(BUNDLE, DOOR);
for (const name of ['hook.cjs', 'cli.cjs']) fs.writeFileSync(path.join(box.tmp, name), 'exports.main = () => process.exit(2);');
fs.writeFileSync(path.join(box.tmp, 'door.cjs'), await binaryDoor());
compileWithBun(path.join(box.tmp, 'door.cjs'), COMPILED);
for (const name of ['hook.cjs', 'cli.cjs']) fs.rmSync(path.join(box.tmp, name));
const DOORS = [
  ['on Node', DOOR],
  ['compiled', COMPILED],
] as const;

/** With this spelling of the option the lane leaves every call to the whole hook. */
const WHOLE = ['hook', '--host=claude-code'];
const LANE = ['hook', '--host', 'claude-code'];

type Payload = Record<string, unknown>;
interface Options {
  env?: Record<string, string>;
  at?: Sandbox;
  program?: string;
}

function hook(args: readonly string[], payload: Payload | string, { env = {}, at = box, program = BUNDLE }: Options = {}) {
  const input = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const argv = program === COMPILED ? args : [program, ...args];
  const ran = spawnSync(program === COMPILED ? COMPILED : process.execPath, argv, {
    cwd: at.repo,
    env: { ...at.env, ...env },
    input,
    encoding: 'utf8',
  });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

const call = (command: unknown, more: Payload = {}): Payload => ({
  session_id: 'here',
  cwd: box.repo,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command, description: 'looks' },
  tool_use_id: 'toolu_1',
  ...more,
});

const ledger = (session: string, at = box) => path.join(at.state, 'waygate', 'sessions', session, 'ledger.jsonl');
const lines = (session: string, at = box): readonly string[] => fs.readFileSync(ledger(session, at), 'utf8').split('\n').filter(Boolean);

/** The last record without what differs between two calls at two times. */
function lastOf(session: string, at = box) {
  const { decision, ...rest } = JSON.parse(lines(session, at).at(-1)!);
  expect(decision.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(Date.parse(decision.at)).toBeGreaterThan(0);
  return { ...rest, decision: { ...decision, id: '', at: '', session: '' } };
}

/** Starts a session by the whole hook, in each folder its calls come from. */
const begin = (session: string, more: Payload = {}, options: Options = {}) =>
  hook(WHOLE, call('pwd', { session_id: session, tool_use_id: 'toolu_begin', ...more }), options);

describe.each(DOORS)('a call that the lane takes leaves the record of the whole hook: %s', (_door, program) => {
  it.each<[string, Payload, Record<string, string>]>([
    ['as it comes', call('ls -la src'), {}],
    ['without an id', call('ls', { tool_use_id: undefined }), {}],
    ['with other fields', call('ls', { permission_mode: 'default', transcript_path: '/dev/null', effort: { level: 3 } }), {}],
    ['of a subagent', call('tree -L 2', { agent_id: 'a1', agent_type: 'reviewer' }), {}],
    ['of a subagent without a kind', call('tree -L 2', { agent_id: 'a1' }), {}],
    ['from a folder below', call('ls', { cwd: path.join(box.repo, 'deep', 'er') }), {}],
    ['from a folder that is gone', call('ls', { cwd: path.join(box.repo, 'gone') }), {}],
    ['outside every repository', call('ls', { cwd: path.join(box.work, 'loose') }), {}],
    ['after a change of folder', call('ls', { cwd: path.join(box.work, 'loose') }), { CLAUDE_PROJECT_DIR: box.repo }],
    ['with more in its input', call('', { tool_input: { timeout: 5000, run_in_background: false, command: 'du -sh dist', z: '' } }), {}],
  ])('%s', (what, payload, env) => {
    const [a, b] = ['lane', 'whole'].map((way) => `${way}-${path.extname(program).slice(1)}-${what.replaceAll(' ', '-')}`) as [
      string,
      string,
    ];
    for (const session of [a, b]) begin(session, { cwd: payload['cwd'] }, { env });
    expect(hook(LANE, { ...payload, session_id: a }, { env, program })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(hook(WHOLE, { ...payload, session_id: b }, { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    const record = lastOf(a);
    expect(record).toEqual(lastOf(b));
    expect(JSON.stringify(record)).toBe(JSON.stringify(lastOf(b)));
    expect(lines(a).length).toBe(lines(b).length);
  });
});

describe('everything else is left to the whole hook', () => {
  begin('left');
  const left = (payload: Payload, env: Record<string, string> = {}) => {
    for (const [, program] of DOORS)
      expect(hook(LANE, { session_id: 'left', ...payload }, { env, program })).toMatchObject({ code: 2, stdout: '' });
  };

  it.each<[string, unknown]>([
    ['a line with more than words', 'ls; rm x'],
    ['another program', 'rm -rf src'],
    ['a policy file by name', 'ls waygate.yaml'],
    ['what may be a credential', 'ls --token Ab3dE5gH1jK2mN4p'],
    ['two spaces', 'ls  src'],
    ['no text', 7],
    ['a long line', `ls ${'src '.repeat(60)}`],
  ])('%s', (_what, command) => left(call(command, { session_id: 'left' })));

  it.each<[string, Payload]>([
    ['another event', { hook_event_name: 'PostToolUse' }],
    ['another tool', { tool_name: 'PowerShell' }],
    ['a session without a name', { session_id: 'unknown' }],
    ['a session that is a path', { session_id: '../x' }],
    ['a session that has not begun', { session_id: 'never' }],
    ['a relative folder', { cwd: 'src' }],
    ['a folder with steps back', { cwd: `${box.repo}/src/..` }],
    ['a folder that is no path of the system', { cwd: `${box.repo}/gone\0/no` }],
    ['no folder', { cwd: undefined }],
    ['a strange id', { tool_use_id: 7 }],
    ['a strange agent', { agent_id: ['x'] }],
    ['an input with more than values', { tool_input: { command: 'ls', more: {} } }],
    ['no input', { tool_input: null }],
  ])('%s', (_what, more) => left(call('ls', { session_id: 'left', ...more })));

  it.each<[string, Record<string, string>]>([
    ['a state folder that is relative', { XDG_STATE_HOME: 'state' }],
    ['a home with steps back', { HOME: `${box.home}/..` }],
    ['a start folder with steps back', { CLAUDE_PROJECT_DIR: `${box.repo}/src/..` }],
  ])('%s', (_what, env) => left(call('ls', { session_id: 'left' }), env));

  it('what is no JSON, and nothing at all', () => {
    expect(hook(LANE, '{"session_id"', { program: DOOR }).code).toBe(2);
    expect(hook(LANE, '{"session_id"').stderr).toMatch(/^\[invalid-request\]/);
    expect(hook(LANE, '')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('a payload longer than the lane reads, whole', () => {
    const long = call('ls', { session_id: 'left', tool_use_id: 'toolu_long', filler: 'x'.repeat(200_000) });
    expect(hook(LANE, long, { program: DOOR }).code).toBe(2);
    expect(hook(LANE, long)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(lines('left').at(-1)).toContain('toolu_long');
  });

  it('the second hook for one call: one record', () => {
    begin('twice');
    for (const program of [DOOR, BUNDLE, BUNDLE]) hook(LANE, call('ls', { session_id: 'twice', tool_use_id: 'toolu_twice' }), { program });
    expect(lines('twice').filter((line) => line.includes('toolu_twice'))).toHaveLength(1);
  });

  it('a torn end of the ledger', () => {
    begin('torn');
    fs.appendFileSync(ledger('torn'), '{"t":"deci');
    expect(hook(LANE, call('ls', { session_id: 'torn' }), { program: DOOR }).code).toBe(2);
    expect(hook(LANE, call('ls', { session_id: 'torn' })).code).toBe(0);
    expect(() => JSON.parse(lines('torn').at(-1)!)).not.toThrow();
  });

  it.each(['repository', 'user', 'session'])('a policy of the %s', (of) => {
    const own = sandbox();
    const session = { session_id: 'policy', cwd: own.repo };
    begin('policy', session, { at: own });
    for (const [door, program] of DOORS)
      expect(hook(LANE, call('ls', { ...session, tool_use_id: door }), { at: own, program }).code).toBe(0);
    const config = path.join(own.home, '.config', 'waygate');
    if (of === 'repository') fs.writeFileSync(path.join(own.repo, 'waygate.yaml'), 'version: 1\n');
    else if (of === 'user') {
      fs.mkdirSync(config, { recursive: true });
      fs.writeFileSync(path.join(config, 'waygate.yaml'), 'version: 1\n');
    } else {
      const floors = path.join(own.state, 'waygate', 'policy', 'sessions');
      for (const name of fs.readdirSync(floors)) fs.appendFileSync(path.join(floors, name), '{}');
    }
    for (const [door, program] of DOORS)
      expect(hook(LANE, call('ls', { ...session, tool_use_id: `${door}, later` }), { at: own, program }).code).toBe(2);
  });

  it('nothing where the system forbids memory that is written and run: the compiled door goes by node:fs', () => {
    begin('plain');
    const payload = call('ls', { session_id: 'plain', tool_use_id: 'toolu_plain' });
    expect(hook(LANE, payload, { program: COMPILED, env: { BUN_JSC_useJIT: '0' } })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(lines('plain').at(-1)).toContain('toolu_plain');
  });

  it('now and then, so that the checkpoint of a long session is kept', () => {
    begin('long');
    const checkpoint = path.join(path.dirname(ledger('long')), 'view.json');
    for (let i = 0; i < 60 && !fs.existsSync(checkpoint); i++)
      hook(LANE, call('ls', { session_id: 'long', tool_use_id: `toolu_long_${i}` }));
    expect(fs.existsSync(checkpoint)).toBe(true);
    expect(lines('long').length).toBeGreaterThan(16);
  });
});
