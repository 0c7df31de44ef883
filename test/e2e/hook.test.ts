/** The built hook never fails open: whatever comes in, and whatever is broken around it, it answers in time with 0 or 2. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUNDLE, type Sandbox, sandbox } from '../support/sandbox.ts';

/** A host's limit is ten seconds; the guard's own deadline is two, and starting may be slow on a loaded machine. */
const LIMIT_MS = 8000;
const STACK_TRACE = /^\s+at .*:\d+/m;

interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
  verdict: 'deny' | 'advise' | 'pass' | 'broken';
  text: string;
}

let box: Sandbox;
beforeAll(() => {
  box = sandbox(['echo edited >> src/app.ts', 'mkdir ~/docs', 'echo thesis > ~/docs/thesis.tex']);
});

/** Calls the hook as the host does, through a shell line. */
function hook(
  input: string | Buffer,
  options: { env?: Record<string, string | undefined>; cwd?: string; line?: string; args?: string } = {},
): Answer {
  const env = Object.fromEntries(Object.entries({ ...box.env, ...options.env }).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const line = options.line ?? `exec "${process.execPath}" "${BUNDLE}" hook ${options.args ?? '--host claude-code'}`;
  const result = spawnSync('/bin/sh', ['-c', line], { input, env, cwd: options.cwd ?? box.repo, timeout: LIMIT_MS, encoding: 'utf8' });
  const answer = { code: result.status, stdout: result.stdout, stderr: result.stderr };
  return { ...answer, ...verdictOf(answer) };
}

/** As Claude Code reads it. */
function verdictOf({ code, stdout, stderr }: Pick<Answer, 'code' | 'stdout' | 'stderr'>): Pick<Answer, 'verdict' | 'text'> {
  if (STACK_TRACE.test(stderr)) return { verdict: 'broken', text: stderr };
  if (code === 2) return stderr.trim() === '' ? { verdict: 'broken', text: 'exit 2 without a reason' } : { verdict: 'deny', text: stderr };
  if (code !== 0) return { verdict: 'broken', text: `exit code ${code}` };
  if (stdout.trim() === '') return { verdict: 'pass', text: '' };
  const answer = JSON.parse(stdout);
  return { verdict: answer.hookSpecificOutput?.permissionDecision ?? 'advise', text: answer.hookSpecificOutput?.additionalContext ?? '' };
}

let calls = 0;
/** Each call in a session of its own: repeats in one session are what loops.test.ts is about. */
const payload = (command: unknown, more: Record<string, unknown> = {}) => ({
  session_id: `s-${++calls}`,
  transcript_path: '/dev/null',
  cwd: box.repo,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: `toolu_${calls}`,
  ...more,
});
const bash = (command: unknown, more: Record<string, unknown> = {}) => JSON.stringify(payload(command, more));
const LOSES = 'git reset --hard';

describe('requests that cannot be read are denied, with the field and the shape', () => {
  it.each<[string, () => string | Buffer, RegExp]>([
    ['half a JSON', () => bash(LOSES).slice(0, -20), /cut off or broken/],
    ['not JSON', () => 'run ls please', /not JSON/],
    ['an array', () => `[${bash('ls')}]`, /an array; expected one JSON object/],
    ['a number', () => '7', /a number; expected one JSON object/],
    ['null', () => 'null', /null; expected one JSON object/],
    ['an empty object', () => '{}', /`hook_event_name` is nothing/],
    ['command is an array', () => bash(['rm', '-rf', box.home]), /`tool_input.command` is an array; expected a string/],
    ['command is missing', () => bash(undefined), /`tool_input.command` is nothing; expected a string/],
    ['command is an object', () => bash({ text: 'ls' }), /`tool_input.command` is an object/],
    ['tool_input is a string', () => bash('', { tool_input: 'rm -rf /' }), /`tool_input` is a string; expected an object/],
    [
      'content is a number',
      () => bash('', { tool_name: 'Write', tool_input: { file_path: '/a', content: 1 } }),
      /`tool_input.content` is a number/,
    ],
    ['cwd is a number', () => bash('ls', { cwd: 5 }), /`cwd` is a number/],
    ['two payloads', () => `${bash('ls')}\n${bash('ls')}`, /cut off or broken/],
  ])('%s', (_name, input, message) => {
    const answer = hook(input());
    expect(answer.verdict).toBe('deny');
    expect(answer.stderr).toMatch(/^\[invalid-request\] Nothing ran\./);
    expect(answer.stderr).toMatch(message);
    expect(JSON.parse(answer.stdout).hookSpecificOutput.permissionDecisionReason.trim()).toBe(answer.stderr.trim());
  });
});

describe('limits', () => {
  it('2,000 nested substitutions are denied', () => {
    const answer = hook(bash(`${'"$('.repeat(2000)}echo${')"'.repeat(2000)}`));
    expect(answer.verdict).toBe('deny');
    expect(answer.text).toMatch(/invalid-request|unread-line/);
  });
  it('deeply nested JSON is answered', () =>
    expect(['deny', 'pass', 'advise']).toContain(hook(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`).verdict));
  it('a destructive line before a syntax error is denied', () => expect(hook(bash(`${LOSES}\nif then fi (`)).verdict).toBe('deny'));
  it('a destructive word in the rest that cannot be read is denied', () =>
    expect(hook(bash('echo "a\nrm -rf ~/docs')).verdict).toBe('deny'));
  it('a syntax error in harmless text is no reason to deny', () => expect(hook(bash('echo "hello')).verdict).not.toBe('deny'));
});

describe('the content decides, whatever it is wrapped in', () => {
  const wrapped: readonly [string, (command: string) => string | Buffer][] = [
    ['1 MB of harmless lines before it', (command) => bash(`${"echo 'line of output number one'\n".repeat(32_000)}${command}\n`)],
    [
      'a 1 MB here-document before it',
      (command) => bash(`cat > "$TMPDIR/a.txt" <<'EOF'\n${'some text and $(more) text\n'.repeat(38_000)}EOF\n${command}\n`),
    ],
    ['byte order mark', (command) => `\ufeff${bash(command)}`],
    ['UTF-16', (command) => Buffer.from(`\ufeff${bash(command)}`, 'utf16le')],
    ['carriage returns between its fields', (command) => JSON.stringify(payload(command), null, 2).replaceAll('\n', '\r\n')],
    ['carriage returns at its line ends', (command) => bash(`echo a\r\n${command}\r\n`)],
    [
      'invalid UTF-8',
      (command) =>
        Buffer.concat([
          Buffer.from(bash(`echo XX; ${command}`).split('XX')[0]!),
          Buffer.from([0xff, 0xc0]),
          Buffer.from(bash(`echo XX; ${command}`).split('XX')[1]!),
        ]),
    ],
    ['lone surrogates', (command) => bash(`echo XX; ${command}`).replace('XX', '\\ud800')],
    ['a NUL character in a later word', (command) => bash(`${command}; echo a\u0000b`)],
    ['a bare NUL byte in the JSON', (command) => bash(`${command}; echo XX`).replace('XX', 'a\0b')],
    ['unknown fields', (command) => bash(command, { future: { a: [1] }, permission_mode: 'new-mode' })],
    ['no session, no id', (command) => bash(command, { session_id: undefined, tool_use_id: undefined })],
    ['a session named like a path', (command) => bash(command, { session_id: '../../escape' })],
    ['a sub-agent', (command) => bash(command, { agent_id: 'a1', agent_type: 'Explore' })],
  ];
  // A megabyte meets the deadline with room to spare on an idle machine, not on one that is starved.
  it.each(wrapped)('%s: a loss is denied, a harmless call passes', { retry: 5 }, (_name, wrap) => {
    const loss = hook(wrap(LOSES));
    expect(loss).toMatchObject({ verdict: 'deny' });
    expect(loss.stderr).toMatch(/src\/app\.ts/);
    expect(hook(wrap('git status')).verdict).toBe('pass');
  });
  it('escapes of a session name lead nowhere', () => {
    expect(existsSync(join(box.root, 'escape'))).toBe(false);
    expect(readdirSync(join(box.state, 'waygate', 'sessions')).every((name) => !name.includes('..'))).toBe(true);
  });
});

describe('nothing to judge', () => {
  it.each([
    ['empty stdin', ''],
    ['white space', ' \n'],
    ['an unknown event', JSON.stringify({ hook_event_name: 'SomethingNew', tool_name: 'Bash', tool_input: { command: LOSES } })],
    ['an event after the call', readFileSync(join(import.meta.dirname, '../fixtures/claude-code/PostToolUse-Bash.json'), 'utf8')],
    ['a prompt', readFileSync(join(import.meta.dirname, '../fixtures/claude-code/UserPromptSubmit.json'), 'utf8')],
    ['a stop', readFileSync(join(import.meta.dirname, '../fixtures/claude-code/Stop.json'), 'utf8')],
  ])('%s passes silently', (_name, input) => expect(hook(input)).toMatchObject({ code: 0, stdout: '', stderr: '' }));
  it('stdin that is closed', () =>
    expect(hook('', { line: `exec "${process.execPath}" "${BUNDLE}" hook --host claude-code <&-` }).verdict).toBe('pass'));
});

describe('a directory that is not there', () => {
  it('missing from the payload: its own counts', () => expect(hook(bash(LOSES, { cwd: undefined })).verdict).toBe('deny'));
  it('deleted: judged with what is known', () => {
    expect(hook(bash('ls', { cwd: join(box.work, 'gone') })).verdict).toBe('pass');
    expect(hook(bash('rm -rf ~/docs', { cwd: join(box.work, 'gone') })).verdict).toBe('deny');
  });
  it('the process starts in a deleted directory', () => {
    const line = `mkdir -p "$TMPDIR/gone" && cd "$TMPDIR/gone" && rmdir "$TMPDIR/gone" && exec "${process.execPath}" "${BUNDLE}" hook --host claude-code`;
    expect(hook(bash(LOSES), { line }).verdict).toBe('deny');
    expect(hook(bash('ls', { cwd: undefined }), { line }).verdict).toBe('pass');
    expect(hook(bash('rm -rf ~/docs', { cwd: undefined }), { line }).verdict).toBe('deny');
  });
});

/** The verdicts do not depend on anything that can be written. */
function stillJudges(env: Record<string, string | undefined>, line?: string): void {
  expect(hook(bash(LOSES), { env, line })).toMatchObject({ verdict: 'deny' });
  expect(hook(bash('git status'), { env, line })).toMatchObject({ verdict: 'pass', stderr: '' });
}

describe('state that cannot be written', () => {
  it('the state folder is a file', () => {
    const file = join(box.tmp, 'state-file');
    writeFileSync(file, '');
    stillJudges({ XDG_STATE_HOME: file });
  });
  it('the sessions folder is a file', () => {
    const state = join(box.tmp, 'state-half');
    mkdirSync(join(state, 'waygate'), { recursive: true });
    writeFileSync(join(state, 'waygate', 'sessions'), '');
    stillJudges({ XDG_STATE_HOME: state });
  });
  it('the disk is full', () => {
    const state = join(box.tmp, 'state-full');
    for (let next = calls + 1; next <= calls + 4; next++) {
      mkdirSync(join(state, 'waygate', 'sessions', `s-${next}`), { recursive: true });
      symlinkSync('/dev/full', join(state, 'waygate', 'sessions', `s-${next}`, 'ledger.jsonl'));
    }
    stillJudges({ XDG_STATE_HOME: state });
  });
  it('the home does not exist', () =>
    stillJudges({ HOME: join(box.root, 'no-home'), XDG_STATE_HOME: undefined, XDG_CONFIG_HOME: undefined }));
  it('no home at all', () => stillJudges({ HOME: undefined, XDG_STATE_HOME: undefined, XDG_CONFIG_HOME: undefined }));
  it('every place is below a file', () => {
    const file = join(box.tmp, 'home-file');
    writeFileSync(file, '');
    stillJudges({ HOME: file, XDG_STATE_HOME: undefined, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: file, TMPDIR: file });
  });
  it('a refusal says that it could not be recorded', () => {
    const answer = hook(bash(LOSES), { env: { XDG_STATE_HOME: '/dev/null' } });
    expect(JSON.parse(answer.stdout).systemMessage).toMatch(/could not be recorded/);
  });
});

describe('git that does not work', () => {
  /** A folder with a program named git, before everything else on PATH. */
  function withGit(script: string | undefined): Record<string, string> {
    const bin = join(box.tmp, `git-${Math.random().toString(36).slice(2)}`);
    mkdirSync(bin);
    if (script !== undefined) writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { PATH: script === undefined ? bin : `${bin}${delimiter}${box.env['PATH']}` };
  }
  const broken: readonly [string, string | undefined][] = [
    ['is missing', undefined],
    ['always fails', 'exit 1'],
    ['prints garbage', 'head -c 20000 /dev/urandom'],
    ['prints endless lines', 'while :; do echo "1 .M N... 100644 100644 100644 x y z"; done'],
    ['hangs', 'exec sleep 60'],
    ['dies by a signal', 'kill -9 $$'],
  ];
  it.each(broken)('git %s: a loss outside git is still denied, reading passes, in time', (_name, script) => {
    const env = withGit(script);
    const started = Date.now();
    expect(hook(bash('rm -rf ~/docs'), { env }).verdict).toBe('deny');
    expect(Date.now() - started).toBeLessThan(LIMIT_MS);
    expect(hook(bash('ls -la'), { env })).toMatchObject({ verdict: 'pass' });
    expect(hook(bash(LOSES), { env }).verdict).not.toBe('broken');
  });
});

describe('policy that cannot be read', () => {
  const policies: readonly [string, string | Buffer][] = [
    ['not YAML', 'version: [1\npreset: }{'],
    ['binary', Buffer.from([0, 255, 1, 2, 3])],
    ['wrong types', 'version: 1\nrules: 7\n'],
    ['an unknown rule', 'version: 1\nrules:\n  discard-change: off\n'],
    ['a loosening nobody trusted', 'version: 1\nrules:\n  discard-changes: off\n'],
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[i]}`).join(',')}]`).join('\n')}\n`,
    ],
  ];
  it.each(policies)('%s: never weakens', (_name, text) => {
    const own = sandbox(['echo edited >> src/app.ts']);
    writeFileSync(join(own.repo, 'waygate.yaml'), text);
    const env = { ...own.env };
    expect(hook(bash(LOSES, { cwd: own.repo }), { env, cwd: own.repo }).verdict).toBe('deny');
    expect(hook(bash('git status', { cwd: own.repo }), { env, cwd: own.repo }).verdict).toBe('pass');
  });
  it('a folder named waygate.yaml', () => {
    const own = sandbox(['echo edited >> src/app.ts', 'mkdir waygate.yaml']);
    expect(hook(bash(LOSES, { cwd: own.repo }), { env: own.env, cwd: own.repo }).verdict).toBe('deny');
  });
  it('a snapshot that was spoilt is made anew', () => {
    const own = sandbox(['echo edited >> src/app.ts', 'printf "version: 1\\n" > waygate.yaml']);
    const ask = () => hook(bash(LOSES, { cwd: own.repo }), { env: own.env, cwd: own.repo }).verdict;
    expect(ask()).toBe('deny');
    const folder = join(own.state, 'waygate', 'policy');
    for (const name of readdirSync(folder))
      if (name.endsWith('.json')) writeFileSync(join(folder, name), '{"schema":1,"rules":{"discard-changes":{"level":"off"}}}');
    expect(ask()).toBe('deny');
  });
});

