/** `init`, `doctor` and `uninstall` on the built program, in a home of its own. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uninstall } from '../../cmd/waygate/uninstall.ts';
import { EVENTS } from '../../internal/host/claude-settings.ts';
import { waygate } from '../support/cli.ts';
import { type Sandbox, sandbox } from '../support/sandbox.ts';

const SETTINGS =
  '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n\t},\n\t"zeta": [1.50, "ü"]\n}\n';

/** A box with a data folder of its own. */
function machine(given: readonly string[] = []): Sandbox & { settings: string; wired(): string[] } {
  const box = sandbox(given);
  box.env['XDG_DATA_HOME'] = join(box.home, '.local', 'share');
  const settings = join(box.home, '.claude', 'settings.json');
  const wired = () =>
    (JSON.parse(readFileSync(settings, 'utf8')).hooks?.PreToolUse ?? []).flatMap((group: { hooks: { command: string }[] }) =>
      group.hooks.map((hook) => hook.command),
    );
  return Object.assign(box, { settings, wired });
}

/** The removal in this process: the built one asks a person on a terminal. */
async function removeWiring(box: Sandbox): Promise<void> {
  const saved = { ...process.env };
  const cwd = process.cwd();
  Object.assign(process.env, box.env);
  process.chdir(box.repo);
  const write = process.stdout.write;
  process.stdout.write = () => true;
  try {
    await uninstall({ host: 'claude-code' }, async () => {});
  } finally {
    process.stdout.write = write;
    process.chdir(cwd);
    process.env = saved;
  }
}