describe('streams', () => {
  const node = `"${process.execPath}" "${BUNDLE}" hook --host claude-code`;
  it('closed stdout: the exit code still denies', () => expect(hook(bash(LOSES), { line: `exec ${node} >&-` })).toMatchObject({ code: 2 }));
  it('closed stdout and stderr', () => expect(hook(bash(LOSES), { line: `exec ${node} >&- 2>&-` }).code).toBe(2));
  it('stdout that is full', () => expect(hook(bash(LOSES), { line: `exec ${node} >/dev/full` })).toMatchObject({ code: 2 }));
  it('a reader that has gone', () => {
    const answer = hook(bash(LOSES), { line: `{ ${node}; echo "code $?" >&2; } | true` });
    expect(answer.stderr).toMatch(/code 2/);
  });
  it('a pass with closed stdout stays a pass', () => expect(hook(bash('ls'), { line: `exec ${node} >&-` }).code).toBe(0));
  it('stdin that comes in pieces', () => {
    const half = Math.floor(bash(LOSES).length / 2);
    writeFileSync(join(box.tmp, 'event.json'), bash(LOSES));
    const line = `{ head -c ${half} "$TMPDIR/event.json"; sleep 0.2; tail -c +${half + 1} "$TMPDIR/event.json"; } | ${node}`;
    expect(hook('', { line }).verdict).toBe('deny');
  });
  it('a non-blocking pipe', () => {
    writeFileSync(join(box.tmp, 'event.json'), bash(LOSES));
    const script = `const {spawn}=require('node:child_process');const c=spawn(process.execPath,[process.argv[1],'hook'],{stdio:['pipe','inherit','inherit']});setTimeout(()=>c.stdin.end(require('node:fs').readFileSync(process.argv[2])),150);c.on('exit',(code)=>process.exit(code))`;
    expect(
      hook('', { line: `exec "${process.execPath}" -e ${JSON.stringify(script.replaceAll('$', '\\$'))} "${BUNDLE}" "$TMPDIR/event.json"` })
        .verdict,
    ).toBe('deny');
  });
});

describe('wiring', () => {
  it.each([
    ['--host nowhere', /--host nowhere is not known; known are: claude-code/],
    ['--host', /--host needs a name/],
    ['--hots claude-code', /unknown argument --hots/],
  ])('a wrong flag keeps the door shut and names it: %s', (args, message) => {
    const answer = hook(bash('ls'), { args });
    expect(answer).toMatchObject({ code: 2, stdout: '' });
    expect(answer.stderr).toMatch(message);
  });
  it('detects the host from the payload', () => expect(hook(bash(LOSES), { args: '' }).verdict).toBe('deny'));
  it('a bundle without its hook denies', () => {
    const dir = join(box.tmp, 'half-install');
    mkdirSync(dir);
    writeFileSync(join(dir, 'waygate.cjs'), readFileSync(BUNDLE));
    expect(hook(bash('ls'), { line: `exec "${process.execPath}" "${dir}/waygate.cjs" hook` })).toMatchObject({ verdict: 'deny', code: 2 });
  });
  it.each([
    ['a cache of another build', Buffer.from('0123456789abcdef-not-a-cache')],
    ['a spoilt cache', undefined],
  ])('%s changes nothing', (_name, bytes) => {
    const dir = join(box.tmp, `cache-${bytes ? 'other' : 'spoilt'}`);
    mkdirSync(dir);
    for (const name of readdirSync(join(BUNDLE, '..')))
      if (/\.(cjs|cache)$/.test(name) && name !== 'cli.cjs') writeFileSync(join(dir, name), readFileSync(join(BUNDLE, '..', name)));
    const cache = join(dir, 'hook.cjs.cache');
    const whole = readFileSync(cache);
    writeFileSync(cache, bytes ?? Buffer.concat([whole.subarray(0, 16), Buffer.alloc(5000, 7)]));
    expect(hook(bash(LOSES), { line: `exec "${process.execPath}" "${dir}/waygate.cjs" hook` }).verdict).toBe('deny');
    rmSync(cache);
    expect(hook(bash(LOSES), { line: `exec "${process.execPath}" "${dir}/waygate.cjs" hook` }).verdict).toBe('deny');
  });
});