describe('init', () => {
  it('wires a fresh home with an absolute path outside the workspace, writes the policy, and tries it', () => {
    const box = machine();
    const { code, stdout } = waygate(box, ['init', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/denied in \d+ ms/);
    expect(box.wired()).toHaveLength(1);
    expect(box.wired()[0]).toContain(join(box.home, '.local/share/waygate'));
    expect(readFileSync(join(box.repo, 'waygate.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=.*\n[\s\S]*version: 1\npreset: strict\n/,
    );
    expect(waygate(box, ['test']).code).toBe(0);
  });

  it('the wired line protects from any directory and without node_modules', () => {
    const box = machine(['echo edited >> src/app.ts']);
    waygate(box, ['init', '--yes']);
    const event = {
      session_id: 's',
      cwd: box.repo,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git reset --hard' },
    };
    const result = spawnSync('/bin/sh', ['-c', box.wired()[0]!], {
      input: JSON.stringify(event),
      cwd: '/',
      env: { ...box.env, PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    expect(result.status).toBe(2);
    expect(result.stderr).toMatch(/checkpoint -- src\/app\.ts/);
  });

  it('keeps everything that is there, and says nothing changes the second time', () => {
    const box = machine();
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(box.settings, SETTINGS);
    chmodSync(box.settings, 0o600);
    waygate(box, ['init', '--yes']);
    const after = readFileSync(box.settings, 'utf8');
    const { hooks, ...rest } = JSON.parse(after);
    expect(rest).toEqual({ model: 'opus', zeta: [1.5, 'ü'] });
    expect(Object.keys(hooks).sort()).toEqual([...EVENTS].sort());
    expect(hooks.Stop.slice(0, 1)).toEqual([{ hooks: [{ type: 'command', command: 'say done' }] }]);
    expect(after).toContain('"zeta": [1.50, "ü"]');
    expect(statSync(box.settings).mode & 0o777).toBe(0o600);
    const again = waygate(box, ['init', '--yes']);
    expect(again.stdout).toMatch(/wired already/);
    expect(readFileSync(box.settings, 'utf8')).toBe(after);
  });

  it('--dry-run shows a diff and changes nothing', () => {
    const box = machine();
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(box.settings, SETTINGS);
    const { code, stdout } = waygate(box, ['init', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain(`--- ${box.settings}\n+++ ${box.settings}\n@@ `);
    expect(stdout).toMatch(/^\+.*"PreToolUse": \[$/m);
    expect(stdout).toMatch(/^\+preset: strict$/m);
    expect(readFileSync(box.settings, 'utf8')).toBe(SETTINGS);
    expect(existsSync(join(box.repo, 'waygate.yaml'))).toBe(false);
    expect(existsSync(join(box.home, '.local/share/waygate'))).toBe(false);
  });

  it('a settings file that is no JSON is left alone, with the place', () => {
    const box = machine();
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(box.settings, '{\n  "a": 1,\n}\n');
    const { code, stderr } = waygate(box, ['init', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/settings\.json: not JSON at 3:1 expected a key.*nothing was changed/);
    expect(readFileSync(box.settings, 'utf8')).toBe('{\n  "a": 1,\n}\n');
  });

  it('follows a link to the real file', () => {
    const box = machine();
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(join(box.home, 'dotfile.json'), '{}\n');
    symlinkSync('../dotfile.json', box.settings);
    waygate(box, ['init', '--yes']);
    expect(lstatSync(box.settings).isSymbolicLink()).toBe(true);
    expect(box.wired()).toHaveLength(1);
  });

  it.each([
    ['--project', '.claude/settings.json'],
    ['--local', '.claude/settings.local.json'],
  ])('%s wires the workspace', (flag, file) => {
    const box = machine();
    expect(waygate(box, ['init', '--yes', flag], { cwd: join(box.repo, 'src') }).code).toBe(0);
    expect(JSON.parse(readFileSync(join(box.repo, file), 'utf8')).hooks.PreToolUse).toHaveLength(1);
    expect(existsSync(box.settings)).toBe(false);
  });

  it('keeps a waygate.yaml that is there', () => {
    const box = machine(['printf "version: 1\\n" > waygate.yaml']);
    waygate(box, ['init', '--yes', '--preset', 'safety']);
    expect(readFileSync(join(box.repo, 'waygate.yaml'), 'utf8')).toBe('version: 1\n');
  });

  it('a lower preset waits for trust, and it says so', () => {
    const box = machine();
    expect(waygate(box, ['init', '--preset', 'safety']).stdout).toMatch(/waygate trust/);
    expect(JSON.parse(waygate(box, ['trust', '--list', '--json']).stdout).waiting).toHaveLength(1);
  });

  it('tells what it did as JSON', () => {
    const box = machine();
    const answer = JSON.parse(waygate(box, ['init', '--yes', '--json']).stdout);
    expect(answer).toMatchObject({ schema: 1, dryRun: false, changes: [{ path: box.settings, created: true }, { created: true }] });
  });
});

describe('uninstall', () => {
  it('wants a person', () => {
    const box = machine();
    waygate(box, ['init', '--yes']);
    const before = readFileSync(box.settings, 'utf8');
    const { code, stderr } = waygate(box, ['uninstall', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/terminal/);
    expect(readFileSync(box.settings, 'utf8')).toBe(before);
  });

  it('takes the wiring out byte by byte', async () => {
    const box = machine();
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(box.settings, SETTINGS);
    waygate(box, ['init', '--yes']);
    expect(waygate(box, ['uninstall', '--dry-run']).stdout).toMatch(/^-.*"PreToolUse"/m);
    await removeWiring(box);
    expect(readFileSync(box.settings, 'utf8')).toBe(SETTINGS);
    expect(waygate(box, ['uninstall']).stdout).toMatch(/not wired/);
  });

  it('takes away the file and the folder it made', async () => {
    const box = machine();
    waygate(box, ['init', '--yes', '--project']);
    await removeWiring(box);
    expect(existsSync(join(box.repo, '.claude'))).toBe(false);
  });

  it('leaves what was added to its file meanwhile', async () => {
    const box = machine();
    waygate(box, ['init', '--yes']);
    const settings = JSON.parse(readFileSync(box.settings, 'utf8'));
    writeFileSync(box.settings, JSON.stringify({ model: 'opus', ...settings }));
    await removeWiring(box);
    expect(JSON.parse(readFileSync(box.settings, 'utf8'))).toEqual({ model: 'opus' });
  });

  it('works without its memory', async () => {
    const box = machine();
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(box.settings, SETTINGS);
    waygate(box, ['init', '--yes']);
    rmSync(box.state, { recursive: true });
    await removeWiring(box);
    expect(readFileSync(box.settings, 'utf8')).toBe(SETTINGS);
  });
});

describe('doctor', () => {
  const doctor = (box: Sandbox) => {
    const { code, stdout } = waygate(box, ['doctor', '--json']);
    const answer = JSON.parse(stdout) as { protected: boolean; checks: { state: string; what: string; detail: string }[] };
    return { code, protected: answer.protected, of: (what: string) => answer.checks.filter((check) => check.what === what) };
  };

  it('is content after init', () => {
    const box = machine();
    waygate(box, ['init', '--yes']);
    const result = doctor(box);
    expect(result).toMatchObject({ code: 0, protected: true });
    expect(result.of('canary')).toMatchObject([{ state: 'ok' }]);
    expect(waygate(box, ['doctor']).stdout).toMatch(/protected\n$/);
  });

  it('not wired', () => {
    const result = doctor(machine());
    expect(result).toMatchObject({ code: 1, protected: false });
    expect(result.of('settings')).toMatchObject([{ state: 'fail' }]);
  });

  it('the wired program is gone', () => {
    const box = machine();
    waygate(box, ['init', '--yes']);
    renameSync(join(box.home, '.local/share/waygate'), join(box.home, '.local/share/elsewhere'));
    expect(doctor(box).of('canary')).toMatchObject([{ state: 'fail' }]);
  });

  it.each([
    ['lets everything through', 'exit 0', /exit code 0/],
    ['crashes', 'exit 1', /exit code 1/],
    ['denies without a reason', 'exit 2', /without a reason/],
    ['denies on stderr only', 'echo no >&2; exit 2', /no deny on stdout/],
  ])('a wired program that %s', (_name, script, detail) => {
    const box = machine();
    const program = join(box.home, 'waygate');
    writeFileSync(program, `#!/bin/sh\ncat > /dev/null\n${script}\n`, { mode: 0o755 });
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(
      box.settings,
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `${program} hook --host claude-code` }] }] } }),
    );
    const [canary] = doctor(box).of('canary');
    expect(canary).toMatchObject({ state: 'fail', detail: expect.stringMatching(detail) });
  });

  it('a matcher that leaves tools out, and hooks switched off', () => {
    const box = machine();
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(
      box.settings,
      JSON.stringify({
        disableAllHooks: true,
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'waygate hook' }] }] },
      }),
    );
    const result = doctor(box);
    expect(result.code).toBe(1);
    expect(result.of('settings').map((check) => check.state)).toEqual(expect.arrayContaining(['fail', 'warn']));
  });

  it('a policy with mistakes is told, with the place', () => {
    const box = machine(['printf "version: 1\\nrules:\\n  discard-change: off\\n" > waygate.yaml']);
    expect(doctor(box).of('policy')).toMatchObject([
      { state: 'warn', detail: expect.stringMatching(/waygate\.yaml:3:3 .*discard-changes/) },
    ]);
  });

  it('a torn ledger is told', () => {
    const box = machine();
    const dir = join(box.state, 'waygate', 'sessions', 'torn');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'ledger.jsonl'), '{"t":"decision","decision":{"schema":1,"id":"half');
    expect(doctor(box).of('ledger')).toMatchObject([{ state: 'warn', detail: expect.stringMatching(/1 torn line/) }]);
  });
});