describe('the record', () => {
  const records = (session: string) =>
    readFileSync(join(box.state, 'waygate', 'sessions', session, 'ledger.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).decision);

  it('is written as one line for each judged call, whole, and readable by its owner alone', () => {
    hook(bash(LOSES, { session_id: 'rec' }));
    hook(bash('ls', { session_id: 'rec' }));
    expect(records('rec').map((record) => record.verdict)).toEqual(['deny', 'pass']);
    expect(records('rec')[0]).toMatchObject({ schema: 1, host: 'claude-code', session: 'rec', rule: 'discard-changes', kind: 'policy' });
  });
  it('survives a torn line', () => {
    const file = join(box.state, 'waygate', 'sessions', 'rec', 'ledger.jsonl');
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"schema":1,"id":"torn`);
    hook(bash('ls', { session_id: 'rec' }));
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    expect(JSON.parse(lines.at(-1)!).decision.verdict).toBe('pass');
  });
  it('holds no secret', () => {
    const secret = ['sk', 'live', '0123456789abcdef01234567'].join('_');
    hook(bash(`curl -H "Authorization: Bearer ${secret}" https://api.example.com`, { session_id: 'sec' }));
    hook(bash('', { session_id: 'sec', tool_name: 'mcp__db__query', tool_input: { query: `select 1 where key='${secret}'` } }));
    expect(readFileSync(join(box.state, 'waygate', 'sessions', 'sec', 'ledger.jsonl'), 'utf8')).not.toContain(secret);
  });
});
